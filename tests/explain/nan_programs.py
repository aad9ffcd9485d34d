"""Programs whose loss or gradient is inf or nan. Each gives a tape and the loss."""

import numpy as np

import gradtape as tf
from tests.explain.gallery import Gallery

PROGRAMS = Gallery()


def broken(kind: str, op: str, words: str):
    """`kind` is "value", "derivative" or "input"; `op` is the op to be named."""
    return PROGRAMS.broken(f"{kind} {op}", words)


@broken("value", "log", "the logarithm of 0")
def cross_entropy_by_hand():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        p = x * 1.0
        loss = -tf.reduce_sum([0.5, 0.5] * tf.math.log(p))  # HERE
    return tape, loss


@broken("value", "log", "the logarithm of a negative number")
def log_of_a_negative_number():
    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x - 3.0
        loss = tf.math.log(y)  # HERE
    return tape, loss


@broken("derivative", "log", "the slope of log at 0")
def where_trap():
    x = tf.Variable([0.0, 1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.math.log(x * 1.0)  # HERE
        loss = tf.reduce_sum(tf.where(x > 0.0, y, 0.0))
    return tape, loss


@broken("value", "log", "the logarithm of 0")
def where_trap_behind_a_product():
    p = tf.Variable([0.7, 0.3, 0.0])
    with tf.GradientTape(persistent=True) as tape:
        logarithm = tf.math.log(p)  # HERE
        loss = -tf.reduce_sum(tf.where(p > 0.0, p * logarithm, 0.0))
    return tape, loss


@broken("derivative", "divide", "the slope of a division by 0")
def where_trap_of_a_quotient():
    x = tf.Variable([0.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = 1.0 / x  # HERE
        loss = tf.reduce_sum(tf.where(x > 0.0, y, 0.0))
    return tape, loss


@broken("derivative", "sqrt", "the slope of sqrt at 0")
def root_of_zero():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        y = x * 2.0
        loss = tf.reduce_sum(tf.sqrt(y))  # HERE
    return tape, loss


@broken("value", "sqrt", "the root of a negative number")
def root_of_a_negative_number():
    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.sqrt(x - 2.0)  # HERE
    return tape, loss


@broken("derivative", "sqrt", "the slope of the norm at 0")
def norm_at_zero():
    x, y = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.norm(x - y)  # HERE
    return tape, loss


@broken("derivative", "sqrt", "the slope of sqrt at 0")
def deviation_of_equal_numbers():
    x = tf.Variable([3.0, 3.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.math.reduce_std(x)  # HERE
    return tape, loss


@broken("value", "exp", "exp of a large number")
def softmax_by_hand():
    x = tf.Variable([1.0, 100.0])
    with tf.GradientTape(persistent=True) as tape:
        e = tf.exp(x)  # HERE
        p = e / tf.reduce_sum(e)
        loss = tf.reduce_sum(p * p)
    return tape, loss


@broken("value", "divide", "a division by 0")
def division_by_zero():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        mean = tf.reduce_sum(x) / tf.reduce_sum(x * 0.0)  # HERE
        loss = mean * 2.0
    return tape, loss


@broken("value", "divide", "0 divided by 0")
def zero_by_zero():
    x = tf.Variable([0.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x / x)  # HERE
    return tape, loss


@broken("derivative", "power_by", "the slope of a power at 0")
def fractional_power_at_zero():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x**0.5)  # HERE
    return tape, loss


@broken("value", "power_by", "a negative number to a power that is not whole")
def fractional_power_of_a_negative_number():
    x = tf.Variable([-1.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x**1.5)  # HERE
    return tape, loss


@broken("derivative", "acos", "the slope of acos at the edge")
def angle_between_equal_vectors():
    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.acos(x * 1.0)  # HERE
    return tape, loss


@broken("value", "square", "beyond the range of float16")
def half_precision_overflow():
    x = tf.Variable(np.array([300.0, 1.0], np.float16))
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x**2)  # HERE
    return tape, loss


@broken("value", "multiply", "beyond the range of the dtype")
def growth_in_a_loop():
    x = tf.Variable(10.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * 1.0
        for _ in range(60):
            y = y * x  # HERE
        loss = y - y
    return tape, loss


@broken("value", "softmax", "a row with nothing but -inf")
def mask_that_leaves_nothing():
    x = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        scores = tf.where([[False, False]], x, float("-inf"))
        loss = tf.reduce_sum(tf.nn.softmax(scores))  # HERE
    return tape, loss


@broken("input", "subtract", "the other operand")
def nan_in_the_data():
    x = tf.Variable([1.0, 2.0])
    labels = tf.constant([float("nan"), 1.0])
    with tf.GradientTape(persistent=True) as tape:
        error = x * 1.0 - labels  # HERE
        loss = tf.reduce_mean(error**2)
    return tape, loss


@broken("input", "multiply", "given a value that is nan already")
def nan_in_the_weights():
    w = tf.Variable([float("nan"), 1.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(w * 3.0)  # HERE
    return tape, loss


@broken("derivative", "qr", "without full rank")
def qr_of_equal_columns():
    # Triangular already, so that no reflection rounds and every LAPACK gives R an exact zero.
    x = tf.Variable([[1.0, 1.0], [0.0, 0.0]])
    with tf.GradientTape(persistent=True) as tape:
        q, _ = tf.linalg.qr(x * 1.0)  # HERE
        loss = tf.reduce_sum(q**3)
    return tape, loss


@broken("derivative", "eigh", "equal eigenvalues")
def eigenvalues_nearly_equal():
    x = tf.Variable([[1e-10, 0.0], [0.0, 3e-10]])
    with tf.GradientTape(persistent=True) as tape:
        _, vectors = tf.linalg.eigh(x)  # HERE
        loss = 1e30 * tf.reduce_sum(tf.exp(vectors * [[0.0, 1.0], [2.0, 3.0]]))
    return tape, loss
