"""`TensorArray`: what it refuses, and how functions use it."""

import pytest

import gradtape as tf

OutOfRange, Invalid = tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError


def test_places_beyond_the_end():
    result = tf.TensorArray(tf.float32, size=3)
    with pytest.raises(OutOfRange, match=r"index 5 but array is not resizeable and size is: 3"):
        result.write(5, 1.0)
    with pytest.raises(OutOfRange, match=r"Writing to negative indices \(index -1\)"):
        result.write(-1, 1.0)
    with pytest.raises(OutOfRange, match=r"Tried to read from index 7 but array size is: 3"):
        result.read(7)


def test_what_was_read_is_gone_unless_kept():
    result = tf.TensorArray(tf.float32, size=1).write(0, 1.0)
    result.read(0)
    with pytest.raises(Invalid, match=r"index 0 twice because it was cleared"):
        result.read(0)
    kept = tf.TensorArray(tf.float32, size=1, clear_after_read=False).write(0, 1.0)
    assert float(kept.read(0)) == float(kept.read(0)) == 1.0


def test_shapes_and_dtypes():
    result = tf.TensorArray(tf.float32, size=2).write(0, [1.0, 2.0])
    assert result.element_shape == (2,)
    with pytest.raises(ValueError, match=r"Incompatible shape for value"):
        result.write(1, [1.0])
    with pytest.raises(Invalid, match=r"dtype is float32 but Op is trying to write dtype int32"):
        result.write(1, tf.constant([1, 2]))
    with pytest.raises(ValueError, match=r"Size must be declared"):
        tf.TensorArray(tf.float32)
    with pytest.raises(Invalid, match=r"was never written, and the shape"):
        tf.TensorArray(tf.float32, size=1).read(0)


def test_sizes_of_splits_and_stacks():
    with pytest.raises(
        ValueError, match=r"Cannot unstack 3 tensors into a TensorArray of static si"
    ):
        tf.TensorArray(tf.float32, size=2).unstack(tf.eye(3))
    with pytest.raises(Invalid, match=r"sum of lengths is 2"):
        tf.TensorArray(tf.float32, size=2).split(tf.zeros(3), [1, 1])
    with pytest.raises(ValueError, match=r"2 indices for a value of shape"):
        tf.TensorArray(tf.float32, size=4).scatter([0, 1], tf.zeros((3, 1)))
    assert tf.TensorArray(tf.float32, size=0, element_shape=[2]).stack().shape == (0, 2)


def test_loops_and_branches_carry_it():
    _, array = tf.while_loop(
        lambda i, array: i < 4,
        lambda i, array: (i + 1, array.write(i, tf.cast(i, tf.float32) ** 2)),
        [0, tf.TensorArray(tf.float32, size=4)],
    )
    chosen = tf.cond(tf.constant(True), lambda: array, lambda: array)
    assert chosen.stack().numpy().tolist() == [0.0, 1.0, 4.0, 9.0]


# --- in functions --------------------------------------------------------------------------------


def test_functions_read_an_element_as_often_as_they_like():
    @tf.function
    def double():
        array = tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0])
        return array.read(0) + array.read(0)

    assert double() == 2.0


def test_a_long_loop_reads_an_array_from_outside():
    @tf.function
    def total(x):
        array = tf.TensorArray(tf.float32, 70).unstack(tf.range(70.0) + 1)
        return tf.while_loop(lambda i, s: i < 70, lambda i, s: (i + 1, s + array.read(i)), (0, x))[
            1
        ]

    assert total(tf.constant(0.0)) == 2485.0


def _sums(x, count, runs, is_nested):
    def body(i, s, array):
        runs.append(i)
        if is_nested:
            (s,) = tf.while_loop(lambda s: s > 10.0, lambda s: (s - 7.0,), (s,))
        s = s + tf.cast(i, s.dtype)
        return i + 1, s, array.write(i, s)

    array = tf.TensorArray(x.dtype, count)
    return tf.while_loop(lambda i, *_: i < count, body, (0, x, array))[2].stack()


@pytest.mark.parametrize(("count", "is_nested", "most"), [(70, False, 68), (40, True, 38)])
def test_a_long_loop_that_writes_to_an_array_is_one_op(count, is_nested, most):
    runs, x = [], tf.constant(0.5)
    traced = tf.function(lambda x: _sums(x, count, runs, is_nested))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = traced(x)
    assert len(runs) <= most
    with tf.GradientTape() as eager_tape:
        eager_tape.watch(x)
        expected = _sums(x, count, [], is_nested)
    assert y.numpy().tolist() == expected.numpy().tolist()
    assert tape.gradient(y, x) == eager_tape.gradient(expected, x)
