"""Keeps the logits of a padded product padded in their cross-entropy and in its gradient.

The loss reads the logits twice, the gradient reads and writes them once: with 50,257 words that
takes longer than one of the products. A device reads rows of whole tiles in vectors, and rows of an
odd size number by number. So the padding is not cut off where a cross-entropy follows: it is -inf
there, which adds nothing to the loss and has a gradient of 0, the padding that the products of the
gradient need.
"""

from __future__ import annotations

import numpy as np

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.graph import Node, Value

_LOSS = "sparse_softmax_cross_entropy"
_GRADIENT = "sparse_softmax_cross_entropy_grad"


class PaddedLogits:
    """The values of a graph of which padded ones are known.

    `padded` has those whose padding is 0, by the id of the value and the padded shape.
    """

    def __init__(self, nodes: list[Node], padded: dict[tuple[int, tuple[int, ...]], Value]) -> None:
        self._nodes = nodes  # of the new graph
        self._padded = padded
        # By the id of a value: what its rows are the first columns of.
        self._whole: dict[int, Value] = {}
        self._gradients: dict[int, Value] = {}  # by the id of a gradient, the padded one
        self._masked: dict[int, Value] = {}
        self._checked: dict[tuple[int, int], Value] = {}

    def cut(self, value: Value, whole: Value) -> None:
        """Record that the rows of a value are the first columns of another one."""
        self._whole[id(value)] = whole

    def add(self, node: Node) -> bool:
        """Add the padded form of a node, if there is one; return whether that replaces the node."""
        name = node.prim.name
        if name in ("cast", "reshape"):
            self._follow(node)
        elif name in (_LOSS, _GRADIENT):
            labels, logits = node.inputs[:2]
            if id(logits) in self._whole and np.issubdtype(labels.spec.dtype, np.signedinteger):
                self._add_loss(node)
                return True
        return False

    def _follow(self, node: Node) -> None:
        """Add the same op on the padded form of its input, for those that may use it."""
        (x,), (y,) = node.inputs, node.outputs
        if x.spec.shape[-1:] != y.spec.shape[-1:]:
            return
        if id(x) in self._whole:
            self._whole[id(y)] = self._same(node, self._whole[id(x)])
        if id(x) in self._gradients:
            self._know(y, self._same(node, self._gradients[id(x)]))

    def _know(self, value: Value, padded: Value) -> None:
        """Record a gradient with its padded form."""
        self._gradients[id(value)] = padded
        self._padded[id(value), padded.spec.shape] = padded

    def _same(self, node: Node, x: Value) -> Value:
        """Apply the op of a node to a value with longer rows."""
        (y,) = node.outputs
        if node.prim.name == "cast":
            return self._new(node, "cast", (x,), x.spec.shape, y.spec.dtype, node.params)
        shape = (*y.spec.shape[:-1], x.spec.shape[-1])
        return self._new(node, "reshape", (x,), shape, y.spec.dtype, {"shape": shape})

    def _add_loss(self, node: Node) -> None:
        labels, logits, *rest = node.inputs
        (result,) = node.outputs
        whole = self._of_classes(node, logits)
        labels = self._of_no_padding(node, labels, logits.spec.shape[-1])
        inputs = (labels, whole, *rest)
        if node.prim.name == _LOSS:
            self._nodes.append(Node(node.prim, inputs, node.params, (result,), node.location))
            return
        gradient = self._new(node, _GRADIENT, inputs, whole.spec.shape, result.spec.dtype)
        self._know(result, gradient)
        index = {"index": tuple([(0, size, None) for size in result.spec.shape])}
        cut = Node(PRIMITIVES["slice"], (gradient,), index, (result,), node.location)
        self._nodes.append(cut)

    def _of_classes(self, node: Node, logits: Value) -> Value:
        """Return the padded logits with -inf where there is no class."""
        masked = self._masked.get(id(logits))
        if masked is None:
            whole = self._whole[id(logits)]
            shape, dtype = whole.spec.shape, whole.spec.dtype
            is_class = _constant(np.arange(shape[-1]) < logits.spec.shape[-1])
            lowest = _constant(dtype.type(-np.inf))
            masked = self._new(node, "select", (is_class, whole, lowest), shape, dtype)
            self._masked[id(logits)] = masked
        return masked

    def _of_no_padding(self, node: Node, labels: Value, classes: int) -> Value:
        """Return the labels with -1, which is no class either, in place of those of the padding."""
        dtype = labels.spec.dtype
        if classes > np.iinfo(dtype).max:
            return labels
        checked = self._checked.get((id(labels), classes))
        if checked is None:
            shape = labels.spec.shape
            count, none = _constant(dtype.type(classes)), _constant(dtype.type(-1))
            exists = self._new(node, "less", (labels, count), shape, np.dtype(bool))
            checked = self._new(node, "select", (exists, labels, none), shape, dtype)
            self._checked[id(labels), classes] = checked
        return checked

    def _new(self, node: Node, name: str, inputs: tuple, shape, dtype, params=None) -> Value:
        """Add an op in the place of `node`, and return its result."""
        result = Value(Spec(shape, dtype))
        op = Node(PRIMITIVES[name], inputs, params or {}, (result,), node.location)
        self._nodes.append(op)
        return result


def _constant(data: np.ndarray | np.generic) -> Value:
    tensor = Tensor(data)
    return Value(tensor._spec(), tensor)
