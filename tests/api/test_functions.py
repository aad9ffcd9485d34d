"""`tf.function`: calls, signatures, methods, variables, and `tf.gradients` inside."""

import gc
import weakref

import numpy as np
import pytest

import gradtape as tf


def test_arrays_become_tensors_and_python_numbers_stay():
    seen = []

    @tf.function
    def f(a, b, *, c):
        seen.append((tf.is_tensor(a), type(b), tf.is_tensor(c["x"])))
        return a

    f(np.ones(2), 3, c={"x": np.float32(1)})
    assert seen == [(True, int, True)]


def test_results_become_tensors():
    @tf.function
    def f(v):
        return 1.5, None, [np.array([1.0])], {"k": True}, v

    number, nothing, (array,), named, value = f(tf.Variable(2.0))
    assert (number.dtype, array.dtype, named["k"].dtype) == (tf.float32, tf.float64, tf.bool)
    assert nothing is None
    assert isinstance(value, tf.Tensor)


def test_a_result_that_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match=r"must return zero or more Tensors.*found return value of"):
        tf.function(object)()


def test_input_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return x * 2

    assert f([1, 2]).dtype is tf.float32
    assert f(np.array([1.0])).dtype is tf.float32
    assert f(x=tf.constant([3.0])).numpy().tolist() == [6.0]
    for wrong, text in (
        ((tf.constant([1]),), r"Can not cast TensorSpec\(shape=\(1,\), dtype=tf.int32"),
        ((tf.constant([[1.0]]),), r"Can not cast TensorSpec\(shape=\(1, 1\)"),
        ((), "missing a required argument: 'x'"),
        (([1.0], [2.0]), "too many positional arguments"),
    ):
        with pytest.raises(
            TypeError, match=rf"Binding inputs to tf.function failed due to `{text}"
        ):
            f(*wrong)


def test_input_signature_with_structures_and_defaults():
    @tf.function(input_signature=[{"a": tf.TensorSpec([], tf.float32)}])
    def f(x, scale=3.0):
        return x["a"] * scale

    assert float(f({"a": 2})) == 6.0
    with pytest.raises(TypeError, match=r"same nested structure"):
        f([2.0])
    with pytest.raises(TypeError, match=r"possibly nested sequence of TensorSpec"):
        tf.function(lambda x: x, input_signature=[3])


def test_methods_and_their_instances():
    class Layer:
        def __init__(self):
            self.w = None

        @tf.function
        def call(self, x):
            if self.w is None:
                self.w = tf.Variable(2.0)
            return self.w * x

    first, second = Layer(), Layer()
    assert float(first.call(3.0)) == float(first.call(3.0)) == 6.0
    assert float(second.call(1.0)) == 2.0  # another instance may make its own variable
    assert first.call.python_function.__self__ is first
    alive = weakref.ref(first)
    del first
    gc.collect()
    assert alive() is None


def test_variables_only_in_the_first_call():
    @tf.function
    def f(x):
        return tf.Variable(1.0) * x

    with pytest.raises(
        ValueError, match=r"only supports singleton tf.Variables created on the fir"
    ):
        f(1.0)

    @tf.function
    def in_init_scope(x):
        with tf.init_scope():
            v = tf.Variable(1.0)
        return v * x

    in_init_scope(1.0)
    in_init_scope(1.0)


def test_options_are_accepted_and_nested_functions_work():
    @tf.function(jit_compile=True, reduce_retracing=True, autograph=False)
    def inner(x):
        return x * x

    @tf.function
    def outer(x):
        return inner(x) + inner(2 * x)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    assert float(tape.gradient(y, x)) == 30.0
    assert outer.experimental_get_tracing_count() == 1
    assert (outer.name, outer.__name__) == ("outer", "outer")
    with pytest.raises(TypeError, match=r"3 is not a callable object"):
        tf.function(3)


def test_contexts_are_left_clean_by_an_exception():
    @tf.function
    def f():
        raise KeyError("x")

    with pytest.raises(KeyError):
        f()
    assert tf.executing_eagerly()
    assert not tf.inside_function()


def test_run_functions_eagerly_switches_everything_off():
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert tf.function(lambda: (1.5, tf.executing_eagerly()))() == (1.5, True)
    finally:
        tf.config.run_functions_eagerly(False)


def test_concrete_functions():
    @tf.function
    def f(x, n):
        return x * n

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), 3)
    assert concrete(tf.constant([2.0])).numpy().tolist() == [6.0]
    assert concrete(x=[1.0]).numpy().tolist() == [3.0]
    assert concrete.structured_input_signature[0][0] == tf.TensorSpec([None], tf.float32, "x")
    assert concrete.structured_outputs == tf.TensorSpec([None], tf.float32)
    with pytest.raises(TypeError, match=r"Can not cast 4 to Literal"):
        concrete(tf.constant([2.0]), 4)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected to be a float32 tensor"):
        concrete(tf.constant([2]))
    assert [node.prim.name for node in concrete.graph.nodes] == ["multiply"]
    with pytest.raises(TypeError, match=r"missing a required argument: 'x'"):
        f.get_concrete_function()


# --- tf.gradients --------------------------------------------------------------------------------


def test_gradients_outside_a_function_are_refused():
    with pytest.raises(
        RuntimeError, match=r"not supported when eager execution is enabled. Use tf"
    ):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))


def slope(y, x):
    return tf.gradients(y, x)[0]


class Network:
    def __init__(self):
        self.w = tf.Variable(3.0)

    def residual(self, x):
        return slope(self.w * x**3, x)

    @tf.function
    def loss(self, x):
        return self.residual(x)


def test_gradients_in_functions_that_the_function_calls():
    assert float(Network().loss(tf.constant(2.0))) == 36.0

    @tf.function
    def f(x):
        return slope(x * x, x)

    assert float(f(tf.constant(5.0))) == 10.0


def test_gradients_of_what_another_function_is_called_with():
    """The call is one op of the recording, which watches no constant by itself."""
    other = tf.function(lambda x: tf.sin(x))
    outside = tf.constant(2.0)

    @tf.function
    def f():
        inside = tf.constant(2.0)
        return tf.gradients(other(inside), inside), tf.gradients(other(outside), outside)

    np.testing.assert_allclose(f(), [[np.cos(2.0)], [np.cos(2.0)]], rtol=1e-6)


def test_gradients_of_variables_inside_a_tape():
    network = Network()
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = network.loss(x)
    assert float(tape.gradient(y, network.w)) == 12.0


def test_gradients_that_cannot_be_seen_coming_say_so():
    hidden = {"f": getattr(tf, "grad" + "ients")}

    @tf.function
    def f(x):
        return hidden["f"](x * x, x)

    with pytest.raises(
        RuntimeError, match=r"was not recorded for it.*Call tf.gradients by that name"
    ):
        f(tf.constant(1.0))


def test_gradients_check_their_arguments():
    @tf.function
    def f(x):
        return tf.gradients([x, x], x, grad_ys=[x])

    with pytest.raises(ValueError, match=r"1 grad_ys for 2 ys"):
        f(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"must be floating or complex"):
        tf.function(lambda x: tf.gradients(tf.cast(x, tf.int32), x))(tf.constant(1.0))


def test_gradients_of_an_argument_by_itself():
    @tf.function
    def f(x, unused):
        return tf.gradients(x, [x])[0], tf.gradients([x, 2 * x], [x, unused])

    (alone, (both, nothing)) = f(tf.ones(2), tf.ones(3))
    np.testing.assert_array_equal(alone, [1, 1])
    np.testing.assert_array_equal(both, [3, 3])
    assert nothing is None


def test_a_concrete_function_takes_any_number_of_arguments():
    function = tf.function(lambda first, *rest: first + rest[0] - rest[1])
    spec = tf.TensorSpec([None])
    concrete = function.get_concrete_function(spec, spec, spec)
    x = tf.ones(3)
    assert concrete(x, 2 * x, 3 * x).numpy().tolist() == [0.0, 0.0, 0.0]


def test_a_function_is_decorated_before_it_runs():
    def doubled(function):
        return lambda x: 2 * function(x)

    function = tf.function(lambda x: x + 1)
    function._decorate(doubled)
    assert function(tf.constant(2.0)).numpy() == 6.0
    with pytest.raises(ValueError, match="cannot be decorated after they have been traced"):
        function._decorate(doubled)


def test_what_methods_keep_for_instances_can_be_emptied():
    # By TensorFlow's name for it: zfit does so where parameters have changed.
    traced = []

    class Model:
        @tf.function
        def double(self, x):
            traced.append(x)
            return x * 2

    model = Model()
    for _ in range(2):
        assert model.double(tf.constant(1.0)).numpy() == 2.0
    before = len(traced)
    Model.double._descriptor_cache.clear()
    assert model.double(tf.constant(1.0)).numpy() == 2.0
    assert len(traced) > before
