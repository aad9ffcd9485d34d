"""Variables of a strategy: every replica has one, and they are kept alike as the program says.

A variable's array is either the same on each device, or a stack with a row for each replica:

* those with `synchronization=ON_READ` are stacks, whose rows are combined when they are read
  between replicas;
* others are alike. What a replica assigns is combined over all of them first, as `aggregation`
  says. With `aggregation=NONE`, each replica assigns to its own, as in TensorFlow: where the
  values differ, the variable becomes a stack, and its first row is what is read between replicas.
"""

from __future__ import annotations

import functools
from sys import getrefcount

import numpy as np

from gradtape import ops
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.mesh import MeshVariable, local
from gradtape.backends.xla.runtime.tensor import DeviceTensor
from gradtape.core.convert import READERS
from gradtape.core.scope import VariableAggregation, VariableSynchronization, member_named
from gradtape.core.shape import TensorShape
from gradtape.core.state import get_state, not_recording
from gradtape.core.tensor import Spec, Tensor
from gradtape.distribute.strategy import contexts
from gradtape.distribute.strategy.options import ReduceOp
from gradtape.distribute.strategy.replicas import from_first_process
from gradtape.engine.assignment import UPDATE_METHODS
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.transaction import write_one
from gradtape.engine.variable import Variable
from gradtape.graph.per_replica import PerReplica
from gradtape.graph.replicas import current_replica

_HOW = {
    VariableAggregation.SUM: "sum",
    VariableAggregation.MEAN: "mean",
    VariableAggregation.ONLY_FIRST_REPLICA: "first",
    VariableAggregation.NONE: "first",
}


@functools.lru_cache(64)
def _references_to_a_part(sharding) -> int | None:
    """Return the reference count of a shard of an array that nobody has read.

    It is measured on an array of its own, since other threads may hold those of variables. None
    where making one would take all processes.
    """
    if not sharding.is_fully_addressable:
        return None
    array = transfer.spread(np.zeros((), np.float32), sharding)
    part = local(array)
    return getrefcount(part)


class MirroredVariable(MeshVariable):
    """A variable that every replica of a strategy has."""

    __slots__ = (
        "_is_stacked",
        "_replicas",
        "_strategy",
        "_view",
    )
    _can_be_stacked = True

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        *args,
        synchronization=None,
        **kwargs,
    ) -> None:
        self._strategy = contexts.get_strategy()
        self._replicas = self._strategy._replicas
        synchronization = member_named(VariableSynchronization, synchronization, "AUTO")
        self._is_stacked = synchronization is VariableSynchronization.ON_READ
        self._view = None  # the value as the first device has it, once it was asked for
        if isinstance(initial_value, PerReplica):
            initial_value = initial_value.values[0]
        super().__init__(initial_value, trainable, *args, synchronization=synchronization, **kwargs)

    def _place_initial_value(self, value: Tensor) -> Tensor:
        if type(value) is not Tensor and type(value) is not DeviceTensor:
            raise value._leaked()  # pyright: ignore[reportAttributeAccessIssue] (of a trace or a vmap)
        if len(self._replicas.own) < self._replicas.count:
            # Each process may have drawn other numbers: the first one's are for all.
            value = Tensor(from_first_process(value.numpy())[()])
        if self._is_stacked:
            return DeviceTensor(self._replicas.repeated(value._data))
        return DeviceTensor(self._array_for_all(value))

    def _array_for_all(self, value: Tensor):
        """Return the array for a value that is assigned between replicas: for all of them."""
        if not self._is_stacked:
            return self._with_sharding(value, self._replicas.whole)
        if self._synchronization is VariableSynchronization.ON_READ and self._adds:
            # The rows are summed when they are read.
            value = ops.cast(ops.to_tensor(value) / self._replicas.count, value.dtype)
        return self._replicas.repeated(value._data)

    @property
    def _adds(self) -> bool:
        return self._aggregation is VariableAggregation.SUM

    # --- description -----------------------------------------------------------------------------

    @property
    def distribute_strategy(self):
        return self._strategy

    @property
    def shape(self) -> TensorShape:
        if self._declared_shape is not None:
            return self._declared_shape
        return TensorShape.known(self._data.shape[self._is_stacked :])

    @property
    def _recorded_data(self):
        data = self._data
        return Spec(data.shape[1:], data.dtype) if self._is_stacked else data

    @property
    def values(self) -> tuple:
        """The values that this process's replicas have."""
        if self._is_stacked:
            return PerReplica(DeviceTensor(self._data), self._replicas.count).values
        return (self.__tf_tensor__(),) * len(self._replicas.own)

    def __repr__(self) -> str:
        if self._is_stacked:
            rows = "\n".join(f"  {i}: {row.numpy()}" for i, row in enumerate(self.values))
            return (
                f"<tf.Variable '{self.name}' of each replica, dtype={self.dtype.name}:\n{rows}\n>"
            )
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"numpy={self.numpy()}>"
        )

    __str__ = __repr__

    # --- reading ---------------------------------------------------------------------------------

    def __tf_tensor__(self, dtype=None, name=None) -> Tensor:
        value = Variable.__tf_tensor__(self, dtype, name)
        if get_state().trace is None:
            return DeviceTensor(self._local(), value._marks)
        if self._is_stacked and current_replica() is None:
            return _combined(value, _HOW[self._aggregation])
        return value

    def _full_value(self) -> Tensor:
        return Variable.__tf_tensor__(self)

    def _local(self):
        """Return the value on this process's first device."""
        data = self._data  # as long as it is held here, no program writes over it
        view = self._view
        if view is None or view[0] is not data:
            if self._is_stacked:  # an array of its own: nobody can hold the variable's through it
                result, held = self._replicas.combined(data, _HOW[self._aggregation]), 0
            else:
                result = local(data)
                held = _references_to_a_part(data.sharding) or getrefcount(result)
            view = self._view = (data, result, held)
        return view[1]

    def _now(self) -> Tensor:
        if get_state().trace is None:
            return DeviceTensor(self._local())
        with not_recording():
            return self.__tf_tensor__()

    def _values(self):
        return DeviceTensor(self._local())._values()

    def _is_unshared(self) -> bool:
        """Return whether no tensor that was read shares a part of the array."""
        view, self._view = self._view, None
        if view is not None and not self._is_stacked and getrefcount(view[1]) > view[2]:
            self._view = view
            return False
        return super()._is_unshared()

    # --- writing ---------------------------------------------------------------------------------

    def _spread(self) -> None:
        self._data = self._replicas.repeated(self._data)
        self._is_stacked = True
        self._snapshot = self._view = None

    def _array_for(self, value):
        return self._array_for_all(value)

    def _assign(self, value, what: str):
        self._check_shape(value, what)
        trace = get_state().trace
        if trace is None:
            write_one(self, self._array_for_all(value))
        elif current_replica() is None and self._is_stacked:
            if self._synchronization is VariableSynchronization.ON_READ and self._adds:
                value = ops.cast(value / self._replicas.count, value.dtype)
            trace.write(self, ops.broadcast_to(value, (self._replicas.count, *value.shape)))
        else:
            trace.write(self, value)
        return self

    def _array_for_full_value(self, value: Tensor):
        return self._with_sharding(value, self._data.sharding)

    def _reduce_assigned(self, value):
        """Aggregate the values that the replicas assign to a variable."""
        replica = contexts.get_replica_context()
        if (
            replica is None
            or contexts.is_updating()
            or current_replica() is None
            or self._synchronization is VariableSynchronization.ON_READ
            or self._aggregation is VariableAggregation.NONE
        ):
            return value
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return replica._first(value)
        result = replica.all_reduce(ReduceOp.from_variable_aggregation(self._aggregation), value)
        return ops.cast(result, value.dtype)

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Replace the value; in a replica, by what all of them assign together."""
        if get_state().tapes:
            self._notify_tapes(value, ".assign()")
        with not_recording():
            self._assign(self._reduce_assigned(self._operand(value)), "assigned value")
        return self if read_value else None

    def _update(self, op, kernel, delta, what: str) -> None:
        method = UPDATE_METHODS[what]
        if get_state().tapes:
            self._notify_tapes(delta, f".{method}()", adds=True)
        is_read = self._synchronization is VariableSynchronization.ON_READ
        if is_read and self._adds and current_replica() is None:
            raise ValueError(
                f"SyncOnReadVariable does not support `{method}` in cross-replica context when "
                "aggregation is set to `tf.VariableAggregation.SUM`."
            )
        with not_recording():
            delta = self._operand(delta)
            if delta._data.shape != self._recorded_data.shape:
                raise self._update_error(delta, what)
            self._modify(what, op, self._reduce_assigned(delta))

    def _scatter(self, kind: str, slices):
        if self._synchronization is VariableSynchronization.ON_READ:
            raise NotImplementedError(
                "Variables with `synchronization=ON_READ` doesn't support scatter updates. Assign "
                "the whole value."
            )
        if isinstance(slices, IndexedSlices) and current_replica() is not None:
            slices = self._agreed_rows(slices)
        return super()._scatter(kind, slices)

    def _agreed_rows(self, rows: IndexedSlices) -> IndexedSlices:
        replica = contexts.get_replica_context()
        if (
            replica is None
            or contexts.is_updating()
            or self._aggregation is VariableAggregation.NONE
        ):
            return rows
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return IndexedSlices(
                replica._first(rows.values), replica._first(rows.indices), rows._dense_shape
            )
        kind = ReduceOp.from_variable_aggregation(self._aggregation)
        return replica.all_reduce(kind, rows)

    def __deepcopy__(self, memo):
        with contexts.under(self._strategy):  # a program copies wherever it is
            copy = self._remade(type(self), np.array(self.numpy()))
        memo[id(self)] = copy
        return copy


READERS[MirroredVariable] = MirroredVariable.__tf_tensor__


def _combined(stack: Tensor, how: str) -> Tensor:
    if how == "first":
        return stack[0]
    return ops.reduce_sum(stack, 0) if how == "sum" else ops.reduce_mean(stack, 0)
