"""`tf.Module`, name scopes, specs, devices and the other words of programs."""

import collections
import logging

import numpy as np
import optree
import pytest

import gradtape as tf


def test_module_names():
    class MyModule2(tf.Module):
        pass

    class RNNCell(tf.Module):
        pass

    assert (MyModule2().name, RNNCell().name, RNNCell("x").name) == ("my_module2", "rnn_cell", "x")
    with pytest.raises(ValueError, match=r"'a/b' is not a valid module name"):
        tf.Module(name="a/b")


def test_modules_in_circles_are_walked_once():
    class Node(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(1.0)
            self.other = None

    a, b = Node(), Node()
    a.other, b.other = b, a
    assert [id(v) for v in a.variables] == [id(a.v), id(b.v)]
    assert [m is b for m in a.submodules] == [True]


def test_name_scopes_nest_and_can_start_at_the_top():
    with tf.name_scope("a"), tf.name_scope("top/") as top:
        assert tf.Variable(1.0).name == "top/Variable:0"
    assert top == "top/"
    with pytest.raises(ValueError, match=r"name for name_scope must be a string"):
        tf.name_scope(3)


def test_specs():
    spec = tf.TensorSpec([None, 3], tf.float32, "n")
    assert repr(spec) == "TensorSpec(shape=(None, 3), dtype=tf.float32, name='n')"
    assert spec == tf.TensorSpec([None, 3], name="n")
    assert len({spec, tf.TensorSpec([None, 3], name="n")}) == 1
    assert spec.is_compatible_with(tf.zeros([2, 3]))
    assert not spec.is_compatible_with(tf.zeros([2, 4]))
    assert not spec.is_compatible_with(np.zeros([2, 3]))
    assert tf.TensorSpec.from_tensor(tf.zeros([2])) == tf.TensorSpec([2])
    assert tf.TensorSpec([2, 3]).most_specific_compatible_type(
        tf.TensorSpec([4, 3])
    ) == tf.TensorSpec([None, 3])
    assert tf.TensorSpec([2]).is_subtype_of(tf.TensorSpec([None]))
    with pytest.raises(ValueError, match=r"No TypeSpec is compatible with both"):
        spec.most_specific_compatible_type(tf.TensorSpec([2, 3]))
    assert tf.type_spec_from_value(1) == tf.TensorSpec([], tf.int32)
    with pytest.raises(TypeError, match=r"it is a structure"):
        tf.type_spec_from_value([1])


def test_devices():
    with tf.device("/GPU:0"):
        assert tf.constant(1.0).device.endswith("CPU:0")
    with pytest.raises(ValueError, match=r"Unknown attribute 'bogus'"), tf.device("bogus"):
        pass
    with pytest.raises(ValueError, match=r"Expecting a string device name"), tf.device(3):
        pass
    (cpu,) = tf.config.list_physical_devices()
    assert (cpu.device_type, tf.config.list_physical_devices("GPU")) == ("CPU", [])
    with pytest.raises(ValueError, match=r"Unrecognized device"):
        tf.config.experimental.set_memory_growth(tf.config.PhysicalDevice("GPU:0", "GPU"), True)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    assert tf.config.threading.get_inter_op_parallelism_threads() == 2
    tf.config.threading.set_inter_op_parallelism_threads(0)


def test_control_dependencies_run_what_is_callable():
    ran = []
    with tf.control_dependencies([lambda: ran.append(1), tf.constant(1)]):
        pass
    assert ran == [1]
    with pytest.raises(ValueError, match=r"Unknown keyword arguments: foo"):
        tf.group(foo=1)


def test_a_shape_of_unknown_rank_is_no_container_of_a_modules_variables():
    module = tf.Module()
    module.shape, module.v = tf.TensorShape(None), tf.Variable(1.0)
    assert module.variables == (module.v,)
    assert tf.__internal__.tf2.enabled()


def test_init_scope_is_not_recorded():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.init_scope():
            y = x * x
    assert tape.gradient(y, x) is None


def test_init_scope_in_a_function_is_eager():
    seen = []

    @tf.function
    def f(x):
        with tf.init_scope():
            seen.append((tf.executing_eagerly(), tf.inside_function(), int(tf.constant(1) + 2)))
        seen.append(tf.executing_eagerly())
        return x

    f(tf.constant(1.0))
    assert seen == [(True, False, 3), False]


def test_a_scope_of_names_with_a_default():
    name_scope = tf.compat.v1.name_scope
    with name_scope(None, "sum", [1.0]) as opened:
        assert opened == "sum/"
        assert tf.Variable(1.0, name="v").name == "sum/v:0"
    with name_scope("mine", "sum"), name_scope("inner", default_name="x", values=[]) as opened:
        assert opened == "mine/inner/"
    with pytest.raises(ValueError, match="At least one of name"):
        name_scope(None, values=[1.0])


def test_nests_sort_every_kind_of_mapping():
    ordered = collections.OrderedDict([("b", 1), ("a", 2)])
    assert tf.nest.flatten(ordered) == [2, 1]
    assert list(tf.nest.pack_sequence_as(ordered, [10, 20]).items()) == [("b", 20), ("a", 10)]
    default = collections.defaultdict(int, b=1)
    assert tf.nest.pack_sequence_as(default, [5]).default_factory is int
    Pair = collections.namedtuple("Pair", "x y")
    assert tf.nest.map_structure(lambda v: v + 1, Pair(1, [2])) == Pair(2, [3])
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    assert len(tf.nest.flatten(slices, expand_composites=True)) == 2
    doubled = tf.nest.map_structure(lambda v: v * 2, slices, expand_composites=True)
    assert float(doubled.values[0]) == 2.0


def test_nests_know_a_class_once_it_is_registered():
    class Box:
        def __init__(self, content):
            self.content = content

    box = Box([1, 2])
    assert tf.nest.flatten([box]) == [box]
    assert not tf.nest.is_nested(box)
    everywhere = vars(optree.registry)["__GLOBAL_NAMESPACE"]
    optree.register_pytree_node(
        Box, lambda b: ([b.content], None), lambda _, items: Box(*items), namespace=everywhere
    )
    assert tf.nest.flatten([box, 3]) == [1, 2, 3]
    assert tf.nest.is_nested(box)
    assert tf.nest.map_structure(lambda x: -x, (box,))[0].content == [-1, -2]


def test_nests_say_how_structures_differ():
    with pytest.raises(TypeError, match=r"don't have the same sequence type"):
        tf.nest.map_structure(lambda a, b: a, [1], (1,))
    with pytest.raises(ValueError, match=r"don't have the same set of keys"):
        tf.nest.assert_same_structure({"a": 1}, {"b": 1})
    with pytest.raises(ValueError, match=r"don't have the same number of elements"):
        tf.nest.assert_same_structure([1, 2], [1])
    with pytest.raises(ValueError, match=r"is a sequence, while substructure"):
        tf.nest.assert_same_structure([1], 1)
    with pytest.raises(ValueError, match=r"Structure had 2 atoms, but flat_sequence had 1 items"):
        tf.nest.pack_sequence_as([1, 2], [1])
    with pytest.raises(TypeError, match=r"found incompatible type"):
        tf.nest.pack_sequence_as([1], 5)
    with pytest.raises(ValueError, match=r"Only valid keyword arguments"):
        tf.nest.map_structure(lambda a: a, [1], foo=1)
    with pytest.raises(TypeError, match=r"func must be callable"):
        tf.nest.map_structure(3, [1])
    with pytest.raises(ValueError, match=r"at least one structure"):
        tf.nest.map_structure(abs)


def test_one_replica():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        assert tf.distribute.get_strategy() is strategy
        assert tf.distribute.in_cross_replica_context()
        result = strategy.run(lambda a: (a + 1, tf.distribute.in_cross_replica_context()), (1,))
    assert result == (2, False)
    assert not tf.distribute.has_strategy()
    assert float(strategy.reduce("SUM", tf.constant([1.0, 2.0]), axis=0)) == 3.0
    # Without JAX, or without GPUs.
    with pytest.raises((ImportError, ValueError), match=r"2 devices were named|no device 'GPU:0'"):
        tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])


def test_old_names():
    v1 = tf.compat.v1
    v1.enable_eager_execution()
    assert v1.math.reduce_sum([1.0, 2.0]).numpy() == 3.0
    assert v1.assign(tf.Variable(1.0), 2.0).numpy() == 2.0
    with pytest.raises(RuntimeError, match=r"build no graphs"):
        v1.disable_eager_execution()
    with pytest.raises(ValueError, match=r"Cannot specify both 'dim' and 'axis'"):
        v1.expand_dims([1.0], axis=0, dim=0)
    with pytest.raises(TypeError, match=r"at most 4 fit"):
        v1.expand_dims([1.0], 0, None, 0, 0)
    before = tf.get_logger().level
    v1.logging.set_verbosity(v1.logging.ERROR)
    assert tf.get_logger().level == logging.ERROR
    v1.logging.set_verbosity(before)


def test_texts_and_versions():
    compat = tf.compat
    assert (compat.as_bytes("a"), compat.as_text(b"a"), compat.as_str_any(3)) == (b"a", "a", "3")
    with pytest.raises(TypeError, match=r"Expected binary or unicode string"):
        compat.as_bytes(3)
    assert tf.version.VERSION.startswith("2.")
    assert tf.__version__ != tf.version.VERSION
    with pytest.raises(NotImplementedError, match=r"custom_gradient"):
        tf.RegisterGradient("Sin")


def test_a_module_has_the_scope_it_was_made_in():
    class Inner(tf.Module):
        def __init__(self, name=None):
            super().__init__(name)
            with self.name_scope:
                self.v = tf.Variable(1.0, name="v")

    class Outer(tf.Module):
        def __init__(self):
            super().__init__()
            with self.name_scope:
                self.inner = Inner("first")

        @tf.Module.with_name_scope
        def add(self):
            self.second = Inner()
            return self.second

    outer = Outer()
    assert outer.inner.v.name == "outer/first/v:0"
    assert outer.inner.name_scope.name == "outer/first/"
    with tf.name_scope("elsewhere"):
        assert outer.add().v.name == "outer/inner/v:0"


def test_creators_make_variables():
    calls = []

    def doubled(next_creator, **options):
        calls.append(("doubled", options["name"]))
        options["initial_value"] = 2 * options["initial_value"]
        return next_creator(**options)

    def frozen(next_creator, **options):
        calls.append(("frozen", options["trainable"]))
        return next_creator(**options | {"trainable": False})

    with tf.variable_creator_scope(doubled):
        with tf.variable_creator_scope(frozen):
            v = tf.Variable(3.0, name="v")
        w = tf.Variable(1.0)
    assert v.numpy() == 6.0
    assert not v.trainable
    assert v.name == "v:0"
    assert w.numpy() == 2.0
    assert w.trainable
    assert calls == [("frozen", None), ("doubled", "v"), ("doubled", None)]
    assert tf.Variable(1.0).numpy() == 1.0


def test_a_creator_is_given_every_option_and_may_return_anything():
    given = {}

    def creator(next_creator, **options):
        given.update(options)
        return "no variable"

    class Own(tf.Variable):
        pass

    with tf.variable_creator_scope(creator):
        assert tf.Variable(1.0, dtype=tf.float32) == "no variable"
        assert isinstance(Own(1.0), Own)
        assert tf.function(lambda: tf.Variable(1.0) == "no variable")()
    assert sorted(given) == sorted(
        """
        initial_value trainable validate_shape caching_device name variable_def dtype import_scope
        constraint synchronization aggregation shape experimental_enable_variable_lifting
        """.split()
    )
    assert given["synchronization"] is tf.VariableSynchronization.AUTO
    assert given["aggregation"] is tf.VariableAggregation.NONE


def test_a_device_may_be_named_by_its_kind():
    for name in ("cpu", "CPU", "/cpu", "gpu"):
        with tf.device(name):
            assert tf.constant(1.0).device.endswith("CPU:0")
    assert tf.DeviceSpec.from_string("gpu").device_index is None
    with pytest.raises(ValueError, match="Unknown attribute 'xyz'"):
        tf.device("xyz")


def test_tpus_are_looked_for_in_vain():
    for look in (
        tf.distribute.cluster_resolver.TPUClusterResolver,
        tf.distribute.TPUStrategy,
        tf.tpu.experimental.initialize_tpu_system,
    ):
        with pytest.raises(ValueError, match="Please provide a TPU Name to connect to"):
            look()
    assert issubclass(tf.distribute.TPUStrategy, tf.distribute.Strategy)


def test_lists_of_tensors_are_cast():
    """TensorFlow's values."""
    a, b = tf.constant(3.0, tf.float64), tf.constant(2.7, tf.float64)
    assert tf.zeros([a, b]).shape == (3, 2)
    assert tf.fill([a, 2], 1.0).shape == (3, 2)
    assert tf.reshape(tf.zeros([6]), [a, b]).shape == (3, 2)
    assert tf.convert_to_tensor([a, b], tf.int32).numpy().tolist() == [3, 2]
    assert tf.convert_to_tensor([[a], [1]], tf.float32).numpy().tolist() == [[3.0], [1.0]]
    v = tf.Variable([1.0, 2.0])
    assert v.assign([a, 4.0]).numpy().tolist() == [3.0, 4.0]
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = tf.reduce_sum(tf.convert_to_tensor([a, a], tf.float32))
    assert tape.gradient(y, a).numpy() == 2.0
    with pytest.raises(TypeError, match=r"zeros: a list of integers is wanted where \[3\.0, 2\]"):
        tf.zeros([3.0, 2])
    with pytest.raises(TypeError, match=r"Cannot convert 1\.5"):
        tf.convert_to_tensor([a, 1.5], tf.int32)


def test_a_default_is_all_that_a_placeholder_gives():
    x = tf.compat.v1.placeholder_with_default([1.0, 2.0], shape=None)
    assert x.numpy().tolist() == [1.0, 2.0]
