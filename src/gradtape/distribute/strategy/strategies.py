"""`tf.distribute.Strategy` and its kinds: where a program's replicas are.

A strategy of one replica calls functions as they are, and needs no JAX. With several replicas, the
work is done by `gradtape.distribute.strategy.running`, on a mesh of JAX's devices.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from importlib.util import find_spec
from typing import Any

from gradtape import ops
from gradtape.core import nest, scope
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.distribute.strategy import contexts
from gradtape.distribute.strategy.options import ReduceOp, reduce_op
from gradtape.graph.per_replica import DistributedValues, PerReplica, Unequal
from gradtape.graph.replicas import current_replica

_HOST = "/job:localhost/replica:0/task:0/device:CPU:0"


class ValueContext:
    """The argument of a function that makes values for the replicas."""

    def __init__(self, replica_id_in_sync_group=0, num_replicas_in_sync=1) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync


class InputContext:
    """The argument of a function that makes a dataset for a process's replicas."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size):
        """Return the batch size of a replica, if the global one is this."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by "
                f"`num_replicas_in_sync` {self.num_replicas_in_sync}."
            )
        return global_batch_size // self.num_replicas_in_sync

    def __str__(self) -> str:
        return (
            f"tf.distribute.InputContext(input pipeline id {self.input_pipeline_id}, "
            f"total: {self.num_input_pipelines})"
        )


class Strategy:
    """Where the replicas of a program are, and how it talks to them: here, one replica."""

    _replicas: Any = None  # of several, the mesh
    _cluster: Any = None

    def __init__(self, extended=None) -> None:
        self._extended = StrategyExtended(self)

    @property
    def extended(self) -> StrategyExtended:
        """Return what libraries ask of a strategy."""
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """Return the number of replicas."""
        return 1 if self._replicas is None else self._replicas.count

    @property
    def cluster_resolver(self) -> Any:
        """Return what says where the other processes are; None if there are none."""
        return None

    def _set_devices(self, where: list) -> None:
        """Set one replica on each of JAX's devices."""
        from gradtape.distribute.strategy.replicas import Replicas
        from gradtape.distribute.strategy.running import Programs

        self._replicas = Replicas(where)
        self._programs = Programs()

    # --- running ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def scope(self) -> Generator[Strategy]:
        """Open a block in which this strategy is the current one, and new variables are its own."""
        kind = None
        if self._replicas is not None:
            from gradtape.distribute.strategy.variables import MirroredVariable

            kind = MirroredVariable
        with contexts.under(self), scope.making(kind):
            yield self

    def run(self, fn, args=(), kwargs=None, options=None):
        """Run `fn(*args, **kwargs)` in every replica, with its own part of per-replica values."""
        if contexts.get_replica_context() is not None and contexts.has_strategy():
            raise RuntimeError(
                "strategy.run was called inside a function that strategy.run is running. Call "
                "the function itself: it runs in every replica already."
            )
        kwargs = kwargs or {}
        if self._replicas is None:
            with self.scope(), contexts.inside(contexts.ReplicaContext(self)):
                return fn(*args, **kwargs)
        from gradtape.distribute.strategy.running import run

        return run(self, fn, tuple(args), dict(kwargs))

    # --- values ----------------------------------------------------------------------------------

    def reduce(self, reduce_op, value, axis):
        """Return the sum or mean of a value over the replicas and, unless `axis` is None, along
        it."""
        return nest.map_structure(lambda x: self._reduce(reduce_op, x, axis), value)

    def _reduce(self, given, value, axis):
        kind = reduce_op(given)
        if current_replica() is not None:  # in a merge_call
            result: Any = contexts.ReplicaContext(self).all_reduce(kind, value)
            return result if axis is None else _along(kind, result, axis)
        if isinstance(value, PerReplica):
            return _over_stack(self, kind, value, axis)
        if isinstance(value, Unequal):
            return _over_values(kind, value.parts, axis)
        if self._replicas is None:
            value = ops.to_tensor(value)
            return value if axis is None else _along(kind, value, axis)
        if kind is ReduceOp.MEAN and axis is None:
            return ops.to_tensor(value)
        raise ValueError(
            f"A non-DistributedValues value {value} cannot be reduced with the given reduce op "
            f"{kind}."
        )

    def gather(self, value, axis):
        """Return the values of all replicas, joined along an axis."""
        return nest.map_structure(lambda x: self._gather(x, axis), value)

    def _gather(self, value, axis):
        if isinstance(value, Unequal):
            return ops.concat(list(value.parts), axis)
        if not isinstance(value, PerReplica):
            return ops.to_tensor(value)
        if len(value.shape) == 0:
            raise ValueError(
                "strategy.gather: a scalar of each replica has no axis to be joined along. Give "
                "it one with tf.expand_dims."
            )
        axis = ops.normalize_axis("gather", axis, len(value.shape))
        return _on_stack(self, value.stack, "joined", axis)

    def experimental_local_results(self, value) -> tuple:
        """Return the values of this process's replicas, as a tuple."""
        values = getattr(value, "values", None)
        if isinstance(value, DistributedValues) or (self._replicas and isinstance(values, tuple)):
            return tuple(value.values)
        return (value,)

    unwrap = experimental_local_results  # its former name, which TensorFlow keeps

    def experimental_distribute_values_from_function(self, value_fn):
        """Return the values that a function makes, one for each replica."""
        if self._replicas is None:
            return value_fn(ValueContext())
        count = self._replicas.count
        made = [value_fn(ValueContext(i, count)) for i in self._replicas.own]
        columns = zip(*map(nest.flatten, made), strict=True)
        results = [self._distributed(list(column)) for column in columns]
        return nest.pack_sequence_as(made[0], results) if nest.is_nested(made[0]) else results[0]

    def _distributed(self, rows: list) -> DistributedValues:
        """Return values for this process's replicas, alike or not."""
        rows = [ops.to_tensor(row) for row in rows]
        if len({(tuple(row.shape), row.dtype) for row in rows}) > 1:
            if len(rows) < self.num_replicas_in_sync:
                raise ValueError(
                    "The replicas of this process have tensors of different shapes, "
                    f"{[tuple(row.shape) for row in rows]}, which the other processes do not know "
                    "of. Make batches of one size: dataset.batch(size, drop_remainder=True)."
                )
            return Unequal(rows, self._replicas.own)
        return self._replicas.stacked(rows)

    # --- datasets --------------------------------------------------------------------------------

    def experimental_distribute_dataset(self, dataset, options=None):
        """Return a dataset whose batches are divided among the replicas."""
        if self._replicas is None:
            return dataset
        from gradtape.distribute.strategy.datasets import DistributedDataset

        return DistributedDataset(self, dataset, splits=True)

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        """Return a dataset of batches for single replicas: a function makes it, once for each
        process."""
        if self._replicas is None:
            return dataset_fn(InputContext())
        from gradtape.distribute.strategy.datasets import DistributedDataset

        return DistributedDataset(self, dataset_fn(self._input_context()), splits=False)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def _input_context(self) -> InputContext:
        cluster = self._cluster
        pipelines = 1 if cluster is None else cluster.process_count
        number = 0 if cluster is None else cluster.process_id
        return InputContext(pipelines, number, self.num_replicas_in_sync)


class StrategyExtended:
    """What libraries ask a strategy for."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @property
    def worker_devices(self) -> tuple:
        replicas = self._strategy._replicas
        return (_HOST,) if replicas is None else replicas.names

    parameter_devices = worker_devices

    def _in_multi_worker_mode(self) -> bool:
        cluster = self._strategy._cluster
        return cluster is not None and cluster.process_count > 1

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable) -> Generator[None]:
        """Open a block; new variables go where all of the strategy's are."""
        yield

    def reduce_to(self, reduce_op, value, destinations=None, options=None):
        """Return the sum or mean of a value over the replicas."""
        return self._strategy.reduce(reduce_op, value, axis=None)

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None) -> list:
        """Return the sums or means of values over the replicas."""
        values = [value for value, _ in value_destination_pairs]
        return self._strategy.reduce(reduce_op, values, axis=None)

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """Run `fn(var, *args)`, whose assignments apply to all replicas."""
        with contexts.updating():
            return fn(var, *args, **(kwargs or {}))

    def value_container(self, value):
        return value


class OneDeviceStrategy(Strategy):
    """One replica, on a device by name."""

    def __init__(self, device="/cpu:0") -> None:
        super().__init__()
        self._device = device


class MirroredStrategy(Strategy):
    """A replica on each device of this process, whose variables are kept alike.

    Without `devices`, these are all GPUs, or else all of XLA's devices on the CPU: one, unless the
    environment says otherwise.
    """

    def __init__(self, devices=None, cross_device_ops=None) -> None:
        super().__init__()
        if devices is not None:
            names = [devices] if isinstance(devices, str) else list(devices)
            if not names:
                raise ValueError("MirroredStrategy: `devices` is an empty list. Leave it out.")
            if len(names) == 1:
                return
            if find_spec("jax") is None:
                raise ImportError(
                    f"MirroredStrategy: {len(names)} devices were named, and replicas on several "
                    'devices need JAX, which is not installed: pip install "gradtape[xla]". '
                    "Without `devices`, the strategy has one replica here."
                )
            from gradtape.distribute.strategy.devices import named_devices

            self._set_devices(named_devices(names))
        elif find_spec("jax") is not None:
            from gradtape.distribute.strategy.devices import all_local_devices

            result = all_local_devices()
            if len(result) > 1:
                self._set_devices(result)


class MultiWorkerMirroredStrategy(Strategy):
    """A replica on each device of all processes of a job, whose variables are kept alike.

    The processes find each other by `TF_CONFIG`, by a resolver, or by what started them (see
    `distribute/process/cluster.py`). In a program that was started alone, this is MirroredStrategy.
    """

    def __init__(self, cluster_resolver=None, communication_options=None) -> None:
        super().__init__()
        self._resolver = cluster_resolver
        if find_spec("jax") is None:
            from gradtape.distribute.process.membership import find

            if find(cluster_resolver).alone:
                return
        from gradtape.distribute.process import cluster
        from gradtape.distribute.process.resolvers import SlurmClusterResolver
        from gradtape.distribute.strategy.devices import all_devices

        started_by_slurm = isinstance(cluster_resolver, SlurmClusterResolver)
        self._cluster = cluster.join(None if started_by_slurm else cluster_resolver)
        result = all_devices()
        if len(result) > 1:
            self._set_devices(result)

    @property
    def cluster_resolver(self) -> Any:
        from gradtape.distribute.process.resolvers import (
            SimpleClusterResolver,
            TFConfigClusterResolver,
        )

        if self._resolver is not None:
            return self._resolver
        result = TFConfigClusterResolver()
        if result.cluster_spec() or self._cluster is None or self._cluster.process_count == 1:
            return result
        names = [f"process:{i}" for i in range(self._cluster.process_count)]
        addresses = list(self._cluster.addresses) or names
        return SimpleClusterResolver(
            {"worker": addresses}, task_type="worker", task_id=self._cluster.process_id
        )


DEFAULT = Strategy()


def _along(kind: ReduceOp, value: Tensor, axis):
    reduced = ops.reduce_sum if kind is ReduceOp.SUM else ops.reduce_mean
    return reduced(value, axis)


def _over_stack(strategy: Strategy, kind: ReduceOp, value: PerReplica, axis):
    axes: tuple = (0,)
    if axis is not None:
        axes = (0, ops.normalize_axis("reduce", axis, len(value.shape)) + 1)
    return _on_stack(strategy, value.stack, kind.value.lower(), axes)


def _on_stack(strategy: Strategy, stack: Tensor, what: str, parameter):
    state = get_state()
    if stack._is_on_device and not state.tapes and not state.accumulators:
        return strategy._replicas.reduced(stack, what, parameter)
    if what == "joined":
        shape = list(stack.shape)[1:]
        shape[parameter] *= stack.shape[0]
        return ops.reshape(ops.moveaxis(stack, 0, parameter), shape)
    return (ops.reduce_sum if what == "sum" else ops.reduce_mean)(stack, parameter)


def _over_values(kind: ReduceOp, values: tuple, axis):
    """Reduce values of different shapes as if they were one, concatenated along the axis."""
    if axis is None:
        raise ValueError(
            "strategy.reduce: the replicas have values of different shapes, "
            f"{[tuple(x.shape) for x in values]}. Reduce them along an axis: axis=0."
        )
    return _along(kind, ops.concat(list(values), axis), axis)
