"""Advantage actor-critic in a grid world: one model with two heads, returns by a reversed scan."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(42)
SIZE, GOAL, ACTIONS = 4, (3, 3), [(0, 1), (1, 0), (0, -1), (-1, 0)]
eps = np.finfo(np.float32).eps.item()


class ActorCritic(tf.keras.Model):
    def __init__(self, num_actions, num_hidden_units):
        super().__init__()
        self.common = layers.Dense(num_hidden_units, activation="relu")
        self.actor = layers.Dense(num_actions)
        self.critic = layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


def env_step(position, action):
    delta = ACTIONS[action]
    new = tuple(int(np.clip(p + d, 0, SIZE - 1)) for p, d in zip(position, delta))
    return new, (1.0 if new == GOAL else -0.05), new == GOAL


def observe(position):
    return tf.one_hot([position[0] * SIZE + position[1]], SIZE * SIZE)


def run_episode(model, rng, max_steps=12):
    probs, values, rewards, position = [], [], [], (0, 0)
    for _ in range(max_steps):
        logits, value = model(observe(position))
        p = tf.nn.softmax(logits)[0]
        action = int(np.searchsorted(np.cumsum(p.numpy()), rng.random() * 0.999))
        position, reward, done = env_step(position, action)
        probs.append(p[action])
        values.append(value[0, 0])
        rewards.append(reward)
        if done:
            break
    return tf.stack(probs), tf.stack(values), tf.constant(rewards)


def get_expected_return(rewards, gamma):
    returns = tf.scan(lambda acc, r: r + gamma * acc, rewards[::-1], initializer=tf.constant(0.0))[
        ::-1
    ]
    return (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + eps)


model = ActorCritic(4, 16)
huber = tf.keras.losses.Huber(reduction="sum")
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
rng = np.random.default_rng(1)
log = []
for episode in range(4):
    with tf.GradientTape() as tape:
        action_probs, values, rewards = run_episode(model, rng)
        returns = get_expected_return(rewards, 0.9)
        advantage = returns - values
        actor_loss = -tf.math.reduce_sum(tf.math.log(action_probs) * advantage)
        loss = actor_loss + huber(values, returns)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    log.append([float(loss), float(tf.reduce_sum(rewards)), float(len(rewards))])
print(json.dumps({"log": log}))
