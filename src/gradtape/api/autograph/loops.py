"""`while` and `for` statements whose conditions or elements are tensors."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.autograph.branches import and_, condition
from gradtape.api.autograph.elements import Elements, GraphIterator, is_dataset
from gradtape.api.autograph.iterables import Range, Rows, as_rows
from gradtape.api.autograph.loop_state import LoopState
from gradtape.api.function.graph_control_flow import is_tracing, peel
from gradtape.core.size import is_open
from gradtape.core.state import get_state as engine_state
from gradtape.core.tensor import Tensor
from gradtape.graph.control.loop import trace_loop
from gradtape.graph.control.scan import Declined, trace_scan
from gradtape.graph.obstacles import MustKnow, MustPeel, Obstacle
from gradtape.graph.unrolling import UnrolledIterations

# A loop whose condition is known while tracing is unrolled up to here, and the rest is one op, if
# nothing is computed while tracing.
_MAX_UNROLLED_ITERATIONS = 64
# A loop over rows that cannot be one op (it draws random numbers, or changes the shape of what it
# carries) is unrolled up to here.
_MAX_UNROLLED_ROWS = 512
# A loop over rows that writes to TensorArrays is unrolled up to here: their sizes stay known.
_MAX_UNROLLED_WITH_ARRAYS = 32
# How many iterations a loop of unknown length has room for in its TensorArrays at first.
_FIRST_ROOM = 64


def while_stmt(test, body, get_state, set_state, symbol_names, opts) -> None:
    """Run a `while` statement; `get_state` and `set_state` access the names that it assigns to."""
    count, iteration = 0, UnrolledIterations()
    while True:
        answer = test()
        if _is_of_graph(answer, count) or condition(answer) is not None:
            break
        if not answer:
            return
        with iteration:
            body()
        count += 1
    limit = _limit(opts)
    limit = None if limit is None else limit - count
    while True:
        before = get_state()
        try:
            _while(test, body, LoopState(get_state, set_state, symbol_names), limit)
            return
        except MustPeel as reason:
            peel(engine_state().trace, reason)
        set_state(before)
        if limit == 0 or not _known(test()):
            return
        body()
        limit = None if limit is None else limit - 1


def _is_of_graph(answer: Any, count: int) -> bool:
    """Return whether a loop with a condition that is known now is an op, after some iterations.

    Where nothing is computed while tracing, a loop whose shapes change could not be one.
    """
    if not isinstance(answer, Tensor) or not is_tracing():
        return False
    trace: Any = engine_state().trace
    while trace.outer is not None:
        trace = trace.outer
    return trace.live is not None or count >= _MAX_UNROLLED_ITERATIONS


def _while(test: Callable, body: Callable, state: LoopState, limit: int | None) -> None:
    """Trace a `while` statement as one op, or as several with more and more room for arrays."""
    room = _FIRST_ROOM if limit is None else limit
    state.prepare(body, room)
    state.must_run(test)

    def holds(leaves: list) -> Any:
        state.enter(leaves)
        return ops.reshape(ops.cast(ops.to_tensor(test()), "bool"), ())

    def step(leaves: list) -> list:
        state.enter(leaves)
        body()
        return state.exit()

    trace: Any = engine_state().trace
    if limit is not None or not state.has_tensor_array():
        state.enter(trace_loop(trace, holds, step, state.leaves(), limit))
        return
    while True:  # arrays have room for so many iterations: go on with more room, if it ends there
        state.enter(trace_loop(trace, holds, step, state.leaves(), room))
        if not _known(test()):
            return
        room *= 2
        state.resume(room)


def _limit(opts: dict) -> int | None:
    limit = opts.get("maximum_iterations") if opts else None
    return None if limit is None else int(limit)


def for_stmt(iter_, extra_test, body, get_state, set_state, symbol_names, opts) -> None:
    """Run a `for` statement. `extra_test()`, if given, ends the loop where it does not hold."""
    if is_tracing() and (isinstance(iter_, GraphIterator) or is_dataset(iter_)):
        elements = iter_.elements if isinstance(iter_, GraphIterator) else Elements(iter_)
        _over_dataset(elements, extra_test, body, (get_state, set_state, symbol_names), opts)
        return
    rows = as_rows(iter_) if is_tracing() else None
    if rows is None:
        _run_in_python(iter_, extra_test, body, _limit(opts))
        return
    limit = _limit(opts)
    state = LoopState(get_state, set_state, symbol_names)
    if isinstance(rows, Range) and state.has_tensor_array():
        rows = rows.known()
    while True:
        before = get_state()
        try:
            _for(rows, extra_test, body, state, limit)
            return
        except MustPeel as reason:
            set_state(before)
            if _unroll_known(rows, extra_test, body, limit, reason):
                return
            peel(engine_state().trace, reason)
        if limit == 0 or not _goes_on(rows, extra_test):
            return
        body(rows.row(ops.zeros((), "int32")))
        rows = rows.rest()
        limit = None if limit is None else limit - 1
        state = LoopState(get_state, set_state, symbol_names)


def _goes_on(rows: Rows | Range, extra_test: Callable | None) -> bool:
    """Return whether a loop has another iteration; what follows is traced for that."""
    has_more = _known(rows.has(ops.zeros((), "int32")))
    return has_more and (extra_test is None or _known(extra_test()))


def _for(
    rows: Rows | Range, extra_test: Callable | None, body: Callable, state: LoopState, limit
) -> None:
    """Trace a `for` statement over rows or numbers as one op, or unroll it."""
    if isinstance(rows, Rows) and not is_open(rows.count) and rows.count == 0:
        return
    plain = rows if isinstance(rows, Rows) and extra_test is None else None
    count = None if plain is None or is_open(plain.count) else plain.count  # where it is known
    if count is not None and count <= _MAX_UNROLLED_WITH_ARRAYS and state.has_tensor_array():
        _run_in_python(plain, None, body, limit)
        return
    first = rows.row(ops.zeros((), "int32"))
    state.prepare(lambda: body(first), getattr(rows, "count", 1), _last_number(rows) + 1)
    if plain is not None and limit is None:
        reason = _scan(plain, body, state)
        if reason is None:
            return
        if count is not None and count <= _MAX_UNROLLED_ROWS and not reason.acts:
            state.enter(state.leaves())
            _run_in_python(plain, None, body, None)
            return
        if reason.body is not None:
            _loop_again(plain, reason, state)
            return
    _loop(rows, extra_test, body, state, limit)


def _unroll_known(
    rows: Rows | Range, extra_test: Callable | None, body: Callable, limit, reason: MustPeel
) -> bool:
    """Unroll a loop over numbers that have values, or have them in this call; return whether."""
    trace: Any = engine_state().trace
    if not isinstance(reason, MustKnow) or trace.live is None:
        return False
    rows = rows.known() if isinstance(rows, Range) else rows
    if rows.count > _MAX_UNROLLED_ROWS:
        trace.fail(reason.failure.what, Obstacle.OTHER)
    _run_in_python(rows, None if extra_test is None else lambda: _known(extra_test()), body, limit)
    return True


def _over_dataset(
    elements: Elements, extra_test: Callable | None, body: Callable, names: tuple, opts
) -> None:
    """Trace a loop over the elements of a dataset, as one op for each run of equal shapes."""
    limit = _limit(opts)
    room = _FIRST_ROOM if limit is None else limit
    specs = elements.next_specs()
    while specs is not None:
        before, state = names[0](), LoopState(*names)
        is_cut = limit is None and state.has_tensor_array()  # by the room that arrays have
        try:
            _alike(elements, specs, extra_test, body, state, room if is_cut else limit)
        except MustPeel as reason:
            peel(engine_state().trace, reason)
            names[1](before)
            if limit == 0 or not _has_another(elements, specs, extra_test):
                return
            body(elements.take(specs))
            limit = None if limit is None else limit - 1
            specs = elements.next_specs()
            continue
        if limit is not None or (elements.has_one_shape and not is_cut):
            return
        if not _has_another(elements, specs, extra_test):
            return
        room *= 2
        specs = elements.next_specs()


def _has_another(elements: Elements, specs: list, extra_test: Callable | None) -> bool:
    """Return whether a loop may have another element; what follows is traced for that."""
    if extra_test is not None and not _known(extra_test()):
        return False
    return not elements.has_one_shape or _known(elements.has_next(specs))


def _alike(
    elements: Elements,
    specs: list,
    extra_test: Callable | None,
    body: Callable,
    state: LoopState,
    limit: int | None,
) -> None:
    """Trace a loop over elements of the same shapes as one op."""
    state.prepare(lambda: body(elements.take(specs)), _FIRST_ROOM if limit is None else limit)

    def holds(leaves: list) -> Any:
        state.enter(leaves)
        if extra_test is None:
            return elements.has_next(specs)
        return and_(extra_test, lambda: elements.has_next(specs))

    def step(leaves: list) -> list:
        state.enter(leaves)
        body(elements.take(specs))
        return state.exit()

    trace: Any = engine_state().trace
    state.enter(trace_loop(trace, holds, step, state.leaves(), limit))


def _known(flag: Any) -> bool:
    """Return a condition as it is in this call; what follows is traced for it."""
    trace: Any = engine_state().trace
    flag = ops.cast(ops.to_tensor(flag), "bool")
    return bool(flag) if flag._has_value else trace.ask(flag, bool)


def _last_number(rows: Rows | Range) -> int:
    """Return the largest integer that a loop goes over, if they are known: it may be an index."""
    if isinstance(rows, Range):
        return 0
    known = [x for x in rows.leaves if type(x) is Tensor and x.dtype.is_integer and x.ndim == 1]
    return max([0, *[int(np.max(x._host_data())) for x in known if x.shape[0]]])


def _run_in_python(
    iterable: Any, extra_test: Callable | None, body: Callable, limit: int | None
) -> None:
    iteration = UnrolledIterations()
    if extra_test is not None and not extra_test():
        return
    for target in iterable if limit is None else itertools.islice(iterable, limit):
        with iteration:
            body(target)
        if extra_test is not None and not extra_test():
            return


def _scan(rows: Rows, body: Callable, state: LoopState) -> Declined | None:
    """Trace the loop as one scan; return why not, if that was not possible."""

    def step(carry: list, row: list) -> tuple[list, list]:
        state.enter(carry)
        body(rows.pack(row))
        return state.exit(), []

    trace: Any = engine_state().trace
    scanned = trace_scan(trace, step, state.leaves(), rows.leaves, rows.count)
    if isinstance(scanned, Declined):
        return scanned
    state.enter(scanned[0])
    return None


def _loop_again(rows: Rows, traced: Declined, state: LoopState) -> None:
    """Record a loop as one op that counts its iterations, of the body that was traced."""
    body: Any = traced.body

    def step(leaves: list) -> list:
        row = [ops.gather(x, leaves[0]) for x in traced.rows]
        return [leaves[0] + 1, *body.repeat([*leaves[1:], *row])]

    trace: Any = engine_state().trace
    initial = [ops.to_tensor(0), *state.leaves()]
    looped = trace_loop(trace, lambda leaves: rows.has(leaves[0]), step, initial, rows.count)
    state.enter(looped[1:])


def _loop(
    rows: Rows | Range, extra_test: Callable | None, body: Callable, state: LoopState, limit
) -> None:
    """Trace the loop as one op that counts its iterations."""
    if isinstance(rows, Rows):  # a bound: XLA can keep what the gradient needs
        limit = rows.count if limit is None else min(limit, rows.count)

    def holds(leaves: list) -> Any:
        state.enter(leaves[1:])
        more = rows.has(leaves[0])
        return more if extra_test is None else and_(lambda: more, extra_test)

    def step(leaves: list) -> list:
        state.enter(leaves[1:])
        body(rows.row(leaves[0]))
        return [leaves[0] + 1, *state.exit()]

    state.must_run(lambda: rows.has(ops.zeros((), "int32")))
    trace: Any = engine_state().trace
    initial = [ops.to_tensor(0), *state.leaves()]
    state.enter(trace_loop(trace, holds, step, initial, limit)[1:])
