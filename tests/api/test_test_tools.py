"""`tf.test`: the test case compares what it should, and fails where it should."""

import unittest

import numpy as np
import pytest

import gradtape as tf


class Checks(tf.test.TestCase):
    __test__ = False  # run below, not collected

    def runTest(self):
        self.assertAllEqual([1, 2], tf.constant([1, 2]))
        self.assertAllClose({"a": [1.0]}, {"a": tf.constant([1.0 + 1e-8])})
        self.assertAllClose([[1.0], [2.0]], tf.constant([[1.0], [2.0]]))
        self.assertNotAllClose(1.0, 2.0)
        self.assertNotAllEqual([1], [2])
        self.assertAllCloseAccordingToType(
            tf.constant(1.0, tf.float16), tf.constant(1.0009765, tf.float16)
        )
        self.assertAllInRange([0.5], 0, 1)
        self.assertAllInSet([1, 1], {1, 2})
        self.assertAllGreater([2, 3], 1)
        self.assertDTypeEqual(tf.constant(1.0), tf.float32)
        self.assertShapeEqual(np.zeros((2, 3)), tf.zeros((2, 3)))
        self.assertLen([1], 1)
        with self.assertRaisesOpError("Incompatible shapes"):
            tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
        sparse = self.evaluate(tf.sparse.from_dense([0, 3]))
        assert isinstance(sparse, tf.compat.v1.SparseTensorValue)
        assert [part.tolist() for part in sparse] == [[[1]], [3], [2]]
        with self.assertRaisesIncompatibleShapesError():
            tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
        assert self.evaluate({"a": tf.constant(3)}) == {"a": 3}
        for wrong in (
            lambda: self.assertAllEqual([1], [2]),
            lambda: self.assertAllEqual([1], [1, 2]),
            lambda: self.assertAllClose(1.0, 1.1),
            lambda: self.assertAllClose({"a": 1.0}, {"b": 1.0}),
            lambda: self.assertNotAllClose(1.0, 1.0),
            lambda: self.assertAllInSet([3], {1}),
            lambda: self.assertAllInRange([1.0], 0, 1, open_upper_bound=True),
        ):
            with pytest.raises(AssertionError):
                wrong()


@pytest.mark.parametrize("name", ["session", "cached_session"])
def test_sessions_of_the_test_case_return_what_was_computed(name):
    with getattr(Checks(), name)() as session:
        ones, inner = session.run([tf.ones(2), {"a": tf.constant(3)}])
        assert type(ones) is np.ndarray
        assert (ones.tolist(), inner) == ([1.0, 1.0], {"a": 3})
        with pytest.raises(RuntimeError, match=r"session\.run: feed_dict: .* no placeholders"):
            session.run(tf.ones(2), feed_dict={"x": 1.0})


def test_the_test_case():
    result = unittest.TestResult()
    Checks().run(result)
    assert result.errors == result.failures == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (["é", "b"], [b"\xc3\xa9", b"b"]),
        ("a", b"a"),
        (tf.constant([["a"], ["b"]]), [["a"], ["b"]]),
        (np.array(["a", b"b"], object), [b"a", b"b"]),
    ],
)
def test_text_is_compared_with_bytes_in_utf8(a, b):
    case = Checks()
    case.assertAllEqual(a, b)
    case.assertAllEqual(b, a)
    with pytest.raises(AssertionError, match="equal at all elements"):
        case.assertNotAllEqual(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [(["é"], [b"\xe9"]), (["a", "b"], [b"a", b"c"]), ([b"1"], [1])]
)
def test_other_bytes_are_not_equal_to_text(a, b):
    Checks().assertNotAllEqual(a, b)
    with pytest.raises(AssertionError, match="not equal at"):
        Checks().assertAllEqual(a, b)


def test_seeds_are_set_before_each_test():
    class Draw(tf.test.TestCase):
        __test__ = False
        actual = []  # noqa: RUF012

        def runTest(self):
            self.actual.append(tf.random.uniform([2]).numpy().tolist())

    for _ in range(2):
        Draw().run(unittest.TestResult())
    assert Draw.actual[0] == Draw.actual[1]


def test_compute_gradient():
    theory, numeric = tf.test.compute_gradient(
        lambda x: x**3, [tf.constant([1.0, 2.0], tf.float64)]
    )
    np.testing.assert_allclose(theory[0], [[3.0, 0.0], [0.0, 12.0]])
    np.testing.assert_allclose(numeric[0], theory[0], rtol=1e-6)
    with pytest.raises(ValueError, match=r"must be a list or tuple"):
        tf.test.compute_gradient(abs, tf.constant(1.0))
    assert not tf.test.is_gpu_available()
    assert tf.test.gpu_device_name() == ""


def test_gradients_of_complex_numbers():
    """A Jacobian of complex numbers is one of their real and imaginary parts."""
    z = tf.constant([1 + 2j, 3 - 1j], tf.complex64)
    (theory,), (numeric,) = tf.test.compute_gradient(lambda z: z * z, [z])
    np.testing.assert_allclose(
        theory, [[2, -4, 0, 0], [4, 2, 0, 0], [0, 0, 6, 2], [0, 0, -2, 6]], atol=1e-6
    )
    np.testing.assert_allclose(numeric, theory, atol=1e-2)
    (theory,), (numeric,) = tf.test.compute_gradient(abs, [tf.cast(z, tf.complex128)])
    np.testing.assert_allclose(theory[0], [5**-0.5, 2 * 5**-0.5, 0, 0])
    np.testing.assert_allclose(numeric, theory, atol=1e-6)
    x = tf.constant([1.0, 2.0])
    (theory,), (numeric,) = tf.test.compute_gradient(lambda x: tf.complex(x, 2 * x), [x])
    np.testing.assert_allclose(theory, [[1, 0], [2, 0], [0, 1], [0, 2]])
    np.testing.assert_allclose(numeric, theory, atol=1e-2)


def test_gradients_in_bfloat16():
    x = tf.constant([1.0, 2.0], tf.bfloat16)
    theory, numeric = tf.test.compute_gradient(lambda x: 2 * x, [x])
    assert numeric[0].tolist() == theory[0].tolist() == [[2, 0], [0, 2]]
