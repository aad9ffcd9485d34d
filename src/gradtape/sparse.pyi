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

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        threshold: smaller values are left out.

    Raises:
        tf.errors.InvalidArgumentError if `b` or `a` has a dtype that it does not take, or the shape
            of `b` or `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
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
    """Return how often each number occurs (in each row, for axis -1), or the sum of its weights.

    Args:
        values: a list of tensors, or one tensor.
        weights: how much each element counts.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        minlength: the least length of the result.
        maxlength: the greatest length of the result.
        binary_output: whether to note only that a value occurs.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `axis` is out of range.
    """

def concat(
    axis: AxisLike,
    sp_inputs: Sequence[Any],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Concatenate sparse tensors along an axis; other sizes may differ if they may be expanded.

    Args:
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        sp_inputs: sparse tensors.
        expand_nonconcat_dims: whether other axes may differ: the largest one counts.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A sparse tensor.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.
    """

def cross(
    inputs: TensorLike,
    name: str | None = None,
    separator: str | None = None,
) -> SparseTensor:
    """Return every combination of the features in each row, as strings with a separator.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        name: a label, as in TensorFlow; it does not change the result.
        separator: what stands between the parts.

    Raises:
        tf.errors.InvalidArgumentError if a dense input is no matrix.
    """

def cross_hashed(
    inputs: TensorLike,
    num_buckets: IntLike = 0,
    hash_key: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Return a number for every combination of the features in each row, by their hash.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        num_buckets: the number of buckets.
        hash_key: the key of the hash.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `num_buckets` is negative.
    """

def expand_dims(sp_input: Any, axis: AxisLike = None, name: str | None = None) -> SparseTensor:
    """Return the tensor with a new axis of size 1 (by default the last).

    Args:
        sp_input: a sparse tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.
    """

def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> SparseTensor:
    """Return an identity matrix.

    Args:
        num_rows: the number of rows.
        num_columns: the number of columns; as many as rows if None.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `num_rows`, `num_columns` or `dtype` has a type that it does not take.
    """

def fill_empty_rows(
    sp_input: Any,
    default_value: Any,
    name: str | None = None,
) -> tuple[SparseTensor, Tensor]:
    """Return (the tensor with a default value at the start of each empty row, which rows were
    empty).

    Args:
        sp_input: a sparse tensor.
        default_value: the value for what is missing.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `default_value` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """Return the elements of a dense tensor that are not zero.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `tensor` cannot be converted to a tensor.

    Example:
        >>> tf.sparse.from_dense([[0, 5], [0, 0]]).indices.numpy()
        array([[0, 1]])
    """

def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Return a function of the values of sparse tensors that have the same indices.

    Args:
        op: a function, called with the tensor.
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        TypeError if `op` is not callable.
    """

def mask(a: TensorLike, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """Return `IndexedSlices` without the rows at some indices.

    Args:
        a: a tensor, or what converts to one.
        mask_indices: the rows to leave out.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not tf.IndexedSlices.
    """

def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Return the larger of two sparse tensors, where either has a value.

    Args:
        sp_a: a sparse tensor.
        sp_b: a sparse tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if an input is not sparse.
    """

def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """Return the smaller of two sparse tensors, where either has a value.

    Args:
        sp_a: a sparse tensor.
        sp_b: a sparse tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if an input is not sparse.
    """

def reduce_max(
    sp_input: Any,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return maxima over axes of the values there are; 0 where there are none.

    Args:
        sp_input: a sparse tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        output_is_sparse: whether the result is sparse.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.
    """

def reduce_sum(
    sp_input: Any,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return sums over axes (by default all): a dense tensor, or on request a sparse one.

    Args:
        sp_input: a sparse tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        output_is_sparse: whether the result is sparse.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the same tensor with its indices in row-major order.

    Args:
        sp_input: a sparse tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.
    """

def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """Return the same values in a larger shape; without one, in the smallest that holds them.

    Args:
        sp_input: a sparse tensor.
        new_shape: the new shape.

    Raises:
        ValueError if the new shape is smaller.
    """

def reshape(sp_input: Any, shape: ShapeLike, name: str | None = None) -> SparseTensor:
    """Return the same values in another shape, of which one size may be -1.

    Args:
        sp_input: a sparse tensor.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `shape` has a negative size.
    """

def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Return the values for which a vector of booleans holds.

    Args:
        sp_input: a sparse tensor.
        to_retain: which elements to keep.

    Raises:
        TypeError if the input is not sparse.
    """

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

    Args:
        indices: indices, as integers.
        values: a list of tensors, or one tensor.
        dense_shape: the shape.
        mat1: a dense matrix.
        mat2: a dense matrix.
        beta: a factor: see above.
        alpha: a factor: see above.
        output_type: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `mat1` or `mat2` does not fit, or the shapes
            of `values`, `mat1` and `mat2` do not fit together.
        tf.errors.UnimplementedError if `values`, `mat1` or `mat2` has a dtype that it does not
            take.
    """

def segment_mean(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_mean` of the rows of data at indices.

    Args:
        data: a tensor, or what converts to one.
        indices: indices, as integers.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.
        sparse_gradient: whether the gradient is IndexedSlices.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data`, `indices` or `segment_ids` has a dtype that it
            does not take, the shape of `data`, `indices` or `segment_ids` does not fit, the shapes
            of `data`, `indices` and `segment_ids` do not fit together, `indices` has an index that
            is out of range, or `num_segments` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_sqrt_n(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_sqrt_n` of the rows of data at indices.

    Args:
        data: a tensor, or what converts to one.
        indices: indices, as integers.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.
        sparse_gradient: whether the gradient is IndexedSlices.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data`, `indices` or `segment_ids` has a dtype that it
            does not take, the shape of `data`, `indices` or `segment_ids` does not fit, the shapes
            of `data`, `indices` and `segment_ids` do not fit together, `indices` has an index that
            is out of range, or `num_segments` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_sum(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Compute `unsorted_segment_sum` of the rows of data at indices.

    Args:
        data: a tensor, or what converts to one.
        indices: indices, as integers.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.
        sparse_gradient: whether the gradient is IndexedSlices.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data`, `indices` or `segment_ids` has a dtype that it
            does not take, the shape of `data`, `indices` or `segment_ids` does not fit, the shapes
            of `data`, `indices` and `segment_ids` do not fit together, `indices` has an index that
            is out of range, or `num_segments` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def slice(
    sp_input: Any,
    start: TensorLike,
    size: ShapeLike,
    name: str | None = None,
) -> SparseTensor:
    """Return a block of the tensor.

    Args:
        sp_input: a sparse tensor.
        start: the first number; if it is the only one, the end of a range that begins at 0.
        size: how many elements to take along each axis; -1 means all that are left.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.
    """

def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the softmax along the last axis, over explicit values only.

    Args:
        sp_input: a sparse tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.
    """

def sparse_dense_matmul(
    sp_a: Any,
    b: TensorLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product of a sparse and a dense matrix (or of a dense and a sparse one).

    Args:
        sp_a: a sparse tensor.
        b: a tensor, or what converts to one.
        adjoint_a: whether to transpose and conjugate a.
        adjoint_b: whether to transpose and conjugate b.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `b` or `sp_a` has a dtype that it does not take, or the
            shape of `b` or `sp_a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.sparse.sparse_dense_matmul(tf.SparseTensor([[0, 1]], [2.0], [2, 2]), tf.eye(2)).numpy()
        array([[0., 2.],
               [0., 0.]], dtype=float32)
    """

def split(
    sp_input: Any = None,
    num_split: Any = None,
    axis: AxisLike = None,
    name: str | None = None,
) -> list[SparseTensor]:
    """Split a sparse tensor along an axis; the first parts are larger by one if necessary.

    Args:
        sp_input: a sparse tensor.
        num_split: how many parts.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A list of sparse tensors.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.
    """

def to_dense(
    sp_input: Any,
    default_value: Any = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return the dense tensor, with `default_value` (0) where the sparse one has nothing.

    Args:
        sp_input: a sparse tensor.
        default_value: the value for what is missing.
        validate_indices: has no effect: indices are always checked.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.sparse.to_dense(tf.SparseTensor([[0, 1]], [5], [2, 2])).numpy()
        array([[0, 5],
               [0, 0]], dtype=int32)
    """

def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """Return a dense bool tensor [..., vocab_size], true at the ids that the rows hold.

    Args:
        sp_input: a sparse tensor.
        vocab_size: the number of values that there are.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Return the tensor with its axes in another order (by default reversed).

    Args:
        sp_input: a sparse tensor.
        perm: the axes in their new order; reversed if None.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `perm` is out of range.
    """
