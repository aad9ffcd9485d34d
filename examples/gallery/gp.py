"""A Gaussian process: its scales learned from the likelihood of the data.

The marginal likelihood needs a Cholesky factor, a solve and a determinant; the gradient goes
through all of them. Newton's method on three parameters takes a Hessian from `tf.hessian`.
"""

import numpy as np
from picture import run

import gradtape as tf


def kernel(parameters, a, b):
    height, scale = tf.exp(parameters[0]), tf.exp(parameters[1])
    return height**2 * tf.exp(-0.5 * ((a[:, None] - b[None, :]) / scale) ** 2)


def negative_log_likelihood(parameters, x, y):
    noise = tf.exp(parameters[2])
    covariance = kernel(parameters, x, x) + noise**2 * tf.eye(len(x), dtype=tf.float64)
    factor = tf.linalg.cholesky(covariance)
    white = tf.linalg.triangular_solve(factor, y[:, None])
    return tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor))) + 0.5 * tf.reduce_sum(white**2)


def predict(parameters, x, y, new):
    """Mean and standard deviation at new points."""
    noise = tf.exp(parameters[2])
    covariance = kernel(parameters, x, x) + noise**2 * tf.eye(len(x), dtype=tf.float64)
    factor = tf.linalg.cholesky(covariance)
    across = tf.linalg.triangular_solve(factor, kernel(parameters, x, new))
    white = tf.linalg.triangular_solve(factor, y[:, None])
    mean = tf.linalg.matvec(across, white[:, 0], transpose_a=True)
    variance = tf.exp(parameters[0]) ** 2 - tf.reduce_sum(across**2, 0)
    return mean, tf.sqrt(variance)


def main():
    random = np.random.default_rng(4)
    x = np.sort(random.uniform(0, 10, 40))
    y = np.sin(x) + random.normal(0, 0.2, 40)
    x, y = tf.constant(x), tf.constant(y)

    parameters, values = tf.zeros(3, tf.float64), []
    value_and_slope = tf.value_and_grad(negative_log_likelihood)
    for _ in range(25):
        value, slope = value_and_slope(parameters, x, y)
        curvature = tf.hessian(negative_log_likelihood)(parameters, x, y)
        values.append(float(value))
        # Absolute eigenvalues: downhill also where the surface bends the other way.
        eigenvalues, vectors = tf.linalg.eigh(curvature)
        along = tf.linalg.matvec(vectors, slope, transpose_a=True)
        step = tf.linalg.matvec(vectors, along / tf.maximum(tf.abs(eigenvalues), 1.0))
        parameters = parameters - tf.clip_by_norm(step, 0.5)

    height, scale, noise = tf.exp(parameters).numpy()
    print(f"height {height:.2f}, scale {scale:.2f}, noise {noise:.2f} (0.2 in the data)")
    new = np.linspace(-1, 11, 200)
    mean, width = (a.numpy() for a in predict(parameters, x, y, tf.constant(new)))
    return {"values": values, "noise": noise, "x": x, "y": y, "new": new, "curve": (mean, width)}


def draw(figure, result):
    left, right = figure.subplots(1, 2, width_ratios=(1, 2))
    left.plot(result["values"])
    left.set(title="−log likelihood", xlabel="Newton step")
    mean, width = result["curve"]
    right.fill_between(result["new"], mean - 2 * width, mean + 2 * width, alpha=0.3)
    right.plot(result["new"], mean)
    right.plot(result["x"], result["y"], ".")
    right.set(title="mean and two standard deviations")


if __name__ == "__main__":
    run(main, draw)
