"""The small problems with JAX: `jax.jit` of values and gradients."""

from __future__ import annotations

from collections.abc import Callable

import data
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def _step(loss: Callable, of: tuple[int, ...], arrays: dict) -> Callable:
    values = [jnp.asarray(array) for array in arrays.values()]
    both = jax.jit(jax.value_and_grad(loss, of))

    def step():
        value, gradients = both(*values)
        return jax.block_until_ready((value, *gradients))

    return step


def lstm() -> Callable:
    def loss(x, h, c, target, w, u, b):
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=1)
        new_c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        new_h = jax.nn.sigmoid(o) * jnp.tanh(new_c)
        return jnp.mean(jnp.square(new_h - target))

    return _step(loss, (4, 5, 6), data.lstm())


def rk4() -> Callable:
    h = data.RK4_TIME / data.RK4_STEPS

    def slope(y, rates):
        prey, hunters = y
        met = prey * hunters
        return jnp.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])

    def loss(start, rates):
        def advance(y, _):
            k1 = slope(y, rates)
            k2 = slope(y + h / 2 * k1, rates)
            k3 = slope(y + h / 2 * k2, rates)
            k4 = slope(y + h * k3, rates)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        y, _ = jax.lax.scan(advance, start, length=data.RK4_STEPS)
        return jnp.sum(jnp.square(y))

    return _step(loss, (0, 1), data.rk4())


def gmm() -> Callable:
    def loss(points, alphas, means, logs, lower):
        away = points[:, None, :] - means
        scaled = jnp.exp(logs) * away + jnp.squeeze(lower @ away[..., None], -1)
        inner = alphas + jnp.sum(logs, 1) - 0.5 * jnp.sum(jnp.square(scaled), 2)
        value = jnp.sum(jax.scipy.special.logsumexp(inner, 1))
        return value - data.POINTS * jax.scipy.special.logsumexp(alphas)

    return _step(loss, (1, 2, 3, 4), data.gmm())


def pinn() -> Callable:
    def network(t, x, w0, b0, w1, b1, w2, b2):
        hidden = jnp.tanh(jnp.stack([t, x]) @ w0 + b0)
        return (jnp.tanh(hidden @ w1 + b1) @ w2 + b2)[0]

    def loss(t, x, *parameters):
        def residual(t, x):
            u = network(t, x, *parameters)
            u_t, u_x = jax.grad(network, (0, 1))(t, x, *parameters)
            u_xx = jax.grad(jax.grad(network, 1), 1)(t, x, *parameters)
            return u_t + u * u_x - data.VISCOSITY * u_xx

        return jnp.mean(jnp.square(jax.vmap(residual)(t[:, 0], x[:, 0])))

    return _step(loss, tuple(range(2, 8)), data.pinn())


def numbers(results) -> list:
    """Return the results as arrays."""
    return [np.asarray(y) for y in results]
