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

# The version of TensorFlow whose names and numbers gradtape follows: programs compare with it,
# and take its three plain numbers apart with split(".") and int.
VERSION = "2.21.0"
export("version.VERSION")(VERSION)
export("version.GIT_VERSION")("gradtape")
export("version.COMPILER_VERSION")("")
export(
    "version.GRAPH_DEF_VERSION",
    "version.GRAPH_DEF_VERSION_MIN_CONSUMER",
    "version.GRAPH_DEF_VERSION_MIN_PRODUCER",
)(0)


@export("compat.as_bytes")
def as_bytes(bytes_or_text, encoding="utf-8") -> bytes:
    """Convert text or bytes to bytes."""
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text, encoding="utf-8") -> str:
    """Convert text or bytes to text."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@export("compat.as_str_any")
def as_str_any(value, encoding="utf-8") -> str:
    """Convert anything to text."""
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


@export("compat.path_to_str")
def path_to_str(path):
    """Convert a path object to text; return anything else unchanged."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


@export("compat.dimension_value")
def dimension_value(dimension):
    """Return a size as a plain integer, or None."""
    return getattr(dimension, "value", dimension)


@export("compat.dimension_at_index")
def dimension_at_index(shape, index):
    """Return one size of a shape."""
    shape = TensorShape(shape)
    return None if shape.rank is None else shape[index]


@export("compat.forward_compatible")
def forward_compatible(year, month, day) -> bool:
    """Return True: there is no older program to be compatible with."""
    return True


class _Horizon:
    def __enter__(self):
        return None

    def __exit__(self, *exception) -> None:
        return None


@export("compat.forward_compatibility_horizon")
def forward_compatibility_horizon(year, month, day) -> _Horizon:
    """Open a block for which nothing changes."""
    return _Horizon()


@export("errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(TypeError):
    """A Python operator on a symbolic tensor. gradtape does not raise it: a function whose trace
    needs a value runs eagerly instead."""


@export("RegisterGradient")
class RegisterGradient:
    """Raises: gradients belong to ops, and ops are gradtape's own."""

    def __init__(self, op_type) -> None:
        raise NotImplementedError(
            f"tf.RegisterGradient({op_type!r}): gradients are not registered by the names of ops. "
            "Give a function its own gradient with @tf.custom_gradient."
        )


@export("no_gradient")
def no_gradient(op_type) -> None:
    """Raise the error that `RegisterGradient` raises."""
    raise NotImplementedError(
        f"tf.no_gradient({op_type!r}): gradients are not registered by the names of ops. Use "
        "tf.stop_gradient in the function."
    )


def error_code_of(exception_type) -> int:
    """Return the error code of an exception class of `tf.errors`."""
    if not (isinstance(exception_type, type) and issubclass(exception_type, OpError)):
        raise ValueError(f"{exception_type!r} is no class of tf.errors")
    return exception_type.code
