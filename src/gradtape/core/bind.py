"""`bind`: the single entry point of every op. It runs a primitive and notifies all listeners."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.backends.constants import MAX_AXES, MAX_BYTES
from gradtape.backends.errors import BadValues
from gradtape.backends.numpy import WRITERS
from gradtape.backends.numpy.rows import Write
from gradtape.core.errors import (
    EffectFailed,
    InternalError,
    InvalidArgumentError,
    OpError,
    ResourceExhaustedError,
    ShapeError,
)
from gradtape.core.native import REFERENCES, connect, native_version
from gradtape.core.primitive import Primitive
from gradtape.core.protocols import Interpreter
from gradtape.core.state import State, get_state
from gradtape.core.tensor import Spec, Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import Array

NO_PARAMS: dict[Any, Any] = {}
# What NumPy says of arrays that no memory could hold, such as those that a kernel computes with.
_TOO_BIG = re.compile("array is too big|too large to convert|[Mm]aximum (allowed|supported) ")


@native_version
def bind(prim: Primitive, inputs: Any, params: dict[Any, Any] = NO_PARAMS) -> Any:
    """Apply `prim` to tensors. This is the hottest Python here: keep it short, and measure it."""
    state = get_state()
    if state.depth and _has_symbolic(inputs):
        out = _interpret(prim, inputs, params)
    else:
        try:
            count = len(inputs)
            if count == 2 and not params:
                data = prim.kernel(inputs[0]._data, inputs[1]._data)
            elif count == 1 and not params:
                data = prim.kernel(inputs[0]._data)
            else:
                data = prim.kernel(*[x._data for x in inputs], **params)
        except Exception as error:  # explained in the user's terms
            data = _recover(prim, inputs, params, error)
        out = Tensor(data) if prim.outputs == 1 else tuple([Tensor(d) for d in data])
    if state.tapes or state.accumulators:
        notify(state, prim, inputs, params, out)
    return out


def _has_symbolic(inputs: tuple[Any, ...]) -> bool:
    for x in inputs:  # noqa: SIM110 (`any` is slower, and inside of a vmap every op asks)
        if type(x) is not Tensor:
            return True
    return False


def notify(
    state: State, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], out: Any
) -> None:
    """Notify all listeners of a state that an op has run.

    Everything that makes tensors without `bind` (copies between devices, functions with custom
    gradients) calls it, too; the core in C has its own version of it for the ops that it runs.
    """
    if prim.differentiable:
        for tape in state.tapes:
            tape.record(prim, inputs, params, out)
    else:
        for tape in state.tapes:
            tape.end_path("op", prim, inputs, out)
    for accumulator in state.accumulators:  # outermost first: an inner one may use `out`
        accumulator.record(prim, inputs, params, out)


def prepared_write(
    prim: Primitive, array: np.ndarray, operands: list[Any], params: dict[Any, Any]
) -> Write:
    """Prepare the in-place update that writes what a primitive changes into its first input."""
    try:
        # NumPy may be configured to raise on overflow and the like: a tensor op returns inf or nan.
        with np.errstate(all="ignore"):
            return WRITERS[prim.name](array, *operands, **params)
    except BadValues as error:
        raise InvalidArgumentError(str(error)) from None


def _interpret(prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any]) -> Any:
    """Dispatch the op to the innermost interpreter (such as a `vmap`) that owns an input."""
    top: Interpreter | None = None
    for x in inputs:
        if type(x) is not Tensor and (top is None or x._interpreter.depth > top.depth):
            top = x._interpreter
    assert top is not None
    return top.process(prim, inputs, params)


def _recover(
    prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], error: Exception
) -> tuple[Array, ...]:
    """Raise an error that explains, in the user's terms, why a kernel failed.

    A failure that only reports a floating point warning is no error: the kernel runs again without
    it.
    """
    if isinstance(error, OpError):
        raise error
    if isinstance(error, EffectFailed):
        raise error.error from None
    if isinstance(error, BadValues):
        raise InvalidArgumentError(str(error)) from None
    if isinstance(error, (FloatingPointError, RuntimeWarning)):
        # The program configured NumPy to raise on overflow and the like. A tensor op returns inf or
        # nan.
        with np.errstate(all="ignore"):
            return prim.kernel(*[x._data for x in inputs], **params)
    for x in inputs:
        if type(x) is not Tensor:
            raise x._leaked()
    specs = [x._spec() for x in inputs]
    described = ", ".join(map(repr, specs))
    if isinstance(error, MemoryError):
        raise ResourceExhaustedError(
            f"{prim.name}: out of memory with {described}: {error} [Op:{prim.name}]"
        ) from None
    promised = prim.shape(*specs, **params)  # raises the error that explains the arguments
    for spec in (promised,) if isinstance(promised, Spec) else promised:
        # NumPy counts an axis of size 0 as 1 here: the other sizes have to fit, too.
        if math.prod([n or 1 for n in spec.shape]) * spec.dtype.itemsize >= MAX_BYTES:
            raise ResourceExhaustedError(
                f"{prim.name}: out of memory: the result would have shape {spec.shape}. "
                f"[Op:{prim.name}]"
            ) from None
        if len(spec.shape) > MAX_AXES:
            raise ShapeError(
                f"{prim.name}: the result would have {len(spec.shape)} axes; a tensor has at most "
                f"{MAX_AXES}. [Op:{prim.name}]"
            ) from None
    if isinstance(error, RecursionError):
        raise error
    if _TOO_BIG.search(str(error)):
        raise ResourceExhaustedError(
            f"{prim.name}: out of memory: with {described} and {params}, it would need an array "
            f"that is larger than any can be: {error} [Op:{prim.name}]"
        ) from None
    if isinstance(error, OverflowError):  # such a number is none of ours: an argument has it
        raise InvalidArgumentError(
            f"{prim.name}: with {described} and {params}, a number does not fit into 64 bits: "
            f"{error} [Op:{prim.name}]"
        ) from None
    raise InternalError(
        f"{prim.name}: cannot compute with {described}"
        f"{f' and {params}' if params else ''}: {error} [Op:{prim.name}]"
    ) from error


def _call_kernel(kernel: Any, *arrays: Any, **params: Any) -> Array:
    """Call a kernel for the core in C, in a frame that NumPy's warnings can be attributed to."""
    return kernel(*arrays, **params)


connect(
    bind=REFERENCES["bind"],
    interpret=_interpret,
    recover=_recover,
    call_kernel=_call_kernel,
    no_params=NO_PARAMS,
    Primitive=Primitive,
)
