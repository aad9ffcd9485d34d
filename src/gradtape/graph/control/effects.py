"""Side effects of a function (printing, checking, writing files), which happen on every call."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
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


class Effect:
    """A recorded call of a function for its effect: the function, and how to rebuild its arguments.

    What writes graphs for other runtimes says the same with their ops (`saved_model/writing`).
    """

    def __init__(self, function: Callable, args: tuple, kwargs: dict, context: Callable) -> None:
        self.function = function
        self._context, self._location = context, here()
        structure = (list(args), kwargs)
        leaves = nest.flatten(structure)
        self._indices = [i for i, x in enumerate(leaves) if _is_tensor(x)]
        self.tensors = tuple([ops.to_tensor(leaves[i]) for i in self._indices])
        self._kept: list[Any] = [None if i in self._indices else x for i, x in enumerate(leaves)]
        self._blank = nest.map_structure(lambda x: None, structure)  # without the traced tensors

    def arguments(self, values: Sequence) -> tuple[list, dict]:
        """Return the arguments of the call, with these values for its tensors."""
        leaves = list(self._kept)
        for index, value in zip(self._indices, values, strict=True):
            leaves[index] = value
        return nest.pack_sequence_as(self._blank, leaves)

    def __call__(self, *values: Tensor) -> None:
        args, kwargs = self.arguments(values)
        try:
            with self._context():
                self.function(*args, **kwargs)
        except OpError as error:
            add_location_note(error, self._location)
            raise


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
        context = contextlib.nullcontext if capture_context is None else capture_context()
        effect = Effect(function, args, kwargs, context)
        trace.effect(EFFECT, effect.tensors, {"do": effect})
        return None

    return recording


def _is_tensor(x) -> bool:
    return isinstance(x, Tensor) or isinstance(as_variable(x), Variable)
