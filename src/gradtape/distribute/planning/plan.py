"""What a training step costs, on paper: memory, arithmetic and traffic, from its traced graph.

The graph is read as XLA compiles it. *Products* (matrix products, convolutions, attention) are
programs of their own: their operands and results lie in memory. Cheap ops (elementwise ones, casts,
slices) are fused into the ops that use their results, and computed again for each of them;
reductions and softmax take such results in, too, and write their own. So a value takes memory if an
op that is not cheap made it, or if a product needs it; what the backward pass needs of another
value is recomputed, from values that lie in memory.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gradtape.core import nest, scope
from gradtape.core.convert import to_tensor
from gradtape.core.state import call_with, get_state
from gradtape.distribute.planning.flops import flops, is_product
from gradtape.engine import tape as tapes
from gradtape.graph.apply import inlined
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.attention import FUSED_ATTENTION, FUSED_ATTENTION_VJP, fuse_attention
from gradtape.graph.results import flatten_result
from gradtape.graph.routine import Routine, trace_routine

# Families of ops that are fused into the ops that use their results.
CHEAP = frozenset({"elementwise", "movement"})
# Families of ops that read what cheap ops give without its being written first.
FUSING = CHEAP | {"view", "reduction"}


# --- tracing -------------------------------------------------------------------------------------


@dataclass
class TracedStep:
    """A traced training step: its graph as it runs, and which variables it reads and writes."""

    graph: Graph
    routine: Routine
    backward: frozenset[int]  # ids of values that a tape's gradient has made

    @cached_property
    def parameters(self) -> list:
        """The variables that are trained."""
        return [
            v for v in self.routine.variables if v.trainable and v in _VariableSet(self.written)
        ]

    @property
    def written(self) -> tuple:
        return self.routine.written

    @cached_property
    def state(self) -> list:
        """Other variables: of the optimizer, of normalizations, counters."""
        among = _VariableSet(self.parameters)
        return [v for v in self.routine.variables if v not in among]


class _VariableSet:
    """Whether a variable is in a list: by identity, as variables compare by value."""

    def __init__(self, variables: Iterable) -> None:
        self._ids = {id(v) for v in variables}

    def __contains__(self, variable: object) -> bool:
        return id(variable) in self._ids


def trace_step(function: Callable, batch: tuple, fused_attention: bool = True) -> TracedStep:
    """Return a step traced for a batch of specs (in any structure)."""
    leaves = nest.flatten(batch)
    backward: list[Value] = []

    def body(tensors: list):
        arguments = nest.pack_sequence_as(batch, tensors)
        return flatten_result(call_with(inlined, True, function, *arguments), to_tensor)

    made: list = []
    with _collect_gradient_values(backward), scope.observed(made.append):
        routine, _ = trace_routine(body, leaves)
        if made:  # variables that exist from now on
            backward.clear()
            routine, _ = trace_routine(body, leaves)
    graph = optimize_for_execution(routine.graph)
    if fused_attention:
        graph = fuse_attention(graph)
    return TracedStep(graph, routine, frozenset(map(id, backward)))


@contextlib.contextmanager
def _collect_gradient_values(backward: list[Value]) -> Generator[None, None, None]:
    """Collect the values that tapes' gradients compute in the block."""
    known = tapes.GradientTape.gradient

    def gradient(self, *args, **kwargs):
        trace: Any = get_state().trace
        start = len(trace.nodes) if trace is not None else 0
        try:
            return known(self, *args, **kwargs)
        finally:
            if trace is not None:
                backward.extend(value for node in trace.nodes[start:] for value in node.outputs)

    tapes.GradientTape.gradient = gradient
    try:
        yield
    finally:
        tapes.GradientTape.gradient = known


# --- reading a graph -----------------------------------------------------------------------------


class MemoryFlow:
    """Which values of a graph lie in memory, and for how long."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._makers = {id(y): node for node in graph.nodes for y in node.outputs}
        self._given = {id(value) for value in graph.inputs}
        self._needed = self._needed_in_memory()
        self._outputs = {id(self.root(value)) for value in graph.outputs}

    def maker(self, value: Value) -> Node | None:
        return self._makers.get(id(value))

    def root(self, value: Value) -> Value:
        """Return the value whose array a view reads."""
        while (node := self.maker(value)) is not None and node.prim.family == "view":
            value = node.inputs[0]
        return value

    def is_given(self, value: Value) -> bool:
        """Return whether a value is an input or a constant."""
        return value.constant is not None or id(value) in self._given

    def is_function(self, value: Value) -> bool:
        """Return whether a value is no tensor, but the backward function of a fused attention."""
        node = self.maker(value)
        return node is not None and node.prim is FUSED_ATTENTION and value is node.outputs[1]

    def _needed_in_memory(self) -> set[int]:
        needed = {id(self.root(value)) for value in self.graph.outputs}
        for node in self.graph.nodes:
            if node.prim.family not in FUSING:
                needed.update(id(self.root(value)) for value in node.inputs)
        return needed

    def lies_in_memory(self, value: Value) -> bool:
        node = self.maker(value)
        if node is None:
            return True
        return node.prim.family not in CHEAP or id(value) in self._needed

    def sources(self, value: Value) -> dict[int, Value]:
        """Return the values in memory that a value is read from, or computed again from, by id."""
        result: dict[int, Value] = {}
        pending, seen = [self.root(value)], set()
        while pending:
            each = pending.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            node = self.maker(each)
            if node is None or self.lies_in_memory(each):
                result[id(each)] = each
            else:
                pending += [self.root(x) for x in node.inputs]
        return result

    def read_by(self, node: Node) -> dict[int, Value]:
        """Return the values in memory that an op reads."""
        result: dict[int, Value] = {}
        for value in node.inputs:
            result |= self.sources(value)
        if node.prim is FUSED_ATTENTION_VJP and (forward := self.maker(node.inputs[0])) is not None:
            result |= self.read_by(forward)  # what the backward pass of attention reads
        return result

    def programs(self) -> Iterator[tuple[int, Node, dict[int, Value], list[Value]]]:
        """Yield (position, op, what it reads, what it writes) of the ops that write to memory."""
        for position, node in enumerate(self.graph.nodes):
            if node.prim.family == "view":
                continue
            written = [y for y in node.outputs if self.lies_in_memory(y)]
            if written:
                yield position, node, self.read_by(node), written

    def made_from(self, inputs) -> set[int]:
        """Return the ids of all values that depend on one of some inputs."""
        dependent = {id(value) for value in inputs}
        for node in self.graph.nodes:
            if any(id(value) in dependent for value in node.inputs):
                dependent.update(map(id, node.outputs))
        return dependent

    def peak(self) -> int:
        """Return the peak of bytes in memory, besides inputs, and outputs that replace them."""
        last: dict[int, int] = {}
        made: dict[int, tuple[int, Value]] = {}
        for position, _, read, written in self.programs():
            for key in read:
                last[key] = position
            for value in written:
                made[id(value)] = (position, value)
                last.setdefault(id(value), position)
        changes = [0] * (len(self.graph.nodes) + 1)
        for key, (position, value) in made.items():
            if key not in self._outputs:
                changes[position] += value.spec.nbytes
                changes[last[key] + 1] -= value.spec.nbytes
        highest = now = 0
        for change in changes:
            now += change
            highest = max(highest, now)
        return highest


# --- what it costs -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """A step on one device. Bytes, but for `products`: (operations, bytes) of each product."""

    parameters: int
    gradients: int
    state: int
    activations: int  # values of the forward pass that the backward pass needs
    copies: int  # the part of it that does not grow with the batch: parameters in another type
    peak: int  # of all values between, gradients included
    batch: int
    products: tuple[tuple[float, float], ...]
    traffic: float  # of ops that are no products, but for the next
    update: float  # of the update of variables, and of what does not come from the batch
    kept: tuple[Value, ...] = field(default=(), repr=False, compare=False)

    @property
    def flops(self) -> float:
        return sum(each for each, _ in self.products)

    @property
    def memory(self) -> int:
        return self.parameters + self.state + self.peak + self.batch

    def seconds(self, rate: float, memory_bandwidth: float) -> float:
        """Return the time of a step: each program takes as long as its arithmetic or its
        traffic."""
        busy = sum(max(f / rate, b / memory_bandwidth) for f, b in self.products)
        return busy + (self.traffic + self.update) / memory_bandwidth


def compute_costs(step: TracedStep) -> Costs:
    """Return what a traced step costs on one device."""
    flow = MemoryFlow(step.graph)
    count, arguments = step.routine.results, step.routine.arguments
    of_batch = flow.made_from(step.graph.inputs[:arguments])
    updates = {id(flow.root(value)) for value in step.graph.outputs[count:]}
    products, traffic, fixed = [], 0.0, 0.0
    update_reads: dict[int, Value] = {}
    for _, node, read, written in flow.programs():
        moved = _bytes(read.values()) + _bytes(written)
        operations = flops(node, flow.maker)
        if operations or is_product(node):
            products.append((operations, float(moved)))
        elif all(id(value) in updates for value in written):
            update_reads |= read
        elif all(id(value) not in of_batch for value in written):
            fixed += moved
        else:
            traffic += moved
    kept = _saved_activations(step, flow)
    return Costs(
        parameters=sum(map(variable_bytes, step.parameters)),
        gradients=sum(map(variable_bytes, step.parameters)),
        state=sum(map(variable_bytes, step.state)),
        activations=_bytes(kept),
        copies=_bytes(value for value in kept if id(value) not in of_batch),
        peak=flow.peak(),
        batch=_bytes(step.graph.inputs[:arguments]),
        products=tuple(products),
        traffic=traffic,
        update=fixed + _bytes(update_reads.values()) + sum(map(variable_bytes, step.written)),
        kept=tuple(kept),
    )


def _saved_activations(step: TracedStep, flow: MemoryFlow) -> list[Value]:
    """Return the values in memory that the forward pass makes and the backward pass reads."""
    starts = [
        position
        for position, node in enumerate(step.graph.nodes)
        if any(id(value) in step.backward for value in node.outputs)
    ]
    if not starts:
        return []
    begin = starts[0]
    before = {id(y) for node in step.graph.nodes[:begin] for y in node.outputs}
    result: dict[int, Value] = {}
    for position, _, read, _ in flow.programs():
        if position >= begin:
            result |= {key: value for key, value in read.items() if key in before}
    return [v for v in result.values() if not flow.is_given(v) and not flow.is_function(v)]


def _bytes(values) -> int:
    return sum(value.spec.nbytes for value in values)


def variable_bytes(variable) -> int:
    """Return how many bytes the value of a variable takes."""
    return math.prod(variable.shape) * variable.dtype.size
