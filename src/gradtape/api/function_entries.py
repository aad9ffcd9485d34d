"""The ways in which a call of a `tf.function` is run. None keeps the function itself alive."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.core.dtypes import from_numpy
from gradtape.core.seeds import FunctionSeeds
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.routine import Routine
from gradtape.engine.variable import Variable

_PLAIN = (int, float, str, bool, bytes, complex, type(None), Variable)


class Traced:
    """By the graph that was traced for such arguments."""

    __slots__ = ("_pack", "fits", "routine")

    def __init__(self, routine: Routine, pack) -> None:
        self.routine = routine
        # Asked on every call, only if there is something to ask.
        self.fits = routine.fits if routine.resizable else None
        self._pack = pack

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return self._pack(self.routine(tensors))

    def structured_outputs(self):
        outputs = self.routine.graph.outputs[: self.routine.results]
        return self._pack([TensorSpec(v.spec.shape, from_numpy(v.spec.dtype)) for v in outputs])


class Eager:
    """By the Python function, because of something that a trace cannot hold."""

    __slots__ = ("_seeds", "reason")
    routine: Any = None
    fits: Any = None

    def __init__(self, reason) -> None:
        self.reason = str(reason)
        self._seeds = FunctionSeeds()

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        args = tuple(map(_argument, args))
        if kwargs:
            kwargs = {name: _argument(value) for name, value in kwargs.items()}
        with self._seeds.call():
            return function._run(args, kwargs)


class Inline(Eager):
    """As a part of the function around it, of which it uses tensors: for this one call."""

    def __init__(self) -> None:
        super().__init__("it is part of the function around it")

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return function._run(tuple(map(_argument, args)), kwargs)


class Attempt(Eager):
    """By the Python function, because tracing gave an error: for good, if it gives none here."""

    __slots__ = ("_keep",)

    def __init__(self, keep, reason) -> None:
        super().__init__(reason)
        self._keep = keep

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        result = super().call(function, tensors, args, kwargs)
        self._keep()
        return result


def _argument(value):
    """An argument as a function sees it: arrays have become tensors."""
    if type(value) is Tensor or isinstance(value, _PLAIN):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return ops.to_tensor(value)
    if isinstance(value, (list, tuple, dict)) and any(
        isinstance(x, (np.ndarray, np.generic)) for x in nest.flatten(value)
    ):
        return nest.map_structure(_argument, value)
    return value
