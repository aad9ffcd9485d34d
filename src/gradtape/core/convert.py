"""Conversion of Python and NumPy values to tensors, by TensorFlow's rules."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.core import dtypes
from gradtape.core.brief import brief
from gradtape.core.dtypes import BY_NUMPY, DType
from gradtape.core.errors import DTypeError
from gradtape.core.placement import placed
from gradtape.core.sequences import (
    TEXT,
    array_of_plain_numbers,
    as_bytes,
    as_lists,
    bytes_array,
    check_depth,
    is_sequence,
    leaves_of,
    rectangular,
    scalar_types,
    with_list_dtype,
)
from gradtape.core.shape import Dimension, TensorShape, plain_sizes
from gradtape.core.size import Size, is_open
from gradtape.core.size_tensors import size_tensor
from gradtape.core.tensor import Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import Array, TensorLike

# The smallest dtypes of Python's numbers: truth values are integers, too.
_PYTHON_DTYPES = {bool: dtypes.bool_, int: dtypes.int32, float: dtypes.float32}
# Functions that read types that hold a tensor (variables), by exact type: the fast path.
READERS: dict[type, Callable[..., Any]] = {}
_conversions: list[Any] = []  # (priority, types, function(value, dtype, name, as_ref)), in order
_packers: list[Callable[..., Any]] = []  # [0] stacks a list of tensors (see set_packer)


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Any, priority: int = 100
) -> None:
    """Register a function that converts values of a type to tensors."""
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    # Whatever is wrong here would make every later conversion fail.
    if not all(isinstance(each, type) for each in types):
        raise TypeError(f"base_type must be a type or a tuple of types, got {brief(base_type)}.")
    if any(issubclass(each, (int, float, np.generic, np.ndarray)) for each in types):
        raise TypeError(
            "Cannot register conversions for Python's numbers, NumPy's scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError(f"conversion_func must be callable, got {brief(conversion_func)}.")
    if not isinstance(priority, (int, float)):
        raise TypeError(f"priority must be a number, got {brief(priority)}.")
    _conversions.append((priority, base_type, conversion_func))
    _conversions.sort(key=lambda entry: entry[0])
    for each in types:  # a kind of variable is not read as ours are
        if any(base in READERS for base in each.__mro__[1:]):
            READERS[each] = lambda x, d=None: conversion_func(x, dtype=d, name=None, as_ref=False)


def _wrong_dtype(value: Tensor, dtype: DType) -> ValueError:
    return ValueError(
        f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
        f"{value.dtype.name}: {brief(value)}. Use tf.cast(x, tf.{dtype.name})."
    )


def to_tensor(value: Any, dtype: DType | None = None, name: str = "value") -> Tensor:
    """Convert a value to a tensor. Tensors are returned unchanged, variables are read."""
    kind = type(value)
    if kind is Tensor:
        if dtype is None or BY_NUMPY[value._data.dtype] is dtype:
            return value
        raise _wrong_dtype(value, dtype)
    if kind in READERS:
        return READERS[kind](value, dtype)
    if isinstance(value, Tensor):  # a tensor inside vmap
        if dtype is not None and value.dtype is not dtype:
            raise _wrong_dtype(value, dtype)
        return value
    as_tensor = getattr(value, "__tf_tensor__", None)
    if as_tensor is not None and not isinstance(value, type):
        return _own(as_tensor(dtype), dtype)
    for _, base_type, convert in _conversions:
        if isinstance(value, base_type):
            result = convert(value, dtype=dtype, name=name, as_ref=False)
            if result is not NotImplemented:
                return result
    if kind is list or kind is tuple:
        array = array_of_plain_numbers(value, None if dtype is None else dtype.dtype)
        if array is not None:
            return placed(Tensor(array))
    elif kind is float or kind is int:
        return placed(Tensor(to_array(value, None if dtype is None else dtype.dtype)))
    if kind is Size:
        return size_tensor(value, dtype)
    if type(value) is TensorShape:  # the one of a scalar is no list of floats
        return to_tensor(list(value), dtype or (None if len(value) else dtypes.int32), name)
    if is_sequence(kind):
        return to_tensor(as_lists(value), dtype, name)
    if isinstance(value, (list, tuple)):
        leaves = list(leaves_of(value))
        if any(map(is_sequence, set(map(type, leaves)))):
            return to_tensor(as_lists(value), dtype, name)
        if any(map(is_tensor_like, leaves)):
            return _packers[0](value, dtype)
        if is_open(value) and all(type(leaf) in (int, Size) for leaf in leaves):
            return size_tensor(value, dtype)
    return placed(Tensor(to_array(value, None if dtype is None else dtype.dtype)))


def to_tensor_hinted(value: TensorLike, dtype_hint: DType) -> Tensor:
    """Convert a value to a tensor, of dtype `dtype_hint` unless it is a tensor or does not fit."""
    if not is_tensor_like(value):
        try:
            return to_tensor(value, dtype_hint)
        except (TypeError, ValueError):
            pass
    return to_tensor(value)


def _own(result: Any, dtype: DType | None) -> Tensor:
    """Convert the result of `__tf_tensor__`; TensorFlow's tensors return themselves."""
    if isinstance(result, Tensor):
        return result
    if type(result) in READERS:
        return READERS[type(result)](result, dtype)
    return Tensor(to_array(result, None if dtype is None else dtype.dtype))


def set_packer(function: Callable[..., Any]) -> None:
    """Set the function that stacks a (nested) list of tensors, with ops that tapes see."""
    _packers[:] = [function]


class _Numbers(dict[Any, Any]):
    """Python numbers as tensors, cached by (value, its type, dtype).

    A subclass of dict, because a lookup is then no Python call.
    """

    def __missing__(self, key: tuple[Any, ...]) -> Tensor:
        value, kind, dtype = key
        made = Tensor(to_array(value, dtype))
        # 0.0 and -0.0 are equal, so that neither can have an entry.
        if (value or kind is int) and len(self) < 4096:
            self[key] = made
        return made


NUMBERS_AS_TENSORS = _Numbers()


def number_as_tensor(value: float, dtype: np.dtype) -> Tensor:
    """Return a Python number as a tensor of this dtype, from the cache where it has one."""
    return NUMBERS_AS_TENSORS[value, type(value), dtype]


def operands(op: str, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert the two operands of an arithmetic op to tensors of one dtype.

    Tensors and variables decide the dtype; Python and NumPy values adapt to it.
    """
    if type(x) in READERS:
        x = READERS[type(x)](x)
    if type(y) in READERS:
        y = READERS[type(y)](y)
    if type(x) is Tensor:
        if type(y) is float or type(y) is int:
            return x, number_as_tensor(y, x._data.dtype)
    elif isinstance(y, Tensor) and (type(x) is float or type(x) is int):
        return number_as_tensor(x, y._data.dtype), y
    elif isinstance(x, Tensor) and (type(y) is float or type(y) is int):
        return x, number_as_tensor(y, x._data.dtype)
    if type(x) is not Tensor:
        if is_tensor_like(x):
            x = to_tensor(x)
        elif is_tensor_like(y):
            y = to_tensor(y)
            x = to_tensor(x, _adapted(x, y.dtype))
        else:
            x = to_tensor(x)
            y = to_tensor(y, _adapted(y, x.dtype))
    if type(y) is not Tensor:
        y = to_tensor(y) if is_tensor_like(y) else to_tensor(y, _adapted(y, x.dtype))
    check_same_dtype(op, x, y)
    return x, y


def _adapted(value: Any, dtype: DType) -> DType | None:
    """Return the dtype to convert `value` to when the other operand is a tensor of `dtype`.

    Text keeps its own dtype (None). An array is cast only if that loses no fractions; otherwise the
    program has to cast it.
    """
    if isinstance(value, (str, bytes)) and dtype is not dtypes.string:
        return None
    if dtype.is_integer and isinstance(value, (np.ndarray, np.floating)):
        array = np.asarray(value)
        if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
            raise TypeError(
                f"Cannot convert {brief(value)} to EagerTensor of dtype {dtype.name}: fractions "
                "would be lost. Convert the tensor with tf.cast, or the array with array.astype."
            )
    return dtype


def check_same_dtype(op: str, x: Any, y: Any) -> None:
    if x.dtype is not y.dtype:
        raise DTypeError(
            f"cannot compute {op} as input #1(zero-based) was expected to be a {x.dtype.name} "
            f"tensor but is a {y.dtype.name} tensor: the operands have shapes {x.shape} and "
            f"{y.shape}. {dtypes.how_to_match(x.dtype, y.dtype)} [Op:{op}]"
        )


def is_tensor_like(value: Any) -> bool:
    """Return whether a value already is some form of tensor (tensor, variable, Keras variable…)."""
    if isinstance(value, Tensor) or has_conversion(value):
        return True
    return hasattr(value, "__tf_tensor__") and not isinstance(value, type)


def has_conversion(value: Any) -> bool:
    """Return whether a program has registered a function that converts such values to tensors."""
    return any(isinstance(value, base_type) for _, base_type, _ in _conversions)


def to_array(value: Any, dtype: np.dtype | None = None) -> Any:
    """Convert a value that is no tensor to a new NumPy array, or a single number to a scalar."""
    kind = type(value)
    if kind is float:
        if dtype is None:
            return np.float32(value)
        if dtype.kind != "f":
            _check_number(value, dtype)
        return dtype.type(value)
    if kind is int:
        if dtype is None:
            return _int_scalar(value)
        if dtype.kind not in "fiu":
            _check_number(value, dtype)
        return _integer_as(value, dtype)
    if isinstance(value, np.generic) and not isinstance(value, (str, bytes)):
        return _cast_array(np.asarray(value), dtype, value)[()]
    if isinstance(value, np.ndarray):
        plain = np.asarray(value)  # a subclass has operators of its own: * of np.matrix
        array = _cast_array(plain, dtype, value)
        return array.copy() if array is plain else array
    if isinstance(value, (bool, complex)):
        if dtype is not None:
            _check_number(value, dtype)
        return np.dtype(dtype or (np.bool_ if kind is bool else np.complex128)).type(value)
    if isinstance(value, (str, bytes)):
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {brief(value)} to EagerTensor of dtype {_name(dtype)}")
        return np.array(as_bytes(value), object)
    if isinstance(value, (list, tuple, range)):
        return _from_sequence(list(value), dtype)
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _cast_array(np.array(value), dtype, value)
    if hasattr(value, "__dlpack__"):
        return _cast_array(np.from_dlpack(value).copy(), dtype, value)
    if isinstance(value, numbers.Integral):  # a member of an IntEnum, say
        return to_array(int(value), dtype)
    if isinstance(value, numbers.Complex):
        real = isinstance(value, numbers.Real)
        return to_array(float(value) if real else complex(value), dtype)
    raise ValueError(
        f"Attempt to convert a value ({brief(value)}) with an unsupported type ({kind}) to a "
        "Tensor."
    )


def _name(dtype: np.dtype) -> str:
    return dtypes.from_numpy(dtype).name


def _int_scalar(value: int) -> np.generic:
    if -(2**31) <= value < 2**31:
        return np.int32(value)
    if -(2**63) <= value < 2**63:
        return np.int64(value)
    raise ValueError(f"Can't convert Python integer {value} to a Tensor: it needs over 64 bits.")


def _integer_as(value: int, dtype: np.dtype) -> np.generic:
    try:
        return dtype.type(value)
    except OverflowError:
        raise ValueError(
            f"Can't convert Python integer {value} to EagerTensor of dtype {_name(dtype)}: out of "
            "range."
        ) from None


def _check_number(value: Any, dtype: np.dtype) -> None:
    """Raise unless a dtype can hold this kind of number: 2 is a float32, 2.5 no int32.

    Python's truth values are numbers, too; NumPy's are not.
    """
    kind = dtypes.from_numpy(dtype)
    is_numpy = isinstance(value, (np.generic, np.ndarray))
    if is_numpy:
        own = dtypes.from_numpy(value.dtype)
    else:
        kinds = (dtype for kind, dtype in _PYTHON_DTYPES.items() if isinstance(value, kind))
        own = next(kinds, dtypes.complex64)
    fits = own is kind if is_numpy and own.is_bool else _width(own) <= _width(kind)
    if not fits:
        raise TypeError(
            f"Cannot convert {brief(value)} to EagerTensor of dtype {kind.name}. "
            f"Convert the tensor that it is combined with: tf.cast(x, tf.{own.name})."
        )


def _width(kind: DType) -> int:
    """Order the kinds of dtypes: text, truth values, integers, reals, complex numbers."""
    tests = (kind.is_bool, kind.is_integer, kind.is_floating, kind.is_complex)
    return tests.index(True) if True in tests else -1


def _cast_array(array: np.ndarray, dtype: np.dtype | None, shown: Any) -> np.ndarray:
    """Cast an array to a dtype that gradtape knows; raise where that would change its kind."""
    try:
        own = dtypes.from_numpy(array.dtype)
    except TypeError:
        raise ValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported array type {array.dtype})."
        ) from None
    if own is dtypes.string:
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {brief(shown)} to EagerTensor of dtype {_name(dtype)}")
        return bytes_array(array)
    wanted = own if dtype is None else dtypes.from_numpy(dtype)
    if wanted is own:
        return array if array.dtype == own.dtype else array.astype(own.dtype)
    if (own.is_complex and not wanted.is_complex) or wanted is dtypes.string:
        raise TypeError(
            f"Cannot convert {brief(shown)} to EagerTensor of dtype {wanted.name}: values would be "
            "lost. Convert the array first (array.astype), or the tensor with tf.cast."
        )
    return array.astype(wanted.dtype)


def _from_sequence(value: list[Any], dtype: np.dtype | None) -> Array:
    """Convert a (nested) list of numbers, arrays or strings to an array."""
    leaves = list(leaves_of(value))
    if any(isinstance(leaf, (str, bytes)) for leaf in leaves):
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {brief(value)} to EagerTensor of dtype {_name(dtype)}")
        if not all(isinstance(leaf, (str, bytes)) for leaf in leaves):
            raise ValueError(
                f"Can't convert Python sequence with mixed types to Tensor: {brief(value)}"
            )
        # As objects: NumPy's own strings lose zero bytes at their ends.
        return bytes_array(rectangular(value, object))
    array = rectangular(value)
    if array.dtype == object:
        bad = next((x for x in leaves if not isinstance(x, (numbers.Number, np.ndarray))), value)
        raise ValueError(
            f"Attempt to convert a value ({brief(bad)}) with an unsupported type ({type(bad)}) to "
            "a Tensor."
        )
    if not leaves:
        return array.astype(dtype or np.float32)
    own, types = _cast_array(array, None, value), scalar_types(leaves)
    if dtype is None:
        truths = np.bool_ in types or next(iter(types)) is bool
        if truths and not types.keys() <= {bool, np.bool_}:
            raise ValueError(
                f"Can't convert Python sequence with mixed types to Tensor: {brief(value)}"
            )
        return with_list_dtype(own, leaves, types)
    for number in types.values():
        _check_number(number, dtype)
    if array.dtype.kind == "f" and dtype.kind in "iu":  # NumPy makes floats of 0 and 2**64 - 1
        integers = [int(x) for leaf in leaves for x in np.ravel(np.asarray(leaf, object))]
        return np.array([_integer_as(x, dtype) for x in integers], dtype).reshape(array.shape)
    return _cast_array(own, dtype, value)


def static_value(value: Any, depth: int = 0, asks: bool = False) -> Any:
    """Return the plain value of an argument that must be static; with `asks`, as open sizes."""
    if value is None or type(value) is int or type(value) is Size:
        return value
    if type(value) is TensorShape or type(value) is Dimension:
        return plain_sizes(value)
    if is_tensor_like(value):
        tensor: Any = to_tensor(value)
        if (sizes := tensor._sizes(asks)) is not None:
            return sizes
        return tensor._shared_value() if tensor._is_batched else tensor.numpy()
    if isinstance(value, (list, tuple)):
        check_depth(depth)
        return [static_value(item, depth + 1, asks) for item in value]
    return value


def static_int(value: Any, what: str = "") -> int:
    """Return an argument that must be static (a size, an axis, a rate) as a Python int.

    `what` says in errors which argument of which function it is.
    """
    number = static_value(value, asks=True)
    if type(number) is Size:
        return number  # pyright: ignore[reportReturnType] (it computes as an integer does)
    wanted = f"{what}: an integer is expected" if what else "an integer is expected"
    # int() takes texts of digits and arrays of one element.
    if isinstance(number, (str, bytes)) or (isinstance(number, np.ndarray) and number.ndim):
        raise TypeError(f"{wanted} where {brief(value)} was given")
    try:
        return int(number)
    except TypeError:
        raise TypeError(f"{wanted} where {brief(value)} was given") from None
    except (OverflowError, ValueError):  # infinite, or not a number
        raise ValueError(f"{wanted} where {number} was given") from None


def static_ints(value: Any, what: str = "") -> list[int]:
    """Return an argument that must be static (sizes, axes, strides) as a flat list of ints."""
    for item in (value, *value) if isinstance(value, (list, tuple)) else (value,):
        if isinstance(item, TEXT):
            item = bytes(item) if isinstance(item, memoryview) else item
            raise TypeError(f"{what}: integers are expected, not {brief(item)}".lstrip(": "))
    numbers = static_value(value, asks=True)
    if not is_open(numbers):
        numbers = np.ravel(numbers)
    elif type(numbers) is Size:
        numbers = [numbers]
    return [static_int(number, what) for number in numbers]


def static_int64s(value: Any, what: str = "") -> np.ndarray:
    """Return an argument that must be static (starts, sizes) as a flat array of 64-bit integers."""
    numbers = static_ints(value, what)
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        raise ValueError(f"{what}: {max(numbers, key=abs)} does not fit into 64 bits") from None
