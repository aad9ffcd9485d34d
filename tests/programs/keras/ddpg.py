"""Deep deterministic policy gradients: noise, a buffer, target networks, two optimizers."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(69)
rng = np.random.default_rng(69)
num_states, num_actions, upper_bound, lower_bound = 3, 1, 2.0, -2.0


class OUActionNoise:
    def __init__(self, mean, std_deviation, theta=0.15, dt=1e-2):
        self.theta, self.mean, self.std_dev, self.dt = theta, mean, std_deviation, dt
        self.x_prev = np.zeros_like(self.mean)

    def __call__(self):
        x = (
            self.x_prev
            + self.theta * (self.mean - self.x_prev) * self.dt
            + self.std_dev * np.sqrt(self.dt) * rng.normal(size=self.mean.shape)
        )
        self.x_prev = x
        return x


class Buffer:
    def __init__(self, buffer_capacity=100, batch_size=16):
        self.buffer_capacity, self.batch_size, self.buffer_counter = buffer_capacity, batch_size, 0
        self.state_buffer = np.zeros((self.buffer_capacity, num_states))
        self.action_buffer = np.zeros((self.buffer_capacity, num_actions))
        self.reward_buffer = np.zeros((self.buffer_capacity, 1))
        self.next_state_buffer = np.zeros((self.buffer_capacity, num_states))

    def record(self, obs_tuple):
        index = self.buffer_counter % self.buffer_capacity
        self.state_buffer[index] = obs_tuple[0]
        self.action_buffer[index] = obs_tuple[1]
        self.reward_buffer[index] = obs_tuple[2]
        self.next_state_buffer[index] = obs_tuple[3]
        self.buffer_counter += 1

    @tf.function
    def update(self, state_batch, action_batch, reward_batch, next_state_batch):
        with tf.GradientTape() as tape:
            target_actions = target_actor(next_state_batch, training=True)
            y = reward_batch + gamma * target_critic(
                [next_state_batch, target_actions], training=True
            )
            critic_value = critic_model([state_batch, action_batch], training=True)
            critic_loss = keras.ops.mean(keras.ops.square(y - critic_value))
        critic_grad = tape.gradient(critic_loss, critic_model.trainable_variables)
        critic_optimizer.apply_gradients(zip(critic_grad, critic_model.trainable_variables))
        with tf.GradientTape() as tape:
            actions = actor_model(state_batch, training=True)
            critic_value = critic_model([state_batch, actions], training=True)
            actor_loss = -keras.ops.mean(critic_value)
        actor_grad = tape.gradient(actor_loss, actor_model.trainable_variables)
        actor_optimizer.apply_gradients(zip(actor_grad, actor_model.trainable_variables))
        return critic_loss, actor_loss

    def learn(self):
        record_range = min(self.buffer_counter, self.buffer_capacity)
        batch_indices = rng.choice(record_range, self.batch_size)
        state_batch = keras.ops.convert_to_tensor(self.state_buffer[batch_indices])
        action_batch = keras.ops.convert_to_tensor(self.action_buffer[batch_indices])
        reward_batch = keras.ops.convert_to_tensor(self.reward_buffer[batch_indices])
        reward_batch = keras.ops.cast(reward_batch, dtype="float32")
        next_state_batch = keras.ops.convert_to_tensor(self.next_state_buffer[batch_indices])
        return self.update(state_batch, action_batch, reward_batch, next_state_batch)


def update_target(target, original, tau):
    target_weights = target.get_weights()
    original_weights = original.get_weights()
    for i in range(len(target_weights)):
        target_weights[i] = original_weights[i] * tau + target_weights[i] * (1 - tau)
    target.set_weights(target_weights)


def get_actor():
    last_init = keras.initializers.RandomUniform(minval=-0.003, maxval=0.003)
    inputs = layers.Input(shape=(num_states,))
    out = layers.Dense(16, activation="relu")(inputs)
    out = layers.Dense(16, activation="relu")(out)
    outputs = layers.Dense(1, activation="tanh", kernel_initializer=last_init)(out)
    outputs = outputs * upper_bound
    return keras.Model(inputs, outputs)


def get_critic():
    state_input = layers.Input(shape=(num_states,))
    state_out = layers.Dense(8, activation="relu")(state_input)
    action_input = layers.Input(shape=(num_actions,))
    action_out = layers.Dense(8, activation="relu")(action_input)
    concat = layers.Concatenate()([state_out, action_out])
    out = layers.Dense(16, activation="relu")(concat)
    outputs = layers.Dense(1)(out)
    return keras.Model([state_input, action_input], outputs)


def policy(state, noise_object):
    sampled_actions = keras.ops.squeeze(actor_model(state))
    noise = noise_object()
    sampled_actions = sampled_actions.numpy() + noise
    legal_action = np.clip(sampled_actions, lower_bound, upper_bound)
    return [np.squeeze(legal_action)]


class Pendulum:
    def reset(self):
        self.angle, self.speed = 0.7, 0.0
        return self.observe()

    def observe(self):
        return np.array([np.cos(self.angle), np.sin(self.angle), self.speed])

    def step(self, action):
        torque = float(np.clip(action, -2, 2))
        cost = self.angle**2 + 0.1 * self.speed**2 + 0.001 * torque**2
        self.speed += (15 * np.sin(self.angle) + 3 * torque) * 0.05
        self.angle += self.speed * 0.05
        return self.observe(), -cost


ou_noise = OUActionNoise(mean=np.zeros(1), std_deviation=0.2 * np.ones(1))
actor_model, critic_model = get_actor(), get_critic()
target_actor, target_critic = get_actor(), get_critic()
target_actor.set_weights(actor_model.get_weights())
target_critic.set_weights(critic_model.get_weights())
critic_optimizer = keras.optimizers.Adam(0.002)
actor_optimizer = keras.optimizers.Adam(0.001)
gamma, tau = 0.99, 0.05
buffer, env = Buffer(), Pendulum()
losses, rewards = [], []
prev_state = env.reset()
for step in range(20):
    tf_prev_state = keras.ops.expand_dims(keras.ops.convert_to_tensor(prev_state), 0)
    action = policy(tf_prev_state, ou_noise)
    state, reward = env.step(action[0])
    buffer.record((prev_state, action, reward, state))
    rewards.append(reward)
    if step >= 14:
        losses.append([value.numpy().item() for value in buffer.learn()])
        update_target(target_actor, actor_model, tau)
        update_target(target_critic, critic_model, tau)
    prev_state = state
print(
    json.dumps(
        {
            "losses": losses,
            "rewards": rewards,
            "action": float(action[0]),
            "target": [float(np.sum(w)) for w in target_critic.get_weights()],
        }
    )
)
