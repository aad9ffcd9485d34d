"""The iterations of loops and scans: in native code where the body is a flat program."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.backends.native.extension import extension
from gradtape.core.native import materialize
from gradtape.graph.execute import inner_executable
from gradtape.graph.flat import flat_program
from gradtape.graph.graph import Graph

# Ops of so many iterations are fused: until then all that they are computed from stays alive.
_FUSED = 4


class Stacks:
    """What the iterations of a native loop gave, stacked: a history, as a list of tuples is one."""

    __slots__ = ("arrays", "iterations")

    def __init__(self, iterations: int, arrays: tuple) -> None:
        self.iterations = iterations
        self.arrays = arrays

    def __len__(self) -> int:
        return self.iterations

    def __getitem__(self, i: int) -> tuple:
        return tuple([array[i] for array in self.arrays])


def run_loop(
    arrays: tuple, condition: Graph, body: Graph, count: int, limit: int | None, keeps: bool
) -> tuple[tuple, Any]:
    """Run a loop with a condition; return the last state and, if it `keeps` one, the history."""
    programs = flat_program(condition), flat_program(body)
    if extension is not None and None not in programs:
        made = extension.loop(*programs, arrays, count, -1 if limit is None else limit, keeps)
        if made is not None:
            return (made[:-1], Stacks(*made[-1])) if keeps else (made, None)
    test, step = inner_executable(condition), inner_executable(body)
    state, rest = arrays[:count], arrays[count:]
    history = []
    iterations = 0
    while (limit is None or iterations < limit) and test(*state, *rest)[0]:
        outputs = step(*state, *rest)
        iterations += 1
        state = outputs[:count]
        if keeps:
            history.append(outputs[count:])
    return state, history


def run_back(step: Graph, history: Any, rest: tuple, carry: tuple) -> tuple:
    """Walk back through the history of a loop: `step` takes (kept, rest, carry) to `carry`."""
    program = flat_program(step)
    if extension is not None and program is not None and isinstance(history, Stacks):
        rows, length = len(history.arrays), history.iterations
        arguments = (*history.arrays, *rest, *carry)
        start = rows + len(rest)
        made = None
        if length:
            made = extension.scan(
                program, arguments, start, len(carry), 0, rows, length, True, False
            )
        if made is not None:
            return made
    back = inner_executable(step)
    for kept in reversed(history):
        carry = back(*kept, *rest, *carry)
    return carry


def run_scan(
    arrays: tuple, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool
) -> tuple:
    """Run a loop over rows, at least one; return the last carry and all that is stacked."""
    program = flat_program(body)
    if extension is not None and program is not None:
        whole = tuple(map(_contiguous, arrays))
        made = extension.scan(program, whole, 0, carry, carry, rows, length, reverse, keeps)
        if made is not None:
            return made
    step = inner_executable(body)
    state, given, captured = arrays[:carry], arrays[carry : carry + rows], arrays[carry + rows :]
    stacks: list[np.ndarray] = []
    for i in range(length - 1, -1, -1) if reverse else range(length):
        before = state if keeps else ()
        outputs = step(*state, *[_row(x, i) for x in given], *captured)
        rows_made = (*outputs[carry:], *before)
        if not stacks:  # of what the first iteration gave: no second copy of all rows
            first = [np.asarray(row) for row in rows_made]
            stacks = [np.empty((length, *x.shape), x.dtype) for x in first]
            del first
        for stack, row in zip(stacks, rows_made, strict=True):
            stack[i, ...] = row  # what an array of one object holds, not the array
        state = outputs[:carry]
        del before, outputs, rows_made
        if not i % _FUSED:
            state = tuple([materialize(x) for x in state])
    return (*state, *stacks)


def _contiguous(x: Any) -> Any:
    """Return an array as native loops take it: a copy of a transposed or broadcast one."""
    if type(x) is not np.ndarray or x.flags.c_contiguous:
        return x
    return np.ascontiguousarray(x)


def _row(x: Any, i: int) -> Any:
    """Return a row of an array; that of a vector of strings is an array, too."""
    return x[i, ...] if x.dtype.hasobject else x[i]
