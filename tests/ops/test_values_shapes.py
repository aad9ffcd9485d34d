"""Shape ops at their edges, with TensorFlow's values."""

import numpy as np
import pytest

import gradtape as tf


@pytest.mark.parametrize("axis", [0, -1, None])
def test_repeating_a_scalar(axis):
    """As in TensorFlow, it counts as a vector of one element."""
    np.testing.assert_array_equal(tf.repeat(3.0, 2, axis=axis), [3, 3])
    np.testing.assert_array_equal(tf.repeat(3.0, [2], axis=axis), [3, 3])
