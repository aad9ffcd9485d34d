"""Checkpoints of Keras models and optimizers, also restored before their variables exist."""

import numpy as np
import pytest

import gradtape as tf

pytestmark = pytest.mark.keras

X = np.random.default_rng(0).normal(size=(32, 3)).astype(np.float32)
Y = X.sum(1, keepdims=True)


def sequential():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Dense(4, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.5),
            layers.Dense(1),
        ]
    )


def subclassed():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(4)
            self.blocks = [tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)]
            self.tracker = tf.keras.metrics.Mean()

        def call(self, x, training=False):
            x = self.first(x)
            for block in self.blocks:
                x = block(x)
            return x

    return Net()


def functional():
    inputs = tf.keras.Input((3,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(tf.keras.layers.Dense(5)(inputs)))


OPTIMIZERS = {
    "adam": lambda: tf.keras.optimizers.Adam(0.01),
    "momentum": lambda: tf.keras.optimizers.SGD(0.01, momentum=0.9),
    "rmsprop": lambda: tf.keras.optimizers.RMSprop(0.01),
    "scheduled": lambda: tf.keras.optimizers.Adam(
        tf.keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    ),
}


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(X, training=True) - Y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return float(loss)


@pytest.mark.parametrize("build", [sequential, subclassed, functional])
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_training_goes_on_as_if_it_had_not_stopped(tmp_path, build, kind):
    model, optimizer = build(), OPTIMIZERS[kind]()
    for _ in range(3):
        step(model, optimizer)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step=tf.Variable(3))
    path = checkpoint.save(str(tmp_path / "ckpt"))
    expected = [step(model, optimizer) for _ in range(3)]

    checkpoint.restore(path).assert_consumed()
    assert [step(model, optimizer) for _ in range(3)] == expected

    fresh, other = build(), OPTIMIZERS[kind]()
    classes = type(fresh), type(other)
    again = tf.train.Checkpoint(model=fresh, optimizer=other, step=tf.Variable(0))
    status = again.restore(path)
    assert [step(fresh, other) for _ in range(3)] == expected
    status.assert_consumed()
    assert int(again.step) == 3
    assert (type(fresh), type(other)) == classes


def test_a_compiled_model_brings_its_optimizer(tmp_path):
    model = functional()
    model.compile("adam", "mse")
    model.fit(X, Y, epochs=1, verbose=0)
    path = tf.train.Checkpoint(model).save(str(tmp_path / "ckpt"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert any(name.startswith("optimizer/_variables/") for name in names)


def test_a_layer_in_a_module(tmp_path):
    class Holder(tf.Module):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(2)

    trained = Holder()
    expected = trained.dense(X).numpy()
    path = tf.train.Checkpoint(holder=trained).save(str(tmp_path / "ckpt"))
    fresh = Holder()
    status = tf.train.Checkpoint(holder=fresh).restore(path)
    assert np.array_equal(fresh.dense(X).numpy(), expected)
    status.assert_consumed()


@pytest.mark.filterwarnings("ignore:`shuffle=True` was passed")
class TestFit:
    """`fit`, `evaluate` and `predict` take datasets."""

    def dataset(self):
        return tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)

    def compiled(self):
        tf.keras.utils.set_random_seed(1)
        model = functional()
        model.compile("sgd", "mse", metrics=["mae"])
        return model

    def test_as_from_arrays(self):
        from_arrays = self.compiled().fit(X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0)
        from_dataset = self.compiled().fit(self.dataset(), epochs=2, verbose=0)
        assert from_dataset.history == from_arrays.history

    def test_validation_steps_and_prediction(self):
        model = self.compiled()
        endless = self.dataset().repeat().prefetch(2)
        history = model.fit(
            endless, steps_per_epoch=3, epochs=2, validation_data=self.dataset(), verbose=0
        ).history
        assert len(history["val_loss"]) == 2
        assert np.allclose(
            model.evaluate(self.dataset(), verbose=0), model.evaluate(X, Y, verbose=0)
        )
        rows = tf.data.Dataset.from_tensor_slices(X).batch(5)
        # On a GPU batches of other sizes are summed in another order.
        assert np.allclose(model.predict(rows, verbose=0), model.predict(X, verbose=0), atol=1e-6)

    def test_class_weights(self):
        labels = (Y > 0).astype(np.int32)
        result = []
        for arrays in (True, False):
            tf.keras.utils.set_random_seed(1)
            model = functional()
            model.compile("sgd", "mse")
            weights = {0: 1.0, 1: 3.0}
            options = {"class_weight": weights, "verbose": 0, "shuffle": False}
            if arrays:
                history = model.fit(X, labels, batch_size=8, **options)
            else:
                data = tf.data.Dataset.from_tensor_slices((X, labels)).batch(8)
                history = model.fit(data, **options)
            result.append(history.history["loss"])
        assert result[0] == pytest.approx(result[1], rel=1e-6)


def test_one_variable_by_the_names_of_attributes(tmp_path):
    model = subclassed()
    model(X)
    model.first.bias.assign([1.0, 2.0, 3.0, 4.0])
    path = tf.train.Checkpoint(net=model).save(str(tmp_path / "ckpt"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert "net/first/bias/.ATTRIBUTES/VARIABLE_VALUE" in names
    assert "net/blocks/1/_kernel/.ATTRIBUTES/VARIABLE_VALUE" in names
    bias = tf.Variable(tf.zeros([4]))
    layer = tf.train.Checkpoint(bias=bias)
    partial = tf.train.Checkpoint(net=tf.train.Checkpoint(first=layer))
    partial.restore(path).expect_partial()
    assert bias.numpy().tolist() == [1.0, 2.0, 3.0, 4.0]
