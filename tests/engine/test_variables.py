"""Variables: how they are made, read, compared, shown and copied."""

import copy
import operator
import pickle

import numpy as np
import pytest

# Making


def test_defaults(tf):
    x = tf.Variable([[1.0, 2.0]])
    assert x.name == "Variable:0"
    assert x.trainable is True
    assert x.dtype == tf.float32
    assert x.shape == (1, 2)
    assert x.get_shape() == [1, 2]
    assert x.constraint is None
    assert tf.is_tensor(x)
    assert isinstance(x, tf.Variable)
    assert not isinstance(x, tf.Tensor)


def test_names_are_kept_and_not_made_unique(tf):
    assert tf.Variable(1.0, name="a").name == "a:0"
    assert tf.Variable(1.0, name="a").name == "a:0"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1, "int32"),
        (True, "bool"),
        (1.0, "float32"),
        (np.float64(1.0), "float64"),
        (np.ones(2), "float64"),
        (np.ones(2, np.int64), "int64"),
        (1j, "complex128"),
        ("a", "string"),
    ],
)
def test_dtype_follows_the_initial_value(tf, value, name):
    assert tf.Variable(value).dtype == tf.as_dtype(name)


def test_dtype_given(tf):
    x = tf.Variable([1, 2], dtype=tf.float64)
    assert x.dtype == tf.float64
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_dtype_given_against_a_tensor_of_another(tf):
    with pytest.raises(ValueError, match="float64"):
        tf.Variable(tf.constant(1.0), dtype=tf.float64)


def test_initial_value_may_be_a_function(tf):
    assert tf.Variable(lambda: tf.ones(2)).shape == (2,)
    assert tf.Variable(lambda: [1, 2], dtype=tf.float32).dtype == tf.float32


@pytest.mark.parametrize("arguments", [(), (None,)])
def test_initial_value_is_needed(tf, arguments):
    with pytest.raises(ValueError, match="initial_value"):
        tf.Variable(*arguments)


def test_variable_from_a_variable_is_independent(tf):
    x = tf.Variable([1.0, 2.0])
    y = tf.Variable(x)
    y.assign([5.0, 6.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_source_array_is_copied(tf):
    array = np.array([1.0, 2.0], np.float32)
    x = tf.Variable(array)
    array[0] = 9.0
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_shape_given(tf):
    assert tf.Variable([1.0, 2.0], shape=(2,)).shape == (2,)
    with pytest.raises(ValueError, match="compatible"):
        tf.Variable([1.0, 2.0], shape=(3,))


def test_shape_with_an_open_dimension(tf):
    x = tf.Variable([1.0, 2.0], shape=(None,))
    assert x.shape.as_list() == [None]
    x.assign([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="shape"):
        x.assign([[1.0, 2.0, 3.0]])
    assert repr(x).startswith("<tf.Variable 'Variable:0' shape=(None,) dtype=float32")


def test_shape_unknown(tf):
    x = tf.Variable([1.0, 2.0], shape=tf.TensorShape(None))
    assert x.shape.rank is None
    x.assign([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(x.numpy(), [[1.0, 2.0, 3.0]])
    assert repr(x).startswith("<tf.Variable 'Variable:0' shape=<unknown> dtype=float32")


def test_validate_shape_false_still_keeps_the_shape_of_the_value(tf):
    x = tf.Variable([1.0, 2.0], validate_shape=False)
    assert x.shape == (2,)
    with pytest.raises(ValueError, match="shape"):
        x.assign([[1.0, 2.0, 3.0]])


def test_constraint_is_kept_and_not_applied_by_assign(tf):
    x = tf.Variable([1.0, -2.0], constraint=lambda value: tf.maximum(value, 0.0))
    x.assign([3.0, -4.0])
    np.testing.assert_array_equal(x.numpy(), [3.0, -4.0])
    np.testing.assert_array_equal(x.constraint(x).numpy(), [3.0, 0.0])


def test_shape_cannot_be_set(tf):
    x = tf.Variable(1.0)
    with pytest.raises(AttributeError):
        x.shape = (2,)


# Reading


@pytest.mark.parametrize("read", ["read_value", "value"])
def test_reading_gives_a_tensor_that_does_not_change(tf, read):
    x = tf.Variable([1.0, 2.0])
    value = getattr(x, read)()
    converted = tf.convert_to_tensor(x)
    array = x.numpy()
    x.assign_add([10.0, 10.0])
    assert isinstance(value, tf.Tensor)
    np.testing.assert_array_equal(value.numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(converted.numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(array, [1.0, 2.0])


def test_numpy_gives_a_copy(tf):
    x = tf.Variable([1.0, 2.0])
    array = x.numpy()
    array[0] = 9.0
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_numpy_of_a_scalar_is_a_numpy_scalar(tf):
    assert type(tf.Variable(1.0).numpy()) is np.float32


def test_numpy_functions_take_variables(tf):
    x = tf.Variable([1.0, 2.0])
    assert np.sum(x) == 3.0
    np.testing.assert_array_equal(np.asarray(x), [1.0, 2.0])


def test_sparse_read_and_gather_nd(tf):
    x = tf.Variable([[1.0], [2.0], [3.0]])
    np.testing.assert_array_equal(x.sparse_read([2, 0, 2]).numpy(), [[3.0], [1.0], [3.0]])
    np.testing.assert_array_equal(x.gather_nd([[1, 0]]).numpy(), [2.0])


def test_python_conversions(tf):
    assert bool(tf.Variable(3.0)) is True
    assert int(tf.Variable(3)) == 3
    assert float(tf.Variable(3.5)) == 3.5
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.Variable([1.0, 2.0]))


def test_iteration(tf):
    assert [value.numpy() for value in tf.Variable([1.0, 2.0])] == [1.0, 2.0]
    with pytest.raises(TypeError, match="scalar"):
        iter(tf.Variable(1.0))


def test_indexing(tf):
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(x[0].numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(x[:, ::-1].numpy(), [[2.0, 1.0], [4.0, 3.0]])
    np.testing.assert_array_equal(x[..., tf.newaxis].numpy(), x.numpy()[..., None])
    np.testing.assert_array_equal(x[x > 1.5].numpy(), [2.0, 3.0, 4.0])


def test_item_assignment_is_an_error(tf):
    x = tf.Variable([1.0, 2.0])
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[0] = 5.0


def test_slice_assign(tf):
    x = tf.Variable([1.0, 2.0, 3.0])
    x[1:].assign([7.0, 8.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 7.0, 8.0])


# Operators


BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("function", BINARY, ids=lambda function: function.__name__)
def test_operators_and_their_reflections(tf, function):
    a = np.array([1.0, 2.0, 3.0], np.float32)
    b = np.array([3.0, 2.0, 1.5], np.float32)
    x, y = tf.Variable(a), tf.Variable(b)
    for left, right in ((x, y), (x, tf.constant(b)), (tf.constant(a), y), (x, b), (a, y)):
        result = function(left, right)
        assert isinstance(result, tf.Tensor)
        np.testing.assert_allclose(result.numpy(), function(a, b), rtol=1e-6)
    np.testing.assert_allclose(function(x, 2.0).numpy(), function(a, np.float32(2.0)), rtol=1e-6)
    np.testing.assert_allclose(function(2.0, x).numpy(), function(np.float32(2.0), a), rtol=1e-6)


def test_unary_operators(tf):
    x = tf.Variable([1.0, -2.0])
    np.testing.assert_array_equal((-x).numpy(), [-1.0, 2.0])
    np.testing.assert_array_equal(abs(x).numpy(), [1.0, 2.0])
    np.testing.assert_array_equal((~tf.Variable([True, False])).numpy(), [False, True])


def test_logical_operators(tf):
    a, b = tf.Variable([True, True, False]), tf.Variable([True, False, False])
    np.testing.assert_array_equal((a & b).numpy(), [True, False, False])
    np.testing.assert_array_equal((a | b).numpy(), [True, True, False])
    np.testing.assert_array_equal((a ^ b).numpy(), [False, True, False])


def test_matmul_operator(tf):
    a = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    x = tf.Variable(a)
    for left, right in ((x, x), (x, a), (a, x), (tf.constant(a), x)):
        np.testing.assert_array_equal((left @ right).numpy(), a @ a)


@pytest.mark.parametrize(
    ("operator", "method"),
    [("__iadd__", "assign_add"), ("__isub__", "assign_sub")],
)
def test_in_place_operators_are_an_error_that_names_the_method(tf, operator, method):
    with pytest.raises(RuntimeError, match=method):
        getattr(tf.Variable(1.0), operator)(1.0)


# Comparison, hashing, references


def test_equality_is_elementwise(tf):
    x = tf.Variable([1.0, 2.0])
    np.testing.assert_array_equal((x == [1.0, 5.0]).numpy(), [True, False])
    np.testing.assert_array_equal((x != [1.0, 5.0]).numpy(), [False, True])


def test_membership_of_a_list_compares_values(tf):
    x = tf.Variable(1.0)
    assert x in [x]
    assert x in [tf.Variable(1.0)]
    assert x not in [tf.Variable(2.0)]


def test_variables_cannot_be_hashed(tf):
    with pytest.raises(TypeError, match=r"unhashable\. Instead, use variable\.ref\(\) as the key"):
        hash(tf.Variable(1.0))


def test_ref_is_hashable_and_compares_by_identity(tf):
    x, y = tf.Variable(1.0), tf.Variable(1.0)
    assert x.ref() == x.ref()
    assert hash(x.ref()) == hash(x.ref())
    assert x.ref() != y.ref()
    assert x.ref().deref() is x
    assert {x.ref(): "x", y.ref(): "y"}[y.ref()] == "y"
    assert repr(x.ref()) == f"<Reference wrapping {x!r}>"


# Text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "<tf.Variable 'x:0' shape=() dtype=float32, numpy=3.0>"),
        ([1, 2], "<tf.Variable 'x:0' shape=(2,) dtype=int32, numpy=array([1, 2], dtype=int32)>"),
        ([[True]], "<tf.Variable 'x:0' shape=(1, 1) dtype=bool, numpy=array([[ True]])>"),
        ("s", "<tf.Variable 'x:0' shape=() dtype=string, numpy=b's'>"),
        (1 + 2j, "<tf.Variable 'x:0' shape=() dtype=complex128, numpy=(1+2j)>"),
        (
            [[1.0, 2.0], [3.0, 4.0]],
            "<tf.Variable 'x:0' shape=(2, 2) dtype=float32, numpy=\n"
            "array([[1., 2.],\n       [3., 4.]], dtype=float32)>",
        ),
    ],
)
def test_repr_str_and_format(tf, value, text):
    x = tf.Variable(value, name="x")
    assert repr(x) == str(x) == f"{x}" == text


def test_format_with_a_specification_is_a_type_error(tf):
    with pytest.raises(TypeError, match="unsupported format string"):
        format(tf.Variable(1.0), ".2f")


# Copies


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
    ids=["deepcopy", "pickle"],
)
def test_copies_are_independent(tf, duplicate):
    mean = tf.VariableAggregation.MEAN
    x = tf.Variable([1.0, 2.0], name="x", trainable=False, aggregation=mean)
    twin = duplicate(x)
    twin.assign([5.0, 6.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])
    assert isinstance(twin, tf.Variable)
    assert twin.dtype == x.dtype
    assert twin.name == "x:0"
    assert twin.trainable is False
    assert twin.aggregation is mean


def test_a_variable_of_one_example_of_a_vmap(tf):
    with pytest.raises(ValueError, match=r"stands for all examples of a vmap.*tf\.map_fn"):
        tf.vectorized_map(lambda x: tf.Variable(x) + 1.0, tf.ones((2, 3)))


def test_a_variable_tells_how_replicas_keep_it(tf):
    assert tf.Variable(1.0).aggregation is tf.VariableAggregation.NONE
    assert tf.Variable(1.0, synchronization=None).synchronization is tf.VariableSynchronization.AUTO
    for kind in tf.VariableAggregation:
        assert tf.Variable(1.0, aggregation=kind).aggregation is kind
        assert tf.Variable(1.0, aggregation=kind.name.lower()).aggregation is kind
    on_read = tf.VariableSynchronization.ON_READ
    v = tf.Variable(1.0, synchronization=on_read)
    assert v.synchronization is on_read
    assert not v.trainable
    assert tf.Variable(1.0, trainable=True, synchronization=on_read).trainable
    with pytest.raises(ValueError, match=r"'most' is no tf\.VariableAggregation; give one of"):
        tf.Variable(1.0, aggregation="most")
