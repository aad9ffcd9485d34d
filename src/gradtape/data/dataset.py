"""`tf.data.Dataset`: a pipeline of elements, run anew by each iteration over it."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.convert import static_value
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.state import EMPTY, get_state, set_state
from gradtape.core.tensor import Tensor
from gradtape.data import batching, caching, ordering, sources, structure, threads, transforms
from gradtape.data.iterator import Iterator, NumpyIterator
from gradtape.data.nodes import INFINITE, UNKNOWN, Node, integer
from gradtape.data.options import Options
from gradtape.data.specs import DatasetSpec

AUTOTUNE = threads.AUTOTUNE


def node_of(value, what: str = "dataset") -> Node:
    """The pipeline of an argument that must be a dataset."""
    if not isinstance(value, Dataset):
        raise TypeError(
            f"Invalid `{what}`. `{what}` must be a `tf.data.Dataset` object, but got {type(value)}."
        )
    return value._node


def _calls(num_parallel_calls) -> int | None:
    if num_parallel_calls is None:
        return None
    return integer(num_parallel_calls, "num_parallel_calls")


def _count(count) -> int:
    return INFINITE if count is None else integer(count, "count")


def _flag(value) -> bool:
    return bool(static_value(value))


class Dataset:
    """Elements that are computed when they are asked for.

        dataset = tf.data.Dataset.from_tensor_slices((features, labels))
        for x, y in dataset.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE):
            ...

    Functions given to `map` and its relatives run as plain Python on tensors, in every pass; their
    errors have the program's own lines in the traceback. Gradients do not flow through a dataset.
    """

    def __init__(self, variant_tensor: Any) -> None:
        if not isinstance(variant_tensor, Node):
            raise TypeError(
                "Dataset cannot be made directly. Use Dataset.from_tensor_slices, from_generator "
                "or another of its constructors."
            )
        self._node = variant_tensor
        self._options = Options()

    # --- sources -------------------------------------------------------------------------------

    @staticmethod
    def from_tensors(tensors, name=None) -> Dataset:
        """One element."""
        return Dataset(sources.Elements([structure.normalised(tensors)]))

    @staticmethod
    def from_tensor_slices(tensors, name=None) -> Dataset:
        """The rows of tensors along their first axis."""
        return Dataset(sources.Slices(tensors))

    @staticmethod
    def from_generator(
        generator,
        output_types=None,
        output_shapes=None,
        args=None,
        output_signature=None,
        name=None,
    ) -> Dataset:
        """What a generator function yields; it is called anew in each pass."""
        signature = sources.generator_signature(output_types, output_shapes, output_signature)
        return Dataset(sources.Generator(generator, signature, tuple(args or ())))

    @staticmethod
    def range(*args, **kwargs) -> Dataset:
        """Integers: `range(stop)`, `range(start, stop)` or `range(start, stop, step)`."""
        dtype = kwargs.pop("output_type", dtypes.int64)
        kwargs.pop("name", None)
        if kwargs:
            raise TypeError(f"Dataset.range: unknown arguments {', '.join(sorted(kwargs))}.")
        if not 1 <= len(args) <= 3:
            raise ValueError(
                f"Invalid `args`. The length of `args` should be between 1 and 3 but was "
                f"{len(args)}."
            )
        limits = slice(*(integer(each, "Dataset.range: a limit") for each in args))
        step = 1 if limits.step is None else limits.step
        return Dataset(sources.Range(limits.start or 0, limits.stop, step, dtype))

    @staticmethod
    def counter(start=0, step=1, dtype=dtypes.int64, name=None) -> Dataset:
        """Integers in steps, without end."""
        return Dataset(sources.Range(integer(start, "start"), None, integer(step, "step"), dtype))

    @staticmethod
    def random(seed=None, rerandomize_each_iteration=None, name=None) -> Dataset:
        """Random integers below 2**32, without end."""
        return Dataset(sources.Random(seed, bool(rerandomize_each_iteration)))

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None, name=None) -> Dataset:
        """The names of the files that match a pattern, shuffled unless asked otherwise."""
        import glob

        patterns = np.atleast_1d(np.asarray(ops.to_tensor(file_pattern)._data))
        texts = [pattern.decode() for pattern in patterns.reshape(-1)]
        found = sorted({name for text in texts for name in glob.glob(text)})
        if not found:
            raise InvalidArgumentError(f"No files matched pattern: {', '.join(texts)}")
        files = Dataset.from_tensor_slices(found)
        return files.shuffle(len(found), seed=seed) if shuffle is None or shuffle else files

    @staticmethod
    def zip(*args, datasets=None, name=None) -> Dataset:
        """Elements of several datasets side by side, until the first ends."""
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        form = args if len(args) > 1 else args[0] if args else datasets
        if isinstance(form, list):
            raise TypeError(
                "Invalid `datasets`. `datasets` is expected to be a (nested) structure of "
                "`tf.data.Dataset` objects. Python `list` is not supported and you should use "
                "`tuple` instead."
            )
        nodes = [node_of(dataset, "datasets") for dataset in structure.flatten(form)]
        return Dataset(ordering.Zip(form, nodes))

    @staticmethod
    def sample_from_datasets(
        datasets,
        weights=None,
        seed=None,
        stop_on_empty_dataset=False,
        rerandomize_each_iteration=None,
    ) -> Dataset:
        """Elements of several datasets, each taken from one chosen at random by weight."""
        from gradtape.data.mixing import Draws

        nodes = [node_of(dataset, "datasets") for dataset in datasets]
        if not nodes:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        if isinstance(weights, Dataset):
            chosen: Any = weights._node
        else:
            chosen = np.ones(len(nodes), np.float32) if weights is None else _weights(weights)
            if len(chosen) != len(nodes):
                raise ValueError(
                    "Invalid `weights`. `weights` should have the same length as `datasets`, got "
                    f"{len(chosen)} weights for {len(nodes)} datasets."
                )
            used = [i for i, weight in enumerate(chosen) if weight > 0]
            nodes, chosen = [nodes[i] for i in used], chosen[used]
            if len(nodes) == 1:
                return Dataset(nodes[0])
        draws = Draws(chosen, seed, bool(rerandomize_each_iteration))
        return Dataset(ordering.Choose(draws, nodes, _flag(stop_on_empty_dataset)))

    @staticmethod
    def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=True) -> Dataset:
        """Elements of several datasets, in the order that a dataset of their numbers says."""
        nodes = [node_of(dataset, "datasets") for dataset in datasets]
        if not nodes:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        choices = node_of(choice_dataset, "choice_dataset")
        spec = choices.spec()
        if getattr(spec, "dtype", None) is not dtypes.int64 or spec.shape != ():
            raise TypeError(
                "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` "
                f"tensors but are {spec}."
            )
        return Dataset(ordering.Choose(choices, nodes, _flag(stop_on_empty_dataset)))

    @staticmethod
    def load(path, element_spec=None, compression=None, reader_func=None, wait=False) -> Dataset:
        """A dataset that `save` has written."""
        return Dataset(caching.Loaded(_path(path), element_spec))

    # --- order and choice ----------------------------------------------------------------------

    def _then(self, node: Node) -> Dataset:
        found = Dataset(node)
        found._options = self._options
        return found

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=True, name=None) -> Dataset:
        """Random order: each element is chosen among the next `buffer_size`."""
        fresh = True if reshuffle_each_iteration is None else _flag(reshuffle_each_iteration)
        size = integer(buffer_size, "buffer_size")
        return self._then(ordering.Shuffle(self._node, size, seed, fresh))

    def repeat(self, count=None, name=None) -> Dataset:
        """All elements `count` times; without end for None or -1."""
        return self._then(ordering.Repeat(self._node, _count(count)))

    def take(self, count, name=None) -> Dataset:
        """The first `count` elements; all for -1."""
        return self._then(ordering.Take(self._node, _count(count)))

    def skip(self, count, name=None) -> Dataset:
        """All but the first `count` elements; none for -1."""
        return self._then(ordering.Skip(self._node, _count(count)))

    def shard(self, num_shards, index, name=None) -> Dataset:
        """Every `num_shards`-th element, from `index` on."""
        count, index = integer(num_shards, "num_shards"), integer(index, "index")
        return self._then(ordering.Shard(self._node, count, index))

    def concatenate(self, dataset, name=None) -> Dataset:
        """These elements, then those of another dataset."""
        return self._then(ordering.Concatenate(self._node, node_of(dataset)))

    def enumerate(self, start=0, name=None) -> Dataset:
        """Pairs of a number (int64) and an element."""
        numbers = Dataset.counter(start)._node
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
        """A function of each element; its arguments are the parts of an element that is a tuple.

        With `num_parallel_calls`, threads call it on several elements; the order stays.
        """
        return self._then(transforms.Map(self._node, map_func, _calls(num_parallel_calls)))

    def filter(self, predicate, name=None) -> Dataset:
        """The elements for which a predicate holds."""
        return self._then(transforms.Filter(self._node, predicate))

    def take_while(self, predicate, name=None) -> Dataset:
        """The elements before the first for which a predicate does not hold."""
        return self._then(transforms.TakeWhile(self._node, predicate))

    def flat_map(self, map_func, name=None) -> Dataset:
        """The elements of the datasets that a function makes, one after the other."""
        return self._then(transforms.FlatMap(self._node, map_func))

    def interleave(
        self,
        map_func,
        cycle_length=None,
        block_length=None,
        num_parallel_calls=None,
        deterministic=None,
        name=None,
    ) -> Dataset:
        """As `flat_map`, with blocks of elements taken from several open datasets in turn.

        With `num_parallel_calls`, each open dataset is read ahead by a thread; the order stays.
        """
        cycle = None if cycle_length is None else integer(cycle_length, "cycle_length")
        block = 1 if block_length is None else integer(block_length, "block_length")
        parallel = num_parallel_calls is not None
        return self._then(
            transforms.Interleave(self._node, map_func, cycle, block, parallel)
        )  # fmt: skip

    def scan(self, initial_state, scan_func, name=None) -> Dataset:
        """`scan_func(state, element)` returns the next state and an element."""
        return self._then(transforms.Scan(self._node, initial_state, scan_func))

    def apply(self, transformation_func) -> Dataset:
        """The dataset that a function makes of this one."""
        found = transformation_func(self)
        if not isinstance(found, Dataset):
            raise TypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(found)}."
            )
        return found

    def unique(self, name=None) -> Dataset:
        """Each value once."""
        return self._then(transforms.Unique(self._node))

    def ignore_errors(self, log_warning=False, name=None) -> Dataset:
        """The elements whose computation does not fail."""
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
        """Batches of elements, along a new first axis."""
        size = integer(batch_size, "batch_size")
        return self._then(batching.Batch(self._node, size, _flag(drop_remainder)))

    def padded_batch(
        self,
        batch_size,
        padded_shapes=None,
        padding_values=None,
        drop_remainder=False,
        name=None,
    ) -> Dataset:
        """Batches of elements of different shapes, padded to the largest or to given ones."""
        size = integer(batch_size, "batch_size")
        return self._then(
            batching.PaddedBatch(
                self._node, size, padded_shapes, padding_values, _flag(drop_remainder)
            )
        )

    def unbatch(self, name=None) -> Dataset:
        """The rows of each element."""
        return self._then(batching.Unbatch(self._node))

    def rebatch(self, batch_size, drop_remainder=False, name=None) -> Dataset:
        """Batches of another size, or of several sizes in turn."""
        sizes = [integer(size, "batch_size") for size in np.atleast_1d(static_value(batch_size))]
        return self._then(batching.Rebatch(self._node, sizes, _flag(drop_remainder)))

    def window(self, size, shift=None, stride=1, drop_remainder=False, name=None) -> Dataset:
        """Windows over the elements; each component of a window is a dataset."""
        size = integer(size, "size")
        shift = size if shift is None else integer(shift, "shift")
        stride = integer(stride, "stride")
        return self._then(batching.Window(self._node, size, shift, stride, _flag(drop_remainder)))

    def group_by_window(
        self, key_func, reduce_func, window_size=None, window_size_func=None, name=None
    ) -> Dataset:
        """Gathers elements of the same key; `reduce_func(key, window)` makes a dataset of each."""
        if (window_size is None) == (window_size_func is None):
            raise ValueError(
                "Either the `window_size` argument or the `window_size_func` argument must be "
                "specified."
            )
        size = window_size_func or (lambda key: window_size)
        return self._then(transforms.GroupByWindow(self._node, key_func, reduce_func, size))

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
        """Padded batches of elements of similar length."""
        from gradtape.data.buckets import bucketed

        return bucketed(
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

    def ragged_batch(self, batch_size, drop_remainder=False, row_splits_dtype=None, name=None):
        raise NotImplementedError(
            "Dataset.ragged_batch is not available: gradtape has no ragged tensors. Use "
            "padded_batch."
        )

    def rejection_resample(self, class_func, target_dist, initial_dist=None, seed=None, name=None):
        raise NotImplementedError(
            "Dataset.rejection_resample is not available. Use dataset.filter with "
            "tf.random.uniform, or Dataset.sample_from_datasets of one dataset for each class."
        )

    def fingerprint(self):
        raise NotImplementedError(
            "Dataset.fingerprint is not available: it is a hash of TensorFlow's graph of the "
            "dataset, and here there is none."
        )

    def sparse_batch(self, batch_size, row_shape, name=None):
        raise NotImplementedError("Dataset.sparse_batch is not available. Use padded_batch.")

    # --- keeping and reading ahead -------------------------------------------------------------

    def prefetch(self, buffer_size, name=None) -> Dataset:
        """The same elements; a thread computes up to `buffer_size` before they are wanted."""
        size = AUTOTUNE if buffer_size is None else integer(buffer_size, "buffer_size")
        if size < AUTOTUNE:
            raise InvalidArgumentError(f"buffer_size must be >= 0 or AUTOTUNE, got {size}.")
        return self._then(threads.Prefetch(self._node, size))

    def cache(self, filename="", name=None) -> Dataset:
        """The elements of the first complete pass again, from memory or from a file."""
        path = _path(filename)
        node = caching.FileCache(self._node, path) if path else caching.MemoryCache(self._node)
        return self._then(node)

    def snapshot(
        self, path, compression="AUTO", reader_func=None, shard_func=None, name=None
    ) -> Dataset:
        """As `cache` with a file in the folder `path`."""
        import os

        return self.cache(os.path.join(_path(path), "snapshot"))

    def save(self, path, compression=None, shard_func=None, checkpoint_args=None) -> None:
        """Write all elements into a folder, for `Dataset.load`."""
        caching.save(self._node, _path(path))

    # --- results -------------------------------------------------------------------------------

    def reduce(self, initial_state, reduce_func, name=None):
        """`reduce_func(state, element)` returns the next state; the last is the result."""
        state = structure.normalised(initial_state)
        for element in self:
            state = transforms.checked_state(reduce_func(state, element), state, "reduce_func")
        return state

    def get_single_element(self, name=None):
        """The only element."""
        found = [element for _, element in builtins.zip(builtins.range(2), self, strict=False)]
        if len(found) == 1:
            return found[0]
        raise InvalidArgumentError(
            "Dataset had more than one element." if found else "Dataset was empty."
        )

    def cardinality(self) -> Tensor:
        """The number of elements, or INFINITE_CARDINALITY, or UNKNOWN_CARDINALITY."""
        return Tensor(np.int64(self._node.cardinality()))

    @property
    def element_spec(self):
        """The shapes and dtypes of elements.

        Behind a function they are found by calling it on zeros, or on the first element.
        """
        state = get_state()
        set_state(EMPTY)
        try:
            return self._node.spec()
        finally:
            set_state(state)

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def options(self) -> Options:
        """The settings of this dataset."""
        return self._options

    def with_options(self, options, name=None) -> Dataset:
        """This dataset with settings."""
        found = Dataset(self._node)
        found._options = self._options.merge(options)
        return found

    def as_numpy_iterator(self) -> NumpyIterator:
        """One pass, as NumPy values."""
        return NumpyIterator(self)

    def __iter__(self) -> Iterator:
        return Iterator(self)

    def __len__(self) -> int:
        length = self._node.cardinality()
        if length == INFINITE:
            raise TypeError("The dataset is infinite.")
        if length == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return length

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self._node.name} element_spec={self.element_spec}>"


def _weights(weights) -> np.ndarray:
    found = np.asarray(ops.to_tensor(weights)._data)
    if found.dtype.kind != "f":
        raise TypeError(
            "Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is "
            f"{found.dtype}."
        )
    return found


def _path(value) -> str:
    found = static_value(value)
    if isinstance(found, bytes):
        return found.decode()
    return str(found)
