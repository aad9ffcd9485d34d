"""`tf.debugging`: which errors, with which texts (as TensorFlow's)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gradtape as tf

Invalid = tf.errors.InvalidArgumentError
debugging = tf.debugging


def test_comparisons_show_where_they_fail():
    with pytest.raises(Invalid) as caught:
        debugging.assert_equal(tf.constant([1, 2]), tf.constant([1, 3]), message="msg")
    assert str(caught.value) == (
        "msg\nCondition x == y did not hold.\nIndices of first 1 different values:\n[[1]]\n"
        "Corresponding x values:\n[2]\nCorresponding y values:\n[3]\nFirst 2 elements of x:\n[1 2]"
        "\nFirst 2 elements of y:\n[1 3]"
    )
    for name, sign, y in (
        ("greater", ">", 1),
        ("less", "<", 1),
        ("none_equal", "!=", 1),
        ("greater_equal", ">=", 2),
        ("less_equal", "<=", 0),
    ):
        with pytest.raises(Invalid, match=rf"Condition x {sign} y did not hold"):
            getattr(debugging, f"assert_{name}")(tf.constant([1]), tf.constant([y]))
    assert debugging.assert_less(tf.zeros([0]), 1.0) is None


def test_signs_and_nearness():
    for name, sign in (
        ("negative", "<"),
        ("non_negative", ">="),
        ("positive", ">"),
        ("non_positive", "<="),
    ):
        with pytest.raises(Invalid, match=rf"m.  \nCondition x {sign} 0 did not hold element-wise"):
            getattr(debugging, f"assert_{name}")(tf.constant([-1, 0, 1]), message="m")
    debugging.assert_near(1.0, 1.0 + 1e-7)
    with pytest.raises(Invalid, match=r"x and y not equal to tolerance rtol = tf.Tensor\(1.19"):
        debugging.assert_near(1.0, 1.1)


def test_ranks_and_types():
    x = tf.constant([1.0])
    with pytest.raises(ValueError, match=r"m.  Tensor  must have rank 2.  Received rank 1, shape"):
        debugging.assert_rank(x, 2, message="m")
    with pytest.raises(ValueError, match=r"rank at least 2"):
        debugging.assert_rank_at_least(x, 2)
    with pytest.raises(ValueError, match=r"rank in \(2, 3\)"):
        debugging.assert_rank_in(x, [2, 3])
    with pytest.raises(ValueError, match=r"Rank must be a scalar"):
        debugging.assert_rank(x, [1])
    with pytest.raises(TypeError, match=r"must be of type tf.int32; got tf.float32"):
        debugging.assert_rank(x, 1.5)
    with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape"):
        debugging.assert_scalar(x)
    with pytest.raises(TypeError, match='Expected "x" to be integer type'):
        debugging.assert_integer(x)
    with pytest.raises(TypeError, match=r"must be of type tf.int32; got tf.float32"):
        debugging.assert_type(x, tf.int32)
    with pytest.raises(TypeError, match=r"must be of type tf.int32; got tf.float32"):
        debugging.assert_type(tf.ragged.constant([[1.0], []]), tf.int32)
    assert debugging.assert_type(tf.ragged.constant([[1.0], []]), tf.float32) is None
    with pytest.raises(TypeError, match='"proper" iterable'):
        debugging.assert_proper_iterable(x)
    with pytest.raises(TypeError, match=r"to be iterable"):
        debugging.assert_proper_iterable(3)
    assert debugging.assert_same_float_dtype([x, x]) is tf.float32
    with pytest.raises(ValueError, match=r"must be of the same type"):
        debugging.assert_same_float_dtype([x, tf.constant(1.0, tf.float64)])
    with pytest.raises(ValueError, match=r"Expected floating point type"):
        debugging.assert_same_float_dtype([tf.constant(1)])
    assert debugging.is_numeric_tensor(x)
    assert not debugging.is_numeric_tensor(tf.constant("a"))


def test_shapes_by_symbols():
    x, y = tf.zeros([2, 3]), tf.zeros([3, 4])
    debugging.assert_shapes([(x, ("N", "M")), (y, ("M", 4)), (x, (..., 3)), (y, ("*", "M", None))])
    debugging.assert_shapes([(tf.zeros([]), ()), (tf.zeros([1]), ()), (tf.zeros([]), (1,))])
    for shapes, text in (
        ([(x, "NM"), (y, "N4")], "Specified by tensor shape=.2, 3. dtype=float32 dimension 0"),
        ([(x, ("N", 4))], "Specified explicitly.  Tensor .* dimension 1 must have size 4"),
        ([(x, ("N",))], "must have rank in .0, 1."),
        ([(x[0], ())], "Specified explicitly.  Tensor .* dimension 0 must have size 1"),
        ([(x, ("N", "*"))], "only allowed as the first entry"),
        ([(x, 3)], "Specified shape must be an iterable"),
        ([(x, (..., "A", "B", "C"))], "must have rank at least 3"),
    ):
        with pytest.raises(ValueError, match=text):
            debugging.assert_shapes(shapes)


def test_finite_numbers():
    bad = tf.constant([1.0, float("nan"), float("inf")])
    with pytest.raises(Invalid, match=r"m : Tensor had Inf and NaN values"):
        debugging.check_numerics(bad, "m")
    with pytest.raises(Invalid, match=r"m : Tensor had NaN values"):
        debugging.assert_all_finite(bad[:2], "m")
    with pytest.raises(Invalid, match=r"a floating tensor is needed"):
        debugging.check_numerics(tf.constant(1), "m")
    x = tf.constant([2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = debugging.check_numerics(x * x, "m")
    assert tape.gradient(y, x).numpy().tolist() == [4.0]


def test_assert_shows_its_data():
    tf.Assert(tf.constant(True), ["never shown"])
    with pytest.raises(Invalid) as caught:
        tf.Assert(tf.constant(False), ["bad", tf.range(10)])
    assert str(caught.value) == (
        "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b'bad'\n"
        "0, 1, 2, ..."
    )


@pytest.fixture
def checked():
    debugging.enable_check_numerics()
    debugging.enable_check_numerics()  # twice is once
    yield
    debugging.disable_check_numerics()


def test_every_op_is_checked(checked):
    x = tf.Variable([4.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.sqrt(x)
        with pytest.raises(Invalid, match=r"(?s)log.*test_assertions"):
            tf.math.log(x)
    with pytest.raises(Invalid, match="sqrt"):
        tape.gradient(y, x)
    debugging.disable_check_numerics()
    assert tf.math.log(tf.constant(-1.0)).numpy() != 0


def test_checks_are_this_threads(checked):
    with ThreadPoolExecutor(1) as pool:
        assert np.isinf(pool.submit(lambda: tf.math.log(tf.constant(0.0))).result().numpy())
    with pytest.raises(Invalid):
        tf.math.log(tf.constant(0.0))


def test_numerics_of_all_examples_of_a_map():
    def check(row):
        return debugging.check_numerics(row, "m") * 2

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for run in (tf.vectorized_map, tf.function(tf.vectorized_map)):
        np.testing.assert_array_equal(run(check, x), 2 * x.numpy())
        with pytest.raises(Invalid, match="m : Tensor had Inf values"):
            run(check, tf.constant([[1.0, 2.0], [3.0, np.inf]]))


@pytest.mark.parametrize("run", [tf.vectorized_map, tf.function(tf.vectorized_map)])
@pytest.mark.parametrize(
    "check",
    [
        lambda x: debugging.assert_greater(x, 0.0),
        lambda x: debugging.assert_less(tf.constant([[0.0, 0.0], [-1.0, 0.0]]), x),
        debugging.assert_positive,
        lambda x: debugging.assert_near(x, tf.abs(x)),
        lambda x: debugging.Assert(tf.reduce_all(x > 0.0), [x]),
        lambda x: tf.vectorized_map(lambda z: (debugging.assert_less(z, x), z)[1], tf.zeros(3)),
    ],
)
def test_assertions_about_all_examples_of_a_map(run, check):
    def checked(row):
        check(row)
        return row * 2

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(run(checked, x), 2 * x.numpy())
    with pytest.raises(Invalid):
        run(checked, tf.constant([[1.0, 2.0], [-3.0, 4.0]]))
