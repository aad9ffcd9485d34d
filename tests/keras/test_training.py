"""`fit` and its relatives, custom steps, and what optimizers do with gradients."""

import numpy as np
import pytest

import gradtape as tf


def data(count=64, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, 4)).astype("float32")
    y = (x @ [[1.0], [-2.0], [0.5], [0.0]] + 0.3).astype("float32")
    return x, y


def linear(keras, **options):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(
        keras.optimizers.SGD(0.1, **options), "mse", metrics=["mae"], steps_per_execution=1
    )
    return model


def test_fit_learns_and_reports(keras):
    x, y = data()
    model = linear(keras)
    history = model.fit(x, y, epochs=15, batch_size=16, validation_split=0.25, verbose=0).history
    assert set(history) == {"loss", "mae", "val_loss", "val_mae"}
    assert history["loss"][-1] < 0.01 * history["loss"][0]
    loss, mae = model.evaluate(x, y, verbose=0)
    error = model.predict(x, verbose=0) - y
    np.testing.assert_allclose([loss, mae], [np.mean(error**2), np.mean(abs(error))], rtol=1e-5)


def test_progress_is_printed(keras, capsys):
    x, y = data()
    linear(keras).fit(x, y, epochs=1, verbose=2)
    assert "loss:" in capsys.readouterr().out


def test_single_batches(keras):
    x, y = data()
    model = linear(keras)
    first = model.train_on_batch(x, y, return_dict=True)
    assert set(first) == {"loss", "mae"}
    loss, _ = model.test_on_batch(x, y)
    assert loss < first["loss"]
    np.testing.assert_allclose(model.predict_on_batch(x), model(x).numpy())


def test_class_weights_and_sample_weights(keras):
    x, _ = data()
    y = (x[:, 0] > 0).astype("int32")
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    weighted = model.test_on_batch(x, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    trained = model.train_on_batch(x, y, class_weight={0: 1.0, 1: 3.0})
    np.testing.assert_allclose(trained, weighted, rtol=1e-5)
    with pytest.raises(ValueError, match="cannot be specified at the same time"):
        model.train_on_batch(x, y, sample_weight=np.ones(64), class_weight={0: 1.0, 1: 3.0})


@pytest.mark.parametrize("steps", [1, 3])
def test_several_steps_in_one_execution_give_the_same(keras, steps):
    x, y = data(72)
    model = linear(keras)
    model.steps_per_execution = steps
    model.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0)
    reference = linear(keras)
    reference.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0)
    for a, b in zip(model.get_weights(), reference.get_weights(), strict=True):
        np.testing.assert_allclose(a, b)
    assert model.predict(x, batch_size=8, verbose=0).shape == (72, 1)


def test_generators_and_callbacks(keras):
    x, y = data()

    def batches():
        while True:
            yield x[:16], y[:16]

    seen = []

    class Recorder(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            seen.append(float(logs["loss"]))

    stop = keras.callbacks.EarlyStopping(monitor="loss", patience=1, min_delta=10.0)
    model = linear(keras)
    history = model.fit(
        batches(),
        steps_per_epoch=3,
        epochs=6,
        callbacks=[Recorder(), stop],
        verbose=0,
        shuffle=False,
    )
    assert len(seen) == 3 * len(history.history["loss"]) == 6


def test_float64_models(keras):
    x, y = data()
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, dtype="float64")])
    model.compile("sgd", "mse")
    model.fit(x.astype("float64"), y.astype("float64"), epochs=1, verbose=0)
    assert model.predict(x, verbose=0).dtype == np.float64


# --- steps of one's own --------------------------------------------------------------------------


def test_custom_train_step_with_a_tape(keras):
    class Doubled(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)

        def call(self, x):
            return self.dense(x)

        def train_step(self, batch):
            x, y = batch
            with tf.GradientTape() as tape:
                loss = 2.0 * self.compute_loss(y=y, y_pred=self(x, training=True))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            return {"doubled": loss}

    x, y = data()
    model = Doubled()
    model.compile(keras.optimizers.SGD(0.05), "mse")
    history = model.fit(x, y, epochs=5, verbose=0).history
    assert history["doubled"][-1] < history["doubled"][0]


def test_frozen_layers_stay(keras):
    x, y = data()
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])
    model.layers[0].trainable = False
    model.compile("sgd", "mse")
    before = model.layers[0].get_weights()
    model.fit(x, y, epochs=2, verbose=0)
    for a, b in zip(before, model.layers[0].get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(model.trainable_variables) == 2


def test_models_without_trainable_weights_warn(keras):
    x, y = data()
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.trainable = False
    model.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="does not have any trainable weights"):
        model.train_on_batch(x, y)


# --- optimizers ----------------------------------------------------------------------------------


def test_accumulated_gradients_equal_those_of_the_whole_batch(keras):
    x, y = data(32)
    model = linear(keras, gradient_accumulation_steps=4)
    model.fit(x, y, batch_size=8, epochs=1, shuffle=False, verbose=0)
    whole = linear(keras)
    whole.fit(x, y, batch_size=32, epochs=1, shuffle=False, verbose=0)
    for a, b in zip(model.get_weights(), whole.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_clipping(keras):
    variable = keras.Variable([0.0, 0.0])
    gradient = tf.constant([3.0, 4.0])
    for options, expected in (
        ({"clipnorm": 1.0}, [-0.6, -0.8]),
        ({"global_clipnorm": 1.0}, [-0.6, -0.8]),
        ({"clipvalue": 3.5}, [-3.0, -3.5]),
    ):
        variable.assign([0.0, 0.0])
        keras.optimizers.SGD(1.0, **options).apply([gradient], [variable])
        np.testing.assert_allclose(variable.numpy(), expected, rtol=1e-6)


def test_moving_average_of_weights(keras):
    x, y = data()
    model = linear(keras, use_ema=True, ema_momentum=0.5)
    model.fit(x, y, batch_size=16, epochs=3, verbose=0)
    average = model.optimizer._model_variables_moving_average
    for variable, mean in zip(model.trainable_variables, average, strict=True):
        np.testing.assert_allclose(variable.numpy(), mean.numpy())


def test_mixed_precision_with_loss_scaling(keras):
    x, y = data()
    keras.utils.set_random_seed(2)
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(8, dtype="mixed_float16", activation="relu"),
            keras.layers.Dense(1, dtype="mixed_float16"),
        ]
    )
    inner = keras.optimizers.SGD(0.05)
    model.compile(keras.optimizers.LossScaleOptimizer(inner, initial_scale=1024.0), "mse")
    history = model.fit(x, y, epochs=6, batch_size=16, verbose=0).history
    assert history["loss"][-1] < 0.5 * history["loss"][0]
    assert model.layers[0].kernel.dtype == "float32"
    assert model.layers[0](x).dtype is tf.float16


def test_scaled_loss_gives_the_same_step(keras):
    x, y = data()
    scaled, plain = linear(keras, loss_scale_factor=256.0), linear(keras)
    for model in (scaled, plain):
        model.fit(x, y, epochs=1, shuffle=False, verbose=0)
    for a, b in zip(scaled.get_weights(), plain.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_constraints_and_regularizers_take_part(keras):
    x, y = data()
    layer = keras.layers.Dense(1, kernel_constraint="non_neg", kernel_regularizer="l2")
    model = keras.Sequential([keras.Input((4,)), layer])
    model.compile("sgd", "mse")
    model.fit(x, y, epochs=3, verbose=0)
    assert layer.kernel.numpy().min() >= 0.0
    assert len(model.losses) == 1


def test_rematerialized_layers_train_the_same(keras):
    x, y = data()
    weights = []
    for mode in (None, "full"):
        keras.utils.set_random_seed(5)
        with keras.RematScope(mode=mode):
            hidden = keras.layers.Dense(6, activation="tanh")
        model = keras.Sequential([keras.Input((4,)), hidden, keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(x, y, epochs=2, shuffle=False, verbose=0)
        weights.append(model.get_weights())
    for a, b in zip(*weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


OPTIMIZERS = (
    "SGD",
    "RMSprop",
    "Adam",
    "AdamW",
    "Adadelta",
    "Adagrad",
    "Adamax",
    "Adafactor",
    "Nadam",
    "Ftrl",
    "Lion",
    "Lamb",
    "Muon",
)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_rows_of_an_embedding_are_updated_as_dense_gradients_are(keras, name):
    """Unless rows repeat: `test_sparse.py` has these."""
    table = np.random.default_rng(0).normal(size=(6, 3)).astype("float32")
    result = []
    for dense in (False, True):
        embedding = keras.layers.Embedding(6, 3)
        embedding.build()
        embedding.set_weights([table])
        optimizer = getattr(keras.optimizers, name)(0.1)
        for ids in ([1, 4], [2, 1]):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(embedding(np.array(ids)) ** 2)
            gradient = tape.gradient(loss, embedding.embeddings)
            assert isinstance(gradient, tf.IndexedSlices)
            if dense:
                gradient = tf.convert_to_tensor(gradient)
            optimizer.apply([gradient], [embedding.embeddings])
        result.append(embedding.embeddings.numpy())
    assert not np.allclose(result[0][1], table[1])
    np.testing.assert_allclose(*result, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("SGD", {}),
        ("SGD", {"momentum": 0.9}),
        ("SGD", {"momentum": 0.9, "nesterov": True}),
        ("Adam", {}),
        ("Adam", {"amsgrad": True}),
        ("AdamW", {"weight_decay": 0.1}),
        ("RMSprop", {}),
        ("RMSprop", {"momentum": 0.5}),
        ("RMSprop", {"centered": True}),
        ("Adagrad", {}),
        ("Adam", {"clipnorm": 0.5}),
        ("SGD", {"use_ema": True}),
    ],
)
def test_steps_in_one_pass_equal_keras_own(keras, monkeypatch, name, options, dtype):
    from keras_gradtape.src import optimizer as module

    random = np.random.default_rng(0)
    initial = random.normal(size=(4, 3)), random.normal(size=())
    gradients = [[tf.constant(random.normal(size=v.shape), dtype) for v in initial] for _ in "123"]
    result = []
    for fused in (True, False):
        if not fused:
            monkeypatch.setattr(module, "_fused_update", lambda cls: None)
        optimizer = getattr(keras.optimizers, name)(0.1, **options)
        variables = [keras.Variable(v, dtype=dtype) for v in initial]
        for step in gradients:
            optimizer.apply(step, variables)
        result.append([v.numpy() for v in (*variables, *optimizer.variables)])
    tolerance = {"float64": 1e-14, "float32": 2e-6, "float16": 0}[dtype]
    for a, b in zip(*result, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance)


def test_values_read_before_a_step_stay(keras):
    variable = keras.Variable([1.0, 2.0])
    optimizer = keras.optimizers.Adam(0.1)
    optimizer.build([variable])
    before = variable.value, optimizer._momentums[0].value, variable.value[:1]
    array = np.asarray(variable.value)
    optimizer.apply([tf.constant([1.0, 1.0])])
    np.testing.assert_array_equal(before[0], [1.0, 2.0])
    np.testing.assert_array_equal(before[1], [0.0, 0.0])
    np.testing.assert_array_equal(before[2], [1.0])
    np.testing.assert_array_equal(array, [1.0, 2.0])
    assert np.all(variable.numpy() < [1.0, 2.0])


def test_an_optimizer_with_a_step_of_its_own_is_left_alone(keras):
    class Halving(keras.optimizers.Adam):
        def update_step(self, gradient, variable, learning_rate):
            self.assign(variable, variable * 0.5)

    variable = keras.Variable([4.0])
    Halving().apply([tf.constant([1.0])], [variable])
    np.testing.assert_array_equal(variable.numpy(), [2.0])


def test_stateless_apply_changes_nothing(keras):
    variable = keras.Variable([1.0, 2.0])
    optimizer = keras.optimizers.Adam(0.1)
    optimizer.build([variable])
    state = [v.value for v in optimizer.variables]
    updated, new_state = optimizer.stateless_apply(
        state, [tf.constant([1.0, 1.0])], [variable.value]
    )
    np.testing.assert_allclose(updated[0], [0.9, 1.9], rtol=1e-5)
    np.testing.assert_array_equal(variable.numpy(), [1.0, 2.0])
    assert int(optimizer.iterations) == 0
    assert int(new_state[0]) == 1
