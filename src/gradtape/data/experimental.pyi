# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from collections.abc import Sequence
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from gradtape.data.dataset import Dataset
from gradtape.data.experimental_names import Reducer as Reducer
from gradtape.data.files.csv import CsvDataset as CsvDataset
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
    step: IntLike = 1,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Dataset:
    """Return a dataset that counts in steps, without end."""

INFINITE_CARDINALITY: int
def RandomDataset(
    seed: Any = None,
    rerandomize_each_iteration: Any = None,
    name: str | None = None,
) -> Dataset:
    """Return an infinite dataset of random integers below 2**32."""

UNKNOWN_CARDINALITY: int
def assert_cardinality(expected_cardinality: Any) -> Any:
    """Return a transformation for `dataset.apply` that sets the length, which is checked."""

def at(dataset: Any, index: Any) -> Any:
    """Return one element by its number."""

def bucket_by_sequence_length(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.bucket_by_sequence_length`."""

def cardinality(dataset: Any) -> Any:
    """Return the number of elements, or a negative number that says why there is none."""

def choose_from_datasets(
    datasets: Sequence[Any],
    choice_dataset: Any,
    stop_on_empty_dataset: bool = False,
) -> Dataset:
    """See `Dataset.choose_from_datasets`."""

def copy_to_device(target_device: Any, source_device: str = '/cpu:0') -> Any:
    """Return a transformation for `dataset.apply`: the same dataset. There is one device."""

def dense_to_ragged_batch(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.ragged_batch`."""

def enable_debug_mode() -> None:
    """Do nothing: functions of datasets always run as plain Python."""

def enumerate_dataset(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.enumerate`."""

def from_list(elements: Any, name: str | None = None) -> Dataset:
    """Return the elements of a Python list."""

def get_next_as_optional(iterator: Any) -> Any:
    """Return the next element, or an empty optional."""

def get_single_element(dataset: Any) -> Any:
    """Return the only element."""

def get_structure(dataset_or_iterator: Any) -> Any:
    """Return the specs of elements."""

def group_by_reducer(key_func: Callable[..., Any], reducer: Any) -> Any:
    """Return a transformation for `dataset.apply` that folds the elements of each key into one."""

def group_by_window(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.group_by_window`."""

def ignore_errors(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.ignore_errors`."""

def load(
    path: Any,
    element_spec: Any = None,
    compression: Any = None,
    reader_func: Any = None,
) -> Dataset:
    """See `Dataset.load`."""

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
    """

def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Any:
    """Return a transformation for `dataset.apply`: `map`, then `batch`."""

def pad_to_cardinality(cardinality: Any, mask_key: str = 'valid') -> Any:
    """Return a transformation for `dataset.apply` that pads with zeros, and marks valid
    elements.
    """

def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: IntLike = 1,
    sloppy: bool = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Any:
    """Return a transformation for `dataset.apply`: `interleave` with threads."""

def prefetch_to_device(device: Any, buffer_size: Any = None) -> Any:
    """Return a transformation for `dataset.apply`: `prefetch`. There is one device."""

def sample_from_datasets(
    datasets: Sequence[Any],
    weights: TensorLike | None = None,
    seed: Any = None,
    stop_on_empty_dataset: bool = False,
) -> Dataset:
    """See `Dataset.sample_from_datasets`."""

def save(
    dataset: Any,
    path: Any,
    compression: Any = None,
    shard_func: Any = None,
    checkpoint_args: Any = None,
) -> None:
    """See `Dataset.save`."""

def scan(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.scan`."""

def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Any:
    """Return a transformation for `dataset.apply`: `shuffle`, then `repeat`."""

def snapshot(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.snapshot`."""

def take_while(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.take_while`."""

def unbatch(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.unbatch`."""

def unique(*args: Any, **kwargs: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply`: `dataset.unique`."""
