"""Actor-critic on a pole-balancing simulation: sampled actions, returns by scan, Huber loss."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(42)
rng = np.random.default_rng(42)
EPS = np.finfo(np.float32).eps.item()
MAX_STEPS = 30


class CartPole:
    """The equations of the pole on a cart, one Euler step of 0.02 s each."""

    def reset(self):
        self.state = rng.uniform(-0.05, 0.05, 4)
        return self.state.astype(np.float32)

    def step(self, action):
        x, x_dot, theta, theta_dot = self.state
        force = 10.0 if action == 1 else -10.0
        cos, sin = np.cos(theta), np.sin(theta)
        temp = (force + 0.05 * theta_dot**2 * sin) / 1.1
        theta_acc = (9.8 * sin - cos * temp) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        x_acc = temp - 0.05 * theta_acc * cos / 1.1
        self.state = self.state + 0.02 * np.array([x_dot, x_acc, theta_dot, theta_acc])
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2095
        return self.state.astype(np.float32), 1.0, bool(done)


class ActorCritic(tf.Module):
    def __init__(self, actions, hidden):
        super().__init__()
        self.common = tf.Variable(tf.random.normal([4, hidden], stddev=0.5))
        self.actor = tf.Variable(tf.random.normal([hidden, actions], stddev=0.3))
        self.critic = tf.Variable(tf.random.normal([hidden, 1], stddev=0.3))

    def __call__(self, inputs):
        x = tf.nn.relu(inputs @ self.common)
        return x @ self.actor, x @ self.critic


def run_episode(env, model):
    action_probs, values, rewards = [], [], []
    state = tf.constant(env.reset())
    for _ in range(MAX_STEPS):
        action_logits_t, value = model(tf.expand_dims(state, 0))
        action = tf.random.categorical(action_logits_t, 1)[0, 0]
        action_probs_t = tf.nn.softmax(action_logits_t)
        values.append(tf.squeeze(value))
        action_probs.append(action_probs_t[0, action])
        state, reward, done = env.step(int(action))
        rewards.append(tf.constant(reward))
        state = tf.constant(state)
        if done:
            break
    return tf.stack(action_probs), tf.stack(values), tf.stack(rewards)


def get_expected_return(rewards, gamma=0.99, standardize=True):
    n = tf.shape(rewards)[0]
    returns = tf.scan(lambda total, r: r + gamma * total, rewards[::-1], initializer=0.0)[::-1]
    tf.debugging.assert_equal(tf.shape(returns)[0], n)
    if standardize:
        returns = (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + EPS)
    return returns


def huber(target, value):
    error = target - value
    small = tf.abs(error) <= 1.0
    return tf.reduce_sum(tf.where(small, 0.5 * error**2, tf.abs(error) - 0.5))


def compute_loss(action_probs, values, returns):
    advantage = returns - values
    actor_loss = -tf.math.reduce_sum(tf.math.log(action_probs) * tf.stop_gradient(advantage))
    return actor_loss + huber(returns, values)


env, model = CartPole(), ActorCritic(2, 16)
lengths, losses = [], []
for _ in range(5):
    with tf.GradientTape() as tape:
        action_probs, values, rewards = run_episode(env, model)
        loss = compute_loss(action_probs, values, get_expected_return(rewards))
    for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
        v.assign_sub(0.01 * g)
    lengths.append(int(tf.math.reduce_sum(rewards)))
    losses.append(loss.numpy().item())
print(json.dumps({"lengths": lengths, "losses": losses, "values": values[:5].numpy().tolist()}))
