"""The LOOP primitive, with a condition graph and a body graph: `tf.while_loop` when traced.

The number of iterations is known only at run time, so that its vjp is not a graph. The loop keeps
the residuals of all iterations as a Python object (its history), and a primitive (LOOP_VJP) walks
back through them. What is differentiated further runs the loop again on a tape, as a primitive,
too (RUN).

The vjp binds the loop a second time, with its history as one more result; a pass makes one of both
(graph/passes/scans.py).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.vmap import is_any, keep_active, vectorized
from gradtape.graph import derived
from gradtape.graph.apply import apply
from gradtape.graph.control.batched_loop import batched_loop, stacked
from gradtape.graph.control.iterate import run_back, run_loop
from gradtape.graph.control.loop_backward import backward_step, loop_backward, rule_of
from gradtape.graph.control.outside import part_of, surroundings
from gradtape.graph.control.recorded import RecordedPart
from gradtape.graph.control.run import EagerFunction, run_jvp, run_vjp, vjp_on_a_tape
from gradtape.graph.derivative import tracked_mask
from gradtape.graph.graph import Graph, Value
from gradtape.graph.obstacles import MustPeel, Obstacle
from gradtape.graph.replay import OP_BY_OP
from gradtape.graph.tracing import Trace, failure_here, trace_into
from gradtape.ops.host import OBJECT, boxed, unboxed


def _kernel(
    *arrays, condition: Graph, body: Graph, count: int, limit: int | None, keeps: bool = False
):
    """Run the loop; with `keeps`, what the body gives besides the next state is a history."""
    state, history = run_loop(arrays, condition, body, count, limit, keeps)
    return (*state, boxed(history)) if keeps else state


def _shape(*xs, condition: Graph, body: Graph, count: int, limit: int | None, keeps: bool = False):
    return (*xs[:count], OBJECT) if keeps else tuple(xs[:count])


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


def _vjp(g, xs, ans, condition, body, count, limit, needs_grad):
    narrow = body if body.extends is None else body.extends
    params = {"condition": condition, "count": count, "limit": limit}
    rule = rule_of(body)
    if rule is None or any(b and not a for a, b in zip(rule.which, needs_grad, strict=True)):
        rule = loop_backward(narrow, count, needs_grad)
        ans = ()
    if any(x._is_batched for x in xs):  # the batching rule runs the loop of all examples
        history = Tensor(boxed(None))
    elif ans:
        history = ans[-1]
    else:
        history = bind(LOOP, tuple(xs), {**params, "body": rule.body, "keeps": True})[-1]
    params |= {"body": narrow, "which": rule.which, "rows": None}
    gradients = bind(LOOP_VJP, (*xs, history, *g[:count]), params)
    every = derived.expand_with_none(gradients, rule.which)
    return [x if needed else None for x, needed in zip(every, needs_grad, strict=True)]


def _jvp(tangents, xs, condition, body, count, limit):
    """Run a loop whose state has the tangents in it, too."""
    narrow = body if body.extends is None else body.extends
    state, captured = list(xs[:count]), list(xs[count:])
    smooth = derived.differentiable_mask(state)
    given = tuple([t is not None for t in tangents[count:]])
    start = list(compress(derived.fill_with_zeros(tangents[:count], state), smooth))
    test, step = _jvp_graphs(condition, narrow, count, smooth, given)
    inputs = (*state, *start, *captured, *compress(tangents[count:], given))
    params = {"condition": test, "body": step, "count": count + len(start), "limit": limit}
    outputs = bind(LOOP, inputs, params)
    moved = derived.expand_with_none(outputs[count:], smooth)
    results = tuple(derived.fill_with_zeros(moved, outputs[:count]))
    return results if narrow is body else (*results, None)  # a history has no tangent


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
    count, body = params["count"], params["body"]
    narrow = body if body.extends is None else body.extends
    loop = batched_loop(params["condition"], narrow, count, tuple(batched), size)
    outputs = bind(
        LOOP,
        tuple(loop.inputs(inputs, batched)),
        {
            "condition": loop.condition,
            "body": loop.body,
            "count": count + loop.masked,
            "limit": params["limit"],
        },
    )
    results = loop.results(outputs)
    # The batching rule of LOOP_VJP runs the loop of all examples; it needs no history of each.
    return (*results, Tensor(np.empty(size, object))) if params.get("keeps") else results


LOOP = derived.graph_primitive(
    "loop", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)

# One that keeps its history is not run again.
OP_BY_OP["loop"] = lambda *xs, keeps=False, **params: (
    bind(LOOP, xs, {**params, "keeps": True}) if keeps else tuple(_eager_loop(**params)(*xs))
)


# --- its gradient --------------------------------------------------------------------------------


def _vjp_kernel(*arrays, condition: Graph, body: Graph, count: int, limit, which, rows):
    """Walk back through the iterations of the loop, by what each of them has kept.

    With `rows`, the cotangents are stacks of that many, and so are the gradients.
    """
    size = len(body.inputs)
    rest, history, cotangents = arrays[count:size], arrays[size], arrays[size + 1 :]
    rule, step = backward_step(body, count, which, rows)
    stack = () if rows is None else (rows,)
    sums = [np.zeros((*stack, *arrays[i].shape), arrays[i].dtype) for i in rule.needed]
    gradients: tuple = (*[cotangents[i] for i in rule.varying], *sums)
    gradients = run_back(step, unboxed(history), rest, gradients)
    by_index = dict(zip((*rule.varying, *rule.needed), gradients, strict=True))
    return tuple([by_index[i] for i in range(size) if which[i]])


def _vjp_as_function(xs, condition, body, count, limit, which, rows) -> EagerFunction:
    """Return the vjp of the loop as a function whose ops tapes and accumulators see."""
    inputs = xs[: len(body.inputs)]
    loop = EagerFunction(
        _eager_loop(condition, body, count, limit), [x._spec() for x in inputs[:count]]
    )
    function = vjp_on_a_tape(loop, inputs, which)
    if rows is None:
        return function
    specs = [Spec((rows, *spec.shape), spec.dtype) for spec in function.specs]
    return EagerFunction(vectorized(function.call, [None] * len(inputs) + [0] * count), specs)


def _without_history(values, body: Graph) -> tuple:
    """Return what belongs to the inputs and cotangents: what runs again needs no history."""
    size = len(body.inputs)
    return (*values[:size], *values[size + 1 :])


def _vjp_of_vjp(g, xs, condition, body, count, limit, which, rows, needs_grad):
    function = _vjp_as_function(xs, condition, body, count, limit, which, rows)
    inputs, needed = _without_history(xs, body), _without_history(needs_grad, body)
    gradients = run_vjp(g, inputs, function, needed)
    return [*gradients[: len(body.inputs)], None, *gradients[len(body.inputs) :]]


def _jvp_of_vjp(tangents, xs, condition, body, count, limit, which, rows):
    function = _vjp_as_function(xs, condition, body, count, limit, which, rows)
    return run_jvp(_without_history(tangents, body), _without_history(xs, body), function)


def _batch_vjp(prim, size, batched, inputs, params):
    count, which, rows = params["count"], params["which"], params["rows"]
    given = len(params["body"].inputs)
    history = inputs[given]
    g = stacked(inputs[given + 1 :], batched[given + 1 :], [True] * count, size)
    if rows is not None:  # one batch of examples, each with one cotangent
        return _batch_rows(size, rows, batched, inputs, g, params)
    if not any(batched[:given]):
        return bind(LOOP_VJP, (*inputs[:given], history, *g), {**params, "rows": size})
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
    count += loop.masked
    gradients = _vjp(g, xs, (), loop.condition, loop.body, count, params["limit"], which)
    return tuple(compress(gradients, which))


def _batch_rows(size: int, rows: int, batched, inputs, g: list, params: dict):
    given = len(params["body"].inputs)
    xs = [
        ops.reshape(
            ops.broadcast_to(ops.expand_dims(x, 1), (size, rows, *x.shape[1:])),
            (size * rows, *x.shape[1:]),
        )
        if is_batched
        else x
        for x, is_batched in zip(inputs[:given], batched, strict=False)
    ]
    g = [ops.reshape(y, (size * rows, *y.shape[2:])) for y in g]
    batched = (*batched[: given + 1], *[True] * len(g))
    results = _batch_vjp(
        LOOP_VJP, size * rows, batched, (*xs, inputs[given], *g), {**params, "rows": None}
    )
    return tuple([ops.reshape(y, (size, rows, *y.shape[1:])) for y in results])


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
    has_effect=False,  # its graphs have run: they are here for their derivatives
)


def trace_loop(
    trace: Any,
    condition: Callable[[list], Tensor],
    body: Callable[[list], list],
    state: list[Tensor],
    limit: int | None,
) -> list:
    """Trace a loop as one op, and return the final state. Variables written by the body join it.

    `trace` is that of the function around it, or None where there is none: in an eager vmap.
    """
    trace = surroundings(trace)
    variables: list = []
    while True:
        traced = _trace_graphs(trace, condition, body, state, variables)
        if len(traced) == 3:
            break
        # The body writes to variables, which become part of the loop state. Its Python code has
        # run: what it recorded is recorded again.
        variables, body = traced
    test, step, captured = traced
    specs = [value.spec for value in step.outputs]
    initial = [*state, *[variable._full_value() for variable in variables]]
    if specs != [x._spec() for x in initial]:
        what = (
            "a loop changes the shapes or dtypes of its variables, from "
            f"{[x._spec() for x in initial]} to {specs}"
        )
        if trace.live is not None:
            raise MustPeel(failure_here(what, Obstacle.OTHER))
        trace.fail(what, Obstacle.OTHER)
    count = len(initial)
    inputs = (*initial, *captured)
    watched = tracked_mask(inputs)
    # A loop on a tape keeps its residuals at once: it may have effects, and run before its
    # gradient is traced (see stages.py).
    keeps = any(watched)
    step = loop_backward(step, count, watched).body if keeps else step
    params = {"condition": test, "body": step, "count": count, "limit": limit, "keeps": keeps}
    results = bind(LOOP, inputs, params)
    for variable, value in zip(variables, results[len(state) : count], strict=True):
        trace.write(variable, value)
    return list(results[: len(state)])


def _trace_graphs(trace: Trace, condition, body, state: list, variables: list):
    """Return both graphs and what they capture.

    If the body writes to other variables, return all that must join the state, and the body.
    """
    part, test = part_of(trace, repeats=True), part_of(trace, repeats=True)
    try:
        with trace_into(part):
            tensors = _as_inputs(part, state, variables)
            results = [part.value_of(x) for x in body(tensors)]
            written = list(part.written.values())
            more = [v for v in written if all(v is not known for known in variables)]
            if more:
                again = RecordedPart(part, tuple(part.inputs[: len(state)]), tuple(results)).repeat
                return [*variables, *more], again
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
