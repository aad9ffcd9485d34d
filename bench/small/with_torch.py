"""The small problems with PyTorch, eagerly."""

from __future__ import annotations

from collections.abc import Callable

import data
import torch
from torch.autograd import forward_ad

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
    return _rk4(data.RK4_STEPS)


def rk4_loop() -> Callable:
    return _rk4(data.LOOP_STEPS)


def _slope(y, rates):
    prey, hunters = y[0], y[1]
    met = prey * hunters
    return torch.stack([rates[0] * prey - rates[1] * met, rates[2] * met - rates[3] * hunters])


def _solved(y, rates, steps: int):
    h = data.RK4_TIME / data.RK4_STEPS
    for _ in range(steps):
        k1 = _slope(y, rates)
        k2 = _slope(y + h / 2 * k1, rates)
        k3 = _slope(y + h / 2 * k2, rates)
        k4 = _slope(y + h * k3, rates)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def _rk4(steps: int) -> Callable:
    return _step(
        lambda y, rates: torch.sum(torch.square(_solved(y, rates, steps))), (0, 1), data.rk4()
    )


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


def characters() -> Callable:
    def cell(x, h, c, w):
        forget, ingate, outgate, change = torch.stack([x, h, x, h]) * w[0] + w[1]
        c = c * torch.sigmoid(forget) + torch.sigmoid(ingate) * torch.tanh(change)
        return torch.sigmoid(outgate) * torch.tanh(c), c

    def loss(text, weights, ends):
        h0 = c0 = h1 = c1 = torch.zeros_like(text[0])
        total = 0.0
        for t in range(data.CHARACTERS - 1):
            h0, c0 = cell(text[t] * ends[0], h0, c0, weights[0])
            h1, c1 = cell(h0, h1, c1, weights[1])
            guess = h1 * ends[1] + ends[2]
            normal = guess - torch.log(torch.sum(torch.exp(guess)) + 2.0)
            total = total + torch.sum(text[t + 1] * normal)
        return -total / ((data.CHARACTERS - 1) * data.BITS)

    return _step(loss, (1, 2), data.characters())


def bundle() -> Callable:
    rows, seen = [torch.from_numpy(array) for array in data.bundle().values()]

    def errors_of(row, seen):
        turn, center, f, x0, kappa, point, weight = torch.split(row, [3, 3, 1, 2, 2, 3, 1])
        angle = torch.linalg.norm(turn)
        axis, away = turn / angle, point - center
        across = torch.linalg.cross(axis, away)
        along = axis * torch.sum(axis * away)
        cos = torch.cos(angle)
        turned = away * cos + across * torch.sin(angle) + along * (1 - cos)
        flat = turned[:2] / turned[2]
        r2 = torch.sum(torch.square(flat))
        bent = flat * (1 + kappa[0] * r2 + kappa[1] * torch.square(r2))
        errors = weight * (bent * f + x0 - seen)
        return errors, errors

    blocks = torch.func.vmap(torch.func.jacrev(errors_of, has_aux=True))
    return lambda: blocks(rows, seen)[::-1]


def _locate(angles, vertices):
    parent, end, placed = torch.eye(3, dtype=angles.dtype), angles.new_zeros((1, 3)), []
    for bone in range(data.BONES):
        a, b, c = torch.unbind(torch.cos(angles[:, bone]), 1)
        x, y, z = torch.unbind(torch.sin(angles[:, bone]), 1)
        rows = [[b * c, x * y * c - a * z, a * y * c + x * z]]
        rows += [[b * z, x * y * z + a * c, a * y * z - x * c], [-y, x * b, a * b]]
        parent = parent @ torch.stack([torch.stack(row, -1) for row in rows], -2)
        placed.append(end[:, None] + vertices[:, bone] @ parent.transpose(-1, -2))
        end = end + parent[..., 0]
    return torch.stack(placed, 1)


def hand() -> Callable:
    angles, vertices = [torch.from_numpy(array) for array in data.hand().values()]
    jacobian = torch.func.jacfwd(lambda angles: _locate(angles, vertices))
    return lambda: (_locate(angles, vertices), jacobian(angles))


def process() -> Callable:
    def loss(x, y, logs):
        scale, height = torch.exp(logs)
        kernel = height * torch.exp(-torch.square((x - x.T) / scale) / 2)
        noise = data.NOISE * torch.eye(data.SAMPLES, dtype=x.dtype)
        factor = torch.linalg.cholesky(kernel + noise)
        white = torch.linalg.solve_triangular(factor, y, upper=False)
        return torch.sum(torch.square(white)) / 2 + torch.sum(torch.log(torch.diag(factor)))

    return _step(loss, (2,), data.process())


def rosenbrock() -> Callable:
    def value_and_gradient(x):
        x = torch.from_numpy(x).requires_grad_()
        y = torch.sum(100 * torch.square(x[1:] - torch.square(x[:-1])) + torch.square(1 - x[:-1]))
        return float(y.detach()), torch.autograd.grad(y, x)[0].numpy()

    start = data.rosenbrock()["x"]
    return lambda: [torch.from_numpy(x) for x in data.descend(value_and_gradient, start)]


def _columns(function: Callable, x: torch.Tensor) -> Callable:
    basis = list(torch.eye(x.numel(), dtype=x.dtype).reshape(-1, *x.shape))

    def step():
        columns = []
        for direction in basis:
            with forward_ad.dual_level():
                y, column = forward_ad.unpack_dual(function(forward_ad.make_dual(x, direction)))
            columns.append(column)
        return y, torch.stack(columns, -1)

    return step


def forward_rates() -> Callable:
    start, rates = [torch.from_numpy(array) for array in data.rk4().values()]
    return _columns(lambda rates: _solved(start, rates, data.LOOP_STEPS), rates)


def forward_masses() -> Callable:
    start, stiffness = [torch.from_numpy(array) for array in data.masses().values()]
    ends = torch.zeros(1, dtype=start.dtype)

    def moved(x):
        v = torch.zeros_like(x)
        for _ in range(data.MASS_STEPS):
            stretch = torch.concat([x, ends]) - torch.concat([ends, x])
            pull = stiffness * (torch.tanh(stretch) + 0.1 * torch.square(stretch) * stretch)
            v = v + 0.1 * (pull[1:] - pull[:-1] - 0.05 * v)
            x = x + 0.1 * v
        return x

    return _columns(moved, start)


def forward_hand() -> Callable:
    angles, vertices = [torch.from_numpy(array) for array in data.hand().values()]
    return _columns(lambda angles: _locate(angles, vertices), angles)


def forward_hessian() -> Callable:
    x = torch.from_numpy(data.rosenbrock()["x"]).requires_grad_()

    def gradient(x):
        y = torch.sum(100 * torch.square(x[1:] - torch.square(x[:-1])) + torch.square(1 - x[:-1]))
        return torch.autograd.grad(y, x)[0]

    return _columns(gradient, x)


def numbers(results) -> list:
    """Return the results as arrays."""
    return [y.detach().numpy() for y in results]
