"""The small problems with gradtape: `tf.function`s of values and gradients."""

from __future__ import annotations

from collections.abc import Callable

import data

import gradtape as tf


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


def rk4() -> Callable:
    """An ODE solved by Runge and Kutta's method in a loop, and the gradients of its end."""
    p = _constants(data.rk4())
    h = data.RK4_TIME / data.RK4_STEPS

    def slope(y, rates):
        prey, hunters = y[0], y[1]
        met = prey * hunters
        return tf.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])

    @tf.function
    def solve(start, rates):
        with tf.GradientTape() as tape:
            tape.watch([start, rates])
            y = start
            for _ in tf.range(data.RK4_STEPS):
                k1 = slope(y, rates)
                k2 = slope(y + h / 2 * k1, rates)
                k3 = slope(y + h / 2 * k2, rates)
                k4 = slope(y + h * k3, rates)
                y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
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


def numbers(results) -> list:
    """Return the results as arrays."""
    return [y.numpy() for y in results]
