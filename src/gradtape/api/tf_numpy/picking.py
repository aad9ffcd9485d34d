"""Selecting elements, by NumPy's names."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import (
    array,
    asarray,
    export_made,
    numpy_name,
    promote,
    result_type,
)
from gradtape.core.tensor import Tensor


@numpy_name("take")
def take(a, indices, axis=None, out=None, mode="clip") -> Tensor:
    """Return the slices along an axis at indices, which are clipped (or wrapped) to the axis."""
    if out is not None:
        raise ValueError("take: out cannot be given; a tensor is a value.")
    if mode not in ("clip", "wrap"):
        raise ValueError(f"take: mode must be clip or wrap, got {mode!r}.")
    a, indices = asarray(a), asarray(indices)
    if axis is None:
        a, axis = ops.reshape(a, (-1,)), 0
    size = a.shape[axis]
    fitted = ops.clip(indices, 0, size - 1) if mode == "clip" else ops.floormod(indices, size)
    return ops.gather(a, fitted, axis)


@numpy_name("take_along_axis")
def take_along_axis(arr, indices, axis) -> Tensor:
    """Return arr at indices that differ along the other axes too."""
    arr, indices = asarray(arr), asarray(indices)
    if axis is None:
        arr, axis = ops.reshape(arr, (-1,)), 0
    return names.take_along_axis(arr, indices, axis)


@numpy_name("where")
def where(condition, x=None, y=None):
    """Return x where the condition is not 0, else y; without both, the indices where it is not."""
    condition = asarray(condition, bool)
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("where: x and y must both be given, or neither.")
    return ops.where(condition, *promote(x, y))


@numpy_name("select")
def select(condlist, choicelist, default=0):
    """Return the choice whose condition is the first to hold, else the default."""
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(
            f"select: {len(condlist)} conditions for {len(choicelist)} choices; there must be as "
            "many, and at least one."
        )
    default, *choices = promote(default, *choicelist)
    return names.select([asarray(c, bool) for c in condlist], choices, default)


@numpy_name("compress")
def compress(condition, a, axis=None) -> Tensor:
    """Return the slices along an axis where a vector of conditions holds; missing conditions are
    false."""
    condition, a = asarray(condition, bool), asarray(a)
    if condition.ndim != 1:
        raise ValueError(f"compress: condition must be a vector, got {tuple(condition.shape)}.")
    if axis is None or not a.ndim:
        a, axis = ops.reshape(a, (-1,)), 0
    axis = ops.normalize_axis("compress", axis, a.ndim)
    missing = a.shape[axis] - condition.shape[0]
    if missing > 0:
        condition = ops.concat([condition, ops.zeros((missing,), "bool")], 0)
    return ops.boolean_mask(a, condition, axis)


@numpy_name("nonzero")
def nonzero(a) -> tuple[Tensor, ...]:
    """Return, for each axis, the indices of the elements that are not 0."""
    a = asarray(a)
    return ops.unstack(ops.coordinates(a if a.ndim else ops.reshape(a, (1,))), axis=1)


@numpy_name("ix_")
def ix_(*args) -> list[Tensor]:
    """Return vectors of indices, shaped so that together they select a grid."""
    results = []
    for i, each in enumerate(args):
        x = asarray(each)
        if x.ndim != 1:
            raise ValueError(f"ix_: vectors are wanted, argument {i} has rank {x.ndim}.")
        if not (x.dtype.is_bool or x.dtype.is_integer):
            raise ValueError(f"ix_: integers or truth values are wanted, got {x.dtype.name}.")
        if x.dtype.is_bool:
            x = nonzero(x)[0]
        results.append(ops.reshape(x, [-1 if axis == i else 1 for axis in range(len(args))]))
    return results


# --- diagonals ------------------------------------------------------------------------------------


@numpy_name("diag")
def diag(v, k=0) -> Tensor:
    """Return the matrix with a vector on its diagonal k, or the diagonal k of a matrix."""
    v = asarray(v)
    if v.ndim == 1 and not v.shape[0]:
        return ops.zeros((abs(k), abs(k)), v.dtype)
    return names.diag(v, k)


@numpy_name("diagflat")
def diagflat(v, k=0) -> Tensor:
    """Return the matrix with all elements of v on its diagonal k."""
    return diag(ops.reshape(asarray(v), (-1,)), k)


@numpy_name("diagonal")
def diagonal(a, offset=0, axis1=0, axis2=1) -> Tensor:
    """Return the elements whose indices on two axes are equal (differ by `offset`), as a last
    axis."""
    return names.diagonal(asarray(a), offset, axis1, axis2)


@numpy_name("trace")
def trace(a, offset=0, axis1=0, axis2=1, dtype=None) -> Tensor:
    """Return the sum of a diagonal."""
    a = asarray(a) if dtype is None else array(a, result_type(dtype))
    result = names.trace(a, offset, axis1, axis2)
    last = [ops.normalize_axis("trace", axis, a.ndim) for axis in (axis1, axis2)]
    if dtype is None and result.dtype.is_integer and (offset or last != [a.ndim - 2, a.ndim - 1]):
        # TensorFlow sums the main diagonal in the dtype of a, any other as `sum` does.
        return ops.cast(result, "uint64" if result.dtype.is_unsigned else "int64")
    return result


def _triangle(name: str):
    compute = getattr(names, name)

    def function(m, k=0) -> Tensor:
        m = asarray(m)
        if m.ndim < 2:
            raise ValueError(f"{name}: a matrix is wanted, got shape {tuple(m.shape)}.")
        return compute(m, k)

    export_made(name, function, compute.__doc__)


_triangle("tril")
_triangle("triu")
