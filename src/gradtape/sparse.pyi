# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from collections.abc import Sequence
from gradtape.api.sparse.tensor import SparseTensor as SparseTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.engine.indexed_slices import IndexedSlices
from typing import Any

def add(a: TensorLike, b: TensorLike, threshold: TensorLike = 0) -> Any:
    """Return the sum of two tensors of which one or both are sparse: sparse if both are.

    Sums of two values that are below the threshold in magnitude are left out.
    """

def bincount(
    values: Any,
    weights: TensorLike | None = None,
    axis: AxisLike = 0,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Return how often each number occurs (in each row, for axis -1), or the sum of its weights."""

def concat(
    axis: AxisLike,
    sp_inputs: Sequence[Any],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Concatenate sparse tensors along an axis; other sizes may differ if they may be expanded."""

def cross(
    inputs: TensorLike,
    name: str | None = None,
    separator: str | None = None,
) -> SparseTensor:
    """Return every combination of the features in each row, as strings with a separator."""

def cross_hashed(
    inputs: TensorLike,
    num_buckets: IntLike = 0,
    hash_key: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Return a number for every combination of the features in each row, by their hash."""

def expand_dims(sp_input: Any, axis: AxisLike = None, name: str | None = None) -> SparseTensor:
    """Return the tensor with a new axis of size 1 (by default the last)."""

def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> SparseTensor:
    """Return an identity matrix."""

def fill_empty_rows(
    sp_input: Any,
    default_value: Any,
    name: str | None = None,
) -> tuple[SparseTensor, Tensor]:
    """Return (the tensor with a default value at the start of each empty row, which rows were
    empty).
    """

def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """Return the elements of a dense tensor that are not zero."""

def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Return a function of the values of sparse tensors that have the same indices."""

def mask(a: TensorLike, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """Return `IndexedSlices` without the rows at some indices."""

def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Return the larger of two sparse tensors, where either has a value."""

def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Return the smaller of two sparse tensors, where either has a value."""

def reduce_max(
    sp_input: Any,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return maxima over axes of the values there are; 0 where there are none."""

def reduce_sum(
    sp_input: Any,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return sums over axes (by default all): a dense tensor, or on request a sparse one."""

def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the same tensor with its indices in row-major order."""

def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """Return the same values in a larger shape; without one, in the smallest that holds them."""

def reshape(sp_input: Any, shape: ShapeLike, name: str | None = None) -> SparseTensor:
    """Return the same values in another shape, of which one size may be -1."""

def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Return the values for which a vector of booleans holds."""

def sampled_addmm(
    indices: TensorLike,
    values: Any,
    dense_shape: Any,
    mat1: TensorLike,
    mat2: TensorLike,
    beta: TensorLike = 1.0,
    alpha: TensorLike = 1.0,
    output_type: DTypeLike = ...,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return alpha * (mat1 @ mat2) + beta * values at some indices: (indices, values,
    dense_shape).
    """

def segment_mean(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_mean` of the rows of data at indices."""

def segment_sqrt_n(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_sqrt_n` of the rows of data at indices."""

def segment_sum(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_sum` of the rows of data at indices."""

def slice(
    sp_input: Any,
    start: TensorLike,
    size: ShapeLike,
    name: str | None = None,
) -> SparseTensor:
    """Return a block of the tensor."""

def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the softmax along the last axis, over explicit values only."""

def sparse_dense_matmul(
    sp_a: Any,
    b: TensorLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product of a sparse and a dense matrix (or of a dense and a sparse one)."""

def split(
    sp_input: Any = None,
    num_split: Any = None,
    axis: AxisLike = None,
    name: str | None = None,
) -> list[SparseTensor]:
    """Split a sparse tensor along an axis; the first parts are larger by one if necessary."""

def to_dense(
    sp_input: Any,
    default_value: Any = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return the dense tensor, with `default_value` (0) where the sparse one has nothing."""

def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """Return a dense bool tensor [..., vocab_size], true at the ids that the rows hold."""

def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Return the tensor with its axes in another order (by default reversed)."""
