"""Broadcasting before an op that broadcasts by itself, or before the sum that undoes it."""

from __future__ import annotations

import math

import numpy as np

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.passes.rewrite import Makers, changed, rewritten


def with_fewer_broadcasts(graph: Graph) -> Graph:
    """The graph without broadcasts that the next op makes unnecessary."""
    return rewritten(graph, (_before_broadcasting, _before_sum))


def _before_broadcasting(node: Node, makers: Makers) -> Node | None:
    """An elementwise op takes the narrow operand, if the others have the shape of the result."""
    if not node.prim.broadcasts or len(node.inputs) < 2:
        return None
    inputs = list(node.inputs)
    for place, value in enumerate(inputs):
        before = makers.of(value, "broadcast_to")
        if before is None:
            continue
        narrow = before.inputs[0]
        shapes = [v.spec.shape for i, v in enumerate(inputs) if i != place]
        if np.broadcast_shapes(narrow.spec.shape, *shapes) == node.outputs[0].spec.shape:
            inputs[place] = narrow
    if all(a is b for a, b in zip(inputs, node.inputs, strict=True)):
        return None
    return changed(node, tuple(inputs))


def _before_sum(node: Node, makers: Makers) -> Node | None:
    """The sum over axes along which a value was repeated is the value, times how often."""
    if node.prim.name != "reduce_sum" or node.params["keepdims"]:
        return None
    before = makers.of(node.inputs[0], "broadcast_to")
    if before is None:
        return None
    narrow, wide = before.inputs[0].spec, node.inputs[0].spec
    missing = len(wide.shape) - len(narrow.shape)
    repeated = range(missing)  # only axes that are new: the others would need a reshape
    if tuple(node.params["axis"]) != tuple(repeated) or narrow.shape != wide.shape[missing:]:
        return None
    if narrow.dtype.kind not in "fc":
        return None
    count = math.prod(wide.shape[:missing])
    factor = Tensor(np.dtype(narrow.dtype).type(count))
    return changed(
        node, (before.inputs[0], Value(factor._spec(), factor)), {}, PRIMITIVES["multiply"]
    )
