# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from collections.abc import Sequence
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from gradtape.data.dataset import Dataset
from gradtape.data.experimental_names import Reducer as Reducer
from gradtape.data.files.csv import CsvDataset as CsvDataset
from gradtape.data.files.records import TFRecordWriter as TFRecordWriter
from gradtape.data.iterator import Optional as Optional
from gradtape.data.options import AutoShardPolicy as AutoShardPolicy
from gradtape.data.options import AutotuneAlgorithm as AutotuneAlgorithm
from gradtape.data.options import AutotuneOptions as AutotuneOptions
from gradtape.data.options import DistributeOptions as DistributeOptions
from gradtape.data.options import ExternalStatePolicy as ExternalStatePolicy
from gradtape.data.options import OptimizationOptions as OptimizationOptions
from gradtape.data.options import ServiceOptions as ServiceOptions
from gradtape.data.options import ThreadingOptions as ThreadingOptions
from typing import Any

AUTOTUNE: int
def Counter(
    start: TensorLike = 0,
    step: TensorLike = 1,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Dataset:
    """Return a dataset that counts in steps, without end.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        step: the size of a step.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `start`, `step` or `dtype` has a type that it does not take.
    """

INFINITE_CARDINALITY: int
def RandomDataset(
    seed: Any = None,
    rerandomize_each_iteration: Any = None,
    name: str | None = None,
) -> Dataset:
    """Return an infinite dataset of random integers below 2**32.

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        rerandomize_each_iteration: whether each pass has other numbers.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `seed` has a type that it does not take.
    """

UNKNOWN_CARDINALITY: int
def assert_cardinality(expected_cardinality: Any) -> Any:
    """Return a transformation for `dataset.apply` that sets the length, which is checked.

    Args:
        expected_cardinality: how many elements there must be.

    Raises:
        tf.errors.FailedPreconditionError if the dataset, when it is iterated over, has another
            number of elements.
    """

def at(dataset: Any, index: Any) -> Any:
    """Return one element by its number.

    Args:
        dataset: a `tf.data.Dataset`.
        index: which one.

    Raises:
        tf.errors.OutOfRangeError if there is no such element.
    """

def bucket_by_sequence_length(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.bucket_by_sequence_length`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        ValueError, when it is applied, if there is not one batch size more than boundaries.
    """

def cardinality(dataset: Any) -> Any:
    """Return the number of elements, or a negative number that says why there is none.

    Args:
        dataset: a `tf.data.Dataset`.

    Raises:
        AttributeError if it is given no dataset.
    """

def choose_from_datasets(
    datasets: Sequence[Any],
    choice_dataset: Any,
    stop_on_empty_dataset: bool = False,
) -> Dataset:
    """See `Dataset.choose_from_datasets`.

    Args:
        datasets: datasets.
        choice_dataset: a dataset of indices.
        stop_on_empty_dataset: whether to stop when one of them ends.

    Returns:
        A dataset.

    Raises:
        ValueError if the list is empty.
    """

def copy_to_device(target_device: Any, source_device: str = '/cpu:0') -> Any:
    """Return a transformation for `dataset.apply`: the same dataset. There is one device.

    Args:
        target_device: has no effect; there for compatibility.
        source_device: has no effect; there for compatibility.
    """

def dense_to_ragged_batch(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.ragged_batch`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        tf.errors.InvalidArgumentError, when it is applied, if the batch size is not positive.
    """

def enable_debug_mode() -> None:
    """Do nothing: functions of datasets always run as plain Python.

    Returns:
        Nothing.
    """

def enumerate_dataset(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.enumerate`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        ValueError, when it is applied, if the start is no number.
    """

def from_list(elements: Any, name: str | None = None) -> Dataset:
    """Return the elements of a Python list.

    Args:
        elements: a list of elements.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the list is empty.
    """

def get_next_as_optional(iterator: Any) -> Any:
    """Return the next element, or an empty optional.

    Args:
        iterator: an iterator of a dataset.

    Raises:
        AttributeError if it is given no iterator of a dataset.
    """

def get_single_element(dataset: Any) -> Any:
    """Return the only element.

    Args:
        dataset: a `tf.data.Dataset`.

    Raises:
        tf.errors.InvalidArgumentError if the dataset does not have one element.
    """

def get_structure(dataset_or_iterator: Any) -> Any:
    """Return the specs of elements.

    Args:
        dataset_or_iterator: a dataset, or an iterator.

    Raises:
        AttributeError if it is given neither a dataset nor an iterator.
    """

def group_by_reducer(key_func: Callable[..., Any], reducer: Any) -> Any:
    """Return a transformation for `dataset.apply` that folds the elements of each key into one.

    Args:
        key_func: a function of an element, which returns its key.
        reducer: a `tf.data.experimental.Reducer`.

    Raises:
        TypeError, when it is applied, if `key_func` is not callable.
    """

def group_by_window(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.group_by_window`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        ValueError, when it is applied, if no size of windows is given.
    """

def ignore_errors(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.ignore_errors`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        TypeError, when it is applied, if there are arguments that `Dataset.ignore_errors` does not
            take.
    """

def load(
    path: Any,
    element_spec: Any = None,
    compression: Any = None,
    reader_func: Any = None,
) -> Dataset:
    """See `Dataset.load`.

    Args:
        path: a path, as text or as a path object.
        element_spec: the structure of an element.
        compression: from 0 to 9, or -1; for files, "GZIP" or None.
        reader_func: a function of a dataset of shards.

    Returns:
        A dataset.

    Raises:
        tf.errors.NotFoundError if there is no saved dataset.
    """

def make_csv_dataset(
    file_pattern: Any,
    batch_size: Any,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: Any = None,
    select_columns: Any = None,
    field_delim: str = ',',
    use_quote_delim: bool = True,
    na_value: str = '',
    header: bool = True,
    num_epochs: Any = None,
    shuffle: bool = True,
    shuffle_buffer_size: IntLike = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: IntLike = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str = 'utf-8',
) -> Dataset:
    """Return batches of CSV files: a dictionary of columns, and the column of labels if there is
    one.

    Args:
        file_pattern: paths, with wildcards.
        batch_size: the number of elements in a batch.
        column_names: the names of the columns; the first line if None.
        column_defaults: dtypes, or values of empty fields.
        label_name: the column that is the label.
        select_columns: which columns to read.
        field_delim: what separates fields.
        use_quote_delim: whether quotes hold a field together.
        na_value: the text of a missing value.
        header: whether the first line has names.
        num_epochs: how often to read the files; without end if None.
        shuffle: whether to shuffle.
        shuffle_buffer_size: how many elements to shuffle among.
        shuffle_seed: the seed of the shuffle.
        prefetch_buffer_size: how many batches to prepare.
        num_parallel_reads: how many files at a time.
        sloppy: has no effect: the order is always kept.
        num_rows_for_inference: how many rows to look at for the dtypes.
        compression_type: "", "ZLIB" or "GZIP".
        ignore_errors: whether lines that cannot be read are left out.
        encoding: the encoding of the bytes, such as "utf-8".

    Raises:
        ValueError if no file matches the pattern.
    """

def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Any:
    """Return a transformation for `dataset.apply`: `map`, then `batch`.

    Args:
        map_func: a function of an element.
        batch_size: the number of elements in a batch.
        num_parallel_batches: has no effect; there for compatibility.
        drop_remainder: whether a last, smaller batch is left out.
        num_parallel_calls: how many calls at a time.

    Raises:
        tf.errors.InvalidArgumentError, when it is applied, if the batch size is not positive.
    """

def pad_to_cardinality(cardinality: Any, mask_key: str = 'valid') -> Any:
    """Return a transformation for `dataset.apply` that pads with zeros, and marks valid
    elements.

    Args:
        cardinality: how many elements.
        mask_key: the key of the mask.

    Raises:
        ValueError, when it is applied, if the elements are no dictionaries.
    """

def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: IntLike = 1,
    sloppy: bool = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Any:
    """Return a transformation for `dataset.apply`: `interleave` with threads.

    Args:
        map_func: a function of an element.
        cycle_length: from how many datasets to take in turn.
        block_length: how many elements to take of each.
        sloppy: has no effect: the order is always kept.
        buffer_output_elements: has no effect; there for compatibility.
        prefetch_input_elements: has no effect; there for compatibility.

    Raises:
        TypeError, when elements are asked for, if `map_func` returns no dataset.
    """

def prefetch_to_device(device: Any, buffer_size: Any = None) -> Any:
    """Return a transformation for `dataset.apply`: `prefetch`. There is one device.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.
        buffer_size: how many elements are held.
    """

def rejection_resample(
    class_func: Any,
    target_dist: Any,
    initial_dist: Any = None,
    seed: Any = None,
) -> Any:
    """Return a transformation for `dataset.apply`: `rejection_resample`.

    Args:
        class_func: a function from an element to its class, an integer.
        target_dist: the share of each class that is wanted.
        initial_dist: the share of each class in the dataset; None: it is estimated on the way.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        ValueError, when it is applied, if `class_func` is no function.
    """

def sample_from_datasets(
    datasets: Sequence[Any],
    weights: TensorLike | None = None,
    seed: Any = None,
    stop_on_empty_dataset: bool = False,
) -> Dataset:
    """See `Dataset.sample_from_datasets`.

    Args:
        datasets: datasets.
        weights: how much each element counts.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        stop_on_empty_dataset: whether to stop when one of them ends.

    Returns:
        A dataset.

    Raises:
        ValueError if the list is empty.
    """

def save(
    dataset: Any,
    path: Any,
    compression: Any = None,
    shard_func: Any = None,
    checkpoint_args: Any = None,
) -> None:
    """See `Dataset.save`.

    Args:
        dataset: a `tf.data.Dataset`.
        path: a path, as text or as a path object.
        compression: from 0 to 9, or -1; for files, "GZIP" or None.
        shard_func: a function of an element, which returns its shard.
        checkpoint_args: options for checkpoints of the progress.

    Returns:
        Nothing.

    Raises:
        NotADirectoryError if a part of the path is a file.
    """

def scan(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.scan`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        TypeError, when elements are asked for, if the function returns no pair.
    """

def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Any:
    """Return a transformation for `dataset.apply`: `shuffle`, then `repeat`.

    Args:
        buffer_size: how many elements are held.
        count: how often; without end if None.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Raises:
        tf.errors.InvalidArgumentError, when it is applied, if the buffer's size is not positive.
    """

def snapshot(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.snapshot`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        NotADirectoryError, when elements are asked for, if a part of the path is a file.
    """

def take_while(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.take_while`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        ValueError, when elements are asked for, if the predicate returns no boolean.
    """

def unbatch(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.unbatch`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        tf.errors.InvalidArgumentError, when elements are asked for, if they have no axes.
    """

def unique(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.unique`.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        TypeError, when it is applied, if there are arguments that `Dataset.unique` does not take.
    """
