"""A training step laid out over many devices: memory, bytes moved and time of each, on paper.

`data` devices hold the same parameters and divide the batch; their gradients are summed once a
step. `model` devices divide the parameters: of two products in a row, the first divides its
parameter by columns and so its result; the second divides it by rows, and the sum of its parts goes
to all (and, in the backward pass, so does the cotangent of the first one's input). That is what
`keras.distribution`'s ModelParallel does with a layout map made so. A sum over n devices moves
2 (n − 1) / n of its bytes through each of them, as a ring does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gradtape.distribute.planning.flops import flops, is_product
from gradtape.distribute.planning.plan import (
    FUSING,
    Costs,
    MemoryFlow,
    TracedStep,
    variable_bytes,
)
from gradtape.graph.graph import Node, Value


@dataclass(frozen=True)
class Machine:
    """What a device can do in a second: operations, bytes from its memory, bytes to others.

    `memory` is how many bytes it has.
    """

    flops: float
    memory_bandwidth: float
    bandwidth: float
    memory: float = math.inf


@dataclass(frozen=True)
class Layout:
    """How many devices divide the batch, and how many of each such group the parameters."""

    data: int
    model: int

    @property
    def name(self) -> str:
        if self.model == 1:
            return f"data {self.data}"
        return f"model {self.model}" if self.data == 1 else f"data {self.data} × model {self.model}"


@dataclass(frozen=True)
class Prediction:
    """One device of a layout."""

    layout: Layout
    rows: int  # of the batch, on each device
    parameters: float
    gradients: float
    state: float
    activations: float
    memory: float
    moved: float
    computing: float
    exchanging: float

    @property
    def seconds(self) -> float:
        """The time of a step without overlap of computation and communication."""
        return self.computing + self.exchanging


# --- what can be divided -------------------------------------------------------------------------


@dataclass(frozen=True)
class Division:
    """What becomes of a step whose parameters are divided by a number of devices."""

    parameters: float  # the part of the parameters' bytes that is divided
    products: float  # the part of the operations that is divided
    activations: float  # the part of the kept bytes that is divided
    summed: float  # bytes of values that are summed over the devices, forward and backward


def divide_products(step: TracedStep, costs: Costs, count: int) -> Division:
    """Follow the products of the forward pass, and see what they make of their inputs."""
    flow = MemoryFlow(step.graph)
    start = step.routine.arguments
    variables = dict(zip(map(id, step.graph.inputs[start:]), step.routine.variables, strict=False))
    trained = {id(v) for v in step.parameters}
    is_divided: set[int] = set()  # parameters and values, by id
    summed_inputs: dict[int, int] = {}
    summed = 0.0
    operations = part = 0.0
    for node in _forward(step):
        own = [_parameter(flow, x, variables, trained) for x in node.inputs]
        gets = [id(flow.root(x)) in is_divided for x in node.inputs]
        result = node.outputs[0]
        if not is_product(node):
            if any(gets) and node.prim.family in FUSING:
                is_divided.update(map(id, node.outputs))
                is_divided.update(id(flow.root(y)) for y in node.outputs)
            continue
        amount = flops(node, flow.maker)
        operations += amount
        parameter = next((p for p in own if p is not None), None)
        if parameter is None:
            # A product of two values of the batch, such as attention's, head by head.
            if any(gets):
                part += amount
                is_divided.update(map(id, node.outputs))
            continue
        if not _can_be_divided(variables[parameter], count):
            continue
        is_divided.add(parameter)
        part += amount
        other = next((x for x, p in zip(node.inputs, own, strict=True) if p is None), None)
        if other is not None and id(flow.root(other)) in is_divided:
            summed += result.spec.nbytes
        else:
            is_divided.update(map(id, node.outputs))
            if other is not None and not flow.is_given(flow.root(other)):
                summed_inputs[id(flow.root(other))] = other.spec.nbytes
    of_batch = flow.made_from(step.graph.inputs[:start])
    values = [x for x in costs.kept if id(x) in of_batch]
    whole = sum(x.spec.nbytes for x in values) or 1
    kept = sum(x.spec.nbytes for x in values if id(x) in is_divided)
    weights = sum(variable_bytes(variables[p]) for p in is_divided if p in variables)
    return Division(
        weights / (costs.parameters or 1),
        part / (operations or 1),
        kept / whole,
        summed + sum(summed_inputs.values()),
    )


def _forward(step: TracedStep) -> list[Node]:
    """Return the ops of the forward pass."""
    nodes = []
    for node in step.graph.nodes:
        if any(id(value) in step.backward for value in node.outputs):
            break
        nodes.append(node)
    return nodes


def _parameter(flow: MemoryFlow, value: Value, variables: dict, trained: set[int]) -> int | None:
    """Return the parameter that a value is, as it is or cast or turned."""
    while True:
        value = flow.root(value)
        if id(value) in variables:
            return id(value) if id(variables[id(value)]) in trained else None
        node = flow.maker(value)
        if node is None or node.prim.name != "cast":
            return None
        value = node.inputs[0]


def _can_be_divided(variable, count: int) -> bool:
    shape = tuple(variable.shape)
    return len(shape) >= 2 and any(n % count == 0 for n in shape[-2:])


_ANY_NUMBER = 2**40  # of rows: no batch is so large


# --- predictions ---------------------------------------------------------------------------------


def layouts_of(devices: int) -> list[Layout]:
    """Return the layouts to compare: all data, all model, and powers of two between."""
    layouts = [Layout(devices, 1)]
    model = 2
    while model <= devices:
        if devices % model == 0:
            layouts.append(Layout(devices // model, model))
        model *= 2
    return layouts


def predict(
    step: TracedStep, costs: Costs, layout: Layout, machine: Machine, rows: int, batch: int
) -> Prediction:
    """Predict the costs of one device of a layout.

    `rows` were traced; `batch` rows are divided over the groups.
    """
    division = _divide(step, costs, layout)
    return _predict(costs, layout, division, machine, rows, math.ceil(batch / layout.data))


def most_rows(
    step: TracedStep, costs: Costs, layout: Layout, machine: Machine, rows: int
) -> int | None:
    """Return how many rows of the batch fit into the memory of a device; None if any number does.

    `rows` were traced.
    """
    division = _divide(step, costs, layout)

    def fits(count: int) -> bool:
        needed = _predict(costs, layout, division, machine, rows, count).memory
        return needed <= machine.memory

    too_many = 1
    while fits(too_many):
        too_many *= 2
        if too_many > _ANY_NUMBER:
            return None
    most = too_many // 2
    while too_many - most > 1:
        middle = (most + too_many) // 2
        if fits(middle):
            most = middle
        else:
            too_many = middle
    return most


def _divide(step: TracedStep, costs: Costs, layout: Layout) -> Division:
    if layout.model == 1:
        return Division(0, 0, 0, 0)
    return divide_products(step, costs, layout.model)


def _predict(
    costs: Costs, layout: Layout, division: Division, machine: Machine, rows: int, own_rows: int
) -> Prediction:
    scale = own_rows / rows

    def left(part: float) -> float:
        """Return the share that remains on a device when a part of the whole is divided."""
        return 1 - part + part / layout.model

    parameters = costs.parameters * left(division.parameters)
    gradients = costs.gradients * left(division.parameters)
    state = costs.state * left(division.parameters)
    of_batch = costs.activations - costs.copies
    activations = of_batch * scale * left(division.activations)
    activations += costs.copies * left(division.parameters)
    # The peak holds activations and what gradients are there by then.
    beyond = max(0, costs.peak - costs.activations)
    workspace = beyond * max(scale * left(division.activations), left(division.parameters))
    computing = sum(
        max(f / machine.flops, b / machine.memory_bandwidth)
        for f, b in (
            (f * scale * left(division.products), b * scale * left(division.activations))
            for f, b in costs.products
        )
    )
    computing += costs.traffic * scale * left(division.activations) / machine.memory_bandwidth
    computing += costs.update * left(division.parameters) / machine.memory_bandwidth
    moved = _ring(layout.data) * gradients + _ring(layout.model) * division.summed * scale
    return Prediction(
        layout=layout,
        rows=own_rows,
        parameters=parameters,
        gradients=gradients,
        state=state,
        activations=activations,
        memory=parameters + state + activations + max(gradients, workspace) + costs.batch * scale,
        moved=moved,
        computing=computing,
        exchanging=moved / machine.bandwidth,
    )


def _ring(count: int) -> float:
    """Return how often the bytes of a sum over some devices pass through each of them."""
    return 2 * (count - 1) / count
