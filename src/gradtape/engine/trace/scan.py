"""A loop over the rows of tensors, as often as they have rows: `tf.scan` and its kin, when traced.

The op is SCAN(carry, rows, held): one graph, `body`, is applied to the carry, a row of each of
`rows`, and what it holds on to; it gives the next carry and a row of each result. Besides the last
carry and the stacked rows, the op gives the carries that went in, stacked: its reverse rule is a
scan in the other direction, which needs them. Where nobody does, a pass leaves them out.

What else the way back needs of a step (the results of its products, say) is made by a scan with a
wider body, which gives these as well. In a graph, a pass makes one of the two scans.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.trace import derived
from gradtape.engine.trace.derivative import pullback
from gradtape.engine.trace.execute import inner_executable
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.passes.dead_code import without_dead_code
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import CannotRepeat, Trace, traced_by


def _kernel(*arrays, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool):
    step = inner_executable(body)
    state, given, held = arrays[:carry], arrays[carry : carry + rows], arrays[carry + rows :]
    made: list[tuple] = []
    order = range(length - 1, -1, -1) if reverse else range(length)
    for i in order:
        before = state if keeps else ()
        found = step(*state, *[x[i] for x in given], *held)
        state = found[:carry]
        made.append((*found[carry:], *before))
    if reverse:
        made.reverse()
    if not made:
        specs = _shape(*arrays, body=body, carry=carry, rows=rows, length=0, reverse=reverse,
                       keeps=keeps)  # fmt: skip
        return (*state, *[np.zeros(s.shape, s.dtype) for s in specs[carry:]])
    return (*state, *[np.stack(column) for column in zip(*made, strict=True)])


def _shape(*xs, body: Graph, carry: int, rows: int, length: int, reverse: bool, keeps: bool):
    outputs = [value.spec for value in body.outputs]
    stacked = [*outputs[carry:], *([v.spec for v in body.inputs[:carry]] if keeps else [])]
    return (*outputs[:carry], *[Spec((length, *s.shape), s.dtype) for s in stacked])


def _split(xs, carry: int, rows: int) -> tuple[list, list, list]:
    xs = list(xs)
    return xs[:carry], xs[carry : carry + rows], xs[carry + rows :]


def _scan(body: Graph, state: list, given: list, held: list, length: int, reverse: bool):
    params = {"body": body, "carry": len(state), "rows": len(given), "length": length,
              "reverse": reverse, "keeps": True}  # fmt: skip
    return bind(SCAN, (*state, *given, *held), params)


# --- reverse mode --------------------------------------------------------------------------------


def _vjp(g, xs, ans, body, carry, rows, length, reverse, keeps, wanted):
    state, given, held = _split(xs, carry, rows)
    count = len(body.outputs) - carry  # of the results that are stacked
    smooth = derived.differentiable(state)
    of_rows, of_held = wanted[carry : carry + rows], wanted[carry + rows :]
    g_state, g_made, g_carries = _split(g, carry, count)
    given_made = tuple([not _is_zero(x) for x in g_made])
    given_carries = tuple(
        [is_smooth and not _is_zero(x) for x, is_smooth in zip(g_carries, smooth, strict=True)]
    )
    way = _way_back(body, carry, rows, (smooth, of_rows, of_held, given_made, given_carries))
    made, saved = list(ans[carry : carry + count]), []
    if way.saved:
        params = {"body": way.wide, "carry": carry, "rows": rows, "length": length,
                  "reverse": reverse, "keeps": True}  # fmt: skip
        found = bind(SCAN, tuple(xs), params)
        saved = list(found[carry + count : carry + count + way.saved])
    fixed = replay(way.fixed, held)
    totals = [ops.zeros_like(x) for x, want in zip(held, of_held, strict=True) if want]
    start = [x for x, is_smooth in zip(g_state, smooth, strict=True) if is_smooth]
    g_made = [x for x, is_given in zip(g_made, given_made, strict=True) if is_given]
    g_carries = [x for x, is_given in zip(g_carries, given_carries, strict=True) if is_given]
    found = _scan(
        way.step,
        [*start, *totals],
        [*ans[carry + count :], *given, *made, *saved, *g_made, *g_carries],
        [*held, *fixed],
        length,
        not reverse,
    )
    moved, sums, g_rows = _split(found[: len(start) + len(totals) + sum(of_rows)], len(start),
                                 len(totals))  # fmt: skip
    to_state = derived.placed(moved, smooth)
    return [*to_state, *derived.placed(g_rows, of_rows), *derived.placed(sums, of_held)]


def _is_zero(x: Tensor) -> bool:
    """Whether a cotangent is known to be zero: that of a result which nobody used."""
    return type(x) is Tensor and not np.any(x._data)


class _WayBack:
    """The reverse rule of a scan's body, with what it needs of the way there.

    * `wide`: the body, with `saved` further results that the way back needs;
    * `fixed`: what it needs that is the same in all rounds, as a graph of what the body holds;
    * `step`: (cotangents of the carry, sums for what is held) and rows -> the same, one step back.

    `which` tells, for each: the carries that are differentiable, the rows and what is held whose
    gradients are wanted, the results and the kept carries that have a cotangent.
    """

    def __init__(self, body: Graph, carry: int, rows: int, which: tuple) -> None:
        smooth, of_rows, of_held, given_made, _ = which
        seeded = (*[True] * carry, *given_made)
        rule = pullback(body, (*smooth, *of_rows, *of_held), seeded)
        there = rule.forward
        outputs, needed = there.outputs[: len(body.outputs)], there.outputs[len(body.outputs) :]
        changing = {id(value) for value in there.inputs[: carry + rows]}
        for node in there.nodes:
            if any(id(value) in changing for value in node.inputs):
                changing.update(id(value) for value in node.outputs)
        at_hand = {id(value): ("input", i) for i, value in enumerate(there.inputs)}
        for i, value in enumerate(outputs[carry:]):
            at_hand.setdefault(id(value), ("made", i))
        saved, fixed = [], []
        for value in needed:
            if id(value) not in at_hand:
                kind, values = ("saved", saved) if id(value) in changing else ("fixed", fixed)
                at_hand[id(value)] = (kind, len(values))
                values.append(value)
        self.saved = len(saved)
        self.wide = Graph(there.inputs, there.nodes, (*outputs, *saved))
        self.wide.extends = body
        self.fixed = without_dead_code(
            Graph(there.inputs[carry + rows :], _only_of(there, changing), tuple(fixed))
        )
        specs = [[value.spec for value in values] for values in (saved, fixed)]
        places = [at_hand[id(value)] for value in needed]
        self.step = _step_back(body, carry, rows, which, rule, places, specs)


def _step_back(body: Graph, carry: int, rows: int, which, rule, places: list, specs) -> Graph:
    smooth, of_rows, of_held, given_made, given_carries = which
    saved, fixed = specs
    states, given, held = _split([value.spec for value in body.inputs], carry, rows)
    made = [value.spec for value in body.outputs[carry:]]

    def only(values: list, chosen) -> list:
        return [value for value, is_chosen in zip(values, chosen, strict=True) if is_chosen]

    moving, totals = only(states, smooth), only(held, of_held)

    def function(tensors: list) -> list:
        g_state, sums, rest = _split(tensors, len(moving), len(totals))
        before, xs, rest = _split(rest, carry, rows)
        made_now, saved_now, rest = _split(rest, len(made), len(saved))
        g_made, g_carries, rest = _split(rest, sum(given_made), sum(given_carries))
        inputs = [*before, *xs, *rest[: len(held)]]
        known = {"input": inputs, "made": made_now, "saved": saved_now, "fixed": rest[len(held) :]}
        cotangents = [
            *derived.with_zeros(derived.placed(g_state, smooth), before),
            *derived.placed(g_made, given_made),
        ]
        needed = [known[kind][i] for kind, i in places]
        found = rule.packed(replay(rule.back, [*needed, *[cotangents[p] for p in rule.targets]]))
        gradients = [
            ops.zeros_like(x) if slope is None else ops.to_tensor(slope)
            for x, slope in zip(inputs, found, strict=True)
        ]
        to_state, to_rows, to_held = _split(gradients, carry, rows)
        extra = derived.placed(g_carries, given_carries)
        to_state = [x if g is None else x + g for x, g in zip(to_state, extra, strict=True)]
        sums = [a + b for a, b in zip(sums, only(to_held, of_held), strict=True)]
        return [*only(to_state, smooth), *sums, *only(to_rows, of_rows)]

    return derived.traced_graph(
        function,
        [*moving, *totals, *states, *given, *made, *saved, *only(made, given_made),
         *only(states, given_carries), *held, *fixed],
    )  # fmt: skip


def _only_of(graph: Graph, changing: set[int]) -> list:
    """The nodes that do not depend on what changes from round to round."""
    return [node for node in graph.nodes if not any(id(value) in changing for value in node.inputs)]


def _way_back(body: Graph, carry: int, rows: int, which: tuple) -> _WayBack:
    key = ("scan", carry, rows, which)
    found = body.pullbacks.get(key)
    if found is None:
        found = body.pullbacks[key] = _WayBack(body, carry, rows, which)
    return found


# --- forward mode, batches -----------------------------------------------------------------------


def _jvp(tangents, xs, body, carry, rows, length, reverse, keeps):
    state, given, held = _split(xs, carry, rows)
    smooth = derived.differentiable(state)
    t_state, t_rows, t_held = _split(tangents, carry, rows)
    start = [
        t
        for t, is_smooth in zip(derived.with_zeros(t_state, state), smooth, strict=True)
        if is_smooth
    ]
    moving_rows = tuple([t is not None for t in t_rows])
    moving_held = tuple([t is not None for t in t_held])
    step = _forward_body(body, carry, rows, smooth, moving_rows, moving_held)
    found = _scan(
        step,
        [*state, *start],
        [*given, *[t for t in t_rows if t is not None]],
        [*held, *[t for t in t_held if t is not None]],
        length,
        reverse,
    )
    count = len(body.outputs) - carry
    _, moved, rest = _split(found, carry, len(start))
    _, made, rest = _split(rest, count, count)
    _, carries, _ = _split(rest, carry, len(start))

    def full(values: list, like) -> list:
        placed = derived.placed(values, smooth)
        return derived.with_zeros(placed, like)

    states = list(found[carry + len(start) + 2 * count :][:carry])
    return (*full(moved, found[:carry]), *made, *full(carries, states))


def _forward_body(body: Graph, carry: int, rows: int, smooth, of_rows, of_held) -> Graph:
    rule = derived.forward(body, (*smooth, *of_rows, *of_held))
    count = len(body.outputs) - carry

    def make() -> Graph:
        states, given, held = _split([v.spec for v in body.inputs], carry, rows)
        moving = [s for s, is_smooth in zip(states, smooth, strict=True) if is_smooth]
        t_rows = [s for s, want in zip(given, of_rows, strict=True) if want]
        t_held = [s for s, want in zip(held, of_held, strict=True) if want]

        def function(tensors: list) -> list:
            now, ts, rest = _split(tensors, carry, len(moving))
            xs, txs, rest = _split(rest, rows, len(t_rows))
            kept, tkept, _ = _split(rest, len(held), len(t_held))
            found = replay(rule, [*now, *xs, *kept, *ts, *txs, *tkept])
            after, made, rest = _split(found, carry, count)
            t_after, t_made, _ = _split(rest, carry, count)
            t_after = [t for t, is_smooth in zip(t_after, smooth, strict=True) if is_smooth]
            return [*after, *t_after, *made, *t_made]

        return derived.traced_graph(function, [*states, *moving, *given, *t_rows, *held, *t_held])

    return derived.derived(body, ("scan forward", carry, rows, smooth, of_rows, of_held), make)


def _batch(prim, size, batched, inputs, params):
    carry, rows, body = params["carry"], params["rows"], params["body"]
    state, given, held = _split(inputs, carry, rows)
    _, of_rows, of_held = _split(batched, carry, rows)
    state = [
        x if is_batched else ops.broadcast_to(x, (size, *x.shape))
        for x, is_batched in zip(state, batched, strict=False)
    ]
    given = [
        ops.moveaxis(x, 1, 0) if is_batched else x
        for x, is_batched in zip(given, of_rows, strict=True)
    ]
    step = derived.batched(body, (*[True] * carry, *of_rows, *of_held), size)
    found = bind(SCAN, (*state, *given, *held), {**params, "body": step})
    return (*found[:carry], *[ops.moveaxis(y, 0, 1) for y in found[carry:]])


SCAN = derived.graph_primitive(
    "scan", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


def traced_scan(
    trace: Trace,
    step: Callable[[list, list], tuple[list, list]],
    state: list[Tensor],
    given: list[Tensor],
    length: int,
    reverse: bool = False,
) -> tuple[list, list] | None:
    """The last carry and the stacked results; None where the loop has to be written out.

    That is so where the body writes to variables, draws random numbers, or changes a shape.
    """
    part = Trace(get_state().depth + 1, outer=trace, repeats=True, may_repeat=True)
    try:
        with traced_by(part):
            carried = [part.input(x._spec()) for x in state]
            rows = [part.input(Spec(tuple(x.shape)[1:], x._spec().dtype)) for x in given]
            after, made = step(carried, rows)
            outputs = tuple([part.value_of(x) for x in (*after, *made)])
    except CannotRepeat:
        return None
    finally:
        part.active = False
    specs = [value.spec for value in outputs[: len(state)]]
    if part.written or specs != [x._spec() for x in state]:
        return None
    body = Graph(tuple(part.inputs), part.nodes, outputs)
    found = _scan(body, state, given, part.captured, length, reverse)
    count = len(state)
    return list(found[:count]), list(found[count : len(outputs)])
