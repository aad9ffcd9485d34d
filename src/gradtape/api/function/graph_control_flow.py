"""Control flow in a function being traced, where conditions are known only at run time."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.graph.control.branch import trace_branches
from gradtape.graph.control.loop import trace_loop
from gradtape.graph.control.scan import trace_scan
from gradtape.graph.tracing import Obstacle
from gradtape.graph.unrolling import UnrolledIterations

# A loop whose condition is known while tracing is unrolled up to here.
_MAX_UNROLLED_ITERATIONS = 64
# A loop over rows is unrolled up to here; a longer one is one op, so that graphs stay small.
MAX_UNROLLED_ROWS = 15


def is_tracing() -> bool:
    """Return whether a function is being traced."""
    return get_state().trace is not None


def dynamic_scalar(value) -> Any:
    """Return a condition or index as a tensor if it is known only at run time, else None."""
    if not is_tracing() or isinstance(value, (bool, int)):
        return None
    tensor = ops.to_tensor(value)
    return None if type(tensor) is Tensor or tensor.shape.num_elements() != 1 else tensor


def cond(condition, true_fn, false_fn):
    """Return the result of `cond` for a condition that is known only at run time."""
    flag = ops.reshape(ops.cast(ops.to_tensor(condition), "bool"), ())
    return switch(ops.cast(ops.logical_not(flag), "int32"), [true_fn, false_fn])


def switch(index: Tensor, functions: list):
    """Return the result of the function with an index. All are traced, and must return alike."""
    trace = get_state().trace
    structures: list = []

    def as_list(function):
        def call() -> list:
            result = function()
            structures.append(nest.map_structure(lambda x: None, result))
            leaves = nest.flatten(result)
            for x in leaves:
                if hasattr(x, "_type_spec"):
                    trace.fail(
                        f"a branch of a condition gives a {type(x).__name__}", Obstacle.OTHER
                    )
            none_masks.append([x is None for x in leaves])
            return [ops.to_tensor(x) for x in leaves if x is not None]

        return call

    none_masks: list = []
    results = trace_branches(trace, index, [as_list(function) for function in functions])
    if any(mask != none_masks[0] for mask in none_masks) or not _alike(structures):
        trace.fail(
            "the branches of a condition give results of different structures", Obstacle.OTHER
        )
    values = iter(results)
    flat = [None if is_none else next(values) for is_none in none_masks[0]]
    return nest.pack_sequence_as(structures[0], flat)


def _alike(structures: list) -> bool:
    try:
        for other in structures[1:]:
            nest.assert_same_structure(structures[0], other)
    except ValueError:
        return False
    return True


def switch_case(index: Tensor, functions: dict, default):
    """Return the result of `switch_case` for an index that is known only at run time."""
    order = sorted(functions)
    if order != list(range(len(order))):
        index = ops.cast(index, "int32")
        position = ops.to_tensor(len(order))
        for i, number in enumerate(order):
            position = ops.where(ops.equal(index, number), i, position)
        index = position
    every = [functions[number] for number in order]
    # An index out of range means the last branch.
    every.append(functions[order[-1]] if default is None else default)
    return switch(ops.cast(ops.reshape(index, ()), "int32"), every)


def while_loop(condition, body, variables, limit: int | None):
    """Return the result of `while_loop` in a function being traced."""
    trace = get_state().trace

    def packed(flat: list):
        return nest.pack_sequence_as(variables, flat)

    def leaves(values) -> list:
        flat = nest.flatten(list(values))
        for x in flat:
            if x is None or hasattr(x, "_type_spec"):
                trace.fail(f"a loop carries a {type(x).__name__}", Obstacle.OTHER)
        return [ops.to_tensor(x) for x in flat]

    def step(flat: list) -> list:
        result = body(*packed(flat))
        if len(variables) == 1 and not isinstance(result, (list, tuple)):
            result = (result,)
        nest.assert_same_structure(list(variables), list(result))
        return leaves(result)

    def test(flat: list) -> Any:
        return ops.reshape(ops.cast(ops.to_tensor(condition(*packed(flat))), "bool"), ())

    flat = nest.flatten(list(variables))
    if any(x is None or hasattr(x, "_type_spec") for x in flat):
        return _unroll(condition, body, variables, limit, None)
    unrolled = _unroll(condition, body, variables, limit, _MAX_UNROLLED_ITERATIONS)
    if unrolled is not None:
        return unrolled
    return packed(trace_loop(trace, test, step, leaves(variables), limit))


def _unroll(condition, body, variables, limit, max_iterations):
    """Unroll a loop; return None if its condition is not known while tracing, or it is long."""
    count, iteration = 0, UnrolledIterations()
    while limit is None or count < limit:
        answer = ops.to_tensor(condition(*variables))
        if max_iterations is not None and (type(answer) is not Tensor or count == max_iterations):
            return None
        if not bool(answer):
            break
        with iteration:
            result = body(*variables)
        if len(variables) == 1 and not isinstance(result, (list, tuple)):
            result = (result,)
        nest.assert_same_structure(list(variables), list(result))
        flat = [
            x if x is None or hasattr(x, "_type_spec") else ops.to_tensor(x)
            for x in nest.flatten(list(result))
        ]
        variables = nest.pack_sequence_as(variables, flat)
        count += 1
    return variables


def scan_rows(step, state: list, rows: list, count: int, reverse: bool = False):
    """Scan `step(carry, row) -> (carry, results)` over the rows of tensors, as one op.

    Return (the last carry, the stacked results), or None where the loop should be unrolled.
    """
    if not is_tracing() or count <= MAX_UNROLLED_ROWS:
        return None
    if all(type(x) is Tensor for x in (*state, *rows)):
        return None
    return trace_scan(get_state().trace, step, state, rows, count, reverse)
