"""`tf.map_fn` of ragged tensors, or with ragged results, and images of different sizes."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.ragged.arrays import stack
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.spec import RaggedTensorSpec
from gradtape.api.ragged.tensor import RaggedTensor, as_values, row_count
from gradtape.api.specs import TypeSpec
from gradtape.core import nest
from gradtape.core.convert import static_ints
from gradtape.core.dtypes import DType, as_dtype, float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def map_fn(
    fn,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
    fn_output_signature=None,
) -> Any:
    """Apply `fn` to each row, and stack the results, which may have different sizes."""
    signature = dtype if fn_output_signature is None else fn_output_signature
    leaves = [as_values(leaf) for leaf in nest.flatten(elems)]
    counts = {row_count(leaf) for leaf in leaves}
    if len(counts) > 1:
        raise ValueError(f"map_fn: elements have different numbers of rows: {sorted(counts)}.")
    (count,) = counts
    rows = [fn(nest.pack_sequence_as(elems, [leaf[i] for leaf in leaves])) for i in range(count)]
    if signature is None:
        signature = nest.map_structure(_row_spec, elems)
    if not rows:
        return nest.map_structure(_empty, signature)
    columns = zip(*map(nest.flatten, rows), strict=True)
    specs = nest.flatten(signature)
    joined = [_join(list(column), spec) for column, spec in zip(columns, specs, strict=True)]
    return nest.pack_sequence_as(rows[0], joined)


def _row_spec(elem: Any) -> Any:
    value = as_values(elem)
    if not isinstance(value, RaggedTensor):
        return value.dtype
    shape, rank = value.shape[1:], value.ragged_rank - 1
    return RaggedTensorSpec(shape, value.dtype, rank, value._partition.dtype)


def _join(column: list, spec: Any) -> Any:
    if not isinstance(spec, RaggedTensorSpec):
        return ops.stack([ops.to_tensor(value) for value in column])
    values = [as_values(value) for value in column]
    for value in values:
        if not len(value.shape):
            raise InvalidArgumentError(
                "map_fn: ragged values must have rank >= 1, but a result is a scalar. Give "
                f"fn_output_signature, for instance tf.{value.dtype.name}."
            )
    result = stack(values)
    return result.with_row_splits_dtype(spec.row_splits_dtype)


def _empty(spec: Any) -> Any:
    if not isinstance(spec, (DType, TypeSpec)):
        spec = as_dtype(spec)
    described: Any = spec  # every spec of tensors has both
    kind = spec if isinstance(spec, DType) else described.dtype
    sizes = () if isinstance(spec, DType) else tuple(n or 0 for n in described.shape)
    if not isinstance(spec, RaggedTensorSpec):
        return ops.zeros((0, *sizes), kind)
    result: Any = ops.zeros((0, *sizes[spec.ragged_rank + 1 :]), kind)
    for _ in range(spec.ragged_rank + 1):
        result = RaggedTensor._of(result, RowPartition.of_lengths([], spec.row_splits_dtype))
    return result


def resize(
    images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None
) -> Tensor:
    """Return images of different sizes with one height and width."""
    from gradtape.api.image.resize import resize as resize_dense

    if len(images.shape) != 4:
        raise ValueError(f"tf.image.resize: ragged images must have rank 4, got {images.shape}.")
    resized = []
    for i in range(row_count(images)):
        image = images[i]
        dense = image.to_tensor() if isinstance(image, RaggedTensor) else image
        resized.append(resize_dense(dense, size, method, preserve_aspect_ratio, antialias))
    if not resized:
        dtype = images.dtype if method == "nearest" else float32
        return ops.zeros((0, *static_ints(size), images.shape[3] or 0), dtype)
    return ops.stack(resized)
