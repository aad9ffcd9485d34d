"""Branches, loops and scans: graphs inside ops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op, shape_of
from gradtape.exporting.sizes import constant
from gradtape.formats import onnx
from gradtape.graph.graph import Graph


def _inner(b: Builder, graphs: Sequence[Graph], inputs: Sequence[str]) -> tuple[Builder, list[str]]:
    from gradtape.exporting.onnx.convert import emit  # which has the table of these rows

    inside = Builder(b.names, b)
    return inside, emit(inside, graphs, inputs)


def _finished(inside: Builder, name: str, inputs: list[bytes], outputs: list[tuple]) -> bytes:
    """Return a graph inside an op, given its inputs and its outputs (name, dtype)."""
    infos = []
    for result, dtype in outputs:
        # A result must be made inside, and only once.
        made = inside("Identity", result)
        infos.append(onnx.value_info(made, dtype, None))
    return onnx.graph(inside.names.fresh(name), inside.nodes, [], inputs, infos)


def _typed(graphs: Sequence[Graph]) -> list[np.dtype]:
    return [value.spec.dtype for value in graphs[0].outputs]


# --- branches ------------------------------------------------------------------------------------


def _branch(b: Builder, op: Op, index: str, *operands: str) -> list[str]:
    graphs = op.graphs("graphs")
    return _choose(b, graphs, 0, index, operands, op.dtype())


def _choose(b: Builder, graphs, first: int, index: str, operands, dtype) -> list[str]:
    """Run the branch `first` if it is asked for, else one of those after it; at last the last."""
    condition = b("Equal", index, np.asarray(first, dtype))
    types = _typed(graphs[first])
    inside, results = _inner(b, graphs[first], operands)
    then = _finished(inside, "then", [], list(zip(results, types, strict=True)))
    if len(graphs) == first + 2:
        inside, results = _inner(b, graphs[-1], operands)
    elif len(graphs) == first + 1:
        return _inline(b, graphs[first], operands)
    else:
        inside = Builder(b.names, b)
        results = _choose(inside, graphs, first + 1, index, operands, dtype)
    otherwise = _finished(inside, "else", [], list(zip(results, types, strict=True)))
    return b.several("If", [condition], len(types), then_branch=then, else_branch=otherwise)


def _inline(b: Builder, graphs: Sequence[Graph], operands: Sequence[str]) -> list[str]:
    from gradtape.exporting.onnx.convert import emit

    return emit(b, graphs, operands)


# --- loops ---------------------------------------------------------------------------------------


def _loop(b: Builder, op: Op, *inputs: str) -> list[str]:
    (condition,), (body,) = op.graphs("condition"), op.graphs("body")
    if any(node.params.get("keeps") for node in op.nodes):
        raise NotImplementedError(
            f"{op}: the gradient of a loop of unknown length cannot be exported; see tf.scan for "
            "one that is known."
        )
    count, limit = op["count"], op.series("limit")
    state, rest = inputs[:count], inputs[count:]
    types = _typed(body)
    goes_on = _inline(b, condition, inputs)[0]
    inside = Builder(b.names, b)
    carried = [b.names.fresh("state") for _ in state]
    step, flag = b.names.fresh("iteration"), b.names.fresh("goes_on")
    after = _inline(inside, body, [*carried, *rest])
    again = _inline(inside, condition, [*after, *rest])[0]
    given = [
        onnx.value_info(step, np.dtype(np.int64), ()),
        onnx.value_info(flag, np.dtype(np.bool_), ()),
        *[onnx.value_info(n, t, None) for n, t in zip(carried, types, strict=True)],
    ]
    results = [(again, np.dtype(np.bool_)), *zip(after, types, strict=True)]
    graph = _finished(inside, "body", given, results)
    most = "" if limit is None else b.scalar(limit)
    return b.several("Loop", [most, goes_on, *state], count, body=graph)


def _scan(b: Builder, op: Op, *inputs: str) -> list[str]:
    """Return a Scan, inside an If where the rows may be none: onnxruntime's takes at least one."""
    length = op.series("length")
    if constant(length) is not None:
        return _scan_node(b, op, inputs)
    types = [value.spec.dtype for value, *_ in op.outputs]
    inside = Builder(b.names, b)
    then = _finished(
        inside, "rows", [], list(zip(_scan_node(inside, op, inputs), types, strict=True))
    )
    inside = Builder(b.names, b)
    results = list(inputs[: op["carry"]])
    for value, dtype in zip(op.outputs[op["carry"] :], types[op["carry"] :], strict=True):
        shape = [(0,) * len(length), *shape_of(value)[1:]]
        results.append(inside.expand(inside.constant(0, dtype), shape))
    otherwise = _finished(inside, "no_rows", [], list(zip(results, types, strict=True)))
    some = b("Greater", b.scalar(length), np.int64(0))
    return b.several("If", [some], len(types), then_branch=then, else_branch=otherwise)


def _scan_node(b: Builder, op: Op, inputs: Sequence[str]) -> list[str]:
    (body,) = op.graphs("body")
    carry, rows = op["carry"], op["rows"]
    state, given, captured = inputs[:carry], inputs[carry : carry + rows], inputs[carry + rows :]
    dtypes = [value.spec.dtype for value in body[0].inputs]
    counted = not given
    if counted:  # ONNX takes the number of iterations from the rows
        given = [b("Range", np.int64(0), b.scalar(op.series("length")), np.int64(1))]
        dtypes[carry:carry] = [np.dtype(np.int64)]
    inside = Builder(b.names, b)
    carried = [b.names.fresh("state") for _ in state]
    row_names = [b.names.fresh("row") for _ in given]
    results = _inline(inside, body, [*carried, *([] if counted else row_names), *captured])
    pairs = list(zip(results, _typed(body), strict=True))
    if op["keeps"]:
        pairs += list(zip(carried, dtypes, strict=False))
    named = zip([*carried, *row_names], dtypes, strict=False)
    infos = [onnx.value_info(name, dtype, None) for name, dtype in named]
    graph = _finished(inside, "body", infos, pairs)
    made, reverse = len(pairs) - carry, int(op["reverse"])
    return b.several(
        "Scan",
        [*state, *given],
        len(pairs),
        body=graph,
        num_scan_inputs=len(given),
        scan_input_directions=[reverse] * len(given),
        **({"scan_output_directions": [reverse] * made} if made else {}),
    )


ROWS = {"branch": _branch, "loop": _loop, "scan": _scan}
