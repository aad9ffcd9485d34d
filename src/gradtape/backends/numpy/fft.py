"""Discrete Fourier transforms over some axes: complex, and real with half of the spectrum.

NumPy's transforms keep single precision. They reject axes of length 0: empty results are made here.
"""

from __future__ import annotations

import numpy as np

_COMPLEX = {4: np.complex64, 8: np.complex128}
_REAL = {8: np.float32, 16: np.float64}


def fft(x, axis, inverse):
    if not x.size:
        return x
    if len(axis) == 1:
        return (np.fft.ifft if inverse else np.fft.fft)(x, axis=axis[0])
    return (np.fft.ifftn if inverse else np.fft.fftn)(x, axes=axis)


def rfft(x, axis):
    if not x.size:
        sizes = list(x.shape)
        sizes[axis[-1]] = sizes[axis[-1]] // 2 + 1 if sizes[axis[-1]] else 0
        return np.zeros(sizes, _COMPLEX[x.dtype.itemsize])
    if len(axis) == 1:
        return np.fft.rfft(x, axis=axis[0])
    return np.fft.rfftn(x, axes=axis)


def irfft(x, axis, length):
    if not x.size or not length:
        sizes = list(x.shape)
        sizes[axis[-1]] = length
        return np.zeros(sizes, _REAL[x.dtype.itemsize])
    if len(axis) > 1:
        x = np.fft.ifftn(x, axes=axis[:-1])
    return np.fft.irfft(x, length, axis[-1])


KERNELS = {"fft": fft, "rfft": rfft, "irfft": irfft}
