"""The small problems with PyTorch, eagerly."""

from __future__ import annotations

from collections.abc import Callable

import data
import torch

# More threads take longer on arrays this small.
torch.set_num_threads(1)


def _step(loss: Callable, of: tuple[int, ...], arrays: dict) -> Callable:
    values = [torch.from_numpy(array) for array in arrays.values()]
    sources = [values[i].requires_grad_() for i in of]

    def step():
        value = loss(*values)
        return value, *torch.autograd.grad(value, sources)

    return step


def lstm() -> Callable:
    def loss(x, h, c, target, w, u, b):
        i, f, g, o = torch.chunk(x @ w + h @ u + b, 4, dim=1)
        new_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        new_h = torch.sigmoid(o) * torch.tanh(new_c)
        return torch.mean(torch.square(new_h - target))

    return _step(loss, (4, 5, 6), data.lstm())


def rk4() -> Callable:
    h = data.RK4_TIME / data.RK4_STEPS

    def slope(y, rates):
        prey, hunters = y[0], y[1]
        met = prey * hunters
        return torch.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])

    def loss(y, rates):
        for _ in range(data.RK4_STEPS):
            k1 = slope(y, rates)
            k2 = slope(y + h / 2 * k1, rates)
            k3 = slope(y + h / 2 * k2, rates)
            k4 = slope(y + h * k3, rates)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return torch.sum(torch.square(y))

    return _step(loss, (0, 1), data.rk4())


def gmm() -> Callable:
    def loss(points, alphas, means, logs, lower):
        away = points[:, None, :] - means
        scaled = torch.exp(logs) * away + torch.squeeze(lower @ away[..., None], -1)
        inner = alphas + torch.sum(logs, 1) - 0.5 * torch.sum(torch.square(scaled), 2)
        value = torch.sum(torch.logsumexp(inner, 1))
        return value - data.POINTS * torch.logsumexp(alphas, 0)

    return _step(loss, (1, 2, 3, 4), data.gmm())


def pinn() -> Callable:
    def network(t, x, w0, b0, w1, b1, w2, b2):
        hidden = torch.tanh(torch.concat([t, x], 1) @ w0 + b0)
        return torch.tanh(hidden @ w1 + b1) @ w2 + b2

    def loss(t, x, *parameters):
        u = network(t, x, *parameters)
        u_t, u_x = torch.autograd.grad(u.sum(), [t, x], create_graph=True)
        (u_xx,) = torch.autograd.grad(u_x.sum(), [x], create_graph=True)
        return torch.mean(torch.square(u_t + u * u_x - data.VISCOSITY * u_xx))

    arrays = data.pinn()
    values = [torch.from_numpy(array).requires_grad_() for array in arrays.values()]

    def step():
        value = loss(*values)
        return value, *torch.autograd.grad(value, values[2:])

    return step


def numbers(results) -> list:
    """Return the results as arrays."""
    return [y.detach().numpy() for y in results]
