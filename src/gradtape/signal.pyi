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

    Args:
        input: a tensor, or what converts to one.
        type: which transform: 1, 2, 3 or 4.
        n: how many; for differences, how often.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a dtype that it does not take.
        ValueError if `norm` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last axis of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.signal.fft(tf.constant([1.0, 0.0, 0.0, 0.0], tf.complex64)).numpy()
        array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """

def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last 2 axes of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the discrete Fourier transform over the last 3 axes of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes` (all of them, if None).

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """Return x with frequency 0 in the middle of `axes` (of all of them, if None).

    Args:
        x: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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

    Args:
        signal: samples along the last axis.
        frame_length: the number of samples in a frame.
        frame_step: the number of samples from one frame to the next.
        pad_end: whether the last frames are padded.
        pad_value: the number to pad with.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `signal` does not fit, `axis` is out of
            range, or `frame_length` or `frame_step` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.signal.frame(tf.range(5), frame_length=3, frame_step=2).numpy()
        array([[0, 1, 2],
               [2, 3, 4]], dtype=int32)
    """

def hamming_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Hamming window: a raised cosine that does not quite reach 0.

    Args:
        window_length: the number of samples.
        periodic: whether the window is one period, rather than symmetric.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the length is negative.
    """

def hann_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Hann window: half a cosine wave, raised to lie between 0 and 1.

    Args:
        window_length: the number of samples.
        periodic: whether the window is one period, rather than symmetric.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the length is negative.
    """

def idct(
    input: TensorLike,
    type: IntLike = 2,
    n: Any = None,
    axis: AxisLike = -1,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `dct`: exactly with norm='ortho', else up to the factor 2n.

    Args:
        input: a tensor, or what converts to one.
        type: which transform: 1, 2, 3 or 4.
        n: how many; for differences, how often.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a dtype that it does not take.
        ValueError if `norm` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last axis of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last 2 axes of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the inverse discrete Fourier transform over the last 3 axes of a complex tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes` (all of them, if
    None).

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """Return the inverse of `fftshift`.

    Args:
        x: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def inverse_mdct(
    mdcts: TensorLike,
    window_fn: Callable[..., Any] = ...,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the signal of a modified discrete cosine transform made with the same window.

    Args:
        mdcts: the coefficients.
        window_fn: a function of the length and the dtype, which returns a window.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `mdcts` has a dtype that it does not take, or `window_fn` is not callable.
        ValueError if `norm` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `mdcts` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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

    Args:
        stfts: the transforms of the frames.
        frame_length: the number of samples in a frame.
        frame_step: the number of samples from one frame to the next.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        window_fn: a function of the length and the dtype, which returns a window.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `window_fn` is not callable.
        ValueError if `stfts` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `stfts` does not fit, or `frame_length` or
            `frame_step` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def inverse_stft_window_fn(
    frame_step: IntLike,
    forward_window_fn: Callable[..., Any] = ...,
    name: str | None = None,
) -> Any:
    """Return a function that makes the window with which `inverse_stft` undoes a windowed
    `stft`.

    Args:
        frame_step: the number of samples from one frame to the next.
        forward_window_fn: the window of the forward transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError, when the result is called, if `frame_step` is no integer.
    """

def irfft(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor whose half spectrum (see rfft) over the last axis is given.
    `fft_length` is the shape of the result there; by default the last length is even.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def irfft2d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor whose half spectrum (see rfft2d) over the last 2 axes is given.
    `fft_length` is the shape of the result there; by default the last length is even.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def irfft3d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor whose half spectrum (see rfft3d) over the last 3 axes is given.
    `fft_length` is the shape of the result there; by default the last length is even.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.
    """

def irfftnd(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    axes: AxisLike = None,
    norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor with a half spectrum over `axes`.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit, or `axes` is out
            of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def kaiser_bessel_derived_window(
    window_length: IntLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the window whose squared halves add up to one, made from running sums of a Kaiser
    window.

    Args:
        window_length: the number of samples.
        beta: a factor: see above.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `window_length` or `dtype` has a type that it does not take.
        ValueError if `beta` has a type that it does not take.
    """

def kaiser_window(
    window_length: IntLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return a Kaiser window, the narrower the larger `beta` is.

    Args:
        window_length: the number of samples.
        beta: a factor: see above.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the length is negative.
    """

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

    Args:
        num_mel_bins: how many bands.
        num_spectrogram_bins: how many frequencies.
        sample_rate: samples per second.
        lower_edge_hertz: the lowest frequency.
        upper_edge_hertz: the highest frequency.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if a number of bins or a frequency is not positive.
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

    Args:
        signals: samples along the last axis.
        frame_length: the number of samples in a frame.
        window_fn: a function of the length and the dtype, which returns a window.
        pad_end: whether the last frames are padded.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `window_fn` is not callable.
        ValueError if `frame_length` is negative, or `norm` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `signals` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return mel-frequency cepstral coefficients: a cosine transform, scaled as HTK does.

    Args:
        log_mel_spectrograms: the logarithms of the bands' magnitudes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `log_mel_spectrograms` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `log_mel_spectrograms` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def overlap_and_add(signal: TensorLike, frame_step: IntLike, name: str | None = None) -> Tensor:
    """Return the signal [..., samples] in which frames [..., frames, frame_length] overlap and add
    up.

    Args:
        signal: samples along the last axis.
        frame_step: the number of samples from one frame to the next.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `signal` does not fit, or `frame_step` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rfft(input_tensor: TensorLike, fft_length: ShapeLike = None, name: str | None = None) -> Tensor:
    """Return the Fourier transform over the last axis of a real tensor: the frequencies from
    0 to half the length of the last axis. The input is cut off or padded to `fft_length`.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.signal.rfft(tf.constant([1.0, 1.0, 1.0, 1.0])).numpy()
        array([4.+0.j, 0.+0.j, 0.+0.j], dtype=complex64)
    """

def rfft2d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform over the last 2 axes of a real tensor: the frequencies from
    0 to half the length of the last axis. The input is cut off or padded to `fft_length`.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rfft3d(
    input_tensor: TensorLike,
    fft_length: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform over the last 3 axes of a real tensor: the frequencies from
    0 to half the length of the last axis. The input is cut off or padded to `fft_length`.

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
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

    Args:
        input_tensor: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        norm: None, or "ortho" for an orthogonal transform.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit, or `axes` is out
            of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
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

    Args:
        signals: samples along the last axis.
        frame_length: the number of samples in a frame.
        frame_step: the number of samples from one frame to the next.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        window_fn: a function of the length and the dtype, which returns a window.
        pad_end: whether the last frames are padded.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `window_fn` is not callable.
        tf.errors.InvalidArgumentError if the shape of `signals` does not fit, or `frame_length` or
            `frame_step` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def vorbis_window(
    window_length: IntLike,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the power-complementary window of the Vorbis codec.

    Args:
        window_length: the number of samples.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the length is negative.
    """
