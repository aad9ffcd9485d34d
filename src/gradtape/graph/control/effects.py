"""Side effects of a function (printing, checking, writing files), which happen on every call."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import EffectFailed, OpError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.protocols import is_composite
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
        tensors: list[Any] = []
        self._kept: list[Any] = []
        for x in nest.flatten(structure):
            parts = _tensors_of(x)
            self._kept.append(x if parts is None else _Parts(x, len(parts)))
            tensors += parts or ()
        self.tensors = tuple([ops.to_tensor(x) for x in tensors])
        self._blank = nest.map_structure(lambda x: None, structure)  # without the traced tensors

    def arguments(self, values: Sequence) -> tuple[list, dict]:
        """Return the arguments of the call, with these values for its tensors."""
        left = iter(values)
        leaves = [x.filled(left) if type(x) is _Parts else x for x in self._kept]
        return nest.pack_sequence_as(self._blank, leaves)

    @property
    def has_composites(self) -> bool:
        """Whether there is a sparse or ragged tensor among the arguments."""
        return any(type(x) is _Parts and x.composite is not None for x in self._kept)

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


class _Parts:
    """What stands for a tensor, or for one that is made of several, among the arguments."""

    def __init__(self, value: Any, count: int) -> None:
        self.composite = value if is_composite(value) else None
        self._count = count

    def filled(self, values: Iterator) -> Any:
        parts = [next(values) for _ in range(self._count)]
        return parts[0] if self.composite is None else self.composite._with_components(parts)


def _tensors_of(x: Any) -> Sequence | None:
    if is_composite(x):
        return x._component_tensors()
    return [x] if isinstance(x, Tensor) or isinstance(as_variable(x), Variable) else None
