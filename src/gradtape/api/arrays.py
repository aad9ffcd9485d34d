"""`tf.reshape` to `tf.one_hot`: shapes, slices, gather, scatter, padding, creation, diagonals."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse_tensor import SparseTensor
from gradtape.core.convert import is_tensor_like
from gradtape.core.dtypes import as_dtype, int32
from gradtape.core.errors import DTypeError, InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices

# --- shape ---------------------------------------------------------------------------------------


@export("reshape")
def reshape(tensor, shape, name=None):
    """The tensor with its elements in the same order and another shape; one size may be -1."""
    return ops.reshape(tensor, shape)


@export("transpose")
def transpose(a, perm=None, conjugate=False, name="transpose"):
    """The tensor with its axes reordered: reversed, or as `perm` says."""
    moved = ops.transpose(a, perm)
    return ops.conj(moved) if conjugate else moved


@export("expand_dims")
def expand_dims(input, axis, name=None):
    """The tensor with a new axis of size 1."""
    return ops.expand_dims(input, axis)


@export("squeeze")
def squeeze(input, axis=None, name=None):
    """The tensor without its axes of size 1, or without those named."""
    return ops.squeeze(input, axis)


@export("broadcast_to")
def broadcast_to(input, shape, name=None):
    """The tensor repeated to a shape, by the broadcasting rules."""
    return ops.broadcast_to(input, shape)


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x, shape_y):
    """The shape that two known shapes broadcast to."""
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    if x.rank is None or y.rank is None:
        return TensorShape(None)
    longer = max(len(x), len(y))
    padded = [[1] * (longer - len(s)) + s.as_list() for s in (x, y)]
    result = []
    for a, b in zip(*padded, strict=True):
        if a is not None and b is not None and a != b and 1 not in (a, b):
            raise ValueError(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each "
                "dimension pair they are either equal or one of them is 1. "
                f"Received: {x} and {y}."
            )
        if a is None or b is None:
            known = b if a is None else a
            result.append(known if known is not None and known > 1 else None)
        else:
            result.append(b if a == 1 else a)
    return TensorShape(result)


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x, shape_y):
    """The shape, as a tensor, that two shapes broadcast to."""
    shapes = [s if is_tensor_like(s) else ops.static_shape(s) for s in (shape_x, shape_y)]
    x, y = (ops.to_tensor(np.array(s, np.int32)) if isinstance(s, tuple) else ops.to_tensor(s)
            for s in shapes)  # fmt: skip
    x, y = ops.operands("BroadcastArgs", x, y)
    try:
        found = np.broadcast_shapes(ops.static_shape(x), ops.static_shape(y))
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes: {x.numpy().tolist()} vs. {y.numpy().tolist()} [Op:BroadcastArgs]"
        ) from None
    return Tensor(np.array(found, x.dtype.as_numpy_dtype))


def _sizes(value) -> tuple[int, ...]:
    """The shape of a tensor, or of the one that a sparse tensor stands for."""
    if isinstance(value, SparseTensor):
        return tuple(value.dense_shape._data.tolist())
    return ops.to_tensor(value)._data.shape


@export("shape")
def shape(input, out_type=None, name=None):
    """The shape, as a tensor of integers."""
    dtype = int32 if out_type is None else as_dtype(out_type)
    return Tensor(np.array(_sizes(input), dtype.dtype))


@export("shape_n")
def shape_n(input, out_type=int32, name=None):
    """The shapes of several tensors."""
    return [shape(x, out_type) for x in input]


@export("size")
def size(input, out_type=None, name=None):
    """The number of elements, as a tensor."""
    dtype = int32 if out_type is None else as_dtype(out_type)
    return Tensor(dtype.as_numpy_dtype(math.prod(_sizes(input))))


@export("rank")
def rank(input, name=None):
    """The number of axes, as a tensor."""
    return Tensor(np.int32(len(_sizes(input))))


@export("ensure_shape")
def ensure_shape(x, shape, name=None):
    """The tensor, once its shape is seen to be compatible with the one given."""
    x, wanted = ops.to_tensor(x), TensorShape(shape)
    if not wanted.is_compatible_with(x.shape):
        shown = ",".join("?" if n is None else str(n) for n in wanted)
        raise InvalidArgumentError(
            f"Shape of tensor input {list(x.shape)} is not compatible with expected shape "
            f"[{shown}]. [Op:EnsureShape]"
        )
    return ops.identity(x)


@export("identity")
def identity(input, name=None):
    """A tensor with the same value (a new one to tapes); of IndexedSlices, IndexedSlices."""
    if isinstance(input, IndexedSlices):
        return IndexedSlices(ops.identity(input.values), input.indices, input.dense_shape)
    return ops.identity(input)


@export("identity_n")
def identity_n(input, name=None):
    """Tensors with the same values."""
    return [ops.identity(x) for x in input]


@export("guarantee_const")
def guarantee_const(input, name=None):
    """The tensor itself: nothing here profits from the promise."""
    return ops.identity(input)


# --- joining, parting, repeating -----------------------------------------------------------------


@export("concat")
def concat(values, axis, name="concat"):
    """Tensors end to end along an axis that they have."""
    return ops.concat(values, axis)


@export("stack")
def stack(values, axis=0, name="stack"):
    """Tensors of one shape, side by side along a new axis."""
    return ops.stack(values, axis)


@export("parallel_stack")
def parallel_stack(values, name="parallel_stack"):
    """Tensors of one shape, side by side along a new first axis."""
    return ops.stack(values, 0)


@export("unstack")
def unstack(value, num=None, axis=0, name="unstack"):
    """The slices along an axis, as a list of tensors."""
    return list(ops.unstack(value, num, axis))


@export("split")
def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """The tensor cut along an axis, into equal parts or parts of given sizes."""
    parts = list(ops.split(value, num_or_size_splits, axis))
    if num is not None and num != len(parts):
        raise InvalidArgumentError(
            f"split: num is {num}, but num_or_size_splits names {len(parts)} parts. [Op:SplitV]"
        )
    return parts


@export("tile")
def tile(input, multiples, name=None):
    """The tensor repeated as a block, so many times along each axis."""
    return ops.tile(input, multiples)


@export("repeat")
def repeat(input, repeats, axis=None, name=None):
    """Each element repeated in place."""
    return ops.repeat(input, repeats, axis)


@export("reverse")
def reverse(tensor, axis, name=None):
    """The tensor with the order along some axes reversed."""
    if np.ndim(ops.static_value(axis)) != 1:
        raise InvalidArgumentError(
            f"reverse: axis must be a list of axes ('dims' must be 1-dimension), got {axis!r} "
            "[Op:ReverseV2]"
        )
    return ops.reverse(tensor, axis)


@export("roll")
def roll(input, shift, axis, name=None):
    """The tensor with its elements shifted along axes, those beyond the end coming first."""
    return ops.roll(input, shift, axis)


@export("reverse_sequence")
def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None):
    """The first `seq_lengths[i]` elements along `seq_axis` reversed, for each i of `batch_axis`."""
    if seq_axis is None:
        raise TypeError("reverse_sequence: seq_axis must be given: an int, not None.")
    return ops.reverse_sequence(input, seq_lengths, seq_axis, batch_axis or 0)


# --- slices --------------------------------------------------------------------------------------


@export("slice")
def slice_(input_, begin, size, name=None):
    """A block of the tensor, from `begin` on, of the given size (-1: all that remains)."""
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
):
    """The slice that bounds, steps and masks describe: what `x[...]` means."""
    key = ops.strided_key(
        begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    )
    return ops.getitem(input_, key) if var is None else var[key]


@export("boolean_mask")
def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """The slices where the mask holds."""
    return ops.boolean_mask(tensor, mask, 0 if axis is None else axis)


# --- gather and scatter --------------------------------------------------------------------------


@export("gather")
def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """The slices of `params` along an axis at `indices`."""
    axis = batch_dims if axis is None else ops.static_value(axis)
    # An axis of 0 leaves no room for batch dimensions; TensorFlow takes no notice of them then.
    return ops.gather(params, indices, axis, 0 if axis == 0 else batch_dims)


@export("gather_nd")
def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    """The slices of `params` at places given by their coordinates."""
    return ops.gather_nd(params, indices, batch_dims, bad_indices_policy)


@export("scatter_nd")
def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None):
    """Zeros of a shape, with updates added at places given by their coordinates."""
    return ops.scatter_nd(indices, updates, shape, bad_indices_policy)


@export("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """The tensor with updates in place of its slices at the places given."""
    return ops.tensor_scatter_nd_update(tensor, indices, updates)


def _scatter(name: str, what: str):
    op = getattr(ops, name)

    def scatter(tensor, indices, updates, bad_indices_policy="", name=None):
        return op(tensor, indices, updates, bad_indices_policy)

    scatter.__name__ = scatter.__qualname__ = name
    scatter.__doc__ = f"The tensor with {what} at places given by their coordinates."
    return export(name)(scatter)


tensor_scatter_nd_add = _scatter("tensor_scatter_nd_add", "updates added")
tensor_scatter_nd_sub = _scatter("tensor_scatter_nd_sub", "updates subtracted")
tensor_scatter_nd_max = _scatter("tensor_scatter_nd_max", "the larger of it and updates")
tensor_scatter_nd_min = _scatter("tensor_scatter_nd_min", "the smaller of it and updates")


@export("dynamic_partition")
def dynamic_partition(data, partitions, num_partitions, name=None):
    """The slices of `data` sorted into `num_partitions` tensors."""
    return ops.dynamic_partition(data, partitions, num_partitions)


@export("dynamic_stitch")
def dynamic_stitch(indices, data, name=None):
    """One tensor of the slices of several, each put at its index."""
    return ops.dynamic_stitch(indices, data)


@export("unravel_index")
def unravel_index(indices, dims, name=None):
    """The coordinates of places counted in row-major order."""
    return ops.unravel_index(indices, dims)


# --- padding and blocks --------------------------------------------------------------------------


@export("pad")
def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    """The tensor with constant or mirrored elements before and after it."""
    return ops.pad(tensor, paddings, mode, constant_values)


@export("space_to_batch", "space_to_batch_nd", "nn.space_to_batch")
def space_to_batch(input, block_shape, paddings, name=None):
    """The places inside blocks of space, moved to the batch."""
    return ops.space_to_batch(input, block_shape, paddings)


@export("batch_to_space")
def batch_to_space(input, block_shape, crops, name=None):
    """The inverse of `space_to_batch`."""
    return ops.batch_to_space(input, block_shape, crops)


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops) that make a shape divisible by the blocks of `space_to_batch`."""
    sizes = np.array(ops.static_shape(input_shape), np.int32)
    blocks = np.array(ops.static_shape(block_shape), np.int32)
    if base_paddings is None:
        base = np.zeros((len(blocks), 2), np.int32)
    else:
        base = np.array(ops.static_paddings(base_paddings, len(blocks)), np.int32)
    missing = -(sizes + base.sum(1)) % blocks
    paddings = base + np.stack([np.zeros_like(missing), missing], 1)
    crops = np.stack([np.zeros_like(missing), missing], 1)
    return Tensor(paddings.astype(np.int32)), Tensor(crops.astype(np.int32))


@export("nn.space_to_depth")
def space_to_depth(input, block_size, data_format="NHWC", name=None):
    """The places inside square blocks of an image, moved to its channels."""
    return ops.space_to_depth(input, block_size, data_format)


@export("nn.depth_to_space")
def depth_to_space(input, block_size, data_format="NHWC", name=None):
    """The inverse of `space_to_depth`."""
    return ops.depth_to_space(input, block_size, data_format)


# --- made from nothing ---------------------------------------------------------------------------


@export("zeros")
def zeros(shape, dtype="float32", name=None, layout=None):
    """A tensor of zeros."""
    return ops.zeros(shape, dtype)


@export("ones")
def ones(shape, dtype="float32", name=None, layout=None):
    """A tensor of ones."""
    return ops.ones(shape, dtype)


@export("zeros_like")
def zeros_like(input, dtype=None, name=None, layout=None):
    """Zeros of a tensor's shape (and dtype, unless told)."""
    return ops.zeros_like(input, dtype)


@export("ones_like")
def ones_like(input, dtype=None, name=None, layout=None):
    """Ones of a tensor's shape (and dtype, unless told)."""
    return ops.ones_like(input, dtype)


@export("fill")
def fill(dims, value, name=None, layout=None):
    """A tensor with one value throughout."""
    return ops.fill(dims, value)


@export("eye", "linalg.eye")
def eye(num_rows, num_columns=None, batch_shape=None, dtype="float32", name=None):
    """(A stack of) identity matrices."""
    return ops.eye(num_rows, num_columns, () if batch_shape is None else batch_shape, dtype)


_RANGE_DTYPES = ["int32", "int64", "float16", "bfloat16", "float32", "float64"]


@export("range")
def range_(start, limit=None, delta=1, dtype=None, name="range"):
    """Numbers from start (0, if only a limit is given) to limit in steps of delta."""
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else as_dtype(dtype)
    numbers = []
    for what, value in (("start", start), ("limit", limit), ("delta", delta)):
        number = ops.to_tensor(value, None if is_tensor_like(value) else wanted)
        if number._data.shape:
            raise InvalidArgumentError(
                f"{what} must be a scalar, not shape {list(number._data.shape)} [Op:Range]"
            )
        numbers.append(number)
    if wanted is None:
        names = [n.dtype.name for n in numbers]
        for given in names:
            if given not in _RANGE_DTYPES:
                raise DTypeError(
                    f"range does not take a number of dtype {given}; it takes "
                    f"{', '.join(_RANGE_DTYPES)}. Convert it with tf.cast. [Op:Range]"
                )
        wanted = as_dtype(max(names, key=_RANGE_DTYPES.index))
    first, last, step = (ops.cast(n, wanted).numpy() for n in numbers)
    return ops.arange(first, last, step, wanted)


@export("linspace")
def linspace(start, stop, num, name=None, axis=0):
    """Numbers in equal steps from start to stop, both included."""
    return ops.linspace(start, stop, num, axis)


@export("meshgrid")
def meshgrid(*args, **kwargs):
    """The coordinates of the grid that vectors span: a tensor for each of them."""
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))!r} is an invalid keyword argument for this function")
    return ops.meshgrid(*args, indexing=indexing)


@export("sequence_mask")
def sequence_mask(lengths, maxlen=None, dtype="bool", name=None):
    """For each length, a vector that holds in its first so many places."""
    return ops.cast(ops.sequence_mask(lengths, maxlen), dtype)


@export("one_hot")
def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """For each index, a vector with `on_value` there and `off_value` elsewhere."""
    wanted = None if dtype is None else as_dtype(dtype)
    axis = -1 if axis is None else axis
    if on_value is None and off_value is None:
        return ops.one_hot(indices, depth, axis, "float32" if wanted is None else wanted)
    values = []
    for what, value in (("on_value", on_value), ("off_value", off_value)):
        if value is None:
            values.append(None)
            continue
        value = ops.to_tensor(value, None if is_tensor_like(value) else wanted)
        if wanted is not None and value.dtype is not wanted:
            raise TypeError(
                f"dtype {value.dtype} of {what} does not match dtype parameter {wanted}"
            )
        values.append(value)
    on, off = values
    found = (off if on is None else on).dtype
    on = ops.ones((), found) if on is None else on
    off = ops.zeros((), found) if off is None else off
    if on.dtype is not off.dtype:
        raise TypeError(
            f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value"
        )
    hot = ops.one_hot(indices, depth, axis, "bool")
    return ops.where(hot, ops.stop_gradient(on), ops.stop_gradient(off))


# --- diagonals -----------------------------------------------------------------------------------


@export("linalg.diag")
def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with given diagonals."""
    return ops.matrix_diag(diagonal, k, num_rows, num_cols, padding_value, align)


@export("linalg.diag_part")
def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """Diagonals of matrices; of a linear operator, the main one."""
    if hasattr(input, "_is_linear_operator"):
        return input.diag_part()
    return ops.matrix_diag_part(input, k, padding_value, align)


@export("linalg.set_diag")
def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """Matrices with some diagonals replaced."""
    return ops.matrix_set_diag(input, diagonal, k, align)


@export("linalg.band_part")
def band_part(input, num_lower, num_upper, name=None):
    """Matrices with zeros outside of a band around the diagonal (-1: no limit)."""
    return ops.band_part(input, num_lower, num_upper)


@export("linalg.tensor_diag")
def tensor_diag(diagonal, name=None):
    """A tensor of twice the rank with the given elements on its diagonal."""
    return ops.tensor_diag(diagonal)


@export("linalg.tensor_diag_part")
def tensor_diag_part(input, name=None):
    """The diagonal of a tensor of even rank."""
    return ops.tensor_diag_part(input)
