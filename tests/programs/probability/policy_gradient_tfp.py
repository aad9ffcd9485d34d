"""REINFORCE with tfd.Categorical, a baseline, an entropy bonus; and a squashed Gaussian policy."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
rng = np.random.default_rng(1)
w = tf.Variable(rng.normal(scale=0.3, size=(3, 4)), dtype=tf.float32)
baseline = tf.Variable(tf.zeros([3, 1]))
states = tf.constant(rng.normal(size=(20, 3)), tf.float32)
best = tf.argmax(
    states @ tf.constant(rng.normal(size=(3, 4)), tf.float32), axis=1, output_type=tf.int32
)

log = []
for step in range(5):
    policy = tfd.Categorical(logits=states @ w)
    actions = policy.sample(seed=[step, 3])
    rewards = tf.cast(actions == best, tf.float32)
    with tf.GradientTape() as tape:
        policy = tfd.Categorical(logits=states @ w)
        value = tf.squeeze(states @ baseline, 1)
        advantage = tf.stop_gradient(rewards - value)
        actor = -tf.reduce_mean(policy.log_prob(actions) * advantage)
        loss = (
            actor - 0.01 * tf.reduce_mean(policy.entropy()) + tf.reduce_mean((rewards - value) ** 2)
        )
    for v, g in zip([w, baseline], tape.gradient(loss, [w, baseline])):
        v.assign_sub(0.5 * g)
    log.append([float(loss), float(tf.reduce_mean(rewards))])

mean = tf.Variable([0.3, -0.2])
log_std = tf.Variable([-1.0, -0.5])
with tf.GradientTape() as tape:
    base = tfd.MultivariateNormalDiag(mean, tf.exp(log_std))
    squashed = tfd.TransformedDistribution(base, tfb.Tanh())
    actions = squashed.sample(6, seed=[5, 5])
    log_prob = squashed.log_prob(actions)
    loss = tf.reduce_mean(0.2 * log_prob + tf.reduce_sum((actions - 0.5) ** 2, 1))
slopes = tape.gradient(loss, [mean, log_std])
print(
    json.dumps(
        {
            "log": log,
            "squashed": log_prob.numpy().tolist(),
            "slopes": [s.numpy().tolist() for s in slopes],
        }
    )
)
