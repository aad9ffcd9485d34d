"""Sizes that a signature leaves open: found by tracing a function for two choices of them.

A graph here has known sizes. A function with open ones is traced twice; a number that differs
between the two graphs is an `Unknown`, and computed by the written function from the shapes of its
tensors. So are ranks that are open: the two traces have other ranks, and what is written of them
are ops that do without.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape.core.shape import TensorShape
from gradtape.graph.graph import Graph, Node, Value


class Unknown(NamedTuple):
    """A number that depends on open sizes: what it was in the two traces."""

    first: Any
    second: Any


class DifferentGraphs(Exception):
    """Raised where two traces are not the same ops: the function depends on a size in Python."""


class OpenRank(Exception):
    """Raised where an op needs a rank that the signature leaves open."""

    def __init__(self) -> None:
        super().__init__(
            "an op needs the rank of an argument, which is open: give it in the signature"
        )


Size = int | Unknown


def merged(a: Any, b: Any) -> Any:
    """Return what two parameters have in common, with `Unknown` where they differ."""
    if a is b:
        return a
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        if len(a) != len(b):
            raise OpenRank
        return tuple([merged(x, y) for x, y in zip(a, b, strict=True)])
    if isinstance(a, Graph):
        return (a, b)
    if isinstance(a, np.dtype) or callable(a) or not isinstance(a, (int, float, np.number)):
        return a
    return a if a == b else Unknown(a, b)


class Pair:
    """A value of both graphs."""

    __slots__ = ("first", "second")

    def __init__(self, first: Value, second: Value) -> None:
        self.first, self.second = first, second
        if first.spec.dtype != second.spec.dtype:
            raise DifferentGraphs

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The shapes in the two traces."""
        return tuple(self.first.spec.shape), tuple(self.second.spec.shape)

    @property
    def has_open_rank(self) -> bool:
        one, other = self.shapes
        return len(one) != len(other)

    @property
    def shape(self) -> tuple[Size, ...]:
        return merged(*self.shapes)

    @property
    def static_shape(self) -> TensorShape:
        """What is known of the shape, with None for sizes that are open."""
        if self.has_open_rank:
            return TensorShape(None)
        return TensorShape([None if isinstance(n, Unknown) else n for n in self.shape])

    @property
    def dtype(self) -> np.dtype:
        return self.first.spec.dtype

    @property
    def rank(self) -> int:
        if self.has_open_rank:
            raise OpenRank
        return len(self.first.spec.shape)


class NodePair:
    """An op of both graphs; its parameters are attributes."""

    def __init__(self, first: Node, second: Node) -> None:
        if first.prim.name != second.prim.name or len(first.inputs) != len(second.inputs):
            raise DifferentGraphs
        self.first, self.second = first, second
        self.name = first.prim.name
        self.inputs = [Pair(a, b) for a, b in zip(first.inputs, second.inputs, strict=True)]
        self.outputs = [Pair(a, b) for a, b in zip(first.outputs, second.outputs, strict=True)]

    def __getattr__(self, name: str) -> Any:
        try:
            return merged(self.first.params[name], self.second.params[name])
        except KeyError:
            raise AttributeError(name) from None

    @property
    def has_all_axes(self) -> bool:
        """Whether `axis` is all axes of the first input, however many these are."""
        return all(
            sorted(node.params["axis"]) == list(range(len(node.inputs[0].spec.shape)))
            for node in (self.first, self.second)
        )

    @property
    def output(self) -> Pair:
        return self.outputs[0]
