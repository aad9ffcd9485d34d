"""Results that may be written over an input's array, because nobody needs that any more."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gradtape.backends.numpy import KERNELS
from gradtape.core.primitive import Primitive
from gradtape.engine.trace.graph import Graph, last_uses

# Below this many bytes a fresh array costs no more than the question.
_FROM_BYTES = 1 << 14
# Primitives whose kernels are NumPy's functions of elements under another guise.
_SAME_AS = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "negative": np.negative, "maximum": np.maximum, "minimum": np.minimum, "square": np.square,
}  # fmt: skip


def ufunc_of(prim: Primitive, kernel) -> np.ufunc | None:
    """The function of NumPy that computes a primitive and can write into an array; None: none.

    Native kernels look after their memory themselves: they are left alone.
    """
    if isinstance(kernel, np.ufunc):
        return kernel
    is_numpy = kernel is KERNELS.get(prim.name)
    return _SAME_AS.get(prim.name) if is_numpy else None


def overwritable(graph: Graph, kernel_of: Callable[[Primitive], Callable]) -> dict[int, int]:
    """By position of a node: which of its inputs' arrays can take the result.

    Such an input was made by an op that gives a fresh array, has only been used by such ops (so
    that no view of it is alive), is used here for the last time, and fits.
    """
    fresh: dict[int, bool] = {}
    for node in graph.nodes:
        makes = ufunc_of(node.prim, kernel_of(node.prim)) is not None
        for value in node.outputs:
            fresh[id(value)] = makes
        if not makes:  # it may give a view of its inputs, or keep them
            for value in node.inputs:
                fresh[id(value)] = False
    last = last_uses(graph)
    found = {}
    for position, node in enumerate(graph.nodes):
        if ufunc_of(node.prim, kernel_of(node.prim)) is None or node.params:
            continue
        spec = node.outputs[0].spec
        if spec.dtype.kind != "f" or spec.dtype.itemsize * math.prod(spec.shape) < _FROM_BYTES:
            continue
        ends = last.get(position, ())
        for place, value in enumerate(node.inputs):
            if fresh.get(id(value)) and id(value) in ends and value.spec == spec:
                found[position] = place
                break
    return found
