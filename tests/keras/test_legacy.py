"""Names of older versions of tf.keras."""

import numpy as np
import pytest

import gradtape as tf


def test_losses_by_their_long_names(keras):
    import keras as plain

    for module in (keras.losses, keras.metrics, plain.losses):
        actual = module.mean_squared_error(tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 2.0]]))
        np.testing.assert_allclose(actual, [2.0])
    for name in ("mean_absolute_error", "kl_divergence", "log_cosh"):
        assert callable(getattr(keras.losses, name))


def test_metrics_reset_states(keras):
    metric = keras.metrics.Mean()
    metric.update_state([2.0, 4.0])
    metric.reset_states()
    assert float(metric.result()) == 0.0


@pytest.mark.parametrize("with_tape", [False, True])
def test_minimize(keras, with_tape):
    variable = keras.Variable([1.0, 2.0])
    optimizer = keras.optimizers.SGD(lr=0.1)
    if with_tape:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(variable**2)
        optimizer.minimize(loss, [variable], tape=tape)
    else:
        optimizer.minimize(lambda: tf.reduce_sum(variable**2), [variable])
    np.testing.assert_allclose(variable.numpy(), [0.8, 1.6])
    assert int(optimizer.iterations) == 1


def test_minimize_needs_a_tape_for_a_tensor(keras):
    with pytest.raises(ValueError, match="`tape` is required when a `Tensor` loss is passed"):
        keras.optimizers.SGD().minimize(tf.constant(1.0), [])


def test_learning_rate_is_also_lr(keras):
    optimizer = keras.optimizers.Adam(lr=0.25)
    assert float(optimizer.lr) == 0.25
    optimizer.lr = 0.5
    assert float(optimizer.learning_rate) == 0.5


def test_add_variable_with_the_name_first(keras):
    layer = keras.layers.Layer()
    first = layer.add_variable("kernel", [2, 3])
    second = layer.add_variable("bias", shape=(3,), initializer="zeros", trainable=False)
    third = layer.add_variable((2,), "ones")
    assert (first.name, first.shape, second.name, third.shape) == ("kernel", (2, 3), "bias", (2,))
    assert layer.trainable_weights[0].name == "kernel"


@pytest.mark.filterwarnings("error")
def test_input_shape_arguments_make_no_noise(keras):
    import warnings

    from keras_gradtape.src import legacy

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        legacy._silence()
        model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    assert model.input_shape == (None, 3)


def test_batch_input_shape(keras):
    model = keras.Sequential(
        [keras.layers.LSTM(2, batch_input_shape=(4, 5, 3), stateful=True), keras.layers.Dense(1)]
    )
    assert model.input_shape == (4, 5, 3)
    model.predict(np.ones((4, 5, 3)), verbose=0, batch_size=4)
    assert np.any(model.layers[0].states[0].numpy())
    model.reset_states()
    assert not np.any(model.layers[0].states[0].numpy())


def test_predict_classes(keras):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Activation("softmax")])
    x = np.array([[0.0, 5.0, 1.0], [2.0, 0.0, 0.0]])
    assert list(model.predict_classes(x)) == [1, 0]
    np.testing.assert_allclose(model.predict_proba(x).sum(1), 1.0, rtol=1e-6)
    model = keras.Sequential([keras.Input((1,)), keras.layers.Activation("sigmoid")])
    assert model.predict_classes(np.array([[3.0], [-3.0]])).tolist() == [[1], [0]]


def test_generator_methods(keras):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")

    def batches():
        for _ in range(3):
            yield np.ones((4, 2)), np.ones((4, 1))

    model.fit_generator(batches(), steps_per_epoch=3, verbose=0, shuffle=False)
    assert model.evaluate_generator(batches(), steps=3, verbose=0) >= 0.0
    assert model.predict_generator(((x,) for x, _ in batches()), steps=3, verbose=0).shape == (
        12,
        1,
    )


def test_compiled_loss_and_metrics_in_a_custom_step(keras):
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1, kernel_regularizer="l2")

        def call(self, x):
            return self.dense(x)

        def train_step(self, batch):
            x, y = batch
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)
            self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
            self.compiled_metrics.update_state(y, y_pred)
            return {m.name: m.result() for m in self.metrics}

    model = Model()
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=3, verbose=0).history
    assert any("mae" in name or "compile_metrics" in name for name in history)


def test_old_namespaces(keras):
    from gradtape.keras.layers.experimental.preprocessing import Rescaling

    assert Rescaling is keras.layers.Rescaling
    assert keras.layers.experimental.preprocessing.Rescaling is Rescaling
    assert keras.optimizers.legacy.Adam is keras.optimizers.Adam


def test_backend_functions(keras):
    K = keras.backend
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert float(K.mean(K.square(x))) == 7.5
    np.testing.assert_allclose(K.sum(x, axis=1, keepdims=True), [[3.0], [7.0]])
    np.testing.assert_allclose(K.clip(x, 1.5, 3.0), [[1.5, 2.0], [3.0, 3.0]])
    np.testing.assert_allclose(K.dot(x, K.transpose(x)), x.numpy() @ x.numpy().T)
    np.testing.assert_allclose(K.sum(K.softmax(x), axis=-1), [1.0, 1.0])
    np.testing.assert_allclose(K.concatenate([x, x], axis=0), np.concatenate([x, x]))
    np.testing.assert_allclose(K.batch_flatten(tf.ones((2, 3, 4))), np.ones((2, 12)))
    assert K.int_shape(x) == (2, 2)
    assert K.eval(x).shape == (2, 2)
    assert K.epsilon() == 1e-7
    assert K.random_normal((3,)).shape == (3,)
    np.testing.assert_allclose(
        K.switch(tf.constant([[True], [False]]), x, -x), [[1.0, 2.0], [-3.0, -4.0]]
    )


def test_backend_variables(keras):
    K = keras.backend
    variable = K.variable([1.0, 2.0])
    K.set_value(variable, [3.0, 4.0])
    K.update_add(variable, [1.0, 1.0])
    np.testing.assert_allclose(K.get_value(variable), [4.0, 5.0])


def test_backend_functions_set_variables_of_both_kinds(keras):
    optimizer, v = keras.optimizers.Adam(0.1), tf.Variable([1.0, 2.0])
    keras.backend.set_value(optimizer.lr, 0.5)
    keras.backend.batch_set_value([(optimizer.iterations, 7), (v, [3, 4])])
    assert keras.backend.get_value(optimizer.learning_rate) == 0.5
    assert int(optimizer.iterations) == 7
    np.testing.assert_array_equal(v, [3.0, 4.0])


def test_backend_gradients_say_what_to_use(keras):
    with pytest.raises(RuntimeError, match=r"Use tf\.GradientTape instead"):
        keras.backend.gradients(tf.constant(1.0), [tf.constant(1.0)])


def test_losses_written_with_backend_functions_train(keras):
    K = keras.backend

    def loss(y, y_pred):
        return K.mean(K.square(y_pred - y), axis=-1)

    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", loss)
    history = model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=4, verbose=0).history["loss"]
    assert history[-1] < history[0]


def test_files_that_cannot_be_fetched_are_a_clear_error(keras, tmp_path, monkeypatch):
    import urllib.error
    import urllib.request

    def offline(*args, **options):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr("keras.src.utils.file_utils.urlretrieve", offline)
    with pytest.raises(Exception, match=r"URL fetch failure on https://example\.org/data\.npz"):
        keras.utils.get_file("data.npz", "https://example.org/data.npz", cache_dir=str(tmp_path))


@pytest.mark.parametrize("options", [{}, {"lr": 0.1}])
@pytest.mark.parametrize("variables", [[], iter(())])
def test_variables_are_no_learning_rate(options, variables):
    said = (
        r"^Adam: the first argument is the learning rate, .*optimizer = Adam\(0\.001\), then "
        r"optimizer\.apply\(gradients, variables\)\.$"
    )
    with pytest.raises(TypeError, match=said):
        tf.keras.optimizers.Adam(variables, **options)
