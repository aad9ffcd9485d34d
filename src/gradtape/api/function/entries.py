"""What a `tf.function` caches: an entry for each kind of arguments, which runs such calls.

An entry is traced (as one graph or in stages), eager or inlined. None keeps the Python function
alive, except what is not cached.
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
from gradtape.core.size import Size
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.black_box import repeating
from gradtape.engine.transaction import exclusively
from gradtape.engine.variable import Variable
from gradtape.graph.graph import Graph
from gradtape.graph.open_sizes import SizedGraph
from gradtape.graph.routine import Routine
from gradtape.graph.stages import Live, NotTraced, Stage, make_stages, run_stages
from gradtape.graph.tracing import Trace
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
        self.converts = False  # whether a trace has met control flow that the source does not show
        self.parameters: Parameters | None = None
        # What concrete functions were asked for with open sizes: (arguments by position, by name).
        self.asked: list[tuple[tuple, dict]] = []
        self.open: dict = {}  # by key without sizes: what open_calls.py knows of such calls

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
        graph = routine.graph
        if isinstance(graph, SizedGraph):  # its constants are shared
            self.weight = _MIN_WEIGHT + len(graph.whole.nodes)
        else:
            constants: list[Any] = [value.constant for value in graph.constants()]
            constant_bytes = sum(x._data.nbytes for x in constants)
            self.weight = _MIN_WEIGHT + len(graph.nodes) + constant_bytes // _BYTES_PER_OP
        # Called for every call of the function, unless it is None.
        self.fits = routine.fits if routine.resizable else None
        self._pack = pack

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return self._pack(self.routine(tensors))

    def structured_outputs(self):
        """Return the specs of the results, in the structure of the result."""
        outputs = graph_of_all_sizes(self.routine).outputs[: self.routine.results]
        return self._pack([public_spec(v.spec) for v in outputs])


def graph_of_all_sizes(routine: Routine) -> Graph:
    """Return the graph of a routine with its open sizes, also if the routine is for given ones."""
    graph = routine.graph
    return graph.whole if isinstance(graph, SizedGraph) else graph


def public_spec(spec: Spec) -> TensorSpec:
    """Return the spec of an argument or result, in which the open sizes are not known."""
    shape = [None if type(n) is Size else n for n in spec.shape]
    return TensorSpec(shape, from_numpy(spec.dtype))


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

    __slots__ = ("_target",)

    def __init__(self, target) -> None:
        super().__init__("it is part of the function around it")
        self._target = target  # the function, or what it was converted to

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return function._run(tuple(map(_array_to_tensor, args)), kwargs, self._target)


class RepeatingEntry(EagerEntry):
    """Runs the call in which a trace failed: what it has called is not called again."""

    __slots__ = ("_entry", "_live")

    def __init__(self, entry: EagerEntry, live: Live) -> None:
        super().__init__(entry.reason)
        self._entry = entry
        self._live = live

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        with repeating(self._live.called):
            return self._entry.call(function, tensors, args, kwargs)


class StagedEntry:
    """Runs a call stage by stage, because a shape in the function depends on values."""

    __slots__ = ("_first", "fits", "routine", "weight")

    def __init__(self, routine: Routine, first: Stage) -> None:
        self.routine = routine  # of the first call
        self.weight = _MIN_WEIGHT + len(routine.graph.nodes)
        self.fits = routine.fits if routine.resizable else None
        self._first = first

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        return exclusively(self.routine.written, self._call, function, tensors, args, kwargs)

    def _call(self, function, tensors: list, args: tuple, kwargs: dict):
        try:
            last, values = run_stages(self._first, self.routine.backend, tensors)
        except NotTraced as reached:
            return function.trace_further(reached, tensors, args, kwargs)
        results = [x if isinstance(x, Tensor) else values[x] for x in last.results]
        assert last.routine is not None
        assert last.pack is not None
        return last.pack(last.routine.commit(results))

    def structured_outputs(self):
        raise NotImplementedError("tf.function: the shapes of its results depend on values")


class FirstCall:
    """Finishes a call that was computed while it was traced; it is not cached."""

    __slots__ = ("_live", "_pack", "_trace", "routine")
    fits: Any = None
    weight = _MIN_WEIGHT

    def __init__(self, trace: Trace, live: Live, routine: Routine, pack) -> None:
        self._trace = trace
        self._live = live
        self._pack = pack
        self.routine = routine

    def call(self, function, tensors: list, args: tuple, kwargs: dict):
        outputs = list(self.routine.graph.outputs)
        self._live.compute(self._trace, outputs)
        return self._pack(self.routine.commit([self._live.value(v) for v in outputs]))


def keep_stages(
    function, trace: Trace, live: Live, routine: Routine, pack, has_created: bool, key: tuple
) -> FirstCall:
    """Keep a trace with questions, in stages; return what ends the call that it was made for."""
    entry = StagedEntry(routine, make_stages(trace, live, routine, pack, []))
    if not has_created:  # variables: else it is not what later calls do
        function._keep(key, entry)
    return FirstCall(trace, live, routine, pack)


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
