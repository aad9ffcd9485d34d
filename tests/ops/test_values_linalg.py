"""Linear algebra of matrices that are not finite: TensorFlow's values, not an error."""

import numpy as np
import pytest

import gradtape as tf


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_pseudo_inverse_of_what_is_not_finite(bad):
    x = tf.constant([[[1.0, bad], [2.0, 3.0]], [[2.0, 0.0], [0.0, 4.0]]])
    result = tf.linalg.pinv(x).numpy()
    assert np.isnan(result[0]).all()
    np.testing.assert_allclose(result[1], [[0.5, 0], [0, 0.25]])


def test_sign_of_a_determinant_that_is_nan():
    sign, value = tf.linalg.slogdet([[[1.0, np.nan], [2.0, 3.0]], [[1.0, 2.0], [3.0, 4.0]]])
    np.testing.assert_allclose(sign, [np.nan, -1])
    np.testing.assert_allclose(value, [np.nan, np.log(2)], rtol=1e-6)
