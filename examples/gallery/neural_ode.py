"""A neural differential equation: a network is the right-hand side, and learns a spiral.

The network gives dz/dt. A Runge-Kutta method integrates it from the first point, and the gradient
goes back through all steps of the solver. The whole of it is one `tf.function`.
"""

import numpy as np
from picture import run

import gradtape as tf

STEPS, WIDTH, TIME = 40, 24, 4.0


def spiral():
    """Points of dz/dt = A z, which turns inward."""
    a = np.array([[-0.3, 2.0], [-2.0, -0.3]])
    z, points = np.array([2.0, 0.0]), []
    for _ in range(STEPS * 20):
        points.append(z)
        z = z + z @ a * (TIME / STEPS / 20)
    return np.array(points[::20], np.float32)


def main():
    tf.random.set_seed(1)
    target = tf.constant(spiral())
    weights = [
        tf.Variable(0.5 * tf.random.normal((2, WIDTH))),
        tf.Variable(tf.zeros(WIDTH)),
        tf.Variable(0.2 * tf.random.normal((WIDTH, 2))),
    ]
    dt = TIME / STEPS

    def speed(z):
        return tf.tanh(z @ weights[0] + weights[1]) @ weights[2]

    def runge_kutta(z):
        k1 = speed(z)
        k2 = speed(z + dt / 2 * k1)
        k3 = speed(z + dt / 2 * k2)
        k4 = speed(z + dt * k3)
        return z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def trajectory():
        z, path = target[:1], [target[:1]]
        for _ in range(STEPS - 1):
            z = runge_kutta(z)
            path.append(z)
        return tf.concat(path, 0)

    optimizer = tf.keras.optimizers.Adam(0.02)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((trajectory() - target) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    before = trajectory().numpy()
    losses = [float(step()) for _ in range(300)]
    print(f"mean squared distance: {losses[0]:.3f} → {losses[-1]:.4f}")
    paths = {"before": before, "after": trajectory().numpy()}
    return {"losses": losses, "target": target.numpy(), "paths": paths}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.semilogy(result["losses"])
    left.set(title="mean squared distance", xlabel="step")
    right.plot(*result["target"].T, "o", markersize=4, label="data")
    for name, path in result["paths"].items():
        right.plot(*path.T, label=name)
    right.set(title="trajectory")
    right.legend()


if __name__ == "__main__":
    run(main, draw)
