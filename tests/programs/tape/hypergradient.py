"""Tuning hyperparameters by gradient: unrolled training, then implicit differentiation."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(33)
true = rng.normal(size=(10, 1))
x_train, x_valid = (tf.constant(rng.normal(size=(15, 10))) for _ in range(2))
y_train, y_valid = (x @ true + 0.8 * rng.normal(size=(15, 1)) for x in (x_train, x_valid))


def training_loss(w, log_decay):
    error = x_train @ w - y_train
    return tf.reduce_mean(error**2) + tf.exp(log_decay) * tf.reduce_sum(w**2)


def validation_loss(w):
    return tf.reduce_mean((x_valid @ w - y_valid) ** 2)


def unrolled(log_rate, log_decay, steps=15):
    w = tf.zeros([10, 1], tf.float64)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = training_loss(w, log_decay)
        w = w - tf.exp(log_rate) * tape.gradient(loss, w)
    return validation_loss(w)


log_rate = tf.Variable(-3.5, dtype=tf.float64)
log_decay = tf.Variable(-1.0, dtype=tf.float64)
history = []
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = unrolled(log_rate, log_decay)
    gradients = tape.gradient(loss, [log_rate, log_decay])
    log_rate.assign_sub(0.1 * gradients[0])
    log_decay.assign_sub(0.1 * gradients[1])
    history.append([loss.numpy().item(), *(g.numpy().item() for g in gradients)])


@tf.custom_gradient
def fitted(log_decay):
    """The minimizer itself; its derivative from the condition that the gradient is zero."""
    identity = tf.eye(10, dtype=tf.float64)
    hessian = tf.transpose(x_train) @ x_train / 15.0 + tf.exp(log_decay) * identity
    w = tf.linalg.solve(hessian, tf.transpose(x_train) @ y_train / 15.0)

    def backward(upstream):
        adjoint = tf.linalg.solve(hessian, upstream)
        return -tf.reduce_sum(adjoint * w) * tf.exp(log_decay)

    return w, backward


with tf.GradientTape() as tape:
    loss = validation_loss(fitted(log_decay))
implicit = tape.gradient(loss, log_decay)


@tf.recompute_grad
def heavy(w):
    for _ in range(3):
        w = tf.sin(w) + 0.1 * w**2
    return w


with tf.GradientTape() as tape:
    w = fitted(log_decay)
    recomputed = tf.reduce_sum(heavy(w))
print(
    json.dumps(
        {
            "history": history,
            "implicit": implicit.numpy().item(),
            "recomputed": tape.gradient(recomputed, log_decay).numpy().item(),
        }
    )
)
