"""Datasets for replicas: global batches divided among them, or a batch for each."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.data.iterator import Optional
from gradtape.engine.device import on_host
from gradtape.engine.per_replica import Unequal


def shared(strategy, dataset):
    """The part of a dataset that this process reads, by its option `auto_shard_policy`."""
    return dataset


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

    def __len__(self) -> int:
        steps = len(self._dataset)
        own = len(self._strategy._replicas.own)
        return steps if self._splits else -(-steps // own)

    def cardinality(self):
        return ops.to_tensor(len(self), "int64")


class DistributedIterator:
    """The steps of a distributed dataset."""

    def __init__(self, strategy, dataset, splits: bool) -> None:
        self._strategy = strategy
        self._source = iter(dataset)
        self._splits = splits
        self.element_spec = dataset.element_spec

    def __iter__(self) -> DistributedIterator:
        return self

    def __next__(self):
        if self._splits:
            return divided(self._strategy, on_host(next, self._source))
        rows: list = []
        for _ in self._strategy._replicas.own:
            try:
                rows.append(on_host(next, self._source))
            except StopIteration:
                break
        if not rows:
            raise StopIteration
        while len(rows) < len(self._strategy._replicas.own):  # the data ended in this step
            rows.append(nest.map_structure(lambda x: x[:0], rows[0]))
        return _collected(self._strategy, rows)

    def get_next(self):
        """The next step; `tf.errors.OutOfRangeError` at the end."""
        try:
            return next(self)
        except StopIteration:
            from gradtape.core.errors import OutOfRangeError

            raise OutOfRangeError("End of sequence") from None

    def get_next_as_optional(self):
        """The next step, or nothing."""
        try:
            return Optional.from_value(next(self))
        except StopIteration:
            return Optional.empty(self.element_spec)


def divided(strategy, batch):
    """A global batch, divided among the replicas: as equal as they come, the last ones less."""
    replicas = strategy._replicas

    def split(x):
        x = ops.to_tensor(x)
        array = x._data if type(x) is Tensor else x._host_data()
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


def _collected(strategy, rows: list):
    columns = zip(*map(nest.flatten, rows), strict=True)
    found = [strategy._distributed(list(column)) for column in columns]
    return nest.pack_sequence_as(rows[0], found) if nest.is_nested(rows[0]) else found[0]
