"""How functions of strings are written, and what is done with tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.api.lookup.mutable_tables import TableCall
from gradtape.api.lookup.static_tables import StaticTable
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import rule
from gradtape.saved_model.writing.sizes import NodePair
from gradtape.saved_model.writing.tables import write_action, write_lookup

_INT = np.dtype(np.int32)
_NOTHING = Ref("", None)


def _as_string(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    return inputs, {**given, "T": inputs[0].dtype}


def _substr(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    return inputs, {**given, "T": inputs[1].dtype}


def _format(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    return inputs, {**given, "T": [ref.dtype for ref in inputs]}


def _reduce_join(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    axes = np.array(given.pop("axes"), np.int32)
    return [*inputs, b.ints(axes)], given


def _segment_join(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    count = b.ints(given.pop("count"))
    return [*inputs, count], {**given, "Tindices": inputs[1].dtype, "Tnumsegments": _INT}


def _strong_hash(b: Builder, inputs: list[Ref], given: dict) -> tuple[list[Ref], dict]:
    return inputs, {**given, "key": list(given["key"])}


# Ops whose attributes or inputs are not just those of the function.
_SPECIAL: dict[str, Callable[..., tuple[list[Ref], dict]]] = {
    "AsString": _as_string,
    "Substr": _substr,
    "StringFormat": _format,
    "ReduceJoin": _reduce_join,
    "UnsortedSegmentJoin": _segment_join,
    "StringToHashBucketStrong": _strong_hash,
}


@rule("host_call")
def host_call(b: Any, node: NodePair, *inputs: Ref) -> Ref:
    """Write a function of strings, or the lookup of a table; other Python has no form in a file."""
    compute, form = node.first.params["compute"], node.first.params["form"]
    table = getattr(compute, "__self__", None)
    if isinstance(table, StaticTable) and hasattr(b, "resource"):
        return write_lookup(b, table, inputs[0])
    if form is None or form != node.second.params["form"]:
        name = getattr(compute, "__qualname__", None) or repr(compute)
        raise CannotWrite(f"{name}, which is computed by Python")
    return string_op(b, form.op, list(inputs), dict(form.attributes), node.outputs[0].dtype)


@rule("callback")
def callback(b: Any, node: NodePair, *inputs: Ref) -> Ref:
    """Write what is done with a table; the results are those of `unbox`, which follows."""
    call = node.first.params["callback"].call
    if isinstance(call, TableCall) and hasattr(b, "resource"):
        return next(iter(write_action(b, call, list(inputs))), _NOTHING)
    where = " in a branch or loop" if isinstance(call, TableCall) else ""
    raise CannotWrite(f"{node.first.params['callback'].what}{where}, which is called by Python")


@rule("unbox")
def unbox(b: Any, node: NodePair, box: Ref, *inputs: Ref) -> list[Ref]:
    return [box] * len(node.outputs)


def string_op(b: Builder, op: str, inputs: list[Ref], attributes: dict, dtype: Any) -> Ref:
    """Add a node of an op on strings."""
    given, filled = _SPECIAL.get(op, lambda b, x, a: (x, a))(b, inputs, attributes)
    return b.nodes_of(f"{op}:output", *given, dtypes=[dtype], **filled)[0]
