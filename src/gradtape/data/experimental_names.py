"""`tf.data.experimental`: older spellings of what datasets do, and a few things of its own."""

from __future__ import annotations

from collections.abc import Callable

from gradtape import ops
from gradtape.core.errors import OutOfRangeError
from gradtape.data import ordering, sources, structure, transforms
from gradtape.data.arguments import integer
from gradtape.data.dataset import Dataset
from gradtape.data.dataset_methods import node_of


def _transformation(method: str):
    """Return a function of the method's arguments, whose result is for `dataset.apply`."""

    def make(*args, **kwargs) -> Callable[[Dataset], Dataset]:
        return lambda dataset: getattr(dataset, method)(*args, **kwargs)

    make.__name__ = make.__qualname__ = method
    make.__doc__ = f"Return a transformation for `dataset.apply`: `dataset.{method}`."
    return make


bucket_by_sequence_length = _transformation("bucket_by_sequence_length")
dense_to_ragged_batch = _transformation("ragged_batch")
enumerate_dataset = _transformation("enumerate")
group_by_window = _transformation("group_by_window")
ignore_errors = _transformation("ignore_errors")
scan = _transformation("scan")
snapshot = _transformation("snapshot")
take_while = _transformation("take_while")
unbatch = _transformation("unbatch")
unique = _transformation("unique")
Counter = Dataset.counter
RandomDataset = Dataset.random


class Reducer:
    """How `group_by_reducer` begins, goes on and ends."""

    def __init__(self, init_func, reduce_func, finalize_func) -> None:
        self.init_func = init_func
        self.reduce_func = reduce_func
        self.finalize_func = finalize_func


def group_by_reducer(key_func, reducer):
    """Return a transformation for `dataset.apply` that folds the elements of each key into one."""
    return lambda dataset: Dataset(transforms.GroupByReducer(node_of(dataset), key_func, reducer))


def cardinality(dataset):
    """Return the number of elements, or a negative number that says why there is none."""
    return dataset.cardinality()


def assert_cardinality(expected_cardinality):
    """Return a transformation for `dataset.apply` that sets the length, which is checked."""
    count = integer(expected_cardinality, "expected_cardinality")
    return lambda dataset: Dataset(ordering.KnownCardinality(node_of(dataset), count))


def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=False) -> Dataset:
    """See `Dataset.choose_from_datasets`."""
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def sample_from_datasets(datasets, weights=None, seed=None, stop_on_empty_dataset=False) -> Dataset:
    """See `Dataset.sample_from_datasets`."""
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def from_list(elements, name=None) -> Dataset:
    """Return the elements of a Python list."""
    if not elements:
        raise ValueError("Invalid `elements`. `elements` should not be empty.")
    normalized = [structure.normalize(element) for element in elements]
    return Dataset(sources.Elements(normalized))


def get_single_element(dataset):
    """Return the only element."""
    return dataset.get_single_element()


def get_next_as_optional(iterator):
    """Return the next element, or an empty optional."""
    return iterator.get_next_as_optional()


def get_structure(dataset_or_iterator):
    """Return the specs of elements."""
    return dataset_or_iterator.element_spec


def at(dataset, index):
    """Return one element by its number."""
    number = integer(index, "index")
    stream = node_of(dataset).stream(number) if number >= 0 else iter(())
    for element in stream:
        return element
    raise OutOfRangeError(f"Index out of range [0, {dataset._node.cardinality()}): {number}")


def load(path, element_spec=None, compression=None, reader_func=None) -> Dataset:
    """See `Dataset.load`."""
    return Dataset.load(path, element_spec, compression, reader_func)


def save(dataset, path, compression=None, shard_func=None, checkpoint_args=None) -> None:
    """See `Dataset.save`."""
    dataset.save(path, compression, shard_func, checkpoint_args)


def map_and_batch(
    map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None
):
    """Return a transformation for `dataset.apply`: `map`, then `batch`."""
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(
        batch_size, drop_remainder
    )


def parallel_interleave(
    map_func,
    cycle_length,
    block_length=1,
    sloppy=False,
    buffer_output_elements=None,
    prefetch_input_elements=None,
):
    """Return a transformation for `dataset.apply`: `interleave` with threads."""
    return lambda dataset: dataset.interleave(
        map_func, cycle_length, block_length, num_parallel_calls=cycle_length
    )


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """Return a transformation for `dataset.apply`: `shuffle`, then `repeat`."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Return a transformation for `dataset.apply`: `rejection_resample`."""
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def prefetch_to_device(device, buffer_size=None):
    """Return a transformation for `dataset.apply`: `prefetch`. There is one device."""
    return lambda dataset: dataset.prefetch(buffer_size)


def copy_to_device(target_device, source_device="/cpu:0"):
    """Return a transformation for `dataset.apply`: the same dataset. There is one device."""
    return lambda dataset: dataset


def enable_debug_mode() -> None:
    """Do nothing: functions of datasets always run as plain Python."""


def pad_to_cardinality(cardinality, mask_key="valid"):
    """Return a transformation for `dataset.apply` that pads with zeros, and marks valid
    elements."""

    def apply(dataset):
        spec = dataset.element_spec
        if not isinstance(spec, dict):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")
        if mask_key in spec:
            raise ValueError(f"`pad_to_cardinality`: the dataset has a component {mask_key!r}.")
        missing = integer(cardinality, "cardinality") - integer(
            dataset.cardinality(), "cardinality"
        )
        if missing < 0 or int(dataset.cardinality()) < 0:
            raise ValueError(
                f"The dataset passed into `pad_to_cardinality` must have a known length of at most "
                f"{int(cardinality)}, got {int(dataset.cardinality())}."
            )
        zeros = {key: ops.zeros(tuple(each.shape), each.dtype) for key, each in spec.items()}
        filler = Dataset.from_tensors({**zeros, mask_key: False}).repeat(missing)
        valid = dataset.map(lambda element: {**element, mask_key: True})
        return valid.concatenate(filler)

    return apply
