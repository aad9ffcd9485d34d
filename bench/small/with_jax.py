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


def _slope(y, rates):
    prey, hunters = y
    met = prey * hunters
    return jnp.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])


def _rk4_step(y, rates, h):
    k1 = _slope(y, rates)
    k2 = _slope(y + h / 2 * k1, rates)
    k3 = _slope(y + h / 2 * k2, rates)
    k4 = _slope(y + h * k3, rates)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def rk4() -> Callable:
    h = data.RK4_TIME / data.RK4_STEPS

    def loss(start, rates):
        def advance(y, _):
            return _rk4_step(y, rates, h), None

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


def rk4_loop() -> Callable:
    h = data.RK4_TIME / data.RK4_STEPS

    def loss(y, rates):
        for _ in range(data.LOOP_STEPS):
            y = _rk4_step(y, rates, h)
        return jnp.sum(jnp.square(y))

    return _step(loss, (0, 1), data.rk4())


def characters() -> Callable:
    def cell(x, h, c, w):
        forget, ingate, outgate, change = jnp.stack([x, h, x, h]) * w[0] + w[1]
        c = c * jax.nn.sigmoid(forget) + jax.nn.sigmoid(ingate) * jnp.tanh(change)
        return jax.nn.sigmoid(outgate) * jnp.tanh(c), c

    def loss(text, weights, ends):
        def advance(state, both):
            (h0, c0, h1, c1), (now, following) = state, both
            h0, c0 = cell(now * ends[0], h0, c0, weights[0])
            h1, c1 = cell(h0, h1, c1, weights[1])
            guess = h1 * ends[1] + ends[2]
            normal = guess - jnp.log(jnp.sum(jnp.exp(guess)) + 2.0)
            return (h0, c0, h1, c1), jnp.sum(following * normal)

        zeros = jnp.zeros_like(text[0])
        _, totals = jax.lax.scan(advance, (zeros,) * 4, (text[:-1], text[1:]))
        return -jnp.sum(totals) / ((data.CHARACTERS - 1) * data.BITS)

    return _step(loss, (1, 2), data.characters())


def _jitted(function: Callable, arrays: dict) -> Callable:
    values = [jnp.asarray(array) for array in arrays.values()]
    jitted = jax.jit(function)
    return lambda: jax.block_until_ready(jitted(*values))


def bundle() -> Callable:
    def errors_of(row, seen):
        turn, center, f, x0, kappa, point, weight = jnp.split(row, [3, 6, 7, 9, 11, 14])
        angle = jnp.linalg.norm(turn)
        axis, away = turn / angle, point - center
        across = jnp.cross(axis, away)
        along = axis * jnp.sum(axis * away)
        cos = jnp.cos(angle)
        turned = away * cos + across * jnp.sin(angle) + along * (1 - cos)
        flat = turned[:2] / turned[2]
        r2 = jnp.sum(jnp.square(flat))
        bent = flat * (1 + kappa[0] * r2 + kappa[1] * jnp.square(r2))
        errors = weight * (bent * f + x0 - seen)
        return errors, errors

    def blocks(rows, seen):
        jacobian, errors = jax.vmap(jax.jacrev(errors_of, has_aux=True))(rows, seen)
        return errors, jacobian

    return _jitted(blocks, data.bundle())


def _locate(angles, vertices):
    parent, end, placed = jnp.eye(3), jnp.zeros((1, 3)), []
    for bone in range(data.BONES):
        a, b, c = jnp.moveaxis(jnp.cos(angles[:, bone]), 1, 0)
        x, y, z = jnp.moveaxis(jnp.sin(angles[:, bone]), 1, 0)
        rows = [[b * c, x * y * c - a * z, a * y * c + x * z]]
        rows += [[b * z, x * y * z + a * c, a * y * z - x * c], [-y, x * b, a * b]]
        parent = parent @ jnp.stack([jnp.stack(row, -1) for row in rows], -2)
        placed.append(end[:, None] + vertices[:, bone] @ parent.swapaxes(-1, -2))
        end = end + parent[..., 0]
    return jnp.stack(placed, 1)


def hand() -> Callable:
    def positions(angles, vertices):
        return _locate(angles, vertices), jax.jacfwd(_locate)(angles, vertices)

    return _jitted(positions, data.hand())


def process() -> Callable:
    def loss(x, y, logs):
        scale, height = jnp.exp(logs)
        kernel = height * jnp.exp(-jnp.square((x - x.T) / scale) / 2)
        factor = jnp.linalg.cholesky(kernel + data.NOISE * jnp.eye(data.SAMPLES))
        white = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        return jnp.sum(jnp.square(white)) / 2 + jnp.sum(jnp.log(jnp.diag(factor)))

    return _step(loss, (2,), data.process())


def rosenbrock() -> Callable:
    @jax.jit
    @jax.value_and_grad
    def both(x):
        return jnp.sum(100 * jnp.square(x[1:] - jnp.square(x[:-1])) + jnp.square(1 - x[:-1]))

    def value_and_gradient(x):
        value, gradient = both(x)
        return float(value), np.asarray(gradient)

    start = data.rosenbrock()["x"]
    return lambda: data.descend(value_and_gradient, start)


def _columns(function: Callable, x: np.ndarray) -> Callable:
    """Return the Jacobian of `function` at x, a call of its compiled jvp for each element of x."""
    x, jvp = jnp.asarray(x), jax.jit(lambda x, column: jax.jvp(function, (x,), (column,)))
    basis = list(jnp.eye(x.size).reshape(-1, *x.shape))

    def step():
        columns = []
        for direction in basis:
            y, column = jvp(x, direction)
            columns.append(column)
        return jax.block_until_ready((y, jnp.stack(columns, -1)))

    return step


def forward_rates() -> Callable:
    start, rates = data.rk4().values()
    h = data.RK4_TIME / data.RK4_STEPS

    def end(rates):
        y = jnp.asarray(start)
        for _ in range(data.LOOP_STEPS):
            y = _rk4_step(y, rates, h)
        return y

    return _columns(end, rates)


def forward_masses() -> Callable:
    start, stiffness = data.masses().values()
    ends = jnp.zeros(1)

    def moved(x):
        v = jnp.zeros_like(x)
        for _ in range(data.MASS_STEPS):
            stretch = jnp.concatenate([x, ends]) - jnp.concatenate([ends, x])
            pull = stiffness * (jnp.tanh(stretch) + 0.1 * jnp.square(stretch) * stretch)
            v = v + 0.1 * (pull[1:] - pull[:-1] - 0.05 * v)
            x = x + 0.1 * v
        return x

    return _columns(moved, start)


def forward_hand() -> Callable:
    angles, vertices = data.hand().values()
    return _columns(lambda angles: _locate(angles, vertices), angles)


def forward_hessian() -> Callable:
    def value(x):
        return jnp.sum(100 * jnp.square(x[1:] - jnp.square(x[:-1])) + jnp.square(1 - x[:-1]))

    return _columns(jax.grad(value), data.rosenbrock()["x"])


def numbers(results) -> list:
    """Return the results as arrays."""
    return [np.asarray(y) for y in results]
