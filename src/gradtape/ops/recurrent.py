"""LSTM and GRU over whole sequences, as one op each: x [batch, steps, inputs].

Their gradients are one op as well, except where a derivative of the gradient may be asked for: then
they are made of the ops of every step.
"""

from __future__ import annotations

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec
from gradtape.ops.families import FLOATS, check_dtype

__all__ = ["gru", "lstm"]

_BY_LOOP = ByLoop("every example may have weights of its own")
_UNWATCHED = "it is bound only where no tape, accumulator or trace sees it"


def _is_watched() -> bool:
    """Whether somebody may differentiate what is computed now (a trace has a tape of its own)."""
    state = get_state()
    return bool(state.tapes or state.accumulators)


def _parts(x, units: int) -> list:
    """The gates, side by side in the last axis."""
    return [x[..., k : k + units] for k in range(0, x.shape[-1], units)]


def _rows(x):
    return ops.reshape(x, (-1, x.shape[-1]))


def _product_of_rows(x, y):
    """What all steps give to a weight: one product."""
    return ops.matmul(_rows(x), _rows(y), transpose_a=True)


# --- LSTM ----------------------------------------------------------------------------------------


def _lstm_results(x: Spec, h: Spec, c: Spec, w: Spec, u: Spec, b: Spec) -> tuple[Spec, ...]:
    """Hidden states, cell states, and (for the gradient) what the gates let through."""
    batch, steps, units = x.shape[0], x.shape[1], h.shape[1]
    sizes = (units, units, 4 * units)
    return tuple(Spec((batch, steps, n), x.dtype) for n in sizes)


def _lstm_pull(g, x, h, c, w, u, b, ans, wanted):
    if not _is_watched():
        inputs = (x, h, c, w, u, *ans, g[0], g[1])
        shares = bind(lstm_grad_p, inputs, {"input_gradient": wanted[0]})
        return shares if wanted[0] else (None, *shares[1:])
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
        to_h = to_h + g[0][:, t]
        carry = carry + g[1][:, t] + to_h * o * (1 - squashed * squashed)
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


lstm_p = primitive(
    "lstm", "x h c w u b",
    shape=_lstm_results,
    outputs=3,
    vjp=_lstm_pull,
    batch=_BY_LOOP,
)  # fmt: skip
lstm_grad_p = primitive(
    "lstm_grad", "x h c w u hidden cells gates g_hidden g_cells",
    shape=lambda x, h, c, w, u, hidden, cells, gates, g_hidden, g_cells, input_gradient: (
        x if input_gradient else Spec((0,), x.dtype), h, c, w, u, Spec(u.shape[1:], u.dtype)
    ),
    outputs=6,
    no_derivative=_UNWATCHED,
    batch=_BY_LOOP,
)  # fmt: skip


def lstm(x, h, c, w, u, b):
    """(hidden states of all steps, cell states of all steps) of Keras's LSTM from states h and c.

    w [inputs, 4 units], u [units, 4 units] and b [4 units] hold input, forget, candidate and output
    gates, side by side.
    """
    x = to_tensor(x)
    h, c, w, u, b = (operands("LSTM", x, y)[1] for y in (h, c, w, u, b))
    _check("LSTM", x, h, w, u, 4, {"c": (c, tuple(h.shape)), "b": (b, tuple(w.shape[-1:]))})
    hidden, cells, _ = bind(lstm_p, _widened(x, h, c, w, u, b))
    return ops.cast(hidden, x.dtype), ops.cast(cells, x.dtype)


# --- GRU -----------------------------------------------------------------------------------------


def _gru_results(x: Spec, h: Spec, w: Spec, u: Spec, b: Spec) -> tuple[Spec, ...]:
    """Hidden states, and (for the gradient) what the gates let through."""
    batch, steps, units = x.shape[0], x.shape[1], h.shape[1]
    return Spec((batch, steps, units), x.dtype), Spec((batch, steps, 4 * units), x.dtype)


def _gru_pull(g, x, h, w, u, b, ans, wanted):
    if not _is_watched():
        inputs = (x, h, w, u, *ans, g[0])
        shares = bind(gru_grad_p, inputs, {"input_gradient": wanted[0]})
        return shares if wanted[0] else (None, *shares[1:])
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
        to_h = to_h + g[0][:, t]
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


gru_p = primitive(
    "gru", "x h w u b",
    shape=_gru_results,
    outputs=2,
    vjp=_gru_pull,
    batch=_BY_LOOP,
)  # fmt: skip
gru_grad_p = primitive(
    "gru_grad", "x h w u hidden gates g_hidden",
    shape=lambda x, h, w, u, hidden, gates, g_hidden, input_gradient: (
        x if input_gradient else Spec((0,), x.dtype), h, w, u, Spec((2, *u.shape[1:]), u.dtype)
    ),
    outputs=5,
    no_derivative=_UNWATCHED,
    batch=_BY_LOOP,
)  # fmt: skip


def gru(x, h, w, u, b):
    """The hidden states of all steps of Keras's GRU (which resets after the product) from state h.

    w [inputs, 3 units], u [units, 3 units] and b [2, 3 units] (for the inputs, for the state) hold
    update, reset and candidate gates, side by side.
    """
    x = to_tensor(x)
    h, w, u, b = (operands("GRU", x, y)[1] for y in (h, w, u, b))
    _check("GRU", x, h, w, u, 3, {"b": (b, (2, *w.shape[-1:]))})
    return ops.cast(bind(gru_p, _widened(x, h, w, u, b))[0], x.dtype)


def _widened(*inputs) -> tuple:
    """Short floats in float32: a state that is rounded at every step would drift."""
    if inputs[0].dtype.size < 4:
        return tuple(ops.cast(x, "float32") for x in inputs)
    return inputs


def _check(op: str, x, h, w, u, gates: int, others: dict) -> None:
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
