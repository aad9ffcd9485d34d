"""LSTM and GRU over whole sequences, which ONNX has as ops with other orders of gates and axes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import number
from gradtape.exporting.samples import Op
from gradtape.formats import onnx

# A function of a builder, the state and the rows of a step, to the next state and what is kept.
Step = Callable[[Builder, list[str], list[str]], tuple[list[str], list[str]]]


def _gates(b: Builder, w: str, units: int, order: list[int], axis: int) -> str:
    """Return the last axis of a weight with its gates in another order."""
    parts = [b.slice(w, axis, k * units, (k + 1) * units) for k in order]
    return b("Concat", *parts, axis=axis)


def _weight(b: Builder, w: str, units: int, order: list[int]) -> str:
    """Return a weight [inputs, gates · units] as [1, gates · units, inputs]."""
    return b.unsqueeze(b.transpose(_gates(b, w, units, order, 1), [1, 0]), 0)


def _sequence(b: Builder, y: str) -> str:
    """Return [time, 1, batch, units] as [batch, time, units]."""
    return b.transpose(b.squeeze(y, 1), [1, 0, 2])


def _lstm(b: Builder, op: Op, x: str, h: str, c: str, w: str, u: str, bias: str) -> list[str]:
    units = op.fixed_shape(4)[0]
    if op.needed[1] or op.needed[2]:
        return _lstm_by_steps(b, op, x, h, c, w, u, bias)
    order = [0, 3, 1, 2]  # ONNX has input, output, forget, candidate
    by_gate = _gates(b, bias, units, order, 0)
    both = b("Concat", by_gate, b("Sub", by_gate, by_gate), axis=0)
    inputs = [
        b.transpose(x, [1, 0, 2]),
        _weight(b, w, units, order),
        _weight(b, u, units, order),
        b.unsqueeze(both, 0),
        "",
        b.unsqueeze(h, 0),
        b.unsqueeze(c, 0),
    ]
    return [_sequence(b, b.several("LSTM", inputs, 1, hidden_size=units)[0])]


def _steps(
    b: Builder, op: Op, state: list[str], rows: list[str], step: Step, count: int, reverse=False
) -> list[str]:
    """Return the last state, and what a step gives as its rows: [batch, time, …] outside.

    `step` takes a builder, the state and the rows of a step; it returns the next state and `count`
    values to keep.
    """
    dtype = op.dtype()
    inside = Builder(b.names, b)
    names = [b.names.fresh(stem) for stem in ["state"] * len(state) + ["row"] * len(rows)]
    following, kept = step(inside, names[: len(state)], names[len(state) :])
    results = [inside("Identity", name) for name in (*following, *kept)]
    graph = onnx.graph(
        b.names.fresh("steps"),
        inside.nodes,
        [],
        [onnx.value_info(name, dtype, None) for name in names],
        [onnx.value_info(name, dtype, None) for name in results],
    )
    made = b.several(
        "Scan",
        [*state, *[b.transpose(row, [1, 0, 2]) for row in rows]],
        len(state) + count,
        body=graph,
        num_scan_inputs=len(rows),
        scan_input_directions=[int(reverse)] * len(rows),
        scan_output_directions=[int(reverse)] * count,
    )
    at = len(state)
    return [*made[:at], *[b.transpose(y, [1, 0, 2]) for y in made[at:]]]


def _split(b: Builder, x: str, units: int, count: int) -> list[str]:
    return b.several("Split", [x, b.integers([units] * count)], count, axis=-1)


def _lstm_by_steps(b: Builder, op: Op, x: str, h: str, c: str, w: str, u: str, bias: str):
    """Return hidden and cell states and gates of all steps: ONNX's LSTM has only the last cell."""
    units = op.fixed_shape(4)[0]

    def step(inside: Builder, state: list[str], rows: list[str]):
        total = inside("Add", rows[0], inside("MatMul", state[0], u))
        i, f, d, o = _split(inside, total, units, 4)
        i, f, d, o = (inside("Tanh" if gate == d else "Sigmoid", gate) for gate in (i, f, d, o))
        cells = inside("Add", inside("Mul", f, state[1]), inside("Mul", i, d))
        hidden = inside("Mul", o, inside("Tanh", cells))
        return [hidden, cells], [hidden, cells, inside("Concat", i, f, d, o, axis=-1)]

    sums = b("Add", b("MatMul", x, w), bias)
    return _steps(b, op, [h, c], [sums], step, 3)[2:]


def _one_minus(b: Builder, op: Op, x: str) -> str:
    return b("Sub", number(op, 1), x)


def _slope(b: Builder, op: Op, x: str) -> str:
    """Return the derivative of a sigmoid with this value."""
    return b("Mul", x, _one_minus(b, op, x))


def _before(b: Builder, first: str, rows: str) -> str:
    """Return the states before each step: the first one, and all but the last."""
    return b("Concat", b.unsqueeze(first, 1), b.slice(rows, 1, 0, -1), axis=1)


def _product(b: Builder, x: str, width: int, y: str, other: int) -> str:
    """Return xᵀ y, summed over batch and time."""
    left, right = (b("Reshape", z, b.integers([-1, n])) for z, n in ((x, width), (y, other)))
    return b("MatMul", b.transpose(left, [1, 0]), right)


def _by_input(b: Builder, op: Op, slopes: str, w: str) -> str:
    if not op["input_gradient"]:
        return b.constant(np.zeros(0), op.dtype())
    return b("MatMul", slopes, b.transpose(w, [1, 0]))


def _lstm_grad(b: Builder, op: Op, *inputs: str) -> list[str]:
    x, h, c, w, u, hidden, cells, gates, g_hidden, g_cells, _ = inputs
    (units, width), features = op.fixed_shape(4), op.fixed_shape(3)[0]
    back = b.transpose(u, [1, 0])

    def step(s: Builder, state: list[str], rows: list[str]):
        i, f, g, o = _split(s, rows[0], units, 4)
        squashed = s("Tanh", rows[1])
        to_h = s("Add", state[0], rows[3])
        through = s("Mul", s("Mul", to_h, o), _one_minus(s, op, s("Mul", squashed, squashed)))
        carry = s("Add", s("Add", state[1], rows[4]), through)
        slopes = s(
            "Concat",
            s("Mul", s("Mul", carry, g), _slope(s, op, i)),
            s("Mul", s("Mul", carry, rows[2]), _slope(s, op, f)),
            s("Mul", s("Mul", carry, i), _one_minus(s, op, s("Mul", g, g))),
            s("Mul", s("Mul", to_h, squashed), _slope(s, op, o)),
            axis=-1,
        )
        return [s("MatMul", slopes, back), s("Mul", carry, f)], [slopes]

    zero = b("Mul", h, number(op, 0))
    rows = [gates, cells, _before(b, c, cells), g_hidden, g_cells]
    to_h, carry, slopes = _steps(b, op, [zero, zero], rows, step, 1, reverse=True)
    return [
        _by_input(b, op, slopes, w),
        to_h,
        carry,
        _product(b, x, features, slopes, width),
        _product(b, _before(b, h, hidden), units, slopes, width),
        b.reduce("ReduceSum", slopes, [0, 1], False),
    ]


def _gru(b: Builder, op: Op, x: str, h: str, w: str, u: str, bias: str) -> list[str]:
    units = op.fixed_shape(3)[0]
    if op.needed[1]:
        return _gru_by_steps(b, op, x, h, w, u, bias)
    order = [0, 1, 2]
    inputs = [
        b.transpose(x, [1, 0, 2]),
        _weight(b, w, units, order),
        _weight(b, u, units, order),
        b("Reshape", bias, b.integers([1, -1])),
        "",
        b.unsqueeze(h, 0),
    ]
    y = b.several("GRU", inputs, 1, hidden_size=units, linear_before_reset=1)[0]
    return [_sequence(b, y)]


def _gru_by_steps(b: Builder, op: Op, x: str, h: str, w: str, u: str, bias: str) -> list[str]:
    """Return hidden states and gates of all steps, which the gradient needs."""
    units = op.fixed_shape(3)[0]
    parts = b.several("Split", [bias, b.integers([1, 1])], 2, axis=0)
    outer, inner = (b.squeeze(part, 0) for part in parts)

    def step(s: Builder, state: list[str], rows: list[str]):
        products = s("Add", s("MatMul", state[0], u), inner)
        given, own = (_split(s, each, units, 3) for each in (rows[0], products))
        z, r = (s("Sigmoid", s("Add", given[k], own[k])) for k in (0, 1))
        g = s("Tanh", s("Add", given[2], s("Mul", r, own[2])))
        hidden = s("Add", s("Mul", z, state[0]), s("Mul", _one_minus(s, op, z), g))
        return [hidden], [hidden, s("Concat", z, r, g, own[2], axis=-1)]

    return _steps(b, op, [h], [b("Add", b("MatMul", x, w), outer)], step, 2)[1:]


def _gru_grad(b: Builder, op: Op, *inputs: str) -> list[str]:
    x, h, w, u, hidden, gates, g_hidden, _ = inputs
    (units, width), features = op.fixed_shape(3), op.fixed_shape(2)[0]
    back = b.transpose(u, [1, 0])

    def step(s: Builder, state: list[str], rows: list[str]):
        z, r, g, product = _split(s, rows[0], units, 4)
        to_h = s("Add", state[0], rows[2])
        dz = s("Mul", s("Mul", to_h, s("Sub", rows[1], g)), _slope(s, op, z))
        rest = s("Mul", to_h, _one_minus(s, op, z))
        dg = s("Mul", rest, _one_minus(s, op, s("Mul", g, g)))
        dr = s("Mul", s("Mul", dg, product), _slope(s, op, r))
        to_input = s("Concat", dz, dr, dg, axis=-1)
        to_product = s("Concat", dz, dr, s("Mul", dg, r), axis=-1)
        return [s("Add", s("Mul", to_h, z), s("MatMul", to_product, back))], [to_input, to_product]

    before = _before(b, h, hidden)
    zero = b("Mul", h, number(op, 0))
    to_h, outer, inner = _steps(b, op, [zero], [gates, before, g_hidden], step, 2, reverse=True)
    sums = [b.unsqueeze(b.reduce("ReduceSum", each, [0, 1], False), 0) for each in (outer, inner)]
    return [
        _by_input(b, op, outer, w),
        to_h,
        _product(b, x, features, outer, width),
        _product(b, before, units, inner, width),
        b("Concat", *sums, axis=0),
    ]


ROWS = {"lstm": _lstm, "lstm_grad": _lstm_grad, "gru": _gru, "gru_grad": _gru_grad}
