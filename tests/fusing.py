"""Ops that are fused whatever their size, and tensors whose values are still deferred."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from gradtape.core.native import extension


@contextlib.contextmanager
def fusing_from(elements: int) -> Iterator[None]:
    """Fuse ops on at least so many elements (0: none), where the extension is built."""
    if extension is None:
        yield
        return
    before = extension.fuse_from(elements)
    try:
        yield
    finally:
        extension.fuse_from(before)


def is_pending(x) -> bool:
    """Return whether the value of a tensor is deferred and not computed yet."""
    return type(x._data) is extension.Deferred and x._data.is_pending
