"""Reuse of freed memory.

A training step frees arrays of the sizes that the next step allocates. By default glibc returns
such memory to the system at once and gets it back zeroed, page by page, which can cost several
times the arithmetic on arrays of 100 kB to 30 MB. Two of its parameters change this.

`GRADTAPE_KEEP_MEMORY=0` in the environment leaves them unchanged.
"""

from __future__ import annotations

import os
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST_FROM_HEAP = 32 * 2**20  # the most that glibc accepts
_KEPT = 512 * 2**20


def keep_freed_memory() -> bool:
    """Set glibc's thresholds; return whether that was done."""
    if not sys.platform.startswith("linux") or os.environ.get("GRADTAPE_KEEP_MEMORY") == "0":
        return False
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    mallopt.argtypes = (ctypes.c_int, ctypes.c_int)
    done = mallopt(_M_MMAP_THRESHOLD, _LARGEST_FROM_HEAP)
    return bool(done and mallopt(_M_TRIM_THRESHOLD, _KEPT))
