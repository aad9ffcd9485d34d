"""`bind`: the one way in. Runs a primitive, and shows it to every interpreter that listens."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.core.errors import (
    InternalError,
    InvalidArgumentError,
    OpError,
    ResourceExhaustedError,
    ShapeError,
)
from gradtape.core.native import REFERENCES, compiled, connect
from gradtape.core.primitive import Primitive
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Spec, Tensor

NO_PARAMS: dict = {}
_MOST_AXES = 64  # NumPy's limit


@compiled
def bind(prim: Primitive, inputs: Any, params: dict = NO_PARAMS) -> Any:
    """Apply `prim` to tensors. This is the hottest Python here: keep it short, and measure it."""
    state = get_state()
    if state.depth and any(type(x) is not Tensor for x in inputs):
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
        except Exception as error:
            data = _recover(prim, inputs, params, error)
        out = Tensor(data) if prim.outputs == 1 else tuple([Tensor(d) for d in data])
    if state is EMPTY:
        return out
    if prim.differentiable:
        for tape in state.tapes:
            tape.record(prim, inputs, params, out)
    else:
        for tape in state.tapes:
            tape.end_path("op", prim, inputs, out)
    for accumulator in state.accumulators:  # outermost first: an inner one may use `out`
        accumulator.push(prim, inputs, params, out)
    return out


def _interpret(prim: Primitive, inputs: tuple, params: dict):
    """Hand the op to the innermost interpreter (a `vmap`) that one of its inputs belongs to."""
    top: Any = None
    for x in inputs:
        if type(x) is not Tensor and (top is None or x._interpreter.depth > top.depth):
            top = x._interpreter
    return top.process(prim, inputs, params)


def _recover(prim: Primitive, inputs: tuple, params: dict, error: Exception):
    """A kernel failed: say what is wrong with the arguments, in the user's terms."""
    if isinstance(error, OpError):
        raise error
    if isinstance(error, BadValues):
        raise InvalidArgumentError(str(error)) from None
    if isinstance(error, (FloatingPointError, RuntimeWarning)):
        # The program made NumPy strict about overflow and the like. A tensor op gives inf or nan.
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
        if len(spec.shape) > _MOST_AXES:
            raise ShapeError(
                f"{prim.name}: the result would have {len(spec.shape)} axes; a tensor has at most "
                f"{_MOST_AXES}. [Op:{prim.name}]"
            ) from None
    if isinstance(error, RecursionError):
        raise error
    raise InternalError(
        f"{prim.name}: cannot compute with {described}"
        f"{f' and {params}' if params else ''}: {error} [Op:{prim.name}]"
    ) from error


def _call_kernel(kernel, *arrays, **params):
    """For the core in C: a frame of gradtape's, that NumPy's warnings count as coming from."""
    return kernel(*arrays, **params)


connect(
    bind=REFERENCES["bind"], interpret=_interpret, recover=_recover, call_kernel=_call_kernel,
    no_params=NO_PARAMS, Primitive=Primitive,
)  # fmt: skip
