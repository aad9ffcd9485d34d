"""Discrete Fourier transforms over some axes: complex, and real with half of the spectrum.

XLA transforms at most three axes at once; here they are transformed one after the other.
"""

from __future__ import annotations

import jax.numpy as jnp

_COMPLEX = {4: jnp.complex64, 8: jnp.complex128}
_REAL = {8: jnp.float32, 16: jnp.float64}


def fft(x, axis, inverse):
    if not x.size:
        return x
    for a in axis:
        x = (jnp.fft.ifft if inverse else jnp.fft.fft)(x, axis=a)
    return x


def rfft(x, axis):
    if not x.size:
        sizes = list(x.shape)
        sizes[axis[-1]] = sizes[axis[-1]] // 2 + 1 if sizes[axis[-1]] else 0
        return jnp.zeros(sizes, _COMPLEX[x.dtype.itemsize])
    return fft(jnp.fft.rfft(x, axis=axis[-1]), axis[:-1], False)


def irfft(x, axis, length):
    if not x.size or not length:
        sizes = list(x.shape)
        sizes[axis[-1]] = length
        return jnp.zeros(sizes, _REAL[x.dtype.itemsize])
    return jnp.fft.irfft(fft(x, axis[:-1], True), length, axis[-1])


KERNELS = {"fft": fft, "rfft": rfft, "irfft": irfft}
