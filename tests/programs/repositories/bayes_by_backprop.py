"""A Bayesian network by the reparametrization trick: KL in closed form, predictions with spread."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(17)
rng = np.random.default_rng(17)
x = tf.constant(rng.uniform(-2, 2, (20, 1)), tf.float32)
y = tf.constant(np.sin(2 * x.numpy()) + 0.1 * rng.normal(size=(20, 1)), tf.float32)


class VariationalDense(tf.Module):
    def __init__(self, n, m, activation=tf.identity, name=None):
        super().__init__(name=name)
        self.mu = tf.Variable(rng.normal(scale=0.3, size=(n + 1, m)), dtype=tf.float32)
        self.rho = tf.Variable(tf.fill([n + 1, m], -3.0))
        self.activation = activation

    @property
    def sigma(self):
        return tf.math.softplus(self.rho)

    def __call__(self, x, sample=True):
        w = self.mu + self.sigma * tf.random.normal(tf.shape(self.mu)) if sample else self.mu
        return self.activation(x @ w[:-1] + w[-1])

    def kl(self, prior=1.0):
        ratio = (self.sigma / prior) ** 2
        return 0.5 * tf.reduce_sum(ratio + (self.mu / prior) ** 2 - 1.0 - tf.math.log(ratio))


layers = [VariationalDense(1, 10, tf.nn.tanh), VariationalDense(10, 1)]
variables = [v for layer in layers for v in layer.trainable_variables]


def network(x, sample=True):
    for layer in layers:
        x = layer(x, sample)
    return x


history = []
for epoch in range(6):
    with tf.GradientTape() as tape:
        predictions = tf.stack([network(x) for _ in range(3)])
        nll = tf.reduce_mean(tf.reduce_sum((predictions - y) ** 2, [1, 2])) / (2 * 0.1)
        kl = tf.add_n([layer.kl() for layer in layers])
        loss = nll + kl
    grads = tape.gradient(loss, variables)
    grads, _ = tf.clip_by_global_norm(grads, 5.0)
    for v, g in zip(variables, grads):
        v.assign_sub(0.02 * g)
    history.append([float(nll), float(kl)])
spread = tf.math.reduce_std(tf.stack([network(x[:3]) for _ in range(8)]), axis=0)
print(json.dumps({"history": history, "spread": spread.numpy().ravel().tolist()}))
