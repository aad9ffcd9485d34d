"""`tf.debugging`: assertions about ranks, shapes and dtypes, and the module's switches."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.debugging.assertions import prefix
from gradtape.api.export import export
from gradtape.core import tracebacks
from gradtape.core.brief import brief
from gradtape.core.composites import APPLIERS
from gradtape.core.convert import static_value
from gradtape.core.dtypes import DType, as_dtype, float32
from gradtape.core.tensor import Tensor, TensorBase


def _is_sparse(x) -> bool:
    return type(x).__name__ == "SparseTensor"


def _shape(x):
    return x.shape if _is_sparse(x) else ops.to_tensor(x).shape


def _rank_argument(rank) -> int:
    value = np.asarray(static_value(rank))
    if value.dtype.kind not in "iu":
        raise TypeError(f"tensor must be of type tf.int32; got {ops.to_tensor(rank).dtype!r}")
    if value.ndim:
        raise ValueError("Rank must be a scalar.")
    return int(value)


@export("debugging.assert_rank", "assert_rank")
def assert_rank(x, rank, message=None, name=None) -> None:
    """Raise a ValueError unless x has this rank."""
    rank, shape = _rank_argument(rank), _shape(x)
    if shape.rank != rank:
        raise ValueError(
            f"{prefix(message)}Tensor  must have rank {rank}.  Received rank {shape.rank}, shape "
            f"{shape}"
        )


@export("debugging.assert_rank_at_least")
def assert_rank_at_least(x, rank, message=None, name=None) -> None:
    """Raise a ValueError unless x has at least this rank."""
    rank, shape = _rank_argument(rank), _shape(x)
    if len(shape) < rank:
        raise ValueError(
            f"{prefix(message)}Tensor  must have rank at least {rank}.  Received rank "
            f"{shape.rank}, shape {shape}"
        )


@export("debugging.assert_rank_in")
def assert_rank_in(x, ranks, message=None, name=None) -> None:
    """Raise a ValueError unless x has one of these ranks."""
    ranks, shape = tuple(_rank_argument(r) for r in ranks), _shape(x)
    if shape.rank not in ranks:
        raise ValueError(
            f"{prefix(message)}Tensor  must have rank in {ranks}.  Received rank {shape.rank}, "
            f"shape {shape}"
        )


@export("debugging.assert_scalar")
def assert_scalar(tensor, message=None, name=None) -> Tensor | None:
    """Raise a ValueError unless the tensor has rank 0."""
    shape = _shape(tensor)
    if shape.rank != 0:
        raise ValueError(f"{prefix(message)}Expected scalar shape, saw shape: {shape}.")


@export("debugging.assert_integer")
def assert_integer(x, message=None, name=None) -> None:
    """Raise a TypeError unless x has an integer dtype."""
    dtype = ops.to_tensor(x).dtype
    if not dtype.is_integer:
        raise TypeError(
            f'{prefix(message)}Expected "x" to be integer type.  Found: tensor of dtype {dtype}'
        )


@export("debugging.assert_type")
def assert_type(tensor, tf_type, message=None, name=None) -> None:
    """Raise a TypeError unless the tensor has this dtype."""
    wanted = as_dtype(tf_type)
    is_composite = type(tensor) in APPLIERS
    dtype = tensor.dtype if is_composite else ops.to_tensor(tensor).dtype
    if dtype is not wanted:
        raise TypeError(f"{prefix(message)}tensor must be of type {wanted!r}; got {dtype!r}")


@export("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors=None, dtype=None) -> DType:
    """Return the one floating dtype of all tensors (float32 if there is nothing); else a
    ValueError."""
    wanted = None if dtype is None else as_dtype(dtype)
    first = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        own = as_dtype(tensor.dtype) if hasattr(tensor, "dtype") else ops.to_tensor(tensor).dtype
        if wanted is None:
            wanted, first = own, tensor
        elif own is not wanted:
            beside = "" if first is None else f" as {first!s}"
            raise ValueError(
                f"{brief(tensor)}, type={own}, must be of the same type ({wanted}){beside}."
            )
    wanted = float32 if wanted is None else wanted
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted}.")
    return wanted


@export("debugging.assert_proper_iterable")
def assert_proper_iterable(values) -> None:
    """Raise a TypeError unless `values` is iterable, and no tensor, array or string."""
    if isinstance(values, (TensorBase, np.ndarray, str, bytes)) or _is_sparse(values):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@export("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor) -> bool:
    """Return whether it is a tensor of numbers."""
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


# --- shapes by symbols ---------------------------------------------------------------------------


def _describe(x) -> str:
    return f"shape={_shape(x)} dtype={(x if _is_sparse(x) else ops.to_tensor(x)).dtype.name}"


def _is_number(symbol) -> bool:
    return isinstance(symbol, (int, float, np.number)) and not isinstance(symbol, bool)


def _any_size(symbol) -> bool:
    return symbol is None or (isinstance(symbol, str) and symbol == ".")


@export("debugging.assert_shapes")
def assert_shapes(shapes, data=None, summarize=None, message=None, name=None) -> None:
    """Raise a ValueError unless tensors have the shapes given by sizes and symbols.

        tf.debugging.assert_shapes([(x, ("N", "M")), (weights, ("M", 3))])

    Equal symbols stand for equal sizes, None and "." for any; a shape that begins with `...` or
    "*" says something of the last axes only.
    """
    start = prefix(message)
    pairs = list(shapes.items()) if isinstance(shapes, dict) else list(shapes)
    checked = []
    for x, given in pairs:
        if given is None:
            continue
        x = x if _is_sparse(x) else ops.to_tensor(x)
        if not hasattr(given, "__iter__"):
            raise ValueError(
                f"{start}Tensor {_describe(x)}.  Specified shape must be an iterable.  An "
                f"iterable has the attribute `__iter__` or `__getitem__`.  Received specified "
                f"shape: {given}"
            )
        symbols = tuple(given)
        open_start = False
        for i, symbol in enumerate(symbols):
            if symbol is not ... and not (isinstance(symbol, str) and symbol == "*"):
                continue
            if i:
                raise ValueError(
                    f"{start}Tensor {_describe(x)} specified shape index {i}.  Symbol `...` or "
                    "`*` for a variable number of unspecified dimensions is only allowed as the "
                    "first entry"
                )
            open_start = True
        checked.append((x, symbols[1:] if open_start else symbols, open_start))
    for x, symbols, open_start in checked:
        _check_rank(x, len(symbols), open_start, message)
    _check_sizes(checked, start)


def _check_rank(x, rank: int, open_start: bool, message) -> None:
    # A scalar counts as a vector of size 1, so ranks 0 and 1 are not distinguished.
    if rank > 1:
        (assert_rank_at_least if open_start else assert_rank)(x, rank, message)
    elif not open_start:
        assert_rank_in(x, [0, 1], message)


def _check_sizes(checked: list, start: str) -> None:
    known: dict = {}
    for x, symbols, open_start in checked:
        shape = _shape(x)
        sizes = tuple(shape) or (1,)
        # A tensor that is said to be a scalar has one element, as a vector of size 1 has.
        for i, symbol in enumerate(symbols if symbols or open_start else (1,)):
            if _any_size(symbol):
                continue
            axis = i - len(symbols) if open_start else i
            if _is_number(symbol):
                wanted, origin = int(symbol), "Specified explicitly"
            elif symbol in known:
                wanted, origin = known[symbol]
            else:
                origin = f"Specified by tensor {_describe(x)} dimension {axis}"
                known[symbol] = (sizes[axis], origin)
                continue
            if sizes[axis] != wanted:
                raise ValueError(
                    f"{start}{origin}.  Tensor {_describe(x)} dimension {axis} must have size "
                    f"{wanted}.  Received size {sizes[axis]}, shape {shape}"
                )


# --- switches ------------------------------------------------------------------------------------

_settings = {"log_device_placement": False}


@export("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Let tracebacks end in the program's own line, without gradtape's frames: the default."""
    tracebacks.enable(True)


@export("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Show gradtape's own frames in tracebacks, and the errors that it replaced by clearer ones."""
    tracebacks.enable(False)


@export("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """Return whether gradtape's frames are left out of tracebacks."""
    return tracebacks.is_enabled()


@export("debugging.set_log_device_placement")
def set_log_device_placement(enabled) -> None:
    """Do nothing: there is one device."""
    _settings["log_device_placement"] = bool(enabled)


@export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Return the value that was set last."""
    return _settings["log_device_placement"]
