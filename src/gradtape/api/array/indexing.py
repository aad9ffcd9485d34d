"""Slices, `tf.gather` and `tf.scatter_nd` with their variants."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import string
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable, as_variable
from gradtape.engine.vmap import per_example

# --- slices --------------------------------------------------------------------------------------


@export("slice")
def slice_(input_, begin, size, name=None) -> Tensor:
    """Slice a block from `begin` on, of the given size (-1: all that remains)."""
    return ops.block(input_, begin, size)


@export("strided_slice")
def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    var=None,
    name=None,
) -> Tensor:
    """Return the slice that bounds, steps and masks describe: what `x[...]` means."""
    key = ops.strided_key(
        begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    )
    var = as_variable(var)
    return var[key] if isinstance(var, Variable) else ops.getitem(input_, key)


@export("boolean_mask")
@per_example
def boolean_mask(tensor, mask, axis=None, name="boolean_mask") -> Tensor:
    """Return the slices where the mask holds."""
    return ops.boolean_mask(tensor, mask, 0 if axis is None else axis)


# --- gather and scatter --------------------------------------------------------------------------


@export("gather")
def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None) -> Tensor:
    """Return the slices of `params` along an axis at `indices`."""
    batch_dims = 0 if batch_dims is None else batch_dims
    axis = batch_dims if axis is None else ops.static_value(axis)
    # An axis of 0 leaves no room for batch dimensions; TensorFlow takes no notice of them then.
    return ops.gather(params, indices, axis, 0 if axis == 0 else batch_dims)


@export("gather_nd")
def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy="") -> Tensor:
    """Return the slices of `params` at indices [..., axes]."""
    return ops.gather_nd(params, indices, batch_dims, bad_indices_policy)


@export("scatter_nd")
def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None) -> Tensor:
    """Return zeros of a shape, with updates added at indices [..., axes].

    Strings that go to one place are joined in their order.
    """
    updates = ops.to_tensor(updates)
    if updates.dtype is string:
        return _scatter_strings(indices, updates, shape, bad_indices_policy)
    return ops.scatter_nd(indices, updates, shape, bad_indices_policy)


def _scatter_strings(indices, updates: Tensor, shape, policy: str) -> Tensor:
    from gradtape.api.strings.pieces import unsorted_segment_join  # few programs need strings

    shape = ops.static_shape(shape, "ScatterNd")
    numbers, rows = ops.rows_at("ScatterNd", shape, indices, updates, policy)
    count = math.prod(shape[: len(shape) - len(rows.shape) + 1])
    # An index to be ignored is -1: what goes there is dropped.
    joined = unsorted_segment_join(rows, numbers + 1, count + 1)[1:]
    return ops.reshape(joined, shape)


@export("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor, indices, updates, name=None) -> Tensor:
    """Return the tensor with its slices at indices [..., axes] replaced by updates."""
    return ops.tensor_scatter_nd_update(tensor, indices, updates)


def _scatter(name: str, what: str):
    op = getattr(ops, name)

    def scatter(tensor, indices, updates, bad_indices_policy="", name=None) -> Tensor:
        return op(tensor, indices, updates, bad_indices_policy)

    scatter.__name__ = scatter.__qualname__ = name
    scatter.__doc__ = f"Return the tensor with {what} at indices [..., axes]."
    return export(name)(scatter)


tensor_scatter_nd_add = _scatter("tensor_scatter_nd_add", "updates added")
tensor_scatter_nd_sub = _scatter("tensor_scatter_nd_sub", "updates subtracted")
tensor_scatter_nd_max = _scatter("tensor_scatter_nd_max", "the larger of it and updates")
tensor_scatter_nd_min = _scatter("tensor_scatter_nd_min", "the smaller of it and updates")


@export("dynamic_partition")
@per_example
def dynamic_partition(data, partitions, num_partitions, name=None) -> list[Tensor]:
    """Distribute the slices of `data` over `num_partitions` tensors."""
    return ops.dynamic_partition(data, partitions, num_partitions)


@export("dynamic_stitch")
def dynamic_stitch(indices, data, name=None) -> Tensor:
    """Merge the slices of several tensors into one, each at its index."""
    return ops.dynamic_stitch(indices, data)


@export("unravel_index")
def unravel_index(indices, dims, name=None) -> Tensor:
    """Convert flat row-major indices to coordinates."""
    return ops.unravel_index(indices, dims)
