# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def dct(
    input: TensorLike,
    type: IntLike = 2,
    n: Any = None,
    axis: AxisLike = -1,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the discrete cosine transform (type 1, 2, 3 or 4) over the last axis, cut or padded to
    n.
    """

def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last axis of a complex tensor."""

def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last 2 axes of a complex tensor."""

def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last 3 axes of a complex tensor."""

def fftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes` (all of them, if None)."""

def fftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """Return x with frequency 0 in the middle of `axes` (of all of them, if None)."""

def frame(
    signal: TensorLike,
    frame_length: IntLike,
    frame_step: IntLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: AxisLike = -1,
    name: str | None = None,
) -> Tensor:
    """Return the windows of `frame_length` samples, `frame_step` apart, along an axis.

    The axis becomes two, [frames, frame_length]. With `pad_end`, a frame begins at every step
    inside the signal, and `pad_value` stands for the samples beyond its end.
    """

def hamming_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Hamming window: a raised cosine that does not quite reach 0."""

def hann_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Hann window: half a cosine wave, raised to lie between 0 and 1."""

def idct(
    input: TensorLike,
    type: IntLike = 2,
    n: Any = None,
    axis: AxisLike = -1,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `dct`: exactly with norm='ortho', else up to the factor 2n."""

def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last axis of a complex tensor."""

def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last 2 axes of a complex tensor."""

def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last 3 axes of a complex tensor."""

def ifftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes` (all of them, if
    None).
    """

def ifftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """Return the inverse of `fftshift`."""

def inverse_mdct(
    mdcts: TensorLike,
    window_fn: Callable[..., Any] = ...,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the signal of a modified discrete cosine transform made with the same window."""

def inverse_stft(
    stfts: TensorLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: ShapeLike = None,
    window_fn: Callable[..., Any] = ...,
    name: str | None = None,
) -> Tensor:
    """Return the signal of a short-time Fourier transform.

    It is the original one if `window_fn` is made by `inverse_stft_window_fn`.
    """

def inverse_stft_window_fn(
    frame_step: IntLike,
    forward_window_fn: Callable[..., Any] = ...,
    name: str | None = None,
) -> Any:
    """Return a function that makes the window with which `inverse_stft` undoes a windowed
    `stft`.
    """

def irfft(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """The real tensor whose half spectrum (see rfft) over the last axis is given.
    `fft_length` is the shape of the result there; by default the last length is even.
    """

def irfft2d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """The real tensor whose half spectrum (see rfft2d) over the last 2 axes is given.
    `fft_length` is the shape of the result there; by default the last length is even.
    """

def irfft3d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """The real tensor whose half spectrum (see rfft3d) over the last 3 axes is given.
    `fft_length` is the shape of the result there; by default the last length is even.
    """

def irfftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor with a half spectrum over `axes`."""

def kaiser_bessel_derived_window(
    window_length: IntLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the window whose squared halves add up to one, made from running sums of a Kaiser
    window.
    """

def kaiser_window(
    window_length: IntLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Kaiser window, the narrower the larger `beta` is."""

def linear_to_mel_weight_matrix(
    num_mel_bins: IntLike = 20,
    num_spectrogram_bins: IntLike = 129,
    sample_rate: IntLike = 8000,
    lower_edge_hertz: TensorLike = 125.0,
    upper_edge_hertz: TensorLike = 3800.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the matrix [num_spectrogram_bins, num_mel_bins] that warps spectra to the mel scale.

    Each column is a triangle on the mel scale with peak 1. The bin of frequency 0 counts nowhere.
    """

def mdct(
    signals: TensorLike,
    frame_length: IntLike,
    window_fn: Callable[..., Any] = ...,
    pad_end: bool = False,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the modified discrete cosine transform, of frames that overlap by half their
    length.
    """

def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return mel-frequency cepstral coefficients: a cosine transform, scaled as HTK does."""

def overlap_and_add(signal: TensorLike, frame_step: IntLike, name: str | None = None) -> Tensor:
    """Return the signal [..., samples] in which frames [..., frames, frame_length] overlap and add
    up.
    """

def rfft(input_tensor: TensorLike, fft_length: ShapeLike = None, name: str | None = None) -> Tensor:
    """The Fourier transform over the last axis of a real tensor: the frequencies from 0 to
    half the length of the last axis. The input is cut off or padded to `fft_length`.
    """

def rfft2d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """The Fourier transform over the last 2 axes of a real tensor: the frequencies from 0 to
    half the length of the last axis. The input is cut off or padded to `fft_length`.
    """

def rfft3d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """The Fourier transform over the last 3 axes of a real tensor: the frequencies from 0 to
    half the length of the last axis. The input is cut off or padded to `fft_length`.
    """

def rfftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the half spectrum of a real tensor over `axes`; it is the last of them that is
    halved.
    """

def stft(
    signals: TensorLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: ShapeLike = None,
    window_fn: Callable[..., Any] = ...,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the short-time Fourier transform: the half spectrum of each (windowed) frame.

    `fft_length` is the next power of two from `frame_length` on, by default.
    """

def vorbis_window(
    window_length: IntLike,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the power-complementary window of the Vorbis codec."""
