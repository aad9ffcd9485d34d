"""Tensors made from nothing: `tf.zeros` to `tf.one_hot`."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import is_tensor_like, static_value
from gradtape.core.dtypes import as_dtype, string
from gradtape.core.errors import DTypeError, InvalidArgumentError
from gradtape.core.tensor import Tensor


@export("zeros")
def zeros(shape, dtype="float32", name=None, layout=None) -> Tensor:
    """Return a tensor of zeros."""
    return ops.zeros(shape, dtype)


@export("ones")
def ones(shape, dtype="float32", name=None, layout=None) -> Tensor:
    """Return a tensor of ones."""
    return ops.ones(shape, dtype)


@export("zeros_like")
def zeros_like(input, dtype=None, name=None, layout=None) -> Tensor:
    """Return zeros of a tensor's shape (and by default its dtype)."""
    return ops.zeros_like(input, dtype)


@export("ones_like")
def ones_like(input, dtype=None, name=None, layout=None) -> Tensor:
    """Return ones of a tensor's shape (and by default its dtype)."""
    return ops.ones_like(input, dtype)


@export("fill")
def fill(dims, value, name=None, layout=None) -> Tensor:
    """Return a tensor filled with one value."""
    return ops.fill(dims, value)


@export("eye", "linalg.eye")
def eye(num_rows, num_columns=None, batch_shape=None, dtype="float32", name=None) -> Tensor:
    """Return (a stack of) identity matrices."""
    return ops.eye(num_rows, num_columns, () if batch_shape is None else batch_shape, dtype)


_RANGE_DTYPES = ["int32", "int64", "float16", "bfloat16", "float32", "float64"]


@export("range")
def range_(start, limit=None, delta=1, dtype=None, name="range") -> Tensor:
    """Return numbers from start (0, if only a limit is given) to limit in steps of delta."""
    if limit is None:
        start, limit = 0, start
    plain = dtype is None and type(start) is type(limit) is type(delta) is int
    if plain and max(abs(start), abs(limit), abs(delta)) < 2**31:
        return ops.arange(start, limit, delta, "int32")
    wanted = None if dtype is None else as_dtype(dtype)
    numbers = []
    for what, value in (("start", start), ("limit", limit), ("delta", delta)):
        number = ops.to_tensor(value, None if is_tensor_like(value) else wanted)
        if number._data.shape:
            raise InvalidArgumentError(
                f"{what} must be a scalar, not shape {list(number._data.shape)} [Op:Range]"
            )
        numbers.append(number)
    if wanted is None:
        names = [n.dtype.name for n in numbers]
        for given in names:
            if given not in _RANGE_DTYPES:
                raise DTypeError(
                    f"range does not take a number of dtype {given}; it takes "
                    f"{', '.join(_RANGE_DTYPES)}. Convert it with tf.cast. [Op:Range]"
                )
        wanted = as_dtype(max(names, key=_RANGE_DTYPES.index))
    first, last, step = (_number(ops.cast(n, wanted)) for n in numbers)
    return ops.arange(first, last, step, wanted)


def _number(x):
    """Return the value of a scalar, as an open size where it is one."""
    return static_value(x, asks=True)


@export("linspace")
def linspace(start, stop, num, name=None, axis=0) -> Tensor:
    """Return numbers in equal steps from start to stop, both included."""
    return ops.linspace(start, stop, num, axis)


@export("meshgrid")
def meshgrid(*args, **kwargs) -> list[Tensor]:
    """Return the coordinates of the grid that vectors span: a tensor for each of them."""
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))!r} is an invalid keyword argument for this function")
    return ops.meshgrid(*args, indexing=indexing)


@export("sequence_mask")
def sequence_mask(lengths, maxlen=None, dtype="bool", name=None) -> Tensor:
    """Return masks: for each length, a vector whose first `length` elements are true."""
    return ops.cast(ops.sequence_mask(lengths, maxlen), dtype)


@export("one_hot")
def one_hot(
    indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None
) -> Tensor:
    """Return, for each index, a vector with `on_value` there and `off_value` elsewhere."""
    wanted = None if dtype is None else as_dtype(dtype)
    axis = -1 if axis is None else axis
    if on_value is None and off_value is None:
        if wanted is string:
            raise TypeError("one_hot: strings have no one. Give on_value and off_value.")
        return ops.one_hot(indices, depth, axis, "float32" if wanted is None else wanted)
    values = []
    for what, value in (("on_value", on_value), ("off_value", off_value)):
        if value is None:
            values.append(None)
            continue
        value = ops.to_tensor(value, None if is_tensor_like(value) else wanted)
        if wanted is not None and value.dtype is not wanted:
            raise TypeError(
                f"dtype {value.dtype} of {what} does not match dtype parameter {wanted}"
            )
        values.append(value)
    on, off = values
    value_dtype = (off if on is None else on).dtype
    on = ops.ones((), value_dtype) if on is None else on
    off = ops.zeros((), value_dtype) if off is None else off
    if on.dtype is not off.dtype:
        raise TypeError(
            f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value"
        )
    hot = ops.one_hot(indices, depth, axis, "bool")
    return ops.where(hot, ops.stop_gradient(on), ops.stop_gradient(off))
