# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def boolean_mask(data: TensorLike, mask: TensorLike, name: str | None = None) -> Any:
    """Return the values where a mask holds: rows keep their order and become shorter."""

def constant(
    pylist: Any,
    dtype: DTypeLike | None = None,
    ragged_rank: Any = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = ...,
) -> Any:
    """Return nested lists as a ragged tensor (as a dense one, where nothing is nested)."""

def cross(inputs: TensorLike, name: str | None = None) -> RaggedTensor:
    """Return all combinations of the features of each row, as strings joined by "_X_"."""

def cross_hashed(
    inputs: TensorLike,
    num_buckets: IntLike = 0,
    hash_key: Any = None,
    name: str | None = None,
) -> RaggedTensor:
    """Return all combinations of the features of each row, as hashes below `num_buckets`."""

def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return a function of the flat values of ragged arguments, in the same rows."""

def range(
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = ...,
) -> RaggedTensor:
    """Return one range of numbers in each row; scalars stand for all rows."""

def row_splits_to_segment_ids(
    splits: TensorLike,
    name: str | None = None,
    out_type: DTypeLike | None = None,
) -> Tensor:
    """Return the row of each value, for rows that end and begin at `splits`."""

def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return where rows begin and end, for values in order of their rows."""

def stack(values: Any, axis: AxisLike = 0, name: str | None = None) -> RaggedTensor:
    """Return tensors, dense or ragged, stacked along a new axis; their sizes may differ."""

def stack_dynamic_partitions(
    data: TensorLike,
    partitions: TensorLike,
    num_partitions: IntLike,
    name: str | None = None,
) -> RaggedTensor:
    """Return the rows of data, those of each partition together."""
