"""What a `tf.function` caches: an entry for each kind of arguments, which runs such calls.

An entry is traced, eager or inlined. None keeps the Python function alive.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.function.arguments import Parameters
from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.core.dtypes import from_numpy
from gradtape.core.recent import Recent
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.graph.routine import Routine
from gradtape.prng.seeds import FunctionSeeds

# The cache keeps this many entries, and more of them while their weights are small altogether.
_MAX_ENTRIES = 256
_MAX_WEIGHT = 50_000
# The weight of an entry is its number of ops, of which each takes about so many bytes.
_BYTES_PER_OP = 1_000
_MIN_WEIGHT = 10
_PLAIN = (int, float, str, bool, bytes, complex, type(None), Variable)


class CallCache:
    """What a function remembers between calls, for each instance that it is a method of."""

    def __init__(self) -> None:
        self.has_run = False
        self.needs_tape: bool | None = None  # whether its code mentions tf.gradients
        self.entries = Recent(_MAX_ENTRIES, _MAX_WEIGHT, lambda entry: entry.weight)  # by key
        self.count = 0  # of traces
        self.last_key: tuple = ()  # of the latest trace
        self.relaxed_keys: dict = {}  # up to two keys that differ only in sizes
        self.has_warned = False  # that the function runs eagerly
        self.parameters: Parameters | None = None

    def refuse_variable(self, variable) -> None:
        """Raise TensorFlow's error for a variable that is created after the first call."""
        raise ValueError(
            "tf.function only supports singleton tf.Variables created on the first call. Make sure "
            "the tf.Variable is only created once or created outside tf.function: "
            f"{variable.name!r} was created by a later call. Keep it in an attribute, or a global, "
            "and create it only where that is None."
        )


class GraphEntry:
    """Runs a call by the graph that was traced for such arguments."""

    __slots__ = ("_pack", "fits", "routine", "weight")

    def __init__(self, routine: Routine, pack) -> None:
        self.routine = routine
        constants: list[Any] = [value.constant for value in routine.graph.constants()]
        constant_bytes = sum(x._data.nbytes for x in constants)
        self.weight = _MIN_WEIGHT + len(routine.graph.nodes) + constant_bytes // _BYTES_PER_OP
        # Called for every call of the function, unless it is None.
        self.fits = routine.fits if routine.resizable else None
        self._pack = pack

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return self._pack(self.routine(tensors))

    def structured_outputs(self):
        """Return the specs of the results, in the structure of the result."""
        outputs = self.routine.graph.outputs[: self.routine.results]
        return self._pack([TensorSpec(v.spec.shape, from_numpy(v.spec.dtype)) for v in outputs])


class EagerEntry:
    """Runs a call by the Python function, because it cannot be traced; `reason` says why."""

    __slots__ = ("_seeds", "reason")
    routine: Any = None
    fits: Any = None
    weight = _MIN_WEIGHT

    def __init__(self, reason) -> None:
        self.reason = str(reason)
        self._seeds = FunctionSeeds()

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        args = tuple(map(_array_to_tensor, args))
        if kwargs:
            kwargs = {name: _array_to_tensor(value) for name, value in kwargs.items()}
        with self._seeds.call():
            return function._run(args, kwargs)


class InlineEntry(EagerEntry):
    """Runs a call as a part of the enclosing function, whose tensors it uses; it is not cached."""

    def __init__(self) -> None:
        super().__init__("it is part of the function around it")

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return function._run(tuple(map(_array_to_tensor, args)), kwargs)


def _array_to_tensor(value):
    """Return an argument with its arrays as tensors."""
    if type(value) is Tensor or isinstance(value, _PLAIN):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return ops.to_tensor(value)
    if isinstance(value, (list, tuple, dict)) and any(
        isinstance(x, (np.ndarray, np.generic)) for x in nest.flatten(value)
    ):
        return nest.map_structure(_array_to_tensor, value)
    return value
