"""The actor-critic program of TensorFlow's tutorials, traced as it stands."""

from __future__ import annotations

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
    found = actor_critic.losses(tf, len(RECORDED))
    assert [reward for reward, _ in found] == [reward for reward, _ in RECORDED]
    for (_, loss), (_, expected) in zip(found, RECORDED, strict=True):
        assert float(loss) == pytest.approx(float(expected), rel=2e-3)
    assert "runs eagerly" not in caplog.text


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
    for episode in range(4):  # the first learns what the environment returns
        before = len(actions)
        state = tf.constant(env.reset(episode))
        reward, loss = train_step(state, model, optimizer, 0.99, 40)
        assert int(reward) == len(actions) - before  # each step of the environment happens once
        assert np.isfinite(float(loss))
    assert set(actions) == {0, 1}
    assert train_step.experimental_get_tracing_count() == 1
    assert "runs eagerly" not in caplog.text
