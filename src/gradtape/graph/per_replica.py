"""Values with one part for each replica: what `strategy.run` takes and returns."""

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
    """A tensor for each replica, all of one shape: one stack, sharded over the devices."""

    __slots__ = ("count", "stack")

    def __init__(self, stack: Tensor, count: int) -> None:
        self.stack = stack
        self.count = count  # of replicas, those of other processes too

    @property
    def values(self) -> tuple:
        rows = self.stack._local_rows()
        return tuple(ops.unstack(self.stack) if rows is None else rows)

    @property
    def shape(self):
        """The shape of one replica's tensor."""
        return self.stack.shape[1:]

    @property
    def dtype(self):
        return self.stack.dtype

    def rebuild(self, stack: Any) -> PerReplica:
        """Return a per-replica value like this one with another stack."""
        return PerReplica(stack, self.count)

    def __repr__(self) -> str:
        return _text(self.values)


class Unequal(DistributedValues):
    """Tensors of different shapes for the replicas: the parts of a batch that does not divide."""

    __slots__ = ("_own", "parts")

    def __init__(self, parts, own) -> None:
        self.parts = tuple(parts)  # of all replicas
        self._own = tuple(own)  # the indices of this process's replicas

    @property
    def values(self) -> tuple:
        return tuple([self.parts[index] for index in self._own])

    def rebuild(self, parts: Any) -> Unequal:
        """Return a value like this one with other tensors."""
        return Unequal(parts, self._own)

    def __repr__(self) -> str:
        return _text(self.values)


def _text(values: tuple) -> str:
    lines = ",\n".join(f"  {i}: {value}" for i, value in enumerate(values))
    return f"PerReplica:{{\n{lines}\n}}"
