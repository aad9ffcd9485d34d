"""`tf.sparse`: making sparse tensors, and changing their shapes, indices and order."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor, as_sparse, take_values
from gradtape.core.convert import static_int, static_int64s, static_ints, static_value
from gradtape.core.dtypes import as_dtype, float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices


def sizes_of(sp: SparseTensor) -> tuple[int, ...]:
    """Return the shape that a sparse tensor stands for, as Python integers."""
    return tuple(sp.dense_shape._host_data().tolist())


def indices_of(sp: SparseTensor) -> np.ndarray:
    """Return the indices of the values, as an array [values, axes]."""
    return np.asarray(sp.indices._data)


def ravel_indices(indices: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Return flat indices, in row-major order."""
    flat = np.zeros(len(indices), np.int64)
    for axis, size in enumerate(sizes):
        flat = flat * size + indices[:, axis]
    return flat


def unravel_indices(flat: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Return the indices [values, axes] of flat, row-major ones."""
    if not sizes:
        return np.zeros((len(flat), 0), np.int64)
    return np.stack(np.unravel_index(flat, sizes), 1).astype(np.int64)


def sparse(indices: np.ndarray, values, sizes) -> SparseTensor:
    """Return a sparse tensor of arrays and a tensor of values."""
    return SparseTensor(Tensor(indices), values, Tensor(static_int64s(sizes, "dense_shape")))


def check_order(op: str, sp: SparseTensor, *, strictly: bool = True) -> None:
    """Raise an error unless the indices lie inside the shape, in order and without repetition."""
    indices, sizes = indices_of(sp), sizes_of(sp)
    inside = ((indices >= 0) & (indices < np.array(sizes, np.int64))).all(1)
    if not inside.all():
        row = int(np.argmin(inside))
        raise InvalidArgumentError(
            f"indices[{row}] = {indices[row].tolist()} is out of bounds: need 0 <= index < "
            f"{list(sizes)} [Op:{op}]"
        )
    if not strictly:
        return
    steps = np.diff(ravel_indices(indices, sizes))
    if (steps <= 0).any():
        row = int(np.argmax(steps <= 0)) + 1
        what = "is repeated" if steps[row - 1] == 0 else "is out of order"
        raise InvalidArgumentError(
            f"indices[{row}] = {indices[row].tolist()} {what}. Many sparse ops require sorted "
            "indices.\n  Use `tf.sparse.reorder` to create a correctly ordered copy. "
            f"[Op:{op}]"
        )


# --- from and to dense tensors -------------------------------------------------------------------


@export("sparse.from_dense")
def from_dense(tensor, name=None) -> SparseTensor:
    """Return the elements of a dense tensor that are not zero."""
    dense = ops.to_tensor(tensor)
    data = np.asarray(dense._data)
    nonzero = data != b"" if data.dtype == object else data != 0
    numbers = np.flatnonzero(nonzero)
    # TensorFlow uses gather_nd, whose gradient is dense.
    values = take_values(ops.reshape(dense, (-1,)), numbers)
    return sparse(unravel_indices(numbers, data.shape), values, data.shape)


@export("sparse.to_dense")
def to_dense(sp_input, default_value=None, validate_indices=True, name=None) -> Tensor:
    """Return the dense tensor, with `default_value` (0) where the sparse one has nothing."""
    sp = as_sparse(sp_input)
    check_order("SparseToDense", sp, strictly=validate_indices)
    sizes = sizes_of(sp)
    if default_value is None:
        default = ops.zeros((), sp.dtype)
    else:
        given = ops.is_tensor_like(default_value)
        default = ops.to_tensor(default_value, None if given else sp.dtype)
    if default.ndim:
        raise ops.ShapeError(
            f"default_value should be a scalar, got shape {default.shape} [Op:SparseToDense]"
        )
    base = ops.broadcast_to(default, sizes)
    return ops.tensor_scatter_nd_update(base, sp.indices, sp.values)


@export("sparse.to_indicator")
def to_indicator(sp_input, vocab_size, name=None) -> Tensor:
    """Return a dense bool tensor [..., vocab_size], true at the ids that the rows hold."""
    sp = as_sparse(sp_input)
    columns = sp.values._host_data().astype(np.int64)
    indices = np.concatenate([indices_of(sp)[:, :-1], columns[:, None]], 1)
    count = static_int(vocab_size)
    if not 0 < count < 2**63:
        raise InvalidArgumentError(f"to_indicator: vocab_size must be positive, got {count}.")
    sizes = (*sizes_of(sp)[:-1], count)
    merged = sparse(indices, Tensor(np.ones(len(indices), bool)), sizes)
    return to_dense(reorder(merged), False, validate_indices=False)


@export("sparse.eye")
def eye(num_rows, num_columns=None, dtype=float32, name=None) -> SparseTensor:
    """Return an identity matrix."""
    rows = static_int(num_rows)
    columns = rows if num_columns is None else static_int(num_columns)
    diagonal = np.arange(min(rows, columns), dtype=np.int64)
    ones = ops.ones((len(diagonal),), as_dtype(dtype))
    return sparse(np.stack([diagonal, diagonal], 1), ones, (rows, columns))


@export("sparse.mask")
def mask(a, mask_indices, name=None) -> IndexedSlices:
    """Return `IndexedSlices` without the rows at some indices."""
    if not isinstance(a, IndexedSlices):
        raise TypeError(f"sparse.mask: a must be tf.IndexedSlices, not {type(a).__name__}")
    kept = np.flatnonzero(~np.isin(a.indices._data, ops.to_tensor(mask_indices)._data))
    kept = Tensor(kept)
    return IndexedSlices(ops.gather(a.values, kept), ops.gather(a.indices, kept), a.dense_shape)


# --- order and shape -----------------------------------------------------------------------------


def _sort(indices: np.ndarray, values, sizes) -> SparseTensor:
    order = np.argsort(ravel_indices(indices, sizes), kind="stable")
    return sparse(indices[order], take_values(values, order), sizes)


@export("sparse.reorder")
def reorder(sp_input, name=None) -> SparseTensor:
    """Return the same tensor with its indices in row-major order."""
    sp = as_sparse(sp_input)
    check_order("SparseReorder", sp, strictly=False)
    return _sort(indices_of(sp), sp.values, sizes_of(sp))


@export("sparse.transpose")
def transpose(sp_input, perm=None, name=None) -> SparseTensor:
    """Return the tensor with its axes in another order (by default reversed)."""
    sp = as_sparse(sp_input)
    sizes = sizes_of(sp)
    default = list(range(len(sizes)))[::-1]
    axes = default if perm is None else ops.static_ints(perm, "sparse.transpose: 'perm'")
    if sorted(axes) != list(range(len(sizes))):
        raise ops.ShapeError(
            f"sparse.transpose: perm {axes} is not an order of the {len(sizes)} axes of shape "
            f"{list(sizes)}. [Op:SparseTranspose]"
        )
    return _sort(indices_of(sp)[:, axes], sp.values, [sizes[axis] for axis in axes])


@export("sparse.reshape")
def reshape(sp_input, shape, name=None) -> SparseTensor:
    """Return the same values in another shape, of which one size may be -1."""
    sp = as_sparse(sp_input)
    sizes, wanted = sizes_of(sp), static_ints(shape)
    if wanted.count(-1) > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: {wanted}")
    total, filled = math.prod(sizes), list(wanted)
    if -1 in wanted:
        known = math.prod(n for n in wanted if n != -1)
        if not known:
            raise InvalidArgumentError(
                f"sparse.reshape cannot infer the missing size of shape {wanted}: beside a size of "
                "0 it can be any. [Op:SparseReshape]"
            )
        filled[wanted.index(-1)] = total // known
    if math.prod(filled) != total:
        raise ValueError(
            f"Cannot reshape a tensor with {total} elements to shape {wanted} "
            f"({math.prod(filled)} elements)."
        )
    indices = unravel_indices(ravel_indices(indices_of(sp), sizes), tuple(filled))
    return sparse(indices, ops.identity(sp.values), filled)


@export("sparse.reset_shape")
def reset_shape(sp_input, new_shape=None) -> SparseTensor:
    """Return the same values in a larger shape; without one, in the smallest that holds them."""
    sp = as_sparse(sp_input)
    sizes = sizes_of(sp)
    if new_shape is None:
        wanted = np.maximum(indices_of(sp).max(0, initial=-1) + 1, 0)
    else:
        wanted = static_int64s(ops.static_shape(new_shape), "sparse.reset_shape: new_shape")
        if len(wanted) != len(sizes):
            raise ValueError(f"Dimensions {len(wanted)} and {len(sizes)} are not compatible")
        if (wanted < np.array(sizes)).any():
            raise ValueError(
                "Requested new_shape should have dimension sizes >= sp_input.shape.  Found "
                f"new_shape ({wanted.tolist()}), sp_input.shape ({list(sizes)})."
            )
    return SparseTensor(sp.indices, ops.identity(sp.values), Tensor(wanted))


@export("sparse.expand_dims")
def expand_dims(sp_input, axis=None, name=None) -> SparseTensor:
    """Return the tensor with a new axis of size 1 (by default the last)."""
    sp = as_sparse(sp_input)
    sizes = sizes_of(sp)
    axis = -1 if axis is None else static_value(axis)
    if not isinstance(axis, (int, np.integer)):
        raise TypeError(
            "axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]"
        )
    position = static_int(axis)
    axis = position + len(sizes) + 1 if position < 0 else position
    if not 0 <= axis <= len(sizes):
        raise ops.ShapeError(
            f"sparse.expand_dims: axis is out of the range [{-len(sizes) - 1}, {len(sizes)}] for "
            f"shape {list(sizes)}. [Op:SparseExpandDims]"
        )
    indices = np.insert(indices_of(sp), axis, 0, axis=1)
    return sparse(indices, sp.values, (*sizes[:axis], 1, *sizes[axis:]))


# --- parts and joins -----------------------------------------------------------------------------


@export("sparse.retain")
def retain(sp_input, to_retain) -> SparseTensor:
    """Return the values for which a vector of booleans holds."""
    sp, wanted = as_sparse(sp_input), ops.to_tensor(to_retain)
    wanted.shape.assert_has_rank(1)
    TensorShape(sp.values.shape).assert_is_compatible_with(wanted.shape)
    kept = np.flatnonzero(wanted._data)
    # Here TensorFlow's gradient is IndexedSlices.
    values = ops.gather(sp.values, Tensor(kept))
    return sparse(indices_of(sp)[kept], values, sizes_of(sp))


def _part(sp: SparseTensor, starts: np.ndarray, sizes: np.ndarray) -> SparseTensor:
    indices = indices_of(sp)
    kept = np.flatnonzero(((indices >= starts) & (indices < starts + sizes)).all(1))
    return sparse(indices[kept] - starts, take_values(sp.values, kept), sizes)


@export("sparse.slice")
def slice_(sp_input, start, size, name=None) -> SparseTensor:
    """Return a block of the tensor."""
    sp = as_sparse(sp_input)
    whole = np.array(sizes_of(sp), np.int64)
    starts = static_int64s(start, "sparse.slice: start")
    sizes = static_int64s(size, "sparse.slice: size")
    if len(starts) != len(whole) or len(sizes) != len(whole):
        raise ops.ShapeError(
            f"sparse.slice: start {starts.tolist()} and size {sizes.tolist()} must have one entry "
            f"for each axis of shape {whole.tolist()}. [Op:SparseSlice]"
        )
    if (starts < 0).any() or (sizes < 0).any():
        raise ops.ShapeError(
            f"sparse.slice: start {starts.tolist()} and size {sizes.tolist()} must not be "
            "negative. [Op:SparseSlice]"
        )
    return _part(sp, starts, np.clip(whole - starts, 0, sizes))


@export("sparse.split")
def split(sp_input=None, num_split=None, axis=None, name=None) -> list[SparseTensor]:
    """Split a sparse tensor along an axis; the first parts are larger by one if necessary."""
    for value, what in ((sp_input, "sp_input"), (num_split, "num_split"), (axis, "axis")):
        if value is None:
            raise ValueError(f"{what} is required")
    sp, count = as_sparse(sp_input), static_int(num_split)
    whole = np.array(sizes_of(sp), np.int64)
    axis = ops.normalize_axis("SparseSplit", axis, len(whole))
    if not 1 <= count <= whole[axis]:
        raise InvalidArgumentError(
            f"Num_split should be in the interval [1, {whole[axis]}], the size of axis {axis}. "
            f"Got {count} [Op:SparseSplit]"
        )
    least, larger = divmod(int(whole[axis]), count)
    parts, start = [], 0
    for i in range(count):
        starts, sizes = np.zeros_like(whole), whole.copy()
        starts[axis], sizes[axis] = start, least + (i < larger)
        parts.append(_part(sp, starts, sizes))
        start += int(sizes[axis])
    return parts


@export("sparse.concat")
def concat(axis, sp_inputs, expand_nonconcat_dims=False, name=None) -> SparseTensor:
    """Concatenate sparse tensors along an axis; other sizes may differ if they may be expanded."""
    inputs = [as_sparse(sp, "sp_inputs") for sp in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    shapes = [list(sizes_of(sp)) for sp in inputs]
    if len({len(shape) for shape in shapes}) != 1:
        raise ops.ShapeError(
            f"sparse.concat: the ranks of shapes {shapes} must be equal. [Op:SparseConcat]"
        )
    axis = ops.normalize_axis("SparseConcat", axis, len(shapes[0]))
    others = [[n for i, n in enumerate(shape) if i != axis] for shape in shapes]
    if not expand_nonconcat_dims and any(other != others[0] for other in others):
        raise ops.ShapeError(
            f"sparse.concat: shapes {shapes} differ in other axes than {axis}; pass "
            "expand_nonconcat_dims=True to make them equal. [Op:SparseConcat]"
        )
    sizes = np.max(shapes, axis=0)
    lengths = [shape[axis] for shape in shapes]
    sizes[axis] = sum(lengths)
    moved, start = [], 0
    for sp, length in zip(inputs, lengths, strict=True):
        indices = indices_of(sp).copy()
        indices[:, axis] += start
        moved.append(indices)
        start += length
    values = ops.concat([sp.values for sp in inputs], 0)
    return _sort(np.concatenate(moved), values, sizes.tolist())


@export("sparse.fill_empty_rows")
def fill_empty_rows(sp_input, default_value, name=None) -> tuple[SparseTensor, Tensor]:
    """Return (the tensor with a default value at the start of each empty row, which rows were
    empty)."""
    sp = as_sparse(sp_input)
    sizes, indices = sizes_of(sp), indices_of(sp)
    given = ops.is_tensor_like(default_value)
    default = ops.to_tensor(default_value, None if given else sp.dtype)
    if sizes[0] == 0 and len(indices):
        raise InvalidArgumentError(
            "Received SparseTensor with dense_shape[0] = 0 but indices of shape "
            f"{list(indices.shape)} [Op:SparseFillEmptyRows]"
        )
    wrong = np.flatnonzero((indices[:, 0] < 0) | (indices[:, 0] >= sizes[0]))
    if len(wrong):
        raise InvalidArgumentError(
            f"indices({wrong[0]}, 0) is invalid: row {indices[wrong[0], 0]} is not one of the "
            f"{sizes[0]} rows [Op:SparseFillEmptyRows]"
        )
    is_empty = np.bincount(indices[:, 0], minlength=sizes[0]) == 0
    empty = np.flatnonzero(is_empty)
    added = np.zeros((len(empty), len(sizes)), np.int64)
    added[:, 0] = empty
    everything = np.concatenate([indices, added])
    # By rows only: the order inside a row stays as it was.
    order = np.argsort(everything[:, 0], kind="stable")
    values = ops.concat([sp.values, ops.broadcast_to(default, (len(empty),))], 0)
    filled = sparse(everything[order], take_values(values, order), sizes)
    return filled, Tensor(is_empty)
