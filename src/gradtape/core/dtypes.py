"""Element types with TensorFlow's names and methods, each a thin wrapper of a NumPy dtype."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np


class DType:
    """The type of a tensor's elements, such as `tf.float32`.

    Compares equal to the corresponding NumPy dtype, NumPy scalar type and name.
    """

    __slots__ = ("_kind", "_np", "name")

    def __init__(self, name: str, numpy_dtype: np.dtype, kind: str) -> None:
        self.name = name
        self._np = numpy_dtype
        self._kind = kind

    @property
    def as_numpy_dtype(self) -> type:
        """Return NumPy's scalar type."""
        return self._np.type

    @property
    def dtype(self) -> np.dtype:
        """Return the NumPy dtype.

        NumPy looks for this attribute, so that `np.zeros(3, tf.float32)` works.
        """
        return self._np

    @property
    def base_dtype(self) -> DType:
        """Return the type itself."""
        return self

    @property
    def real_dtype(self) -> DType:
        """Return the type of the real part."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def is_floating(self) -> bool:
        """Return whether it is a type of floating-point numbers."""
        return self._kind == "float"

    @property
    def is_complex(self) -> bool:
        """Return whether it is a type of complex numbers."""
        return self._kind == "complex"

    @property
    def is_integer(self) -> bool:
        """Return whether it is a type of integers."""
        return self._kind in ("int", "uint")

    @property
    def is_unsigned(self) -> bool:
        """Return whether it is a type of integers without sign."""
        return self._kind == "uint"

    @property
    def is_bool(self) -> bool:
        """Return whether it is the type of truth values."""
        return self._kind == "bool"

    @property
    def is_numeric(self) -> bool:
        """Return whether it is a type of numbers."""
        return self._kind in ("float", "complex", "int", "uint")

    @property
    def is_quantized(self) -> bool:
        """Return False."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """Return True: every type has an array of NumPy."""
        return True

    @property
    def is_differentiable(self) -> bool:
        """Return whether a tape can watch a tensor of this type."""
        return self._kind in ("float", "complex")

    @property
    def size(self) -> int:
        """Return the number of bytes of an element."""
        return self._np.itemsize if self._kind != "string" else 1

    @property
    def min(self) -> Any:
        """Return the smallest number of the type."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """Return the largest number of the type."""
        return self._limit("max")

    def _limit(self, which: str) -> int | np.generic:
        if self._kind == "float":
            return getattr(ml_dtypes.finfo(self._np), which)
        if self._kind in ("int", "uint"):
            return getattr(ml_dtypes.iinfo(self._np), which)
        raise TypeError(f"Cannot find {which}imum value of {self}.")

    @property
    def limits(self) -> tuple[Any, ...]:
        """Return the range of intensities in images: (0, 1) for floats, else (min, max)."""
        return (0, 1) if self.is_floating else (self.min, self.max)

    @property
    def as_datatype_enum(self) -> int:
        """Return TensorFlow's number of this type."""
        return _ENUMS[self.name]

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether another type is the same."""
        return self == as_dtype(other)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __int__(self) -> int:
        return self.as_datatype_enum


def _define(name: str, scalar: type, kind: str) -> DType:
    dtype = DType(name, np.dtype(scalar), kind)
    BY_NUMPY[dtype._np] = dtype
    BY_NAME[name] = dtype
    return dtype


BY_NUMPY: dict[np.dtype, DType] = {}
BY_NAME: dict[str, DType] = {}

float16 = _define("float16", np.float16, "float")
float32 = _define("float32", np.float32, "float")
float64 = _define("float64", np.float64, "float")
bfloat16 = _define("bfloat16", ml_dtypes.bfloat16, "float")
float8_e4m3fn = _define("float8_e4m3fn", ml_dtypes.float8_e4m3fn, "float")
float8_e5m2 = _define("float8_e5m2", ml_dtypes.float8_e5m2, "float")
int8 = _define("int8", np.int8, "int")
int16 = _define("int16", np.int16, "int")
int32 = _define("int32", np.int32, "int")
int64 = _define("int64", np.int64, "int")
int4 = _define("int4", ml_dtypes.int4, "int")
uint4 = _define("uint4", ml_dtypes.uint4, "uint")
uint8 = _define("uint8", np.uint8, "uint")
uint16 = _define("uint16", np.uint16, "uint")
uint32 = _define("uint32", np.uint32, "uint")
uint64 = _define("uint64", np.uint64, "uint")
complex64 = _define("complex64", np.complex64, "complex")
complex128 = _define("complex128", np.complex128, "complex")
bool_ = _define("bool", np.bool_, "bool")
# Strings are object arrays of `bytes`, as TensorFlow's `numpy()` returns them.
string = _define("string", np.object_, "string")

half, double = float16, float64

# The numbers that TensorFlow's DataType enumeration gives these types.
_ENUMS = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "string": 7,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
    "float8_e5m2": 24,
    "float8_e4m3fn": 25,
    "int4": 29,
    "uint4": 30,
}

_ALIASES = {"half": float16, "double": float64, "float": float32, "int": int32, "str": string}
_PYTHON_TYPES: dict[Any, DType] = {
    float: float32,
    int: int32,
    bool: bool_,
    complex: complex128,
    str: string,
    bytes: string,
    object: string,
}


def as_dtype(type_value: Any) -> DType:
    """Convert a DType, a NumPy dtype or scalar type, a Python type, or a name to a `DType`."""
    value = type_value
    if value is None:
        raise TypeError("Cannot convert the argument `type_value`: None to a TensorFlow DType.")
    if type(value) is DType:
        return value
    if isinstance(value, np.dtype):
        return from_numpy(value)
    if isinstance(value, str):
        match = BY_NAME.get(value) or _ALIASES.get(value)
        if match is not None:
            return match
    if isinstance(value, int) and not isinstance(value, bool):
        for name, number in _ENUMS.items():
            if number == value:
                return BY_NAME[name]
    # TensorFlow's own dtypes have the NumPy type as an attribute.
    value = getattr(value, "as_numpy_dtype", value)
    try:
        if value in _PYTHON_TYPES:
            return _PYTHON_TYPES[value]
        return from_numpy(np.dtype(value))  # pyright: ignore[reportArgumentType, reportCallIssue] (whatever it is, NumPy decides)
    except (TypeError, ValueError, SyntaxError):  # NumPy parses texts with commas
        pass
    raise TypeError(
        f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType."
    )


def from_numpy(dtype: np.dtype) -> DType:
    """Return the `DType` of a NumPy dtype, whatever its byte order or string length."""
    match = BY_NUMPY.get(dtype)
    if match is not None:
        return match
    if not isinstance(dtype, np.dtype):
        raise TypeError(f"Cannot convert {dtype!r} to a TensorFlow DType: it is no NumPy dtype.")
    if dtype.kind in "US":
        return string
    match = BY_NUMPY.get(dtype.newbyteorder("="))
    if match is None:
        raise TypeError(f"Cannot convert NumPy dtype {dtype} to a TensorFlow DType.")
    return match


DIFFERENTIABLE = frozenset(d.dtype for d in BY_NAME.values() if d.is_differentiable)


def is_differentiable(numpy_dtype: np.dtype) -> bool:
    """Return whether gradients flow through arrays of this NumPy dtype."""
    return numpy_dtype in DIFFERENTIABLE


def how_to_match(x: DType, y: DType) -> str:
    """Return the advice that gives two operands the same dtype, without losing what either holds.

    An integer is converted to the other's floating point, as everybody does it, although a float32
    has fewer digits than an int32.
    """
    if string in (x, y):
        return "Convert with tf.strings.to_number(x) or tf.strings.as_string(x)."
    try:
        common = from_numpy(np.promote_types(x.dtype, y.dtype))
    except TypeError:  # NumPy does not know: of two small types, such as float16 and bfloat16
        common = int64 if x.is_integer and y.is_integer else float32
    for ordinal, name, own, other in (("first", "x", x, y), ("second", "y", y, x)):
        is_count = not (own.is_floating or own.is_complex)
        if common is other or (is_count and (other.is_floating or other.is_complex)):
            is_public = other.dtype.isbuiltin == 1 or other is bfloat16
            written = f"tf.{other.name}" if is_public else repr(other.name)
            return f"Convert the {ordinal}: tf.cast({name}, {written})."
    return f"Convert both: tf.cast(x, tf.{common.name}) and tf.cast(y, tf.{common.name})."
