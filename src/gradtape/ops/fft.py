"""Discrete Fourier transforms over some axes, and their inverses.

All are linear, and each is the other's transpose up to a factor, so that derivatives of every
order are transforms again. Lengths are those of the tensor: `fit` crops or pads it first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import batch_axis, linear

if TYPE_CHECKING:
    from gradtape.core.typing import NumpyDType

__all__ = ["fft", "fit", "irfft", "rfft"]


def _size(shape: tuple[int, ...], axis: tuple[int, ...]) -> int:
    return math.prod([shape[a] for a in axis])


# --- complex -------------------------------------------------------------------------------------


def _fft_transpose(
    g: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...], inverse: bool
) -> Tensor:
    # The matrix is symmetric, so its conjugate transpose is the other transform without the factor.
    size = max(_size(x_shape, axis), 1)
    other = bind(fft_p, (g,), {"axis": axis, "inverse": not inverse})
    return other * (1 / size if inverse else size)


fft_p = linear(
    "fft",
    shape=lambda x, axis, inverse: x,
    transpose=_fft_transpose,
    batch=batch_axis,
)


def fft(x: Tensor, axis: tuple[int, ...], inverse: bool = False) -> Tensor:
    """Compute the (inverse) Fourier transform of a complex tensor over non-negative axes."""
    return bind(fft_p, (x,), {"axis": axis, "inverse": inverse})


# --- real ----------------------------------------------------------------------------------------


def _folds(
    shape: tuple[int, ...], axis: int, length: int, inner: float, dtype: NumpyDType | type
) -> Tensor:
    """Return weights of a half spectrum along `axis`: 1 for those without mirror, else `inner`.

    The frequencies left out mirror those inside. Frequency 0 has no mirror, nor has the last one if
    the length is even.
    """
    bins = shape[axis]
    weights = np.full((bins,) + (1,) * (len(shape) - axis - 1), inner, dtype)
    weights[:1] = 1
    if length % 2 == 0:
        weights[length // 2 : length // 2 + 1] = 1
    return Tensor(weights)


def _rfft_shape(x: Spec, axis: tuple[int, ...]) -> Spec:
    sizes = list(x.shape)
    last = sizes[axis[-1]]
    sizes[axis[-1]] = last // 2 + 1 if last else 0
    return Spec(tuple(sizes), np.dtype(f"c{2 * x.dtype.itemsize}"))


def _rfft_transpose(g: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...]) -> Tensor:
    length = x_shape[axis[-1]]
    # The inverse transform counts each mirrored frequency twice.
    weights = _folds(tuple(g.shape), axis[-1], length, 0.5, g.dtype.as_numpy_dtype)
    return irfft(g * weights, axis, length) * _size(x_shape, axis)


rfft_p = linear("rfft", shape=_rfft_shape, transpose=_rfft_transpose, batch=batch_axis)


def rfft(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """Transform a real tensor; the last of `axis` gets the frequencies up to the middle."""
    return bind(rfft_p, (x,), {"axis": axis})


def _irfft_shape(x: Spec, axis: tuple[int, ...], length: int) -> Spec:
    sizes = list(x.shape)
    sizes[axis[-1]] = length
    return Spec(tuple(sizes), np.dtype(f"f{x.dtype.itemsize // 2}"))


def _irfft_transpose(
    g: Tensor, x_shape: tuple[int, ...], axis: tuple[int, ...], length: int
) -> Tensor:
    weights = _folds(x_shape, axis[-1], length, 2, np.dtype(f"c{2 * g.dtype.size}"))
    return rfft(g, axis) * (weights / max(_size(tuple(g.shape), axis), 1))


irfft_p = linear("irfft", shape=_irfft_shape, transpose=_irfft_transpose, batch=batch_axis)


def irfft(x: Tensor, axis: tuple[int, ...], length: int) -> Tensor:
    """Return the real tensor with this half spectrum, of that length along the last of `axis`."""
    return bind(irfft_p, (x,), {"axis": axis, "length": length})


# --- lengths -------------------------------------------------------------------------------------


def fit(x: Tensor, axis: tuple[int, ...], lengths: tuple[int, ...]) -> Tensor:
    """Crop x, or pad it with zeros, to these lengths along some axes."""
    shape = list(x.shape)
    index = [ops.WHOLE] * len(shape)
    for a, length in zip(axis, lengths, strict=True):
        index[a] = (0, min(length, shape[a]), None)
        shape[a] = length
    if any(n < m for n, m in zip(shape, x.shape, strict=True)):
        x = ops.take_slice(x, tuple(index))
    return x if tuple(x.shape) == tuple(shape) else ops.put_slice(x, tuple(shape), tuple(index))
