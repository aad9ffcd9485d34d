"""A function that runs in every replica at once: one op in the graph of the function around it.

The op is REPLICAS(xs): one graph, `body`, is applied on each device of a mesh. Inputs that are
`split` are stacks with a row for each replica; the others are the same for all. Results that are
`stacked` have a row for each replica; the others are the same in all, which `body` sees to by the
ops of `gradtape.ops.collectives`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.trace import derived
from gradtape.engine.trace.apply import is_concrete
from gradtape.engine.trace.branch import BRANCH
from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.loop import LOOP
from gradtape.engine.trace.passes.dead_code import without_dead_code
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import (
    Trace,
    TraceAgain,
    TracedTensor,
    restored,
    traced_by,
)

_COLLECTIVES = ("all_reduce", "all_gather")
_RANDOM_STATE = Spec((3,), np.dtype(np.int64))  # see gradtape.ops.random
# An odd number, so that no two replicas have the same key of random numbers.
_DISTANCE = 0x1E3779B97F4A7C15


class ReplicaTrace(Trace):
    """The trace of a function for one replica, which stands for all of them."""

    is_replica = True

    def __init__(self, outer: Trace, count: int) -> None:
        super().__init__(get_state().depth + 1, outer=outer)
        self.count = count
        self._rows: dict[int, tuple[Tensor, Value]] = {}  # by id of the stack outside
        self._varying: set[int] = set()  # ids of values that replicas may have different ones of
        self._number = Tensor(np.arange(count, dtype=np.int32))

    def row(self, stack: Any) -> TracedTensor:
        """This replica's row of a stack."""
        key = id(stack._value) if type(stack) is TracedTensor else id(stack)
        known = self._rows.get(key)
        if known is None:
            spec = stack._spec()
            value = self.input(Spec(tuple(spec.shape)[1:], spec.dtype))._value
            self._varying.add(id(value))
            known = self._rows[key] = (stack, value)
        return TracedTensor(known[1], self)

    def number(self) -> TracedTensor:
        """Which replica this is."""
        return self.row(self._number)

    def process(self, prim, inputs: tuple, params: dict):
        before = len(self.nodes)
        found = super().process(prim, inputs, params)
        for node in self.nodes[before:]:
            note_varying(node, self._varying)
        return found

    def varies(self, x: Tensor) -> bool:
        """Whether a tensor may have another value in another replica."""
        if is_concrete(x):
            return False
        return (
            type(x) is not TracedTensor
            or x._interpreter is not self
            or (id(x._value) in self._varying)
        )

    def read(self, variable, marks=None) -> Tensor:
        known = self._current.get(id(variable))
        if known is None:
            with restored(self._around):
                outside = variable._whole()
            inside = self.row(outside)._value if variable._is_stacked else self.value_of(outside)
            known = self._current[id(variable)] = (variable, inside)
        return TracedTensor(known[1], self, marks)

    def added(self, delta: Tensor) -> Tensor:
        return ops.all_reduce([delta], self.count)[0]

    def initial_value(self, tensor: Any) -> Tensor:
        """The value of a new variable: the one that it has in the first replica."""
        if type(tensor) is not TracedTensor or tensor._interpreter is not self:
            return tensor
        assert self.outer is not None
        graph = without_dead_code(self.graph((tensor._value,)))
        used = {id(value) for value in graph.used()}
        known = {
            id(value): self.outer.initial_value(x)
            for x, value in self._captured.values()
            if id(value) in used
        }
        with lifted():
            for x, value in self._rows.values():
                if id(value) in used:
                    known[id(value)] = self.outer.initial_value(x)[0]
            nothing = Tensor(0)  # for the inputs that lead nowhere
            return replay(graph, [known.get(id(value), nothing) for value in graph.inputs])[0]

    def feed(self, make: Any, spec: Spec) -> TracedTensor:
        """Random numbers are drawn by each replica for itself: with a key of its own."""
        assert self.outer is not None
        state = TracedTensor(self._capture(self.outer.feed(make, spec)), self)
        if spec != _RANDOM_STATE:
            return state
        key = ops.cast(self.number(), "int64") * np.int64(_DISTANCE)
        return state + ops.stack([np.int64(0), np.int64(0), key])

    def sequence(self, seed, make: Callable) -> Any:
        assert self.outer is not None
        return self.outer.sequence(seed, make)

    def arguments(self) -> tuple[list, tuple[bool, ...]]:
        """What the inputs of the graph are outside, and which of them are stacks."""
        outside = {id(value): (x, False) for x, value in self._captured.values()}
        outside |= {id(value): (x, True) for x, value in self._rows.values()}
        pairs = [outside[id(value)] for value in self.inputs]
        return [x for x, _ in pairs], tuple([is_row for _, is_row in pairs])


def note_varying(node: Node, varying: set[int]) -> None:
    """Add the ids of an op's results that replicas may have different ones of."""
    if node.prim.name in _COLLECTIVES:
        return
    which = [id(value) in varying for value in node.inputs]
    if not any(which):
        return
    _check_exchange(node, which)
    results = [True] * len(node.outputs)
    if node.prim is BRANCH and not which[0]:
        # All replicas take the same branch: a result differs if it does in one of the branches.
        graphs = node.params["graphs"]
        each = [_varying_outputs(graph, which[1:]) for graph in graphs]
        results = [any(column) for column in zip(*each, strict=True)]
    for value, differs in zip(node.outputs, results, strict=True):
        if differs:
            varying.add(id(value))


def _check_exchange(node: Node, which: list[bool]) -> None:
    """Raise where some replicas may exchange values, and others not: they would wait for ever."""
    if node.prim is BRANCH:
        parts, differs = node.params["graphs"], which[0]
    elif node.prim is LOOP:
        parts = (node.params["condition"], node.params["body"])
        differs = _varying_outputs(parts[0], which)[0]
    else:
        return
    if differs and any(map(_exchanges, parts)):
        raise ValueError(
            "strategy.run: the replicas may take different branches of a condition, or go round a "
            "loop differently often, and exchange values inside of it: some would wait for others "
            "that never come. Decide by a value that all replicas have (from all_reduce), or "
            "exchange outside."
        )


def _exchanges(graph: Graph) -> bool:
    return any(
        node.prim.name in _COLLECTIVES
        or any(
            _exchanges(inner)
            for parameter in node.params.values()
            for inner in (parameter if isinstance(parameter, tuple) else (parameter,))
            if isinstance(inner, Graph)
        )
        for node in graph.nodes
    )


def _varying_outputs(graph: Graph, which: list[bool]) -> list[bool]:
    varying = {id(value) for value, differs in zip(graph.inputs, which, strict=True) if differs}
    for node in graph.nodes:
        note_varying(node, varying)
    return [id(value) in varying for value in graph.outputs]


def current_replica() -> Any:
    """The replica whose function is being traced here, if one is."""
    trace = get_state().trace
    while trace is not None and not trace.is_replica:
        trace = trace.outer
    return trace


def traced_replicas(outer: Trace, mesh: Any, count: int, function: Callable) -> tuple[list, Any]:
    """The stacked results of a function that runs in every replica, and what else it gave.

    `function` takes the trace of the replica and gives a list of tensors, and anything else.
    Variables that it assigns to are assigned to.
    """
    part = ReplicaTrace(outer, count)
    try:
        with traced_by(part):
            results, rest = function(part)
            outputs = [part.value_of(x) for x in results]
            written = list(part.written.values())
            finals = [part.current_value(variable) for variable in written]
    finally:
        part.active = False
    differing = [
        v for v, x in zip(written, finals, strict=True) if not v._is_stacked
        and id(x) in part._varying
    ]  # fmt: skip
    if differing:
        for variable in differing:
            variable._spread()
        raise TraceAgain
    inputs, split = part.arguments()
    params = {
        "body": Graph(tuple(part.inputs), part.nodes, (*outputs, *finals)),
        "split": split,
        "stacked": (*[True] * len(outputs), *[v._is_stacked for v in written]),
        "mesh": mesh,
        "count": count,
    }
    if any(type(x) is TracedTensor for x in inputs):
        found = bind(REPLICAS, tuple(inputs), params)
    else:  # all is known now, but not on this device
        found = outer.process(REPLICAS, tuple(inputs), params)
    for variable, value in zip(written, found[len(outputs) :], strict=True):
        outer.write(variable, value)
    return list(found[: len(outputs)]), rest


# --- rules ---------------------------------------------------------------------------------------


def _kernel(*arrays, **params):
    raise NotImplementedError("replicas run on devices of XLA")


def _shape(*xs, body: Graph, split, stacked, mesh, count: int):
    return tuple(
        Spec((count, *value.spec.shape), value.spec.dtype) if is_stacked else value.spec
        for value, is_stacked in zip(body.outputs, stacked, strict=True)
    )


def _vjp(g, xs, body, split, stacked, mesh, count, wanted):
    rule = derived.reverse(body, wanted)
    size = len(body.inputs)

    def function(tensors: list) -> list:
        # A result that all replicas have is one: each accounts for its share of it.
        cotangents = [
            x if is_stacked else x / count
            for x, is_stacked in zip(tensors[size:], stacked, strict=True)
        ]
        found = replay(rule, [*tensors[:size], *cotangents])
        own = [s for s, want in zip(split, wanted, strict=True) if want]
        shared = [x for x, is_own in zip(found, own, strict=True) if not is_own]
        sums = iter(ops.all_reduce(shared, count))
        return [x if is_own else next(sums) for x, is_own in zip(found, own, strict=True)]

    def make() -> Graph:
        return derived.traced_graph(function, [value.spec for value in rule.inputs])

    step = derived.derived(body, ("replicas", wanted, split, stacked, count), make)
    params = {
        "body": step,
        "split": (*split, *stacked),
        "stacked": tuple([s for s, want in zip(split, wanted, strict=True) if want]),
        "mesh": mesh,
        "count": count,
    }
    return derived.placed(bind(REPLICAS, (*xs, *g), params), wanted)


def _jvp(tangents, xs, body, split, stacked, mesh, count):
    given = tuple([t is not None for t in tangents])
    params = {
        "body": derived.forward(body, given),
        "split": (*split, *[s for s, is_given in zip(split, given, strict=True) if is_given]),
        "stacked": (*stacked, *stacked),
        "mesh": mesh,
        "count": count,
    }
    moving = [t for t in tangents if t is not None]
    return bind(REPLICAS, (*xs, *moving), params)[len(stacked) :]


def _batch(prim, size, batched, inputs, params):
    split, stacked = params["split"], params["stacked"]
    stacks = [
        ops.moveaxis(x, 0, 1) if is_batched and is_split else x
        for x, is_batched, is_split in zip(inputs, batched, split, strict=True)
    ]
    body = derived.batched(params["body"], batched, size)
    found = bind(REPLICAS, tuple(stacks), {**params, "body": body})
    return tuple(
        ops.moveaxis(y, 0, 1) if is_stacked else y
        for y, is_stacked in zip(found, stacked, strict=True)
    )


REPLICAS = derived.graph_primitive(
    "replicas", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


def meshes_in(graph: Graph) -> set:
    """The meshes that functions of replicas in a graph, or in the graphs inside it, run on."""
    found = set()
    for node in graph.nodes:
        if node.prim is REPLICAS:
            found.add(node.params["mesh"])
            continue
        for parameter in node.params.values():
            for inner in parameter if isinstance(parameter, tuple) else (parameter,):
                if isinstance(inner, Graph):
                    found |= meshes_in(inner)
    return found
