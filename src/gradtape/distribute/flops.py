"""How many floating point operations the products of a graph take: two for each multiplication.

Other ops take time for what they read and write, not for what they compute: they count as nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.passes.attention import FUSED, FUSED_PULL


def _size(spec) -> int:
    return math.prod(spec.shape)


def _matmul(node: Node) -> float:
    x = node.inputs[0].spec.shape
    inner = x[-2] if node.params["transpose_a"] else x[-1]
    return 2.0 * _size(node.outputs[0].spec) * inner


def _einsum(node: Node) -> float:
    labels = node.params["equation"].partition("->")[0].replace(",", "")
    shapes = [n for value in node.inputs for n in value.spec.shape]
    return 2.0 * math.prod(dict(zip(labels, shapes, strict=True)).values())


def _windows(filter_spec, result_spec) -> float:
    """Of a convolution: each element of the result is a sum over a window."""
    return 2.0 * _size(result_spec) * _size(filter_spec) / filter_spec.shape[-1]


def _conv(node: Node) -> float:
    return _windows(node.inputs[1].spec, node.outputs[0].spec)


def _conv_input(node: Node) -> float:
    return _windows(node.inputs[1].spec, node.inputs[0].spec)


def _conv_filter(node: Node) -> float:
    return _windows(node.outputs[0].spec, node.inputs[1].spec)


def _attention(node: Node) -> float:
    """q kᵀ and the product with v; shapes are [batch, time, heads, depth]."""
    q, k, v = (value.spec.shape for value in node.inputs[:3])
    return 2.0 * math.prod(q[:3]) * k[1] * (q[3] + v[3])


def _attention_grad(node: Node) -> float:
    return _BACKWARD * _attention(node)


def _fused_attention(node: Node) -> float:
    q, k, v = (value.spec.shape for value in node.inputs)
    time = 2 if node.params["by_head"] else 1
    return 2.0 * math.prod(q[:3]) * k[time] * (q[3] + v[3])


def _recurrent(node: Node) -> float:
    """x w and h u for every step; x [batch, time, inputs], w [inputs, gates], u [units, gates]."""
    named = dict(zip(node.prim.inputs, node.inputs, strict=True))
    batch, time = named["x"].spec.shape[:2]
    weights = _size(named["w"].spec) + _size(named["u"].spec)
    return (4.0 if node.prim.name.endswith("_grad") else 2.0) * batch * time * weights


_FORMULAS: dict[str, Callable[[Node], float]] = {
    "matmul": _matmul,
    "einsum": _einsum,
    "conv": _conv,
    "conv_input": _conv_input,
    "conv_filter": _conv_filter,
    "attention": _attention,
    "attention_grad": _attention_grad,
    FUSED.name: _fused_attention,
    "lstm": _recurrent,
    "lstm_grad": _recurrent,
    "gru": _recurrent,
    "gru_grad": _recurrent,
}


_BACKWARD = 2.5  # of attention: five products for two, as the scores are computed again


def is_product(node: Node) -> bool:
    """Whether an op is one whose arithmetic counts."""
    return node.prim.name in _FORMULAS or node.prim is FUSED_PULL


def flops(node: Node, maker: Callable[[Value], Node | None]) -> float:
    """The operations of one op; those of a loop over rows are of all its rounds.

    `maker` tells which op has made a value: the reverse of a fused attention says nothing of it.
    """
    if node.prim is FUSED_PULL:
        forward = maker(node.inputs[0])
        return 0.0 if forward is None else _BACKWARD * _fused_attention(forward)
    formula = _FORMULAS.get(node.prim.name)
    if formula is not None:
        return formula(node)
    inner = [
        graph
        for parameter in node.params.values()
        for graph in (parameter if isinstance(parameter, tuple) else (parameter,))
        if isinstance(graph, Graph)
    ]
    if not inner:
        return 0.0
    rounds = node.params.get("length") or 1
    return rounds * max(sum(flops(each, maker) for each in graph.nodes) for graph in inner)
