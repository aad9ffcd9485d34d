"""Broadcasting of shapes. NumPy's own functions for this stop at 32 axes; arrays may have 64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that all of the shapes broadcast to, or raise a ValueError."""
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for i, size in enumerate(shape, rank - len(shape)):
            known = result[i]
            # A size that is open (core/size) is compared with 1 only where that decides.
            if type(known) is int and known == 1:
                result[i] = size
            elif not (type(size) is int and size == 1) and size != known:
                if known == 1:
                    result[i] = size
                elif size != 1:
                    listed = ", ".join(str(list(shape)) for shape in shapes)
                    raise ValueError(f"shapes {listed} do not broadcast to one shape")
    return tuple(result)


def broadcast_arrays(*arrays: Any) -> list[np.ndarray]:
    """Return views of the arrays, broadcast to one shape."""
    shape = broadcast_shapes(*[np.shape(x) for x in arrays])
    return [np.broadcast_to(x, shape) for x in arrays]
