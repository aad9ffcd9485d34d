"""Fourier and cosine transforms."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import normal

case = CaseList()


def real_by_complex(tf, x):
    """The real transform in three dimensions as half of the complex one."""
    return tf.signal.fft3d(tf.complex(x, tf.zeros_like(x)))[..., : x.shape[-1] // 2 + 1]


SHAPES = {"": (5,), "2d": (3, 4), "3d": (2, 3, 4)}
for rank, shape in SHAPES.items():
    for dtype in ("complex64", "complex128"):
        for name in (f"fft{rank}", f"ifft{rank}"):
            case(f"{name}_{dtype}", call(f"signal.{name}"), x=normal(*shape, dtype=dtype))
            case(
                f"{name}_batched_{dtype}", call(f"signal.{name}"), x=normal(2, *shape, dtype=dtype)
            )
    for dtype, complex_dtype in (("float32", "complex64"), ("float64", "complex128")):
        # In three dimensions TensorFlow has the gradient of the complex transforms only.
        half = real_by_complex if rank == "3d" else None
        case(
            f"rfft{rank}_{dtype}",
            call(f"signal.rfft{rank}"),
            reference=half,
            x=normal(*shape, dtype=dtype),
        )
        wrt = "" if rank == "3d" else None
        case(
            f"irfft{rank}_{dtype}",
            call(f"signal.irfft{rank}"),
            wrt=wrt,
            x=normal(*shape, dtype=complex_dtype),
        )
    if rank != "3d":
        case(
            f"irfft{rank}_of_rfft",
            lambda tf, x, r=rank: getattr(tf.signal, f"irfft{r}")(
                getattr(tf.signal, f"rfft{r}")(x)
            ),
            x=normal(*shape[:-1], 4),
        )
for length in (3, 4, 8):
    # The gradients of transforms that cut the input off need the cut in words in TensorFlow.
    case(
        f"rfft_length_{length}",
        call("signal.rfft", fft_length=[length]),
        reference=lambda tf, x, n=length: tf.signal.rfft(x[:, :n], fft_length=[n]),
        x=normal(2, 5),
    )
    case(
        f"irfft_length_{length}",
        call("signal.irfft", fft_length=[length]),
        reference=lambda tf, x, n=length: tf.signal.irfft(x[:, : n // 2 + 1], fft_length=[n]),
        x=normal(2, 4, dtype="complex64"),
    )
case("rfft_even", call("signal.rfft"), x=normal(6, dtype="float64"))
case("rfft2d_length", call("signal.rfft2d", fft_length=[4, 6]), x=normal(3, 5))
case(
    "irfft2d_length", call("signal.irfft2d", fft_length=[3, 5]), x=normal(3, 3, dtype="complex128")
)
case("fft_magnitudes", lambda tf, x: tf.abs(tf.signal.fft(tf.cast(x, tf.complex64))), x=normal(6))
case(
    "power_spectrum", lambda tf, x: tf.abs(tf.signal.rfft(x)) ** 2, x=normal(2, 6, dtype="float64")
)
case(
    "convolution_theorem",
    lambda tf, x, y: tf.signal.irfft(tf.signal.rfft(x) * tf.signal.rfft(y)),
    x=normal(6, dtype="float64"),
    y=normal(6, dtype="float64"),
)
for name in ("fftshift", "ifftshift"):
    case(name, call(f"signal.{name}"), x=normal(5))
    case(f"{name}_two_axes", call(f"signal.{name}"), x=normal(3, 4))
    case(f"{name}_one_axis", call(f"signal.{name}", axes=1), x=normal(3, 4))
    case(f"{name}_complex", call(f"signal.{name}", axes=[0]), x=normal(4, 2, dtype="complex64"))
# TensorFlow has no kernels of the transforms over chosen axes for the CPU.
for name in ("fft", "ifft"):
    case(
        f"{name}nd",
        call(f"signal.{name}nd"),
        reference=call(f"signal.{name}2d"),
        x=normal(3, 4, dtype="complex64"),
    )
    case(
        f"{name}nd_axis",
        call(f"signal.{name}nd", axes=[0], fft_length=[3]),
        reference=lambda tf, x, n=name: tf.transpose(getattr(tf.signal, n)(tf.transpose(x))),
        x=normal(3, 4, dtype="complex64"),
    )
case(
    "rfftnd",
    call("signal.rfftnd", fft_length=[3, 4], axes=[0, 1]),
    reference=call("signal.rfft2d"),
    x=normal(3, 4),
)
case(
    "irfftnd",
    call("signal.irfftnd", fft_length=[3, 4], axes=[0, 1]),
    reference=call("signal.irfft2d", [3, 4]),
    x=normal(3, 3, dtype="complex64"),
)

for kind in (1, 2, 3, 4):
    for norm in (None, "ortho"):
        if kind == 1 and norm:
            continue
        label = f"{kind}{'_ortho' if norm else ''}"
        for dtype in ("float32", "float64"):
            case(
                f"dct_{label}_{dtype}",
                call("signal.dct", type=kind, norm=norm),
                x=normal(2, 6, dtype=dtype),
            )
            case(
                f"idct_{label}_{dtype}",
                call("signal.idct", type=kind, norm=norm),
                x=normal(2, 6, dtype=dtype),
            )
for length in (4, 8):
    case(f"dct_length_{length}", call("signal.dct", n=length), x=normal(6))
case(
    "dct_round_trip",
    lambda tf, x: tf.signal.idct(tf.signal.dct(x, norm="ortho"), norm="ortho"),
    x=normal(6),
)
