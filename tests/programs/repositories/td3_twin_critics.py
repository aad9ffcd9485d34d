"""TD3: twin critics, target smoothing, delayed actor, Polyak averaging; Keras models, no fit."""

import copy
import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Dense

tf.random.set_seed(0)
rng = np.random.RandomState(0)


class Actor(Model):
    def __init__(self, state_dim, action_dim, max_action):
        super(Actor, self).__init__()
        self.l1 = Dense(16, activation="relu")
        self.l2 = Dense(action_dim, activation="tanh")
        self.max_action = max_action
        self(tf.zeros((1, state_dim)))

    def call(self, state):
        return self.max_action * self.l2(self.l1(state))


class Critic(Model):
    def __init__(self, state_dim, action_dim):
        super(Critic, self).__init__()
        self.q1 = [Dense(16, activation="relu"), Dense(1)]
        self.q2 = [Dense(16, activation="relu"), Dense(1)]
        self([tf.zeros((1, state_dim)), tf.zeros((1, action_dim))])

    def call(self, inputs):
        sa = tf.concat(inputs, axis=1)
        return self.q1[1](self.q1[0](sa)), self.q2[1](self.q2[0](sa))


actor, actor_target = Actor(3, 1, 2.0), Actor(3, 1, 2.0)
critic, critic_target = Critic(3, 1), Critic(3, 1)
for net, target in ((actor, actor_target), (critic, critic_target)):
    net.set_weights([rng.uniform(-0.4, 0.4, w.shape) for w in net.get_weights()])
    target.set_weights(copy.deepcopy(net.get_weights()))
actor_opt, critic_opt = tf.keras.optimizers.Adam(1e-2), tf.keras.optimizers.Adam(1e-2)
log = []
for it in range(6):
    s, s2 = (rng.randn(16, 3).astype("float32") for _ in range(2))
    a = rng.uniform(-2, 2, (16, 1)).astype("float32")
    r = (-(s**2).sum(1, keepdims=True) - 0.1 * a**2).astype("float32")
    noise = tf.clip_by_value(tf.constant(0.2 * rng.randn(16, 1), tf.float32), -0.5, 0.5)
    a2 = tf.clip_by_value(actor_target(s2) + noise, -2.0, 2.0)
    target_q = r + 0.98 * tf.minimum(*critic_target([s2, a2]))
    with tf.GradientTape() as tape:
        q1, q2 = critic([s, a])
        critic_loss = tf.reduce_mean((q1 - target_q) ** 2) + tf.reduce_mean((q2 - target_q) ** 2)
    grads = tape.gradient(critic_loss, critic.trainable_variables)
    critic_opt.apply_gradients(zip(grads, critic.trainable_variables))
    if it % 2 == 0:
        with tf.GradientTape() as tape:
            actor_loss = -tf.reduce_mean(critic([s, actor(s)])[0])
        grads = tape.gradient(actor_loss, actor.trainable_variables)
        actor_opt.apply_gradients(zip(grads, actor.trainable_variables))
        for net, target in ((actor, actor_target), (critic, critic_target)):
            for v, t in zip(net.variables, target.variables):
                t.assign(0.05 * v + 0.95 * t)
    log.append([float(critic_loss), float(actor_loss)])
print(json.dumps({"log": log, "target": actor_target(tf.ones((1, 3))).numpy().tolist()}))
