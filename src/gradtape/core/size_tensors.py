"""Sizes as tensors, where some of them are open (`size`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.core.dtypes import DType
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor

_INT32 = np.dtype(np.int32)


def size_tensor(sizes: Any, dtype: DType | None) -> Tensor:
    """Return a size, or (nested) lists of sizes, as a tensor of the function being traced."""
    trace = get_state().trace
    wanted = _INT32 if dtype is None else dtype.dtype
    if trace is None:  # they must be fixed
        return Tensor(np.array(_fixed(sizes), wanted)[()])
    return trace.size_tensor(_as_tuple(sizes), Spec(_shape_of(sizes), wanted))


def _fixed(sizes: Any) -> Any:
    return [_fixed(each) for each in sizes] if isinstance(sizes, (list, tuple)) else int(sizes)


def _as_tuple(sizes: Any) -> Any:
    return tuple(map(_as_tuple, sizes)) if isinstance(sizes, (list, tuple)) else sizes


def _shape_of(sizes: Any) -> tuple[int, ...]:
    if not isinstance(sizes, (list, tuple)):
        return ()
    inner = {_shape_of(each) for each in sizes}
    if len(inner) > 1:
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor: its rows have different "
            "lengths."
        )
    return (len(sizes), *inner.pop()) if inner else (0,)
