"""The native extension, if it was built: faster kernels for what NumPy does in several passes.

`KERNELS` has the same form as the NumPy backend's table. Each native kernel handles the cases that
it is made for (float32, whole arrays …) and delegates all others to the NumPy kernel of the same
name, so that results never depend on which cases those are. `GRADTAPE_NATIVE=0` disables the
extension; `GRADTAPE_FUSE_FROM` is the number of elements from which elementwise ops are fused (0:
never).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native.extension import extension


def _numpy_blas() -> Path | None:
    """Return the path of the OpenBLAS in NumPy's wheels; None for builds without one."""
    libraries = Path(np.__file__).parent.with_name("numpy.libs")
    return next(iter(libraries.glob("libscipy_openblas64_*")), None)


# Smaller arrays stay in the caches between two ops: there is little to gain.
FUSE_FROM = 65_536


def fuse_from() -> int:
    """Return the number of elements from which ops are fused, as the environment says; 0: never."""
    text = os.environ.get("GRADTAPE_FUSE_FROM")
    if text is None:
        return FUSE_FROM
    if not text.isdecimal():
        raise ValueError(
            f"GRADTAPE_FUSE_FROM must be a number of elements (0: nothing is fused), not {text!r}"
        )
    return int(text)


KERNELS: dict[str, Callable] = {}
has_blas = False
if extension is not None:
    _library = _numpy_blas()
    has_blas = _library is not None and extension.use_blas(str(_library))
    extension.fuse_from(fuse_from())
    extension.use_bfloat16(np.dtype(ml_dtypes.bfloat16))
    KERNELS = {
        name: extension.kernel(name, kernel) for name, kernel in numpy_backend.KERNELS.items()
    }


def set_num_threads(number: int) -> None:
    """Set the number of threads that native kernels may use; 0: as many as there are processors."""
    if extension is not None:
        extension.set_num_threads(number or os.cpu_count() or 1)


def status() -> str:
    """Describe in a sentence what is accelerated."""
    if extension is None:
        if os.environ.get("GRADTAPE_NATIVE") == "0":
            return "native kernels: left out, as GRADTAPE_NATIVE=0 asks"
        return "native kernels: not built. They need a C++17 compiler when gradtape is installed"
    products = (
        "shared with NumPy's OpenBLAS" if has_blas else "NumPy's, as its BLAS is not OpenBLAS"
    )
    smallest = fuse_from()
    fused = f"ops fused from {smallest:,} elements on" if smallest else "ops not fused"
    return (
        f"native kernels: {len(KERNELS)}, for {extension.instruction_set()}, "
        f"{extension.num_threads()} threads; matrix products {products}; {fused}"
    )
