"""LSTM and GRU over whole sequences, which ONNX has as ops with other orders of gates and axes."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op
from gradtape.formats import onnx


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
    if op.needed[2]:
        raise NotImplementedError(f"{op}: the gradient of an LSTM is not exported.")
    if op.needed[1]:
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


def _lstm_by_steps(b: Builder, op: Op, x: str, h: str, c: str, w: str, u: str, bias: str):
    """Return hidden and cell states of all steps: ONNX's LSTM has only the last cell state."""
    units, dtype = op.fixed_shape(4)[0], op.dtype()
    sums = b.transpose(b("Add", b("MatMul", x, w), bias), [1, 0, 2])
    inside = Builder(b.names, b)
    state, cell, row = (b.names.fresh(stem) for stem in ("state", "cell", "row"))
    total = inside("Add", row, inside("MatMul", state, u))
    i, f, d, o = inside.several("Split", [total, inside.integers([units] * 4)], 4, axis=-1)
    kept = inside("Mul", inside("Sigmoid", f), cell)
    cells = inside("Add", kept, inside("Mul", inside("Sigmoid", i), inside("Tanh", d)))
    hidden = inside("Mul", inside("Sigmoid", o), inside("Tanh", cells))
    results = [hidden, cells, inside("Identity", hidden), inside("Identity", cells)]
    graph = onnx.graph(
        b.names.fresh("lstm"),
        inside.nodes,
        [],
        [onnx.value_info(name, dtype, None) for name in (state, cell, row)],
        [onnx.value_info(name, dtype, None) for name in results],
    )
    made = b.several("Scan", [h, c, sums], 4, body=graph, num_scan_inputs=1)
    return [b.transpose(y, [1, 0, 2]) for y in made[2:]]


def _gru(b: Builder, op: Op, x: str, h: str, w: str, u: str, bias: str) -> list[str]:
    units = op.fixed_shape(3)[0]
    if op.needed[1]:
        raise NotImplementedError(f"{op}: the gradient of a GRU is not exported.")
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


ROWS = {"lstm": _lstm, "gru": _gru}
