"""Ways to reshape, turn, join and part, by NumPy's names."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import asarray, numpy_name, promote


@numpy_name("reshape")
def reshape(a, newshape, order="C"):
    """a with another shape; read in columns, if the order is F."""
    if order not in ("C", "F"):
        raise ValueError(f"reshape: order must be C or F, got {order!r}.")
    a = asarray(a)
    shape = [newshape] if isinstance(newshape, int) else newshape
    if order == "C":
        return ops.reshape(a, shape)
    return ops.transpose(ops.reshape(ops.transpose(a), shape[::-1]))


@numpy_name("ravel")
def ravel(a):
    """a in one row."""
    return ops.reshape(asarray(a), (-1,))


@numpy_name("flatten")
def flatten(a, order="C"):
    """a in one row; read in columns, if the order is F."""
    if order not in ("C", "A", "K", "F"):
        raise ValueError(f"flatten: order must be C, A, K or F, got {order!r}.")
    a = asarray(a)
    return ops.reshape(ops.transpose(a) if order == "F" else a, (-1,))


@numpy_name("expand_dims")
def expand_dims(a, axis):
    """a with a new axis of size 1."""
    return ops.expand_dims(asarray(a), axis)


@numpy_name("squeeze")
def squeeze(a, axis=None):
    """a without (those) axes of size 1."""
    return ops.squeeze(asarray(a), axis)


@numpy_name("transpose")
def transpose(a, axes=None):
    """a with its axes reordered; reversed, without an order."""
    return ops.transpose(asarray(a), axes)


@numpy_name("swapaxes")
def swapaxes(a, axis1, axis2):
    """a with two axes exchanged."""
    return names.swapaxes(asarray(a), axis1, axis2)


@numpy_name("moveaxis")
def moveaxis(a, source, destination):
    """a with axes moved elsewhere."""
    return names.moveaxis(asarray(a), source, destination)


@numpy_name("flip")
def flip(m, axis=None):
    """m with its elements along an axis (all, if None) in the opposite order."""
    return names.flip(asarray(m), None if axis is None else [axis])


@numpy_name("flipud")
def flipud(m):
    """m turned around along its first axis."""
    return names.flipud(asarray(m))


@numpy_name("fliplr")
def fliplr(m):
    """m turned around along its second axis."""
    return names.fliplr(asarray(m))


@numpy_name("rot90")
def rot90(m, k=1, axes=(0, 1)):
    """m rotated k times by a right angle, in the plane of two axes."""
    return names.rot90(asarray(m), k, axes)


@numpy_name("roll")
def roll(a, shift, axis=None):
    """a with its elements moved along axes, the last becoming the first; flat, without an axis."""
    return names.roll(asarray(a), shift, axis)


@numpy_name("tile")
def tile(a, reps):
    """a repeated as a block."""
    return names.tile(asarray(a), np.reshape(ops.static_value(reps), -1))


@numpy_name("repeat")
def repeat(a, repeats, axis=None):
    """Each element (slice along an axis) several times over; flat, without an axis."""
    return names.repeat(asarray(a), repeats, axis)


@numpy_name("pad")
def pad(array, pad_width, mode, **kwargs):
    """The array with further elements around it: a constant, or itself mirrored."""
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"pad: mode must be constant, reflect or symmetric, got {mode!r}.")
    return ops.pad(
        asarray(array),
        ops.static_value(pad_width),
        mode.upper(),
        constant_values=kwargs.get("constant_values", 0),
    )


@numpy_name("broadcast_to")
def broadcast_to(array, shape):
    """The array repeated to a shape."""
    return ops.broadcast_to(asarray(array), np.atleast_1d(ops.static_value(shape)).tolist())


@numpy_name("broadcast_arrays")
def broadcast_arrays(*args, **kwargs):
    """The tensors repeated to their common shape."""
    if kwargs.pop("subok", False) or kwargs:
        raise ValueError("broadcast_arrays: subok and other options cannot be given.")
    tensors = [asarray(x) for x in args]
    if len(tensors) <= 1:
        return tuple(tensors)
    try:
        shape = np.broadcast_shapes(*(tuple(x.shape) for x in tensors))
    except ValueError:
        raise ops.ShapeError(
            f"broadcast_arrays: the shapes {[tuple(x.shape) for x in tensors]} do not fit each "
            "other."
        ) from None
    return [ops.broadcast_to(x, shape) for x in tensors]


def _at_least(name: str, rank: int):
    def function(*arys):
        found = [names.at_least(asarray(x), rank) for x in arys]
        return found[0] if len(found) == 1 else found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The tensors with {rank} axes at least."
    numpy_name(name)(function)


for _rank in (1, 2, 3):
    _at_least(f"atleast_{_rank}d", _rank)


# --- joining --------------------------------------------------------------------------------------


@numpy_name("concatenate")
def concatenate(arys, axis=0):
    """Tensors end to end along an axis."""
    arys = list(arys) if isinstance(arys, (list, tuple)) else [arys]
    if not arys:
        raise ValueError("concatenate: at least one tensor is needed.")
    return ops.concat(promote(*arys), axis)


@numpy_name("append")
def append(arr, values, axis=None):
    """The values after arr; both flattened, without an axis."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)])
    return concatenate([arr, values], axis)


@numpy_name("stack")
def stack(arrays, axis=0):
    """Tensors of one shape along a new axis; a tensor's rows, if it is one."""
    if ops.is_tensor_like(arrays):
        return asarray(arrays) if axis == 0 else swapaxes(arrays, 0, axis)
    return ops.stack(promote(*arrays), axis)


def _joined(name: str):
    compute = getattr(names, name)

    def function(tup):
        return compute(promote(*(asarray(x) for x in tup)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = compute.__doc__
    numpy_name(name)(function)


for _name in ("hstack", "vstack", "dstack"):
    _joined(_name)


# --- parting --------------------------------------------------------------------------------------


@numpy_name("split")
def split(ary, indices_or_sections, axis=0):
    """The parts: so many equal ones, or cut at these places."""
    ary = asarray(ary)
    if isinstance(indices_or_sections, int):
        return ops.split(ary, indices_or_sections, axis)
    if axis >= ary.ndim:
        raise ValueError(f"split: axis {axis} is out of bounds for shape {tuple(ary.shape)}.")
    cuts = [int(cut) for cut in ops.static_value(indices_or_sections)]
    if cuts != sorted(cuts):
        raise ValueError(f"split: the cuts must not fall, got {cuts}.")
    return names.array_split(ary, cuts, axis)


def _parted(name: str, axis: int):
    def function(ary, indices_or_sections):
        ary = asarray(ary)
        along = 0 if axis == 1 and ary.ndim == 1 else axis
        if isinstance(indices_or_sections, int) and ary.shape[along] % indices_or_sections:
            raise ValueError(
                f"{name}: axis {along} of shape {tuple(ary.shape)} cannot be divided into "
                f"{indices_or_sections} equal parts."
            )
        return split(ary, indices_or_sections, along)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Parts along axis {axis}."
    numpy_name(name)(function)


for _axis, _name in enumerate(("vsplit", "hsplit", "dsplit")):
    _parted(_name, _axis)
