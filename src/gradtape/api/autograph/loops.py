"""`while` and `for` statements whose conditions or elements are tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.array.tensor_array import TensorArray
from gradtape.api.autograph import symbols
from gradtape.api.autograph.branches import and_, condition
from gradtape.api.autograph.iterables import Range, Rows, as_rows
from gradtape.api.function.graph_control_flow import is_tracing
from gradtape.core import nest
from gradtape.core.state import get_state as engine_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.control.loop import trace_loop
from gradtape.graph.control.scan import trace_scan
from gradtape.graph.tracing import Obstacle, Trace, trace_into
from gradtape.graph.unrolling import UnrolledIterations

# A loop whose condition is known while tracing is unrolled up to here, and the rest is one op.
_MAX_UNROLLED_ITERATIONS = 64
# A loop over rows that cannot be one op (it draws random numbers, or changes the shape of what it
# carries) is unrolled up to here.
_MAX_UNROLLED_ROWS = 512


class LoopState:
    """The names that a loop assigns to: those that the graph carries, and the others."""

    def __init__(self, get_state: Callable, set_state: Callable, names: tuple) -> None:
        self._get_state = get_state
        self._set_state = set_state
        self._names = names
        self._initial = tuple(get_state())

    def define(self, body: Callable[[], object]) -> None:
        """Give names that only the body assigns to a value of the body's shape and dtype.

        The value is never seen: where the program could see it, it is an error in TensorFlow.
        """
        if not any(map(symbols.is_undefined, self._initial)):
            return
        trace: Any = engine_state().trace
        if any(map(symbols.is_return_value, self._initial)):
            what = "a loop that depends on a tensor returns from the function"
            trace.fail(what, Obstacle.OTHER)
        part = Trace(engine_state().depth + 1, outer=trace, repeats=True)
        try:
            with trace_into(part):
                body()
                after = self._get_state()
        finally:
            part.active = False
        initial = []
        for name, value, later in zip(self._names, self._initial, after, strict=True):
            if symbols.is_undefined(value) and symbols.is_carried(later):
                leaves = [ops.zeros(tuple(x.shape), x.dtype) for x in symbols.to_tensors(later)]
                value = nest.pack_sequence_as(later, leaves)
            elif symbols.is_undefined(value) and not symbols.is_undefined(later):
                raise ValueError(
                    f"'{name}' must be defined before the loop: it becomes "
                    f"{symbols.describe(later)} there"
                )
            initial.append(value)
        self._initial = tuple(initial)
        self._set_state(self._initial)

    def has_tensor_array(self) -> bool:
        """Return whether a name is a `TensorArray`, which is a list of tensors while tracing."""
        return any(isinstance(x, TensorArray) for x in nest.flatten(self._initial))

    def leaves(self) -> list[Tensor]:
        """Return the carried values, as tensors."""
        return [x for v in self._initial if symbols.is_carried(v) for x in symbols.to_tensors(v)]

    def enter(self, leaves: list) -> None:
        """Set the names to traced values."""
        rest = iter(leaves)
        values = []
        for value in self._initial:
            if symbols.is_carried(value):
                value = nest.pack_sequence_as(value, [next(rest) for _ in nest.flatten(value)])
            values.append(value)
        self._set_state(tuple(values))

    def exit(self) -> list[Tensor]:
        """Return the carried values at the end of an iteration, as tensors."""
        result: list = []
        for name, before, after in zip(self._names, self._initial, self._get_state(), strict=True):
            if not symbols.is_carried(before):
                if not symbols.is_same(before, after) and not symbols.is_undefined(before):
                    raise TypeError(_changed(name, before, after))
                continue
            if not symbols.is_carried(after):
                raise TypeError(_changed(name, before, after))
            if not symbols.same_structure(before, after):
                raise TypeError(
                    f"'{name}' does not have the same nested structure after one iteration: "
                    f"{before!r} before, {after!r} after"
                )
            result += symbols.to_tensors(after)
        return result


def _changed(name: str, before: Any, after: Any) -> str:
    if after is None:
        return f"'{name}' is None at the end of an iteration of the loop."
    if before is None:
        return f"'{name}' must be a tensor or a number before the loop, it is None."
    return (
        f"'{name}' is {symbols.describe(before)} before the loop and {symbols.describe(after)} "
        "after one iteration; only numbers, tensors and structures of them can change in a loop "
        "that depends on the value of a tensor"
    )


def while_stmt(test, body, get_state, set_state, symbol_names, opts) -> None:
    """Run a `while` statement; `get_state` and `set_state` access the names that it assigns to."""
    count, iteration = 0, UnrolledIterations()
    while True:
        answer = test()
        is_long = count >= _MAX_UNROLLED_ITERATIONS and isinstance(answer, Tensor) and is_tracing()
        if is_long or condition(answer) is not None:
            break
        if not answer:
            return
        with iteration:
            body()
        count += 1
    state = LoopState(get_state, set_state, symbol_names)
    state.define(body)

    def holds(leaves: list) -> Any:
        state.enter(leaves)
        return ops.reshape(ops.cast(ops.to_tensor(test()), "bool"), ())

    def step(leaves: list) -> list:
        state.enter(leaves)
        body()
        return state.exit()

    trace: Any = engine_state().trace
    state.enter(trace_loop(trace, holds, step, state.leaves(), _limit(opts)))


def _limit(opts: dict) -> int | None:
    limit = opts.get("maximum_iterations") if opts else None
    return None if limit is None else int(limit)


def for_stmt(iter_, extra_test, body, get_state, set_state, symbol_names, opts) -> None:
    """Run a `for` statement. `extra_test()`, if given, ends the loop where it does not hold."""
    rows = as_rows(iter_) if is_tracing() else None
    if rows is None:
        _run_in_python(iter_, extra_test, body)
        return
    state = LoopState(get_state, set_state, symbol_names)
    if isinstance(rows, Rows) and rows.count <= _MAX_UNROLLED_ROWS and state.has_tensor_array():
        _run_in_python(rows, extra_test, body)
        return
    first = rows.row(ops.zeros((), "int32"))
    state.define(lambda: body(first))
    if isinstance(rows, Rows) and extra_test is None and not (opts and _limit(opts) is not None):
        if rows.count == 0:
            return
        if _scan(rows, body, state):
            return
        if rows.count <= _MAX_UNROLLED_ROWS and not _writes_variables(rows, body, state):
            state.enter(state.leaves())
            _run_in_python(rows, None, body)
            return
    _loop(rows, extra_test, body, state, _limit(opts))


def _run_in_python(iterable: Any, extra_test: Callable | None, body: Callable) -> None:
    iteration = UnrolledIterations()
    if extra_test is not None and not extra_test():
        return
    for target in iterable:
        with iteration:
            body(target)
        if extra_test is not None and not extra_test():
            return


def _scan(rows: Rows, body: Callable, state: LoopState) -> bool:
    """Trace the loop as one scan; return whether that was possible."""

    def step(carry: list, row: list) -> tuple[list, list]:
        state.enter(carry)
        body(rows.pack(row))
        return state.exit(), []

    trace: Any = engine_state().trace
    scanned = trace_scan(trace, step, state.leaves(), rows.leaves, rows.count)
    if scanned is None:
        return False
    state.enter(scanned[0])
    return True


def _writes_variables(rows: Rows, body: Callable, state: LoopState) -> bool:
    trace: Any = engine_state().trace
    part = Trace(engine_state().depth + 1, outer=trace, repeats=False)
    try:
        with trace_into(part):
            state.enter(state.leaves())
            body(rows.row(part.input(Spec((), np.dtype("int32")))))
    finally:
        part.active = False
    return bool(part.written)


def _loop(
    rows: Rows | Range, extra_test: Callable | None, body: Callable, state: LoopState, limit
) -> None:
    """Trace the loop as one op that counts its iterations."""

    def holds(leaves: list) -> Any:
        state.enter(leaves[1:])
        more = rows.has(leaves[0])
        return more if extra_test is None else and_(lambda: more, extra_test)

    def step(leaves: list) -> list:
        state.enter(leaves[1:])
        body(rows.row(leaves[0]))
        return [leaves[0] + 1, *state.exit()]

    trace: Any = engine_state().trace
    initial = [ops.to_tensor(0), *state.leaves()]
    state.enter(trace_loop(trace, holds, step, initial, limit)[1:])
