"""Soft actor-critic: squashed Gaussian policy, two critics, targets, learned temperature."""

import json
import math

import numpy as np
import tensorflow as tf

tf.random.set_seed(17)
rng = np.random.default_rng(17)


class Net(tf.Module):
    def __init__(self, sizes, seed, name=None):
        super().__init__(name=name)
        init = tf.random_uniform_initializer(-0.4, 0.4, seed=seed)
        self.layers = [
            (tf.Variable(init([a, b]), name=f"w{i}"), tf.Variable(tf.zeros([b]), name=f"b{i}"))
            for i, (a, b) in enumerate(zip(sizes, sizes[1:]))
        ]

    @tf.function(reduce_retracing=True)
    def __call__(self, x):
        for w, b in self.layers[:-1]:
            x = tf.nn.relu(x @ w + b)
        w, b = self.layers[-1]
        return x @ w + b


actor = Net([3, 16, 2], 1)
critics = [Net([4, 16, 1], 2), Net([4, 16, 1], 3)]
targets = [Net([4, 16, 1], 2), Net([4, 16, 1], 3)]
log_alpha = tf.Variable(0.0, name="log_alpha")


def sample(states):
    mean, log_std = tf.split(actor(states), 2, axis=-1)
    log_std = tf.clip_by_value(log_std, -5.0, 2.0)
    noise = tf.random.normal(tf.shape(mean))
    raw = mean + tf.exp(log_std) * noise
    action = tf.tanh(raw)
    log_prob = -0.5 * (noise**2 + 2.0 * log_std + math.log(2.0 * math.pi))
    log_prob -= 2.0 * (math.log(2.0) - raw - tf.nn.softplus(-2.0 * raw))
    return action, tf.reduce_sum(log_prob, axis=1, keepdims=True)


def act_on(critic, states, actions):
    return critic(tf.concat([states, actions], axis=-1))


def descend(loss, tape, variables, rate=0.05):
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(rate * gradient)
    return tf.linalg.global_norm(gradients)


states = tf.constant(rng.normal(size=(32, 3)).astype(np.float32))
actions = tf.constant(rng.uniform(-1, 1, size=(32, 1)).astype(np.float32))
following = states + 0.1 * actions
rewards = -tf.reduce_sum(following**2, axis=1, keepdims=True)
done = tf.cast(rng.uniform(size=(32, 1)) < 0.1, tf.float32)
history = {"critic": [], "actor": [], "alpha": [], "norms": []}
for _ in range(4):
    next_actions, next_log_prob = sample(following)
    future = tf.minimum(*[act_on(t, following, next_actions) for t in targets])
    alpha = tf.exp(log_alpha)
    wanted = rewards + 0.99 * (1.0 - done) * (future - alpha * next_log_prob)
    with tf.GradientTape() as tape:
        critic_loss = tf.add_n(
            [
                tf.reduce_mean(tf.square(act_on(c, states, actions) - tf.stop_gradient(wanted)))
                for c in critics
            ]
        )
    norm = descend(
        critic_loss, tape, critics[0].trainable_variables + critics[1].trainable_variables
    )
    with tf.GradientTape() as tape:
        new_actions, log_prob = sample(states)
        value = tf.minimum(*[act_on(c, states, new_actions) for c in critics])
        actor_loss = tf.reduce_mean(alpha * log_prob - value)
    actor_norm = descend(actor_loss, tape, actor.trainable_variables)
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(tf.exp(log_alpha) * tf.stop_gradient(log_prob - 1.0))
    descend(alpha_loss, tape, [log_alpha])
    for critic, target in zip(critics, targets):
        for own, slow in zip(critic.variables, target.variables):
            slow.assign(0.95 * slow + 0.05 * own)
    history["critic"].append(critic_loss.numpy().item())
    history["actor"].append(actor_loss.numpy().item())
    history["alpha"].append(tf.exp(log_alpha).numpy().item())
    history["norms"].append([norm.numpy().item(), actor_norm.numpy().item()])
history["target"] = targets[0].variables[0].numpy()[:1].tolist()
print(json.dumps(history))
