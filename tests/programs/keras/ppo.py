"""Proximal policy optimization: a buffer with advantages, clipped ratios, an early stop by KL."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(131)
rng = np.random.default_rng(131)
observation_dimensions, num_actions = 4, 2
gamma, lam, clip_ratio, target_kl = 0.99, 0.97, 0.2, 0.01


def discounted_cumulative_sums(x, discount):
    out, total = np.zeros_like(x), 0.0
    for i in reversed(range(len(x))):
        total = x[i] + discount * total
        out[i] = total
    return out


class Buffer:
    def __init__(self, size):
        self.observations = np.zeros((size, observation_dimensions), dtype="float32")
        self.actions = np.zeros(size, dtype="int32")
        self.advantages, self.rewards, self.returns, self.values, self.logprobs = (
            np.zeros(size, dtype="float32") for _ in range(5)
        )
        self.pointer, self.start = 0, 0

    def store(self, observation, action, reward, value, logprobability):
        at = self.pointer
        self.observations[at], self.actions[at], self.rewards[at] = observation, action, reward
        self.values[at], self.logprobs[at] = value, logprobability
        self.pointer += 1

    def finish_trajectory(self, last_value=0):
        path = slice(self.start, self.pointer)
        rewards = np.append(self.rewards[path], last_value)
        values = np.append(self.values[path], last_value)
        deltas = rewards[:-1] + gamma * values[1:] - values[:-1]
        self.advantages[path] = discounted_cumulative_sums(deltas, gamma * lam)
        self.returns[path] = discounted_cumulative_sums(rewards, gamma)[:-1]
        self.start = self.pointer

    def get(self):
        mean, std = np.mean(self.advantages), np.std(self.advantages)
        advantages = (self.advantages - mean) / std
        return self.observations, self.actions, advantages, self.returns, self.logprobs


def mlp(x, sizes, activation="tanh", output_activation=None):
    for size in sizes[:-1]:
        x = layers.Dense(units=size, activation=activation)(x)
    return layers.Dense(units=sizes[-1], activation=output_activation)(x)


def logprobabilities(logits, a):
    logprobabilities_all = keras.ops.log_softmax(logits)
    return keras.ops.sum(keras.ops.one_hot(a, num_actions) * logprobabilities_all, axis=1)


seed_generator = keras.random.SeedGenerator(1337)


@tf.function
def sample_action(observation):
    logits = actor(observation)
    action = keras.ops.squeeze(keras.random.categorical(logits, 1, seed=seed_generator), axis=1)
    return logits, action


@tf.function
def train_policy(observations, actions, logprobs, advantages):
    with tf.GradientTape() as tape:
        ratio = keras.ops.exp(logprobabilities(actor(observations), actions) - logprobs)
        min_advantage = keras.ops.where(
            advantages > 0, (1 + clip_ratio) * advantages, (1 - clip_ratio) * advantages
        )
        policy_loss = -keras.ops.mean(keras.ops.minimum(ratio * advantages, min_advantage))
    policy_grads = tape.gradient(policy_loss, actor.trainable_variables)
    policy_optimizer.apply_gradients(zip(policy_grads, actor.trainable_variables))
    kl = keras.ops.mean(logprobs - logprobabilities(actor(observations), actions))
    return keras.ops.sum(kl)


@tf.function
def train_value_function(observations, returns):
    with tf.GradientTape() as tape:
        value_loss = keras.ops.mean((returns - critic(observations)) ** 2)
    value_grads = tape.gradient(value_loss, critic.trainable_variables)
    value_optimizer.apply_gradients(zip(value_grads, critic.trainable_variables))
    return value_loss


observation_input = keras.Input(shape=(observation_dimensions,), dtype="float32")
actor = keras.Model(observation_input, mlp(observation_input, [16, 16, num_actions]))
value = keras.ops.squeeze(mlp(observation_input, [16, 16, 1]), axis=1)
critic = keras.Model(inputs=observation_input, outputs=value)
policy_optimizer = keras.optimizers.Adam(learning_rate=3e-3)
value_optimizer = keras.optimizers.Adam(learning_rate=1e-2)


class Cart:
    """A pole on a cart, in a few lines."""

    def reset(self):
        self.state = np.array([0.01, 0.02, 0.03, -0.02])
        return self.state

    def step(self, action):
        x, v, angle, w = self.state
        force = 10.0 if action == 1 else -10.0
        temp = (force + 0.05 * w**2 * np.sin(angle)) / 1.1
        w_acc = (9.8 * np.sin(angle) - np.cos(angle) * temp) / (
            0.5 * (4 / 3 - 0.1 * np.cos(angle) ** 2 / 1.1)
        )
        v_acc = temp - 0.05 * w_acc * np.cos(angle) / 1.1
        self.state = self.state + 0.02 * np.array([v, v_acc, w, w_acc])
        return self.state, 1.0, bool(abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2)


env, history = Cart(), {"kl": [], "value": [], "lengths": [], "actions": []}
for epoch in range(2):
    buffer = Buffer(40)
    observation, length = env.reset(), 0
    for t in range(40):
        observation = observation.reshape(1, -1).astype("float32")
        logits, action = sample_action(observation)
        action = int(action[0])
        value_t = critic(observation)
        logprobability_t = logprobabilities(logits, tf.constant([action]))
        following, reward, done = env.step(action)
        length += 1
        buffer.store(observation, action, reward, float(value_t[0]), float(logprobability_t[0]))
        history["actions"].append(action)
        observation = following
        if done or t == 39:
            last = 0 if done else float(critic(observation.reshape(1, -1).astype("float32"))[0])
            buffer.finish_trajectory(last)
            history["lengths"].append(length)
            observation, length = env.reset(), 0
    data = buffer.get()
    for _ in range(4):
        kl = train_policy(data[0], data[1], data[4], data[2])
        history["kl"].append(float(kl))
        if kl > 1.5 * target_kl:
            break
    for _ in range(3):
        history["value"].append(float(train_value_function(data[0], data[3])))
print(json.dumps(history))
