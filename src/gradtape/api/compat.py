"""`tf.compat`, `tf.version` and other words of the language rather than of the calculus."""

from __future__ import annotations

import numbers
import os

import numpy as np

from gradtape.api.export import export
from gradtape.core.errors import OpError
from gradtape.core.shape import TensorShape

export("compat.bytes_or_text_types")((bytes, str))
export("compat.complex_types")((numbers.Complex, np.number))
export("compat.integral_types")((numbers.Integral, np.integer))
export("compat.real_types")((numbers.Real, np.integer, np.floating))

# The version of TensorFlow whose names and numbers gradtape follows: programs compare with it.
export("version.VERSION")("2.21.0")
export("version.GIT_VERSION")("gradtape")
export("version.COMPILER_VERSION")("")
export("version.GRAPH_DEF_VERSION", "version.GRAPH_DEF_VERSION_MIN_CONSUMER",
       "version.GRAPH_DEF_VERSION_MIN_PRODUCER")(0)  # fmt: skip


@export("compat.as_bytes")
def as_bytes(bytes_or_text, encoding="utf-8") -> bytes:
    """Text or bytes, as bytes."""
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text, encoding="utf-8") -> str:
    """Text or bytes, as text."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export("compat.as_str_any")
def as_str_any(value, encoding="utf-8") -> str:
    """Anything as text."""
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


@export("compat.path_to_str")
def path_to_str(path):
    """A path object as text; anything else as it is."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


@export("compat.dimension_value")
def dimension_value(dimension):
    """A size as a plain integer, or None."""
    return getattr(dimension, "value", dimension)


@export("compat.dimension_at_index")
def dimension_at_index(shape, index):
    """One size of a shape."""
    shape = TensorShape(shape)
    return None if shape.rank is None else shape[index]


@export("compat.forward_compatible")
def forward_compatible(year, month, day) -> bool:
    """True: there is no older program to be compatible with."""
    return True


class _Horizon:
    def __enter__(self):
        return None

    def __exit__(self, *exception) -> None:
        return None


@export("compat.forward_compatibility_horizon")
def forward_compatibility_horizon(year, month, day) -> _Horizon:
    """A block for which nothing changes."""
    return _Horizon()


@export("errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(TypeError):
    """A Python operator on a symbolic tensor. It is never raised: tensors have values."""


@export("RegisterGradient")
class RegisterGradient:
    """Refused: gradients belong to ops, and ops are gradtape's own."""

    def __init__(self, op_type) -> None:
        raise NotImplementedError(
            f"tf.RegisterGradient({op_type!r}): gradients are not registered by the names of ops. "
            "Give a function its own gradient with @tf.custom_gradient."
        )


@export("no_gradient")
def no_gradient(op_type) -> None:
    """Refused, as `RegisterGradient` is."""
    raise NotImplementedError(
        f"tf.no_gradient({op_type!r}): gradients are not registered by the names of ops. Use "
        "tf.stop_gradient in the function."
    )


def error_code_of(exception_type) -> int:
    """The number of an exception class of `tf.errors`."""
    if not (isinstance(exception_type, type) and issubclass(exception_type, OpError)):
        raise ValueError(f"{exception_type!r} is no class of tf.errors")
    return exception_type.code
