"""Keras's `backend.math`: segments, the largest elements, Fourier transforms, error functions."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.math import signal
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import common, inexact, unary

__all__ = [
    "cdist",
    "erf",
    "erfc",
    "erfinv",
    "extract_sequences",
    "fft",
    "fft2",
    "ifft2",
    "in_top_k",
    "irfft",
    "istft",
    "logdet",
    "logsumexp",
    "rfft",
    "rsqrt",
    "segment_max",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "stft",
    "top_k",
]

erf = unary(ops.erf, inexact)
erfc = unary(ops.erfc, inexact)
erfinv = unary(ops.erfinv, inexact)
rsqrt = unary(ops.rsqrt, inexact)


def logsumexp(x, axis=None, keepdims=False):
    """Return log(sum(exp(x))) over axes, without overflow."""
    return ops.reduce_logsumexp(inexact(x), axis, keepdims)


def logdet(x):
    """Return the logarithm of the size of the determinant."""
    return ops.slogdet(inexact(x))[1]


def cdist(x, y):
    """Return the distance of each row of x from each row of y."""
    x, y = common(inexact(x), inexact(y))
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError("`cdist` inputs must have rank >= 2")
    if x.shape[-1] != y.shape[-1]:
        raise ValueError("Last dimension of inputs to `cdist` must match")
    difference = ops.expand_dims(x, -2) - ops.expand_dims(y, -3)
    return ops.sqrt(ops.reduce_sum(ops.square(difference), -1))


# --- segments -------------------------------------------------------------------------------------


def _segments(data, segment_ids, num_segments):
    data, ids = convert_to_tensor(data), convert_to_tensor(segment_ids, "int32")
    if num_segments is None:
        num_segments = int(np.max(ids.numpy(), initial=-1)) + 1
    return data, ids, num_segments


def segment_sum(data, segment_ids, num_segments=None, sorted=False):
    """Return the sum of the rows of each segment."""
    return ops.unsorted_segment_sum(*_segments(data, segment_ids, num_segments))


def segment_prod(data, segment_ids, num_segments=None, sorted=False):
    """Return the product of the rows of each segment."""
    return ops.unsorted_segment_prod(*_segments(data, segment_ids, num_segments))


def _extreme(compute, of_nothing: float, data, ids, count: int):
    """Return an extreme of the rows of each segment; infinite for a segment without rows."""
    result = compute(data, ids, count)
    if not data.dtype.is_floating:
        return result
    sizes = ops.unsorted_segment_sum(ops.ones(ids.shape, "int32"), ids, count)
    is_empty = ops.reshape(ops.equal(sizes, 0), (count, *(1,) * (result.ndim - 1)))
    return ops.where(is_empty, of_nothing, result)


def segment_max(data, segment_ids, num_segments=None, sorted=False):
    """Return the largest of the rows of each segment."""
    segments = _segments(data, segment_ids, num_segments)
    return _extreme(ops.unsorted_segment_max, -math.inf, *segments)


def segment_min(data, segment_ids, num_segments=None, sorted=False):
    """Return the smallest of the rows of each segment."""
    segments = _segments(data, segment_ids, num_segments)
    return _extreme(ops.unsorted_segment_min, math.inf, *segments)


# --- the largest elements -------------------------------------------------------------------------


def top_k(x, k, sorted=True):
    """Return (values, indices) of the k largest elements along the last axis."""
    return ops.top_k(convert_to_tensor(x), k)


def in_top_k(targets, predictions, k):
    """Return whether each target is among the k largest predictions of its row."""
    targets, predictions = convert_to_tensor(targets), inexact(predictions)
    target_scores = ops.take_along_axis(predictions, ops.expand_dims(targets, -1), -1)
    # A nan is not a large prediction.
    target_scores = ops.where(ops.is_nan(target_scores), -math.inf, target_scores)
    larger = ops.count_nonzero(ops.greater(predictions, target_scores), -1, False, "int32")
    return ops.less(larger, k)


# --- Fourier transforms ---------------------------------------------------------------------------


def _get_complex_tensor_from_tuple(x):
    if not isinstance(x, (tuple, list)) or len(x) != 2:
        raise ValueError(
            f"Input `x` should be a tuple of two tensors - real and imaginary.Received: x={x}"
        )
    real, imag = (convert_to_tensor(part) for part in x)
    if tuple(real.shape) != tuple(imag.shape):
        raise ValueError(
            "Input `x` should be a tuple of two tensors - real and imaginary."
            "Both the real and imaginary parts should have the same shape. "
            f"Received: x[0].shape = {tuple(real.shape)}, x[1].shape = {tuple(imag.shape)}"
        )
    if not (real.dtype.is_floating and imag.dtype.is_floating):
        raise ValueError(f"At least one tensor in input `x` is not of type float.Received: x={x}.")
    real, imag = common(real, imag)
    if real.dtype.size < 4:
        real, imag = ops.cast(real, "float32"), ops.cast(imag, "float32")
    return ops.complex(real, imag)


def _parts(x) -> tuple:
    return ops.real(x), ops.imag(x)


def _last(x, count: int) -> tuple[int, ...]:
    return tuple(range(x.ndim - count, x.ndim))


def fft(x):
    """Return the Fourier transform over the last axis, as its real and imaginary part."""
    x = _get_complex_tensor_from_tuple(x)
    return _parts(ops.fft(x, _last(x, 1)))


def fft2(x):
    """Return the Fourier transform over the last two axes."""
    x = _get_complex_tensor_from_tuple(x)
    return _parts(ops.fft(x, _last(x, 2)))


def ifft2(x):
    """Return the inverse Fourier transform over the last two axes."""
    x = _get_complex_tensor_from_tuple(x)
    return _parts(ops.fft(x, _last(x, 2), inverse=True))


def _half_spectrum(x, length: int | None = None):
    x = inexact(x)
    if x.dtype.size < 4:
        x = ops.cast(x, "float32")
    if length is not None:
        x = ops.fit(x, _last(x, 1), (length,))
    return ops.rfft(x, _last(x, 1))


def _from_half_spectrum(x, length: int | None = None):
    length = 2 * (x.shape[-1] - 1) if length is None else length
    return ops.irfft(ops.fit(x, _last(x, 1), (length // 2 + 1,)), _last(x, 1), length)


def rfft(x, fft_length=None):
    """Return half of the Fourier transform of a real tensor: the other half mirrors it."""
    return _parts(_half_spectrum(x, fft_length))


def irfft(x, fft_length=None):
    """Return the real tensor that has this half of a Fourier transform."""
    return _from_half_spectrum(_get_complex_tensor_from_tuple(x), fft_length)


# --- short-time spectra ---------------------------------------------------------------------------


def extract_sequences(x, sequence_length, sequence_stride):
    """Return the windows of a signal, as rows."""
    return signal.frame(convert_to_tensor(x), sequence_length, sequence_stride)


# The weights of the constant and of the cosine.
_COSINE_WINDOWS = {"hann": (0.5, 0.5), "hamming": (0.54, 0.46)}


def _window(window, sequence_length: int, fft_length: int, dtype):
    """Return the weights of the samples of one sequence, filled up with zeros on both sides."""
    before = (fft_length - sequence_length) // 2
    after = fft_length - sequence_length - before
    if window is None:
        return ops.ones((fft_length,), dtype)
    if isinstance(window, str):
        if window not in _COSINE_WINDOWS:
            raise ValueError(
                'If a string is passed to `window`, it must be one of `"hann"`, `"hamming"`. '
                f"Received: window={window}"
            )
        a, b = _COSINE_WINDOWS[window]
        window = a - b * np.cos(2 * np.pi * np.arange(sequence_length) / sequence_length)
    window = convert_to_tensor(window, dtype)
    if tuple(window.shape) != (sequence_length,):
        raise ValueError(
            "The shape of `window` must be equal to [sequence_length]."
            f"Received: window shape={tuple(window.shape)}"
        )
    return ops.pad(window, ((before, after),))


def stft(x, sequence_length, sequence_stride, fft_length, window="hann", center=True):
    """Return the short-time Fourier transform: the half spectrum of each window of a signal."""
    x = convert_to_tensor(x)
    if x.dtype.name not in ("float32", "float64"):
        raise TypeError(
            "Invalid input type. Expected `float32` or `float64`. "
            f"Received: input type={x.dtype.name}"
        )
    if fft_length < sequence_length:
        raise ValueError(
            "`fft_length` must equal or larger than `sequence_length`. Received: "
            f"sequence_length={sequence_length}, fft_length={fft_length}"
        )
    window = _window(window, sequence_length, fft_length, x.dtype)
    if center:
        half = fft_length // 2
        x = names.pad(x, [(0, 0)] * (x.ndim - 1) + [(half, half)], "reflect")
    frames = signal.frame(x, fft_length, sequence_stride)
    return _parts(_half_spectrum(frames * window))


def _seen(window, stride: int):
    """Return, for each sample, the sum of the squared weights of all windows over it."""
    (size,) = window.shape
    turns = -(-size // stride)
    squares = ops.reshape(ops.fit(ops.square(window), (0,), (turns * stride,)), (turns, stride))
    total = ops.reduce_sum(squares, 0, keepdims=True)
    return ops.reshape(ops.broadcast_to(total, (turns, stride)), (-1,))[:size]


def istft(
    x,
    sequence_length,
    sequence_stride,
    fft_length,
    length=None,
    window="hann",
    center=True,
):
    """Return the signal that has this short-time Fourier transform."""
    x = _get_complex_tensor_from_tuple(x)
    if x.ndim < 2:
        raise ValueError(
            f"Input `x` must have at least 2 dimensions. Received shape: {tuple(x.shape)}"
        )
    frames = _from_half_spectrum(x, fft_length)
    count = frames.shape[-2]
    if window is not None:
        weights = _window(window, sequence_length, fft_length, frames.dtype)
        frames = frames * (weights / _seen(weights, sequence_stride))
    result = signal.overlap_and_add(frames, sequence_stride)
    start = fft_length // 2 if center else 0
    if length is not None:
        end = start + length
    elif center:
        end = -(fft_length // 2)
    else:
        end = fft_length + sequence_stride * (count - 1)
    return result[..., start:end]
