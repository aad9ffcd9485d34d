"""A function that runs in every replica at once: one op in the graph of the enclosing function.

The op is REPLICAS(xs): one graph, `body`, is applied on each device of a mesh. Inputs that are
`split` are stacks with a row for each replica; the others are replicated. Results that are
`stacked` have a row for each replica; the others are the same in all replicas, which `body`
ensures with the ops of `gradtape.ops.collectives`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph import derived
from gradtape.graph.control.branch import BRANCH
from gradtape.graph.control.loop import LOOP
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.obstacles import Retrace
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import replay
from gradtape.graph.tracing import Trace, TracedTensor, trace_into, use_state

_RANDOM_STATE = Spec((3,), np.dtype(np.int64))  # see gradtape.ops.random
# An odd number, so that no two replicas have the same key of random numbers.
_KEY_STRIDE = 0x1E3779B97F4A7C15


class ReplicaTrace(Trace):
    """The trace of a function for one replica, which represents all of them."""

    is_replica = True

    def __init__(self, outer: Trace, count: int) -> None:
        super().__init__(get_state().depth + 1, outer=outer)
        self.count = count
        self._rows: dict[int, tuple[Tensor, Value]] = {}  # by id of the outer stack
        self._varying: set[int] = set()  # ids of values that may differ between replicas
        self._indices = Tensor(np.arange(count, dtype=np.int32))

    def row(self, stack: Any) -> TracedTensor:
        """Return this replica's row of a stack."""
        key = id(stack._value) if type(stack) is TracedTensor else id(stack)
        known = self._rows.get(key)
        if known is None:
            spec = stack._spec()
            value = self.input(Spec(tuple(spec.shape)[1:], spec.dtype))._value
            self._varying.add(id(value))
            known = self._rows[key] = (stack, value)
        return TracedTensor(known[1], self)

    def replica_index(self) -> TracedTensor:
        """Return the index of this replica."""
        return self.row(self._indices)

    def process(self, prim, inputs: tuple, params: dict):
        before = len(self.nodes)
        outputs = super().process(prim, inputs, params)
        for node in self.nodes[before:]:
            mark_varying(node, self._varying)
        return outputs

    def varies(self, x: Tensor) -> bool:
        """Return whether a tensor may differ between replicas."""
        if x._has_value:
            return False
        return (
            type(x) is not TracedTensor
            or x._interpreter is not self
            or (id(x._value) in self._varying)
        )

    def read(self, variable, marks=None) -> Tensor:
        known = self._current.get(id(variable))
        if known is None:
            with use_state(self._enclosing_state):
                outer = variable._full_value()
            inner = self.row(outer)._value if variable._is_stacked else self.value_of(outer)
            known = self._current[id(variable)] = (variable, inner)
        return TracedTensor(known[1], self, marks)

    def reduce_update(self, delta: Tensor) -> Tensor:
        return ops.all_reduce([delta], self.count)[0]

    def initial_value(self, tensor: Any) -> Tensor:
        """Compute the initial value of a new variable: that of the first replica."""
        if type(tensor) is not TracedTensor or tensor._interpreter is not self:
            return tensor
        assert self.outer is not None
        graph = eliminate_dead_code(self.graph((tensor._value,)))
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
            unused = Tensor(np.float32(0))  # for inputs that the value does not depend on
            return replay(graph, [known.get(id(value), unused) for value in graph.inputs])[0]

    def feed(self, make: Any, spec: Spec) -> TracedTensor:
        """Add an input; random numbers are drawn with a different key in each replica."""
        assert self.outer is not None
        state = TracedTensor(self._capture(self.outer.feed(make, spec)), self)
        if spec != _RANDOM_STATE:
            return state
        key = ops.cast(self.replica_index(), "int64") * np.int64(_KEY_STRIDE)
        shifted: Any = state + ops.stack([np.int64(0), np.int64(0), key])  # traced, too
        return shifted

    def sequence(self, seed, make: Callable) -> Any:
        assert self.outer is not None
        return self.outer.sequence(seed, make)

    def arguments(self) -> tuple[list, tuple[bool, ...]]:
        """Return the outer tensors that are inputs of the graph, and which of them are stacks."""
        outer = {id(value): (x, False) for x, value in self._captured.values()}
        outer |= {id(value): (x, True) for x, value in self._rows.values()}
        pairs = [outer[id(value)] for value in self.inputs]
        return [x for x, _ in pairs], tuple([is_row for _, is_row in pairs])


def mark_varying(node: Node, varying: set[int]) -> None:
    """Add the ids of an op's results that may differ between replicas."""
    if node.prim.family == "collective":
        return
    which = [id(value) in varying for value in node.inputs]
    if not any(which):
        return
    _check_collectives(node, which)
    results = [True] * len(node.outputs)
    if node.prim is BRANCH and not which[0]:
        # All replicas take the same branch: a result differs if it does in one of the branches.
        graphs = node.params["graphs"]
        each = [_varying_outputs(graph, which[1:]) for graph in graphs]
        results = [any(column) for column in zip(*each, strict=True)]
    for value, differs in zip(node.outputs, results, strict=True):
        if differs:
            varying.add(id(value))


def _check_collectives(node: Node, which: list[bool]) -> None:
    """Raise where only some replicas may run a collective: they would wait forever."""
    if node.prim is BRANCH:
        parts, differs = node.params["graphs"], which[0]
    elif node.prim is LOOP:
        parts = (node.params["condition"], node.params["body"])
        differs = _varying_outputs(parts[0], which)[0]
    else:
        return
    if differs and any(map(_has_collectives, parts)):
        raise ValueError(
            "strategy.run: the replicas may take different branches of a condition, or go round a "
            "loop differently often, and exchange values inside of it: some would wait for others "
            "that never come. Decide by a value that all replicas have (from all_reduce), or "
            "exchange outside."
        )


def _has_collectives(graph: Graph) -> bool:
    return any(
        node.prim.family == "collective"
        or any(
            _has_collectives(inner)
            for parameter in node.params.values()
            for inner in (parameter if isinstance(parameter, tuple) else (parameter,))
            if isinstance(inner, Graph)
        )
        for node in graph.nodes
    )


def _varying_outputs(graph: Graph, which: list[bool]) -> list[bool]:
    varying = {id(value) for value, differs in zip(graph.inputs, which, strict=True) if differs}
    for node in graph.nodes:
        mark_varying(node, varying)
    return [id(value) in varying for value in graph.outputs]


def current_replica() -> Any:
    """Return the trace of the replica whose function is being traced, or None."""
    trace = get_state().trace
    while trace is not None and not trace.is_replica:
        trace = trace.outer
    return trace


def trace_replicas(outer: Trace, mesh: Any, count: int, function: Callable) -> tuple[list, Any]:
    """Trace a function that runs in every replica, as one op of the outer trace.

    `function` takes the trace of the replica and returns (list of tensors, anything else). Returned
    are the stacked tensors, and the rest. Variables that it assigns to are written in `outer`.
    """
    part = ReplicaTrace(outer, count)
    try:
        with trace_into(part):
            results, rest = function(part)
            outputs = [part.value_of(x) for x in results]
            written = list(part.written.values())
            finals = [part.current_value(variable) for variable in written]
    finally:
        part.active = False
    differing = [
        v
        for v, x in zip(written, finals, strict=True)
        if not v._is_stacked and id(x) in part._varying
    ]
    if differing:
        for variable in differing:
            variable._spread()
        raise Retrace
    inputs, split = part.arguments()
    params = {
        "body": Graph(tuple(part.inputs), part.nodes, (*outputs, *finals)),
        "split": split,
        "stacked": (*[True] * len(outputs), *[v._is_stacked for v in written]),
        "mesh": mesh,
        "count": count,
    }
    if any(type(x) is TracedTensor for x in inputs):
        stacks = bind(REPLICAS, tuple(inputs), params)
    else:  # all inputs have values, but bind would run the op here instead of on the mesh
        stacks = outer.process(REPLICAS, tuple(inputs), params)
    for variable, value in zip(written, stacks[len(outputs) :], strict=True):
        outer.write(variable, value)
    return list(stacks[: len(outputs)]), rest


# --- rules ---------------------------------------------------------------------------------------


def _kernel(*arrays, **params):
    raise NotImplementedError("replicas run on devices of XLA")


def _shape(*xs, body: Graph, split, stacked, mesh, count: int):
    return tuple(
        Spec((count, *value.spec.shape), value.spec.dtype) if is_stacked else value.spec
        for value, is_stacked in zip(body.outputs, stacked, strict=True)
    )


def _vjp(g, xs, body, split, stacked, mesh, count, needs_grad):
    rule = derived.vjp_graph(body, needs_grad)
    size = len(body.inputs)

    def function(tensors: list) -> list:
        # A result that is the same in all replicas counts once: each replica gets its share.
        cotangents = [
            x if is_stacked else x / count
            for x, is_stacked in zip(tensors[size:], stacked, strict=True)
        ]
        gradients = replay(rule, [*tensors[:size], *cotangents])
        own = [s for s, needed in zip(split, needs_grad, strict=True) if needed]
        shared = [x for x, is_own in zip(gradients, own, strict=True) if not is_own]
        sums = iter(ops.all_reduce(shared, count))
        return [x if is_own else next(sums) for x, is_own in zip(gradients, own, strict=True)]

    def make() -> Graph:
        return derived.trace_graph(function, [value.spec for value in rule.inputs])

    step = derived.cached_graph(body, ("replicas", needs_grad, split, stacked, count), make)
    params = {
        "body": step,
        "split": (*split, *stacked),
        "stacked": tuple([s for s, needed in zip(split, needs_grad, strict=True) if needed]),
        "mesh": mesh,
        "count": count,
    }
    return derived.expand_with_none(bind(REPLICAS, (*xs, *g), params), needs_grad)


def _jvp(tangents, xs, body, split, stacked, mesh, count):
    given = tuple([t is not None for t in tangents])
    params = {
        "body": derived.jvp_graph(body, given),
        "split": (*split, *[s for s, is_given in zip(split, given, strict=True) if is_given]),
        "stacked": (*stacked, *stacked),
        "mesh": mesh,
        "count": count,
    }
    present = [t for t in tangents if t is not None]
    return bind(REPLICAS, (*xs, *present), params)[len(stacked) :]


def _batch(prim, size, batched, inputs, params):
    split, stacked = params["split"], params["stacked"]
    stacks = [
        ops.moveaxis(x, 0, 1) if is_batched and is_split else x
        for x, is_batched, is_split in zip(inputs, batched, split, strict=True)
    ]
    body = derived.batched_graph(params["body"], batched, size)
    outputs = bind(REPLICAS, tuple(stacks), {**params, "body": body})
    return tuple(
        ops.moveaxis(y, 0, 1) if is_stacked else y
        for y, is_stacked in zip(outputs, stacked, strict=True)
    )


REPLICAS = derived.graph_primitive(
    "replicas", kernel=_kernel, shape=_shape, batch=_batch, vjp=_vjp, jvp=_jvp
)


def meshes_in(graph: Graph) -> set:
    """Return the meshes that REPLICAS ops in a graph, or in the graphs inside it, run on."""
    meshes = set()
    for node in graph.nodes:
        if node.prim is REPLICAS:
            meshes.add(node.params["mesh"])
            continue
        for parameter in node.params.values():
            for inner in parameter if isinstance(parameter, tuple) else (parameter,):
                if isinstance(inner, Graph):
                    meshes |= meshes_in(inner)
    return meshes
