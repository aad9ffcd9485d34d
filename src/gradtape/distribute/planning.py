"""What a training step costs, on paper: memory, arithmetic and traffic, from its traced graph.

The graph is read as XLA compiles it. *Products* (matrix products, convolutions, attention) are
programs of their own: their operands and results lie in memory. Cheap ops (elementwise ones, casts,
slices) are computed together with whoever uses their results, again for each of them; reductions
and softmax take such results in, too, and write their own. So a value takes memory if an op that is
not cheap made it, or if a product needs it; what the way back needs of another value is computed
again, from values that lie in memory.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from gradtape.core import nest, scope
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec
from gradtape.distribute.flops import flops, is_product
from gradtape.engine import tape as tapes
from gradtape.engine.trace.eagerly import inlined
from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.passes import for_execution
from gradtape.engine.trace.passes.attention import FUSED, FUSED_PULL, with_fused_attention
from gradtape.engine.trace.results import flattened
from gradtape.engine.trace.routine import Routine, traced

# Ops that only say how an array is to be read.
VIEWS = frozenset({"reshape", "transpose", "identity", "stop_gradient", "bitcast"})
_CHAPTERS = ("elementwise", "gelu", "rounding", "bits", "complexes", "special", "creation")
CHEAP = frozenset(
    {"broadcast_to", "concat", "split", "stack", "unstack", "slice", "put_slice", "laid_out"}
    | {name for c in _CHAPTERS for name in import_module(f"gradtape.backends.numpy.{c}").KERNELS}
)
# Ops that are made from what cheap ops give without its being written first.
FUSING = frozenset(
    "log_softmax softmax softmax_cross_entropy softmax_grad sparse_softmax_cross_entropy moments "
    "sparse_softmax_cross_entropy_grad layer_normalize layer_normalize_grad rescale rescale_grad "
    "argmax argmin reduce_all reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max "
    "reduce_mean reduce_min reduce_prod reduce_sum tie_shares".split()
)


def size_of(spec: Spec) -> int:
    """The bytes of a value."""
    return math.prod(spec.shape) * spec.dtype.itemsize


# --- tracing -------------------------------------------------------------------------------------


@dataclass
class Step:
    """A traced training step: its graph as it runs, and which variables it reads and writes."""

    graph: Graph
    routine: Routine
    backward: frozenset[int]  # ids of values that a tape's gradient has made

    @cached_property
    def parameters(self) -> list:
        """The variables that are trained."""
        return [v for v in self.routine.variables if v.trainable and v in _Among(self.written)]

    @property
    def written(self) -> list:
        return self.routine.written

    @cached_property
    def state(self) -> list:
        """Other variables: of the optimizer, of normalisations, counters."""
        among = _Among(self.parameters)
        return [v for v in self.routine.variables if v not in among]


class _Among:
    """Whether a variable is in a list: by identity, as variables compare by value."""

    def __init__(self, variables: list) -> None:
        self._ids = {id(v) for v in variables}

    def __contains__(self, variable: object) -> bool:
        return id(variable) in self._ids


def traced_step(function: Callable, batch: tuple, fused_attention: bool = True) -> Step:
    """A step traced for a batch of specs (in any structure)."""
    leaves = nest.flatten(batch)
    backward: list[Value] = []

    def body(tensors: list):
        arguments = nest.pack_sequence_as(batch, tensors)
        token = inlined.set(True)
        try:
            return flattened(function(*arguments), import_module("gradtape.ops").to_tensor)
        finally:
            inlined.reset(token)

    made: list = []
    with _gradients_noted(backward), scope.observed(made.append):
        routine, _ = traced(body, leaves)
        if made:  # variables that exist from now on
            backward.clear()
            routine, _ = traced(body, leaves)
    graph = for_execution(routine.graph)
    if fused_attention:
        graph = with_fused_attention(graph)
    return Step(graph, routine, frozenset(map(id, backward)))


@contextlib.contextmanager
def _gradients_noted(found: list[Value]) -> Iterator[None]:
    """In the block, what tapes' gradients are made of is noted."""
    known = tapes.GradientTape.gradient

    def gradient(self, *args, **kwargs):
        trace: Any = get_state().trace
        start = len(trace.nodes) if trace is not None else 0
        try:
            return known(self, *args, **kwargs)
        finally:
            if trace is not None:
                found.extend(value for node in trace.nodes[start:] for value in node.outputs)

    tapes.GradientTape.gradient = gradient  # type: ignore[method-assign]
    try:
        yield
    finally:
        tapes.GradientTape.gradient = known  # type: ignore[method-assign]


# --- reading a graph -----------------------------------------------------------------------------


class Flow:
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
        """The value whose array a view reads."""
        while (node := self.maker(value)) is not None and node.prim.name in VIEWS:
            value = node.inputs[0]
        return value

    def is_given(self, value: Value) -> bool:
        """Whether a value is an input or a constant."""
        return value.constant is not None or id(value) in self._given

    def is_function(self, value: Value) -> bool:
        """Whether a value is no tensor, but the function by which attention goes back."""
        node = self.maker(value)
        return node is not None and node.prim is FUSED and value is node.outputs[1]

    def _needed_in_memory(self) -> set[int]:
        found = {id(self.root(value)) for value in self.graph.outputs}
        for node in self.graph.nodes:
            if node.prim.name not in CHEAP | VIEWS | FUSING:
                found.update(id(self.root(value)) for value in node.inputs)
        return found

    def lies_in_memory(self, value: Value) -> bool:
        node = self.maker(value)
        if node is None:
            return True
        return node.prim.name not in CHEAP or id(value) in self._needed

    def sources(self, value: Value) -> dict[int, Value]:
        """The values in memory that a value is read from, or computed again from, by id."""
        found: dict[int, Value] = {}
        pending, seen = [self.root(value)], set()
        while pending:
            each = pending.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            node = self.maker(each)
            if node is None or self.lies_in_memory(each):
                found[id(each)] = each
            else:
                pending += [self.root(x) for x in node.inputs]
        return found

    def read_by(self, node: Node) -> dict[int, Value]:
        """The values in memory that an op reads."""
        found: dict[int, Value] = {}
        for value in node.inputs:
            found |= self.sources(value)
        if node.prim is FUSED_PULL and (forward := self.maker(node.inputs[0])) is not None:
            found |= self.read_by(forward)  # what the reverse of attention goes back to
        return found

    def programs(self) -> Iterator[tuple[int, Node, dict[int, Value], list[Value]]]:
        """(position, op, what it reads, what it writes) of the ops that write to memory."""
        for position, node in enumerate(self.graph.nodes):
            if node.prim.name in VIEWS:
                continue
            written = [y for y in node.outputs if self.lies_in_memory(y)]
            if written:
                yield position, node, self.read_by(node), written

    def made_from(self, inputs) -> set[int]:
        """The ids of all values that depend on one of some inputs."""
        found = {id(value) for value in inputs}
        for node in self.graph.nodes:
            if any(id(value) in found for value in node.inputs):
                found.update(map(id, node.outputs))
        return found

    def peak(self) -> int:
        """The most bytes in memory at once, besides inputs, and outputs that replace them."""
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
                changes[position] += size_of(value.spec)
                changes[last[key] + 1] -= size_of(value.spec)
        most = now = 0
        for change in changes:
            now += change
            most = max(most, now)
        return most


# --- what it costs -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """A step on one device. Bytes, but for `products`: (operations, bytes) of each product."""

    parameters: int
    gradients: int
    state: int
    activations: int  # what the way back needs of the way there
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
        """The time of a step: each program takes as long as its arithmetic or its traffic."""
        busy = sum(max(f / rate, b / memory_bandwidth) for f, b in self.products)
        return busy + (self.traffic + self.update) / memory_bandwidth


def costs(step: Step) -> Costs:
    """What a traced step costs on one device."""
    flow = Flow(step.graph)
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
    kept = _kept(step, flow)
    return Costs(
        parameters=sum(map(_variable_bytes, step.parameters)),
        gradients=sum(map(_variable_bytes, step.parameters)),
        state=sum(map(_variable_bytes, step.state)),
        activations=_bytes(kept),
        copies=_bytes(value for value in kept if id(value) not in of_batch),
        peak=flow.peak(),
        batch=_bytes(step.graph.inputs[:arguments]),
        products=tuple(products),
        traffic=traffic,
        update=fixed + _bytes(update_reads.values()) + sum(map(_variable_bytes, step.written)),
        kept=tuple(kept),
    )


def _kept(step: Step, flow: Flow) -> list[Value]:
    """The values in memory that are made before the way back, and read on it."""
    starts = [
        position
        for position, node in enumerate(step.graph.nodes)
        if any(id(value) in step.backward for value in node.outputs)
    ]
    if not starts:
        return []
    begin = starts[0]
    before = {id(y) for node in step.graph.nodes[:begin] for y in node.outputs}
    found: dict[int, Value] = {}
    for position, _, read, _ in flow.programs():
        if position >= begin:
            found |= {key: value for key, value in read.items() if key in before}
    return [v for v in found.values() if not flow.is_given(v) and not flow.is_function(v)]


def _bytes(values) -> int:
    return sum(size_of(value.spec) for value in values)


def _variable_bytes(variable) -> int:
    return math.prod(variable.shape) * variable.dtype.size
