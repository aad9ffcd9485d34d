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
    """Return the values where a mask holds: rows keep their order and become shorter.

    Args:
        data: a tensor, or what converts to one.
        mask: truth values: which elements to keep.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of the mask does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def constant(
    pylist: Any,
    dtype: DTypeLike | None = None,
    ragged_rank: Any = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = ...,
) -> Any:
    """Return nested lists as a ragged tensor (as a dense one, where nothing is nested).

    Args:
        pylist: lists of lists.
        dtype: the dtype of the result.
        ragged_rank: how many axes are ragged.
        inner_shape: the shape of the values inside.
        name: a label, as in TensorFlow; it does not change the result.
        row_splits_dtype: int32 or int64.

    Raises:
        ValueError if the nesting of the lists is not the same everywhere.

    Example:
        >>> tf.ragged.constant([[1], [2, 3]]).to_tensor().numpy()
        array([[1, 0],
               [2, 3]], dtype=int32)
    """

def cross(inputs: TensorLike, name: str | None = None) -> RaggedTensor:
    """Return all combinations of the features of each row, as strings joined by "_X_".

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if an input has neither strings nor integers.
    """

def cross_hashed(
    inputs: TensorLike,
    num_buckets: IntLike = 0,
    hash_key: Any = None,
    name: str | None = None,
) -> RaggedTensor:
    """Return all combinations of the features of each row, as hashes below `num_buckets`.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        num_buckets: the number of buckets.
        hash_key: the key of the hash.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `num_buckets` is negative.
    """

def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return a function of the flat values of ragged arguments, in the same rows.

    Args:
        op: a function, called with the tensor.
        *args: positional arguments.
        **kwargs: keyword arguments.

    Raises:
        TypeError if `op` is not callable.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def range(
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = ...,
) -> RaggedTensor:
    """Return one range of numbers in each row; scalars stand for all rows.

    Args:
        starts: the first number of each row.
        limits: the end of each row.
        deltas: the step of each row.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        row_splits_dtype: int32 or int64.

    Raises:
        tf.errors.InvalidArgumentError if a step is 0.

    Example:
        >>> tf.ragged.range([2, 3]).to_list()
        [[0, 1], [0, 1, 2]]
    """

def row_splits_to_segment_ids(
    splits: TensorLike,
    name: str | None = None,
    out_type: DTypeLike | None = None,
) -> Tensor:
    """Return the row of each value, for rows that end and begin at `splits`.

    Args:
        splits: where rows begin, and the end of the last.
        name: a label, as in TensorFlow; it does not change the result.
        out_type: the dtype of the result.

    Raises:
        TypeError if `out_type` has a type that it does not take.
        ValueError if `splits` has a type that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return where rows begin and end, for values of these rows (in any order).

    Args:
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `num_segments` or `out_type` has a type that it does not take.
        ValueError if `segment_ids` has a type that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stack(values: Any, axis: AxisLike = 0, name: str | None = None) -> RaggedTensor:
    """Return tensors, dense or ragged, stacked along a new axis; their sizes may differ.

    Args:
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `axis` is out of range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stack_dynamic_partitions(
    data: TensorLike,
    partitions: TensorLike,
    num_partitions: IntLike,
    name: str | None = None,
) -> RaggedTensor:
    """Return the rows of data, those of each partition together.

    Args:
        data: a tensor, or what converts to one.
        partitions: for each element, which part it goes to.
        num_partitions: the number of parts.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a partition's number is out of range.
    """
