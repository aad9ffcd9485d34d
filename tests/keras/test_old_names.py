"""Keras 2's names and manners: errors that say what to write, or one warning where they work."""

import re
import warnings

import numpy as np
import pytest

import gradtape as tf
import gradtape.keras
from gradtape.api.compat import old_names
from gradtape.core import convert
from keras_gradtape.src.old import names


@pytest.fixture
def served(monkeypatch):
    """gradtape is the program's TensorFlow."""
    monkeypatch.setitem(old_names._state, "works", True)
    monkeypatch.setattr(old_names, "_noticed", set())


@pytest.fixture(autouse=True)
def forgotten(keras):
    """What was found is looked for again in every test."""
    yield
    for name in (*names.MOVED, *names.MADE):
        path, _, last = name.rpartition(".")
        vars(names.find(path)).pop(last, None)


def get(keras, path):
    value = keras
    for part in path.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", [*names.MOVED, *names.MADE])
def test_an_error_says_what_to_write(keras, name):
    spelling = f"tf.keras.{names.MOVED[name]}" if name in names.MOVED else names.MADE[name]
    text = re.escape(f"tf.keras.{name} is a name of Keras 2. Write {spelling}.")
    with pytest.raises(AttributeError, match=text):
        get(keras, name)


@pytest.mark.parametrize("name", [*names.MOVED, *names.MADE])
def test_they_work_with_one_warning(keras, served, name):
    with pytest.warns(FutureWarning, match="is a name of Keras 2. Write "):
        result = get(keras, name)
    if name in names.MOVED:
        assert result is names.find(names.MOVED[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert get(keras, name) is result


def test_what_is_suggested_exists(keras):
    for text in names.MADE.values():
        for name in re.findall(r"\btf\.([\w.]*\w)", text):
            get(tf, name)


def test_other_names_are_missing_as_before(keras):
    for path in ("layers.Nothing", "experimental.Nothing", "nothing"):
        with pytest.raises(AttributeError, match="has no attribute"):
            get(keras, path)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_cell(keras, served):
    class Cell(keras.layers.AbstractRNNCell):
        state_size = output_size = 3

        def call(self, inputs, states):
            state = states[0] + inputs
            return state, [state]

    x = np.ones((2, 4, 3), "float32")
    np.testing.assert_array_equal(keras.layers.RNN(Cell())(x), np.full((2, 3), 4.0))


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_functions(keras, served):
    keras.backend.set_learning_phase(0)
    assert keras.backend.learning_phase() == 0
    with pytest.raises(NotImplementedError, match="pass training=True to the call"):
        keras.backend.set_learning_phase(1)
    with pytest.raises(ValueError, match="MirroredStrategy"):
        keras.utils.multi_gpu_model(None, 2)
    layer = keras.layers.SyncBatchNormalization(momentum=0.5)
    assert (layer.synchronized, layer.momentum) == (True, 0.5)


def test_training_by_position(keras, served):
    class Model(keras.Model):
        def call(self, x, training=False, scale=1.0):
            return x * scale if training else -x

    with pytest.warns(FutureWarning, match="Write training=True"):
        result = Model()(tf.ones(2), True, 3.0)
    np.testing.assert_array_equal(result, [3.0, 3.0])
    with pytest.raises(ValueError, match="Only input tensors may be passed as"):
        Model()(tf.ones(2), True, training=True)


def test_training_by_position_is_an_error_elsewhere(keras):
    with pytest.raises(ValueError, match="Only input tensors may be passed as"):
        keras.layers.Dropout(0.5)(tf.ones(2), True)


class _Training:
    """A model of a layer whose `training` has no default; both say what they got."""

    def __new__(cls, keras):
        class Inner(keras.layers.Layer):
            def call(self, x, training):
                return x + (1.0 if training else 2.0)

        class Model(keras.Model):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def call(self, x, training, scale=1.0):
                return self.inner(x) + scale * (10.0 if training else 20.0)

        return Model()


@pytest.mark.parametrize("traced", [False, True])
def test_training_without_a_default_is_left_out(keras, served, traced):
    model = _Training(keras)
    call = tf.function(model) if traced else model
    with pytest.warns(FutureWarning, match=r"(Model|Inner).call has no default.*training=False"):
        assert float(call(tf.zeros(()))) == 22.0
    assert float(call(tf.zeros(()), training=True)) == 11.0  # the inner layer's, too
    assert float(call(tf.zeros(()), training=False, scale=2.0)) == 42.0
    model.compile(loss="mae")
    assert model.evaluate(np.zeros((4, 1)), np.zeros((4, 1)), verbose=0) == 22.0


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_training_without_a_default_between_symbolic_tensors(keras, served):
    x = keras.Input((3,))
    model = keras.Model(x, _Training(keras)(x))
    assert model(tf.zeros((1, 3)), training=True).numpy().tolist() == [[11.0] * 3]
    assert model(tf.zeros((1, 3))).numpy().tolist() == [[22.0] * 3]


def test_training_that_an_argument_without_default_follows(keras, served):
    class Layer(keras.layers.Layer):
        def call(self, x, training, mask):
            return x

    with pytest.raises(TypeError, match="missing a required argument: 'training'"):
        Layer()(tf.ones(2))


def test_training_without_a_default_is_missing_elsewhere(keras):
    with pytest.raises(TypeError, match="missing a required argument: 'training'"):
        _Training(keras)(tf.ones(2))


def test_a_shape_that_is_a_number(keras, served):
    with pytest.warns(FutureWarning, match=r"Write Input\(shape=\(2,\)\)"):
        assert keras.Input(2).shape == (None, 2)


class _Adopting:
    """How layers of Keras 2 take over a variable, as those of tensorflow_hub do."""

    def adopt(self, variable):
        return self.add_weight(
            name="scope/" + variable.name,
            shape=variable.shape,
            dtype=variable.dtype,
            experimental_autocast=False,
            getter=lambda *_, **__: variable,
        )


def test_a_layer_takes_over_a_variable(keras, served):
    class Layer(_Adopting, keras.layers.Layer):
        def __init__(self, variable):
            super().__init__()
            self.adopt(variable)
            self.multiply = lambda x: x * variable

        def call(self, x):
            return self.multiply(x)

    variable = tf.Variable([2.0, 3.0])
    layer = Layer(variable)
    model = keras.Sequential([keras.Input((2,)), layer])
    assert len(model.trainable_variables) == 1
    model.compile("sgd", "mse")
    model.fit(np.ones([4, 2], np.float32), np.zeros([4, 2], np.float32), verbose=0)
    np.testing.assert_allclose(variable, layer.trainable_variables[0])
    assert variable[0] < 2.0


def test_old_arguments_of_weights_are_errors_elsewhere(keras):
    with pytest.raises(TypeError, match="experimental_autocast"):
        keras.layers.Layer().add_weight(experimental_autocast=False)


def test_the_name_of_a_weight_comes_first(keras, served):
    with pytest.warns(FutureWarning, match=r"Write add_weight\(name='name'\)"):
        weight = keras.layers.Layer().add_weight("constant", shape=(2,), initializer="ones")
    assert weight.name == "constant"
    assert keras.layers.Layer().add_weight("other", (3,)).shape == (3,)


def test_the_name_of_a_weight_is_not_its_shape_elsewhere(keras):
    with pytest.raises(ValueError, match="`name` must be passed as a keyword argument"):
        keras.layers.Layer().add_weight("constant", shape=(2,))


class _Normal:
    """What converts to a tensor, and knows more than that: a distribution of TFP, in short."""

    def __init__(self, mean):
        self.mean = mean
        self.shape, self.dtype = mean.shape, mean.dtype

    def log_prob(self, value):
        return -0.5 * (value - self.mean) ** 2


def test_a_loss_function_is_given_the_distribution_that_a_layer_returns(keras, served, monkeypatch):
    monkeypatch.setattr(convert, "_conversions", [])
    tf.register_tensor_conversion_function(
        _Normal, lambda x, dtype=None, name=None, as_ref=False: tf.convert_to_tensor(x.mean, dtype)
    )

    class Distribution(keras.layers.Layer):
        def __call__(self, x):
            return _Normal(super().__call__(x))

        def call(self, x):
            return x

    class Same(keras.layers.Layer):
        def call(self, x):
            self.seen = type(x)
            return x

    class Model(keras.Model):
        def call(self, x):
            return same(distribution(dense(x)))

    same, distribution, model = Same(), Distribution(), Model()
    dense = model.dense = keras.layers.Dense(1, use_bias=False)
    model.compile(keras.optimizers.SGD(0.3), lambda y, normal: -normal.log_prob(y))
    x = np.array([[1.0], [2.0]], np.float32)
    model.fit(x, 3.0 * x, batch_size=2, epochs=10, verbose=0)
    assert same.seen is _Normal
    np.testing.assert_allclose(dense.kernel, [[3.0]], atol=0.01)
    assert model.evaluate(x, 3.0 * x, verbose=0) < 0.1
    assert model.predict(x, verbose=0).shape == (2, 1)


def test_a_shape_that_the_base_class_computes(keras, served):
    class Layer(keras.layers.Layer):
        def call(self, x):
            return tf.concat([x, x], -1)

        def compute_output_shape(self, input_shape):
            return super().compute_output_shape(input_shape)

    assert Layer()(keras.Input((3,))).shape == (None, 6)


def test_units_that_are_a_number_of_numpy(keras, served):
    with pytest.warns(FutureWarning, match=r"Dense with units of type int64 .* Write int\(units\)"):
        layer = keras.layers.Dense(np.prod((2, 3)), use_bias=False)
    assert layer(np.ones((1, 4), "float32")).shape == (1, 6)
    assert type(layer).from_config(layer.get_config()).units == 6
    with pytest.raises(ValueError, match="invalid value for `units`"):
        keras.layers.Dense("6")


def test_units_that_are_a_number_of_numpy_are_an_error_elsewhere(keras):
    with pytest.raises(ValueError, match="invalid value for `units`"):
        keras.layers.Dense(np.int64(3))


@pytest.mark.parametrize("traced", [False, True])
def test_decay(keras, served, traced):
    with pytest.warns(FutureWarning, match=r"SGD\(decay=0.5\) .* Write .*InverseTimeDecay"):
        optimizer = keras.optimizers.SGD(0.1, decay=0.5)
    v = tf.Variable(0.0)
    optimizer.build([v])

    def step():
        optimizer.apply_gradients([(tf.constant(-1.0), v)])

    if traced:
        step = tf.function(step)
    step()
    step()
    np.testing.assert_allclose(float(v), 0.1 + 0.1 / 1.5, rtol=1e-6)
    optimizer.lr = 1.0  # the rate before it is decayed, as callbacks set it
    step()
    np.testing.assert_allclose(float(v), 0.1 + 0.1 / 1.5 + 1 / 2, rtol=1e-6)


def test_decay_is_ignored_elsewhere(keras):
    with pytest.warns(UserWarning, match="`decay` is no longer supported and will be ignored"):
        keras.optimizers.SGD(0.1, decay=0.5)


def test_the_base_of_optimizers_takes_a_name_alone(keras, served):
    class Own(keras.optimizers.Optimizer):
        def __init__(self):
            super().__init__("natural")

    assert Own().name == "natural"


def test_a_name_is_no_learning_rate_elsewhere(keras):
    with pytest.raises(ValueError, match="Argument `learning_rate` should be float"):
        keras.optimizers.Optimizer("natural")


OPTIMIZERS = {
    "SGD": {"momentum": 0.9},
    "Adam": {"amsgrad": True},
    "RMSprop": {"momentum": 0.5, "centered": True},
    "Adagrad": {},
    "Adadelta": {},
    "Adamax": {},
    "Nadam": {},
    "Ftrl": {},
    "Lion": {},
    "AdamW": {},
    "Adafactor": {},
}


@pytest.mark.filterwarnings("ignore:An optimizer that is given:FutureWarning")
@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_of_two_models(keras, served, name, traced):
    """What an optimizer that knew all variables from the start does."""
    options = {"learning_rate": 0.1, "use_ema": True, "ema_momentum": 0.5, **OPTIMIZERS[name]}

    def train(first):
        a, b = tf.Variable([1.0, 2.0]), tf.Variable([[3.0]])
        optimizer = getattr(keras.optimizers, name)(**options)
        optimizer.build([a, b] if first == "both" else [a])

        def step(variable):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(variable**2)
            optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])

        for variable in (a, b, a, b, b):
            (tf.function(step) if traced else step)(variable)
        optimizer.finalize_variable_values([a, b])
        return [a.numpy(), b.numpy(), *sorted((v.numpy() for v in optimizer.variables), key=repr)]

    for one, other in zip(train("one"), train("both"), strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_optimizer_of_two_models_warns_once(keras, served):
    optimizer = keras.optimizers.SGD(0.5)
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(0.0))])
    other = tf.Variable(0.0)
    with pytest.warns(FutureWarning, match="Make one optimizer for each model"):
        optimizer.apply_gradients([(tf.constant(1.0), other)])
    assert (float(other), int(optimizer.iterations)) == (-0.5, 2)
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(0.0))])


def test_an_optimizer_of_two_models_is_an_error_elsewhere(keras):
    optimizer = keras.optimizers.SGD(0.5)
    optimizer.build([tf.Variable(0.0)])
    with pytest.raises(ValueError, match="recreate a new optimizer instance"):
        optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(0.0))])


@pytest.mark.parametrize("from_logits", [False, True])
@pytest.mark.parametrize("shapes", [((3,), (3, 1)), ((2, 3), (3,)), ((), (2, 2))])
def test_a_binary_cross_entropy_of_other_shapes(keras, served, shapes, from_logits):
    target, output = (np.linspace(0.2, 0.8, int(np.prod(s))).reshape(s) for s in shapes)
    full = [np.broadcast_to(x, np.broadcast_shapes(*shapes)) for x in (target, output)]
    with pytest.warns(FutureWarning, match="manner of Keras 2. Reshape one of them"):
        made = keras.ops.binary_crossentropy(tf.constant(target), tf.constant(output), from_logits)
    wanted = keras.ops.binary_crossentropy(*map(tf.constant, full), from_logits)
    np.testing.assert_array_equal(made, wanted)
    loss = keras.losses.binary_crossentropy(target, output, from_logits)
    np.testing.assert_allclose(loss, wanted.numpy().mean(-1), rtol=1e-6)


def test_a_binary_cross_entropy_of_shapes_that_do_not_fit(keras, served):
    with pytest.raises(ValueError, match="must have the same"):
        keras.ops.binary_crossentropy(tf.ones((2, 3)), tf.ones((4,)))


def test_a_binary_cross_entropy_of_other_shapes_is_an_error_elsewhere(keras):
    with pytest.raises(ValueError, match="must have the same"):
        keras.ops.binary_crossentropy(tf.ones(3), tf.ones((3, 1)))
