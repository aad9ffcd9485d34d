"""REINFORCE on a contextual bandit: sampled actions, baselines, entropy, and a second estimator."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(71)
generator = tf.random.Generator.from_seed(71)
ARMS = 4
contexts = tf.constant(rng.normal(size=(32, 5)), tf.float32)
means = tf.constant(rng.normal(size=(5, ARMS)), tf.float32)
policy = tf.Variable(tf.zeros([5, ARMS]))
baseline = tf.Variable(0.0)
history = []
for _ in range(12):
    with tf.GradientTape() as tape:
        logits = contexts @ policy
        uniform = generator.uniform([32, ARMS], minval=1e-6, maxval=1.0)
        actions = tf.argmax(logits - tf.math.log(-tf.math.log(uniform)), axis=1)
        rewards = tf.gather(contexts @ means, actions, batch_dims=1) + 0.1 * generator.normal([32])
        log_probs = tf.nn.log_softmax(logits)
        chosen = tf.reduce_sum(log_probs * tf.one_hot(actions, ARMS), axis=1)
        entropy = -tf.reduce_sum(tf.exp(log_probs) * log_probs, axis=1)
        advantage = tf.stop_gradient(rewards - baseline)
        loss = -tf.reduce_mean(chosen * advantage + 0.01 * entropy)
    policy.assign_sub(0.5 * tape.gradient(loss, policy))
    baseline.assign(0.9 * baseline + 0.1 * tf.reduce_mean(rewards))
    history.append([tf.reduce_mean(rewards).numpy().item(), tf.reduce_mean(entropy).numpy().item()])

# The exact gradient of the expected reward, against the Gumbel-softmax relaxation.
gumbel = -tf.math.log(-tf.math.log(generator.uniform([16, 32, ARMS], 1e-6, 1.0)))
with tf.GradientTape(persistent=True) as tape:
    logits = contexts @ policy
    exact = tf.reduce_mean(tf.reduce_sum(tf.nn.softmax(logits) * (contexts @ means), axis=1))
    relaxed = tf.nn.softmax((logits + gumbel) / 0.5)
    relaxed_reward = tf.reduce_mean(tf.reduce_sum(relaxed * (contexts @ means), axis=-1))
exact_gradient = tape.gradient(exact, policy)
relaxed_gradient = tape.gradient(relaxed_reward, policy)
cosine = tf.reduce_sum(exact_gradient * relaxed_gradient) / (
    tf.norm(exact_gradient) * tf.norm(relaxed_gradient)
)
print(
    json.dumps(
        {
            "history": history,
            "exact": exact.numpy().item(),
            "relaxed": relaxed_reward.numpy().item(),
            "cosine": cosine.numpy().item(),
            "policy": policy.numpy().tolist(),
        }
    )
)
