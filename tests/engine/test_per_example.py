"""Functions without batching rules run for one example after another inside vectorized_map."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.errors import ShapeError

ROWS = tf.constant([[0, 1, 1, 3], [2, 2, 2, 0]])
HALVES = tf.cast(ROWS, tf.float32) / 2
CASES = {  # results of TensorFlow 2.21
    "bincount": (
        lambda r: tf.math.bincount(r, minlength=4, maxlength=4),
        ROWS,
        [[1, 2, 0, 1], [1, 0, 3, 0]],
    ),
    "bincount with weights": (
        lambda r: tf.math.bincount(tf.cast(r * 2, tf.int32), weights=r, minlength=4, maxlength=4),
        HALVES,
        [[0, 1, 0, 1.5], [0, 0, 3, 0]],
    ),
    "histogram": (
        lambda r: tf.histogram_fixed_width(r, [0.0, 2.0], nbins=3),
        HALVES,
        [[3, 0, 1], [1, 3, 0]],
    ),
    "confusion": (
        lambda r: tf.linalg.diag_part(tf.math.confusion_matrix(r, r, 4)),
        ROWS,
        [[1, 2, 0, 1], [1, 0, 3, 0]],
    ),
    "where": (lambda r: tf.where(r < 1), ROWS, [[[0]], [[3]]]),
    "boolean mask": (lambda r: tf.boolean_mask(r, r < 1), ROWS, [[0], [0]]),
    "text": (
        lambda r: tf.strings.as_string(r),
        ROWS,
        [[b"0", b"1", b"1", b"3"], [b"2", b"2", b"2", b"0"]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_as_tensorflow(name):
    function, rows, expected = CASES[name]
    calls = []

    def counted(row):
        calls.append(row)
        return function(row)

    np.testing.assert_array_equal(tf.vectorized_map(counted, rows).numpy(), expected)
    assert len(calls) == 1  # Python runs once, whatever the ops do


def test_in_two_maps():
    count = tf.vectorized_map(
        lambda rows: tf.vectorized_map(
            lambda r: tf.math.bincount(r, maxlength=4, minlength=4), rows
        ),
        tf.stack([ROWS, ROWS + 1]),
    )
    np.testing.assert_array_equal(count[0], CASES["bincount"][2])
    np.testing.assert_array_equal(count[1], [[0, 1, 2, 0], [0, 1, 0, 3]])


def test_gradients_pass():
    with tf.GradientTape() as tape:
        tape.watch(HALVES)
        y = tf.vectorized_map(lambda r: tf.boolean_mask(r * r, r < 0.25), HALVES)
    np.testing.assert_array_equal(tape.gradient(y, HALVES), tf.where(HALVES < 0.25, HALVES * 2, 0))


def test_examples_of_different_shapes():
    with pytest.raises(ShapeError, match="Shapes of all inputs must match"):
        tf.vectorized_map(lambda r: tf.boolean_mask(r, r > 1), ROWS)
