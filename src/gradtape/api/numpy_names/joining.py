"""Concatenating, stacking and splitting, by NumPy's names."""

from __future__ import annotations

import itertools

import numpy as np

from gradtape import ops

__all__ = [
    "append",
    "array_split",
    "at_least",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "stack",
    "vsplit",
    "vstack",
]


def concatenate(xs, axis: int | None = 0):
    """Concatenate tensors along an axis; flatten them if it is None."""
    xs = [ops.to_tensor(x) for x in xs]
    if axis is None:
        return ops.concat([ops.reshape(x, (-1,)) for x in xs], 0)
    return ops.concat(xs, axis)


def append(x1, x2, axis=None):
    """Append x2 to x1."""
    return concatenate([x1, x2], axis)


def stack(x, axis=0):
    """Stack tensors of one shape along a new axis."""
    return ops.stack(list(x), axis)


def at_least(x, rank: int):
    """Add axes of size 1 where NumPy's atleast_1d, 2d and 3d do."""
    x = ops.to_tensor(x)
    shape = tuple(x.shape)
    if rank == 3 and len(shape) == 2:
        return ops.reshape(x, (*shape, 1))
    if rank == 3 and len(shape) == 1:
        return ops.reshape(x, (1, *shape, 1))
    return ops.reshape(x, (1,) * (rank - len(shape)) + shape) if len(shape) < rank else x


def hstack(xs):
    """Concatenate tensors along the second axis, or the only one."""
    xs = [at_least(x, 1) for x in xs]
    if not xs:
        raise ValueError("hstack: at least one tensor is needed, got none.")
    return ops.concat(xs, 0 if xs[0].ndim == 1 else 1)


def vstack(xs):
    """Concatenate tensors along the first axis, vectors as rows."""
    return ops.concat([at_least(x, 2) for x in xs], 0)


def dstack(xs):
    """Concatenate tensors along the third axis."""
    return ops.concat([at_least(x, 3) for x in xs], 2)


# --- parting --------------------------------------------------------------------------------------


def _parts(x, sizes, axis: int) -> list:
    if min(sizes, default=0) >= 0:
        return list(ops.split(x, tuple(sizes), axis))
    raise ValueError(f"split: sections of sizes {sizes} do not fit shape {tuple(x.shape)}.")


def split(x, indices_or_sections, axis=0):
    """Split x into a number of equal parts, or at these indices."""
    x = ops.to_tensor(x)
    axis = ops.normalize_axis("split", axis, x.ndim)
    sections = ops.static_value(indices_or_sections)
    if np.ndim(sections) == 0:
        sections = _count("split", sections)
        if x.shape[axis] % sections:
            raise ValueError(
                f"split: axis {axis} of shape {tuple(x.shape)} cannot be divided evenly into "
                f"{sections} parts."
            )
    return array_split(x, sections, axis)


def _count(op: str, sections) -> int:
    count = ops.static_int(sections, op)
    if count < 1:
        raise ValueError(f"{op}: the number of sections must be larger than 0, got {count}.")
    return count


def array_split(x, indices_or_sections, axis=0):
    """Split as `split`; parts may differ in size by one, the larger first."""
    x = ops.to_tensor(x)
    axis = ops.normalize_axis("array_split", axis, x.ndim)
    size = x.shape[axis]
    sections = ops.static_value(indices_or_sections)
    if np.ndim(sections) == 0:
        count = _count("array_split", sections)
        ops.check_room("array_split", (count,))
        least, larger = divmod(size, count)
        sizes = [least + 1] * larger + [least] * (count - larger)
        return _parts(x, sizes, axis)
    # The cuts are bounds of slices, as NumPy's: negative ones count from the end.
    bounds = [0, *ops.static_ints(sections, "array_split"), size]
    spans = [range(size)[slice(a, b)] for a, b in itertools.pairwise(bounds[:-1])]
    spans.append(range(size)[bounds[-2] :])
    if sum(map(len, spans)) == size and all(len(s) == 0 or s.step == 1 for s in spans):
        starts = list(itertools.accumulate(map(len, spans), initial=0))
        if all(not len(s) or s.start == start for s, start in zip(spans, starts, strict=False)):
            return _parts(x, [len(s) for s in spans], axis)
    return [ops.slice_along(x, axis, s.start, s.stop) for s in spans]


def hsplit(x, indices_or_sections):
    """Split along the second axis, or the only one."""
    x = ops.to_tensor(x)
    return split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


def vsplit(x, indices_or_sections):
    """Split along the first axis."""
    return split(x, indices_or_sections, 0)


def dsplit(x, indices_or_sections):
    """Split along the third axis."""
    return split(x, indices_or_sections, 2)
