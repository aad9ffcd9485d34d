"""Learning to optimize: a small recurrent net proposes the steps, trained through them."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(31)
rng = np.random.default_rng(31)
HIDDEN, STEPS = 8, 6


class CoordinateCell(tf.Module):
    """A gated recurrent unit that is shared by all coordinates."""

    def __init__(self):
        super().__init__(name="cell")
        init = tf.random_normal_initializer(stddev=0.2, seed=5)
        self.kernel = tf.Variable(init([2 + HIDDEN, 3 * HIDDEN]), name="kernel")
        self.bias = tf.Variable(tf.zeros([3 * HIDDEN]), name="bias")
        self.out = tf.Variable(init([HIDDEN, 1]), name="out")

    def __call__(self, gradient, state):
        size = tf.math.log(tf.abs(gradient) + 1e-8) / 10.0
        inputs = tf.stack([tf.clip_by_value(size, -1.0, 1.0), tf.sign(gradient)], axis=-1)
        gates = tf.concat([inputs, state], -1) @ self.kernel + self.bias
        update, reset, candidate = tf.split(gates, 3, axis=-1)
        update, reset = tf.sigmoid(update), tf.sigmoid(reset)
        candidate = tf.tanh(candidate + reset * state)
        state = update * state + (1.0 - update) * candidate
        return 0.1 * tf.squeeze(state @ self.out, -1), state


def problem():
    a = tf.constant(rng.normal(size=(5, 5)).astype(np.float32))
    b = tf.constant(rng.normal(size=(5,)).astype(np.float32))
    return lambda x: tf.reduce_mean((tf.linalg.matvec(a, x) - b) ** 2)


cell = CoordinateCell()
moments = [tf.Variable(tf.zeros_like(v)) for v in cell.trainable_variables]


def unrolled(function, second_order):
    x, state, total = tf.ones([5]), tf.zeros([5, HIDDEN]), 0.0
    values = tf.TensorArray(tf.float32, size=STEPS)
    for i in tf.range(STEPS):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        gradient = tape.gradient(value, x)
        if not second_order:
            gradient = tf.stop_gradient(gradient)
        step, state = cell(gradient, state)
        x = x + step
        values = values.write(i, value)
        total += function(x)
    return total / STEPS, values.stack()


meta_losses, norms = [], []
for episode in range(4):
    function = problem()
    with tf.GradientTape() as tape:
        meta_loss, values = unrolled(function, second_order=episode % 2 == 1)
    gradients = tape.gradient(meta_loss, cell.trainable_variables)
    clipped, norm = tf.clip_by_global_norm(gradients, 1.0)
    meta_losses.append(meta_loss.numpy().item())
    norms.append(norm.numpy().item())
    for variable, moment, gradient in zip(cell.trainable_variables, moments, clipped):
        moment.assign(0.9 * moment + gradient)
        variable.assign_sub(0.05 * moment)
print(
    json.dumps(
        {
            "meta_losses": meta_losses,
            "norms": norms,
            "values": values.numpy().tolist(),
            "names": [v.name for v in cell.trainable_variables],
        }
    )
)
