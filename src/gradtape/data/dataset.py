"""`tf.data.Dataset`: a pipeline of elements, run again by each iteration over it."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.state import EMPTY, get_state, set_state
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Tensor
from gradtape.data import caching, ordering, sources, structure, threads, transforms
from gradtape.data.arguments import flag, function, integer, path_string
from gradtape.data.dataset_methods import DatasetMethods, node_of
from gradtape.data.iterator import Iterator, NumpyIterator
from gradtape.data.nodes import INFINITE, UNKNOWN, PipelineNode
from gradtape.data.options import Options
from gradtape.data.specs import DatasetSpec


class Dataset(DatasetMethods):
    """A pipeline of elements that are computed lazily, when an iterator asks for them.

        dataset = tf.data.Dataset.from_tensor_slices((features, labels))
        for x, y in dataset.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE):
            ...

    Functions given to `map`, `filter` and the like run as plain Python on tensors, in every pass;
    their errors have the program's own lines in the traceback. Gradients do not flow through a
    dataset.
    """

    def __init__(self, variant_tensor: Any) -> None:
        if not isinstance(variant_tensor, PipelineNode):
            raise TypeError(
                "Dataset cannot be constructed directly. Use Dataset.from_tensor_slices, "
                "from_generator "
                "or another of its constructors."
            )
        self._node = variant_tensor
        self._options = Options()

    # --- sources -------------------------------------------------------------------------------

    @staticmethod
    def from_tensors(tensors, name=None) -> Dataset:
        """Return a dataset of one element."""
        element = structure.normalize_source(tensors)
        if not any(isinstance(leaf, SymbolicTensor) for leaf in structure.flatten(element)):
            return Dataset(sources.Elements([element]))
        rows = structure.map_structure(lambda leaf: ops.expand_dims(leaf, 0), element)
        return Dataset.from_tensor_slices(rows)

    @staticmethod
    def from_tensor_slices(tensors, name=None) -> Dataset:
        """Return a dataset of the slices of tensors along their first axis."""
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
        """Return a dataset of what a generator function yields. Each pass calls it again."""
        signature = sources.generator_signature(output_types, output_shapes, output_signature)
        return Dataset(sources.GeneratorSource(generator, signature, tuple(args or ())))

    @staticmethod
    def range(*args, **kwargs) -> Dataset:
        """Return a dataset of integers: `range(stop)`, `range(start, stop)` or `range(start, stop,
        step)`."""
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
        """Return a dataset that counts in steps, without end."""
        return Dataset(sources.Range(integer(start, "start"), None, integer(step, "step"), dtype))

    @staticmethod
    def random(seed=None, rerandomize_each_iteration=None, name=None) -> Dataset:
        """Return an infinite dataset of random integers below 2**32."""
        return Dataset(sources.RandomSource(seed, bool(rerandomize_each_iteration)))

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None, name=None) -> Dataset:
        """Return a dataset of the files that match a pattern; `shuffle=False` keeps their order."""
        import glob

        patterns = np.atleast_1d(np.asarray(ops.to_tensor(file_pattern)._data))
        texts = [pattern.decode() for pattern in patterns.reshape(-1)]
        matches = sorted({name for text in texts for name in glob.glob(text)})
        if not matches:
            raise InvalidArgumentError(f"No files matched pattern: {', '.join(texts)}")
        files = Dataset.from_tensor_slices(matches)
        return files.shuffle(len(matches), seed=seed) if shuffle is None or shuffle else files

    @staticmethod
    def zip(*args, datasets=None, name=None) -> Dataset:
        """Return a dataset of tuples with one element of each dataset, until the shortest ends."""
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
        """Return a dataset that takes each element from a dataset chosen at random by weight."""
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
        return Dataset(ordering.Choose(draws, nodes, flag(stop_on_empty_dataset)))

    @staticmethod
    def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=True) -> Dataset:
        """Return a dataset that takes each element from the dataset that `choice_dataset` names."""
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
        return Dataset(ordering.Choose(choices, nodes, flag(stop_on_empty_dataset)))

    @staticmethod
    def load(path, element_spec=None, compression=None, reader_func=None, wait=False) -> Dataset:
        """Return a dataset that `save` has written."""
        saved = caching.Loaded(path_string(path), element_spec)
        if reader_func is None and not saved.shards:
            return Dataset(saved)
        shards = [Dataset(shard) for shard in saved.in_shards()]
        datasets = Dataset(sources.Elements(shards, DatasetSpec(saved.spec())))
        if reader_func is None:
            read = datasets.interleave(lambda shard: shard, num_parallel_calls=threads.AUTOTUNE)
            node = ordering.KnownCardinality(read._node, len(saved.shards))
            node.name = saved.name
            return Dataset(node)
        return datasets.apply(function(reader_func, "reader_func"))

    def _unbound(self) -> list[Tensor]:
        """Return the tensors of the function being traced that it takes rows of."""
        if get_state().trace is None:
            return []
        from gradtape.data.in_graphs import unbound_tensors

        return unbound_tensors(self._node)

    def _bound(self, tensors: list[Tensor], values: tuple[Tensor, ...]) -> Dataset:
        """Return this dataset with the values that these tensors have in a call."""
        from gradtape.data.in_graphs import bound

        return self._then(bound(self._node, tensors, values)) if tensors else self

    def _then(self, node: PipelineNode) -> Dataset:
        dataset = Dataset(node)
        dataset._options = self._options
        return dataset

    # --- results -------------------------------------------------------------------------------

    def reduce(self, initial_state, reduce_func, name=None):
        """Return the last state of `state = reduce_func(state, element)` over all elements."""
        step = function(reduce_func, "reduce_func")
        trace = get_state().trace
        if trace is not None:
            from gradtape.data.in_graphs import reduced

            return reduced(trace, self, initial_state, step)
        state = structure.normalize(initial_state)
        for element in self:
            new = structure.call_inside(step, state, element)
            state = transforms.checked_state(new, state, "reduce_func")
        return state

    def get_single_element(self, name=None):
        """Return the only element."""
        elements = [element for _, element in builtins.zip(builtins.range(2), self, strict=False)]
        if len(elements) == 1:
            return elements[0]
        raise InvalidArgumentError(
            "Dataset had more than one element." if elements else "Dataset was empty."
        )

    def cardinality(self) -> Tensor:
        """Return the number of elements, or INFINITE_CARDINALITY, or UNKNOWN_CARDINALITY."""
        return Tensor(np.int64(self._node.cardinality()))

    @property
    def element_spec(self):
        """The shapes and dtypes of elements.

        After a function they are inferred by calling it on zeros, or on the first element.
        """
        state = get_state()
        try:
            set_state(EMPTY)
            return self._node.spec()
        finally:
            set_state(state)

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def options(self) -> Options:
        """Return the options of this dataset."""
        return self._options

    def with_options(self, options, name=None) -> Dataset:
        """Return this dataset with options."""
        dataset = self._then(self._node)
        dataset._options = self._options.merge(options)
        return dataset

    def as_numpy_iterator(self) -> NumpyIterator:
        """Return an iterator over the elements as NumPy values."""
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
    array = np.asarray(ops.to_tensor(weights)._data)
    if array.dtype.kind != "f":
        raise TypeError(
            "Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is "
            f"{array.dtype}."
        )
    return array
