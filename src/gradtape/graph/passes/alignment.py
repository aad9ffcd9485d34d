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
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.passes.padded_logits import PaddedLogits
from gradtape.graph.passes.rewrite import Producers

_NARROW = ("bfloat16", "float16")
_MIN_SIZE = 1024  # with less, padding costs more than it gains
_ALIGNED = 8  # sizes that the fast kernels take
_TILE = 128  # sizes that fill them


def align_products(graph: Graph) -> Graph:
    """Return the graph with large 16-bit products of odd sizes padded to whole tiles."""
    if not any(_is_unaligned(node) for node in graph.nodes):
        return graph
    padding = _Padding()
    for node in graph.nodes:
        if _is_unaligned(node):
            _add_aligned(node, padding)
        elif not padding.logits.add(node):
            padding.producers.add(node)
            padding.nodes.append(node)
    return eliminate_dead_code(Graph(graph.inputs, padding.nodes, graph.outputs))


class _Padding:
    """Padded matrices: each is made once for all of its uses."""

    def __init__(self) -> None:
        self.producers = Producers()
        self.nodes: list[Node] = []  # of the new graph
        self._made: dict[tuple[int, tuple[int, ...]], Value] = {}
        self.logits = PaddedLogits(self.nodes, self._made)

    def of(self, value: Value, user: Node) -> Value:
        """Return a matrix, or a stack of them, with its last two sizes padded."""
        shape = value.spec.shape
        larger = (*shape[:-2], *map(_padded, shape[-2:]))
        if larger == shape:
            return value
        made = self._made.get((id(value), larger))
        if made is None:
            made = Value(Spec(larger, value.spec.dtype))
            self._made[id(value), larger] = made
            whole = self._before_reshape(value, larger)
            if whole is None:
                params = {"shape": larger, "index": _first(shape)}
                self._add("put_slice", value, params, made, user)
            else:
                self._add("reshape", self.of(whole, user), {"shape": larger}, made, user)
        return made

    def _before_reshape(self, value: Value, larger: tuple[int, ...]) -> Value | None:
        """Return the value that a reshape makes this of, if it is padded in the same way.

        The gradient with respect to a matrix that a whole stack was multiplied by takes the stack
        as one matrix, and the other gradient takes it as it is: it is padded once for both.
        """
        reshape = self.producers.of(value, "reshape")
        if reshape is None:
            return None
        (whole,) = reshape.inputs
        shape, before = value.spec.shape, whole.spec.shape
        if len(before) < 2 or before[-1] != shape[-1]:
            return None
        rows_stay = larger[-2] == shape[-2] and _padded(before[-2]) == before[-2]
        return whole if rows_stay else None

    def _add(self, name: str, value: Value, params: dict, made: Value, user: Node) -> None:
        self.nodes.append(Node(PRIMITIVES[name], (value,), params, (made,), user.location))


def _is_unaligned(node: Node) -> bool:
    return (
        node.prim.name == "matmul"
        and node.inputs[0].spec.dtype.name in _NARROW
        and any(_padded(n) != n for value in node.inputs for n in value.spec.shape[-2:])
    )


def _padded(size: int) -> int:
    return size if size < _MIN_SIZE or size % _ALIGNED == 0 else -(-size // _TILE) * _TILE


def _add_aligned(node: Node, padding: _Padding) -> None:
    """Add a product of padded matrices, and the cut of its result."""
    inputs = tuple([padding.of(value, node) for value in node.inputs])
    (result,) = node.outputs
    shape = result.spec.shape
    larger = (*shape[:-2], *map(_padded, shape[-2:]))
    if larger == shape:
        padding.nodes.append(Node(node.prim, inputs, node.params, (result,), node.location))
        return
    product = Value(Spec(larger, result.spec.dtype))
    index = {"index": _first(shape)}
    padding.nodes += [
        Node(node.prim, inputs, node.params, (product,), node.location),
        Node(PRIMITIVES["slice"], (product,), index, (result,), node.location),
    ]
    if larger[:-1] == shape[:-1]:
        padding.logits.cut(result, product)


def _first(shape: tuple[int, ...]) -> tuple:
    """Return the index of the first elements along each axis."""
    return tuple([(0, size, None) for size in shape])
