"""The methods of `Dataset` that return a new dataset: each appends a node to the pipeline."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

import numpy as np

from gradtape.core import dtypes
from gradtape.core.convert import static_value
from gradtape.core.errors import InvalidArgumentError
from gradtape.data import batching, caching, grouping, ordering, sources, threads, transforms
from gradtape.data.arguments import (
    flag,
    function,
    integer,
    parallel_calls,
    path_string,
    repetitions,
)
from gradtape.data.nodes import PipelineNode

if TYPE_CHECKING:
    from gradtape.data.dataset import Dataset

AUTOTUNE = threads.AUTOTUNE


def node_of(value, what: str = "dataset") -> PipelineNode:
    """Return the pipeline of an argument that must be a dataset."""
    if not isinstance(value, DatasetMethods):
        raise TypeError(
            f"Invalid `{what}`. `{what}` must be a `tf.data.Dataset` object, but got {type(value)}."
        )
    return value._node


class DatasetMethods:
    """A pipeline that can be extended. `Dataset` adds its sources, and how it is read."""

    _node: PipelineNode

    def _then(self, node: PipelineNode) -> Dataset:
        """Return a dataset of a node that has this one as its input."""
        raise NotImplementedError

    # --- order and selection -------------------------------------------------------------------

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=True, name=None) -> Dataset:
        """Shuffle the elements: each is drawn from a buffer of the next `buffer_size`."""
        fresh = True if reshuffle_each_iteration is None else flag(reshuffle_each_iteration)
        size = integer(buffer_size, "buffer_size")
        return self._then(ordering.Shuffle(self._node, size, seed, fresh))

    def repeat(self, count=None, name=None) -> Dataset:
        """Repeat the elements `count` times; without end for None or -1."""
        return self._then(ordering.Repeat(self._node, repetitions(count)))

    def take(self, count, name=None) -> Dataset:
        """Keep the first `count` elements; all for -1."""
        return self._then(ordering.Take(self._node, repetitions(count)))

    def skip(self, count, name=None) -> Dataset:
        """Drop the first `count` elements; all for -1."""
        return self._then(ordering.Skip(self._node, repetitions(count)))

    def shard(self, num_shards, index, name=None) -> Dataset:
        """Keep every `num_shards`-th element, from `index` on."""
        count, index = integer(num_shards, "num_shards"), integer(index, "index")
        return self._then(ordering.Shard(self._node, count, index))

    def concatenate(self, dataset, name=None) -> Dataset:
        """Append the elements of another dataset."""
        return self._then(ordering.Concatenate(self._node, node_of(dataset)))

    def enumerate(self, start=0, name=None) -> Dataset:
        """Pair each element with its number (int64)."""
        numbers = sources.Range(integer(start, "start"), None, 1, dtypes.int64)
        return self._then(ordering.Zip((0, 0), [numbers, self._node]))

    # --- functions of elements -----------------------------------------------------------------

    def map(
        self,
        map_func,
        num_parallel_calls=None,
        deterministic=None,
        synchronous=None,
        use_unbounded_threadpool=False,
        name=None,
    ) -> Dataset:
        """Apply a function to each element. An element that is a tuple gives several arguments.

        With `num_parallel_calls`, threads call it on several elements; the order stays.
        """
        return self._then(
            transforms.Map(
                self._node, function(map_func, "map_func"), parallel_calls(num_parallel_calls)
            )
        )

    def filter(self, predicate, name=None) -> Dataset:
        """Keep the elements for which a predicate is true."""
        return self._then(transforms.Filter(self._node, function(predicate, "predicate")))

    def take_while(self, predicate, name=None) -> Dataset:
        """Keep the elements before the first for which a predicate is false."""
        return self._then(transforms.TakeWhile(self._node, function(predicate, "predicate")))

    def flat_map(self, map_func, name=None) -> Dataset:
        """Map each element to a dataset, and concatenate these."""
        return self._then(transforms.FlatMap(self._node, function(map_func, "map_func")))

    def interleave(
        self,
        map_func,
        cycle_length=None,
        block_length=None,
        num_parallel_calls=None,
        deterministic=None,
        name=None,
    ) -> Dataset:
        """Map each element to a dataset, and take blocks of elements from several of these in turn.

        With `num_parallel_calls`, each open dataset is read ahead by a thread; the order stays.
        """
        cycle = None if cycle_length is None else integer(cycle_length, "cycle_length")
        block = 1 if block_length is None else integer(block_length, "block_length")
        parallel = num_parallel_calls is not None
        return self._then(
            transforms.Interleave(
                self._node, function(map_func, "map_func"), cycle, block, parallel
            )
        )

    def scan(self, initial_state, scan_func, name=None) -> Dataset:
        """Map elements with a state: `scan_func(state, element)` returns the next state and an
        element."""
        return self._then(
            transforms.Scan(self._node, initial_state, function(scan_func, "scan_func"))
        )

    def apply(self, transformation_func) -> Dataset:
        """Return `transformation_func(self)`, a dataset."""
        dataset = function(transformation_func, "transformation_func")(self)
        if not isinstance(dataset, DatasetMethods):
            raise TypeError(
                "`transformation_func` must return a `tf.data.Dataset` object. Got "
                f"{type(dataset)}."
            )
        return cast("Dataset", dataset)

    def unique(self, name=None) -> Dataset:
        """Drop elements that were there before."""
        return self._then(transforms.Unique(self._node))

    def ignore_errors(self, log_warning=False, name=None) -> Dataset:
        """Drop the elements whose computation fails."""
        return self._then(transforms.IgnoreErrors(self._node, log_warning))

    # --- groups --------------------------------------------------------------------------------

    def batch(
        self,
        batch_size,
        drop_remainder=False,
        num_parallel_calls=None,
        deterministic=None,
        name=None,
    ) -> Dataset:
        """Stack elements into batches, along a new first axis."""
        size = integer(batch_size, "batch_size")
        return self._then(batching.Batch(self._node, size, flag(drop_remainder)))

    def padded_batch(
        self,
        batch_size,
        padded_shapes=None,
        padding_values=None,
        drop_remainder=False,
        name=None,
    ) -> Dataset:
        """Stack elements of different shapes, padded to the largest or to given shapes."""
        size = integer(batch_size, "batch_size")
        return self._then(
            batching.PaddedBatch(
                self._node, size, padded_shapes, padding_values, flag(drop_remainder)
            )
        )

    def unbatch(self, name=None) -> Dataset:
        """Split each element into its rows."""
        return self._then(batching.Unbatch(self._node))

    def rebatch(self, batch_size, drop_remainder=False, name=None) -> Dataset:
        """Divide batches into batches of another size, or of several sizes in turn."""
        sizes = [integer(size, "batch_size") for size in np.atleast_1d(static_value(batch_size))]
        return self._then(batching.Rebatch(self._node, sizes, flag(drop_remainder)))

    def window(self, size, shift=None, stride=1, drop_remainder=False, name=None) -> Dataset:
        """Divide the elements into windows; each component of a window is a dataset."""
        size = integer(size, "size")
        shift = size if shift is None else integer(shift, "shift")
        stride = integer(stride, "stride")
        return self._then(grouping.Window(self._node, size, shift, stride, flag(drop_remainder)))

    def group_by_window(
        self, key_func, reduce_func, window_size=None, window_size_func=None, name=None
    ) -> Dataset:
        """Group elements by key; `reduce_func(key, window)` maps each group to a dataset."""
        if (window_size is None) == (window_size_func is None):
            raise ValueError(
                "Either the `window_size` argument or the `window_size_func` argument must be "
                "specified."
            )
        key, reduction = function(key_func, "key_func"), function(reduce_func, "reduce_func")
        size = window_size_func or (lambda key: window_size)
        return self._then(transforms.GroupByWindow(self._node, key, reduction, size))

    def bucket_by_sequence_length(
        self,
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes=None,
        padding_values=None,
        pad_to_bucket_boundary=False,
        no_padding=False,
        drop_remainder=False,
        name=None,
    ) -> Dataset:
        """Stack elements of similar length into padded batches."""
        return grouping.bucket_by_length(
            self,
            element_length_func,
            bucket_boundaries,
            bucket_batch_sizes,
            padded_shapes,
            padding_values,
            pad_to_bucket_boundary,
            no_padding,
            drop_remainder,
        )

    def ragged_batch(
        self, batch_size, drop_remainder=False, row_splits_dtype=dtypes.int64, name=None
    ) -> Dataset:
        """Stack elements of different shapes into ragged tensors."""
        from gradtape.data.ragged_batching import RaggedBatch

        size, dtype = integer(batch_size, "batch_size"), dtypes.as_dtype(row_splits_dtype)
        return self._then(RaggedBatch(self._node, size, flag(drop_remainder), dtype))

    def rejection_resample(
        self, class_func, target_dist, initial_dist=None, seed=None, name=None
    ) -> Dataset:
        """Drop and repeat elements at random until their classes have a wanted distribution.

        Each element of the result is (class, element). Without `initial_dist`, the distribution of
        the classes is estimated on the way.
        """
        from gradtape.data.resampling import resampled

        function(class_func, "class_func")
        return resampled(self, class_func, target_dist, initial_dist, seed)

    def fingerprint(self):
        raise NotImplementedError(
            "Dataset.fingerprint is not available: it is a hash of TensorFlow's graph of the "
            "dataset, and here there is none."
        )

    def sparse_batch(self, batch_size, row_shape, name=None):
        raise NotImplementedError("Dataset.sparse_batch is not available. Use padded_batch.")

    # --- caching and prefetching ---------------------------------------------------------------

    def prefetch(self, buffer_size, name=None) -> Dataset:
        """Compute up to `buffer_size` elements ahead, in a thread."""
        size = AUTOTUNE if buffer_size is None else integer(buffer_size, "buffer_size")
        if size < AUTOTUNE:
            raise InvalidArgumentError(f"buffer_size must be >= 0 or AUTOTUNE, got {size}.")
        return self._then(threads.Prefetch(self._node, size))

    def cache(self, filename="", name=None) -> Dataset:
        """Keep the elements of the first complete pass, in memory or in a file."""
        path = path_string(filename)
        node = caching.FileCache(self._node, path) if path else caching.MemoryCache(self._node)
        return self._then(node)

    def snapshot(
        self, path, compression="AUTO", reader_func=None, shard_func=None, name=None
    ) -> Dataset:
        """Keep the elements of the first complete pass in a file in the folder `path`."""
        return self.cache(os.path.join(path_string(path), "snapshot"))

    def save(self, path, compression=None, shard_func=None, checkpoint_args=None) -> None:
        """Write all elements into a folder, for `Dataset.load`."""
        caching.save(self._node, path_string(path), shard_func)
