"""How branches, loops and scans are written: with functions of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.core.shape import TensorShape
from gradtape.saved_model.structures import RESOURCE_NUMBER
from gradtape.saved_model.writing.builder import (
    Builder,
    CannotWrite,
    FunctionName,
    Ref,
    TypeNumber,
)
from gradtape.saved_model.writing.lowering import finished, inner_function, lower, rule
from gradtape.saved_model.writing.sizes import NodePair, Pair, Unknown

_INT = np.dtype(np.int32)
_BOOL = np.dtype(bool)
_VARIANT = TypeNumber(RESOURCE_NUMBER + 1)


def _kind(b: Builder, op: str, *functions: FunctionName) -> str:
    """Return an op for functions with effects, or for those without."""
    return op if b.library.stateful.intersection(functions) else f"Stateless{op}"


def _call(b: Builder, kind: str, *inputs: Ref, functions: list, **attributes: Any) -> list[Ref]:
    """Add a node that calls functions; if these have effects, it is one, and has its turn."""
    acts = bool(b.library.acting.intersection(functions))
    after = tuple(b.effects[-1:]) if acts else ()
    made = b.nodes_of(_kind(b, kind, *functions), *inputs, after=after, **attributes)
    if acts:
        b.effects.append(b.last_node)
    return made


@rule("branch")
def branch(b: Builder, node: NodePair, index: Ref, *operands: Ref) -> list[Ref]:
    names = [
        inner_function(b, "branch", *graphs)
        for graphs in zip(node.first.params["graphs"], node.second.params["graphs"], strict=True)
    ]
    kinds = [value.dtype for value in node.outputs]
    return _call(
        b,
        "Case:output",
        b.cast(index, _INT),
        *operands,
        functions=names,
        dtypes=kinds,
        Tin=[ref.dtype for ref in operands],
        Tout=kinds,
        branches=names,
        output_shapes=[value.static_shape for value in node.outputs],
    )


def _while(
    b: Builder,
    condition: FunctionName,
    body: FunctionName,
    state: list[Ref],
    shapes: list[TensorShape],
) -> list[Ref]:
    kinds = [ref.dtype for ref in state]
    return _call(
        b,
        "While:output",
        *state,
        functions=[condition, body],
        dtypes=kinds,
        T=list(kinds),
        cond=condition,
        body=body,
        output_shapes=shapes,
        parallel_iterations=10,
    )


@rule("loop")
def loop(b: Builder, node: NodePair, *inputs: Ref) -> list[Ref]:
    """Write a loop; what it captures goes round with its state, and so does a count."""
    count, limit = node.count, node.limit
    if node.first.params.get("keeps"):
        raise CannotWrite("a loop that keeps what its gradient needs")
    shapes = [TensorShape([]), *[value.static_shape for value in node.inputs]]

    def inner(name: str, graphs: tuple, is_test: bool) -> FunctionName:
        made = Builder(b.library, f"{name}_of_{b.name.removeprefix('__inference_')}")
        at = made.argument("count", _INT)
        given = [made.argument("x", ref.dtype) for ref in inputs]
        results = lower(made, graphs[0], graphs[1], given)
        if not is_test:
            one = made.op("AddV2:z", at, made.ints(1))
            return finished(b, made, [one, *results, *given[count:]])
        if limit is not None:
            below = made.op("Less:z", at, made.size(limit), dtype=_BOOL)
            results = [made.op("LogicalAnd:z", results[0], below, T=None)]
        return finished(b, made, results)

    graphs = (node.first.params, node.second.params)
    test = inner("condition", tuple(each["condition"] for each in graphs), True)
    body = inner("body", tuple(each["body"] for each in graphs), False)
    made = _while(b, test, body, [b.ints(0), *inputs], shapes)
    return made[1 : count + 1]


@rule("scan")
def scan(b: Builder, node: NodePair, *inputs: Ref) -> list[Ref]:
    """Write a scan as a loop over lists of rows."""
    carry, rows = node.carry, node.rows
    graphs = node.first.params["body"], node.second.params["body"]
    outputs = [Pair(*pair) for pair in zip(graphs[0].outputs, graphs[1].outputs, strict=True)]
    carried = [Pair(*pair) for pair in zip(graphs[0].inputs, graphs[1].inputs, strict=True)]
    made = [*outputs[carry:], *(carried[:carry] if node.keeps else [])]
    length = b.size(node.length)
    lists = [
        _list(b, "TensorListReserve:handle", _element_sizes(b, value), length, value.dtype)
        for value in made
    ]
    state, given, captured = inputs[:carry], inputs[carry : carry + rows], inputs[carry + rows :]
    # Lists are variants, and none of their tensors is differentiated by its index.
    moving: list[Any] = [b.ints(0), length, *lists, *state, *given, *captured]
    inner = Builder(b.library, f"body_of_{b.name.removeprefix('__inference_')}")
    arguments = [inner.argument("x", ref.dtype) for ref in moving]
    at, total = arguments[:2]
    held = arguments[2 : 2 + len(lists)]
    rest = arguments[2 + len(lists) :]
    now, sources, others = rest[:carry], rest[carry : carry + rows], rest[carry + rows :]
    row = at
    if node.reverse:
        last = inner.op("Sub:z", total, inner.ints(1))
        row = inner.op("Sub:z", last, at)
    picked = [
        inner.op(
            "GatherV2:output",
            ref,
            row,
            inner.ints(0),
            T=None,
            Tparams=ref.dtype,
            Tindices=_INT,
            Taxis=_INT,
        )
        for ref in sources
    ]
    results = lower(inner, *graphs, [*now, *picked, *others])
    stored = [*results[carry:], *(now if node.keeps else [])]
    held = [
        inner.nodes_of(
            "TensorListSetItem:output_handle",
            handle,
            row,
            item,
            dtypes=[_VARIANT],
            element_dtype=item.dtype,
        )[0]
        for handle, item in zip(held, stored, strict=True)
    ]
    following = inner.op("AddV2:z", at, inner.ints(1))
    body = finished(b, inner, [following, total, *held, *results[:carry], *sources, *others])
    test = Builder(b.library, f"condition_of_{b.name.removeprefix('__inference_')}")
    tested = [test.argument("x", ref.dtype) for ref in moving]
    condition = finished(b, test, [test.op("Less:z", tested[0], tested[1], dtype=_BOOL)])
    shapes = [TensorShape([])] * (2 + len(lists)) + [value.static_shape for value in node.inputs]
    after = _while(b, condition, body, moving, shapes)
    stacked = [
        b.nodes_of(
            "TensorListStack:tensor",
            handle,
            _element_sizes(b, value),
            dtypes=[value.dtype],
            element_dtype=value.dtype,
        )[0]
        for handle, value in zip(after[2 : 2 + len(lists)], made, strict=True)
    ]
    return [*after[2 + len(lists) : 2 + len(lists) + carry], *stacked]


def _element_sizes(b: Builder, value: Pair) -> Ref:
    return b.ints(np.array([-1 if isinstance(n, Unknown) else n for n in value.shape], np.int32))


def _list(b: Builder, kind: str, sizes: Ref, length: Ref, dtype: Any) -> Ref:
    return b.nodes_of(kind, sizes, length, dtypes=[_VARIANT], element_dtype=dtype, shape_type=_INT)[
        0
    ]
