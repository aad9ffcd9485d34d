"""The small problems with gradtape: `tf.function`s of values and gradients.

With EAGERLY in the environment, the same without functions.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import data
import numpy as np

import gradtape as tf

tf.config.run_functions_eagerly("EAGERLY" in os.environ)


def _constants(arrays: dict) -> dict:
    return {name: tf.constant(array) for name, array in arrays.items()}


def lstm() -> Callable:
    """One step: the squared error of the new state, and its gradients."""
    p = _constants(data.lstm())

    @tf.function
    def step(x, h, c, target, w, u, b):
        with tf.GradientTape() as tape:
            tape.watch([w, u, b])
            i, f, g, o = tf.split(x @ w + h @ u + b, 4, axis=1)
            new_c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            new_h = tf.sigmoid(o) * tf.tanh(new_c)
            loss = tf.reduce_mean(tf.square(new_h - target))
        return loss, *tape.gradient(loss, [w, u, b])

    return lambda: step(*p.values())


def _slope(y, rates):
    prey, hunters = y[0], y[1]
    met = prey * hunters
    return tf.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])


def _rk4_step(y, rates, h):
    k1 = _slope(y, rates)
    k2 = _slope(y + h / 2 * k1, rates)
    k3 = _slope(y + h / 2 * k2, rates)
    k4 = _slope(y + h * k3, rates)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def rk4() -> Callable:
    """An ODE solved by Runge and Kutta's method in a loop, and the gradients of its end."""
    p = _constants(data.rk4())
    h = data.RK4_TIME / data.RK4_STEPS

    @tf.function
    def solve(start, rates):
        with tf.GradientTape() as tape:
            tape.watch([start, rates])
            y = start
            for _ in tf.range(data.RK4_STEPS):
                y = _rk4_step(y, rates, h)
            loss = tf.reduce_sum(tf.square(y))
        return loss, *tape.gradient(loss, [start, rates])

    return lambda: solve(p["y"], p["rates"])


def gmm() -> Callable:
    """The log-likelihood of a mixture of Gaussians, and its gradients."""
    p = _constants(data.gmm())

    @tf.function
    def likelihood(points, alphas, means, logs, lower):
        with tf.GradientTape() as tape:
            tape.watch([alphas, means, logs, lower])
            away = points[:, None, :] - means
            scaled = tf.exp(logs) * away + tf.squeeze(lower @ away[..., None], -1)
            inner = alphas + tf.reduce_sum(logs, 1) - 0.5 * tf.reduce_sum(tf.square(scaled), 2)
            value = tf.reduce_sum(tf.reduce_logsumexp(inner, 1))
            value -= data.POINTS * tf.reduce_logsumexp(alphas)
        return value, *tape.gradient(value, [alphas, means, logs, lower])

    return lambda: likelihood(*p.values())


def pinn() -> Callable:
    """The residual of Burgers' equation for a network, and the gradients of its parameters."""
    p = _constants(data.pinn())

    def network(t, x, w0, b0, w1, b1, w2, b2):
        hidden = tf.tanh(tf.concat([t, x], 1) @ w0 + b0)
        return tf.tanh(hidden @ w1 + b1) @ w2 + b2

    @tf.function
    def step(t, x, *parameters):
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch([t, x])
                    u = network(t, x, *parameters)
                u_t, u_x = first.gradient(u, [t, x])
            u_xx = second.gradient(u_x, x)
            loss = tf.reduce_mean(tf.square(u_t + u * u_x - data.VISCOSITY * u_xx))
        return loss, *tape.gradient(loss, parameters)

    return lambda: step(*p.values())


def rk4_loop() -> Callable:
    """The same in a loop of Python's, which a function unrolls."""
    p = _constants(data.rk4())
    h = data.RK4_TIME / data.RK4_STEPS

    @tf.function
    def solve(start, rates):
        with tf.GradientTape() as tape:
            tape.watch([start, rates])
            y = start
            for _ in range(data.LOOP_STEPS):
                y = _rk4_step(y, rates, h)
            loss = tf.reduce_sum(tf.square(y))
        return loss, *tape.gradient(loss, [start, rates])

    return lambda: solve(p["y"], p["rates"])


def characters() -> Callable:
    """How well an LSTM of ADBench's foretells a text, and the gradients of its parameters."""
    p = _constants(data.characters())

    def cell(x, h, c, w):
        forget, ingate, outgate, change = tf.unstack(tf.stack([x, h, x, h]) * w[0] + w[1])
        c = c * tf.sigmoid(forget) + tf.sigmoid(ingate) * tf.tanh(change)
        return tf.sigmoid(outgate) * tf.tanh(c), c

    @tf.function
    def loss(text, weights, ends):
        with tf.GradientTape() as tape:
            tape.watch([weights, ends])
            h0 = c0 = h1 = c1 = tf.zeros_like(text[0])
            total = tf.constant(0.0, tf.float64)
            for t in tf.range(data.CHARACTERS - 1):
                h0, c0 = cell(text[t] * ends[0], h0, c0, weights[0])
                h1, c1 = cell(h0, h1, c1, weights[1])
                guess = h1 * ends[1] + ends[2]
                normal = guess - tf.math.log(tf.reduce_sum(tf.exp(guess)) + 2.0)
                total += tf.reduce_sum(text[t + 1] * normal)
            value = -total / ((data.CHARACTERS - 1) * data.BITS)
        return value, *tape.gradient(value, [weights, ends])

    return lambda: loss(*p.values())


def bundle() -> Callable:
    """Errors of projections, and their Jacobian: a block for each observation."""
    p = _constants(data.bundle())

    @tf.function
    def blocks(rows, seen):
        with tf.GradientTape() as tape:
            tape.watch(rows)
            turn, center, f, x0, kappa, point, weight = tf.split(rows, [3, 3, 1, 2, 2, 3, 1], 1)
            angle = tf.norm(turn, axis=1, keepdims=True)
            axis, away = turn / angle, point - center
            across = tf.linalg.cross(axis, away)
            along = axis * tf.reduce_sum(axis * away, 1, keepdims=True)
            cos = tf.cos(angle)
            turned = away * cos + across * tf.sin(angle) + along * (1 - cos)
            flat = turned[:, :2] / turned[:, 2:]
            r2 = tf.reduce_sum(tf.square(flat), 1, keepdims=True)
            bent = flat * (1 + kappa[:, :1] * r2 + kappa[:, 1:] * tf.square(r2))
            errors = weight * (bent * f + x0 - seen)
        return errors, tape.batch_jacobian(errors, rows)

    return lambda: blocks(*p.values())


def _locate(angles, vertices):
    parent, end, placed = tf.eye(3, dtype=tf.float64), tf.zeros((1, 3), tf.float64), []
    for bone in range(data.BONES):
        a, b, c = tf.unstack(tf.cos(angles[:, bone]), axis=1)
        x, y, z = tf.unstack(tf.sin(angles[:, bone]), axis=1)
        rows = [[b * c, x * y * c - a * z, a * y * c + x * z]]
        rows += [[b * z, x * y * z + a * c, a * y * z - x * c], [-y, x * b, a * b]]
        parent = parent @ tf.stack([tf.stack(row, -1) for row in rows], -2)
        placed.append(end[:, None] + tf.linalg.matmul(vertices[:, bone], parent, transpose_b=True))
        end = end + parent[..., 0]
    return tf.stack(placed, 1)


def hand() -> Callable:
    """Where a hand's vertices are, and their Jacobian with respect to the angles of its joints."""
    p = _constants(data.hand())

    @tf.function
    def positions(angles, vertices):
        columns = tf.eye(data.FINGERS * data.BONES * 3, dtype=tf.float64)
        columns = tf.reshape(columns, (-1, *angles.shape))
        jacobian = tf.vmap(
            lambda column: tf.jvp(lambda angles: _locate(angles, vertices), (angles,), (column,))[1]
        )(columns)
        return _locate(angles, vertices), jacobian

    return lambda: positions(*p.values())


def process() -> Callable:
    """The likelihood of samples in a Gaussian process, and the gradient of its two parameters."""
    p = _constants(data.process())

    @tf.function
    def likelihood(x, y, logs):
        with tf.GradientTape() as tape:
            tape.watch(logs)
            scale, height = tf.exp(logs[0]), tf.exp(logs[1])
            kernel = height * tf.exp(-tf.square((x - tf.transpose(x)) / scale) / 2)
            factor = tf.linalg.cholesky(kernel + data.NOISE * tf.eye(data.SAMPLES, dtype=x.dtype))
            white = tf.linalg.triangular_solve(factor, y)
            logdet = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
            value = tf.reduce_sum(tf.square(white)) / 2 + logdet
        return value, tape.gradient(value, logs)

    return lambda: likelihood(*p.values())


def rosenbrock() -> Callable:
    """A descent by L-BFGS in NumPy, which asks for values and gradients."""

    @tf.function
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = tf.reduce_sum(
                100 * tf.square(x[1:] - tf.square(x[:-1])) + tf.square(1 - x[:-1])
            )
        return value, tape.gradient(value, x)

    def value_and_gradient(x):
        value, gradient = both(tf.constant(x))
        return float(value), gradient.numpy()

    start = data.rosenbrock()["x"]
    return lambda: tf.nest.map_structure(tf.constant, data.descend(value_and_gradient, start))


def _columns(function: Callable, x) -> Callable:
    """Return the Jacobian of `function` at x, a pass of forward mode for each element of x."""
    basis = [
        tf.constant(column)
        for column in np.eye(x.shape.num_elements()).reshape(-1, *x.shape.as_list())
    ]

    @tf.function
    def jvp(x, direction):
        with tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
            y = function(x)
        return y, accumulator.jvp(y)

    def step():
        columns = []
        for direction in basis:
            y, column = jvp(x, direction)
            columns.append(column)
        return y, tf.stack(columns, -1)

    return step


def forward_rates() -> Callable:
    """Columns: the end of the ODE, solved in a loop of Python's, by its rates."""
    p = _constants(data.rk4())
    h = data.RK4_TIME / data.RK4_STEPS

    def end(rates):
        y = p["y"]
        for _ in range(data.LOOP_STEPS):
            y = _rk4_step(y, rates, h)
        return y

    return _columns(end, p["rates"])


def forward_masses() -> Callable:
    """Columns: masses on springs that harden, some steps later, by where they began."""
    p = _constants(data.masses())
    ends = tf.zeros(1, tf.float64)

    def moved(x):
        v = tf.zeros_like(x)
        for _ in range(data.MASS_STEPS):
            stretch = tf.concat([x, ends], 0) - tf.concat([ends, x], 0)
            pull = p["stiffness"] * (tf.tanh(stretch) + 0.1 * tf.square(stretch) * stretch)
            v = v + 0.1 * (pull[1:] - pull[:-1] - 0.05 * v)
            x = x + 0.1 * v
        return x

    return _columns(moved, p["x"])


def forward_hand() -> Callable:
    """Columns: where a hand's vertices are, by the angles of its joints."""
    p = _constants(data.hand())
    return _columns(lambda angles: _locate(angles, p["vertices"]), p["angles"])


def forward_hessian() -> Callable:
    """Columns of the Hessian of Rosenbrock's function: forward mode over a gradient."""
    x = tf.constant(data.rosenbrock()["x"])

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(100 * tf.square(x[1:] - tf.square(x[:-1])) + tf.square(1 - x[:-1]))
        return tape.gradient(y, x)

    return _columns(gradient, x)


def numbers(results) -> list:
    """Return the results as arrays."""
    return [y.numpy() for y in results]
