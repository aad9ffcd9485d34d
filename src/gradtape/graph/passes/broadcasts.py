"""Removes broadcasts before an op that broadcasts its inputs, or before a sum that undoes them."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.size import is_open, surely_equal
from gradtape.core.tensor import Tensor
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.rewrite import Producers, replace_node, rewrite


def remove_broadcasts(graph: Graph) -> Graph:
    """Return the graph without broadcasts that the next op makes unnecessary."""
    return rewrite(graph, (_before_broadcasting, _before_sum))


def _before_broadcasting(node: Node, producers: Producers) -> Node | None:
    """Give an elementwise op the operand before its broadcast, if the output keeps its shape."""
    if not node.prim.broadcasts or len(node.inputs) < 2:
        return None
    inputs = list(node.inputs)
    for index, value in enumerate(inputs):
        before = producers.of(value, "broadcast_to")
        if before is None:
            continue
        narrow = before.inputs[0]
        shapes = [v.spec.shape for i, v in enumerate(inputs) if i != index]
        made = broadcast_shapes(narrow.spec.shape, *shapes)
        if surely_equal(made, node.outputs[0].spec.shape):
            inputs[index] = narrow
    if all(a is b for a, b in zip(inputs, node.inputs, strict=True)):
        return None
    return replace_node(node, tuple(inputs))


def _before_sum(node: Node, producers: Producers) -> Node | None:
    """Replace the sum over broadcast axes by a product with their size."""
    if node.prim.name != "reduce_sum" or node.params["keepdims"]:
        return None
    before = producers.of(node.inputs[0], "broadcast_to")
    if before is None:
        return None
    narrow, wide = before.inputs[0].spec, node.inputs[0].spec
    missing = len(wide.shape) - len(narrow.shape)
    leading = range(missing)  # only new axes: the others would need a reshape
    if tuple(node.params["axis"]) != tuple(leading) or not surely_equal(
        narrow.shape, wide.shape[missing:]
    ):
        return None
    if narrow.dtype.kind not in "fc":
        return None
    count = math.prod(wide.shape[:missing])
    if is_open(count):
        return None
    factor = Tensor(np.dtype(narrow.dtype).type(count))
    return replace_node(
        node, (before.inputs[0], Value(factor._spec(), factor)), {}, PRIMITIVES["multiply"]
    )
