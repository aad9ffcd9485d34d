"""A Gaussian discriminant with the matrix functions of TensorFlow 1's root."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(4)
a = tf.constant(rng.randn(30, 3) @ np.diag([1.0, 2.0, 0.5]))
b = tf.constant(rng.randn(30, 3) + [2.0, 0.0, -1.0])


def covariance(x):
    centered = x - tf.reduce_mean(x, 0, keepdims=True)
    return tf.matmul(centered, centered, transpose_a=True) / tf.to_double(tf.shape(x)[0] - 1)


pooled = 0.5 * (covariance(a) + covariance(b)) + tf.matrix_diag(tf.ones([3], tf.float64)) * 1e-6
chol = tf.cholesky(pooled)
difference = tf.expand_dims(tf.reduce_mean(b, 0) - tf.reduce_mean(a, 0), 1)
with tf.GradientTape() as tape:
    tape.watch(pooled)
    direction = tf.cholesky_solve(tf.cholesky(pooled), difference)
    distance = tf.reduce_sum(difference * direction)
slope = tape.gradient(distance, pooled)
e, v = tf.self_adjoint_eig(pooled)
s, u, vt = tf.svd(a)
q, r = tf.qr(pooled)
midpoint = 0.5 * (tf.reduce_mean(a, 0) + tf.reduce_mean(b, 0))
scores = tf.matmul(tf.concat([a, b], 0) - midpoint, direction)
accuracy = tf.reduce_mean(tf.to_float(tf.equal(scores[:, 0] > 0, np.arange(60) >= 30)))
print(
    json.dumps(
        {
            "distance": float(distance),
            "slope": slope.numpy().tolist(),
            "e": e.numpy().tolist(),
            "s": s.numpy().tolist(),
            "r": np.abs(np.diag(r)).tolist(),
            "inverse": tf.trace(tf.matrix_inverse(pooled)).numpy().tolist(),
            "determinant": float(tf.matrix_determinant(pooled)),
            "log_det": float(2 * tf.reduce_sum(tf.log(tf.matrix_diag_part(chol)))),
            "solve": tf.matrix_solve(pooled, difference).numpy().ravel().tolist(),
            "band": tf.matrix_band_part(pooled, 0, 1).numpy().tolist(),
            "accuracy": float(accuracy),
        }
    )
)
