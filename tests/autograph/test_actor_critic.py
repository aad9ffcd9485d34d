"""The actor-critic program of TensorFlow's tutorials, traced as it stands."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import gradtape as tf
from tests.autograph import actor_critic

# `python -m tests.autograph.actor_critic` prints TensorFlow's.
RECORDED = [
    [16, "5.809"],
    [12, "3.48"],
    [16, "3.567"],
    [12, "3.072"],
    [15, "2.981"],
    [12, "2.336"],
    [14, "1.041"],
    [13, "5.472"],
]


def test_losses_as_tensorflow(caplog):
    result = actor_critic.losses(tf, len(RECORDED))
    assert [reward for reward, _ in result] == [reward for reward, _ in RECORDED]
    for (_, loss), (_, expected) in zip(result, RECORDED, strict=True):
        assert float(loss) == pytest.approx(float(expected), rel=2e-3)
    assert "runs eagerly" not in caplog.text


def test_the_first_call_is_traced():
    """No call runs eagerly: what the environment returns is seen while tracing."""
    eager = []
    env = actor_critic.CartPole()

    def draw(logits, t):
        eager.append(logits._has_value)
        return tf.random.categorical(logits, 1)[0, 0]

    model, optimizer, train_step = actor_critic.program(tf, env, draw)
    for episode in range(2):
        train_step(tf.constant(env.reset(episode)), model, optimizer, 0.99, 40)
    assert not any(eager)
    assert train_step.experimental_get_tracing_count() == 1


@pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
def test_compiled():
    """The program calls the environment in its loop; TensorFlow's XLA refuses that."""
    result = actor_critic.losses(tf, 3, jit_compile=True)
    assert [reward for reward, _ in result] == [reward for reward, _ in RECORDED[:3]]
    for (_, loss), (_, expected) in zip(result, RECORDED, strict=False):
        assert float(loss) == pytest.approx(float(expected), rel=2e-3)


def test_a_step_is_traced_and_draws_other_actions_in_each_iteration(caplog):
    actions = []

    class Environment(actor_critic.CartPole):
        def step(self, action):
            actions.append(int(action))
            return super().step(action)

    env = Environment()
    model, optimizer, train_step = actor_critic.program(
        tf, env, lambda logits, t: tf.random.categorical(logits, 1)[0, 0]
    )
    tf.random.set_seed(3)
    for episode in range(4):
        before = len(actions)
        state = tf.constant(env.reset(episode))
        reward, loss = train_step(state, model, optimizer, 0.99, 40)
        assert int(reward) == len(actions) - before  # each step of the environment happens once
        assert np.isfinite(float(loss))
    assert set(actions) == {0, 1}
    assert train_step.experimental_get_tracing_count() == 1
    assert "runs eagerly" not in caplog.text
