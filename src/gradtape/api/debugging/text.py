"""How `tf.print`, `tf.strings.format` and assertion errors write values."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.convert import static_int
from gradtape.core.protocols import is_ragged
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable

# As many digits as distinguish two numbers of the type.
_DIGITS = {"float16": 9, "bfloat16": 9, "float32": 9, "float64": 17}


def number_text(value, dtype: str) -> str:
    """Format one element as TensorFlow's kernels do."""
    digits = _DIGITS.get(dtype)
    if digits is not None:
        return _float_text(float(value), dtype, digits)
    if dtype == "bool":
        return "1" if value else "0"
    if dtype.startswith("complex"):
        part = "float32" if dtype == "complex64" else "float64"
        return f"({number_text(value.real, part)},{number_text(value.imag, part)})"
    return str(int(value))


def _float_text(value: float, dtype: str, digits: int) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return {float("inf"): "inf", float("-inf"): "-inf"}.get(value, "nan")
    # The shorter spelling, if it means the same number.
    short = f"{value:.{6 if digits == 9 else 15}g}"
    if dtype in ("float16", "bfloat16"):
        dtype = "float32"
    kind = np.dtype(dtype).type
    return short if kind(float(short)) == kind(value) else f"{value:.{digits}g}"


def shown_elements(summarize, op: str) -> int:
    """Return the argument `summarize` of an op: how many elements at each end; None means 3."""
    return 3 if summarize is None else static_int(summarize, f"{op}: summarize")


def tensor_text(tensor, summarize: int) -> str:
    """Return a tensor's values between brackets, with "..." for all but `summarize` at each end."""
    tensor = ops.to_tensor(tensor)
    array = np.asarray(tensor.numpy())
    dtype = tensor.dtype.name
    if dtype == "string":

        def element(x):
            return f'"{x.decode(errors="replace")}"'

    else:

        def element(x):
            return number_text(x, dtype)

    if array.ndim == 0:
        return element(array[()])
    if array.shape[0] == 0:
        return "[]"
    return _format_nested(array, element, summarize, 0)


def ragged_text(value, summarize: int) -> str:
    """Return a ragged tensor's values in lists, as `tf.strings.as_string` writes each."""

    def element(x) -> str:
        if isinstance(x, bool):
            return "true" if x else "false"
        if isinstance(x, bytes):
            return f"'{x.decode(errors='replace')}'"
        if isinstance(x, complex):
            return f"({x.real:f},{x.imag:f})"
        return f"{x:f}" if isinstance(x, float) else str(x)

    def nested(x) -> str:
        if not isinstance(x, list):
            return element(x)
        parts = [nested(each) for each in x]
        if 0 <= 2 * summarize < len(parts):
            parts[summarize : len(parts) - summarize] = ["..."]
        return f"[{', '.join(parts)}]"

    return nested(value.to_list())


def _format_nested(array: np.ndarray, element, summarize: int, depth: int) -> str:
    count = array.shape[0]
    cut = summarize >= 0 and count > 2 * summarize
    shown = [*range(summarize), None, *range(count - summarize, count)] if cut else range(count)
    if array.ndim == 1:
        parts = ["..." if i is None else element(array[i]) for i in shown]
        return f"[{' '.join(parts)}]"
    parts = [
        "..." if i is None else _format_nested(array[i], element, summarize, depth + 1)
        for i in shown
    ]
    between = "\n" * (array.ndim - 1) + " " * (depth + 1)
    return f"[{between.join(parts)}]"


class _Bare:
    """Text that stands in a structure's repr without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def format_argument(value, summarize: int) -> str:
    """Format one argument of `tf.print`."""
    if isinstance(value, str):
        return value
    if isinstance(value, (Tensor, Variable)):
        return tensor_text(value, summarize)
    if is_ragged(value):
        return ragged_text(value, summarize)
    if isinstance(value, (list, tuple, dict)):
        return repr(_format_leaves(value, summarize))
    sparse = _sparse_text(value, summarize)
    return repr(value) if sparse is None else f"'{sparse}'"


def _format_leaves(value, summarize: int):
    """Return a structure whose tensors are replaced by what is printed for them."""
    if isinstance(value, (Tensor, Variable)):
        return _Bare(tensor_text(value, summarize))
    if is_ragged(value):
        return _Bare(ragged_text(value, summarize))
    if isinstance(value, dict):
        try:
            keys = sorted(value)
        except TypeError:
            keys = list(value)
        return {key: _format_leaves(value[key], summarize) for key in keys}
    if isinstance(value, (list, tuple)):
        items = [_format_leaves(item, summarize) for item in value]
        return type(value)(*items) if nest.is_namedtuple(value) else type(value)(items)
    sparse = _sparse_text(value, summarize)
    return value if sparse is None else sparse


def _sparse_text(value, summarize: int) -> str | None:
    if type(value).__name__ != "SparseTensor":
        return None
    indices, values, shape = (
        tensor_text(x, summarize) for x in (value.indices, value.values, value.dense_shape)
    )
    return f"SparseTensor(indices={indices}, values={values}, shape={shape})"
