"""Side effects of a function (printing, checking, writing files), which happen on every call."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import EffectFailed, OpError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.source_location import here
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable, as_variable
from gradtape.graph.replay import add_location_note


def _do(*arrays, do) -> tuple:
    try:
        with lifted():
            do(*map(Tensor, arrays))
    except Exception as error:  # wrapped, so that the effect is not run again
        raise EffectFailed(error) from error
    return ()


EFFECT = primitive(
    "effect",
    "*xs",
    kernel=_do,
    shape=lambda *specs, do: (),
    batch=ByLoop("it has no results"),
    no_derivative="it is done for its effect",
    outputs=0,
    has_effect=True,
)


def on_each_call(function: Any = None, *, capture_context: Callable | None = None) -> Any:
    """Decorate a function of tensors that is called for its side effect.

    While another function is traced, the call is only recorded, and returns None; it happens
    whenever the traced function is called. For effects that depend on a `with` block around them,
    `capture_context()` returns, while tracing, a function that enters the same context again.
    """
    if function is None:
        return functools.partial(on_each_call, capture_context=capture_context)

    @functools.wraps(function)
    def recording(*args, **kwargs):
        trace = get_state().trace
        if trace is None:
            return function(*args, **kwargs)
        structure = (list(args), kwargs)
        leaves = nest.flatten(structure)
        indices = [i for i, x in enumerate(leaves) if _is_tensor(x)]
        tensors = tuple([ops.to_tensor(leaves[i]) for i in indices])
        kept: list[Any] = [None if i in indices else x for i, x in enumerate(leaves)]
        context = contextlib.nullcontext if capture_context is None else capture_context()
        location = here()

        def do(*values):
            new_leaves = list(kept)
            for index, value in zip(indices, values, strict=True):
                new_leaves[index] = value
            new_args, new_kwargs = nest.pack_sequence_as(blank, new_leaves)
            try:
                with context():
                    function(*new_args, **new_kwargs)
            except OpError as error:
                add_location_note(error, location)
                raise

        blank = nest.map_structure(lambda x: None, structure)  # without the traced tensors
        trace.effect(EFFECT, tensors, {"do": do})
        return None

    return recording


def _is_tensor(x) -> bool:
    return isinstance(x, Tensor) or isinstance(as_variable(x), Variable)
