"""`tf.signal`, the transforms: Fourier over the last axes or chosen ones, and cosine."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.convert import static_value, to_tensor, to_tensor_hinted
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.tensor import Tensor

# --- arguments -----------------------------------------------------------------------------------


def whole_number(op: str, name: str, value) -> int:
    """Return an argument that must be one integer, as an int."""
    value = np.asarray(static_value(value))
    if value.ndim:
        raise ValueError(f"{op}: {name} must be a scalar, got shape {list(value.shape)}.")
    if value.dtype.kind not in "iu":
        raise TypeError(f"{op}: {name} must be an integer, got {value.item()!r}.")
    return int(value)


def with_rank(op: str, x, rank: int):
    if len(x.shape) < rank:
        raise ShapeError(
            f"{op}: Input must have rank of at least {rank} but got: {list(x.shape)} [Op:{op}]"
        )
    return x


def _complex_input(op: str, value):
    is_complex = isinstance(value, np.ndarray) and value.dtype.kind == "c"
    x = to_tensor(value) if is_complex else to_tensor_hinted(value, dtypes.complex64)
    if not x.dtype.is_complex:
        raise DTypeError(
            f"{op}: the input must be complex64 or complex128, got a tensor of dtype "
            f"{x.dtype.name} and shape {x.shape}. Convert it with tf.cast(x, tf.complex64), or use "
            f"tf.signal.r{op.lower()} for real signals. [Op:{op}]"
        )
    return x


def _real_input(op: str, value):
    x = to_tensor_hinted(value, dtypes.float32)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise ValueError(
            f"{op}: RFFT requires tf.float32 or tf.float64 inputs, got a tensor of dtype "
            f"{x.dtype.name} and shape {x.shape}. Convert it with tf.cast."
        )
    return x


def _half_input(op: str, value):
    x = to_tensor_hinted(value, dtypes.complex64)
    if not x.dtype.is_complex:
        raise ValueError(
            f"{op}: IRFFT requires tf.complex64 or tf.complex128 inputs, got a tensor of dtype "
            f"{x.dtype.name} and shape {x.shape}. Convert it with tf.cast."
        )
    return x


def _lengths(op: str, fft_length, count: int) -> tuple[int, ...]:
    if np.ndim(static_value(fft_length)) != 1:
        raise TypeError(
            f"{op}: fft_length must be a vector of {count} integers, got {fft_length!r}."
        )
    lengths = ops.static_shape(fft_length, op)
    if len(lengths) != count:
        raise ShapeError(
            f"{op}: fft_length must have shape [{count}], an entry for each axis, got "
            f"{list(lengths)}. [Op:{op}]"
        )
    for i, n in enumerate(lengths):
        if n < 0:
            raise ShapeError(f"{op}: fft_length[{i}] must be >= 0, but got: {n} [Op:{op}]")
    return lengths


# --- Fourier transforms --------------------------------------------------------------------------


def _half(length: int) -> int:
    return length // 2 + 1 if length else 0


def _real_transform(op, x, axes, fft_length):
    """Return the half spectrum over `axes`, x being cut off or padded to `fft_length` first."""
    if fft_length is not None:
        x = ops.fit(x, axes, _lengths(op, fft_length, len(axes)))
    return ops.rfft(x, axes)


def _inverse_real_transform(op, x, axes, fft_length):
    lengths = [x.shape[a] for a in axes]
    lengths[-1] = max(0, 2 * (lengths[-1] - 1))
    if fft_length is not None:
        lengths = list(_lengths(op, fft_length, len(axes)))
    x = ops.fit(x, axes, (*lengths[:-1], _half(lengths[-1])))
    return ops.irfft(x, axes, lengths[-1])


def _last_axes(x, count: int) -> tuple[int, ...]:
    rank = len(x.shape)
    return tuple(range(rank - count, rank))


def _define_transforms(suffix: str, count: int) -> tuple:
    """Define the four transforms over the last `count` axes: fft, ifft, rfft, irfft."""
    over = "the last axis" if count == 1 else f"the last {count} axes"
    upper = suffix.upper()

    def fft(input, name=None) -> Tensor:
        x = with_rank(f"FFT{upper}", _complex_input(f"FFT{upper}", input), count)
        return ops.fft(x, _last_axes(x, count))

    def ifft(input, name=None) -> Tensor:
        x = with_rank(f"IFFT{upper}", _complex_input(f"IFFT{upper}", input), count)
        return ops.fft(x, _last_axes(x, count), inverse=True)

    def rfft(input_tensor, fft_length=None, name=None) -> Tensor:
        op = f"RFFT{upper}"
        x = with_rank(op, _real_input(op, input_tensor), count)
        return _real_transform(op, x, _last_axes(x, count), fft_length)

    def irfft(input_tensor, fft_length=None, name=None) -> Tensor:
        op = f"IRFFT{upper}"
        x = with_rank(op, _half_input(op, input_tensor), count)
        return _inverse_real_transform(op, x, _last_axes(x, count), fft_length)

    fft.__doc__ = f"Return the discrete Fourier transform over {over} of a complex tensor."
    ifft.__doc__ = f"Return the inverse discrete Fourier transform over {over} of a complex tensor."
    rfft.__doc__ = (
        f"Return the Fourier transform over {over} of a real tensor: the frequencies from\n    "
        "0 to half the length of the last axis. The input is cut off or padded to `fft_length`."
    )
    irfft.__doc__ = (
        f"Return the real tensor whose half spectrum (see rfft{suffix}) over {over} is given.\n    "
        "`fft_length` is the shape of the result there; by default the last length is even."
    )
    for function in (fft, ifft, rfft, irfft):
        function.__name__ = function.__qualname__ = f"{function.__name__}{suffix}"
        export(f"signal.{function.__name__}")(function)
    return fft, ifft, rfft, irfft


fft, ifft, rfft, irfft = _define_transforms("", 1)
_define_transforms("2d", 2)
_define_transforms("3d", 3)


def _several_axes(op: str, x, axes) -> tuple[int, ...]:
    rank = len(x.shape)
    if axes is None:
        return tuple(range(rank))
    axes = tuple([ops.normalize_axis(op, a, rank) for a in np.atleast_1d(static_value(axes))])
    if len({*axes}) != len(axes):
        raise ShapeError(f"{op}: axes {list(axes)} name the same axis twice. [Op:{op}]")
    return axes


def _scale(op: str, norm, size: int, inverse: bool) -> float:
    """Return the factor that a norm adds to transforms of which the inverse divides by the size."""
    if norm in (None, "backward"):
        return 1.0
    if norm not in ("forward", "ortho"):
        raise ValueError(
            f"{op}: norm must be 'backward', 'ortho', 'forward' or None, got {norm!r}."
        )
    factor = float(size) if norm == "forward" else math.sqrt(size)
    return factor if inverse else 1 / max(factor, 1.0)


def _over_axes(op: str, x, fft_length, axes, norm):
    """Return the four transforms over chosen axes: the lengths are those of `axes`, in their
    order."""
    inverse, is_real = "I" in op, "R" in op
    axes = _several_axes(op, with_rank(op, x, 1), axes)
    if not axes:
        raise ShapeError(f"{op}: at least one axis is wanted, got axes = []. [Op:{op}]")
    if not is_real:
        if fft_length is not None:
            x = ops.fit(x, axes, _lengths(op, fft_length, len(axes)))
        y = ops.fft(x, axes, inverse)
    elif inverse:
        y = _inverse_real_transform(op, x, axes, fft_length)
    else:
        y = _real_transform(op, x, axes, fft_length)
    real = y if is_real and inverse else x
    if fft_length is not None:
        size = math.prod(_lengths(op, fft_length, len(axes)))
    else:
        size = math.prod([real.shape[a] for a in axes])
    scale = _scale(op, norm, size, inverse)
    return y if scale == 1.0 else y * scale


@export("signal.fftnd")
def fftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes` (all of them, if None)."""
    return _over_axes("FFTND", _complex_input("FFTND", input_tensor), fft_length, axes, norm)


@export("signal.ifftnd")
def ifftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes` (all of them, if
    None)."""
    return _over_axes("IFFTND", _complex_input("IFFTND", input_tensor), fft_length, axes, norm)


@export("signal.rfftnd")
def rfftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None) -> Tensor:
    """Return the half spectrum of a real tensor over `axes`; it is the last of them that is
    halved."""
    return _over_axes("RFFTND", _real_input("RFFTND", input_tensor), fft_length, axes, norm)


@export("signal.irfftnd")
def irfftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None) -> Tensor:
    """Return the real tensor with a half spectrum over `axes`."""
    return _over_axes("IRFFTND", _half_input("IRFFTND", input_tensor), fft_length, axes, norm)


@export("fftnd")
def _raw_fftnd(input, fft_length, axes, name=None) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes`, to the lengths given for
    them."""
    return fftnd(input, fft_length, axes)


@export("ifftnd")
def _raw_ifftnd(input, fft_length, axes, name=None) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes`."""
    return ifftnd(input, fft_length, axes)


@export("rfftnd")
def _raw_rfftnd(input, fft_length, axes, Tcomplex=dtypes.complex64, name=None) -> Tensor:
    """Return the half spectrum of a real tensor over `axes`, in the dtype `Tcomplex`."""
    return ops.cast(rfftnd(input, fft_length, axes), Tcomplex)


@export("irfftnd")
def _raw_irfftnd(input, fft_length, axes, Treal=dtypes.float32, name=None) -> Tensor:
    """Return the real tensor with a half spectrum over `axes`, in the dtype `Treal`."""
    return ops.cast(irfftnd(input, fft_length, axes), Treal)


def _shift(op: str, x, axes, sign: int):
    x = to_tensor(x)
    axes = _several_axes(op, x, axes)
    return ops.roll(x, [sign * (x.shape[a] // 2) for a in axes], list(axes)) if axes else x


@export("signal.fftshift")
def fftshift(x, axes=None, name=None) -> Tensor:
    """Return x with frequency 0 in the middle of `axes` (of all of them, if None)."""
    return _shift("fftshift", x, axes, 1)


@export("signal.ifftshift")
def ifftshift(x, axes=None, name=None) -> Tensor:
    """Return the inverse of `fftshift`."""
    return _shift("ifftshift", x, axes, -1)


# --- cosine transforms ---------------------------------------------------------------------------


def _phases(count: int, sign: int, dtype) -> Tensor:
    """Return exp(± i π k / 2n) for k below n: shifts a transform of length 2n by half a sample."""
    turn = np.exp(sign * 0.5j * np.pi * np.arange(count) / max(count, 1))
    return Tensor(turn.astype(np.dtype(f"c{2 * dtype.size}")))


def _first_and_rest(first: float, rest: float, count: int, dtype) -> Tensor:
    weights = np.full(count, rest, dtype.as_numpy_dtype)
    weights[:1] = first
    return Tensor(weights)


def _dct(x, kind: int, norm):
    axis, n = len(x.shape) - 1, x.shape[-1]
    if kind == 1:
        mirrored = ops.slice_along(x, axis, -2, 0, -1)
        return ops.real(ops.rfft(ops.concat([x, mirrored], axis), (axis,)))
    if not n:
        return x
    if kind == 2:
        spectrum = ops.rfft(ops.fit(x, (axis,), (2 * n,)), (axis,))
        y = 2.0 * ops.real(ops.fit(spectrum, (axis,), (n,)) * _phases(n, -1, x.dtype))
        if norm:
            y = y * _first_and_rest(0.5 / math.sqrt(n), math.sqrt(0.5 / n), n, x.dtype)
        return y
    if kind == 3:
        if norm:
            x = x * _first_and_rest(2 * math.sqrt(n), math.sqrt(2 * n), n, x.dtype)
        else:
            x = x * (2.0 * n)
        spectrum = ops.complex(x, ops.zeros_like(x)) * _phases(n, 1, x.dtype)
        y = ops.irfft(ops.fit(spectrum, (axis,), (n + 1,)), (axis,), 2 * n)
        return ops.fit(y, (axis,), (n,))
    y = ops.slice_along(_dct(ops.fit(x, (axis,), (2 * n,)), 2, None), axis, 1, None, 2)
    return y * math.sqrt(0.5 / n) if norm else y


def _cosine_transform(op: str, input, kind, n, axis, norm, types):
    if axis != -1:
        raise NotImplementedError(
            f"{op}: axis must be -1. Got: {axis}. Move the axis to the end with tf.transpose."
        )
    if n is not None and n < 1:
        raise ValueError(f"{op}: n should be a positive integer or None, got {n}.")
    if kind not in types:
        raise ValueError(f"{op}: Types I, II, III and IV (I)DCT are supported, got type={kind!r}.")
    if norm not in (None, "ortho"):
        raise ValueError(f"{op}: Unknown normalization. Expected None or 'ortho', got: {norm}")
    x = to_tensor(input)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(
            f"{op}: the input must be float32 or float64, got a tensor of dtype {x.dtype.name} and "
            f"shape {x.shape}. Convert it with tf.cast."
        )
    with_rank(op, x, 1)
    if kind == 1 and norm:
        raise ValueError(f"{op}: Normalization is not supported for the Type-I DCT.")
    if kind == 1 and x.shape[-1] < 2:
        raise ValueError(f"{op}: Type-I DCT requires the dimension to be greater than one.")
    if n is not None:
        x = ops.fit(x, (len(x.shape) - 1,), (whole_number(op, "n", n),))
    return _dct(x, types[kind], norm)


@export("signal.dct")
def dct(input, type=2, n=None, axis=-1, norm=None, name=None) -> Tensor:
    """Return the discrete cosine transform (type 1, 2, 3 or 4) over the last axis, cut or padded to
    n."""
    return _cosine_transform("dct", input, type, n, axis, norm, {1: 1, 2: 2, 3: 3, 4: 4})


@export("signal.idct")
def idct(input, type=2, n=None, axis=-1, norm=None, name=None) -> Tensor:
    """Return the inverse of `dct`: exactly with norm='ortho', else up to the factor 2n."""
    return _cosine_transform("idct", input, type, n, axis, norm, {1: 1, 2: 3, 3: 2, 4: 4})
