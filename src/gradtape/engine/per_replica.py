"""A value of every replica: what comes out of `strategy.run`, and what goes in."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.tensor import Tensor


class DistributedValues:
    """Values that belong to replicas."""

    __slots__ = ()

    @property
    def values(self) -> tuple:
        """The values of this process's replicas, in order."""
        raise NotImplementedError


class PerReplica(DistributedValues):
    """A tensor for each replica, all of one shape: kept as one stack, spread over the devices."""

    __slots__ = ("count", "stack")

    def __init__(self, stack: Tensor, count: int) -> None:
        self.stack = stack
        self.count = count  # of replicas, those of other processes too

    @property
    def values(self) -> tuple:
        rows = getattr(self.stack, "_rows", None)
        return tuple(rows()) if rows is not None else tuple(ops.unstack(self.stack))

    @property
    def shape(self):
        """The shape of one replica's tensor."""
        return self.stack.shape[1:]

    @property
    def dtype(self):
        return self.stack.dtype

    def rebuilt(self, stack: Any) -> PerReplica:
        """The same with another stack."""
        return PerReplica(stack, self.count)

    def __repr__(self) -> str:
        return _described(self.values)


class Unequal(DistributedValues):
    """Tensors of different shapes for the replicas: the parts of a batch that does not divide."""

    __slots__ = ("_own", "parts")

    def __init__(self, parts, own) -> None:
        self.parts = tuple(parts)  # of all replicas
        self._own = tuple(own)  # the numbers of this process's replicas

    @property
    def values(self) -> tuple:
        return tuple([self.parts[number] for number in self._own])

    def rebuilt(self, parts: Any) -> Unequal:
        """The same with other tensors."""
        return Unequal(parts, self._own)

    def __repr__(self) -> str:
        return _described(self.values)


def _described(values: tuple) -> str:
    lines = ",\n".join(f"  {i}: {value}" for i, value in enumerate(values))
    return f"PerReplica:{{\n{lines}\n}}"
