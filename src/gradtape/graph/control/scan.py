"""The SCAN primitive, a loop over the rows of tensors: `tf.scan`, `map_fn` and folds when traced.

The op is SCAN(carry, rows, captured): one graph, `body`, is applied to the carry, a row of each of
`rows`, and the captured tensors; it returns the next carry and a row of each result. Besides the
last carry and the stacked rows, the op returns the stacked carries that went in, if it `keeps`
them: its vjp is a scan in the other direction, which needs them. A pass drops unused ones.

Other residuals of an iteration (the results of its matmuls, say) come from a second scan whose
body has them as additional outputs. A pass merges the two scans (graph/passes/scans.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.size import is_open
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph import derived
from gradtape.graph.control.iterate import run_scan
from gradtape.graph.control.outside import part_of
from gradtape.graph.control.recorded import RecordedPart
from gradtape.graph.derivative import pullback
from gradtape.graph.graph import Graph
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import OP_BY_OP, replay
from gradtape.graph.tracing import MustUnroll, Trace, TracedTensor, trace_into
from gradtape.ops.families import all_batched
from gradtape.ops.random import Draws


def _kernel(*arrays, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool):
    if length:
        return run_scan(arrays, body, carry, rows, length, reverse, keeps)
    specs = _shape(
        *arrays, body=body, carry=carry, rows=rows, length=0, reverse=reverse, keeps=keeps
    )
    return (*arrays[:carry], *[np.zeros(s.shape, s.dtype) for s in specs[carry:]])


def _shape(*xs, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool):
    outputs = [value.spec for value in body.outputs]
    stacked = [*outputs[carry:], *([v.spec for v in body.inputs[:carry]] if keeps else [])]
    return (*outputs[:carry], *[Spec((length, *s.shape), s.dtype) for s in stacked])


def _split(xs, carry: int, rows: int) -> tuple[list, list, list]:
    xs = list(xs)
    return xs[:carry], xs[carry : carry + rows], xs[carry + rows :]


def _scan(body: Graph, state: list, given: list, captured: list, length: int, reverse: bool):
    params = {
        "body": body,
        "carry": len(state),
        "rows": len(given),
        "length": length,
        "reverse": reverse,
        "keeps": True,
    }
    return bind(SCAN, (*state, *given, *captured), params)


def _op_by_op(*xs, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool):
    state, given, captured = _split(xs, carry, rows)
    made: list = [None] * length
    for i in reversed(range(length)) if reverse else range(length):
        outputs = replay(body, [*state, *[x[i] for x in given], *captured])
        made[i] = [*outputs[carry:], *(state if keeps else ())]
        state = outputs[:carry]
    if not length:
        return _scan(body, state, given, captured, 0, reverse)[: None if keeps else -carry or None]
    return (*state, *[ops.stack(each) for each in zip(*made, strict=True)])


OP_BY_OP["scan"] = _op_by_op

# --- reverse mode --------------------------------------------------------------------------------


def _vjp(g, xs, ans, body, carry, rows, length, reverse, keeps, needs_grad):
    state, given, captured = _split(xs, carry, rows)
    count = len(body.outputs) - carry  # of the stacked results
    smooth = derived.differentiable_mask(state)
    of_rows, of_captured = needs_grad[carry : carry + rows], needs_grad[carry + rows :]
    g_state, g_made, g_carries = _split(g, carry, count)
    given_made = tuple([not _is_zero(x) for x in g_made])
    given_carries = tuple(
        [is_smooth and not _is_zero(x) for x, is_smooth in zip(g_carries, smooth, strict=True)]
    )
    rule = _scan_backward(
        body, carry, rows, (smooth, of_rows, of_captured, given_made, given_carries)
    )
    made, saved = list(ans[carry : carry + count]), []
    if rule.saved:
        params = {
            "body": rule.body_with_residuals,
            "carry": carry,
            "rows": rows,
            "length": length,
            "reverse": reverse,
            "keeps": True,
        }
        outputs = bind(SCAN, tuple(xs), params)
        saved = list(outputs[carry + count : carry + count + rule.saved])
    invariant = replay(rule.invariant, captured)
    totals = [ops.zeros_like(x) for x, needed in zip(captured, of_captured, strict=True) if needed]
    start = [x for x, is_smooth in zip(g_state, smooth, strict=True) if is_smooth]
    g_made = [x for x, is_given in zip(g_made, given_made, strict=True) if is_given]
    g_carries = [x for x, is_given in zip(g_carries, given_carries, strict=True) if is_given]
    outputs = _scan(
        rule.step,
        [*start, *totals],
        [*ans[carry + count :], *given, *made, *saved, *g_made, *g_carries],
        [*captured, *invariant],
        length,
        not reverse,
    )
    to_start, sums, g_rows = _split(
        outputs[: len(start) + len(totals) + sum(of_rows)], len(start), len(totals)
    )
    to_state = derived.expand_with_none(to_start, smooth)
    return [
        *to_state,
        *derived.expand_with_none(g_rows, of_rows),
        *derived.expand_with_none(sums, of_captured),
    ]


def _is_zero(x: Tensor) -> bool:
    """Return whether a cotangent is known to be zero: that of an unused result."""
    if type(x) is TracedTensor:  # zeros of an open size (see core/size) are an op
        node = x._interpreter.producer(x._value)
        if node is None or node.prim.name != "broadcast_to" or node.inputs[0].constant is None:
            return False
        x = node.inputs[0].constant
    return type(x) is Tensor and not np.any(x._data)


class _ScanBackward:
    """The backward pass of a scan.

    * `body_with_residuals`: the body, with `saved` residuals as additional outputs;
    * `invariant`: loop-invariant residuals, as a graph of the captured tensors;
    * `step`: the body of the backward scan. Its carry are the cotangents of the carry, and the
      gradients of the captured tensors summed so far.

    `which` has five masks: the carries that are differentiable, the rows and the captured tensors
    whose gradients are wanted, the results and the kept carries that have a cotangent.
    """

    def __init__(self, body: Graph, carry: int, rows: int, which: tuple) -> None:
        smooth, of_rows, of_captured, given_made, _ = which
        seeded = (*[True] * carry, *given_made)
        rule = pullback(body, (*smooth, *of_rows, *of_captured), seeded)
        forward = rule.forward
        outputs = forward.outputs[: len(body.outputs)]
        residuals = forward.outputs[len(body.outputs) :]
        varying = {id(value) for value in forward.inputs[: carry + rows]}
        for node in forward.nodes:
            if any(id(value) in varying for value in node.inputs):
                varying.update(id(value) for value in node.outputs)
        available = {id(value): ("input", i) for i, value in enumerate(forward.inputs)}
        for i, value in enumerate(outputs[carry:]):
            available.setdefault(id(value), ("made", i))
        saved, invariant = [], []
        for value in residuals:
            if id(value) not in available:
                is_varying = id(value) in varying
                kind, values = ("saved", saved) if is_varying else ("invariant", invariant)
                available[id(value)] = (kind, len(values))
                values.append(value)
        self.saved = len(saved)
        self.body_with_residuals = Graph(forward.inputs, forward.nodes, (*outputs, *saved))
        self.body_with_residuals.extends = body
        self.invariant = eliminate_dead_code(
            Graph(
                forward.inputs[carry + rows :], _invariant_nodes(forward, varying), tuple(invariant)
            )
        )
        specs = [[value.spec for value in values] for values in (saved, invariant)]
        sources = [available[id(value)] for value in residuals]
        self.step = _backward_body(body, carry, rows, which, rule, sources, specs)


def _backward_body(body: Graph, carry: int, rows: int, which, rule, sources: list, specs) -> Graph:
    smooth, of_rows, of_captured, given_made, given_carries = which
    saved, invariant = specs
    states, given, captured = _split([value.spec for value in body.inputs], carry, rows)
    made = [value.spec for value in body.outputs[carry:]]

    def select(values: list, mask) -> list:
        return [value for value, is_selected in zip(values, mask, strict=True) if is_selected]

    cotangent_specs, totals = select(states, smooth), select(captured, of_captured)

    def function(tensors: list) -> list:
        g_state, sums, rest = _split(tensors, len(cotangent_specs), len(totals))
        before, xs, rest = _split(rest, carry, rows)
        made_now, saved_now, rest = _split(rest, len(made), len(saved))
        g_made, g_carries, rest = _split(rest, sum(given_made), sum(given_carries))
        inputs = [*before, *xs, *rest[: len(captured)]]
        available = {
            "input": inputs,
            "made": made_now,
            "saved": saved_now,
            "invariant": rest[len(captured) :],
        }
        cotangents = [
            *derived.fill_with_zeros(derived.expand_with_none(g_state, smooth), before),
            *derived.expand_with_none(g_made, given_made),
        ]
        residuals = [available[kind][i] for kind, i in sources]
        flat = replay(rule.backward, [*residuals, *[cotangents[i] for i in rule.targets]])
        gradients = [
            ops.zeros_like(x) if slope is None else ops.to_tensor(slope)
            for x, slope in zip(inputs, rule.pack(flat), strict=True)
        ]
        to_state, to_rows, to_captured = _split(gradients, carry, rows)
        extra = derived.expand_with_none(g_carries, given_carries)
        to_state = [x if g is None else x + g for x, g in zip(to_state, extra, strict=True)]
        sums = [a + b for a, b in zip(sums, select(to_captured, of_captured), strict=True)]
        return [*select(to_state, smooth), *sums, *select(to_rows, of_rows)]

    return derived.trace_graph(
        function,
        [
            *cotangent_specs,
            *totals,
            *states,
            *given,
            *made,
            *saved,
            *select(made, given_made),
            *select(states, given_carries),
            *captured,
            *invariant,
        ],
    )


def _invariant_nodes(graph: Graph, varying: set[int]) -> list:
    """Return the loop-invariant nodes: those without a varying input."""
    return [node for node in graph.nodes if not any(id(value) in varying for value in node.inputs)]


def _scan_backward(body: Graph, carry: int, rows: int, which: tuple) -> _ScanBackward:
    """Return the backward pass of a scan with this body; it is made once."""
    key = ("scan", carry, rows, which)
    rule = body.derived.get(key)
    if rule is None:
        rule = body.derived[key] = _ScanBackward(body, carry, rows, which)
    return rule


# --- forward mode, batches -----------------------------------------------------------------------


def _jvp(tangents, xs, body, carry, rows, length, reverse, keeps):
    state, given, captured = _split(xs, carry, rows)
    smooth = derived.differentiable_mask(state)
    t_state, t_rows, t_captured = _split(tangents, carry, rows)
    start = [
        t
        for t, is_smooth in zip(derived.fill_with_zeros(t_state, state), smooth, strict=True)
        if is_smooth
    ]
    of_rows = tuple([t is not None for t in t_rows])
    of_captured = tuple([t is not None for t in t_captured])
    step = _jvp_body(body, carry, rows, smooth, of_rows, of_captured)
    outputs = _scan(
        step,
        [*state, *start],
        [*given, *[t for t in t_rows if t is not None]],
        [*captured, *[t for t in t_captured if t is not None]],
        length,
        reverse,
    )
    count = len(body.outputs) - carry
    _, t_last, rest = _split(outputs, carry, len(start))
    _, made, rest = _split(rest, count, count)
    _, carries, _ = _split(rest, carry, len(start))

    def full(values: list, like) -> list:
        return derived.fill_with_zeros(derived.expand_with_none(values, smooth), like)

    states = list(outputs[carry + len(start) + 2 * count :][:carry])
    return (*full(t_last, outputs[:carry]), *made, *full(carries, states))


def _jvp_body(body: Graph, carry: int, rows: int, smooth, of_rows, of_captured) -> Graph:
    rule = derived.jvp_graph(body, (*smooth, *of_rows, *of_captured))
    count = len(body.outputs) - carry

    def make() -> Graph:
        states, given, captured = _split([v.spec for v in body.inputs], carry, rows)
        t_states = [s for s, is_smooth in zip(states, smooth, strict=True) if is_smooth]
        t_rows = [s for s, needed in zip(given, of_rows, strict=True) if needed]
        t_captured = [s for s, needed in zip(captured, of_captured, strict=True) if needed]

        def function(tensors: list) -> list:
            now, ts, rest = _split(tensors, carry, len(t_states))
            xs, txs, rest = _split(rest, rows, len(t_rows))
            held, t_held, _ = _split(rest, len(captured), len(t_captured))
            outputs = replay(rule, [*now, *xs, *held, *ts, *txs, *t_held])
            after, made, rest = _split(outputs, carry, count)
            t_after, t_made, _ = _split(rest, carry, count)
            t_after = [t for t, is_smooth in zip(t_after, smooth, strict=True) if is_smooth]
            return [*after, *t_after, *made, *t_made]

        return derived.trace_graph(
            function, [*states, *t_states, *given, *t_rows, *captured, *t_captured]
        )

    return derived.cached_graph(body, ("scan jvp", carry, rows, smooth, of_rows, of_captured), make)


def _batch(prim, size, batched, inputs, params):
    carry, rows, body = params["carry"], params["rows"], params["body"]
    state, given, captured = _split(inputs, carry, rows)
    of_state, of_rows, of_captured = _split(batched, carry, rows)
    state = all_batched(size, of_state, state)
    given = [
        ops.moveaxis(x, 1, 0) if is_batched else x
        for x, is_batched in zip(given, of_rows, strict=True)
    ]
    step = derived.batched_graph(body, (*[True] * carry, *of_rows, *of_captured), size)
    outputs = bind(SCAN, (*state, *given, *captured), {**params, "body": step})
    return (*outputs[:carry], *[ops.moveaxis(y, 0, 1) for y in outputs[carry:]])


SCAN = derived.graph_primitive(
    "scan", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


class Declined:
    """Why a loop over rows is no scan: `acts` if its body writes to variables or has effects.

    If so, `body` is what was traced of it, a function of the carry and of `rows`.
    """

    __slots__ = ("acts", "body", "rows")

    def __init__(
        self, acts: bool, body: RecordedPart | None = None, rows: list[Tensor] | None = None
    ) -> None:
        self.acts = acts
        self.body = body
        self.rows = rows or []


def trace_scan(
    trace: Trace,
    step: Callable[[list, list], tuple[list, list]],
    state: list[Tensor],
    given: list[Tensor],
    length: int,
    reverse: bool = False,
) -> tuple[list, list] | Declined:
    """Trace a loop over rows as one op; return the last carry and the stacked results.

    `Declined` says why it cannot be one: the body writes to variables or has other effects, draws
    random numbers, or changes a shape.
    """
    part = part_of(trace, repeats=True, can_unroll=True)
    part.length = None if is_open(length) else length
    try:
        with trace_into(part):
            carried = [part.input(x._spec()) for x in state]
            rows = [part.input(Spec(tuple(x.shape)[1:], x._spec().dtype)) for x in given]
            after, made = step(carried, rows)
            outputs = tuple([part.value_of(x) for x in (*after, *made)])
            count = len(state) + len(given)
            inputs = (*part.inputs[:count], *[value for _, value in part.stacked])
            recorded = RecordedPart(part, inputs, outputs)
    except MustUnroll:
        return Declined(bool(part.written))
    finally:
        part.active = False
    specs = [value.spec for value in outputs[: len(state)]]
    acts = bool(part.written) or any(node.acts for node in part.nodes)
    is_scan = not acts and specs == [x._spec() for x in state]
    if not is_scan and not acts:
        return Declined(False)
    drawn = [
        trace.feed(Draws(make, length), Spec((length, *value.spec.shape), value.spec.dtype))
        for make, value in part.stacked
    ]
    if not is_scan:
        return Declined(True, recorded, [*given, *drawn])
    inputs += tuple([value for _, value in part._captured.values()])
    body = Graph(inputs, part.nodes, outputs)
    results = _scan(body, state, [*given, *drawn], part.captured, length, reverse)
    count = len(state)
    return list(results[:count]), list(results[count : len(outputs)])
