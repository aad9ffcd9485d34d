"""Where a program is: under which strategy, and in a replica of it or between them."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import Any

from gradtape import ops
from gradtape.core import nest, scope
from gradtape.core.state import get_state, setting
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.distribute.strategy.options import ReduceOp, reduce_op
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.graph.replicas import current_replica


class _Context:
    """In a replica or not; `updates`: what is assigned there is the same in all replicas."""

    __slots__ = ("replica", "updates")

    def __init__(self, replica: ReplicaContext | None, updates: bool = False) -> None:
        self.replica = replica
        self.updates = updates


_strategy: ContextVar[Any] = ContextVar("gradtape_strategy", default=None)
_context: ContextVar[_Context | None] = ContextVar("gradtape_replica", default=None)
_chosen: list = []  # by experimental_set_strategy, for the whole program


def default_strategy():
    """Return the strategy of a program that names none: one replica."""
    from gradtape.distribute.strategy.strategies import DEFAULT

    return DEFAULT


def get_strategy():
    """Return the current strategy."""
    strategy = _strategy.get()
    if strategy is not None:
        return strategy
    return _chosen[-1] if _chosen else default_strategy()


def has_strategy() -> bool:
    """Return whether a strategy was chosen."""
    return get_strategy() is not default_strategy()


def experimental_set_strategy(strategy) -> None:
    """Choose a strategy for the rest of the program; None: none."""
    _chosen[:] = [] if strategy is None else [strategy]


def in_cross_replica_context() -> bool:
    """Return whether the program is in a strategy's scope, but not in `run`."""
    return get_replica_context() is None


def get_replica_context() -> ReplicaContext | None:
    """Return the replica, unless the program is between replicas."""
    context = _context.get()
    if context is not None:
        return context.replica
    return None if has_strategy() else ReplicaContext(get_strategy())


def is_updating() -> bool:
    """Return whether what is assigned to variables here is known to be the same in all replicas."""
    context = _context.get()
    return context is not None and context.updates


@contextlib.contextmanager
def under(strategy):
    """Open the scope of a strategy."""
    count = strategy.num_replicas_in_sync
    with setting(_strategy, strategy), setting(scope.replica_count, count):
        yield strategy


def inside(replica: ReplicaContext | None, updates: bool = False):
    """Open a block that runs in a replica, or (None) between them."""
    return setting(_context, _Context(replica, updates))


def updating():
    """Open a block that assigns the same values to variables in all replicas."""
    context = _context.get()
    return setting(_context, _Context(context.replica if context is not None else None, True))


@filters_tracebacks
class ReplicaContext:
    """What a function that runs in a replica can ask for."""

    def __init__(self, strategy, replica_id_in_sync_group=None) -> None:
        self._strategy = strategy

    @property
    def strategy(self):
        """Return the strategy."""
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """Return the number of replicas."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self):
        """The number of this replica: 0 where there is one, else a tensor."""
        replica = current_replica()
        return 0 if replica is None else replica.replica_index()

    @property
    def devices(self) -> tuple:
        """Return the names of the devices of this replica."""
        return tuple(self._strategy.extended.worker_devices[:1])

    def __enter__(self) -> ReplicaContext:
        return self

    def __exit__(self, *exception) -> None:
        """Do nothing: nothing was opened."""

    # --- exchange --------------------------------------------------------------------------------

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """Run `merge_fn(strategy, *args)` across replicas: it may reduce, and update variables.

        Tensors in `args` stand for those of all replicas.
        """
        with inside(None, updates=True):
            return merge_fn(self._strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op_or_name, value, options=None):
        """Return the sum or mean over the replicas of each tensor of a structure."""
        kind = reduce_op(reduce_op_or_name)
        leaves = [as_leaf(leaf) for leaf in nest.flatten(value)]
        dense = [leaf for leaf in leaves if not isinstance(leaf, IndexedSlices)]
        sums = iter(self._sums(dense))
        results = [
            self._joined_rows(leaf, kind)
            if isinstance(leaf, IndexedSlices)
            else self._mean(next(sums), kind)
            for leaf in leaves
        ]
        return nest.pack_sequence_as(value, results) if nest.is_nested(value) else results[0]

    def all_gather(self, value, axis, options=None):
        """Return the values of all replicas, joined along an axis."""
        if any(isinstance(leaf, IndexedSlices) for leaf in nest.flatten(value)):
            raise NotImplementedError("all_gather does not support IndexedSlices")
        return nest.map_structure(lambda x: self._gather(x, axis), value)

    def _mean(self, total, kind: ReduceOp):
        return total / self.num_replicas_in_sync if kind is ReduceOp.MEAN else total

    def _joined_rows(self, rows: IndexedSlices, kind: ReduceOp) -> IndexedSlices:
        """Return rows of all replicas: those of one index are summed when they are used."""
        values = self._mean(self._gather(rows.values, 0), kind)
        return IndexedSlices(values, self._gather(rows.indices, 0), rows._dense_shape)

    def _sums(self, tensors: list) -> list:
        count = self.num_replicas_in_sync
        trace = current_replica()
        if trace is None or trace is not get_state().trace:
            return ops.all_reduce(tensors, count)
        for x in tensors:
            ops.check_summed(x)
        # What all replicas have alike needs no exchange.
        sums = iter(ops.all_reduce([x for x in tensors if trace.varies(x)], count))
        return [next(sums) if trace.varies(x) else x * ops.cast(count, x.dtype) for x in tensors]

    def _gather(self, x, axis: int):
        return ops.all_gather(x, self.replica_id_in_sync_group, axis, self.num_replicas_in_sync)

    def _first(self, x):
        """Return the value that the first replica has."""
        trace = current_replica()
        if trace is None or (trace is get_state().trace and not trace.varies(x)):
            return x
        is_first = ops.equal(self.replica_id_in_sync_group, 0)
        if x.dtype.name == "bool":
            return ops.cast(self._first(ops.cast(x, "int32")), "bool")
        return ops.all_reduce(
            [ops.where(is_first, x, ops.zeros_like(x))], self.num_replicas_in_sync
        )[0]


def as_leaf(leaf):
    return leaf if isinstance(leaf, IndexedSlices) else ops.to_tensor(leaf)
