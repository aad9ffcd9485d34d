"""Laplace's approximation: how sure a classifier may be, from the Hessian of its loss.

Logistic regression on curved features is trained to the optimum by Newton's method. There, the
inverse Hessian is the covariance of the weights; it makes predictions far from the data uncertain.
"""

import numpy as np
from picture import run

import gradtape as tf


def features(points):
    x, y = points[:, 0], points[:, 1]
    columns = [tf.ones_like(x), x, y, x * y, x**2 - y**2, x**2 + y**2]
    return tf.stack(columns, 1)


def main():
    random = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 40)
    centers = np.where(labels[:, None] > 0, [[1.0, 1.0]], [[-1.0, -0.5]])
    points = centers + random.normal(0, 0.7, (80, 2))
    phi, t = features(tf.constant(points)), tf.constant(labels)

    def loss(w):
        """−log of the posterior, up to a constant: the prior is a bell curve of width 3."""
        misfit = tf.nn.sigmoid_cross_entropy_with_logits(t, tf.linalg.matvec(phi, w))
        return tf.reduce_sum(misfit) + tf.reduce_sum(w**2) / 18.0

    w, norms = tf.zeros(6, tf.float64), []
    for _ in range(8):
        slope, curvature = tf.grad(loss)(w), tf.hessian(loss)(w)
        norms.append(float(tf.norm(slope)))
        w = w - tf.linalg.solve(curvature, slope[:, None])[:, 0]
    covariance = tf.linalg.inv(tf.hessian(loss)(w))

    line = np.linspace(-4, 4, 60)
    grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    there = features(tf.constant(grid))
    mean = tf.linalg.matvec(there, w)
    variance = tf.einsum("ni,ij,nj->n", there, covariance, there)
    sure = tf.sigmoid(mean)
    fair = tf.sigmoid(mean / tf.sqrt(1.0 + np.pi / 8 * variance))  # averaged over the weights
    print(f"norm of the gradient: {norms[0]:.1f} → {norms[-1]:.1g}")
    shapes = [p.numpy().reshape(60, 60) for p in (sure, fair)]
    return {"norms": norms, "maps": shapes, "points": points, "labels": labels}


def draw(figure, result):
    names = ("the best weights alone", "with their uncertainty")
    for axes, name, chance in zip(figure.subplots(1, 2), names, result["maps"], strict=True):
        extent = (-4, 4, -4, 4)
        image = axes.imshow(chance, origin="lower", extent=extent, cmap="coolwarm", vmin=0, vmax=1)
        axes.scatter(*result["points"].T, c=result["labels"], s=8, cmap="gray")
        axes.set(title=name)
    figure.colorbar(image, ax=figure.axes, label="probability of class 1")


if __name__ == "__main__":
    run(main, draw)
