"""What a function does besides computing (printing, checking, writing), on every call."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import OpError
from gradtape.core.places import here
from gradtape.core.primitive import ByLoop
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.graph import EffectFailed, EffectPrimitive
from gradtape.engine.trace.replay import say_where
from gradtape.engine.variable import Variable, as_variable


def _do(*arrays, do) -> tuple:
    try:
        with lifted():
            do(*map(Tensor, arrays))
    except Exception as error:
        raise EffectFailed(error) from error
    return ()


def _make_primitive() -> EffectPrimitive:
    prim = EffectPrimitive()
    prim.name, prim.inputs, prim.variadic = "effect", ("xs",), True
    prim.kernel, prim.shape, prim.batch = _do, lambda *specs, do: (), ByLoop("it has no results")
    prim.outputs, prim.broadcasts, prim.structure = 0, False, None
    prim.no_derivative, prim.differentiable = "it is done for its effect", False
    prim.vjps = prim.joint = prim.jvps = prim.joint_jvp = None
    prim.plans = {}
    return prim


EFFECT = _make_primitive()


def on_each_call(function: Any = None, *, surroundings: Callable | None = None) -> Any:
    """Decorate a function that is there for its effect, and takes tensors.

    While another function is traced, the call is only noted, and gives None; it happens whenever
    the traced function is called. For effects that depend on a surrounding `with`,
    `surroundings()` gives, while tracing, a function that opens the same surroundings again.
    """
    if function is None:
        return functools.partial(on_each_call, surroundings=surroundings)

    @functools.wraps(function)
    def noting(*args, **kwargs):
        trace = get_state().trace
        if trace is None:
            return function(*args, **kwargs)
        structure = (list(args), kwargs)
        leaves = nest.flatten(structure)
        places = [i for i, x in enumerate(leaves) if _is_tensor(x)]
        tensors = tuple([ops.to_tensor(leaves[i]) for i in places])
        kept: list[Any] = [None if i in places else x for i, x in enumerate(leaves)]
        opened = contextlib.nullcontext if surroundings is None else surroundings()
        line = here()

        def do(*values):
            found = list(kept)
            for place, value in zip(places, values, strict=True):
                found[place] = value
            new_args, new_kwargs = nest.pack_sequence_as(structure_of, found)
            try:
                with opened():
                    function(*new_args, **new_kwargs)
            except OpError as error:
                say_where(error, line)
                raise

        structure_of = nest.map_structure(lambda x: None, structure)  # without the traced tensors
        trace.effect(EFFECT, tensors, {"do": do})
        return None

    return noting


def _is_tensor(x) -> bool:
    return isinstance(x, Tensor) or isinstance(as_variable(x), Variable)
