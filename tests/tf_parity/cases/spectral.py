"""Frames, windows, short-time transforms and mel features."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import normal, positive

case = CaseList()

WINDOWS = "hann_window hamming_window".split()
for name in WINDOWS:
    for length in (1, 4, 5):
        case(f"{name}_{length}", lambda tf, n=name, m=length: getattr(tf.signal, n)(m))
    case(f"{name}_symmetric", lambda tf, n=name: getattr(tf.signal, n)(6, periodic=False))
    case(f"{name}_float64", lambda tf, n=name: getattr(tf.signal, n)(6, dtype=tf.float64))
for name in ("vorbis_window", "kaiser_window", "kaiser_bessel_derived_window"):
    case(name, lambda tf, n=name: getattr(tf.signal, n)(8))
    # The approximation of the Bessel function decides the last digits.
    case(
        f"{name}_float64", lambda tf, n=name: getattr(tf.signal, n)(6, dtype=tf.float64), rtol=1e-6
    )
case("kaiser_window_beta", lambda tf: tf.signal.kaiser_window(7, beta=4.0))
case("inverse_stft_window", lambda tf: tf.signal.inverse_stft_window_fn(2)(4, dtype=tf.float32))

case("frame", call("signal.frame", 3, 2), x=normal(8))
case("frame_batched", call("signal.frame", 3, 1), x=normal(2, 5))
case("frame_pad_end", call("signal.frame", 4, 3, pad_end=True), x=normal(8))
case("frame_pad_value", call("signal.frame", 4, 3, pad_end=True, pad_value=-1.0), x=normal(2, 6))
case("frame_axis0", call("signal.frame", 2, 2, axis=0), x=normal(5, 2))
case("frame_gaps", call("signal.frame", 2, 3), x=normal(9))
case("frame_too_long", call("signal.frame", 10, 2), wrt="", x=normal(4))
case("overlap_and_add", call("signal.overlap_and_add", 2), x=normal(3, 4))
case("overlap_and_add_uneven", call("signal.overlap_and_add", 3), x=normal(2, 3, 4))
case("overlap_and_add_no_overlap", call("signal.overlap_and_add", 4), x=normal(3, 4))
case("overlap_and_add_gaps", call("signal.overlap_and_add", 5), x=normal(3, 4))

for dtype in ("float32", "float64"):
    case(f"stft_{dtype}", call("signal.stft", 4, 2), x=normal(10, dtype=dtype))
    complex_dtype = "complex64" if dtype == "float32" else "complex128"
    case(
        f"inverse_stft_{dtype}",
        call("signal.inverse_stft", 4, 2),
        x=normal(3, 3, dtype=complex_dtype),
    )
case("stft_fft_length", call("signal.stft", 4, 3, fft_length=8), x=normal(2, 10))
case("stft_no_window", call("signal.stft", 4, 2, window_fn=None), x=normal(8))
case("stft_pad_end", call("signal.stft", 4, 2, pad_end=True), x=normal(7))
case("stft_magnitude", lambda tf, x: tf.abs(tf.signal.stft(x, 6, 3)), x=normal(12))
case("stft_there_and_back", lambda tf, x: _there_and_back(tf, x), x=normal(12))
case(
    "stft_hamming",
    lambda tf, x: tf.signal.stft(x, 4, 2, window_fn=tf.signal.hamming_window),
    x=normal(8),
)


def _there_and_back(tf, x):
    spectra = tf.signal.stft(x, 4, 2)
    window = tf.signal.inverse_stft_window_fn(2)
    return tf.signal.inverse_stft(spectra, 4, 2, window_fn=window)


for norm in (None, "ortho"):
    label = norm or "plain"
    case(f"mdct_{label}", call("signal.mdct", 8, norm=norm), x=normal(16))
    case(f"inverse_mdct_{label}", call("signal.inverse_mdct", norm=norm), x=normal(3, 4))
case("mdct_batched", call("signal.mdct", 4, pad_end=True), x=normal(2, 9))
case(
    "linear_to_mel_weight_matrix",
    lambda tf: tf.signal.linear_to_mel_weight_matrix(6, 17, 8000, 100.0, 3600.0),
)
case(
    "linear_to_mel_float64",
    lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, dtype=tf.float64),
)
case("mfccs", call("signal.mfccs_from_log_mel_spectrograms"), x=normal(2, 6))
case("log_mel_features", lambda tf, x: _log_mel(tf, x), rtol=1e-4, x=normal(2, 32))


def _log_mel(tf, x):
    spectra = tf.abs(tf.signal.stft(x, 16, 8))
    mel = tf.signal.linear_to_mel_weight_matrix(5, spectra.shape[-1], 8000, 80.0, 3600.0)
    return tf.math.log(tf.matmul(spectra, mel) + 1e-3)


case(
    "energy_of_frames",
    lambda tf, x: tf.reduce_sum(tf.signal.frame(x, 4, 2) ** 2, axis=-1),
    x=positive(8),
)
