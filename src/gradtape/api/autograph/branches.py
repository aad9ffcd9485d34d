"""`if` statements and expressions, `and`, `or`, `not` and `assert` on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.array.staged_array import ProbedArray, StagedArray, staged
from gradtape.api.autograph import symbols
from gradtape.api.function import graph_control_flow
from gradtape.core.state import get_state as engine_state
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import TensorBase
from gradtape.graph.control.branch import DifferentShapes, trace_branches
from gradtape.graph.obstacles import MustPeel


def condition(value: Any) -> Any:
    """Return a condition as a traced bool if it is known only at run time, else None."""
    if not isinstance(value, TensorBase):
        return None
    if isinstance(value, SymbolicTensor) and value.shape.num_elements() != 1:
        raise ValueError(
            f"a condition must be a scalar, but it has the shape {tuple(value.shape)}. Use "
            "tf.reduce_any(x) or tf.reduce_all(x); `x is not None` to check for None."
        )
    tensor = graph_control_flow.dynamic_scalar(value)
    return None if tensor is None else ops.reshape(ops.cast(tensor, "bool"), ())


def if_stmt(cond, body, orelse, get_state, set_state, symbol_names, nouts) -> None:
    """Run an `if` statement; `get_state` and `set_state` access the names that it assigns to.

    The first `nouts` of those names are used afterwards.
    """
    flag = condition(cond)
    if flag is None:
        if cond:
            body()
        else:
            orelse()
        return
    before = get_state()
    try:
        initial = stage_arrays(before, [body, orelse], get_state, set_state)
    except MustPeel:
        trace: Any = engine_state().trace
        if trace.live is None:
            raise
        set_state(before)
        (body if trace.ask(flag, bool) else orelse)()
        return

    def run(statements: Callable) -> Callable[[], tuple]:
        def branch() -> tuple:
            set_state(initial)
            statements()
            return get_state()[:nouts]

        return branch

    results = select(flag, run(body), run(orelse), symbol_names[:nouts])
    set_state((*results, *initial[nouts:]))


def stage_arrays(initial: tuple, branches: list[Callable], get_state, set_state) -> tuple:
    """Return the values of names with TensorArrays as tensors, which branches can write to."""
    arrays = [array for value in initial for array in symbols.arrays_in(value)]
    trace: Any = engine_state().trace
    has_room = trace.outer is not None  # made by the loop around this
    if all(isinstance(x, ProbedArray) or (has_room and type(x) is StagedArray) for x in arrays):
        return initial
    probes = [symbols.probe(trace, initial, branch, get_state, set_state)[1] for branch in branches]

    def stage(array):
        if isinstance(array, ProbedArray) or (has_room and isinstance(array, StagedArray)):
            return array
        seen = [probe[id(array)] for probe in probes]
        for one in seen[1:]:
            seen[0]._element_shape = seen[0]._element_shape.merge_with(one._element_shape)
        return staged(array, seen[0], symbols.room_of(array) + max(one.writes for one in seen))

    return tuple([symbols.map_arrays(stage, value) for value in initial])


def select(flag, body: Callable[[], tuple], orelse: Callable[[], tuple], names: tuple) -> tuple:
    """Return the values of names after `body` if a traced condition holds, else after `orelse`."""
    trace: Any = engine_state().trace
    ends: list[tuple] = []

    def traced(branch: Callable) -> Callable[[], list]:
        def call() -> list:
            values = branch()
            ends.append(values)
            if len(ends) == 2:
                _check_alike(names, ends)
            carried = [x for x in values if symbols.is_carried(x)]
            return [tensor for x in carried for tensor in symbols.to_tensors(x)]

        return call

    def check(values: tuple, label: str) -> tuple:
        for name, value in zip(names, values, strict=True):
            if symbols.is_return_value(value):
                raise ValueError(
                    f"the {label} branch must also have a return statement: which branch runs "
                    "depends on the value of a tensor. Return a value from both."
                )
            if symbols.is_undefined(value):
                raise ValueError(
                    f"'{name}' must also be initialized in the {label} branch: which branch runs "
                    "depends on the value of a tensor. Assign to it in both branches, or before "
                    "the `if`."
                )
        return values

    index = ops.cast(ops.logical_not(flag), "int32")
    functions = [traced(lambda: check(body(), "main")), traced(lambda: check(orelse(), "else"))]
    try:
        results = iter(trace_branches(trace, index, functions, may_differ=trace.live is not None))
    except (DifferentShapes, MustPeel):
        if trace.live is None:
            raise
        # What follows is traced for the branch that this call takes.
        return body() if trace.ask(flag, bool) else orelse()
    merged = []
    for one, other in zip(*ends, strict=True):
        chosen = symbols.pack(one, results) if symbols.is_carried(one) else one
        merged.append(one if symbols.is_same(one, other) else chosen)
    return tuple(merged)


def _check_alike(names: tuple, ends: list[tuple]) -> None:
    """Raise TensorFlow's error for a name that cannot depend on which branch runs."""
    for name, one, other in zip(names, *ends, strict=True):
        if symbols.is_carried(one) != symbols.is_carried(other):
            raise _different(name, one, other)
        if not symbols.is_carried(one):
            if not symbols.is_same(one, other):
                symbols.only_eagerly((one, other), "a branch of a condition gives")
                raise _different(name, one, other)
        elif not symbols.same_structure(one, other):
            raise TypeError(
                f"'{name}' must have the same nested structure in the main and else branches: it "
                f"is {one!r} in one, and {other!r} in the other. Make both of the same kinds and "
                "lengths."
            )
        else:
            for x, y in zip(symbols.to_tensors(one), symbols.to_tensors(other), strict=True):
                if x.dtype != y.dtype:
                    raise TypeError(
                        f"'{name}' has dtype {x.dtype.name} in the main branch, but dtype "
                        f"{y.dtype.name} in the else branch. Give it the same dtype in both: "
                        f"tf.cast(…, tf.{x.dtype.name}), say."
                    )


def _different(name: str, one: Any, other: Any) -> Exception:
    for value, label in ((one, "main"), (other, "else")):
        if value is None:
            return ValueError(
                f"'{name}' is None at the end of the {label} branch. Which branch runs depends on "
                "the value of a tensor: give it a tensor or number in both."
            )
    return TypeError(
        f"'{name}' is {symbols.describe(one)} at the end of the main branch and "
        f"{symbols.describe(other)} at the end of the else branch; only numbers, tensors and "
        "structures of them can depend on the value of a tensor"
    )


def if_exp(cond, if_true, if_false, expr_repr):
    """Return the value of `if_true() if cond else if_false()`."""
    flag = condition(cond)
    if flag is None:
        return if_true() if cond else if_false()
    return select(flag, lambda: (if_true(),), lambda: (if_false(),), (expr_repr,))[0]


def and_(a: Callable, b: Callable):
    """Return the value of `a() and b()`."""
    value = a()
    flag = condition(value)
    return value and b() if flag is None else if_exp(flag, b, lambda: value, "and")


def or_(a: Callable, b: Callable):
    """Return the value of `a() or b()`."""
    value = a()
    flag = condition(value)
    return value or b() if flag is None else if_exp(flag, lambda: value, b, "or")


def not_(a):
    """Return the value of `not a`; of each element, for a tensor in a function."""
    if isinstance(a, SymbolicTensor):
        return ops.logical_not(ops.cast(a, "bool"))
    flag = condition(a)
    return not a if flag is None else ops.logical_not(flag)


def assert_stmt(expression, message: Callable):
    """Run an `assert` statement: on a tensor, it is checked on every call of the function."""
    if condition(expression) is None:
        assert expression, message()
        return
    from gradtape.api.debugging.assertions import assert_

    assert_(expression, [message()])
