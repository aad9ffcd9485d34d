"""Pads matrices of odd sizes with zeros before a product, for devices with matrix units.

The fast kernels of a GPU for 16-bit products take rows whose sizes are multiples of 8; a table of
50,257 words gets a slow one. Zeros along the summed axis add nothing, and what comes of zeros along
the others is cut off, so that the result is the same sum. The compiler fuses the padding with what
makes a matrix, and the cut with what uses the result.
"""

from __future__ import annotations

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Spec
from gradtape.graph.graph import Graph, Node, Value

_NARROW = ("bfloat16", "float16")
_MIN_SIZE = 1024  # with less, padding costs more than it gains
_ALIGNED = 8  # sizes that the fast kernels take
_TILE = 128  # sizes that fill them


def align_products(graph: Graph) -> Graph:
    """Return the graph with large 16-bit products of odd sizes padded to whole tiles."""
    if not any(_is_unaligned(node) for node in graph.nodes):
        return graph
    nodes: list[Node] = []
    padded: dict[tuple[int, tuple[int, ...]], Value] = {}  # a matrix is padded once for all uses
    for node in graph.nodes:
        nodes += _aligned(node, padded) if _is_unaligned(node) else [node]
    return Graph(graph.inputs, nodes, graph.outputs)


def _is_unaligned(node: Node) -> bool:
    return (
        node.prim.name == "matmul"
        and node.inputs[0].spec.dtype.name in _NARROW
        and any(_padded(n) != n for value in node.inputs for n in value.spec.shape[-2:])
    )


def _padded(size: int) -> int:
    return size if size < _MIN_SIZE or size % _ALIGNED == 0 else -(-size // _TILE) * _TILE


def _aligned(node: Node, padded: dict) -> list[Node]:
    nodes: list[Node] = []
    inputs = []
    for value in node.inputs:
        shape = value.spec.shape
        larger = (*shape[:-2], *map(_padded, shape[-2:]))
        if larger != shape:
            key = (id(value), larger)
            if key not in padded:
                padded[key] = Value(Spec(larger, value.spec.dtype))
                params = {"shape": larger, "index": _first(shape)}
                nodes.append(
                    Node(PRIMITIVES["put_slice"], (value,), params, (padded[key],), node.location)
                )
            value = padded[key]
        inputs.append(value)
    (result,) = node.outputs
    shape = result.spec.shape
    larger = (*shape[:-2], *map(_padded, shape[-2:]))
    if larger == shape:
        return [*nodes, Node(node.prim, tuple(inputs), node.params, (result,), node.location)]
    product = Value(Spec(larger, result.spec.dtype))
    index = {"index": _first(shape)}
    return [
        *nodes,
        Node(node.prim, tuple(inputs), node.params, (product,), node.location),
        Node(PRIMITIVES["slice"], (product,), index, (result,), node.location),
    ]


def _first(shape: tuple[int, ...]) -> tuple:
    """Return the index of the first elements along each axis."""
    return tuple([(0, size, None) for size in shape])
