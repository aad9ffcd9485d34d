"""LSTM and GRU over whole sequences, as one op each: x [batch, steps, inputs].

Their gradients are one op each as well. Only a derivative of the gradient is composed of the ops of
every step: the gradient is computed again in this form, under a tape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import FLOATS, check_dtype

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = ["gru", "lstm"]

_BY_LOOP = ByLoop("every example may have weights of its own")


def _pull_by_steps(
    gradient: Callable[..., Any], inputs: tuple[Any, ...], g: tuple[Any, ...]
) -> list[Any]:
    """Return the cotangents of a gradient op's inputs, given the same gradient composed of ops.

    `gradient` takes all inputs but those that the forward op has saved, and computes these again:
    so all of the derivative reaches the others.
    """
    from gradtape.engine.tape import GradientTape

    with GradientTape() as tape:
        for x in inputs:
            tape.watch(x)
        results = gradient(*inputs)
    # The gradient of x has no elements if it is not needed.
    asked = [(y, d) for y, d in zip(results, g, strict=True) if y.shape == d.shape]
    return tape.gradient([y for y, _ in asked], inputs, [d for _, d in asked])


def _shares(
    gradient: Primitive, inputs: tuple[Any, ...], needs_x: bool
) -> tuple[Tensor | None, ...]:
    """Return the cotangents that a gradient op computes; that of x, the first, only if needed."""
    shares = bind(gradient, inputs, {"input_gradient": needs_x})
    return shares if needs_x else (None, *shares[1:])


def _parts(x: Tensor, units: int) -> list[Any]:
    """Split the last axis into gates."""
    return [x[..., k : k + units] for k in range(0, x.shape[-1], units)]


def _rows(x: Tensor) -> Tensor:
    return ops.reshape(x, (-1, x.shape[-1]))


def _product_of_rows(x: Tensor, y: Tensor) -> Tensor:
    """Sum the contributions of all steps to a weight, as one product."""
    return ops.matmul(_rows(x), _rows(y), transpose_a=True)


# --- LSTM ----------------------------------------------------------------------------------------


def _lstm_results(x: Spec, h: Spec, c: Spec, w: Spec, u: Spec, b: Spec) -> tuple[Spec, ...]:
    """Return the specs of hidden states, cell states, and (for the gradient) gate activations."""
    batch, steps, units = x.shape[0], x.shape[1], h.shape[1]
    sizes = (units, units, 4 * units)
    return tuple(Spec((batch, steps, n), x.dtype) for n in sizes)


def _lstm_pull(
    g: tuple[Tensor, ...],
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    u: Tensor,
    b: Tensor,
    ans: tuple[Tensor, ...],
    needs_grad: tuple[bool, ...],
) -> tuple[Tensor | None, ...]:
    inputs = (x, h, c, w, u, *ans, g[0], g[1], b)
    return _shares(lstm_grad_p, inputs, needs_grad[0])


def _lstm_grad_by_steps(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    u: Tensor,
    g_hidden: Tensor,
    g_cells: Tensor,
    b: Tensor,
) -> tuple[Tensor, ...]:
    units, steps = h.shape[1], x.shape[1]
    hidden, cells, gates = [h], [c], []
    sums = ops.matmul(x, w) + b
    for t in range(steps):
        i, f, d, o = _parts(sums[:, t] + ops.matmul(hidden[-1], u), units)
        gates.append((ops.sigmoid(i), ops.sigmoid(f), ops.tanh(d), ops.sigmoid(o)))
        i, f, d, o = gates[-1]
        cells.append(f * cells[-1] + i * d)
        hidden.append(o * ops.tanh(cells[-1]))
    to_h, carry, to_sums = ops.zeros_like(h), ops.zeros_like(c), []
    for t in reversed(range(steps)):
        i, f, d, o = gates[t]
        squashed = ops.tanh(cells[t + 1])
        to_h = to_h + g_hidden[:, t]
        carry = carry + g_cells[:, t] + to_h * o * (1 - squashed * squashed)
        shares = [
            carry * d * i * (1 - i),
            carry * cells[t] * f * (1 - f),
            carry * i * (1 - d * d),
            to_h * squashed * o * (1 - o),
        ]
        to_sums.append(ops.concat(shares, -1))
        carry = carry * f
        to_h = ops.matmul(to_sums[-1], u, transpose_b=True)
    total = ops.stack(to_sums[::-1], 1)
    return (
        ops.matmul(total, w, transpose_b=True),
        to_h,
        carry,
        _product_of_rows(x, total),
        _product_of_rows(ops.stack(hidden[:-1], 1), total),
        ops.reduce_sum(total, (0, 1)),
    )


def _flops(w: int, u: int, each: float) -> Callable[..., Any]:
    """Return the count of x w and h u for every step; `w` and `u` are indices of inputs."""

    def flops(inputs: Any, outputs: Any, params: dict[str, Any]) -> float:
        batch, time = inputs[0].shape[:2]
        weights = math.prod(inputs[w].shape) + math.prod(inputs[u].shape)
        return each * batch * time * weights

    return flops


def _lstm_grad_pull(
    g: tuple[Tensor, ...],
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    u: Tensor,
    g_hidden: Tensor,
    g_cells: Tensor,
    b: Tensor,
) -> tuple[Tensor | None, ...]:
    shares = _pull_by_steps(_lstm_grad_by_steps, (x, h, c, w, u, g_hidden, g_cells, b), g)
    return *shares[:5], None, None, None, *shares[5:]


lstm_p = primitive(
    "lstm",
    "x h c w u b",
    flops=_flops(3, 4, 2.0),
    shape=_lstm_results,
    outputs=3,
    vjp=_lstm_pull,
    batch=_BY_LOOP,
)
lstm_grad_p = primitive(
    "lstm_grad",
    "x h c w u hidden cells gates g_hidden g_cells b",
    flops=_flops(3, 4, 4.0),
    shape=lambda x, h, c, w, u, hidden, cells, gates, g_hidden, g_cells, b, input_gradient: (
        x if input_gradient else Spec((0,), x.dtype),
        h,
        c,
        w,
        u,
        Spec(u.shape[1:], u.dtype),
    ),
    outputs=6,
    vjp=_lstm_grad_pull,
    batch=_BY_LOOP,
)


def lstm(
    x: TensorLike, h: Tensor, c: Tensor, w: Tensor, u: Tensor, b: Tensor
) -> tuple[Tensor, ...]:
    """Run Keras's LSTM from states h and c; return the hidden and the cell states of all steps.

    w [inputs, 4 units], u [units, 4 units] and b [4 units] have input, forget, candidate and output
    gates, concatenated.
    """
    x = to_tensor(x)
    h, c, w, u, b = (operands("LSTM", x, y)[1] for y in (h, c, w, u, b))
    _check("LSTM", x, h, w, u, 4, {"c": (c, tuple(h.shape)), "b": (b, tuple(w.shape[-1:]))})
    hidden, cells, _ = bind(lstm_p, _widened(x, h, c, w, u, b))
    return ops.cast(hidden, x.dtype), ops.cast(cells, x.dtype)


# --- GRU -----------------------------------------------------------------------------------------


def _gru_results(x: Spec, h: Spec, w: Spec, u: Spec, b: Spec) -> tuple[Spec, ...]:
    """Return the specs of hidden states and (for the gradient) gate activations."""
    batch, steps, units = x.shape[0], x.shape[1], h.shape[1]
    return Spec((batch, steps, units), x.dtype), Spec((batch, steps, 4 * units), x.dtype)


def _gru_pull(
    g: tuple[Tensor, ...],
    x: Tensor,
    h: Tensor,
    w: Tensor,
    u: Tensor,
    b: Tensor,
    ans: tuple[Tensor, ...],
    needs_grad: tuple[bool, ...],
) -> tuple[Tensor | None, ...]:
    inputs = (x, h, w, u, *ans, g[0], b)
    return _shares(gru_grad_p, inputs, needs_grad[0])


def _gru_grad_by_steps(
    x: Tensor, h: Tensor, w: Tensor, u: Tensor, g_hidden: Tensor, b: Tensor
) -> tuple[Tensor, ...]:
    units, steps = h.shape[1], x.shape[1]
    hidden, gates = [h], []
    sums = ops.matmul(x, w) + b[0]
    for t in range(steps):
        sum_z, sum_r, sum_d = _parts(sums[:, t], units)
        product_z, product_r, inner = _parts(ops.matmul(hidden[-1], u) + b[1], units)
        z, r = ops.sigmoid(sum_z + product_z), ops.sigmoid(sum_r + product_r)
        d = ops.tanh(sum_d + r * inner)
        gates.append((z, r, d, inner))
        hidden.append(z * hidden[-1] + (1 - z) * d)
    to_h, to_sums, to_products = ops.zeros_like(h), [], []
    for t in reversed(range(steps)):
        z, r, d, inner = gates[t]
        to_h = to_h + g_hidden[:, t]
        to_z = to_h * (hidden[t] - d) * z * (1 - z)
        to_d = to_h * (1 - z) * (1 - d * d)
        to_r = to_d * inner * r * (1 - r)
        to_sums.append(ops.concat([to_z, to_r, to_d], -1))
        to_products.append(ops.concat([to_z, to_r, to_d * r], -1))
        to_h = to_h * z + ops.matmul(to_products[-1], u, transpose_b=True)
    total, total_products = ops.stack(to_sums[::-1], 1), ops.stack(to_products[::-1], 1)
    return (
        ops.matmul(total, w, transpose_b=True),
        to_h,
        _product_of_rows(x, total),
        _product_of_rows(ops.stack(hidden[:-1], 1), total_products),
        ops.stack([ops.reduce_sum(total, (0, 1)), ops.reduce_sum(total_products, (0, 1))]),
    )


def _gru_grad_pull(
    g: tuple[Tensor, ...], x: Tensor, h: Tensor, w: Tensor, u: Tensor, g_hidden: Tensor, b: Tensor
) -> tuple[Tensor | None, ...]:
    shares = _pull_by_steps(_gru_grad_by_steps, (x, h, w, u, g_hidden, b), g)
    return *shares[:4], None, None, *shares[4:]


gru_p = primitive(
    "gru",
    "x h w u b",
    flops=_flops(2, 3, 2.0),
    shape=_gru_results,
    outputs=2,
    vjp=_gru_pull,
    batch=_BY_LOOP,
)
gru_grad_p = primitive(
    "gru_grad",
    "x h w u hidden gates g_hidden b",
    flops=_flops(2, 3, 4.0),
    shape=lambda x, h, w, u, hidden, gates, g_hidden, b, input_gradient: (
        x if input_gradient else Spec((0,), x.dtype),
        h,
        w,
        u,
        Spec((2, *u.shape[1:]), u.dtype),
    ),
    outputs=5,
    vjp=_gru_grad_pull,
    batch=_BY_LOOP,
)


def gru(x: TensorLike, h: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    """Run Keras's GRU (with reset_after) from state h; return the hidden states of all steps.

    w [inputs, 3 units], u [units, 3 units] and b [2, 3 units] (for the inputs, for the state) have
    update, reset and candidate gates, concatenated.
    """
    x = to_tensor(x)
    h, w, u, b = (operands("GRU", x, y)[1] for y in (h, w, u, b))
    _check("GRU", x, h, w, u, 3, {"b": (b, (2, *w.shape[-1:]))})
    return ops.cast(bind(gru_p, _widened(x, h, w, u, b))[0], x.dtype)


def _widened(*inputs: Tensor) -> tuple[Any, ...]:
    """Cast shorter floats to float32: a state that is rounded at every step would drift."""
    if inputs[0].dtype.size < 4:
        return tuple(ops.cast(x, "float32") for x in inputs)
    return inputs


def _check(
    op: str, x: Tensor, h: Tensor, w: Tensor, u: Tensor, gates: int, others: dict[Any, Any]
) -> None:
    check_dtype(op, FLOATS, x)
    if x.ndim != 3:
        raise ShapeError(
            f"{op}: x must be [batch, steps, inputs]; it has the shape {list(x.shape)}. [Op:{op}]"
        )
    units = h.shape[-1] if h.ndim else 0
    expected = {
        "h": (h, (x.shape[0], units)),
        "w": (w, (x.shape[2], gates * units)),
        "u": (u, (units, gates * units)),
        **others,
    }
    for name, (y, shape) in expected.items():
        if tuple(y.shape) != tuple(shape):
            raise ShapeError(
                f"{op}: {name} has the shape {list(y.shape)}; with x of shape {list(x.shape)} and "
                f"{units} units it must be {list(shape)}. [Op:{op}]"
            )
