"""Structured control flow in a function being traced, where only a call knows the course."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.branch import traced_branches
from gradtape.engine.trace.loop import traced_loop
from gradtape.engine.trace.scan import traced_scan
from gradtape.engine.trace.tracing import Rounds

# A loop whose condition is known while tracing is written out up to here.
_MOST_ROUNDS = 64
# A loop over rows is written out up to here; a longer one is one op, so that graphs stay small.
_MOST_ROWS = 15


def is_tracing() -> bool:
    return get_state().trace is not None


def undecided(value) -> Any:
    """The tensor of a condition that only a call decides; None where it is known now."""
    if not is_tracing() or isinstance(value, (bool, int)):
        return None
    tensor = ops.to_tensor(value)
    return None if type(tensor) is Tensor or tensor.shape.num_elements() != 1 else tensor


def choice(condition, true_fn, false_fn):
    """`cond` for a condition that only a call decides."""
    flag = ops.reshape(ops.cast(ops.to_tensor(condition), "bool"), ())
    return branches(ops.cast(ops.logical_not(flag), "int32"), [true_fn, false_fn])


def branches(index: Tensor, functions: list):
    """The result of the function with a number: all are traced, and must give the same."""
    trace = get_state().trace
    structures: list = []

    def as_list(function):
        def call() -> list:
            result = function()
            structures.append(nest.map_structure(lambda x: None, result))
            leaves = nest.flatten(result)
            for x in leaves:
                if hasattr(x, "_type_spec"):
                    trace.fail(f"a branch of a condition gives a {type(x).__name__}")
            places.append([x is None for x in leaves])
            return [ops.to_tensor(x) for x in leaves if x is not None]

        return call

    places: list = []
    found = traced_branches(trace, index, [as_list(function) for function in functions])
    if any(other != places[0] for other in places) or not _alike(structures):
        trace.fail("the branches of a condition give results of different structures")
    values = iter(found)
    flat = [None if is_none else next(values) for is_none in places[0]]
    return nest.pack_sequence_as(structures[0], flat)


def _alike(structures: list) -> bool:
    try:
        for other in structures[1:]:
            nest.assert_same_structure(structures[0], other)
    except ValueError:
        return False
    return True


def numbered_branches(index: Tensor, functions: dict, default):
    """`switch_case` for an index that only a call knows."""
    order = sorted(functions)
    if order != list(range(len(order))):
        index = ops.cast(index, "int32")
        place = ops.to_tensor(len(order))
        for position, number in enumerate(order):
            place = ops.where(ops.equal(index, number), position, place)
        index = place
    every = [functions[number] for number in order]
    # An index out of range means the last branch.
    every.append(functions[order[-1]] if default is None else default)
    return branches(ops.cast(ops.reshape(index, ()), "int32"), every)


def loop(condition, body, variables, limit: int | None):
    """`while_loop` in a function being traced."""
    trace = get_state().trace

    def packed(flat: list):
        return nest.pack_sequence_as(variables, flat)

    def leaves(values) -> list:
        found = nest.flatten(list(values))
        for x in found:
            if x is None or hasattr(x, "_type_spec"):
                trace.fail(f"a loop carries a {type(x).__name__}")
        return [ops.to_tensor(x) for x in found]

    def step(flat: list) -> list:
        result = body(*packed(flat))
        if len(variables) == 1 and not isinstance(result, (list, tuple)):
            result = (result,)
        nest.assert_same_structure(list(variables), list(result))
        return leaves(result)

    def goes_on(flat: list) -> Any:
        return ops.reshape(ops.cast(ops.to_tensor(condition(*packed(flat))), "bool"), ())

    flat = nest.flatten(list(variables))
    if any(x is None or hasattr(x, "_type_spec") for x in flat):
        return _written_out(condition, body, variables, limit, None)
    found = _written_out(condition, body, variables, limit, _MOST_ROUNDS)
    if found is not None:
        return found
    return packed(traced_loop(trace, goes_on, step, leaves(variables), limit))


def _written_out(condition, body, variables, limit, most):
    """The loop, if its course is known while tracing and short; None otherwise."""
    rounds, each = 0, Rounds()
    while limit is None or rounds < limit:
        answer = ops.to_tensor(condition(*variables))
        if most is not None and (type(answer) is not Tensor or rounds == most):
            return None
        if not bool(answer):
            break
        with each:
            result = body(*variables)
        if len(variables) == 1 and not isinstance(result, (list, tuple)):
            result = (result,)
        nest.assert_same_structure(list(variables), list(result))
        flat = [
            x if x is None or hasattr(x, "_type_spec") else ops.to_tensor(x)
            for x in nest.flatten(list(result))
        ]
        variables = nest.pack_sequence_as(variables, flat)
        rounds += 1
    return variables


def over_rows(step, state: list, rows: list, count: int, reverse: bool = False):
    """`step(carry, row) -> (carry, results)` over the rows of tensors, as one op.

    Gives (the last carry, the stacked results); None where the loop is better written out.
    """
    if not is_tracing() or count <= _MOST_ROWS:
        return None
    if all(type(x) is Tensor for x in (*state, *rows)):
        return None
    return traced_scan(get_state().trace, step, state, rows, count, reverse)
