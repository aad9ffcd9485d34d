"""Short texts for messages: small values in full, large ones by shape and dtype; byte counts."""

from __future__ import annotations

import math
import reprlib
from typing import Any

_MAX_ELEMENTS = 16


class _Brief(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 16
        self.maxstring = self.maxother = 300

    def repr1(self, x: Any, level: int) -> str:
        shape, dtype = getattr(x, "shape", None), getattr(x, "dtype", None)
        if dtype is None or shape is None or isinstance(x, type):
            return super().repr1(x, level)
        try:
            sizes = tuple(shape)
            if math.prod(sizes) <= _MAX_ELEMENTS:
                return repr(x)
        except (TypeError, ValueError):  # unknown sizes: there are no values to show
            return repr(x)
        return f"<{type(x).__name__}: shape={sizes}, dtype={getattr(dtype, 'name', dtype)}>"


brief = _Brief().repr


def in_bytes(count: float) -> str:
    """Return a number of bytes as text with a unit, such as "1.5 MiB"."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
