"""Control flow in a function being traced, where conditions are known only at run time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradtape import ops
from gradtape.api.array.tensor_array import TensorArray
from gradtape.api.debugging.assertions import assert_
from gradtape.api.nests import assert_same_structure
from gradtape.core import nest
from gradtape.core.protocols import has_type_spec, is_composite
from gradtape.core.shape import has_all_sizes
from gradtape.core.size import is_open
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import are_all
from gradtape.graph.control.branch import clamp_branch_index, trace_branches
from gradtape.graph.control.loop import trace_loop
from gradtape.graph.control.outside import part_of, surroundings
from gradtape.graph.control.scan import Declined, trace_scan
from gradtape.graph.obstacles import MustPeel, Obstacle
from gradtape.graph.tracing import trace_into
from gradtape.graph.unrolling import UnrolledIterations

# A loop whose condition is known while tracing is unrolled up to here.
_MAX_UNROLLED_ITERATIONS = 64
# A loop with loops and branches in its body is unrolled while these are at most so many, which is
# seen after some iterations: each is a program of its own.
_MAX_UNROLLED_PARTS = 32
_CHECKED_AFTER = 3
# Nor is it unrolled into more ops than this: loops in its iterations were unrolled already.
_MAX_UNROLLED_OPS = 2000
# Iterations that are computed before their loops, to see what Python functions return, or because
# shapes change in each.
_MAX_PEELED = 256
# A loop over rows is unrolled up to here; a longer one is one op, so that graphs stay small.
MAX_UNROLLED_ROWS = 15


def is_tracing() -> bool:
    """Return whether a function is being traced."""
    return get_state().trace is not None


def dynamic_scalar(value) -> Any:
    """Return a condition or index as a tensor if it is known only at run time, else None.

    One that differs between the examples of a vmap is never known.
    """
    if isinstance(value, (bool, int)) or get_state().depth == 0:
        return None
    tensor = ops.to_tensor(value)
    if not (tensor._is_batched or (is_tracing() and type(tensor) is not Tensor)):
        return None
    return tensor if tensor.shape.num_elements() == 1 else None


def cond(condition, true_fn, false_fn):
    """Return the result of `cond` for a condition that is known only at run time."""
    flag = ops.reshape(ops.cast(ops.to_tensor(condition), "bool"), ())
    return switch(ops.cast(ops.logical_not(flag), "int32"), [true_fn, false_fn])


def switch(index: Tensor, functions: list):
    """Return the result of the function with an index. All are traced, and must return alike."""
    trace = surroundings()
    structures: list = []

    def as_list(function):
        def call() -> list:
            result = function()
            structures.append(nest.map_structure(lambda x: None, result))
            leaves = nest.flatten(result)
            for x in leaves:
                if x is not None and _is_no_tensor(x):
                    trace.fail(
                        f"a branch of a condition gives a {type(x).__name__}", Obstacle.OTHER
                    )
            ends.append(leaves)
            return [tensor for x in leaves if x is not None for tensor in _to_tensors(x)]

        return call

    ends: list = []
    try:
        results = trace_branches(
            get_state().trace, index, [as_list(function) for function in functions]
        )
    except MustPeel:
        if trace.live is None:
            raise
        taken = clamp_branch_index(trace.ask(index, int), len(functions))
        return nest.map_structure(_to_result, functions[taken]())
    if not _alike(structures, ends):
        trace.fail(
            "the branches of a condition give results of different structures", Obstacle.OTHER
        )
    values = iter(results)
    flat = [None if like is None else _from_tensors(like, values) for like in ends[0]]
    return nest.pack_sequence_as(structures[0], flat)


def _to_result(x: Any) -> Any:
    return x if x is None or has_type_spec(x) else ops.to_tensor(x)


def _alike(structures: list, ends: list) -> bool:
    kinds = [list(map(_kind, leaves)) for leaves in ends]
    if any(other != kinds[0] for other in kinds):
        return False
    try:
        for other in structures[1:]:
            nest.assert_same_structure(structures[0], other)
    except ValueError:
        return False
    return True


def _kind(x: Any) -> tuple:
    """Return what has to be equal of the results of branches, besides the tensors in them."""
    return (x is None, isinstance(x, TensorArray), _static_parts(x))


def _static_parts(x: Any) -> Any:
    return (type(x), x._static_parts()) if is_composite(x) else None


def case(pairs: list, default, exclusive: bool):
    """Return the result of `case` where a condition is known only at run time."""
    flags = [ops.reshape(ops.cast(ops.to_tensor(pred), "bool"), ()) for pred, _ in pairs]
    functions = [function for _, function in pairs]
    index = ops.to_tensor(len(functions))
    for i in reversed(range(len(functions))):
        index = ops.where(flags[i], i, index)
    if exclusive:
        held = ops.reduce_sum(ops.cast(ops.stack(flags), "int32"))
        assert_(are_all(held <= 1), ["case: more than one condition evaluated as True"])
    if default is None:
        assert_(
            are_all(index < len(functions)),
            ["case: None of the conditions evaluated as True. Pass `default`."],
        )
        default = functions[-1]
    return switch(index, [*functions, default])


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
    flat = nest.flatten(list(variables))
    has_arrays = any(isinstance(x, TensorArray) for x in flat)
    if any(_is_no_tensor(x) for x in flat):
        unrolled, _, is_done = _unroll(condition, body, variables, limit, None)
        if not is_done:
            kinds = sorted({type(x).__name__ for x in flat if not isinstance(x, Tensor)})
            surroundings().fail(f"a loop carries a {kinds[0]}", Obstacle.OTHER)
        return unrolled
    trace: Any = get_state().trace
    start, assigned = len(trace.nodes), dict(trace._assigned)
    # Writing changes an array: the loop may have to be traced anew, as an op.
    attempt = nest.map_structure(_copied, variables) if has_arrays else variables
    unrolled, count, is_done = _unroll(condition, body, attempt, limit, _MAX_UNROLLED_ITERATIONS)
    if is_done:
        return unrolled
    if trace._assigned != assigned or any(node.acts for node in trace.nodes[start:]):
        # What iterations have done to variables and other things happens once.
        variables, limit = unrolled, None if limit is None else limit - count
    return (loop if has_arrays else _peeled)(condition, body, variables, limit)


def _peeled(condition, body, variables, limit: int | None):
    """Trace a loop as one op, after the iterations that have to be computed to know its shapes."""
    trace: Any = get_state().trace
    while True:
        try:
            return loop(condition, body, variables, limit)
        except MustPeel as reason:
            peel(trace, reason)
        flag = ops.reshape(ops.cast(ops.to_tensor(condition(*variables)), "bool"), ())
        holds = bool(flag) if flag._has_value else trace.ask(flag, bool)
        if limit == 0 or not holds:
            return variables
        result = _checked(variables, body(*variables))
        variables = nest.pack_sequence_as(variables, [_to_result(x) for x in nest.flatten(result)])
        limit = None if limit is None else limit - 1


def peel(trace: Any, reason: MustPeel) -> None:
    """Count an iteration that is computed before its loop.

    Raise in a part of the function: the statement around it is computed first.
    """
    if trace.live is None:
        raise reason
    trace.peeled += 1
    if trace.peeled > _MAX_PEELED:
        trace.fail(reason.failure.what, Obstacle.OTHER)


def loop(condition, body, variables, limit: int | None):
    """Return the result of `while_loop` as one op. A `TensorArray` is a tensor in its state."""
    trace = surroundings()
    arrays = _with_element_shapes(body, variables)

    def packed(flat: list):
        rest = iter(flat)
        return nest.pack_sequence_as(variables, [_from_tensors(like, rest) for like in arrays])

    def leaves(values) -> list:
        flat = nest.flatten(list(values))
        for x, like in zip(flat, arrays, strict=True):
            if _is_no_tensor(x) or _static_parts(x) != _static_parts(like):
                trace.fail(f"a loop carries a {type(x).__name__}", Obstacle.OTHER)
        return [tensor for x in flat for tensor in _to_tensors(x)]

    def step(flat: list) -> list:
        return leaves(_checked(variables, body(*packed(flat))))

    def test(flat: list) -> Any:
        return ops.reshape(ops.cast(ops.to_tensor(condition(*packed(flat))), "bool"), ())

    return packed(trace_loop(get_state().trace, test, step, leaves(arrays), limit))


def _checked(variables, result):
    """Return the result of a loop's body; raise if it has another structure than the variables.

    A tuple may stand for a list: in functions, TensorFlow compares no types.
    """
    if len(variables) == 1 and not isinstance(result, (list, tuple)):
        result = (result,)
    assert_same_structure(list(variables), list(result), check_types=False)
    return result


def _is_no_tensor(x) -> bool:
    """Return whether no op can carry a value from one iteration to the next."""
    if x is None:
        return True
    if is_composite(x):
        return x._static_parts() is None
    return has_type_spec(x) and not isinstance(x, TensorArray)


def _copied(x):
    return x._copy() if isinstance(x, TensorArray) else x


def _to_tensors(x) -> tuple[Tensor, ...]:
    """Return the tensors that an op carries for a value: the components of a composite."""
    if isinstance(x, TensorArray):
        return (x.rows(),)
    return tuple(x._component_tensors()) if is_composite(x) else (ops.to_tensor(x),)


def _from_tensors(like, rest: Iterator[Tensor]):
    """Return a value like another, of the next tensors."""
    if isinstance(like, TensorArray):
        return like.with_rows(next(rest))
    if is_composite(like):
        return like._with_components([next(rest) for _ in like._component_tensors()])
    return next(rest)


def _with_element_shapes(body, variables) -> list:
    """Return the leaves of a loop's variables; arrays learn their element shapes from the body."""
    flat = nest.flatten(list(variables))
    arrays = [x for x in flat if isinstance(x, TensorArray)]
    if all(has_all_sizes(x.element_shape) for x in arrays):
        return flat
    part = part_of(surroundings(), repeats=True)
    try:
        with trace_into(part):
            results = nest.flatten(list(_checked(variables, body(*variables))))
    finally:
        part.active = False
    return [
        x.with_element_shape(y.element_shape) if isinstance(x, TensorArray) else x
        for x, y in zip(flat, results, strict=True)
    ]


def _unroll(condition, body, variables, limit, max_iterations) -> tuple:
    """Unroll a loop; return its variables, the iterations so far, and whether they are all.

    It ends early where the condition is not known while tracing, or after `max_iterations`, or
    after fewer if they have many ops, or loops and branches in them.
    """
    count, iteration = 0, UnrolledIterations()
    nodes = get_state().trace.nodes
    start = len(nodes)
    while limit is None or count < limit:
        answer = ops.to_tensor(condition(*variables))
        is_large = max_iterations is not None and len(nodes) - start > _MAX_UNROLLED_OPS
        if count == max_iterations or is_large or type(answer) is not Tensor:
            return variables, count, False
        if not bool(answer):
            break
        with iteration:
            result = _checked(variables, body(*variables))
        flat = [
            x if x is None or has_type_spec(x) else ops.to_tensor(x)
            for x in nest.flatten(list(result))
        ]
        variables = nest.pack_sequence_as(variables, flat)
        count += 1
        if count == _CHECKED_AFTER and max_iterations is not None:
            parts = sum(bool(node.graphs) for node in nodes[start:])
            if parts:
                max_iterations = min(
                    max_iterations, max(_MAX_UNROLLED_PARTS * count // parts, count)
                )
    return variables, count, True


def is_long(count: Any) -> bool:
    """Return whether a loop over so many rows becomes one op."""
    return is_open(count) or count > MAX_UNROLLED_ROWS


def scan_rows(step, state: list, rows: list, count: int, reverse: bool = False):
    """Scan `step(carry, row) -> (carry, results)` over the rows of tensors, as one op.

    Return (the last carry, the stacked results), or None where the loop should be unrolled.
    """
    if not is_tracing() or not is_long(count):
        return None
    if all(type(x) is Tensor for x in (*state, *rows)):
        return None
    trace: Any = get_state().trace
    try:
        scanned = trace_scan(trace, step, state, rows, count, reverse)
    except MustPeel:
        if trace.live is None:
            raise
        return None
    return None if isinstance(scanned, Declined) else scanned
