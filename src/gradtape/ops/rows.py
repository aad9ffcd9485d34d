"""Updates of some rows of a tensor, which leave the others unchanged.

`numbers` (a vector) are the indices of rows; `rows` has one update for each. The shape of a row is
that of an update: a tensor of rank 3 is a table of matrices, of vectors, or of single numbers, and
its rows are counted in row-major order. An index of -1 is ignored.

The backends have a function that writes to an array for each of these primitives, and for
`update_slice`: the cost of an update of a variable, eager or in a function, is that of its rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, Primitive, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    ANY,
    INTEGERS,
    NUMBERS,
    REALS,
    all_batched,
    check_dtype,
)
from gradtape.ops.slicing import NotStatic, update_slice_p

if TYPE_CHECKING:
    from gradtape.core.typing import Params, Shape, TensorLike, Tensors

__all__ = [
    "Update",
    "nd_update",
    "rows_at",
    "rows_update",
    "set_rows",
    "slice_update",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
]

_INTEGER = NoDerivative("indices are integers, which have no derivative")


# --- primitives ----------------------------------------------------------------------------------


def _count(shape: tuple[int, ...], inner: tuple[int, ...]) -> int:
    """Return the number of rows of shape `inner` in a tensor."""
    return math.prod(shape[: len(shape) - len(inner)])


def _table(x: Tensor, updates_shape: tuple[int, ...]) -> Tensor:
    """Reshape a tensor to a table of rows like the updates."""
    inner = tuple(updates_shape[1:])
    return ops.reshape(x, (_count(tuple(x.shape), inner), *inner))


def _taken(g: Tensor, indices: Tensor, updates_shape: tuple[int, ...]) -> Tensor:
    """Return the rows of g at the indices, zeros for -1: the cotangent of the updates."""
    return ops.segment_rows(_table(g, updates_shape), indices)


def _update_shape(x: Spec, indices: Spec, updates: Spec, **params: Any) -> Spec:
    return x


def _batch_rows(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    """Concatenate the tables of all examples to one long table."""
    x, indices, updates = all_batched(size, batched, inputs)
    count = _count(tuple(x.shape[1:]), tuple(updates.shape[2:]))
    starts = np.arange(size, dtype=indices.dtype.as_numpy_dtype).reshape(size, 1) * count
    spots = ops.where(indices < 0, indices, indices + Tensor(starts))
    rows = ops.reshape(updates, (size * updates.shape[1], *updates.shape[2:]))
    return bind(prim, (x, ops.reshape(spots, (-1,)), rows), params)


def set_rows(x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Return x with some rows replaced; of several updates of one row, the last wins."""
    return bind(set_rows_p, (x, indices, updates))


# Each of several updates of one row gets the gradient of the row, as in TensorFlow, where the
# winner is undefined.
set_rows_p = primitive(
    "set_rows",
    "x indices updates",
    shape=_update_shape,
    vjp={
        "x": lambda g, indices, updates_shape: set_rows(
            g, indices, ops.zeros(updates_shape, g.dtype)
        ),
        "indices": _INTEGER,
        "updates": _taken,
    },
    jvp={
        "x": lambda t, indices, updates: set_rows(t, indices, ops.zeros_like(updates)),
        "indices": _INTEGER,
        "updates": lambda t, x, indices: set_rows(ops.zeros_like(x), indices, t),
    },
    batch=_batch_rows,
)


def _signed(g: Tensor, subtract: bool) -> Tensor:
    return -g if subtract else g


add_rows_p = primitive(
    "add_rows",
    "x indices updates",
    shape=_update_shape,
    vjp={
        "x": lambda g, subtract: g,
        "indices": _INTEGER,
        "updates": lambda g, indices, updates_shape, subtract: _signed(
            _taken(g, indices, updates_shape), subtract
        ),
    },
    jvp={
        "x": lambda t, subtract: t,
        "indices": _INTEGER,
        "updates": lambda t, x, indices, subtract: bind(
            add_rows_p, (ops.zeros_like(x), indices, t), {"subtract": subtract}
        ),
    },
    batch=_batch_rows,
)


def _extreme_transpose(
    g: Tensor, x: Tensor, indices: Tensor, updates: Tensor, ans: Tensor
) -> tuple[Tensor | None, ...]:
    """Split g equally among all elements that attain the extreme, as TensorFlow does."""
    shape = tuple(updates.shape)
    from_x = ops.cast(ops.equal(x, ans), g.dtype)
    placed = ops.gather(_table(ans, shape), ops.maximum(indices, 0))
    from_updates = ops.cast(ops.equal(updates, placed), g.dtype)
    shares = g / bind(add_rows_p, (from_x, indices, from_updates), {"subtract": False})
    return shares * from_x, None, _taken(shares, indices, shape) * from_updates


extreme_rows_p = primitive(
    "extreme_rows",
    "x indices updates",
    shape=_update_shape,
    vjp=_extreme_transpose,
    batch=_batch_rows,
)

scale_rows_p = primitive(
    "scale_rows",
    "x indices updates",
    shape=_update_shape,
    no_derivative="only variables are multiplied or divided by rows; assignments are no functions",
    batch=_batch_rows,
)

# Row indices that must lie in [0, size).
row_number_p = primitive(
    "row_number",
    "indices",
    shape=lambda indices, size, op: indices,
    no_derivative="indices are integers, which have no derivative",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)


# --- updates of a tensor of a given shape --------------------------------------------------------


class Update(NamedTuple):
    """An op that returns its first input with a part replaced, as the other inputs say."""

    prim: Primitive
    operands: tuple[Any, ...]
    params: dict[str, Any]

    def of(self, x: Tensor) -> Tensor:
        """Return the tensor x after the update."""
        return bind(self.prim, (x, *self.operands), self.params)


_KINDS: dict[str, tuple[Any, ...]] = {
    "Update": (set_rows_p, {}, ANY),
    "Add": (add_rows_p, {"subtract": False}, NUMBERS),
    "Sub": (add_rows_p, {"subtract": True}, NUMBERS),
    "Max": (extreme_rows_p, {"largest": True}, REALS),
    "Min": (extreme_rows_p, {"largest": False}, REALS),
    "Mul": (scale_rows_p, {"divide": False}, NUMBERS),
    "Div": (scale_rows_p, {"divide": True}, NUMBERS),
}


def _update(op: str, kind: str, numbers: Tensor, rows: Tensor) -> Update:
    prim, params, allowed = _KINDS[kind]
    if rows._data.dtype not in allowed:
        check_dtype(op, allowed, rows)
    return Update(prim, (numbers, rows), params)


def rows_at(
    op: str, shape: tuple[int, ...], indices: TensorLike, updates: Tensor, policy: str = ""
) -> tuple[Tensor, ...]:
    """Return the row indices of positions, and the updates as a table of rows."""
    indices = ops.check_coordinates(op, indices, len(shape))
    depth = indices._data.shape[-1]
    inner = shape[depth:]
    wanted = (*indices._data.shape[:-1], *inner)
    if tuple(updates._data.shape) != wanted:
        raise ShapeError(
            f"updates must have shape {list(wanted)}: that of indices, "
            f"{list(indices._data.shape)}, without its last axis, and of the slices that they "
            f"name in shape {list(shape)}. Got shape {list(updates._data.shape)}. [Op:{op}]"
        )
    numbers = ops.ravel_indices(op, shape, indices, policy)
    count = math.prod(indices._data.shape[:-1])
    return ops.reshape(numbers, (-1,)), ops.reshape(updates, (count, *inner))


def nd_update(
    kind: str, op: str, shape: Shape, indices: TensorLike, updates: Tensor, policy: str = ""
) -> Update:
    """Return the update of a tensor of `shape` at the positions with the coordinates `indices`."""
    return _update(op, kind, *rows_at(op, tuple(shape), indices, updates, policy))


def rows_update(kind: str, op: str, shape: Shape, indices: TensorLike, updates: Tensor) -> Update:
    """Return the update of the rows (along axis 0) at `indices`, which have any shape."""
    shape, indices = tuple(shape), to_tensor(indices)
    if indices._data.dtype not in INTEGERS:
        check_dtype(op, INTEGERS, indices)
    index_shape, given = tuple(indices._data.shape), tuple(updates._data.shape)
    wanted = (*index_shape, *shape[1:])
    if given != wanted or not shape:
        if given or not shape:
            raise ShapeError(
                "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], "
                f"got updates.shape {list(given)}, indices.shape {list(index_shape)}, params.shape "
                f"{list(shape)}. [Op:{op}]"
            )
        updates = ops.broadcast_to(updates, wanted)
    numbers = bind(row_number_p, (indices,), {"size": shape[0], "op": op})
    if len(index_shape) != 1:
        numbers = ops.reshape(numbers, (-1,))
        updates = ops.reshape(updates, (math.prod(index_shape), *shape[1:]))
    return _update(op, kind, numbers, updates)


def slice_update(shape: Shape, key: int | tuple[Any, ...], value: Tensor) -> Update:
    """Return the update `x[key] = value` of a tensor of `shape`."""
    try:
        index = ops.index_of_key(key, len(shape))
    except NotStatic:
        coordinates, sizes = ops.moving_positions(tuple(shape), key)
        value = ops.broadcast_to(value, sizes)
        inner = tuple(shape)[coordinates._data.shape[-1] :]
        value = ops.reshape(value, (*coordinates._data.shape[:-1], *inner))
        return nd_update("Update", "ResourceStridedSliceAssign", shape, coordinates, value)
    value = ops.value_for_slice(tuple(shape), value, index)
    return Update(update_slice_p, (value,), {"index": index})


# --- tensors -------------------------------------------------------------------------------------


def _tensor_scatter(kind: str) -> Callable[..., Any]:
    op = f"TensorScatter{kind}"

    def scatter(x: Tensor, indices: TensorLike, updates: Tensor, policy: str = "") -> Tensor:
        x, updates = ops.operands(op, x, updates)
        return nd_update(kind, op, x._data.shape, indices, updates, policy).of(x)

    scatter.__doc__ = f"Return x, updated at the positions `indices`, as TensorFlow's {op}."
    return scatter


tensor_scatter_nd_update = _tensor_scatter("Update")
tensor_scatter_nd_add = _tensor_scatter("Add")
tensor_scatter_nd_sub = _tensor_scatter("Sub")
tensor_scatter_nd_max = _tensor_scatter("Max")
tensor_scatter_nd_min = _tensor_scatter("Min")
