"""How printing and checking are written: ops that run in their order, though nothing uses them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.debugging import assertions, printing
from gradtape.graph.control.effects import Effect
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import rule
from gradtape.saved_model.writing.ops.strings import string_op
from gradtape.saved_model.writing.sizes import NodePair

_STRING, _BOOL, _INT = np.dtype(object), np.dtype(bool), np.dtype(np.int32)
# TensorFlow's ops for the comparisons of tf.debugging.assert_less and its like.
_COMPARISONS = {
    ops.equal: "Equal",
    ops.not_equal: "NotEqual",
    ops.less: "Less",
    ops.less_equal: "LessEqual",
    ops.greater: "Greater",
    ops.greater_equal: "GreaterEqual",
}


@rule("effect")
def effect(b: Builder, node: NodePair, *inputs: Ref) -> list[Ref]:
    recorded = node.first.params["do"]
    write = None
    if isinstance(recorded, Effect):
        write = _WRITERS.get(recorded.function)
    if write is None:
        name = getattr(getattr(recorded, "function", recorded), "__qualname__", repr(recorded))
        raise CannotWrite(f"{name}, which is done for its effect")
    if recorded.has_composites:
        raise CannotWrite("sparse and ragged tensors that are printed: print their values")
    args, kwargs = recorded.arguments(inputs)
    write(b, node, args, kwargs)
    b.effects.append(b.last_node)
    return []


def _in_order(b: Builder) -> tuple[str, ...]:
    return tuple(b.effects[-1:])


def _print(b: Builder, node: NodePair, args: list, kwargs: dict) -> None:
    """Write what is printed as one text with places for the tensors."""
    stream = kwargs.get("output_stream", sys.stderr)
    names = {id(sys.stderr): "stderr", id(sys.stdout): "stdout"}
    target = stream if isinstance(stream, str) else names.get(id(stream))
    if target is None:
        raise CannotWrite("tf.print to a stream other than sys.stdout and sys.stderr")
    if any(isinstance(x, (list, tuple, dict)) and not isinstance(x, Ref) for x in args):
        raise CannotWrite("tf.print of lists and dictionaries: print their tensors")
    separator, end = kwargs.get("sep", " "), kwargs.get("end", "\n")
    summarize = kwargs.get("summarize", 3)
    placeholder = "{}"
    while any(placeholder in str(value) for value in (*args, separator)):
        placeholder += "%"
    template = separator.join(placeholder if isinstance(x, Ref) else str(x) for x in args)
    attributes = {
        "template": template,
        "placeholder": placeholder,
        "summarize": 3 if summarize is None else int(summarize),
    }
    tensors = [value for value in args if isinstance(value, Ref)]
    is_text = len(args) == len(tensors) == 1 and tensors[0].dtype == _STRING
    if is_text and not node.inputs[0].shape:  # one text is printed without quotes
        text = tensors[0]
    else:
        text = string_op(b, "StringFormat", tensors, attributes, _STRING)
    b.nodes_of("PrintV2:", text, dtypes=[], after=_in_order(b), output_stream=target, end=end)
    b.is_stateful = True


def _assert(b: Builder, condition: Any, data: list, summarize: Any) -> None:
    whole = _operand(b, condition, _BOOL)
    shown = [_operand(b, value, None) for value in data]
    b.nodes_of(
        "Assert:",
        whole,
        *shown,
        dtypes=[],
        after=_in_order(b),
        T=[ref.dtype for ref in shown],
        summarize=3 if summarize is None else int(summarize),
    )
    b.is_stateful = True


def _operand(b: Builder, value: Any, dtype: Any) -> Ref:
    if isinstance(value, Ref):
        return value
    if isinstance(value, (str, bytes)):
        text = np.empty((), object)
        text[()] = value.encode() if isinstance(value, str) else value
        return b.const(text)
    tensor = ops.to_tensor(value)
    return b.const(np.asarray(tensor.numpy(), dtype or tensor.dtype.dtype))


def _asserted(b: Builder, node: NodePair, args: list, kwargs: dict) -> None:
    given = inspect.signature(assertions._assert).bind(*args, **kwargs).arguments
    _assert(b, given["condition"], list(given["data"]), given.get("summarize"))


def _compared(b: Builder, node: NodePair, args: list, kwargs: dict) -> None:
    compare, sign, x, y, message, summarize = args
    kind = next((each.dtype for each in (x, y) if isinstance(each, Ref)), None)
    left, right = _operand(b, x, kind), _operand(b, y, kind)
    name = _COMPARISONS[compare]
    attributes = {"incompatible_shape_error": True} if name in ("Equal", "NotEqual") else {}
    holds = b.op(f"{name}:z", left, right, dtype=_BOOL, **attributes)
    rank = b.op("Rank:output", holds, dtype=_INT)
    axes = b.op("Range:output", b.ints(0), rank, b.ints(1), T=None, Tidx=_INT)
    every = b.op("All:output", holds, axes, dtype=_BOOL, T=None, Tidx=_INT, keep_dims=False)
    text = f"Condition x {sign} y did not hold."
    _assert(b, every, [f"{message} {text}" if message else text, left, right], summarize)


_WRITERS: dict[Callable, Callable[[Builder, NodePair, list, dict], None]] = {
    inspect.unwrap(printing.print_): _print,
    inspect.unwrap(assertions._assert): _asserted,
    inspect.unwrap(assertions._compare_values): _compared,
}
