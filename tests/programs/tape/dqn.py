"""Deep Q-learning in a corridor: replay memory, a target network, masked Q values."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)
STATES, ACTIONS, GAMMA = 7, 2, 0.9


def step(state, action):
    state = min(max(state + (1 if action else -1), 0), STATES - 1)
    return state, float(state == STATES - 1), state == STATES - 1


class QNetwork(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.w1 = tf.Variable(tf.random.uniform([STATES, 16], -0.4, 0.4), name="w1")
        self.b1 = tf.Variable(tf.zeros([16]), name="b1")
        self.w2 = tf.Variable(tf.random.uniform([16, ACTIONS], -0.4, 0.4), name="w2")

    def __call__(self, states):
        x = tf.one_hot(states, STATES)
        return tf.nn.selu(x @ self.w1 + self.b1) @ self.w2


policy, target = QNetwork("policy"), QNetwork("target")
for t, p in zip(target.variables, policy.variables):
    t.assign(p)

memory, state, epsilon = [], 0, 1.0
losses, norms, episodes, length = [], [], [], 0
for frame in range(160):
    if rng.random() < epsilon:
        action = int(rng.integers(ACTIONS))
    else:
        action = int(tf.argmax(policy(tf.constant([state])), axis=1)[0])
    following, reward, done = step(state, action)
    memory.append((state, action, reward, following, float(done)))
    length += 1
    state = 0 if done else following
    if done:
        episodes.append(length)
        length = 0
    epsilon = max(0.1, epsilon - 0.01)
    if frame >= 20 and frame % 4 == 0:
        batch = [memory[i] for i in rng.choice(len(memory), 16, replace=False)]
        states, actions, rewards, nexts, dones = (np.array(column) for column in zip(*batch))
        future = tf.reduce_max(target(tf.constant(nexts)), axis=1)
        updated_q = tf.cast(rewards, tf.float32) + GAMMA * future * (1 - tf.cast(dones, tf.float32))
        masks = tf.one_hot(actions, ACTIONS)
        with tf.GradientTape() as tape:
            q_action = tf.reduce_sum(tf.multiply(policy(tf.constant(states)), masks), axis=1)
            loss = tf.reduce_mean(tf.math.squared_difference(updated_q, q_action))
        grads = tape.gradient(loss, policy.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        for v, g in zip(policy.trainable_variables, grads):
            v.assign_sub(0.5 * g)
        losses.append(loss.numpy().item())
        norms.append(norm.numpy().item())
    if frame % 20 == 0:
        for t, p in zip(target.variables, policy.variables):
            t.assign(0.5 * t + 0.5 * p)

values = policy(tf.range(STATES))
print(
    json.dumps(
        {
            "episodes": episodes,
            "losses": losses[::4],
            "norms": norms[:10],
            "values": values.numpy().tolist(),
            "greedy": tf.argmax(values, axis=1).numpy().tolist(),
        }
    )
)
