"""Hessian-vector products: Newton's method in 200 dimensions without a Hessian.

`tf.hvp` gives H v for the price of a few gradients, by forward mode over reverse mode. Conjugate
gradients solve H p = −g with such products alone.
"""

import numpy as np
from picture import run

import gradtape as tf

SIZE, POINTS = 200, 400


def problem():
    """Logistic regression, some of whose inputs are a hundred times as large as others."""
    random = np.random.default_rng(0)
    x = random.normal(size=(POINTS, SIZE)) * np.logspace(0, -2, SIZE)
    labels = (x @ random.normal(size=SIZE) + random.normal(size=POINTS) > 0).astype(float)
    x, labels = tf.constant(x), tf.constant(labels)

    def loss(w):
        misfit = tf.nn.sigmoid_cross_entropy_with_logits(labels, tf.linalg.matvec(x, w))
        return tf.reduce_mean(misfit) + 1e-4 * tf.reduce_sum(w**2)

    return loss


def newton_direction(product, g, most=60):
    """Solve H p = −g by conjugate gradients; stop where the surface bends the other way."""
    p = tf.zeros_like(g)
    r = d = -g
    for _ in range(most):
        hd = product(d)
        bend = float(tf.tensordot(d, hd, 1))
        if bend <= 0:
            return p if float(tf.norm(p)) > 0 else d
        step = float(tf.tensordot(r, r, 1)) / bend
        p, new = p + step * d, r - step * hd
        if float(tf.norm(new)) < 1e-3 * float(tf.norm(g)):
            return p
        d, r = new + float(tf.tensordot(new, new, 1) / tf.tensordot(r, r, 1)) * d, new
    return p


def shortened(f, x, p, g, value):
    """Halve the step until it goes down far enough."""
    step = 1.0
    while float(f(x + step * p)) > value + 1e-4 * step * float(tf.tensordot(g, p, 1)):
        step /= 2
    return x + step * p


def main():
    loss = problem()
    slope = tf.value_and_grad(loss)
    norms = {}
    for name in ("Newton", "gradient descent"):
        w, norms[name] = tf.zeros(SIZE, tf.float64), []
        for _ in range(12 if name == "Newton" else 300):
            value, g = slope(w)
            norms[name].append(float(tf.norm(g)))
            p = -g
            if name == "Newton":
                p = newton_direction(lambda v, w=w: tf.hvp(loss, (w,), (v,))[-1], g)
            w = shortened(loss, w, p, g, float(value))
        print(f"{name}: norm of the gradient {norms[name][-1]:.1g} after {len(norms[name])} steps")
    return {"norms": norms}


def draw(figure, result):
    axes = figure.subplots()
    for name, norms in result["norms"].items():
        axes.loglog(np.arange(1, len(norms) + 1), norms, label=name)
    axes.set(title="norm of the gradient, 200 weights", xlabel="step")
    axes.legend()


if __name__ == "__main__":
    run(main, draw)
