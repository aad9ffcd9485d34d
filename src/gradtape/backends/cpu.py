"""The default backend: native kernels where they exist, and NumPy's."""

from __future__ import annotations

from collections.abc import Callable

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native import kernels as native


def kernel(name: str) -> Callable:
    """Return the kernel of a primitive."""
    return native.KERNELS.get(name) or numpy_backend.kernel(name)
