"""What the explanations say of ops that are deferred and computed together (docs/fusion.md)."""

import json
import re

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.native import kernels as native
from tests.fusing import fusing_from, is_pending

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
SIZE = 1000


@pytest.fixture(autouse=True)
def fuse_everything():
    with fusing_from(1):
        yield


def test_memory_of_a_value_that_waits_is_that_of_its_operands():
    x = tf.Variable(np.ones(SIZE, np.float32))
    with tf.GradientTape() as tape:
        other = tf.gather(x, np.arange(SIZE))  # an array of its own
        y = tf.exp(other * 2.0)
        z = tf.sin(y)
    assert is_pending(y)
    assert is_pending(z)
    memory = tape.memory()
    # exp keeps its result, sin its operand: both wait for the array that was gathered.
    # gather keeps the indices, multiply the constant.
    assert memory.by_index == [8 * SIZE, 4, 4 * SIZE, 0]
    assert is_pending(y)  # to count is not to compute


def test_memory_of_a_value_that_was_computed_is_counted_once():
    x = tf.Variable(np.ones(SIZE, np.float32))
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        y.numpy()
        tf.sin(y)
    assert tape.memory().total_bytes == 4 * SIZE


def test_profile_times_every_op_of_a_chain():
    x = tf.Variable(np.linspace(0, 1, 300_000, dtype=np.float32))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(-x * x) * tf.sin(x))
    profile = tape.profile(y)
    assert [t.name for t in profile.ops] == [
        "negative",
        "multiply",
        "exp",
        "sin",
        "multiply",
        "reduce_sum",
    ]
    assert all(t.forward > 0 and t.backward > 0 for t in profile.ops)
    by_name = {t.name: t for t in profile.ops}
    # Each by itself: what takes longest is not hidden in the op that asked for the chain.
    assert by_name["sin"].forward > 2 * by_name["reduce_sum"].forward
    assert profile.fused == 5
    assert "5 of the ops are elementwise, on large arrays: a program fuses them" in str(profile)
    assert native.extension.fuse_from(1) == 1  # as it was


def test_profile_says_nothing_where_nothing_is_fused():
    native.extension.fuse_from(65_536)
    x = tf.Variable(np.ones(SIZE, np.float32))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(x))
    profile = tape.profile(y)
    assert profile.fused == 0
    assert "fuses" not in str(profile)


def test_nan_is_found_inside_a_chain():
    x = tf.Variable(np.array([1.0, 4.0, 0.0], np.float32))
    with tf.GradientTape() as tape:
        ratio = x / (x * 2.0)
        y = tf.reduce_sum(tf.tanh(ratio) + 1.0)
    assert is_pending(y)
    finding = tape.find_nonfinite(y)
    assert finding.kind == "value"
    assert finding.op == "divide"
    assert finding.location.text == "ratio = x / (x * 2.0)"


def test_a_derivative_that_is_not_finite_is_found_inside_a_chain():
    x = tf.Variable(np.array([1.0, 4.0, 0.0], np.float32))
    with tf.GradientTape() as tape:
        root = tf.sqrt(x)
        y = tf.reduce_sum(root * 3.0 + 1.0)
    finding = tape.find_nonfinite(y)
    assert (finding.kind, finding.op) == ("derivative", "sqrt")


def test_the_watchdog_stops_at_the_op():
    x = tf.constant(np.array([1.0, 0.0], np.float32))
    with pytest.raises(ArithmeticError, match="`log`"), tf.debug_nonfinite():
        tf.exp(tf.math.log(x) * 2.0)


def test_the_page_shows_a_chain():
    x = tf.Variable(np.ones(SIZE, np.float32))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(x) * x)
    actual = re.search(r'id="data"[^>]*>(.*?)</script>', tape.to_html(target=y), re.DOTALL)
    assert actual is not None
    rows = json.loads(actual.group(1))["ops"]
    assert [row[0] for row in rows] == ["exp", "multiply", "reduce_sum"]
