"""`tf.distribute` with one replica: programs written for several devices run on one."""

from __future__ import annotations

import contextlib
import enum
from contextvars import ContextVar

from gradtape import ops
from gradtape.api.export import export


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of the replicas are combined."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation) -> ReduceOp:
        return ReduceOp[aggregation.name]


class ReplicaContext:
    """The only replica."""

    replica_id_in_sync_group = 0
    num_replicas_in_sync = 1

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """`merge_fn(strategy, *args)`."""
        return merge_fn(self.strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op, value, options=None):
        """The value: there is no other."""
        return value

    def all_gather(self, value, axis, options=None):
        """The value: there is no other."""
        return value


class ValueContext:
    """What a function that makes values for the replicas is told."""

    replica_id_in_sync_group = 0
    num_replicas_in_sync = 1
    num_input_pipelines = 1
    input_pipeline_id = 0

    def get_per_replica_batch_size(self, global_batch_size):
        return global_batch_size


@export("distribute.Strategy")
class Strategy:
    """A strategy of one replica: `run` calls the function, `reduce` combines one value."""

    num_replicas_in_sync = 1

    def __init__(self, extended=None) -> None:
        self._extended = extended

    @property
    def extended(self) -> Strategy:
        return self

    worker_devices = parameter_devices = ("/job:localhost/replica:0/task:0/device:CPU:0",)

    @contextlib.contextmanager
    def scope(self):
        """A block in which this strategy is the current one."""
        token = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(token)

    def run(self, fn, args=(), kwargs=None, options=None):
        """`fn(*args, **kwargs)`, in the replica."""
        token = _in_replica.set(True)
        try:
            with self.scope():
                return fn(*args, **(kwargs or {}))
        finally:
            _in_replica.reset(token)

    def reduce(self, reduce_op, value, axis):
        """The value itself, or its sum or mean along an axis."""
        kind = ReduceOp[reduce_op.upper()] if isinstance(reduce_op, str) else reduce_op
        if axis is None:
            return ops.to_tensor(value)
        reduced = ops.reduce_sum if kind is ReduceOp.SUM else ops.reduce_mean
        return reduced(value, axis)

    def gather(self, value, axis):
        """The value: there is no other."""
        return value

    def experimental_local_results(self, value) -> tuple:
        """The value, as a tuple."""
        return (value,)

    def experimental_distribute_dataset(self, dataset, options=None):
        """The dataset."""
        return dataset

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        """The dataset that a function makes."""
        return dataset_fn(ValueContext())

    def experimental_distribute_values_from_function(self, value_fn):
        """The value that a function makes."""
        return value_fn(ValueContext())


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """Training on all devices of the machine: there is one, so this is one replica."""

    def __init__(self, devices=None, cross_device_ops=None) -> None:
        super().__init__()
        count = 1 if devices is None or isinstance(devices, str) else len(devices)
        if count > 1:
            raise ValueError(
                f"MirroredStrategy: {count} devices were named, and gradtape has one. Leave "
                "`devices` out."
            )


@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Training on one device."""

    def __init__(self, device="/cpu:0") -> None:
        super().__init__()
        self._device = device


_DEFAULT = Strategy()
_current: ContextVar[Strategy] = ContextVar("gradtape_strategy", default=_DEFAULT)
_in_replica: ContextVar[bool] = ContextVar("gradtape_in_replica", default=False)
_chosen: list[Strategy] = []  # by experimental_set_strategy, for the whole program


@export("distribute.get_strategy")
def get_strategy() -> Strategy:
    """The current strategy."""
    strategy = _current.get()
    return _chosen[-1] if strategy is _DEFAULT and _chosen else strategy


@export("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether a strategy was chosen."""
    return get_strategy() is not _DEFAULT


@export("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy) -> None:
    """Choose a strategy for the rest of the program; None: none."""
    _chosen[:] = [] if strategy is None else [strategy]


@export("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the program is in a strategy's scope, but not in `run`."""
    return has_strategy() and not _in_replica.get()


@export("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica, unless the program is between replicas."""
    return None if in_cross_replica_context() else ReplicaContext(get_strategy())
