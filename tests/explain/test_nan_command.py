"""`gradtape nan`: finds where the first nan of a program begins, and says so if there is none."""

import subprocess
import sys

import pytest

FUNCTION = """
import tensorflow as tf

@tf.function
def step(x):
    return tf.reduce_sum(tf.math.log(x) * x)

print(step(tf.constant([1.0, 2.0])).numpy())
try:
    step(tf.constant([1.0, -2.0]))
except Exception:
    print("caught")
print("not reached")
"""
FIT = """
import numpy as np
import tensorflow as tf

class Norm(tf.keras.layers.Layer):
    def call(self, x):
        return x / tf.norm(x, axis=-1, keepdims=True)

stack = [tf.keras.layers.Dense(4, activation="relu"), Norm(name="norm")]
model = tf.keras.Sequential(stack, name="net")
model.compile("sgd", "mse")
model.fit(np.zeros((8, 3), "float32"), np.ones((8, 4), "float32"), verbose=0)
"""
BACKWARD = """
import tensorflow as tf

x = tf.Variable([0.0, 4.0])
with tf.GradientTape() as tape, tf.name_scope("tail"):
    y = tf.reduce_sum(tf.where(x > 1.0, x ** 0.5, 0.0) * tf.where(x > 1.0, 1.0 / x, 0.0))
print(y.numpy())
print(tape.gradient(y, x))
"""
FROM_INFINITY = """
import tensorflow as tf

large = tf.exp(tf.constant(1000.0))
print("an infinity alone is no nan")
more = large + 1.0
more - large
"""
GIVEN = """
import tensorflow as tf

tf.constant([1.0, float("nan")]) * 2.0
"""
MASK = """
import sys
import tensorflow as tf

print(tf.nn.softmax(tf.where([True, False], 0.0, float("-inf"))).numpy())
if "--inf" in sys.argv:
    tf.exp(tf.constant(1000.0))
sys.exit(3 if "--fail" in sys.argv else 0)
"""


@pytest.fixture
def nan(tmp_path):
    def run(text, *arguments, options=()):
        (tmp_path / "program.py").write_text(text)
        return subprocess.run(
            [sys.executable, "-m", "gradtape", "nan", *options, "program.py", *arguments],
            env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_it_stops_inside_a_function_whatever_the_program_catches(nan):
    done = nan(FUNCTION)
    assert (done.returncode, done.stdout) == (1, "1.3862944\n")
    assert done.stderr.startswith(
        "gradtape nan: The value of `log` is not finite: the logarithm of a negative number.\n"
        "  program.py:6 in step\n"
    )
    assert "  x = [1.0, -2.0] (float32[2])\n" in done.stderr
    assert "  Cure: " in done.stderr


def test_it_names_the_layer_in_a_fit(nan):
    done = nan(FIT)
    assert done.returncode == 1
    assert "The value of `divide` is not finite: 0 divided by 0.\n" in done.stderr
    assert "  program.py:7 in Norm.call, layer net/norm\n" in done.stderr


def test_it_finds_the_op_whose_derivative_is_a_nan(nan):
    done = nan(BACKWARD)
    assert (done.returncode, done.stdout) == (1, "0.5\n")
    assert "gradtape nan: The derivative of `divide` is not finite" in done.stderr
    assert "  program.py:6, layer tail\n" in done.stderr


def test_a_nan_that_comes_of_an_infinity_is_traced_to_it(nan):
    done = nan(FROM_INFINITY)
    assert (done.returncode, done.stdout) == (1, "an infinity alone is no nan\n")
    nan_text, infinity = done.stderr.split("It began with an infinity: ")
    assert "The value of `subtract` is not finite: infinity minus infinity." in nan_text
    assert infinity.startswith("The value of `exp` is not finite: exp of a large number.\n")
    assert "program.py:4" in infinity


def test_on_request_it_stops_at_an_infinity(nan):
    done = nan(FROM_INFINITY, options=["--inf"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("gradtape nan: The value of `exp` is not finite")


def test_a_nan_that_was_there_before_the_first_op_is_an_input(nan):
    done = nan(GIVEN)
    assert done.returncode == 1
    assert "gradtape nan: An input of `multiply` is not finite" in done.stderr


def test_it_says_that_there_is_none_and_ends_as_the_program_does(nan):
    done = nan(MASK)
    assert (done.returncode, done.stdout) == (0, "[1. 0.]\n")
    assert done.stderr.startswith("gradtape nan: none of ")
    assert done.stderr.endswith(" ops made a value that is nan.\n")


def test_the_first_infinity_is_told_at_the_end(nan):
    done = nan(MASK, "--", "--inf")  # the program's own option
    assert done.returncode == 0
    assert " ops made a value that is nan. `exp` made an inf first:\n" in done.stderr


def test_a_program_that_exits_with_a_code_is_reported_on_as_well(nan):
    done = nan(MASK, "--fail")
    assert done.returncode == 3
    assert "gradtape nan: none of " in done.stderr


def test_a_missing_program_is_named(tmp_path):
    from gradtape.cli import main

    assert main(["nan", str(tmp_path / "none.py")]) == 2
