"""Logistic regression from scratch: normalization, minibatches, accuracy, a compiled call."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
labels = rng.integers(0, 2, 400)
features = rng.normal(size=(400, 6)) * rng.uniform(0.5, 4.0, 6) + labels[:, None] * 1.5
x_train, x_test = tf.constant(features[:300], tf.float32), tf.constant(features[300:], tf.float32)
y_train, y_test = tf.constant(labels[:300], tf.float32), tf.constant(labels[300:], tf.float32)


class Normalize(tf.Module):
    def __init__(self, x):
        self.mean = tf.Variable(tf.math.reduce_mean(x, axis=0), trainable=False)
        self.std = tf.Variable(tf.math.reduce_std(x, axis=0), trainable=False)

    def norm(self, x):
        return (x - self.mean) / self.std

    def unnorm(self, x):
        return (x * self.std) + self.mean


norm_x = Normalize(x_train)
x_train_norm, x_test_norm = norm_x.norm(x_train), norm_x.norm(x_test)


def log_loss(y_pred, y):
    ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=y_pred)
    return tf.reduce_mean(ce)


class LogisticRegression(tf.Module):
    def __init__(self):
        self.built = False

    def __call__(self, x, train=True):
        if not self.built:
            tf.random.set_seed(22)
            rand_w = tf.random.uniform(shape=[x.shape[-1], 1], seed=22)
            rand_b = tf.random.uniform(shape=[], seed=22)
            self.w = tf.Variable(rand_w)
            self.b = tf.Variable(rand_b)
            self.built = True
        z = tf.squeeze(tf.add(tf.matmul(x, self.w), self.b), axis=1)
        if train:
            return z
        return tf.sigmoid(z)


def accuracy(y_pred, y):
    y_pred = tf.math.greater(y_pred, 0.5)
    return tf.reduce_mean(tf.cast(tf.equal(tf.cast(y_pred, tf.float32), y), tf.float32))


log_reg = LogisticRegression()
start = log_reg(x_train_norm[:5], train=False)
train_losses, test_losses, train_accs, test_accs = [], [], [], []
for epoch in range(20):
    batch_losses, batch_accs = [], []
    for begin in range(0, 300, 64):
        x_batch = x_train_norm[begin : begin + 64]
        y_batch = y_train[begin : begin + 64]
        with tf.GradientTape() as tape:
            y_pred_batch = log_reg(x_batch)
            batch_loss = log_loss(y_pred_batch, y_batch)
        grads = tape.gradient(batch_loss, log_reg.variables)
        for g, v in zip(grads, log_reg.variables):
            v.assign_sub(0.1 * g)
        batch_losses.append(batch_loss)
        batch_accs.append(accuracy(tf.sigmoid(y_pred_batch), y_batch))
    train_losses.append(tf.reduce_mean(batch_losses).numpy().item())
    train_accs.append(tf.reduce_mean(batch_accs).numpy().item())
    test_pred = log_reg(x_test_norm, train=False)
    test_accs.append(accuracy(test_pred, y_test).numpy().item())

print(
    json.dumps(
        {
            "start": start.numpy().tolist(),
            "train_losses": train_losses,
            "train_accs": train_accs,
            "test_accs": test_accs,
            "w": log_reg.w.numpy().ravel().tolist(),
            "b": log_reg.b.numpy().item(),
        }
    )
)
