"""A multilayer perceptron from the core API: Xavier initialization, layers as modules, own Adam."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(22)
rng = np.random.default_rng(22)
centers = rng.normal(size=(4, 12)) * 2
digits = rng.integers(0, 4, 256)
x = tf.constant(centers[digits] + rng.normal(size=(256, 12)), tf.float32)
y = tf.constant(digits, tf.int64)


def xavier_init(shape):
    in_dim, out_dim = shape
    xavier_lim = tf.sqrt(6.0) / tf.sqrt(tf.cast(in_dim + out_dim, tf.float32))
    return tf.random.uniform(shape, minval=-xavier_lim, maxval=xavier_lim, seed=22)


class DenseLayer(tf.Module):
    def __init__(self, out_dim, weight_init=xavier_init, activation=tf.identity):
        self.out_dim = out_dim
        self.weight_init = weight_init
        self.activation = activation
        self.built = False

    def __call__(self, x):
        if not self.built:
            self.in_dim = x.shape[1]
            self.w = tf.Variable(self.weight_init(shape=(self.in_dim, self.out_dim)))
            self.b = tf.Variable(tf.zeros(shape=(self.out_dim,)))
            self.built = True
        z = tf.add(tf.matmul(x, self.w), self.b)
        return self.activation(z)


class MLP(tf.Module):
    def __init__(self, layers):
        self.layers = layers

    @tf.function
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Adam:
    def __init__(self, learning_rate=1e-3, beta_1=0.9, beta_2=0.999, ep=1e-7):
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.learning_rate, self.ep = learning_rate, ep
        self.t = 1.0
        self.v_dvar, self.s_dvar = [], []
        self.built = False

    def apply_gradients(self, grads, vars):
        if not self.built:
            for var in vars:
                self.v_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
                self.s_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
            self.built = True
        for i, (d_var, var) in enumerate(zip(grads, vars)):
            self.v_dvar[i].assign(self.beta_1 * self.v_dvar[i] + (1 - self.beta_1) * d_var)
            squared = (1 - self.beta_2) * tf.square(d_var)
            self.s_dvar[i].assign(self.beta_2 * self.s_dvar[i] + squared)
            v_dvar_bc = self.v_dvar[i] / (1 - (self.beta_1**self.t))
            s_dvar_bc = self.s_dvar[i] / (1 - (self.beta_2**self.t))
            var.assign_sub(self.learning_rate * (v_dvar_bc / (tf.sqrt(s_dvar_bc) + self.ep)))
        self.t += 1.0


def cross_entropy_loss(y_pred, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, y_pred))


def accuracy(y_pred, y):
    class_preds = tf.argmax(tf.nn.softmax(y_pred), axis=1)
    return tf.reduce_mean(tf.cast(tf.equal(y, class_preds), tf.float32))


model = MLP(
    [
        DenseLayer(out_dim=24, activation=tf.nn.relu),
        DenseLayer(out_dim=16, activation=tf.nn.relu),
        DenseLayer(out_dim=4),
    ]
)
optimizer = Adam(learning_rate=0.01)
losses, accs = [], []
for step in range(15):
    batch = slice(step % 4 * 64, step % 4 * 64 + 64)
    with tf.GradientTape() as tape:
        y_pred = model(x[batch])
        loss = cross_entropy_loss(y_pred, y[batch])
    optimizer.apply_gradients(tape.gradient(loss, model.variables), model.variables)
    losses.append(loss.numpy().item())
    accs.append(accuracy(y_pred, y[batch]).numpy().item())
print(json.dumps({"parameters": len(model.variables), "losses": losses, "accs": accs}))
