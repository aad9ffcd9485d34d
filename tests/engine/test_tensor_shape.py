"""`TensorShape`: a sequence of sizes, some of which may be unknown."""

import operator

import numpy as np
import pytest


@pytest.fixture
def shape(tf):
    return tf.TensorShape([2, 3])


@pytest.fixture
def partial(tf):
    return tf.TensorShape([None, 2])


@pytest.fixture
def unknown(tf):
    return tf.TensorShape(None)


def test_text(tf, shape, partial, unknown):
    assert (repr(shape), str(shape)) == ("TensorShape([2, 3])", "(2, 3)")
    assert (repr(partial), str(partial)) == ("TensorShape([None, 2])", "(None, 2)")
    assert (repr(unknown), str(unknown)) == ("TensorShape(None)", "<unknown>")
    assert (repr(tf.TensorShape([])), str(tf.TensorShape([]))) == ("TensorShape([])", "()")
    assert str(tf.TensorShape([5])) == "(5,)"


def test_construction(tf, shape):
    assert tf.TensorShape(3) == [3]
    assert tf.TensorShape((1, 2)) == [1, 2]
    assert tf.TensorShape(shape) == shape
    assert tf.TensorShape(np.array([1, 2])) == [1, 2]


def test_construction_errors(tf):
    with pytest.raises(ValueError, match="-1"):
        tf.TensorShape([-1])
    with pytest.raises(TypeError, match=r"1\.5"):
        tf.TensorShape([1.5])
    with pytest.raises(TypeError):
        tf.TensorShape("ab")


def test_rank_and_sizes(tf, shape, partial, unknown):
    assert (shape.rank, shape.ndims, len(shape)) == (2, 2, 2)
    assert unknown.rank is None
    assert shape.num_elements() == 6
    assert partial.num_elements() is None
    assert tf.TensorShape([]).num_elements() == 1
    assert shape.is_fully_defined()
    assert not partial.is_fully_defined()
    assert not unknown.is_fully_defined()


def test_as_list_and_iteration(shape, partial):
    assert shape.as_list() == list(shape) == [2, 3]
    assert partial.as_list() == list(partial) == [None, 2]
    assert tuple(shape) == (2, 3)
    rows, columns = shape
    assert (rows, columns) == (2, 3)
    assert type(rows) is int
    assert 2 in shape
    assert 5 not in shape


def test_unknown_rank_has_no_length(unknown):
    for use in (type(unknown).as_list, len, list):
        with pytest.raises(ValueError, match="unknown"):
            use(unknown)


def test_truth(tf, shape, unknown):
    assert bool(shape)
    assert bool(tf.TensorShape([]))
    assert not bool(unknown)


def test_equality(tf, shape, partial, unknown):
    assert shape == [2, 3]
    assert shape == (2, 3)
    # As functions, so that no linter turns the operands round.
    assert operator.eq([2, 3], shape)
    assert operator.eq((2, 3), shape)
    assert operator.ne([2, 4], shape)
    assert not operator.ne((2, 3), shape)
    assert shape == tf.TensorShape([2, 3])
    assert shape != [2, 4]
    assert (shape != [2, 3]) is False
    assert tf.TensorShape([]) == ()
    assert partial == [None, 2]
    assert partial != [3, 2]
    assert shape != "ab"
    assert shape != 5
    assert shape != None  # noqa: E711
    assert unknown == None  # noqa: E711
    assert unknown == tf.TensorShape(None)


def test_hash(tf, shape):
    assert hash(shape) == hash(tf.TensorShape([2, 3]))
    assert {shape: "a"}[tf.TensorShape([2, 3])] == "a"


def test_indexing(tf, shape, partial):
    assert (shape[0], shape[-1]) == (2, 3)
    assert type(shape[0]) is int
    assert partial[0] is None
    assert isinstance(shape[1:], tf.TensorShape)
    assert shape[1:] == [3]
    assert partial[:1] == [None]
    with pytest.raises(IndexError):
        shape[5]


def test_concatenation(tf, shape, partial, unknown):
    for end in ([4], (4,), tf.TensorShape([4])):
        for result in (shape + end, shape.concatenate(end)):
            assert isinstance(result, tf.TensorShape)
            assert result == [2, 3, 4]
    start = [4]
    assert start + shape == [4, 2, 3]
    assert isinstance(start + shape, tf.TensorShape)
    assert (shape + partial).as_list() == [2, 3, None, 2]
    assert (shape + unknown).rank is None


def test_compatibility(partial, shape, unknown):
    assert partial.is_compatible_with([5, 2])
    assert not partial.is_compatible_with([5, 3])
    assert not partial.is_compatible_with([5])
    assert unknown.is_compatible_with([1])
    assert partial.merge_with([5, 2]) == [5, 2]
    assert shape.most_specific_compatible_shape([2, 4]) == [2, None]
    with pytest.raises(ValueError, match="compatible"):
        partial.merge_with([5, 3])
    with pytest.raises(ValueError, match="compatible"):
        shape.assert_is_compatible_with([3, 3])
    with pytest.raises(ValueError, match="not fully defined"):
        partial.assert_is_fully_defined()


def test_rank_checks(shape):
    assert shape.with_rank(2) == shape
    assert shape.with_rank_at_least(1) == shape
    assert shape.with_rank_at_most(2) == shape
    for wrong in (
        lambda: shape.with_rank(3),
        lambda: shape.with_rank_at_least(3),
        lambda: shape.with_rank_at_most(1),
        lambda: shape.assert_has_rank(3),
    ):
        with pytest.raises(ValueError, match="rank"):
            wrong()


def test_numpy_takes_it(shape):
    assert np.zeros(shape).shape == (2, 3)
    assert np.arange(6).reshape(shape).shape == (2, 3)
    assert np.prod(shape) == 6


def test_functions_take_it(tf, shape, partial):
    assert tf.zeros(shape).shape == shape
    assert tf.reshape(tf.range(6), shape).shape == shape
    as_tensor = tf.convert_to_tensor(shape)
    assert as_tensor.dtype == tf.int32
    np.testing.assert_array_equal(as_tensor.numpy(), [2, 3])
    with pytest.raises(ValueError, match="None"):
        tf.convert_to_tensor(partial)


def test_shape_of_a_tensor(tf):
    tensor = tf.zeros((2, 0, 3))
    assert isinstance(tensor.shape, tf.TensorShape)
    assert tensor.shape == (2, 0, 3)
    assert tensor.shape.num_elements() == 0
    np.testing.assert_array_equal(tf.shape(tensor).numpy(), [2, 0, 3])
    assert tf.shape(tensor).dtype == tf.int32


def test_the_shape_of_a_scalar_is_a_tensor_of_integers(tf):
    shape = tf.TensorShape([])
    assert tf.convert_to_tensor(shape).dtype == tf.int32
    assert tf.constant(shape).dtype == tf.int32
    np.testing.assert_array_equal(tf.concat([shape, [3]], 0), [3])
    assert tf.function(lambda: tf.convert_to_tensor(shape))().dtype == tf.int32


def test_shapes_as_types_of_traces(tf):
    """The sizes that one shape leaves open contain those that another one has."""
    shape = tf.TensorShape
    assert shape([1, 2]).is_subtype_of(shape([None, 2]))
    assert shape([1, 2]).is_subtype_of(shape(None))
    assert not shape([None, 2]).is_subtype_of(shape([1, 2]))
    assert not shape(None).is_subtype_of(shape([1]))
    assert not shape([1]).is_subtype_of(shape([1, 1]))
    assert not shape([1]).is_subtype_of([1])
    common = shape([1, 2]).most_specific_common_supertype([shape([1, 3]), shape([1, 2])])
    assert common.as_list() == [1, None]
    assert shape([1]).most_specific_common_supertype([shape([1, 1])]).rank is None
    assert shape([1]).most_specific_common_supertype([3]) is None


def test_a_shape_is_no_tuple(tf, shape):
    """A tuple on the right of % would be its items."""
    assert not isinstance(shape, tuple)
    assert "%s" % shape == "(2, 3)"  # noqa: UP031
    assert "%s" % tf.zeros([4]).shape == "(4,)"  # noqa: UP031
    assert shape in [(2, 3)]
    assert np.zeros(shape).shape == (2, 3)
    np.testing.assert_array_equal(tf.stack([shape, shape[::-1]]), [[2, 3], [3, 2]])
    assert (4,) + shape == [4] + shape == (4, 2, 3)  # noqa: RUF005
    assert isinstance((4,) + shape, tf.TensorShape)  # noqa: RUF005


def test_sizes_as_objects(tf):
    rows, columns = tf.TensorShape([None, 2]).dims
    assert (rows.value, columns.value, repr(columns)) == (None, 2, "Dimension(2)")
    assert columns.is_compatible_with(2)
    assert rows.is_compatible_with(7)
    assert not columns.is_compatible_with(3)
    assert rows.merge_with(columns).value == 2
    with pytest.raises(ValueError, match="Dimensions 2 and 3 are not compatible"):
        columns.assert_is_compatible_with(3)
    assert isinstance(columns, tf.compat.v1.Dimension)
    assert columns * 3 == 6
    assert columns < 3 <= columns + 1
    assert (rows < 3) is None
    assert tf.zeros([columns, 3]).shape == (2, 3)
    assert tf.constant(columns).numpy() == tf.cast(columns, tf.float32).numpy() == 2
    assert tf.zeros(columns).shape == tf.range(columns).shape == (2,)
    assert columns
    assert not rows
    assert tf.TensorShape(columns) == [2]  # TensorFlow Probability does so
    assert tf.TensorShape(rows).as_list() == tf.TensorShape([rows]).as_list() == [None]
