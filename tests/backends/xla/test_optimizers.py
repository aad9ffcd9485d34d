"""Keras's optimizers in an eager loop on a device: a step is one program."""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf

optimizers = tf.keras.optimizers
SCHEDULE = optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
CASES = {
    "sgd": lambda: optimizers.SGD(0.1),
    "momentum": lambda: optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "adam": lambda: optimizers.Adam(0.1),
    "amsgrad": lambda: optimizers.Adam(0.1, amsgrad=True, clipnorm=0.5),
    "adamw": lambda: optimizers.AdamW(0.1, weight_decay=0.1, global_clipnorm=1.0),
    "nadam": lambda: optimizers.Nadam(0.1),
    "rmsprop": lambda: optimizers.RMSprop(0.1, centered=True, clipvalue=0.5),
    "adagrad": lambda: optimizers.Adagrad(0.1),
    "ftrl": lambda: optimizers.Ftrl(0.1),
    "lion": lambda: optimizers.Lion(0.1),
    "schedule": lambda: optimizers.Adam(SCHEDULE),
    "average": lambda: optimizers.SGD(0.1, use_ema=True, ema_overwrite_frequency=3),
    "accumulation": lambda: optimizers.SGD(0.1, gradient_accumulation_steps=2),
    "loss scale": lambda: optimizers.SGD(0.1, loss_scale_factor=4.0),
}
STEPS = 7


def train(optimizer, steps=STEPS, between=lambda optimizer, i: None):
    """Return what variables are after some eager steps."""
    variables = [
        tf.Variable(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)),
        tf.Variable(np.float32([0.5, -2, 1])),
    ]
    for i in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(variables[0] + variables[1]) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        between(optimizer, i)
    return [v.numpy() for v in (*variables, *optimizer.variables)]


def programs_of(optimizer) -> list:
    updates = vars(optimizer).get("_device_updates")
    return [] if updates is None else [p for p in updates._programs.values() if p.function]


def compare(make, between=lambda optimizer, i: None):
    """Train on the host and on a device; return the latter's optimizer."""
    with tf.device("/CPU:0"):
        expected = train(make(), between=between)
    with tf.device("/XLA:0"):
        optimizer = make()
        made = train(optimizer, between=between)
    for ours, theirs in zip(made, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)
    return optimizer


@pytest.mark.parametrize("name", CASES)
def test_a_step_is_one_program(name):
    optimizer = compare(CASES[name])
    (program,) = programs_of(optimizer)
    updates = STEPS if name != "accumulation" else STEPS // 2
    assert program.steps == updates


def test_settings_may_change():
    def between(optimizer, i):
        if i == 3:
            optimizer.beta_1 = 0.5
        if i == 4:
            optimizer.learning_rate = 0.01

    assert len(programs_of(compare(CASES["adam"], between))) == 2


def test_an_optimizer_of_the_program_runs_its_python():
    seen = []

    class Counted(optimizers.SGD):
        def update_step(self, gradient, variable, learning_rate):
            seen.append(len(seen))
            super().update_step(gradient, variable, learning_rate / (1 + len(seen)))

    assert not programs_of(compare(lambda: (seen.clear(), Counted(0.1))[1]))
    assert len(seen) == 2 * STEPS


def test_methods_of_the_instance_are_called():
    with tf.device("/XLA:0"):
        optimizer, seen = optimizers.SGD(0.1), []
        assign_sub = optimizer.assign_sub
        optimizer.assign_sub = lambda *given: (seen.append(0), assign_sub(*given))
        train(optimizer)
    assert len(seen) == 2 * STEPS


def test_gradients_of_rows():
    def steps(optimizer):
        table = tf.Variable(np.ones((5, 2), np.float32))
        for _ in range(STEPS):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(table, [1, 3, 3]) ** 2)
            gradient = tape.gradient(loss, table)
            assert isinstance(gradient, tf.IndexedSlices)
            optimizer.apply_gradients([(gradient, table)])
        return table.numpy()

    with tf.device("/CPU:0"):
        expected = steps(optimizers.Adam(0.1))
    with tf.device("/XLA:0"):
        np.testing.assert_allclose(steps(optimizers.Adam(0.1)), expected, rtol=1e-5)


def test_a_tape_around_the_step_sees_its_ops():
    with tf.device("/XLA:0"):
        optimizer, v = optimizers.SGD(0.5), tf.Variable([1.0, 2.0])
        for _ in range(5):
            with tf.GradientTape() as tape:
                optimizer.apply_gradients([(tf.ones([2]), v)])
                y = tf.reduce_sum(v * v)
        np.testing.assert_allclose(tape.gradient(y, v), 2 * np.float32([-1.5, -0.5]))
        assert not programs_of(optimizer)


def test_a_step_that_fails_changes_nothing(monkeypatch):
    with tf.device("/XLA:0"):
        optimizer = optimizers.Adam(0.1)
        variables = [tf.Variable([1.0, 2.0]), tf.Variable([[3.0]])]
        grads = [tf.ones([2]), tf.ones([1, 1])]
        for _ in range(4):
            optimizer.apply(grads, variables)
        (program,) = programs_of(optimizer)
        before = [x.numpy() for x in (*variables, *optimizer.variables)]

        def fails(*given):
            raise KeyboardInterrupt

        called, program.function = program.function, fails
        with pytest.raises(KeyboardInterrupt):
            optimizer.apply(grads, variables)
        for value, x in zip(before, (*variables, *optimizer.variables), strict=True):
            np.testing.assert_array_equal(x, value)
        program.function = called
        optimizer.apply(grads, variables)
        assert int(optimizer.iterations) == 5
        assert not np.array_equal(variables[0], before[0])


def test_copies_have_programs_of_their_own():
    with tf.device("/XLA:0"):
        optimizer = optimizers.SGD(0.1)
        train(optimizer)
        updates = vars(optimizer)["_device_updates"]
        assert not copy.deepcopy(updates)._programs
        v = tf.Variable([1.0])
        other = optimizers.SGD.from_config(optimizer.get_config())
        other.apply([tf.ones([1])], [v])
        np.testing.assert_allclose(v, [0.9])


def test_few_steps_are_not_compiled():
    with tf.device("/XLA:0"):
        optimizer = optimizers.SGD(0.1)
        train(optimizer, steps=2)
        assert not programs_of(optimizer)


def test_the_learning_rate_is_not_fetched(monkeypatch):
    """To read it would wait for the device, in the middle of every step."""
    from gradtape.backends.xla.runtime import transfer

    with tf.device("/XLA:0"):
        optimizer, v = optimizers.Adam(0.1), tf.Variable([1.0])
        fetched = []
        monkeypatch.setattr(transfer, "_on_host", lambda data: fetched.append(data))
        for _ in range(5):
            optimizer.apply([tf.ones([1])], [v])
        assert not fetched
