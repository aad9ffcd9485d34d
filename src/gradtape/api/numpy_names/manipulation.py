"""Reshaping, rotating, repeating and padding, by NumPy's names."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_arrays

__all__ = [
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "moveaxis",
    "pad",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rot90",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
]


def reshape(x, newshape):
    """Reshape x."""
    return ops.reshape(x, newshape)


def ravel(x):
    """Flatten x."""
    return ops.reshape(x, (-1,))


def broadcast_to(x, shape):
    """Broadcast x to a shape."""
    return ops.broadcast_to(x, shape)


def transpose(x, axes=None):
    """Permute the axes of x; reverse them if no order is given."""
    return ops.transpose(x, axes)


def moveaxis(x, source, destination):
    """Move axes of x to other positions."""
    return ops.moveaxis(x, source, destination)


def swapaxes(x, axis1, axis2):
    """Swap two axes of x."""
    return ops.swapaxes(x, axis1, axis2)


def expand_dims(x, axis):
    """Insert axes of size 1 at these positions of the result."""
    if isinstance(axis, int):
        return ops.expand_dims(x, axis)
    x = ops.to_tensor(x)
    axes = ops.static_shape(axis, "expand_dims")
    rank = x.ndim + len(axes)
    new_axes = {ops.normalize_axis("expand_dims", a, rank) for a in axes}
    if len(new_axes) != len(axes):
        raise ValueError(f"expand_dims: axis {axis} names the same axis twice.")
    sizes = iter(x.shape)
    return ops.reshape(x, [1 if i in new_axes else next(sizes) for i in range(rank)])


def squeeze(x, axis=None):
    """Remove axes of size 1: all, or those given."""
    x = ops.to_tensor(x)
    if axis is not None and not isinstance(axis, int) and not len(axis):
        return x
    return ops.squeeze(x, axis)


def flip(x, axis=None):
    """Reverse x along axes (all, if None)."""
    x = ops.to_tensor(x)
    return ops.reverse(x, range(x.ndim) if axis is None else axis)


def fliplr(x):
    """Reverse x along its second axis."""
    return ops.reverse(x, [1])


def flipud(x):
    """Reverse x along its first axis."""
    return ops.reverse(x, [0])


def rot90(array, k=1, axes=(0, 1)):
    """Rotate x k times by a right angle in the plane of two axes, from the first to the second."""
    x = ops.to_tensor(array)
    if x.ndim < 2:
        raise ValueError(f"Input array must have at least 2 dimensions. Received: {x.ndim}")
    if len(axes) != 2 or axes[0] == axes[1]:
        raise ValueError(f"Invalid axes: {axes}. Axes must be a tuple of two different dimensions.")
    first, second = (ops.normalize_axis("rot90", a, x.ndim) for a in axes)
    if first == second:
        raise ValueError(f"Invalid axes: {axes}. Axes must be a tuple of two different dimensions.")
    k %= 4
    if k == 0:
        return x
    if k == 2:
        return ops.reverse(x, [first, second])
    if k == 1:
        return ops.swapaxes(ops.reverse(x, [second]), first, second)
    return ops.reverse(ops.swapaxes(x, first, second), [second])


def roll(x, shift, axis=None):
    """Roll x along axes, or flattened: elements beyond the end wrap around."""
    x = ops.to_tensor(x)
    if axis is None:
        return ops.reshape(ops.roll(ops.reshape(x, (-1,)), shift, 0), x.shape)
    shifts, axes = broadcast_arrays(ops.static_value(shift), ops.static_value(axis))
    return ops.roll(x, shifts.reshape(-1), axes.reshape(-1))


def tile(x, repeats):
    """Repeat x as a block; leading axes are added where more repeats than axes are given."""
    x = ops.to_tensor(x)
    times = ops.static_shape(repeats, "tile")
    if len(times) < x.ndim:
        times = (1,) * (x.ndim - len(times)) + times
    if x.ndim < len(times):
        x = ops.reshape(x, (1,) * (len(times) - x.ndim) + tuple(x.shape))
    return ops.tile(x, times)


def repeat(x, repeats, axis=None):
    """Repeat each element (slice along an axis); of the flattened tensor if no axis is given."""
    return ops.repeat(x, repeats, axis)


# --- padding --------------------------------------------------------------------------------------


def pad(x, pad_width, mode="constant", constant_values=None):
    """Pad x: with a constant, the edge, or x mirrored or repeated."""
    x = ops.to_tensor(x)
    pairs = np.broadcast_to(np.asarray(ops.static_value(pad_width)), (x.ndim, 2))
    pairs = [(int(a), int(b)) for a, b in pairs]
    if any(min(pair) < 0 for pair in pairs):
        raise ValueError(f"pad: pad_width must not be negative, got {pad_width}.")
    if mode == "constant":
        return ops.pad(x, pairs, constant_values=0 if constant_values is None else constant_values)
    if mode not in _PAD_INDICES:
        raise ValueError(
            f"pad: mode must be one of {['constant', *_PAD_INDICES]}. Received: mode={mode!r}"
        )
    for axis, (before, after) in enumerate(pairs):
        if before or after:
            size = x.shape[axis]
            if not size:
                raise ValueError(f"pad: axis {axis} of size 0 cannot be padded with {mode!r}.")
            positions = _PAD_INDICES[mode](np.arange(-before, size + after), size)
            x = _rows_at(x, positions.astype(np.int32), axis)
    return x


def _rows_at(x, positions, axis: int):
    """Return the slices of x along an axis at some indices, with a dense gradient along axis 0
    too."""
    return ops.segment_rows(x, positions) if axis == 0 else ops.gather(x, positions, axis)


def _reflect_indices(positions, size: int):
    if size == 1:
        return np.zeros_like(positions)
    positions = np.mod(positions, 2 * size - 2)
    return np.where(positions < size, positions, 2 * size - 2 - positions)


def _symmetric_indices(positions, size: int):
    positions = np.mod(positions, 2 * size)
    return np.where(positions < size, positions, 2 * size - 1 - positions)


# Maps positions, also before and after a row of that size, to indices of its elements.
_PAD_INDICES = {
    "edge": lambda positions, size: np.clip(positions, 0, size - 1),
    "reflect": _reflect_indices,
    "symmetric": _symmetric_indices,
    "wrap": lambda positions, size: np.mod(positions, size),
}
