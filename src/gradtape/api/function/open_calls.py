"""Calls of a function for sizes that it was not traced with: one trace for all of them.

Sizes that an `input_signature` leaves open (None), or that `reduce_retracing` found to vary, are
open in the trace (`core/size`). The trace serves all calls whose sizes meet its conditions; for
others the function is traced again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from gradtape.api.function.entries import EagerEntry, FirstCall, GraphEntry, keep_stages
from gradtape.api.specs import TensorSpec
from gradtape.backends.xla.runtime.choose import choose_backend
from gradtape.core import nest
from gradtape.core.errors import OpError
from gradtape.core.shape import TensorShape
from gradtape.core.size import OpenSizes, Size, is_open
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.apply import NUMPY
from gradtape.graph.open_sizes import close_sizes
from gradtape.graph.routine import CannotTrace, Routine
from gradtape.graph.signature import relax_shapes
from gradtape.graph.stages import Live, can_compute_now
from gradtape.graph.tracing import Trace

# What code that wants numbers may raise.
_OF_SIZES = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OpError,
    TypeError,
    ValueError,
)
# Python's errors name the class of what they refuse, where TensorFlow has a number or None.
_SIZE = re.compile(rf"'{Size.__name__}'|(not|type:?|component:) {Size.__name__}\b")
# Libraries that raise errors of their own then.
_ASK_FOR_NUMBERS = frozenset(("keras", "numpy", "scipy"))
# With so many traces, each call seems to need its own: they are made for one call each, then.
_MAX_TRACES = 8
Axis = tuple[int, int]  # the index of a tensor among the arguments, and one of its axes
# The size that stands for an open one in an example: kernels fit in it, many numbers divide it.
_EXAMPLE_SIZE = 60


class NoExample(Exception):
    """A function cannot be traced with an example: what it does depends on sizes it leaves open."""


class ExampleSpec(Spec):
    """The spec of a tensor that stands for one of other sizes: its value is not known either."""

    __slots__ = ("open_axes",)

    def __init__(self, shape: Any, dtype: Any) -> None:
        super().__init__(tuple([_EXAMPLE_SIZE if n is None else n for n in shape]), dtype)
        self.open_axes = [k for k, n in enumerate(shape) if n is None]


class OpenCalls:
    """What is known of the calls of a function that differ in sizes only."""

    def __init__(self) -> None:
        self.traces: list[OpenTrace] = []
        self.shapes: list[list[tuple[int, ...]]] = []  # those of calls that were traced
        self.fails = False  # whether the function cannot be traced with open sizes


class OpenTrace:
    """A function traced with open sizes."""

    def __init__(
        self, routine: Routine, pack: Callable, sizes: OpenSizes, axes: list[Axis], tensors: list
    ) -> None:
        self._routine = routine
        self._pack = pack
        self.open = sizes
        self._axes = axes
        self._rest = [  # the sizes that are not open
            (i, k, n)
            for i, x in enumerate(tensors)
            for k, n in enumerate(_shape(x))
            if (i, k) not in axes
        ]

    def entry(self, name: str, jit_compile: bool | None, tensors: list) -> GraphEntry | None:
        """Return the entry that runs calls with such tensors; None if the trace is not for them."""
        shapes = list(map(_shape, tensors))
        if any(shapes[i][k] != n for i, k, n in self._rest):
            return None
        sizes = tuple([shapes[i][k] for i, k in self._axes])
        if not self.open.hold(sizes):
            return None
        routine = self._routine.at(self.open, sizes)
        if routine.backend is not NUMPY or any(type(x) is not Tensor for x in tensors):
            choose_backend(name, routine, tensors, jit_compile)
        return GraphEntry(routine, self._pack)


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x._data.shape)


def has_open_sizes(tensors: list, args: tuple) -> bool:
    """Return whether the arguments of a call have open sizes, those of a function around it."""
    static = [list(x) if type(x) is TensorShape and x else x for x in args]
    return is_open(static) or any(is_open(_shape(x)) for x in tensors)


def note_shapes(function: Any, key: tuple, tensors: list) -> None:
    """Note the shapes of a call that the program has made without the function."""
    calls = function._cache.open.setdefault(relax_shapes(key), OpenCalls())
    calls.shapes.append(list(map(_shape, tensors)))


def open_entry(
    function: Any, key: tuple, tensors: list, args: tuple, kwargs: dict
) -> GraphEntry | FirstCall | EagerEntry | None:
    """Return the entry of a trace with open sizes, an earlier one or a new one; None without."""
    entry = _find(function, key, tensors)
    if entry is not None:
        function._cache.entries.keep(key, entry)
        return entry
    entry = _trace(function, key, tensors, args, kwargs)
    if entry is None and _example_axes(tensors):
        raise NoExample
    return entry


def _find(function: Any, key: tuple, tensors: list) -> GraphEntry | None:
    """Return the entry of an earlier trace that is valid for this call."""
    calls = function._cache.open.get(relax_shapes(key))
    for trace in () if calls is None else calls.traces:
        entry = trace.entry(function.name, function._jit_compile, tensors)
        if entry is not None:
            return entry
    return None


def _trace(
    function: Any, key: tuple, tensors: list, args: tuple, kwargs: dict
) -> GraphEntry | FirstCall | EagerEntry | None:
    """Trace a function with open sizes, if it has any; None if it is to be traced for this call."""
    example = _example_axes(tensors)
    if get_state().trace is not None or not (example or can_compute_now(tensors)):
        return None
    calls = function._cache.open.setdefault(relax_shapes(key), OpenCalls())
    fails = calls.fails or len(calls.traces) >= _MAX_TRACES
    axes = [] if fails else example or _open_axes(function, calls, tensors)
    calls.shapes.append(list(map(_shape, tensors)))
    if not axes:
        return None
    target, reason = function._function_to_trace(args, kwargs)
    if reason is not None:
        return None
    attempts: list[tuple[OpenSizes, Live | None]] = []
    try:
        traced = _traced(function, target, tensors, args, kwargs, axes, attempts)
    except CannotTrace as reason:
        _, live = attempts[-1]
        if function._may_convert(reason.failure, live):
            function._cache.converts = True
            calls.shapes.pop()
            return _trace(function, key, tensors, args, kwargs)
        calls.fails = not example
        return None if example else function._untraced(key, reason.failure, live)
    except _OF_SIZES as error:
        is_of_call = any(error is sizes.failure for sizes, _ in attempts)
        # An example may have sizes that no call has.
        if not example and (is_of_call or not _refuses_a_size(error)):
            raise
        traced = None
    if not isinstance(traced, OpenTrace):
        calls.fails = not example  # which says nothing about other sizes
        return traced if traced is None else traced(key)
    calls.traces.append(traced)
    entry = traced.entry(function.name, function._jit_compile, tensors)
    return entry if entry is None else function._keep(key, entry)


def _refuses_a_size(error: BaseException | None) -> bool:
    """Return whether an error, or what led to it, says that a size is no number.

    With a number there may be none. All other errors are the program's, and would be the same: its
    Python is not to run a second time to see that.
    """
    if error is None:
        return False
    if _SIZE.search(str(error)) or _is_raised_by(error, _ASK_FOR_NUMBERS):
        return True
    return _refuses_a_size(error.__cause__ or error.__context__)


def _is_raised_by(error: BaseException, packages: frozenset[str]) -> bool:
    """Return whether an error was raised in the code of one of some packages."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = "" if trace is None else trace.tb_frame.f_globals.get("__name__", "")
    return name.partition(".")[0] in packages


def _traced(
    function: Any,
    target: Any,
    tensors: list,
    args: tuple,
    kwargs: dict,
    axes: list[Axis],
    attempts: list[tuple[OpenSizes, Live | None]],
) -> OpenTrace | Callable[[tuple], FirstCall]:
    """Return the trace; or, where a shape depends on values, what ends this call and keeps it."""
    cache = function._cache
    created: list = []
    has_values = can_compute_now(tensors)

    def trace() -> tuple[Live | None, OpenSizes, Trace, Routine, Callable]:
        numbers = [_shape(tensors[i])[k] for i, k in axes]
        sizes = OpenSizes(numbers, are_examples=bool(_example_axes(tensors)))
        live = Live(tensors) if has_values else None
        attempts.append((sizes, live))
        given: dict[Axis, Any] = dict(zip(axes, sizes.sizes, strict=True))
        specs = [
            Spec(tuple([given.get((i, k), n) for k, n in enumerate(_shape(x))]), x._spec().dtype)
            for i, x in enumerate(tensors)
        ]
        traced = function._trace_once(target, tensors, args, kwargs, live, created, (sizes, specs))
        return live, sizes, *traced

    live, sizes, whole, routine, pack = trace()
    if created and not _asks(live):
        cache.has_run = True  # trace the function as it is on every later call
        live, sizes, whole, routine, pack = trace()
    cache.has_run = True
    if live is not None and live.questions:
        values = (*whole.inputs, *[v for _, v in whole.variables], *[v for _, v in whole.feeds])
        close_sizes(sizes, values, whole.nodes)
        whole.open = None  # answers are numbers: the stages are for the sizes of this call
        live.questions = [question._replace(is_open=False) for question in live.questions]
        choose_backend(function.name, routine, tensors, function._jit_compile)
        return partial(keep_stages, function, whole, live, routine, pack, bool(created))
    routine.settle_open_sizes(pack)
    choose_backend(function.name, routine, tensors, function._jit_compile)
    if routine.backend is NUMPY:
        routine.prepare(sizes)
    sizes.close()
    return OpenTrace(routine, pack, sizes, axes, tensors)


def _asks(live: Live | None) -> bool:
    """Return whether a trace needed values that it had to compute."""
    return live is not None and bool(live.questions)


def _example_axes(tensors: list) -> list[Axis]:
    """Return the axes that are open in an example."""
    return [
        (i, k)
        for i, x in enumerate(tensors)
        if isinstance(x._data, ExampleSpec)
        for k in x._data.open_axes
    ]


def _open_axes(function: Any, calls: OpenCalls, tensors: list) -> list[Axis]:
    """Return the axes whose sizes are open: by the signature, or because they have varied."""
    if function._input_signature is not None:
        leaves = nest.flatten(list(function._input_signature))
        if len(leaves) != len(tensors) or not all(isinstance(s, TensorSpec) for s in leaves):
            return []
        return [
            (i, k)
            for i, (spec, x) in enumerate(zip(leaves, tensors, strict=True))
            for k in range(len(_shape(x)))
            if spec.shape.rank is None or (k < len(spec.shape) and spec.shape[k] is None)
        ]
    if not function._reduce_retracing:
        return []
    now = list(map(_shape, tensors))
    return [
        (i, k)
        for i, shape in enumerate(now)
        for k, size in enumerate(shape)
        if any(before[i][k] != size for before in calls.shapes)
    ]
