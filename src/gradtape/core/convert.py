"""From Python and NumPy values to tensors, by TensorFlow's rules."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.core import dtypes
from gradtape.core.dtypes import BY_NUMPY, DType
from gradtape.core.errors import DTypeError
from gradtape.core.placement import placed
from gradtape.core.tensor import Tensor

_FLOAT32, _INT32, _INT64 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.int64)
# How to read types that hold a tensor (variables), by exact type: the quick way in.
READERS: dict[type, Callable] = {}
# Types made of tensors (sparse ones) that a function of each element is applied to inside of:
# function(value, name of the op, op).
ON_VALUES: dict[type, Callable] = {}
_conversions: list = []  # (priority, types, function(value, dtype, name, as_ref)), in order
# How to make a tensor of a list that holds tensors: [0] is set by gradtape.ops (see set_packer).
_packers: list[Callable] = []


def register_tensor_conversion_function(base_type, conversion_func, priority: int = 100) -> None:
    """Teach gradtape to convert values of a type; as `tf.register_tensor_conversion_function`."""
    _conversions.append((priority, base_type, conversion_func))
    _conversions.sort(key=lambda entry: entry[0])


def _wrong_dtype(value, dtype: DType) -> ValueError:
    return ValueError(
        f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
        f"{value.dtype.name}: {value!r}. Use tf.cast(x, tf.{dtype.name})."
    )


def to_tensor(value, dtype: DType | None = None, name: str = "value") -> Tensor:
    """The tensor that a value means. Tensors are returned as they are, variables are read."""
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
    if as_tensor is not None:
        return _own(as_tensor(dtype), dtype)
    for _, base_type, convert in _conversions:
        if isinstance(value, base_type):
            found = convert(value, dtype=dtype, name=name, as_ref=False)
            if found is not NotImplemented:
                return found
    if isinstance(value, (list, tuple)) and any(map(is_tensor_like, _leaves(value))):
        return _packers[0](value, dtype)
    return placed(Tensor(to_array(value, None if dtype is None else dtype.dtype)))


def _own(found, dtype: DType | None) -> Tensor:
    """What `__tf_tensor__` gave, as a tensor of gradtape's: TensorFlow's own gives itself."""
    if isinstance(found, Tensor):
        return found
    if type(found) in READERS:
        return READERS[type(found)](found, dtype)
    return Tensor(to_array(found, None if dtype is None else dtype.dtype))


def set_packer(function) -> None:
    """Set how a (nested) list that holds tensors becomes one: with ops, so that tapes see it."""
    _packers[:] = [function]


class _Numbers(dict):
    """Python numbers as tensors, by (value, its type, dtype); those that a program uses are kept.

    A dictionary, because looking one up is then no call.
    """

    def __missing__(self, key: tuple) -> Tensor:
        value, kind, dtype = key
        made = Tensor(to_array(value, dtype))
        # 0.0 and -0.0 are equal, so that neither can have an entry.
        if (value or kind is int) and len(self) < 4096:
            self[key] = made
        return made


NUMBERS_AS_TENSORS = _Numbers()


def number_as_tensor(value, dtype: np.dtype) -> Tensor:
    """A Python number as a tensor."""
    return NUMBERS_AS_TENSORS[value, type(value), dtype]


def operands(op: str, x, y):
    """The two operands of an arithmetic op as tensors of one dtype.

    Tensors and variables decide the dtype; Python and NumPy values adapt to it.
    """
    if type(x) in READERS:
        x = READERS[type(x)](x)
    if type(y) in READERS:
        y = READERS[type(y)](y)
    if type(x) is Tensor:
        if type(y) is float or type(y) is int:
            return x, number_as_tensor(y, x._data.dtype)
    elif type(y) is Tensor and (type(x) is float or type(x) is int):
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


def _adapted(value, dtype: DType) -> DType | None:
    """The dtype to ask for when `value` meets a tensor: none for text, which has its own.

    An array is cast only if that loses no fractions; to lose them must be asked for.
    """
    if isinstance(value, (str, bytes)) and dtype is not dtypes.string:
        return None
    if dtype.is_integer and isinstance(value, (np.ndarray, np.floating)):
        array = np.asarray(value)
        if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
            raise TypeError(
                f"Cannot convert {value!r} to EagerTensor of dtype {dtype.name}: fractions would "
                "be lost. Convert the tensor with tf.cast, or the array with array.astype."
            )
    return dtype


def check_same_dtype(op: str, x, y) -> None:
    if x.dtype is not y.dtype:
        raise DTypeError(
            f"cannot compute {op} as input #1(zero-based) was expected to be a {x.dtype.name} "
            f"tensor but is a {y.dtype.name} tensor: the operands have shapes {x.shape} and "
            f"{y.shape}. Convert one of them, for instance with tf.cast(y, tf.{x.dtype.name}). "
            f"[Op:{op}]"
        )


def is_tensor_like(value) -> bool:
    """Whether a value is a tensor already, in some form (tensor, variable, Keras variable…)."""
    return (
        isinstance(value, Tensor)
        or hasattr(value, "__tf_tensor__")
        or any(isinstance(value, base_type) for _, base_type, _ in _conversions)
    )


def to_array(value: Any, dtype: np.dtype | None = None):
    """A NumPy array (or, for one number, scalar) of its own for a value that is not a tensor."""
    kind = type(value)
    if kind is float:
        if dtype is None:
            return np.float32(value)
        _check_number(value, dtype)
        return dtype.type(value)
    if kind is int:
        if dtype is None:
            return _int_scalar(value)
        _check_number(value, dtype)
        return _integer_as(value, dtype)
    if isinstance(value, np.generic):
        return _cast_array(np.asarray(value), dtype, value)[()]
    if isinstance(value, np.ndarray):
        array = _cast_array(value, dtype, value)
        return array.copy() if array is value else array
    if isinstance(value, (bool, complex)):
        if dtype is not None:
            _check_number(value, dtype)
        return np.dtype(dtype or (np.bool_ if kind is bool else np.complex128)).type(value)
    if isinstance(value, (str, bytes)):
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {_name(dtype)}")
        return np.array(value.encode() if isinstance(value, str) else value, object)
    if isinstance(value, (list, tuple, range)):
        return _from_sequence(list(value), dtype)
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _cast_array(np.array(value), dtype, value)
    if hasattr(value, "__dlpack__"):
        return _cast_array(np.from_dlpack(value).copy(), dtype, value)
    if isinstance(value, numbers.Real):
        return to_array(float(value), dtype)
    if isinstance(value, numbers.Complex):
        return to_array(complex(value), dtype)
    raise ValueError(
        f"Attempt to convert a value ({value!r}) with an unsupported type ({kind}) to a Tensor."
    )


def _name(dtype: np.dtype) -> str:
    return dtypes.from_numpy(dtype).name


def _int_scalar(value: int):
    if -(2**31) <= value < 2**31:
        return np.int32(value)
    if -(2**63) <= value < 2**63:
        return np.int64(value)
    raise ValueError(f"Can't convert Python integer {value} to a Tensor: it needs over 64 bits.")


def _integer_as(value: int, dtype: np.dtype):
    try:
        return dtype.type(value)
    except OverflowError:
        raise ValueError(
            f"Can't convert Python integer {value} to EagerTensor of dtype {_name(dtype)}: out of "
            "range."
        ) from None


def _check_number(value, dtype: np.dtype) -> None:
    """Python numbers adapt to a dtype that can hold their kind: 2 to float, never 2.5 to int."""
    kind = dtypes.from_numpy(dtype)
    fits = (
        kind.is_complex
        or (kind.is_floating and not isinstance(value, complex))
        or (kind.is_integer and isinstance(value, int))
        or (kind.is_bool and isinstance(value, bool))
    )
    if not fits:
        raise TypeError(
            f"Cannot convert {value!r} to EagerTensor of dtype {kind.name}. "
            "Convert the tensor first, with tf.cast."
        )


def _cast_array(array: np.ndarray, dtype: np.dtype | None, shown) -> np.ndarray:
    """`array` in a dtype gradtape knows, refusing what would change its kind."""
    try:
        own = dtypes.from_numpy(array.dtype)
    except TypeError:
        raise ValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported array type {array.dtype})."
        ) from None
    if own is dtypes.string:
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {shown!r} to EagerTensor of dtype {_name(dtype)}")
        return _bytes_array(array)
    wanted = own if dtype is None else dtypes.from_numpy(dtype)
    if wanted is own:
        return array if array.dtype == own.dtype else array.astype(own.dtype)
    loses_kind = (own.is_complex and not wanted.is_complex) or wanted is dtypes.string
    if loses_kind or (wanted.is_bool and not own.is_bool):
        raise TypeError(
            f"Cannot convert {shown!r} to EagerTensor of dtype {wanted.name}: values would be "
            "lost. Convert the array first (array.astype), or the tensor with tf.cast."
        )
    return array.astype(wanted.dtype)


def _bytes_array(array: np.ndarray) -> np.ndarray:
    flat = [_as_bytes(item) for item in array.reshape(-1)]
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(array.shape)


def _as_bytes(item) -> bytes:
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return bytes(item)
    raise ValueError(
        f"Attempt to convert a value ({item!r}) with an unsupported type ({type(item)}) to a "
        "Tensor."
    )


def _leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _from_sequence(value, dtype: np.dtype | None):
    """A (nested) list of numbers, arrays or strings."""
    leaves = list(_leaves(value))
    if any(isinstance(leaf, (str, bytes)) for leaf in leaves):
        if dtype is not None and dtype.kind != "O":
            raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {_name(dtype)}")
        if not all(isinstance(leaf, (str, bytes)) for leaf in leaves):
            raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")
        return _bytes_array(_rectangular(value))
    array = _rectangular(value)
    if array.dtype == object:
        bad = next((x for x in leaves if not isinstance(x, (numbers.Number, np.ndarray))), value)
        raise ValueError(
            f"Attempt to convert a value ({bad!r}) with an unsupported type ({type(bad)}) to a "
            "Tensor."
        )
    kinds = {type(leaf) for leaf in leaves}
    if bool in kinds and kinds & {int, float, complex}:
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}")
    if dtype is None:
        if leaves and all(type(leaf) in (float, int, bool) for leaf in leaves):
            # Only Python numbers: Python's own float64 and int64 are not meant.
            if array.dtype.kind == "f":
                return array.astype(_FLOAT32)
            if array.dtype.kind == "i" and array.size and _fits_int32(array):
                return array.astype(_INT32)
        return array if leaves else array.astype(_FLOAT32)
    if all(type(leaf) in (float, int, bool, complex) for leaf in leaves):
        for sample in {type(leaf): leaf for leaf in leaves}.values():
            _check_number(sample, dtype)
        return array.astype(dtype)
    return _cast_array(array, dtype, value)


def _fits_int32(array: np.ndarray) -> bool:
    return bool(array.min() >= -(2**31) and array.max() < 2**31)


def _rectangular(value) -> np.ndarray:
    try:
        return np.array(value)
    except ValueError:
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor: its rows have different "
            "lengths. Pad them to one length."
        ) from None


def static_value(value) -> Any:
    """The plain Python or NumPy value of an argument that must be known now (an axis, a shape)."""
    if is_tensor_like(value):
        return to_tensor(value).numpy()
    if isinstance(value, (list, tuple)):
        return [static_value(item) for item in value]
    return value
