"""Fourier transforms, and what is composed of them: cosine transforms, frames, spectra."""

from __future__ import annotations

import gradtape as tf
from gradtape import ops
from tests.ops.harness import Case, random


def _fft(axis, inverse=False):
    return lambda re, im: ops.fft(ops.complex(re, im), axis, inverse)


def _irfft(axis, length):
    return lambda re, im: ops.irfft(ops.complex(re, im), axis, length)


def _fft_case(name, function, *shape, **options):
    # There are no complex numbers of 16-bit parts to transform.
    args = [random(*shape), random(*shape, seed=1)]
    return Case(name, function, args, low_precision=False, **options)


def _real_case(name, function, *shape):
    return Case(name, function, [random(*shape)], low_precision=False)


CASES = [
    _fft_case("fft", _fft((0,)), 6),
    _fft_case("fft odd length", _fft((1,)), 2, 5),
    _fft_case("fft first axis", _fft((0,)), 3, 2),
    _fft_case("fft length 1", _fft((0,)), 1),
    _fft_case("fft two axes", _fft((1, 2)), 2, 3, 4),
    _fft_case("fft three axes", _fft((0, 1, 2)), 2, 3, 2),
    _fft_case("ifft", _fft((0,), True), 5),
    _fft_case("ifft two axes", _fft((0, 2), True), 3, 2, 4),
    _fft_case(
        "fft squared magnitudes",
        lambda re, im: ops.square(ops.abs(ops.fft(ops.complex(re, im), (0,)))),
        6,
    ),
    _real_case("rfft", lambda x: ops.rfft(x, (0,)), 6),
    _real_case("rfft odd length", lambda x: ops.rfft(x, (1,)), 2, 5),
    _real_case("rfft length 1", lambda x: ops.rfft(x, (0,)), 1),
    _real_case("rfft length 2", lambda x: ops.rfft(x, (0,)), 2),
    _real_case("rfft first axis", lambda x: ops.rfft(x, (0,)), 4, 3),
    _real_case("rfft two axes", lambda x: ops.rfft(x, (0, 1)), 3, 4),
    _real_case("rfft three axes", lambda x: ops.rfft(x, (0, 1, 2)), 2, 3, 5),
    _real_case("rfft axes out of order", lambda x: ops.rfft(x, (2, 0)), 4, 2, 3),
    _fft_case("irfft", _irfft((0,), 6), 4),
    _fft_case("irfft odd length", _irfft((1,), 5), 2, 3),
    _fft_case("irfft length 1", _irfft((0,), 1), 1),
    _fft_case("irfft length 2", _irfft((0,), 2), 2),
    _fft_case("irfft two axes", _irfft((0, 1), 4), 3, 3),
    _fft_case("irfft three axes", _irfft((0, 1, 2), 5), 2, 2, 3),
    _real_case("power spectrum", lambda x: ops.square(ops.abs(ops.rfft(x, (0,)))), 5),
    _real_case("rfft to a shorter length", lambda x: tf.signal.rfft(x, [3]), 2, 5),
    _real_case("rfft to a longer length", lambda x: tf.signal.rfft2d(x, [4, 7]), 3, 5),
    _fft_case(
        "irfft to a shorter length", lambda re, im: tf.signal.irfft(ops.complex(re, im), [4]), 4
    ),
    _fft_case(
        "fftnd over one axis",
        lambda re, im: tf.signal.fftnd(ops.complex(re, im), fft_length=[5], axes=[0], norm="ortho"),
        4,
        2,
    ),
    _real_case("rfftnd", lambda x: tf.signal.rfftnd(x, axes=[2, 0], norm="forward"), 3, 2, 4),
    _real_case("fftshift", tf.signal.fftshift, 3, 4),
    Case("frame", lambda x: tf.signal.frame(x, 5, 2), [random(2, 12)]),
    Case("frame with gaps and axis", lambda x: tf.signal.frame(x, 2, 3, axis=0), [random(9, 2)]),
    Case(
        "frame padded", lambda x: tf.signal.frame(x, 4, 3, pad_end=True, pad_value=0.5), [random(8)]
    ),
    Case("overlap_and_add", lambda x: tf.signal.overlap_and_add(x, 2), [random(2, 3, 5)]),
    Case("overlap_and_add with gaps", lambda x: tf.signal.overlap_and_add(x, 5), [random(3, 4)]),
    _real_case("stft", lambda x: tf.signal.stft(x, 6, 3), 2, 14),
    _fft_case(
        "inverse_stft",
        lambda re, im: tf.signal.inverse_stft(
            ops.complex(re, im), 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2)
        ),
        3,
        3,
    ),
    _real_case("mdct", lambda x: tf.signal.mdct(x, 8), 16),
    _real_case("inverse_mdct", lambda x: tf.signal.inverse_mdct(x, norm="ortho"), 3, 4),
    Case(
        "kaiser_window",
        lambda beta: tf.signal.kaiser_window(6, beta, dtype=beta.dtype),
        [random(low=2.0, high=3.0)],
        low_precision=False,
    ),
]


def _cosine_case(op, kind, norm):
    label = f"{op.__name__} of type {kind}{' ortho' if norm else ''}"
    return _real_case(label, lambda x: op(x, type=kind, norm=norm), 2, 5)


CASES += [
    _cosine_case(op, kind, norm)
    for op in (tf.signal.dct, tf.signal.idct)
    for kind, norm in [(1, None), *[(k, n) for k in (2, 3, 4) for n in (None, "ortho")]]
]
