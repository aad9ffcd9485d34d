"""PPO with a Gaussian policy for a point mass: GAE, clipped ratios, minibatches, entropy bonus."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
GAMMA, LAM, CLIP, HORIZON = 0.95, 0.9, 0.2, 24


class PointMass:
    def reset(self):
        self.x, self.v = 1.0, 0.0
        return np.array([self.x, self.v], np.float32)

    def step(self, a):
        self.v += 0.1 * float(np.clip(a, -2, 2))
        self.x += 0.1 * self.v
        return np.array([self.x, self.v], np.float32), -(self.x**2) - 0.01 * float(a) ** 2


def mlp(sizes):
    out = []
    for n, m in zip(sizes, sizes[1:]):
        out.append(tf.Variable(rng.normal(size=(n, m)) / np.sqrt(n), dtype=tf.float32))
        out.append(tf.Variable(tf.zeros(m)))
    return out


def forward(ws, x):
    for w, b in zip(ws[:-2:2], ws[1:-2:2]):
        x = tf.nn.tanh(x @ w + b)
    return tf.squeeze(x @ ws[-2] + ws[-1], -1)


actor, critic, log_std = mlp([2, 16, 1]), mlp([2, 16, 1]), tf.Variable(-0.5)
policy_variables = [*actor, log_std]


def log_prob(mean, a):
    return -0.5 * ((a - mean) / tf.exp(log_std)) ** 2 - log_std - 0.5 * np.log(2 * np.pi)


def collect(env):
    s, rows = env.reset(), []
    for _ in range(HORIZON):
        mean = forward(actor, s[None])[0]
        a = float(mean + tf.exp(log_std) * rng.normal())
        nxt, r = env.step(a)
        rows.append((s, a, r, float(forward(critic, s[None])[0]), float(log_prob(mean, a))))
        s = nxt
    last = float(forward(critic, s[None])[0])
    states, actions, rewards, values, logps = (np.array(c, np.float32) for c in zip(*rows))
    adv, running = np.zeros(HORIZON, np.float32), 0.0
    for t in reversed(range(HORIZON)):
        following = values[t + 1] if t + 1 < HORIZON else last
        running = rewards[t] + GAMMA * following - values[t] + GAMMA * LAM * running
        adv[t] = running
    return states, actions, logps, adv, adv + values, rewards.sum()


def update(variables, loss, tape, rate):
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(rate * g)


env, history = PointMass(), []
for iteration in range(3):
    states, actions, old, adv, returns, total = collect(env)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for batch in np.split(rng.permutation(HORIZON), 3):
        s, a = tf.gather(states, batch), tf.gather(actions, batch)
        with tf.GradientTape() as tape:
            ratio = tf.exp(log_prob(forward(actor, s), a) - old[batch])
            clipped = tf.clip_by_value(ratio, 1 - CLIP, 1 + CLIP)
            surrogate = tf.minimum(ratio * adv[batch], clipped * adv[batch])
            policy_loss = -tf.reduce_mean(surrogate) - 0.01 * log_std
        update(policy_variables, policy_loss, tape, 0.05)
        with tf.GradientTape() as tape:
            value_loss = tf.reduce_mean((forward(critic, s) - returns[batch]) ** 2)
        update(critic, value_loss, tape, 0.01)
    history.append([float(total), float(policy_loss), float(value_loss), float(log_std)])
print(json.dumps({"history": history}))
