"""Inverse kinematics of a planar arm: Jacobians per example, pseudo-inverses, a while loop."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(88)
LENGTHS = tf.constant([1.0, 0.8, 0.5])
goals = tf.constant(rng.uniform(0.5, 1.4, (6, 2)), tf.float32)


def hand(angles):
    total = tf.cumsum(angles, axis=-1)
    x = tf.reduce_sum(LENGTHS * tf.cos(total), axis=-1)
    y = tf.reduce_sum(LENGTHS * tf.sin(total), axis=-1)
    return tf.stack([x, y], axis=-1)


def step(angles):
    with tf.GradientTape() as tape:
        tape.watch(angles)
        position = hand(angles)
    jacobian = tape.batch_jacobian(position, angles)
    error = goals - position
    damped = tf.matmul(jacobian, jacobian, transpose_b=True) + 0.05 * tf.eye(2)
    correction = tf.linalg.matvec(
        jacobian, tf.linalg.solve(damped, error[..., None])[..., 0], transpose_a=True
    )
    return angles + 0.7 * correction, tf.reduce_max(tf.norm(error, axis=-1))


angles = tf.fill([6, 3], 0.4)
i, angles, worst = tf.while_loop(
    lambda i, angles, worst: tf.logical_and(i < 12, worst > 1e-2),
    lambda i, angles, worst: (i + 1, *step(angles)),
    (tf.constant(0), angles, tf.constant(10.0)),
)

# How well the arm can move in each direction, and the gradient of that measure.
with tf.GradientTape() as outer:
    outer.watch(angles)
    with tf.GradientTape() as inner:
        inner.watch(angles)
        position = hand(angles)
    jacobian = inner.batch_jacobian(position, angles)
    ability = tf.sqrt(tf.linalg.det(tf.matmul(jacobian, jacobian, transpose_b=True)))
gradient = outer.gradient(ability, angles)
singular = tf.linalg.svd(jacobian, compute_uv=False)
print(
    json.dumps(
        {
            "steps": int(i),
            "angles": angles.numpy().tolist(),
            "ability": ability.numpy().tolist(),
            "gradient": gradient.numpy().tolist(),
            "singular": singular.numpy().tolist(),
            "pseudo": tf.linalg.pinv(jacobian)[0].numpy().tolist(),
        }
    )
)
