"""Functions of arrays that only the host computes: text, tables, and what has as many elements as
the values say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gradtape.core.bind import bind
from gradtape.core.native import materialize
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType

__all__ = ["HostForm", "host_arrays", "host_call"]


# --- Python objects as values of a graph, which only the ops that know of them take --------------

OBJECT = Spec((), np.dtype(object))


def boxed(value: Any) -> np.ndarray:
    """Return a Python object as the array of a tensor."""
    box = np.empty((), object)
    box[()] = value
    return box


def unboxed(array: Any) -> Any:
    """Return the Python object of such an array."""
    return np.asarray(array).item()


# --- calls ---------------------------------------------------------------------------------------


class HostForm(NamedTuple):
    """What TensorFlow calls a function of the host: its op, and the attributes of it by name.

    Files that TensorFlow reads say it with these (`saved_model/writing`).
    """

    op: str
    attributes: tuple[tuple[str, Any], ...] = ()


def _kernel(
    *arrays: Any,
    compute: Callable[..., np.ndarray],
    shape: Any,
    dtype: np.dtype,
    form: HostForm | None,
) -> Any:
    result = compute(*[np.asarray(materialize(x)) for x in arrays])
    # Numbers of rank 0 are NumPy's scalars, strings of rank 0 are arrays.
    return result if result.ndim or result.dtype.hasobject else result[()]


HOST_CALL = primitive(
    "host_call",
    "*xs",
    kernel=_kernel,
    shape=lambda *specs, compute, shape, dtype, form: Spec(shape, dtype),
    batch=ByLoop("the function is not known here"),
    no_derivative="text and tables have no derivative",
)


def host_call(
    compute: Callable[..., np.ndarray],
    inputs: Sequence[Tensor],
    dtype: DType,
    shape: Any,
    form: HostForm | None = None,
) -> Tensor:
    """Return `compute` of the inputs' arrays, of which dtype and shape are known beforehand.

    In a function that is traced it becomes one op, which no compiler takes. `compute` has no
    effects, and gives the same for the same arrays.
    """
    return _call(compute, inputs, tuple(shape), dtype.dtype, form)


def _call(
    compute: Callable[..., Any],
    inputs: Sequence[Tensor],
    shape: Any,
    dtype: np.dtype,
    form: HostForm | None = None,
) -> Tensor:
    params = {"compute": compute, "shape": shape, "dtype": dtype, "form": form}
    return bind(HOST_CALL, tuple([x.cpu() for x in inputs]), params)


def host_arrays(
    compute: Callable[..., Sequence[np.ndarray]],
    inputs: Sequence[Tensor],
    specs: Sequence[tuple[Any, tuple[Any, ...]]],
) -> list[Tensor]:
    """Return the arrays of `compute` as tensors of these dtypes and shapes.

    A size that depends on values is None: in a function that is traced, it is open in what follows.
    """
    if all(x._has_value for x in inputs):
        return [Tensor(array) for array in compute(*[x.numpy() for x in inputs])]
    box = _call(lambda *arrays: boxed(compute(*arrays)), inputs, (), OBJECT.dtype)
    asked = [(i, k) for i, (_, shape) in enumerate(specs) for k, n in enumerate(shape) if n is None]
    sizes = {}
    if asked:
        numbers = _call(partial(_sizes_of, asked=asked), [box], (len(asked),), np.dtype(np.int64))
        trace: Any = get_state().trace
        sizes = dict(zip(asked, trace.ask_sizes(numbers), strict=True))
    results = []
    for i, (dtype, shape) in enumerate(specs):
        full = tuple([sizes.get((i, k), n) for k, n in enumerate(shape)])
        results.append(_call(partial(_part, index=i), [box], full, np.dtype(dtype)))
    return results


def _sizes_of(box: Any, asked: list[tuple[int, int]]) -> np.ndarray:
    arrays = unboxed(box)
    return np.array([arrays[i].shape[k] for i, k in asked], np.int64)


def _part(box: Any, index: int) -> np.ndarray:
    return unboxed(box)[index]
