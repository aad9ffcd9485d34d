"""The LOOP primitive, with a condition graph and a body graph: `tf.while_loop` when traced.

The number of iterations is known only at run time, so that its vjp is not a graph. It is a
primitive (LOOP_VJP) that runs the loop, keeps all states, and walks back through them. What is
differentiated further runs the loop again on a tape, as a primitive, too (RUN).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.dtypes import is_differentiable
from gradtape.core.state import lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.vmap import is_any, keep_active, vmap
from gradtape.graph import derived
from gradtape.graph.apply import apply
from gradtape.graph.control.batched_loop import batched_loop, stacked
from gradtape.graph.control.outside import part_of, surroundings
from gradtape.graph.execute import inner_executable
from gradtape.graph.graph import Graph, Value
from gradtape.graph.tracing import Obstacle, Trace, trace_into

# --- functions that run eagerly inside a graph ---------------------------------------------------


class EagerFunction:
    """A Python function of tensors, with the specs of its results."""

    __slots__ = ("call", "specs")

    def __init__(self, call: Callable[..., list], specs: list[Spec]) -> None:
        self.call = call
        self.specs = specs


def _run(*arrays, function: EagerFunction):
    with lifted():
        return tuple([x._data for x in function.call(*map(Tensor, arrays))])


def _vjp_on_a_tape(function: EagerFunction, xs, needs_grad) -> EagerFunction:
    """Return the vjp of a function, which runs it again on a tape.

    It is a function (inputs, cotangents) -> gradients of the inputs that need them.
    """
    count = len(xs)

    def vjp(*tensors):
        inputs, cotangents = tensors[:count], tensors[count:]
        sources = [x for x, needed in zip(inputs, needs_grad, strict=True) if needed]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            ys = function.call(*inputs)
        indices = [i for i, y in enumerate(ys) if y.dtype.is_differentiable]
        gradients = tape.gradient(
            [ys[i] for i in indices],
            sources,
            [cotangents[i] for i in indices],
            UnconnectedGradients.ZERO,
        )
        return [ops.to_tensor(g) for g in gradients]

    return EagerFunction(vjp, [x._spec() for x, need in zip(xs, needs_grad, strict=True) if need])


def _run_vjp(g, xs, function: EagerFunction, needs_grad):
    gradients = bind(RUN, (*xs, *g), {"function": _vjp_on_a_tape(function, xs, needs_grad)})
    return derived.expand_with_none(gradients, needs_grad)


def _run_jvp(tangents, xs, function: EagerFunction):
    given = [t is not None for t in tangents]
    count = len(xs)

    def jvp(*tensors):
        inputs, in_tangents = tensors[:count], tensors[count:]
        primals = [x for x, is_given in zip(inputs, given, strict=True) if is_given]
        with ForwardAccumulator(primals, list(in_tangents)) as accumulator:
            ys = function.call(*inputs)
        return derived.fill_with_zeros([accumulator.tangent(y) for y in ys], ys)

    present = [t for t in tangents if t is not None]
    return bind(RUN, (*xs, *present), {"function": EagerFunction(jvp, function.specs)})


def _batch_run(prim, size, batched, inputs, params):
    function = params["function"]
    axes = [0 if is_batched else None for is_batched in batched]
    specs = [Spec((size, *spec.shape), spec.dtype) for spec in function.specs]

    def call(*tensors):
        return vmap(lambda *xs: list(function.call(*xs)), in_axes=axes)(*tensors)

    return bind(RUN, inputs, {"function": EagerFunction(call, specs)})


RUN = derived.graph_primitive(
    "run",
    kernel=_run,
    shape=lambda *xs, function: tuple(function.specs),
    batch=_batch_run,
    vjp=_run_vjp,
    jvp=_run_jvp,
)

# --- the loop ------------------------------------------------------------------------------------


def _kernel(*arrays, condition: Graph, body: Graph, count: int, limit: int | None):
    test, step = inner_executable(condition), inner_executable(body)
    state, rest = arrays[:count], arrays[count:]
    iterations = 0
    while (limit is None or iterations < limit) and test(*state, *rest)[0]:
        state = step(*state, *rest)
        iterations += 1
    return state


def _eager_loop(condition: Graph, body: Graph, count: int, limit: int | None):
    """Return the loop as a function of tensors, whose ops tapes and accumulators see."""

    def call(*tensors):
        state, rest = list(tensors[:count]), list(tensors[count:])
        iterations, active = 0, None
        while limit is None or iterations < limit:
            flag = apply(condition, [*state, *rest])[0]
            active = flag if active is None else ops.logical_and(active, flag)
            if not is_any(active):
                break
            if active._is_batched:
                given = [keep_active(active, x) for x in (*state, *rest)]
                after = apply(body, given)
                state = [ops.where(active, new, old) for new, old in zip(after, state, strict=True)]
            else:
                state = apply(body, [*state, *rest])
            iterations += 1
        return state

    return call


def _vjp(g, xs, condition, body, count, limit, needs_grad):
    params = {
        "condition": condition,
        "body": body,
        "count": count,
        "limit": limit,
        "which": needs_grad,
        "rows": None,
    }
    return derived.expand_with_none(bind(LOOP_VJP, (*xs, *g), params), needs_grad)


def _jvp(tangents, xs, condition, body, count, limit):
    """Run a loop whose state has the tangents in it, too."""
    state, captured = list(xs[:count]), list(xs[count:])
    smooth = derived.differentiable_mask(state)
    given = tuple([t is not None for t in tangents[count:]])
    start = list(compress(derived.fill_with_zeros(tangents[:count], state), smooth))
    test, step = _jvp_graphs(condition, body, count, smooth, given)
    inputs = (*state, *start, *captured, *compress(tangents[count:], given))
    params = {"condition": test, "body": step, "count": count + len(start), "limit": limit}
    outputs = bind(LOOP, inputs, params)
    moved = derived.expand_with_none(outputs[count:], smooth)
    return tuple(derived.fill_with_zeros(moved, outputs[:count]))


def _jvp_graphs(condition: Graph, body: Graph, count: int, smooth, given) -> tuple[Graph, Graph]:
    """Return both graphs with the tangents of the state and of given captured tensors as inputs."""
    key = ("loop jvp", id(condition), count, smooth, given)
    if key in body.derived:
        return body.derived[key][:2]
    rule = derived.jvp_graph(body, (*smooth, *given))
    size, moved = len(body.inputs), sum(smooth)
    xs, ts = rule.inputs[:size], rule.inputs[size:]
    inputs = (*xs[:count], *ts[:moved], *xs[count:], *ts[moved:])
    outputs = (*rule.outputs[:count], *compress(rule.outputs[count:], smooth))
    t_state, t_captured = ([Value(v.spec) for v in part] for part in (ts[:moved], ts[moved:]))
    test = (*condition.inputs[:count], *t_state, *condition.inputs[count:], *t_captured)
    graphs = Graph(test, condition.nodes, condition.outputs), Graph(inputs, rule.nodes, outputs)
    body.derived[key] = (*graphs, condition)  # kept alive: the key has its id
    return graphs


def _batch(prim, size, batched, inputs, params):
    count = params["count"]
    loop = batched_loop(params["condition"], params["body"], count, tuple(batched), size)
    params = {
        "condition": loop.condition,
        "body": loop.body,
        "count": count + loop.masked,
        "limit": params["limit"],
    }
    return loop.results(bind(LOOP, tuple(loop.inputs(inputs, batched)), params))


LOOP = derived.graph_primitive(
    "loop",
    kernel=_kernel,
    shape=lambda *xs, condition, body, count, limit: tuple(xs[:count]),
    batch=_batch,
    vjp=_vjp,
    jvp=_jvp,
)


# --- its gradient --------------------------------------------------------------------------------


def _vjp_kernel(*arrays, condition: Graph, body: Graph, count: int, limit, which, rows):
    """Run the loop, keep the state of each iteration, and walk back through them.

    With `rows`, the cotangents are stacks of that many, and so are the gradients.
    """
    test, step = inner_executable(condition), inner_executable(body)
    size = len(body.inputs)
    state, rest, cotangents = arrays[:count], arrays[count:size], list(arrays[size:])
    states = []
    while (limit is None or len(states) < limit) and test(*state, *rest)[0]:
        states.append(state)
        state = step(*state, *rest)
    smooth = [is_differentiable(value.spec.dtype) for value in body.inputs]
    varying = [i for i in range(count) if smooth[i]]
    needed = [i for i in range(count, size) if smooth[i] and which[i]]
    wanted = tuple([i in varying or i in needed for i in range(size)])
    back = derived.vjp_graph(body, wanted)
    stack = () if rows is None else (rows,)
    if rows is not None:
        back = derived.batched_graph(back, (*[False] * size, *[True] * count), rows)
    back = inner_executable(back)
    sums = {i: np.zeros((*stack, *arrays[i].shape), arrays[i].dtype) for i in needed}
    for state in reversed(states):
        gradients = back(*state, *rest, *cotangents)
        for i, g in zip(varying, gradients, strict=False):
            cotangents[i] = g
        for i, g in zip(needed, gradients[len(varying) :], strict=True):
            sums[i] = sums[i] + g
    found = {**{i: cotangents[i] for i in varying}, **sums}
    return tuple([found[i] for i in range(size) if which[i]])


def _vjp_as_function(xs, condition, body, count, limit, which, rows) -> EagerFunction:
    """Return the vjp of the loop as a function whose ops tapes and accumulators see."""
    inputs = xs[: len(body.inputs)]
    loop = EagerFunction(
        _eager_loop(condition, body, count, limit), [x._spec() for x in inputs[:count]]
    )
    function = _vjp_on_a_tape(loop, inputs, which)
    if rows is None:
        return function
    specs = [Spec((rows, *spec.shape), spec.dtype) for spec in function.specs]
    return EagerFunction(vmap(function.call, [None] * len(inputs) + [0] * count), specs)


def _vjp_of_vjp(g, xs, condition, body, count, limit, which, rows, needs_grad):
    function = _vjp_as_function(xs, condition, body, count, limit, which, rows)
    return _run_vjp(g, xs, function, needs_grad)


def _jvp_of_vjp(tangents, xs, condition, body, count, limit, which, rows):
    return _run_jvp(tangents, xs, _vjp_as_function(xs, condition, body, count, limit, which, rows))


def _batch_vjp(prim, size, batched, inputs, params):
    count, which, rows = params["count"], params["which"], params["rows"]
    given = len(params["body"].inputs)
    g = stacked(inputs[given:], batched[given:], [True] * count, size)
    if rows is not None:  # one batch of examples, each with one cotangent
        return _batch_rows(size, rows, batched, inputs, g, params)
    if not any(batched[:given]):
        return bind(LOOP_VJP, (*inputs[:given], *g), {**params, "rows": size})
    # The gradients of each example are those of the loop over all of them.
    smooth = derived.differentiable_mask(inputs[:given])
    wanted = tuple(
        [
            is_batched or needed or (i < count and smooth[i])
            for i, (is_batched, needed) in enumerate(zip(batched, which, strict=False))
        ]
    )
    xs = stacked(inputs[:given], batched[:given], wanted, size)
    loop = batched_loop(params["condition"], params["body"], count, wanted, size)
    g = [
        y if is_smooth else ops.zeros_like(x)
        for x, y, is_smooth in zip(stacked(xs, wanted, loop.which, size), g, smooth, strict=False)
    ]
    xs = loop.inputs(xs, wanted)
    if loop.masked:
        which, g = (False, *which), [ops.zeros_like(xs[0]), *g]
    gradients = _vjp(
        g, xs, loop.condition, loop.body, count + loop.masked, params["limit"], which
    )
    return tuple(compress(gradients, which))


def _batch_rows(size: int, rows: int, batched, inputs, g: list, params: dict):
    given = len(params["body"].inputs)
    if any(batched[:given]):
        inputs = [
            ops.reshape(
                ops.broadcast_to(ops.expand_dims(x, 1), (size, rows, *x.shape[1:])),
                (size * rows, *x.shape[1:]),
            )
            if is_batched
            else x
            for x, is_batched in zip(inputs[:given], batched, strict=False)
        ]
    g = [ops.reshape(y, (size * rows, *y.shape[2:])) for y in g]
    batched = (*batched[:given], *[True] * len(g))
    found = _batch_vjp(
        LOOP_VJP, size * rows, batched, (*inputs[:given], *g), {**params, "rows": None}
    )
    return tuple([ops.reshape(y, (size, rows, *y.shape[1:])) for y in found])


LOOP_VJP = derived.graph_primitive(
    "loop_vjp",
    kernel=_vjp_kernel,
    shape=lambda *xs, condition, body, count, limit, which, rows: tuple(
        [
            x if rows is None else Spec((rows, *x.shape), x.dtype)
            for x, needed in zip(xs, which, strict=False)
            if needed
        ]
    ),
    batch=_batch_vjp,
    vjp=_vjp_of_vjp,
    jvp=_jvp_of_vjp,
)


def trace_loop(
    trace: Trace | None,
    condition: Callable[[list], Tensor],
    body: Callable[[list], list],
    state: list[Tensor],
    limit: int | None,
) -> list:
    """Trace a loop as one op, and return the final state. Variables written by the body join it."""
    trace = surroundings(trace)
    variables: list = []
    while True:
        traced = _trace_graphs(trace, condition, body, state, variables)
        if isinstance(traced, tuple):
            break
        variables = traced  # the body writes to variables: they become part of the loop state
    test, step, captured = traced
    specs = [value.spec for value in step.outputs]
    initial = [*state, *[variable._full_value() for variable in variables]]
    if specs != [x._spec() for x in initial]:
        trace.fail(
            "a loop changes the shapes or dtypes of its variables, from "
            f"{[x._spec() for x in initial]} to {specs}",
            Obstacle.OTHER,
        )
    params = {"condition": test, "body": step, "count": len(initial), "limit": limit}
    results = bind(LOOP, (*initial, *captured), params)
    for variable, value in zip(variables, results[len(state) :], strict=True):
        trace.write(variable, value)
    return list(results[: len(state)])


def _trace_graphs(trace: Trace, condition, body, state: list, variables: list):
    """Return both graphs and what they capture, or the variables that must join the state."""
    part, test = part_of(trace, repeats=True), part_of(trace, repeats=True)
    try:
        with trace_into(part):
            tensors = _as_inputs(part, state, variables)
            results = [part.value_of(x) for x in body(tensors)]
            written = list(part.written.values())
            if any(all(v is not known for known in variables) for v in written):
                return [*variables, *[v for v in written if all(v is not k for k in variables)]]
            results += [part.current_value(v) for v in variables]
        with trace_into(test):
            tensors = _as_inputs(test, state, variables)
            answer = test.value_of(condition(tensors))
    finally:
        part.active = test.active = False
    count = len(state) + len(variables)
    captured: dict = {}
    for each in (part, test):
        for key, (x, value) in each._captured.items():
            captured.setdefault(key, (x, value.spec))
    graphs = []
    for each, outputs in ((test, (answer,)), (part, tuple(results))):
        inputs = list(each.inputs[:count])
        for key, (x, _) in captured.items():
            known = each._captured.get(key)
            inputs.append(each.input(x._spec())._value if known is None else known[1])
        graphs.append(Graph(tuple(inputs), each.nodes, outputs))
    return graphs[0], graphs[1], [x for x, _ in captured.values()]


def _as_inputs(part: Trace, state: list, variables: list) -> list:
    tensors = [part.input(x._spec()) for x in state]
    outer: Any = part.outer
    values = [part.input(outer.read(variable)._spec()) for variable in variables]
    for variable, value in zip(variables, values, strict=True):  # may capture: after all inputs
        part.write(variable, value)
    part.written.clear()
    return tensors
