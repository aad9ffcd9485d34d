"""Complex numbers and their parts."""

from __future__ import annotations

import numpy as np

from gradtape.backends.broadcasting import broadcast_shapes

_COMPLEX = {4: np.dtype(np.complex64), 8: np.dtype(np.complex128)}


def complex_of(real, imag):
    # `real + 1j * imag` would make nan of an infinite part.
    shape = broadcast_shapes(real.shape, imag.shape)
    z = np.empty(shape, _COMPLEX[real.dtype.itemsize])
    z.real = real
    z.imag = imag
    return z if shape else z[()]


KERNELS = {
    "complex": complex_of,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "conj": np.conjugate,
    "complex_abs": abs,
}
