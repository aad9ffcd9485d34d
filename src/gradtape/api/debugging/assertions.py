"""`tf.debugging`: assertions about values."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.debugging.text import shown_elements
from gradtape.api.export import export
from gradtape.core.convert import static_value
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import is_ragged
from gradtape.core.state import not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import BatchedTensor
from gradtape.graph.control.effects import on_each_call


def prefix(message) -> str:
    """Return the user's message in front of the assertion's own."""
    return f"{message}.  " if message else ""


def _array(tensor) -> np.ndarray:
    return np.asarray(ops.to_tensor(tensor).numpy())


# --- the examples of a vmap, which are checked all at once ----------------------------------------


def _every(tensor: Tensor) -> Tensor:
    """Return the values of all examples, stacked, for a tensor that is one example of a vmap."""
    while isinstance(tensor, BatchedTensor):
        tensor = tensor._physical
    return tensor


def _every_pair(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return all examples of two operands, which broadcast as those of one example do."""
    if not (x._is_batched or y._is_batched):
        return x, y
    rank = max(x.ndim, y.ndim)
    pairs = _every(ops.stack([ops.where(True, x, y), ops.where(False, x, y)]))
    x, y = ops.unstack(pairs, axis=pairs.ndim - rank - 1)
    return x, y


# --- Assert --------------------------------------------------------------------------------------


def _summary(value, count: int) -> str:
    array = _array(value)
    flat = [str(x) for x in array.reshape(-1)[:count]]
    return ", ".join([*flat, "..."] if array.size > count else flat)


@export("Assert", "debugging.Assert")
def assert_(condition, data, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError that shows `data`, unless the condition holds."""
    if isinstance(condition, BatchedTensor):
        condition = ops.reduce_all(_every(condition))
    shown = [_every(value) for value in data] if isinstance(data, (list, tuple)) else data
    _assert(condition, shown, summarize)


@on_each_call
def _assert(condition, data, summarize) -> None:
    if condition:
        return
    count = shown_elements(summarize, "Assert")
    shown = "\n".join(_summary(value, count) for value in data)
    raise InvalidArgumentError(f"Expected '{condition!s}' to be true. Summarized data: {shown}")


# --- comparisons ---------------------------------------------------------------------------------


def _flat(x, y) -> tuple[Any, Any]:
    """Return two operands; of ragged tensors, the values that stand beside each other."""
    if not (is_ragged(x) or is_ragged(y)):
        return x, y
    from gradtape.api.ragged.broadcasting import elementwise

    pairs: list[tuple[Any, Any]] = []

    def note(a, b):
        pairs.append((a, b))
        return a

    elementwise(note, [x, y], "assert")
    return pairs[0]


def _compare(op, sign: str, x, y, message, summarize) -> None:
    with not_recording():
        x, y = _every_pair(*ops.operands(op.__name__, x, y))
    _compare_values(op, sign, x, y, message, summarize)


@on_each_call
def _compare_values(op, sign: str, x, y, message, summarize) -> None:
    with not_recording():
        holds = op(x, y)
    wrong = ~_array(holds)
    if not wrong.any():
        return
    count = shown_elements(summarize, "assertion")
    x, y = _array(x), _array(y)
    lines = [f"Condition x {sign} y did not hold."]
    if x.shape == y.shape:
        indices = np.argwhere(wrong)[:count]
        lines.append(f"Indices of first {len(indices)} different values:")
        lines.append(str(indices))
        lines += ["Corresponding x values:", str(x[wrong][:count])]
        lines += ["Corresponding y values:", str(y[wrong][:count])]
    for name, values in (("x", x), ("y", y)):
        first = values.reshape(-1)[:count]
        lines += [f"First {first.size} elements of {name}:", str(first)]
    text = "\n".join(lines)
    raise InvalidArgumentError(f"{message}\n{text}" if message else text)


@export("debugging.assert_equal", "assert_equal")
def assert_equal(x, y, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x == y everywhere."""
    _compare(ops.equal, "==", *_flat(x, y), message, summarize)


@export("debugging.assert_none_equal")
def assert_none_equal(x, y, summarize=None, message=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x != y everywhere."""
    _compare(ops.not_equal, "!=", *_flat(x, y), message, summarize)


@export("debugging.assert_less", "assert_less")
def assert_less(x, y, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x < y everywhere."""
    _compare(ops.less, "<", *_flat(x, y), message, summarize)


@export("debugging.assert_less_equal")
def assert_less_equal(x, y, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x <= y everywhere."""
    _compare(ops.less_equal, "<=", *_flat(x, y), message, summarize)


@export("debugging.assert_greater", "assert_greater")
def assert_greater(x, y, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x > y everywhere."""
    _compare(ops.greater, ">", *_flat(x, y), message, summarize)


@export("debugging.assert_greater_equal")
def assert_greater_equal(x, y, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x >= y everywhere."""
    _compare(ops.greater_equal, ">=", *_flat(x, y), message, summarize)


@export("debugging.assert_near")
def assert_near(x, y, rtol=None, atol=None, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless |x - y| <= atol + rtol |y| everywhere.

    The tolerances are 10 epsilon of the dtype of x, unless given.
    """
    with not_recording():
        x, y = _every_pair(*ops.operands("assert_near", *_flat(x, y)))
        kind = x.dtype.real_dtype
        default = 10 * np.finfo(_finfo_dtype(kind)).eps if kind.is_floating else 0
        rtol = ops.to_tensor(default if rtol is None else rtol, kind)
        atol = ops.to_tensor(default if atol is None else atol, kind)
        near = ops.abs(x - y) <= atol + rtol * ops.abs(y)
        condition = ops.reduce_all(near)
    if bool(condition):
        return
    about = [
        prefix(message),
        f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}",
        f"x (shape={x.shape} dtype={x.dtype.name}) = ",
        x,
        f"y (shape={y.shape} dtype={y.dtype.name}) = ",
        y,
    ]
    assert_(condition, about, summarize)


def _finfo_dtype(kind):
    return np.float32 if kind.name == "bfloat16" else kind.as_numpy_dtype


def _sign(op, sign: str, x, message, summarize) -> None:
    _sign_of_values(op, sign, _every(ops.to_tensor(x)), message, summarize)


@on_each_call
def _sign_of_values(op, sign: str, x, message, summarize) -> None:
    with not_recording():
        holds = op(x, ops.zeros_like(x))
    if _array(holds).all():
        return
    count = shown_elements(summarize, "assertion")
    values = [str(v) for v in _array(x).reshape(-1)]
    shown = [*values[:count], "..."] if len(values) > count else values
    text = (
        f"Condition x {sign} 0 did not hold element-wise:\n"
        f"x (shape={x.shape} dtype={x.dtype.name}) = \n{shown}"
    )
    raise InvalidArgumentError(f"{prefix(message)}\n{text}" if message else text)


@export("debugging.assert_negative")
def assert_negative(x, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x < 0 everywhere."""
    _sign(ops.less, "<", x, message, summarize)


@export("debugging.assert_positive")
def assert_positive(x, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x > 0 everywhere."""
    _sign(ops.greater, ">", x, message, summarize)


@export("debugging.assert_non_negative")
def assert_non_negative(x, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x >= 0 everywhere."""
    _sign(ops.greater_equal, ">=", x, message, summarize)


@export("debugging.assert_non_positive")
def assert_non_positive(x, message=None, summarize=None, name=None) -> None:
    """Raise an InvalidArgumentError unless x <= 0 everywhere."""
    _sign(ops.less_equal, "<=", x, message, summarize)


# --- finite numbers ------------------------------------------------------------------------------


@export("debugging.check_numerics")
def check_numerics(tensor, message, name=None) -> Tensor:
    """Return the tensor; an InvalidArgumentError if it holds infinities or NaNs."""
    tensor = ops.to_tensor(tensor)
    if not tensor.dtype.is_floating:
        raise InvalidArgumentError(
            f"check_numerics: a floating tensor is needed, got one of dtype {tensor.dtype.name}"
        )
    _check_finite(_every(tensor), message)
    return ops.identity(tensor)


@on_each_call
def _check_finite(tensor, message) -> None:
    values = _array(tensor).astype(np.float64)
    kinds = [
        word for word, mask in (("Inf", np.isinf(values)), ("NaN", np.isnan(values))) if mask.any()
    ]
    if kinds:
        raise InvalidArgumentError(
            f"{static_value(message)} : Tensor had {' and '.join(kinds)} values [Op:CheckNumerics]"
        )


@export("debugging.assert_all_finite")
def assert_all_finite(x, message, name=None) -> Tensor:
    """Return the tensor; an InvalidArgumentError if it holds infinities or NaNs."""
    return check_numerics(x, message)
