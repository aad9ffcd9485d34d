"""Datasets for replicas: global batches divided among them, or a batch for each."""

from __future__ import annotations

import itertools
import logging
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.backends.xla.runtime.device import on_host
from gradtape.core import nest
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.data.iterator import next_element
from gradtape.data.options import AutoShardPolicy
from gradtape.graph.per_replica import Unequal

logger = logging.getLogger("gradtape")


def shares(strategy, dataset) -> bool:
    """Return whether the processes divide each batch of a dataset: not where its options say OFF.

    They all read the same dataset, and each takes the rows of its own replicas. So a step has the
    same global batch, whatever the number of processes, and they come to the end together.
    """
    policy = dataset.options().experimental_distribute.auto_shard_policy
    if policy == AutoShardPolicy.FILE and strategy.extended._in_multi_worker_mode():
        logger.warning(
            "AutoShardPolicy.FILE: every process reads all files, and takes its rows of each "
            "batch, as with DATA: with files of their own, processes would come to the end at "
            "different steps, and wait for each other. To read less, give each process a "
            "repeating dataset of its files with strategy.distribute_datasets_from_function."
        )
    return policy != AutoShardPolicy.OFF


@filters_tracebacks
class DistributedDataset:
    """A dataset that gives a batch for every replica at each step.

    `splits`: the batches are global ones, to be divided; else each is for one replica.
    """

    def __init__(self, strategy, dataset, splits: bool) -> None:
        self._strategy = strategy
        self._dataset = dataset
        self._splits = splits

    @property
    def element_spec(self):
        return self._dataset.element_spec

    def __iter__(self) -> DistributedIterator:
        return DistributedIterator(self._strategy, self._dataset, self._splits)

    def global_batches(self):
        """Return the dataset that is divided: for `fit`, which divides its batches itself."""
        if not self._splits:
            raise ValueError(
                "A dataset from strategy.distribute_datasets_from_function has batches for single "
                "replicas, and `fit` divides batches itself. Give it the dataset of global "
                "batches."
            )
        return self._dataset

    def __len__(self) -> int:
        steps = len(self._dataset)
        own = len(self._strategy._replicas.own)
        return steps if self._splits else -(-steps // own)

    def cardinality(self):
        return ops.cast(len(self), "int64")


@filters_tracebacks
class DistributedIterator:
    """The steps of a distributed dataset."""

    def __init__(self, strategy, dataset, splits: bool) -> None:
        self._strategy = strategy
        self._source = iter(dataset)
        self.element_spec = dataset.element_spec
        if not splits:
            self._steps = self._batches_of_replicas()
        elif shares(strategy, dataset):
            self._steps = (divide_batch(strategy, batch) for batch in self._elements())
        else:
            self._steps = self._own_parts()

    def __iter__(self) -> DistributedIterator:
        return self

    def __next__(self):
        return next(self._steps)

    def _elements(self):
        while True:
            try:
                yield on_host(next, self._source)
            except StopIteration:
                return

    def _batches_of_replicas(self):
        """Yield batches as they come, one for each replica of this process."""
        elements = self._elements()
        own = len(self._strategy._replicas.own)
        while rows := list(itertools.islice(elements, own)):
            while len(rows) < own:  # the data ended in this step
                rows.append(nest.map_structure(lambda x: x[:0], rows[0]))
            yield _collect(self._strategy, rows)

    def _own_parts(self):
        """Yield parts of batches, each as large as if all processes shared them, and all for this
        one."""
        replicas = self._strategy._replicas
        own, count = len(replicas.own), replicas.count
        for batch in self._elements():
            size = -(-len(nest.flatten(batch)[0]) // count)
            starts = [i * size for i in range(count)]
            parts = [nest.map_structure(lambda x, a=a, b=a + size: x[a:b], batch) for a in starts]
            for first in range(0, count, own):
                yield _collect(self._strategy, parts[first : first + own])

    def get_next(self):
        """Return the next step; `tf.errors.OutOfRangeError` at the end."""
        return next_element(self)

    def get_next_as_optional(self) -> DistributedOptional:
        """Return the next step, or nothing."""
        try:
            return DistributedOptional([next(self)])
        except StopIteration:
            return DistributedOptional([])


class DistributedOptional:
    """A step of a distributed dataset, or nothing."""

    def __init__(self, values: list) -> None:
        self._values = values

    def has_value(self, name=None) -> Tensor:
        return ops.to_tensor(bool(self._values))

    def get_value(self, name=None):
        if not self._values:
            raise InvalidArgumentError("The given optional does not have a value.")
        return self._values[0]


def divide_batch(strategy, batch):
    """Return a global batch, divided among the replicas: as equal as they come, the last ones
    less."""
    replicas = strategy._replicas

    def split(value):
        x: Any = ops.to_tensor(value)
        array = x._host_data()
        if not np.ndim(array):
            raise ValueError(
                "A distributed dataset divides batches among the replicas, and an element of this "
                "one is a scalar. Batch it with dataset.batch(global_batch_size)."
            )
        count, size = replicas.count, len(array)
        if size % count == 0 and size:
            rows = array.reshape(count, size // count, *array.shape[1:])
            return replicas.stacked(rows[replicas.own[0] : replicas.own[-1] + 1])
        each = -(-size // count)
        parts = [array[i * each : (i + 1) * each] for i in range(count)]
        return Unequal([Tensor(part) for part in parts], replicas.own)

    return nest.map_structure(lambda x: None if x is None else split(x), batch)


def _collect(strategy, rows: list):
    columns = zip(*map(nest.flatten, rows), strict=True)
    results = [strategy._distributed(list(column)) for column in columns]
    return nest.pack_sequence_as(rows[0], results) if nest.is_nested(rows[0]) else results[0]
