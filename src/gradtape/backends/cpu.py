"""The default backend: NumPy's kernels, and native ones in their place where they exist."""

from __future__ import annotations

from collections.abc import Callable

from gradtape.backends import native
from gradtape.backends import numpy as numpy_backend


def kernel(name: str) -> Callable:
    """The kernel of a primitive."""
    return native.KERNELS.get(name) or numpy_backend.kernel(name)
