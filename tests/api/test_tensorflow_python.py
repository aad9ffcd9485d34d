"""`tensorflow.python`: what libraries and programs import of TensorFlow's private code."""

import collections

import numpy as np
import pytest

import gradtape as tf
from gradtape.serving.private import TABLE, _namespace, private_module
from gradtape.serving.private.composites import BatchableTypeSpec


def module(row: str):
    result = private_module(row)
    assert result is not None
    return result


# Names that public programs and libraries import, by module.
IMPORTED = """
client.device_lib list_local_devices
eager.backprop GradientTape
data.ops.iterator_ops OwnedIterator
eager.context context executing_eagerly num_gpus eager_mode graph_mode
eager.def_function function
framework.composite_tensor CompositeTensor
framework.constant_op constant
framework.dtypes float32 int64 as_dtype DType
framework.errors InvalidArgumentError NotFoundError OutOfRangeError
framework.errors_impl InvalidArgumentError
framework.indexed_slices IndexedSlices
framework.ops convert_to_tensor Tensor EagerTensor name_scope control_dependencies init_scope
framework.ops get_default_graph reset_default_graph executing_eagerly_outside_functions device
framework.random_seed set_random_seed get_seed
framework.smart_cond smart_cond smart_constant_value
framework.tensor_shape TensorShape as_shape dimension_value unknown_shape
framework.tensor_spec TensorSpec DenseSpec
framework.tensor_util constant_value is_tensor constant_value_as_shape is_tf_type
framework.tensor_util try_evaluate_constant
framework.test_util TensorFlowTestCase run_in_graph_and_eager_modes
framework.type_spec TypeSpec BatchableTypeSpec type_spec_from_value
framework.type_spec_registry register lookup get_name
ops.array_ops zeros reshape concat expand_dims where where_v2 gather shape stack squeeze rank
ops.check_ops assert_equal assert_rank
ops.clip_ops clip_by_value clip_by_global_norm
ops.control_flow_ops cond while_loop group
ops.control_flow_util GraphOrParentsInXlaContext EnableControlFlowV2
ops.custom_gradient custom_gradient
ops.gradients_impl gradients
ops.init_ops zeros_initializer glorot_uniform_initializer VarianceScaling
ops.linalg_ops matrix_solve cholesky
ops.math_ops reduce_sum matmul cast add log multiply tanh reduce_mean sqrt square sigmoid
ops.nn relu softmax
ops.nn_ops conv2d Convolution softmax_cross_entropy_with_logits
ops.random_ops random_normal random_uniform truncated_normal
ops.resource_variable_ops ResourceVariable VariableSpec is_resource_variable
ops.standard_ops reduce_sum
ops.state_ops assign assign_add
ops.variable_scope get_variable variable_scope
ops.variables Variable VariableV1 global_variables_initializer
ops.tensor_getitem_override _slice_helper_var
platform.gfile Exists GFile
platform.test TestCase main is_gpu_available
platform.tf_logging info warning
training.moving_averages assign_moving_average ExponentialMovingAverage
training.optimizer Optimizer
training.training_util get_or_create_global_step
types.core Tensor TensorLike TensorProtocol
util.deprecation deprecated deprecated_args
util.nest flatten map_structure pack_sequence_as map_structure_up_to flatten_up_to is_nested
util.nest _is_namedtuple _yield_value _yield_sorted_items _sequence_like
util.object_identity ObjectIdentitySet ObjectIdentityDictionary Reference
util.tf_contextlib contextmanager
util.tf_decorator make_decorator unwrap
util.tf_export tf_export keras_export
util.tf_inspect getfullargspec isclass getmro signature
util.lazy_loader LazyLoader
"""


@pytest.mark.parametrize("line", IMPORTED.strip().splitlines())
def test_names_that_are_imported(line):
    row, *names = line.split()
    for name in names:
        getattr(module(row), name)


@pytest.mark.parametrize("row", sorted(TABLE))
def test_every_row_has_places_that_exist(row):
    result = module(row)
    for position in TABLE[row].split():
        _namespace(position)
    assert result.__name__ == f"tensorflow.python.{row}"
    with pytest.raises(AttributeError, match=rf"gradtape does not have tensorflow\.python\.{row}"):
        result.no_such_name  # noqa: B018


def test_what_acts_as_a_tensor():
    core = module("types.core")
    assert isinstance(tf.constant(1.0), core.Tensor)
    assert isinstance(tf.Variable(1.0), core.Tensor)
    assert isinstance(tf.Variable(1.0), core.TensorProtocol)
    assert not isinstance(np.ones(2), (core.Tensor, core.TensorProtocol))
    assert isinstance(np.ones(2), float | core.TensorLike)


def test_modules_that_are_not_in_the_table():
    assert private_module("framework.c_api_util") is None
    assert private_module("framework") is module("").framework
    assert module("ops").math_ops is module("ops.math_ops")


@pytest.mark.keras
def test_keras_under_its_private_name():
    assert module("keras.layers").Dense is tf.keras.layers.Dense
    assert private_module("keras.no_such_module") is None


@pytest.mark.parametrize("batch", [(), (2,)], ids=["matrices", "stacks"])
def test_products_of_sparse_matrices(batch):
    sparse = module("ops.linalg.sparse.sparse")
    values = np.arange(1.0, 13.0).reshape(12) * (np.arange(12) % 3 > 0)
    a = tf.constant(np.broadcast_to(values.reshape(3, 4), (*batch, 3, 4)))
    b = tf.constant(np.broadcast_to(values.reshape(4, 3), (*batch, 4, 3)))
    matrix, other = (sparse.CSRSparseMatrix(tf.sparse.from_dense(x)) for x in (a, b))
    np.testing.assert_array_equal(matrix.to_dense(), a)
    assert matrix.shape == a.shape
    assert matrix.dtype == tf.float64
    product = sparse.matmul(matrix, other).to_sparse_tensor()
    np.testing.assert_allclose(tf.sparse.to_dense(product), a @ b)
    np.testing.assert_allclose(sparse.matmul(matrix, b), a @ b)
    np.testing.assert_allclose(sparse.matmul(a, other), a @ b)
    turned = sparse.matmul(matrix, a, transpose_b=True)
    np.testing.assert_allclose(turned, tf.matmul(a, a, transpose_b=True))


def test_entries_are_put_in_the_order_of_rows():
    order = module("ops.gen_sparse_ops").sparse_reorder
    indices, values = order([[1, 0], [0, 2], [0, 1]], [1.0, 2.0, 3.0], [2, 3])
    np.testing.assert_array_equal(indices, [[0, 1], [0, 2], [1, 0]])
    np.testing.assert_array_equal(values, [3.0, 2.0, 1.0])


def test_a_convolution_with_its_options_first():
    x = tf.reshape(tf.range(18.0), [1, 3, 3, 2])
    kernel = tf.reshape(tf.range(16.0), [2, 2, 2, 2])
    convolve = module("ops.nn_ops").Convolution(
        x.shape, filter_shape=kernel.shape, padding="SAME", strides=[2, 2], data_format="NHWC"
    )
    expected = tf.nn.conv2d(x, kernel, 2, "SAME")
    np.testing.assert_array_equal(convolve(x, kernel), expected)


Pair = collections.namedtuple("Pair", "a b")


def test_structures_up_to_a_shallower_one():
    nest = module("util.nest")
    deep = {"y": [1, 2], "x": Pair(3, (4, 5))}
    shallow = {"x": Pair(0, 0), "y": 0}
    assert nest.flatten_up_to(shallow, deep) == [3, (4, 5), [1, 2]]
    assert nest.map_structure_up_to(shallow, lambda v: v, deep) == deep
    assert nest.map_structure_up_to(0, len, deep) == 2
    assert nest.flatten_with_tuple_paths_up_to(shallow, deep) == [
        (("x", "a"), 3),
        (("x", "b"), (4, 5)),
        (("y",), [1, 2]),
    ]
    assert nest.map_structure_with_tuple_paths_up_to([0], lambda p, v: (p, v), [[7]]) == [
        ((0,), [7])
    ]
    with pytest.raises(TypeError, match="input must also be a sequence"):
        nest.flatten_up_to([0], 1)
    with pytest.raises(TypeError, match="don't have the same sequence type"):
        nest.flatten_up_to([0], (1,))
    with pytest.raises(ValueError, match="Input structure has length 2"):
        nest.flatten_up_to([0], [1, 2])
    with pytest.raises(ValueError, match="don't have the same keys"):
        nest.flatten_up_to({"a": 0}, {"b": 1})
    with pytest.raises(ValueError, match="Cannot map over no sequences"):
        nest.map_structure_up_to([0], len)


def test_paths_of_structures():
    nest = module("util.nest")
    tree = {"b": [1, (2,)], "a": Pair(3, 4)}
    assert list(nest.yield_flat_paths(tree)) == [("a", "a"), ("a", "b"), ("b", 0), ("b", 1, 0)]
    assert nest.flatten_with_joined_string_paths(tree)[-1] == ("b/1/0", 2)
    assert nest.map_structure_with_paths(lambda p, v: f"{p}={v}", [5]) == ["0=5"]
    assert nest.list_to_tuple([1, [2], {"a": [3]}]) == (1, (2,), {"a": (3,)})
    assert nest.flatten_dict_items({(1, 2): ("a", "b")}) == {1: "a", 2: "b"}

    def enter(value):
        return not isinstance(value, tuple)

    assert nest.get_traverse_shallow_structure(enter, [1, (2, 3)]) == [True, False]


def test_a_shape_is_one_value():
    shape = tf.TensorShape([2, 3])
    assert tf.nest.flatten([shape, 1]) == [shape, 1]
    assert not tf.nest.is_nested(shape)
    assert tf.nest.map_structure(lambda s: s.rank, {"a": shape}) == {"a": 2}
    assert tf.TensorShape(tf.constant(3).numpy()) == [3]


class PointSpec(BatchableTypeSpec):
    """A spec as libraries write them."""

    def __init__(self, spec, label) -> None:
        self._spec, self._label = spec, label

    @property
    def value_type(self) -> type:
        return Point

    def _serialize(self):
        return self._spec, self._label

    @property
    def _component_specs(self):
        return {"x": self._spec}

    def _to_components(self, value):
        return {"x": value.x}

    def _from_components(self, components):
        return Point(components["x"], self._label)


class Point(tf.__internal__.CompositeTensor):
    def __init__(self, x, label="p") -> None:
        self.x, self.label = x, label

    @property
    def _type_spec(self):
        return PointSpec(tf.TensorSpec(self.x.shape, self.x.dtype), self.label)


def test_composites_of_a_library():
    point = Point(tf.constant([1.0, 2.0]), "here")
    assert tf.nest.flatten(point) == [point]
    assert tf.nest.flatten([point], expand_composites=True) == [point.x]
    doubled = tf.nest.map_structure(lambda x: x * 2.0, point, expand_composites=True)
    assert (doubled.x.numpy().tolist(), doubled.label) == ([2.0, 4.0], "here")
    assert point._type_spec == Point(tf.zeros(2), "here")._type_spec
    assert point._type_spec != Point(tf.zeros(3), "here")._type_spec
    assert hash(point._type_spec) == hash(Point(tf.zeros(2), "here")._type_spec)
    with pytest.raises(TypeError, match="abstract"):
        tf.__internal__.CompositeTensor()


def test_specs_of_a_library_are_written_by_their_names():
    coder, registry = tf.__internal__.saved_model, module("framework.type_spec_registry")
    registry.register("tests.PointSpec")(PointSpec)
    structure = {"a": (Point(tf.zeros(2), "here")._type_spec, [1, 2.5, None, "b"])}
    message = coder.encode_structure(structure)
    first = message.dict_value.fields["a"].tuple_value.values[0]
    assert first.type_spec_value.type_spec_class == 12  # TensorFlow's REGISTERED_TYPE_SPEC
    assert coder.decode_proto(message) == structure
    registry._NAME_TO_TYPE_SPEC.pop(registry._TYPE_SPEC_TO_NAME.pop(PointSpec))
    with pytest.raises(ValueError, match=r"'tests\.PointSpec' has not been registered"):
        coder.decode_proto(message)
    with pytest.raises(Exception, match="No encoder for object PointSpec"):
        coder.encode_structure(structure)


class ReadPoint(Point):
    def _convert_variables_to_tensors(self):
        return ReadPoint(tf.convert_to_tensor(self.x))


def test_variables_of_composites_are_read():
    convert = module("util.variable_utils").convert_variables_to_tensors
    v = tf.Variable([1.0, 2.0])
    plain = Point(v)
    read, same, value = convert([ReadPoint(v), plain, v])
    assert [type(x) for x in (read, read.x, value)] == [ReadPoint, tf.Tensor, tf.Tensor]
    # TensorFlow leaves a class alone that does not say how.
    assert same is plain
    assert plain._convert_variables_to_tensors() is plain


def test_a_function_returns_composites():
    @tf.function
    def scaled(x):
        return Point(x * 3.0, "made"), x

    for _ in range(2):
        point, x = scaled(tf.constant([1.0]))
        assert (point.x.numpy().tolist(), point.label, x.numpy().tolist()) == ([3.0], "made", [1.0])
    assert scaled.experimental_get_tracing_count() == 1


def test_registered_specs():
    registry = module("framework.type_spec_registry")
    registry.register("tests.PointSpec")(PointSpec)
    assert registry.lookup("tests.PointSpec") is PointSpec
    assert registry.get_name(PointSpec) == "tests.PointSpec"
    with pytest.raises(ValueError, match="has already been registered"):
        registry.register("tests.PointSpec")(PointSpec)
    with pytest.raises(ValueError, match="No TypeSpec has been registered"):
        registry.lookup("tests.Other")


def test_conditions_whose_value_is_known():
    smart_cond = module("framework.smart_cond").smart_cond
    assert smart_cond(True, lambda: 1, lambda: 2) == 1
    assert smart_cond(tf.constant(False), lambda: 1, lambda: 2) == 2
    chosen = tf.function(lambda p: smart_cond(p, lambda: tf.constant(1), lambda: tf.constant(2)))
    assert chosen(tf.constant(False)).numpy() == 2


def test_sets_by_identity():
    identity = module("util.object_identity")
    a, b = [1], [1]
    members = identity.ObjectIdentitySet([a])
    assert (a in members, b in members, len(members)) == (True, False, 1)
    table = identity.ObjectIdentityDictionary()
    table[a] = 1
    assert (table[a], table.get(b), list(table), list(table.items())) == (1, None, [[1]], [(a, 1)])
    del table[a]
    assert a not in table


def test_what_libraries_ask_of_devices():
    devices = module("client.device_lib").list_local_devices()
    assert any(device.device_type == "CPU" for device in devices)
    assert module("eager.context").num_gpus() == len(tf.config.list_logical_devices("GPU"))


def test_a_gradient_that_is_prevented():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = module("ops.array_ops").prevent_gradient(x, "not here")
    with pytest.raises(LookupError, match="prevented: not here"):
        tape.gradient(y, x)


def test_the_first_case_that_holds():
    case = module("ops.control_flow_case")._case_helper
    pairs = [(False, lambda: 1), (True, lambda: 2)]
    choose = lambda p, a, b: a() if p else b()  # noqa: E731
    assert case(choose, pairs, lambda: 3, False, "case") == 2
    assert case(choose, pairs[:1], lambda: 3, False, "case") == 3
    assert case(choose, pairs, None, False, "case") == 2
    with pytest.raises(ValueError, match="pred_fn_pairs is empty"):
        case(choose, [], None, False, "case")


def test_modes_of_the_context():
    context = module("eager.context")
    with context.eager_mode():
        assert tf.executing_eagerly()
    seen = []

    @tf.function
    def function(x):
        with context.eager_mode():
            seen.append(tf.constant(2.0).numpy())
        return x

    function(tf.constant(1.0))
    assert seen == [2.0]
    with pytest.raises(RuntimeError, match=r"no graphs for a session.*tf\.function, and call it"):
        context.graph_mode()
    assert context.context().device_spec.device_type is None


def test_the_parameters_of_a_public_function_are_its_own():
    spec = module("util.tf_inspect").getfullargspec(tf.rank)
    assert spec.args == ["input", "name"]
    assert spec.defaults == (None,)


def test_pfor_counts_to_a_number():
    from gradtape.serving.private.operations import pfor

    x = tf.constant([1.0, 2.0, 3.0])
    assert pfor(lambda i: tf.gather(x, i) * 2, tf.constant(3)).numpy().tolist() == [2.0, 4.0, 6.0]
