"""A physics-informed network: the heat equation, from its residual alone.

The network u(t, x) is trained to satisfy u_t = 0.1 u_xx inside of a rod, with u = sin πx at the
start and u = 0 at both ends. Derivatives of the network by its inputs are in the residuals, and
each step of Gauss and Newton needs the Jacobian of all residuals by all weights.
"""

import numpy as np
from picture import run

import gradtape as tf

WIDTH, CONDUCTIVITY = 12, 0.1


def network(w, points):
    """u at points (t, x); the weights are one vector."""
    first, shift, second = w[: 2 * WIDTH], w[2 * WIDTH : 3 * WIDTH], w[3 * WIDTH :]
    hidden = tf.tanh(points @ tf.reshape(first, (2, WIDTH)) + shift)
    return tf.linalg.matvec(hidden, second)


def residuals(w, inside, edge, edge_values):
    along_t, along_x = (tf.broadcast_to(e, inside.shape) for e in tf.eye(2, dtype=tf.float64))

    def slope(points, along=along_x):
        """The derivative of u along a direction, by forward mode."""
        return tf.jvp(lambda p: network(w, p), (points,), (along,))[1]

    u_t = slope(inside, along_t)
    _, u_xx = tf.jvp(slope, (inside,), (along_x,))
    return tf.concat([u_t - CONDUCTIVITY * u_xx, 3.0 * (network(w, edge) - edge_values)], 0)


def main():
    random = np.random.default_rng(0)
    line = np.linspace(0, 1, 12)
    inside = tf.constant(np.stack(np.meshgrid(line, line), -1).reshape(-1, 2))
    start = np.stack([0 * line, line], 1)
    ends = np.concatenate([np.stack([line, 0 * line + x], 1) for x in (0, 1)])
    edge = tf.constant(np.concatenate([start, ends]))
    values = tf.constant(np.concatenate([np.sin(np.pi * line), np.zeros(2 * len(line))]))

    w, damping = tf.constant(random.normal(0, 1, 4 * WIDTH)), 1e-2
    losses = []
    for _ in range(60):  # Levenberg and Marquardt
        with tf.GradientTape() as tape:
            tape.watch(w)
            r = residuals(w, inside, edge, values)
        jacobian = tape.jacobian(r, w)
        losses.append(float(tf.reduce_sum(r**2)))
        normal = tf.matmul(jacobian, jacobian, transpose_a=True)
        slope = tf.linalg.matvec(jacobian, r, transpose_a=True)
        step = tf.linalg.solve(normal + damping * tf.eye(len(w), dtype=tf.float64), slope[:, None])
        trial = w - step[:, 0]
        better = float(tf.reduce_sum(residuals(trial, inside, edge, values) ** 2)) < losses[-1]
        w, damping = (trial, damping / 3) if better else (w, damping * 4)

    solution = network(w, inside).numpy().reshape(12, 12)
    t, x = inside.numpy().T.reshape(2, 12, 12)
    exact = np.exp(-CONDUCTIVITY * np.pi**2 * t) * np.sin(np.pi * x)
    error = np.abs(solution - exact).max()
    print(f"loss {losses[0]:.3g} → {losses[-1]:.3g}, largest error of u: {error:.2g}")
    return {"losses": losses, "solution": solution, "error": error}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.semilogy(result["losses"])
    left.set(title="sum of squared residuals", xlabel="step")
    extent = {"origin": "lower", "extent": (0, 1, 0, 1), "aspect": "auto"}
    image = right.imshow(result["solution"], interpolation="bilinear", **extent)
    right.set(title="u(t, x)", xlabel="t", ylabel="x")
    figure.colorbar(image, ax=right)


if __name__ == "__main__":
    run(main, draw)
