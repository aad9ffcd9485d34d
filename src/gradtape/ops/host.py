"""Functions of arrays that only the host computes: text, and tables of keys and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gradtape.core.bind import bind
from gradtape.core.native import materialize
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.tensor import Spec

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType
    from gradtape.core.tensor import Tensor

__all__ = ["HostForm", "host_call"]


class HostForm(NamedTuple):
    """What TensorFlow calls a function of the host: its op, and the attributes of it by name.

    Files that TensorFlow reads say it with these (`saved_model/writing`).
    """

    op: str
    attributes: tuple[tuple[str, Any], ...] = ()


def _kernel(
    *arrays: Any, compute: Callable[..., np.ndarray], spec: Spec, form: HostForm | None
) -> Any:
    result = compute(*[np.asarray(materialize(x)) for x in arrays])
    # Numbers of rank 0 are NumPy's scalars, strings of rank 0 are arrays.
    return result if result.ndim or result.dtype.hasobject else result[()]


HOST_CALL = primitive(
    "host_call",
    "*xs",
    kernel=_kernel,
    shape=lambda *specs, compute, spec, form: spec,
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
    spec = Spec(tuple(shape), dtype.dtype)
    params = {"compute": compute, "spec": spec, "form": form}
    return bind(HOST_CALL, tuple([x.cpu() for x in inputs]), params)
