"""Clocks: what tells a recorder of every op and every call of a `tf.function`, in all threads.

A profile puts them on when it starts and takes them off when it ends, so that nothing asks for them
while none runs. A kernel with a clock is a function that calls the kernel and notes the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from gradtape.api.function.concrete import ConcreteFunction
from gradtape.api.function.function import Function
from gradtape.core.native import extension, is_deferred
from gradtape.core.primitive import PRIMITIVES, plain_kernel
from gradtape.core.scope import op_scope
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.graph.flat import COMPILE_LISTENERS, compiled_graphs
from gradtape.profiler.recorder import Event, Recorder

# The kernels that a compiled graph calls (see `graph.execute.compile_graph`). Those that write into
# their first input count the references to it: a clock between would be one more.
_KERNEL_NAME = re.compile(r"(?:allocate|overwrite|copy)_(\w+)_\d+")
_FLAT_NAME = re.compile(r"flat_\d+")
# Words of the names of ops that are not merely capitalized.
_WORDS = {"matmul": "MatMul", "logsumexp": "LogSumExp", "argmax": "ArgMax", "argmin": "ArgMin"}
_DEFERRED = {"deferred": 1}
_MAX_NAMES = 6  # of the ops of a flat program that its event names


def type_of_op(name: str) -> str:
    """Return the name of an op as viewers have it: ReduceSum for reduce_sum."""
    words = name.split("_")
    return "".join([_WORDS.get(word, word[:1].upper() + word[1:]) for word in words])


def _timed(name: str, kernel: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """Return a kernel with a clock.

    An op that is deferred takes its time later, in a pass with others (see `_timed_passes`).
    """
    return _clocked(name, type_of_op(name), kernel, recorder, None)


def _timed_program(ops: str, program: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """Return a flat program with a clock; `ops` are the names of its ops."""
    return _clocked(_joined(ops), "Fused", program, recorder, {"ops": ops})


def _timed_passes(recorder: Recorder) -> Callable[..., Any]:
    """Return what is called before and after each pass that computes deferred ops."""

    def watch(begin: int | None = None, ops: str = "") -> int:
        now = perf_counter_ns()
        if begin is not None:
            recorder.add(Event(f"{_joined(ops)}:Fused", begin, now, "Fused", {"ops": ops}))
        return now

    return watch


def _joined(ops: str) -> str:
    """Return the names of ops as one, with the signs that names of ops have for TensorBoard."""
    names = ops.split()
    more = len(names) - _MAX_NAMES
    return "-".join([*names[:_MAX_NAMES], f"{more}-more"] if more > 0 else names)


def _clocked(
    name: str, kind: str, kernel: Callable[..., Any], recorder: Recorder, known: dict | None
) -> Callable[..., Any]:
    plain = f"{name}:{kind}"
    now, add = perf_counter_ns, recorder.add

    def clock(*arrays, **params):
        begin = now()
        result = kernel(*arrays, **params)
        end = now()
        scope = op_scope()
        facts = _DEFERRED if is_deferred(result) else known
        add(Event(f"{scope}/{plain}" if scope else plain, begin, end, kind, facts))
        return result

    vars(clock)["unclocked"] = kernel
    return clock


def _timed_call(call: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """Return the method `__call__` of functions, with a clock."""

    def clock(self, *args, **kwargs):
        cache = self._cache if isinstance(self, Function) else None
        count = 0 if cache is None else cache.count
        begin = perf_counter_ns()
        try:
            return call(self, *args, **kwargs)
        finally:
            end = perf_counter_ns()
            recorder.add(Event(str(self.name), begin, end, facts=_facts_of(self, cache, count)))

    vars(clock)["unclocked"] = call
    return filters_tracebacks(clock)


def _facts_of(function: Any, cache: Any, count: int) -> dict[str, Any]:
    """Return what TensorBoard's page of functions reads: how a call ran, and how many traces."""
    if cache is None:
        return {"tf_function_call": "concrete"}
    if cache.has_warned and cache.count == count:
        mode = "eager"
    else:
        mode = "notTraced-" if cache.count == count else "traced-"
        mode += "xla" if function._jit_compile else "nonXla"
    return {"tf_function_call": mode, "tracing_count": cache.count}


class Clocks:
    """The clocks of a profile."""

    def __init__(self, recorder: Recorder, with_ops: bool) -> None:
        self._recorder = recorder
        self._with_ops = with_ops
        self._is_on = False

    def put_on(self) -> None:
        """Put the clocks on."""
        self._is_on = True
        for cls in (Function, ConcreteFunction):
            setattr(cls, "__call__", _timed_call(cls.__call__, self._recorder))  # noqa: B010
        if not self._with_ops:
            return
        for name, prim in list(PRIMITIVES.items()):
            prim.kernel = _timed(name, prim.kernel, self._recorder)
        if extension is not None:
            extension.watch_passes(_timed_passes(self._recorder))
        COMPILE_LISTENERS.append(self._put_on_graph)
        for run in compiled_graphs():
            self._put_on_graph(run)

    def _put_on_graph(self, run: Any) -> None:
        calls = run.__globals__
        for name, value in list(calls.items()):
            if hasattr(value, "unclocked"):  # compiled while `put_on` was at it
                continue
            known = _KERNEL_NAME.fullmatch(name)
            if known is not None:
                calls[name] = _timed(known[1], value, self._recorder)
            elif _FLAT_NAME.fullmatch(name):
                ops = run.flat_names[id(value)]
                calls[name] = _timed_program(ops, value, self._recorder)
        if not self._is_on:  # compiled while `take_off` was at it
            _take_off_graph(run)

    def take_off(self) -> None:
        """Take all clocks off, also those of a `put_on` or `take_off` that was interrupted."""
        self._is_on = False
        COMPILE_LISTENERS.clear()
        for cls in (Function, ConcreteFunction):
            call = cls.__call__
            setattr(cls, "__call__", getattr(call, "unclocked", call))  # noqa: B010
        for prim in list(PRIMITIVES.values()):
            prim.kernel = plain_kernel(prim)
        if extension is not None:
            extension.watch_passes(None)
        for run in compiled_graphs():
            _take_off_graph(run)


def _take_off_graph(run: Any) -> None:
    calls = run.__globals__
    for name, value in list(calls.items()):
        plain = getattr(value, "unclocked", None)
        if plain is not None:
            calls[name] = plain
