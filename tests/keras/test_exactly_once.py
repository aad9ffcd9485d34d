"""Every batch of `fit` is applied exactly once, whichever way its step runs and whatever fails."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

pytestmark = [
    pytest.mark.keras,
    pytest.mark.filterwarnings("ignore:Your input ran out of data"),
]
keras = pytest.importorskip("gradtape.keras", reason="Keras is an optional package")

X = np.linspace(-1, 1, 128, dtype="f").reshape(16, 8)
Y = X[:, :1]
SIZES = (16, 8, 16, 12, 8, 16, 8, 16, 12, 5, 8, 16)  # alternating, and one that comes once


class Boom(Exception):
    """Injected by a test."""


class Extra(keras.layers.Layer):
    """A loss of its own for some shapes only."""

    def call(self, x):
        if x.shape[0] == 16:
            self.add_loss(0.1 * tf.reduce_mean(x**2))
        return x


def batches(sizes=SIZES):
    for n in sizes:
        yield X[:n], Y[:n]


def plain():
    layers = keras.layers
    return keras.Sequential([layers.Input((8,)), layers.Dense(4, "tanh"), layers.Dense(1)])


def with_losses():
    layers = keras.layers
    return keras.Sequential(
        [
            layers.Input((8,)),
            layers.Dense(4, "tanh"),
            Extra(),
            layers.Dense(1, kernel_regularizer="l2"),
        ]
    )


def with_draws():
    layers = keras.layers
    return keras.Sequential(
        [
            layers.Input((8,)),
            layers.Dense(4, "tanh"),
            layers.Dropout(0.3, seed=1),
            layers.BatchNormalization(),
            layers.Dense(1),
        ]
    )


class Own(keras.Model):
    """A training step of its own, built by its first batch."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.runs = 0

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        self.runs += 1
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}


class Deciding(Own):
    """One that Python decides in."""

    def train_step(self, data):
        logs = super().train_step(data)
        if logs["loss"] > 1e9:
            raise AssertionError
        return logs


BUILDS = {f.__name__: f for f in (plain, with_losses, with_draws, Own, Deciding)}


def made(build, eagerly=False, **options):
    keras.utils.set_random_seed(0)
    model = build()
    if not isinstance(model, Own):  # whose step has a loss, and no metrics
        options |= {"loss": "mse", "metrics": [keras.metrics.MeanAbsoluteError()]}
    model.compile(keras.optimizers.Adam(0.01), run_eagerly=eagerly, **options)
    return model


def fitted(build, seeded: bool, eagerly=False, epochs=2, callbacks=None, **options):
    model = made(build, eagerly=eagerly, **options)
    if not seeded:
        tf.random.set_seed(None)  # numbers that the model draws have a seed of their own
    history = [
        model.fit(batches(), epochs=1, verbose=0, shuffle=False, callbacks=callbacks).history
        for _ in range(epochs)
    ]
    return model, history


def assert_same(model, other, rtol=1e-5):
    assert int(model.optimizer.iterations) == int(other.optimizer.iterations)
    for a, b in zip(model.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-6)


@pytest.mark.parametrize("seeded", [True, False])
@pytest.mark.parametrize("build", BUILDS)
def test_as_many_updates_as_batches_and_the_weights_of_eager_steps(build, seeded, caplog):
    model, history = fitted(BUILDS[build], seeded)
    eager, expected = fitted(BUILDS[build], seeded, eagerly=True)
    assert int(model.optimizer.iterations) == 2 * len(SIZES)
    assert_same(model, eager)
    for result, wanted in zip(history, expected, strict=True):
        assert result.keys() == wanted.keys()
        for name in result:
            np.testing.assert_allclose(result[name], wanted[name], rtol=1e-5, atol=1e-6)
    assert caplog.text.count("runs eagerly") == (build == "Deciding")


def test_the_way_does_not_depend_on_a_seed_or_a_clock():
    """The first batches of two shapes are eager, all others one graph: how often Python runs."""
    for seeded in (True, False):
        model, _ = fitted(Own, seeded, epochs=2)
        # Two shapes once eagerly, and one trace for all sizes when the third comes.
        assert len(set(SIZES)) > 2
        assert model.runs == 3
    eager, _ = fitted(Deciding, True)
    assert eager.runs == 2 * len(SIZES)


def test_losses_are_those_of_the_last_batch():
    model = made(with_losses)
    eager = made(with_losses, eagerly=True)
    for size in (16, 8, 8, 16, 16, 8, 12, 16, 8):
        for each in (model, eager):
            each.train_on_batch(X[:size], Y[:size])
        result, wanted = ([float(loss) for loss in each.losses] for each in (model, eager))
        assert len(result) == 1 + (size == 16)
        np.testing.assert_allclose(result, wanted, rtol=1e-5)


# --- exceptions ----------------------------------------------------------------------------------


class Failing(keras.layers.Layer):
    """Raises in the run of `call` with a number that is asked for: eager, or in the trace."""

    at, error = 0, Boom

    def __init__(self):
        super().__init__()
        self.calls = 0

    def call(self, x, training=False):
        if training:
            self.calls += 1
            if self.calls == self.at:
                raise self.error("injected")
        return x


def with_failure():
    layers = keras.layers
    return keras.Sequential(
        [layers.Input((8,)), layers.Dense(4, "tanh"), Failing(), layers.Dense(1)]
    )


@pytest.mark.parametrize("error", [Boom, TypeError, AttributeError, MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_an_exception_in_an_eager_step_or_in_a_trace(stage, error, monkeypatch, caplog):
    """Call 1 is the eager batch of a shape, 2 its trace; 3 the eager batch of the next shape."""
    monkeypatch.setattr(Failing, "at", stage)
    monkeypatch.setattr(Failing, "error", error)
    model, reference = made(with_failure), made(plain)
    reference.set_weights(model.get_weights())
    applied = 0
    for size in (16, 16, 8, 8, 16, 8):
        try:
            model.train_on_batch(X[:size], Y[:size])
        except error:
            continue
        applied += 1
        reference.train_on_batch(X[:size], Y[:size])
        assert int(model.optimizer.iterations) == applied
    assert applied == 5
    for a, b in zip(model.get_weights(), reference.get_weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    assert "eagerly" not in caplog.text


def test_a_trace_that_fails_leaves_no_losses_of_its_own(monkeypatch):
    monkeypatch.setattr(Failing, "at", 2)
    layers = keras.layers
    parts = [layers.Input((8,)), layers.Dense(1), Extra(), Failing()]
    model = made(lambda: keras.Sequential(parts))
    model.train_on_batch(X, Y)
    with pytest.raises(Boom):
        model.train_on_batch(X, Y)
    assert not model.losses
    model.train_on_batch(X, Y)
    assert [float(loss) > 0 for loss in model.losses] == [True]


@pytest.mark.parametrize("error", [Boom, TypeError, KeyboardInterrupt])
def test_an_exception_while_a_graph_runs(error, monkeypatch, caplog):
    """Whether before or after the graph has written, the step is not run again."""
    from gradtape.graph.routine import Routine

    call = Routine.__call__
    for after in (False, True):
        model, eager = made(plain), made(plain, eagerly=True)
        eager.set_weights(model.get_weights())
        for _ in range(3):
            model.train_on_batch(X, Y)
            eager.train_on_batch(X, Y)

        def failing(routine, tensors, after=after):
            if after:
                call(routine, tensors)
            raise error("injected")

        with monkeypatch.context() as patch:
            patch.setattr(Routine, "__call__", failing)
            with pytest.raises(error, match="injected"):
                model.train_on_batch(X, Y)
        if after:
            eager.train_on_batch(X, Y)
        assert_same(model, eager)
        for each in (model, eager):
            each.train_on_batch(X, Y)
        assert_same(model, eager)
    assert "eagerly" not in caplog.text


@pytest.mark.parametrize("at", [0, 1, 4])
def test_an_exception_in_a_callback(at):
    class Stopping(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == at:
                raise Boom

    model, eager = made(with_losses), made(with_losses, eagerly=True)
    for each in (model, eager):
        with pytest.raises(Boom):
            each.fit(batches(), verbose=0, shuffle=False, callbacks=[Stopping()])
        assert int(each.optimizer.iterations) == at + 1
        each.fit(batches(), verbose=0, shuffle=False)
        assert int(each.optimizer.iterations) == at + 1 + len(SIZES)
    assert_same(model, eager)


def test_a_step_that_needs_a_value_in_a_way_that_is_not_seen_is_still_applied_once(caplog):
    class Hidden(Own):
        def train_step(self, data):
            logs = super().train_step(data)
            getattr(logs["loss"], "num" + "py")()
            return logs

    model, _ = fitted(Hidden, True)
    eager, _ = fitted(Hidden, True, eagerly=True)
    assert int(model.optimizer.iterations) == 2 * len(SIZES)
    assert_same(model, eager)
    assert caplog.text.count("runs eagerly") == 1
    assert "array(" not in caplog.text
    assert f"{__file__}:" in caplog.text
