"""A normalizing flow: two moons from a bell curve, by maps that can be inverted.

Each layer moves and scales one coordinate by amounts that depend on the other: easy to invert, and
the log of its determinant is that of the factor. So the likelihood of the data is known exactly.
"""

import numpy as np
from picture import run

import gradtape as tf

LAYERS, WIDTH, STEPS = 8, 32, 600


def moons(random, count):
    angle = random.uniform(0, np.pi, count)
    side = random.integers(0, 2, count)
    x = np.where(side, 1 - np.cos(angle), np.cos(angle)) - 0.5
    y = np.where(side, 0.5 - np.sin(angle), np.sin(angle)) - 0.25
    return (np.stack([x, y], 1) + random.normal(0, 0.06, (count, 2))).astype("float32") * 1.5


class Coupling(tf.Module):
    """Moves and scales coordinate `number`, depending on the other one."""

    def __init__(self, number):
        super().__init__()
        self.number = number
        self.first = tf.Variable(tf.random.normal((1, WIDTH)))
        self.shift = tf.Variable(tf.random.normal((WIDTH,)))
        self.last = tf.Variable(tf.zeros((WIDTH, 2)))

    def amounts(self, other):
        log_factor, move = tf.split(tf.tanh(other @ self.first + self.shift) @ self.last, 2, axis=1)
        return tf.tanh(log_factor), move

    def __call__(self, x, inverse=False):
        columns = list(tf.split(x, 2, axis=1))
        log_factor, move = self.amounts(columns[1 - self.number])
        own = columns[self.number]
        own = (own - move) * tf.exp(-log_factor) if inverse else own * tf.exp(log_factor) + move
        columns[self.number] = own
        return tf.concat(columns, 1), log_factor[:, 0]


def main():
    tf.random.set_seed(3)
    random = np.random.default_rng(0)
    layers = [Coupling(number % 2) for number in range(LAYERS)]
    variables = [v for layer in layers for v in layer.trainable_variables]
    optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            log_density, z = 0.0, x
            for layer in layers:
                z, log_factor = layer(z)
                log_density += log_factor
            log_density -= 0.5 * tf.reduce_sum(z**2, 1) + np.log(2 * np.pi)
            loss = -tf.reduce_mean(log_density)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    losses = [float(step(moons(random, 256))) for _ in range(STEPS)]
    z = tf.random.normal((800, 2))
    for layer in reversed(layers):
        z, _ = layer(z, inverse=True)
    print(f"negative log-likelihood: {losses[0]:.2f} → {np.mean(losses[-20:]):.2f} nats a point")
    return {"losses": losses, "data": moons(random, 800), "drawn": z.numpy()}


def draw(figure, result):
    for axes, name in zip(figure.subplots(1, 2), ("data", "drawn"), strict=True):
        axes.scatter(*result[name].T, s=4)
        axes.set(title=name, xlim=(-3, 3), ylim=(-2, 2))


if __name__ == "__main__":
    run(main, draw)
