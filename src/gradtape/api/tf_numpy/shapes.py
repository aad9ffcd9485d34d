"""Reshaping, rotating, joining and splitting, by NumPy's names."""

from __future__ import annotations

from collections.abc import Sequence

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import asarray, export_made, numpy_name, promote
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.tensor import Tensor


@numpy_name("reshape")
def reshape(a, newshape, order="C") -> Tensor:
    """Reshape a; in column-major order if `order` is F."""
    if order not in ("C", "F"):
        raise ValueError(f"reshape: order must be C or F, got {order!r}.")
    a = asarray(a)
    shape = ops.static_shape(newshape, "reshape")
    if order == "C":
        return ops.reshape(a, shape)
    return ops.transpose(ops.reshape(ops.transpose(a), shape[::-1]))


@numpy_name("ravel")
def ravel(a) -> Tensor:
    """Flatten a."""
    return ops.reshape(asarray(a), (-1,))


@numpy_name("flatten")
def flatten(a, order="C") -> Tensor:
    """Flatten a; in column-major order if `order` is F."""
    if order not in ("C", "A", "K", "F"):
        raise ValueError(f"flatten: order must be C, A, K or F, got {order!r}.")
    a = asarray(a)
    return ops.reshape(ops.transpose(a) if order == "F" else a, (-1,))


@numpy_name("expand_dims")
def expand_dims(a, axis) -> Tensor:
    """Insert an axis of size 1."""
    return ops.expand_dims(asarray(a), axis)


@numpy_name("squeeze")
def squeeze(a, axis=None) -> Tensor:
    """Remove axes of size 1: all, or those given."""
    return ops.squeeze(asarray(a), axis)


@numpy_name("transpose")
def transpose(a, axes=None) -> Tensor:
    """Permute the axes of a; reverse them if no order is given."""
    return ops.transpose(asarray(a), axes)


@numpy_name("swapaxes")
def swapaxes(a, axis1, axis2) -> Tensor:
    """Swap two axes of a."""
    return names.swapaxes(asarray(a), axis1, axis2)


@numpy_name("moveaxis")
def moveaxis(a, source, destination) -> Tensor:
    """Move axes of a to other positions."""
    return names.moveaxis(asarray(a), source, destination)


@numpy_name("flip")
def flip(m, axis=None) -> Tensor:
    """Reverse m along an axis (all, if None)."""
    return names.flip(asarray(m), None if axis is None else [axis])


@numpy_name("flipud")
def flipud(m) -> Tensor:
    """Reverse m along its first axis."""
    return names.flipud(asarray(m))


@numpy_name("fliplr")
def fliplr(m) -> Tensor:
    """Reverse m along its second axis."""
    return names.fliplr(asarray(m))


@numpy_name("rot90")
def rot90(m, k=1, axes=(0, 1)) -> Tensor:
    """Rotate m k times by a right angle, in the plane of two axes."""
    return names.rot90(asarray(m), k, axes)


@numpy_name("roll")
def roll(a, shift, axis=None) -> Tensor:
    """Roll a along axes, or flattened: elements beyond the end wrap around."""
    return names.roll(asarray(a), shift, axis)


@numpy_name("tile")
def tile(a, reps) -> Tensor:
    """Repeat a as a block."""
    return names.tile(asarray(a), ops.static_ints(reps, "tile: 'reps'"))


@numpy_name("repeat")
def repeat(a, repeats, axis=None) -> Tensor:
    """Repeat each element (slice along an axis); of the flattened tensor if no axis is given."""
    return names.repeat(asarray(a), repeats, axis)


@numpy_name("pad")
def pad(array, pad_width, mode, **kwargs) -> Tensor:
    """Pad an array: with a constant, or the array mirrored."""
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"pad: mode must be constant, reflect or symmetric, got {mode!r}.")
    return ops.pad(
        asarray(array),
        ops.static_value(pad_width),
        mode.upper(),
        constant_values=kwargs.get("constant_values", 0),
    )


@numpy_name("broadcast_to")
def broadcast_to(array, shape) -> Tensor:
    """Broadcast an array to a shape."""
    return ops.broadcast_to(asarray(array), ops.static_shape(shape, "broadcast_to"))


@numpy_name("broadcast_arrays")
def broadcast_arrays(*args, **kwargs) -> Sequence[Tensor]:
    """Broadcast tensors to their common shape."""
    if kwargs.pop("subok", False) or kwargs:
        raise ValueError("broadcast_arrays: subok and other options cannot be given.")
    tensors = [asarray(x) for x in args]
    if len(tensors) <= 1:
        return tuple(tensors)
    try:
        shape = broadcast_shapes(*(tuple(x.shape) for x in tensors))
    except ValueError:
        raise ops.ShapeError(
            f"broadcast_arrays: the shapes {[tuple(x.shape) for x in tensors]} do not fit each "
            "other."
        ) from None
    return [ops.broadcast_to(x, shape) for x in tensors]


def _at_least(name: str, rank: int):
    def function(*arys):
        results = [names.at_least(asarray(x), rank) for x in arys]
        return results[0] if len(results) == 1 else results

    export_made(name, function, f"Return the tensors with at least {rank} axes.")


for _rank in (1, 2, 3):
    _at_least(f"atleast_{_rank}d", _rank)


# --- joining --------------------------------------------------------------------------------------


@numpy_name("concatenate")
def concatenate(arys, axis=0) -> Tensor:
    """Concatenate tensors along an axis."""
    arys = list(arys) if isinstance(arys, (list, tuple)) else [arys]
    if not arys:
        raise ValueError("concatenate: at least one tensor is needed.")
    return ops.concat(promote(*arys), axis)


@numpy_name("append")
def append(arr, values, axis=None) -> Tensor:
    """Append values to arr; flatten both if no axis is given."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)])
    return concatenate([arr, values], axis)


@numpy_name("stack")
def stack(arrays, axis=0) -> Tensor:
    """Stack tensors of one shape along a new axis; the rows of a tensor if it is one."""
    if ops.is_tensor_like(arrays):
        return asarray(arrays) if axis == 0 else swapaxes(arrays, 0, axis)
    return ops.stack(promote(*arrays), axis)


def _define_join(name: str):
    compute = getattr(names, name)

    def function(tup) -> Tensor:
        return compute(promote(*(asarray(x) for x in tup)))

    export_made(name, function, compute.__doc__)


for _name in ("hstack", "vstack", "dstack"):
    _define_join(_name)


# --- parting --------------------------------------------------------------------------------------


@numpy_name("split")
def split(ary, indices_or_sections, axis=0):
    """Split into so many equal parts, or at these indices."""
    ary = asarray(ary)
    if isinstance(indices_or_sections, int):
        return ops.split(ary, indices_or_sections, axis)
    if axis >= ary.ndim:
        raise ValueError(f"split: axis {axis} is out of bounds for shape {tuple(ary.shape)}.")
    cuts = ops.static_ints(indices_or_sections, "split")
    if cuts != sorted(cuts):
        raise ValueError(f"split: the cuts must not fall, got {cuts}.")
    return names.array_split(ary, cuts, axis)


def _define_split(name: str, axis: int):
    def function(ary, indices_or_sections) -> list[Tensor]:
        ary = asarray(ary)
        along = 0 if axis == 1 and ary.ndim == 1 else axis
        if ary.ndim <= along:
            raise ValueError(
                f"{name}: the array has no axis {along}: its shape is {tuple(ary.shape)}."
            )
        if isinstance(indices_or_sections, int) and (
            indices_or_sections < 1 or ary.shape[along] % indices_or_sections
        ):
            raise ValueError(
                f"{name}: axis {along} of shape {tuple(ary.shape)} cannot be divided into "
                f"{indices_or_sections} equal parts."
            )
        return split(ary, indices_or_sections, along)

    export_made(name, function, f"Split along axis {axis}.")


for _axis, _name in enumerate(("vsplit", "hsplit", "dsplit")):
    _define_split(_name, _axis)
