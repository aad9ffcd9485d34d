"""A function needs no more memory at once than its ops one by one: arrays are counted, in bytes."""

import gc
import tracemalloc

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension, fusion_is_on

pytestmark = pytest.mark.skipif(
    extension is None, reason="NumPy's kernels have temporary arrays of their own"
)

PROGRAMS = {}
N = 300


def program(make):
    PROGRAMS[make.__name__] = make
    return make


def numbers(*shape) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def variables(*shapes) -> list[tf.Variable]:
    return [tf.Variable(numbers(*shape) * 0.1) for shape in shapes]


def gradient_of(function):
    """The gradient of a sum by the only argument."""

    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(function(x))
        return tape.gradient(y, x)

    return run


def training(trained, loss_of):
    def step(*arguments):
        with tf.GradientTape() as tape:
            loss = loss_of(*arguments)
        for variable, slope in zip(trained, tape.gradient(loss, trained), strict=True):
            variable.assign_sub(0.01 * slope)
        return loss

    return step


@program
def perceptron():
    w1, b1, w2, b2, w3 = made = variables((256, 512), (512,), (512, 512), (512,), (512, 10))

    def loss(x, y):
        h = tf.tanh(tf.nn.relu(x @ w1 + b1) @ w2 + b2)
        return tf.reduce_mean(tf.square(h @ w3 - y))

    return training(made, loss), numbers(1024, 256), numbers(1024, 10)


@program
def half_precision():
    w1, w2 = made = variables((256, 512), (512, 256))

    def loss(x, y):
        h = tf.nn.relu(tf.cast(x, tf.bfloat16) @ tf.cast(w1, tf.bfloat16))
        return tf.reduce_mean(tf.square(tf.cast(h @ tf.cast(w2, tf.bfloat16), tf.float32) - y))

    return training(made, loss), numbers(512, 256), numbers(512, 256)


@program
def moving_means():
    w, mean, square = variables((784, 1024), (784, 1024), (784, 1024))

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w))
        slope = tape.gradient(loss, w)
        mean.assign(0.9 * mean + 0.1 * slope)
        square.assign(0.99 * tf.abs(square) + 0.01 * tf.square(slope))
        w.assign_sub(0.001 * mean / (tf.sqrt(square) + 1e-7))

    return step, numbers(64, 784)


@program
def convolutions():
    k1, k2, w = made = variables((3, 3, 3, 16), (3, 3, 16, 32), (2048, 10))

    def loss(x, y):
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, k1, 1, "SAME")), 2, 2, "SAME")
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, k2, 1, "SAME")), 2, 2, "SAME")
        return tf.reduce_mean(tf.square(tf.reshape(h, (16, -1)) @ w - y))

    return training(made, loss), numbers(16, 32, 32, 3), numbers(16, 10)


@program
def attention():
    wq, wk, wv, wo = made = variables(*[(128, 128)] * 4)

    def heads(x):
        return tf.transpose(tf.reshape(x, (4, 128, 4, 32)), (0, 2, 1, 3))

    def loss(x):
        scores = tf.matmul(heads(x @ wq), heads(x @ wk), transpose_b=True)
        mixed = tf.matmul(tf.nn.softmax(scores * 0.2), heads(x @ wv))
        y = x + tf.reshape(tf.transpose(mixed, (0, 2, 1, 3)), (4, 128, 128)) @ wo
        return tf.reduce_mean(tf.square(tf.nn.gelu(y)))

    return training(made, loss), numbers(4, 128, 128)


def waves(x, count):
    """The gradient has the sines and cosines of the program itself: to keep them costs memory."""
    for _ in range(count):
        x = tf.sin(x) * 1.01 + tf.cos(x)
    return x


@program
def chain():
    return lambda x: waves(x, 60), numbers(N, N)


@program
def gradient_of_chain():
    return gradient_of(lambda x: waves(x, 30)), numbers(N, N)


@program
def gradient_of_float64():
    return gradient_of(lambda x: waves(x, 8)), numbers(N, N).astype(np.float64)


@program
def repeated_product():
    """One product at the beginning and at the end."""

    def run(x):
        first = tf.reduce_sum(tf.matmul(x, x, transpose_b=True), 0)
        large = tf.matmul(x * 2.0, x, transpose_b=True)
        second = tf.reduce_max(tf.matmul(large, large), 0)
        del large
        return first + second + tf.reduce_max(tf.matmul(x, x, transpose_b=True), 0)

    return run, numbers(800, 100)


@program
def neighbors():
    def run(x):
        for _ in range(5):
            around = tf.roll(x, 1, 0) + tf.roll(x, -1, 0) + tf.roll(x, 1, 1) + tf.roll(x, -1, 1)
            x = x + 0.1 * tf.tanh(around - 4.0 * x)
        return x

    return gradient_of(run), numbers(512, 512)


@program
def loop():
    def run(x):
        y = x
        for _ in tf.range(10):
            y = tf.tanh(y * 1.1) + x
        return y

    return run, numbers(N, N)


@program
def many_outputs():
    return lambda x: [tf.sin(x * float(k)) for k in range(1, 12)], numbers(N, N)


def arrays() -> int:
    """The bytes of all arrays that are alive."""
    arrays = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces([arrays]).traces)


def peak_of(make, wrap) -> int:
    """The most bytes of arrays at once in a step, beyond what the program began with."""
    tracemalloc.start()
    try:
        function, *given = make()
        step, given = wrap(function), [tf.constant(x) for x in given]
        before = arrays()
        for _ in range(3):
            tf.nest.map_structure(np.asarray, step(*given))
        gc.collect()
        objects = tracemalloc.get_traced_memory()[0] - arrays()
        tracemalloc.reset_peak()
        tf.nest.map_structure(np.asarray, step(*given))
        return tracemalloc.get_traced_memory()[1] - objects - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_function_needs_no_more_memory_than_eager_code(name):
    if name == "moving_means" and not fusion_is_on():
        pytest.skip("without fusion, updates make arrays that fused ones write in place")
    eager = peak_of(PROGRAMS[name], lambda function: function)
    assert eager > 1 << 18
    # Python's own objects, and arrays of a few numbers, differ a little.
    assert peak_of(PROGRAMS[name], tf.function) <= eager * 1.01 + (1 << 15)


def test_a_loop_stacks_its_rows_once():
    """What ten iterations keep for the gradient: two arrays of each."""
    w = tf.Variable(numbers(N, N) * 0.1)

    def make():
        def run(x):
            with tf.GradientTape() as tape:
                y = x
                for _ in tf.range(10):
                    y = tf.tanh(y @ w)
            return tape.gradient(tf.reduce_sum(y), w)

        return run, numbers(N, N)

    assert peak_of(make, tf.function) < 32 * 4 * N * N


def test_variables_have_computed_values_after_a_call():
    """One that waits would keep alive its old value and the gradient."""
    w = tf.Variable(numbers(N, N))
    before = w.read_value()
    kept = np.array(before)

    @tf.function
    def step(x):
        w.assign_sub(tf.sin(x) * 0.1)

    for _ in range(3):
        step(tf.constant(numbers(N, N)))
        assert type(w._data) is np.ndarray
    np.testing.assert_array_equal(before, kept)
    np.testing.assert_allclose(w, kept - 0.3 * np.sin(numbers(N, N)), atol=1e-6)
