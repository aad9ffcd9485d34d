"""`tf.signal`, all but the transforms: windows, frames, short-time spectra and mel features."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.math.fourier import (
    dct,
    irfft,
    rfft,
    whole_number,
    with_rank,
)
from gradtape.core import dtypes
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.tensor import Tensor

# --- windows -------------------------------------------------------------------------------------


def _window_arguments(op: str, window_length, dtype):
    dtype = as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"{op}: dtype must be a floating point type. Found {dtype!r}")
    length = whole_number(op, "window_length", window_length)
    if length < 0:
        raise InvalidArgumentError(f"{op}: window_length must be >= 0, got {length}.")
    return length, dtype


def _count(length: int, dtype):
    return ops.cast(Tensor(np.arange(length, dtype=np.int32)), dtype)


def _raised_cosine(op: str, window_length, periodic, dtype, a: float, b: float):
    length, dtype = _window_arguments(op, window_length, dtype)
    if length == 1:
        return ops.ones((1,), dtype)
    # A window of odd length is symmetric in either case, as in TensorFlow.
    period = length - 1 + (bool(static_value(periodic)) and length % 2 == 0)
    angle = to_tensor(2 * math.pi, dtype) * _count(length, dtype) / period
    return a - b * ops.cos(angle)


@export("signal.hann_window")
def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None) -> Tensor:
    """Return a Hann window: half a cosine wave, raised to lie between 0 and 1."""
    return _raised_cosine("hann_window", window_length, periodic, dtype, 0.5, 0.5)


@export("signal.hamming_window")
def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None) -> Tensor:
    """Return a Hamming window: a raised cosine that does not quite reach 0."""
    return _raised_cosine("hamming_window", window_length, periodic, dtype, 0.54, 0.46)


@export("signal.kaiser_window")
def kaiser_window(window_length, beta=12.0, dtype=dtypes.float32, name=None) -> Tensor:
    """Return a Kaiser window, the narrower the larger `beta` is."""
    length, dtype = _window_arguments("kaiser_window", window_length, dtype)
    if length == 0:
        raise InvalidArgumentError("kaiser_window: window_length must be >= 1, got 0.")
    if length == 1:
        return ops.ones((1,), dtype)
    half = (length - 1) / 2
    offsets = ops.cast(Tensor(np.arange(length, dtype=np.float32) - np.float32(half)), dtype)
    beta = ops.cast(beta, dtype)
    height = beta * ops.sqrt(ops.relu(1.0 - ops.square(offsets / half)))
    return ops.exp(height - beta) * (ops.bessel_i0e(height) / ops.bessel_i0e(beta))


@export("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length, beta=12.0, dtype=dtypes.float32, name=None
) -> Tensor:
    """Return the window whose squared halves add up to one, made from running sums of a Kaiser
    window."""
    length, dtype = _window_arguments("kaiser_bessel_derived_window", window_length, dtype)
    half = length // 2
    sums = ops.cumsum(kaiser_window(half + 1, beta, dtype), 0)
    rising = ops.sqrt(sums[:-1] / sums[-1])
    return ops.concat([rising, ops.reverse(rising, [0])], 0)


@export("signal.vorbis_window")
def vorbis_window(window_length, dtype=dtypes.float32, name=None) -> Tensor:
    """Return the power-complementary window of the Vorbis codec."""
    length, dtype = _window_arguments("vorbis_window", window_length, dtype)
    if not length:
        return ops.zeros((0,), dtype)
    angle = (to_tensor(math.pi, dtype) / length) * (_count(length, dtype) + 0.5)
    return ops.sin(math.pi / 2 * ops.square(ops.sin(angle)))


# --- frames --------------------------------------------------------------------------------------


def _frame_step(op: str, frame_step) -> int:
    step = whole_number(op, "frame_step", frame_step)
    if step < 1:
        raise InvalidArgumentError(f"{op}: frame_step must be >= 1, got {step}.")
    return step


@export("signal.frame")
def frame(
    signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None
) -> Tensor:
    """Return the windows of `frame_length` samples, `frame_step` apart, along an axis.

    The axis becomes two, [frames, frame_length]. With `pad_end`, a frame begins at every step
    inside the signal, and `pad_value` stands for the samples beyond its end.
    """
    x = with_rank("frame", to_tensor(signal), 1)
    axis = ops.normalize_axis("frame", axis, len(x.shape))
    length = whole_number("frame", "frame_length", frame_length)
    step = _frame_step("frame", frame_step)
    if length < 0:
        raise InvalidArgumentError(f"frame: frame_length must be >= 0, got {length}.")
    samples = x.shape[axis]
    if pad_end:
        frames = -(-samples // step)
        missing = max(0, length + step * (frames - 1) - samples)
        filler: Any = to_tensor(pad_value, x.dtype)
        if filler.ndim:
            raise ValueError(f"frame: pad_value must be a scalar, got shape {filler.shape}.")
        pairs = [(0, missing if i == axis else 0) for i in range(len(x.shape))]
        x = ops.pad(x, pairs, constant_values=filler)
    else:
        frames = max(0, 1 + (samples - length) // step)
    return _frames(x, axis, frames, length, step)


def _frames(x, axis: int, frames: int, length: int, step: int):
    # Cut into blocks of one step, frame i is the blocks i, i + 1, …: a few shifted views of all
    # blocks, side by side. Samples put in to fill the last block are cut off again.
    parts = max(1, -(-length // step))
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    if not frames:
        return ops.zeros((*before, 0, length, *after), x.dtype)
    blocks = frames + parts - 1
    x = ops.reshape(ops.fit(x, (axis,), (blocks * step,)), (*before, blocks, step, *after))
    views = [ops.slice_along(x, axis, i, i + frames) for i in range(parts)]
    y = ops.concat(views, axis + 1) if parts > 1 else views[0]
    return y if parts * step == length else ops.slice_along(y, axis + 1, 0, length)


@export("signal.overlap_and_add")
def overlap_and_add(signal, frame_step, name=None) -> Tensor:
    """Return the signal [..., samples] in which frames [..., frames, frame_length] overlap and add
    up."""
    x = with_rank("overlap_and_add", to_tensor(signal), 2)
    if np.asarray(static_value(frame_step)).dtype.kind == "f":
        raise ValueError(f"overlap_and_add: frame_step must be an integer, got {frame_step!r}.")
    step = _frame_step("overlap_and_add", frame_step)
    *outer, frames, length = x.shape
    axis = len(outer)
    samples = max(0, length + step * (frames - 1))
    if length == step:
        return ops.reshape(x, (*outer, samples))
    # The reverse of `frame`: each frame in blocks of one step, block i shifted by i blocks.
    parts = max(1, -(-length // step))
    x = ops.fit(x, (axis + 1,), (parts * step,))
    blocks = frames + parts - 1
    shape = (*outer, blocks, step)
    moved = [
        ops.put_slice(part, shape, (ops.WHOLE,) * axis + ((i, i + frames, None),))
        for i, part in enumerate(ops.split(x, parts, axis + 1))
    ]
    total = ops.add_n(moved) if parts > 1 else moved[0]
    return ops.fit(ops.reshape(total, (*outer, blocks * step)), (axis,), (samples,))


# --- short-time spectra --------------------------------------------------------------------------


def _fft_length(op: str, fft_length, frame_length: int) -> int:
    if fft_length is None:
        return 1 << (frame_length - 1).bit_length() if frame_length > 0 else 0
    return whole_number(op, "fft_length", fft_length)


@export("signal.stft")
def stft(
    signals,
    frame_length,
    frame_step,
    fft_length=None,
    window_fn=hann_window,
    pad_end=False,
    name=None,
) -> Tensor:
    """Return the short-time Fourier transform: the half spectrum of each (windowed) frame.

    `fft_length` is the next power of two from `frame_length` on, by default.
    """
    x = with_rank("stft", to_tensor(signals), 1)
    length = whole_number("stft", "frame_length", frame_length)
    size = _fft_length("stft", fft_length, length)
    frames = frame(x, length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return rfft(frames, [size])


@export("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """Return a function that makes the window with which `inverse_stft` undoes a windowed
    `stft`."""

    def inverse_window(frame_length, dtype):
        length = whole_number("inverse_stft_window_fn", "frame_length", frame_length)
        step = _frame_step("inverse_stft_window_fn", frame_step)
        window = forward_window_fn(length, dtype=dtype)
        # What the squared windows of all frames over a sample add up to, for one step of samples.
        overlaps = -(-length // step)
        squares = ops.reshape(ops.fit(ops.square(window), (0,), (overlaps * step,)), (-1, step))
        total = ops.tile(ops.reduce_sum(squares, 0), [overlaps])[:length]
        return ops.divide_no_nan(window, total)

    return inverse_window


@export("signal.inverse_stft")
def inverse_stft(
    stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None
) -> Tensor:
    """Return the signal of a short-time Fourier transform.

    It is the original one if `window_fn` is made by `inverse_stft_window_fn`.
    """
    x = with_rank("inverse_stft", to_tensor(stfts), 2)
    length = whole_number("inverse_stft", "frame_length", frame_length)
    if length < 0:
        raise InvalidArgumentError(f"inverse_stft: frame_length must be >= 0, got {length}.")
    frames = irfft(x, [_fft_length("inverse_stft", fft_length, length)])
    frames = ops.fit(frames, (len(frames.shape) - 1,), (length,))
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step)


def _apply_window(frames, window_fn, length: int):
    if window_fn is None:
        return frames * math.sqrt(0.5)
    return frames * window_fn(length, dtype=frames.dtype)


@export("signal.mdct")
def mdct(
    signals, frame_length, window_fn=vorbis_window, pad_end=False, norm=None, name=None
) -> Tensor:
    """Return the modified discrete cosine transform, of frames that overlap by half their
    length."""
    x = with_rank("mdct", to_tensor(signals), 1)
    length = whole_number("mdct", "frame_length", frame_length)
    if length % 4:
        raise ValueError(f"mdct: The frame length must be a multiple of 4, got {length}.")
    frames = _apply_window(frame(x, length, length // 2, pad_end=pad_end), window_fn, length)
    first, second, third, fourth = ops.split(frames, 4, -1)
    folded = [-ops.reverse(third, [-1]) - fourth, first - ops.reverse(second, [-1])]
    return dct(ops.concat(folded, -1), type=4, norm=norm)


@export("signal.inverse_mdct")
def inverse_mdct(mdcts, window_fn=vorbis_window, norm=None, name=None) -> Tensor:
    """Return the signal of a modified discrete cosine transform made with the same window."""
    x = with_rank("inverse_mdct", to_tensor(mdcts), 2)
    half = x.shape[-1]
    if half % 2:
        raise ShapeError(
            f"inverse_mdct: the last axis must be even, half of a frame length that is a multiple "
            f"of 4; the shape is {list(x.shape)}."
        )
    folded = dct(x, type=4, norm=norm)
    if norm is None:
        folded = folded * (0.5 / max(half, 1))
    first, second = ops.split(folded, 2, -1)
    mirrored = [second, -ops.reverse(second, [-1]), -ops.reverse(first, [-1]), -first]
    return overlap_and_add(_apply_window(ops.concat(mirrored, -1), window_fn, 2 * half), half)


# --- mel features --------------------------------------------------------------------------------


def _mel(hertz):
    return 1127.0 * ops.log(1.0 + hertz / 700.0)


def _evenly(start, stop, count: int):
    """Return `count` numbers from start to stop, both of them exact."""
    steps = ops.cast(Tensor(np.arange(1, max(count - 1, 1), dtype=np.int32)), start.dtype)
    inner = start + (stop - start) / max(count - 1, 1) * steps
    ends = [ops.reshape(start, (1,)), inner, ops.reshape(stop, (1,))]
    return ops.concat(ends if count > 1 else ends[:1], 0)


@export("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins=20,
    num_spectrogram_bins=129,
    sample_rate=8000,
    lower_edge_hertz=125.0,
    upper_edge_hertz=3800.0,
    dtype=dtypes.float32,
    name=None,
) -> Tensor:
    """Return the matrix [num_spectrogram_bins, num_mel_bins] that warps spectra to the mel scale.

    Each column is a triangle on the mel scale with peak 1. The bin of frequency 0 counts nowhere.
    """
    op, dtype = "linear_to_mel_weight_matrix", as_dtype(dtype)
    rate = float(static_value(sample_rate))
    if num_mel_bins <= 0:
        raise ValueError(f"{op}: num_mel_bins must be positive. Got: {num_mel_bins}")
    if lower_edge_hertz < 0.0:
        raise ValueError(f"{op}: lower_edge_hertz must be non-negative. Got: {lower_edge_hertz}")
    if lower_edge_hertz >= upper_edge_hertz:
        raise ValueError(
            f"{op}: lower_edge_hertz {lower_edge_hertz:.1f} >= upper_edge_hertz "
            f"{upper_edge_hertz:.1f}"
        )
    if rate <= 0.0:
        raise ValueError(f"{op}: sample_rate must be positive. Got: {sample_rate}")
    if upper_edge_hertz > rate / 2:
        raise ValueError(
            f"{op}: upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / "
            f"2). Got {upper_edge_hertz} for sample_rate: {sample_rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"{op}: dtype must be a floating point type. Got: {dtype!r}")
    bins = whole_number(op, "num_spectrogram_bins", num_spectrogram_bins)
    low, high = to_tensor(float(lower_edge_hertz), dtype), to_tensor(float(upper_edge_hertz), dtype)
    frequencies = _evenly(to_tensor(0.0, dtype), to_tensor(rate / 2, dtype), bins)
    mel = _mel(frequencies[1:, None])
    edges = _evenly(_mel(low), _mel(high), num_mel_bins + 2)
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (mel - lower) / (center - lower), (upper - mel) / (upper - center)
    weights = ops.maximum(ops.minimum(rising, falling), 0.0)
    return ops.pad(weights, [(1, 0), (0, 0)])


@export("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None) -> Tensor:
    """Return mel-frequency cepstral coefficients: a cosine transform, scaled as HTK does."""
    x = with_rank("mfccs_from_log_mel_spectrograms", to_tensor(log_mel_spectrograms), 1)
    if not x.shape[-1]:
        raise ValueError(
            "mfccs_from_log_mel_spectrograms: num_mel_bins must be positive. Got a tensor of "
            f"shape {x.shape}"
        )
    return dct(x, type=2) * math.sqrt(0.5 / x.shape[-1])
