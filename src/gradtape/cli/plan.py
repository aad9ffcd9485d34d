"""`gradtape plan`: what a training step would cost on many devices, before there are any."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gradtape import ops
from gradtape.cli.arguments import UsageError
from gradtape.cli.check import load
from gradtape.core import nest
from gradtape.core.brief import in_bytes
from gradtape.core.tensor import Spec
from gradtape.distribute.planning.layouts import (
    Layout,
    Machine,
    Prediction,
    layouts_of,
    most_rows,
    predict,
)
from gradtape.distribute.planning.plan import (
    Costs,
    TracedStep,
    compute_costs,
    trace_step,
)
from gradtape.engine.tape import GradientTape
from gradtape.engine.variable import Variable
from gradtape.explain.tables import in_seconds, table
from gradtape.graph.routine import CannotTrace

_CONVENTION = (
    "Give it a function `step` and an example `batch` (a tuple of its arguments), or a compiled "
    "Keras `model` and `batch = (x, y)`, or a `model` with `trainable_variables`, a function "
    "`loss(y, prediction)` and `batch = (x, y)`"
)


@dataclass(frozen=True)
class PlanOptions:
    """The options of the command."""

    file: str
    devices: int
    layouts: tuple[Layout, ...]
    batch: int | None
    machine: Machine


def plan(options: PlanOptions) -> int:
    """Print the plan of a file; return the exit code."""
    try:
        step, rows = trace_file(options.file)
        layouts = list(options.layouts) or layouts_of(options.devices)
        for layout in layouts:
            if layout.data * layout.model != options.devices:
                raise UsageError(
                    f"--layouts {layout.data}x{layout.model}: that is {layout.data * layout.model} "
                    f"devices, and --devices says {options.devices}."
                )
        batch = rows * options.devices if options.batch is None else options.batch
        if batch < max(layout.data for layout in layouts):
            raise UsageError(
                f"--batch {batch}: that is less than one row for each of "
                f"{max(layout.data for layout in layouts)} groups of devices."
            )
    except UsageError as error:
        print(f"gradtape plan: {error}", file=sys.stderr)
        return 2
    step_costs = compute_costs(step)
    machine = options.machine
    predictions = [predict(step, step_costs, each, machine, rows, batch) for each in layouts]
    most = None
    if machine.memory < math.inf:
        most = [most_rows(step, step_costs, each, machine, rows) for each in layouts]
    print(format_plan(options, step, step_costs, rows, batch, predictions, most))
    return 0


# --- the step of a file --------------------------------------------------------------------------


def trace_file(file: str) -> tuple[TracedStep, int]:
    """Trace the step of a file; return it and the number of rows of its example batch."""
    module = load(file)
    function, batch = _find_step(file, module)
    leaves = nest.flatten(batch)
    if not leaves:
        raise UsageError(f"{file}: `batch` is empty. {_CONVENTION}.")
    try:
        specs = [_spec(leaf) for leaf in leaves]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{file}: `batch` holds something that is not a tensor: {error}") from None
    rows = next((spec.shape[0] for spec in specs if spec.shape), 1)
    try:
        step = trace_step(function, nest.pack_sequence_as(batch, specs))
    except CannotTrace as reason:
        raise UsageError(
            f"{file}: the step cannot be traced: {reason.failure}. Take branches on tensor "
            "values out of it, as for tf.function."
        ) from None
    except Exception as error:  # of the user's step: raised again as a UsageError
        raise UsageError(
            f"{file}: the step fails on `batch`: {type(error).__name__}: {error}"
        ) from None
    if not step.parameters:
        raise UsageError(
            f"{file}: the step changes no trainable variable, so it trains nothing. Let it apply "
            "the gradients."
        )
    if not step.backward:
        raise UsageError(f"{file}: the step takes no gradient from a tf.GradientTape.")
    return step, rows


def _spec(leaf: Any) -> Spec:
    return leaf if isinstance(leaf, Spec) else ops.to_tensor(leaf)._spec()


def _find_step(file: str, module: ModuleType) -> tuple[Callable, tuple]:
    names = vars(module)
    if "batch" not in names:
        raise UsageError(f"{file} has no `batch`. {_CONVENTION}.")
    batch = names["batch"]
    if callable(names.get("step")):
        return names["step"], batch if isinstance(batch, tuple) else (batch,)
    model = names.get("model")
    if model is None:
        raise UsageError(f"{file} has no `step` and no `model`. {_CONVENTION}.")
    if not isinstance(batch, tuple) or len(batch) < 2:
        raise UsageError(f"{file}: with a `model`, `batch` is a pair (x, y). {_CONVENTION}.")
    if getattr(model, "compiled", False):
        return (lambda *data: model.train_step(data)), batch
    if callable(names.get("loss")) and hasattr(model, "trainable_variables"):
        return _adam_step(model, names["loss"]), batch
    raise UsageError(f"{file}: `model` is not compiled, and there is no `loss`. {_CONVENTION}.")


def _adam_step(model: Any, loss_of: Callable) -> Callable:
    """Return a training step of a model and a loss, with Adam's two values per parameter."""
    slots: list = []

    def step(x, y):
        with GradientTape() as tape:
            loss = loss_of(y, model(x))
        variables = list(model.trainable_variables)
        if not slots:
            slots.extend(
                [Variable(ops.zeros_like(v), trainable=False) for _ in range(2)] for v in variables
            )
        gradients = tape.gradient(loss, variables)
        for v, (m, s), g in zip(variables, slots, gradients, strict=True):
            if g is not None:
                g = ops.to_tensor(g)
                m.assign(0.9 * m + 0.1 * g)
                s.assign(0.999 * s + 0.001 * ops.square(g))
                v.assign_sub(1e-3 * m / (ops.sqrt(s) + 1e-7))
        return loss

    return step


# --- what is printed -----------------------------------------------------------------------------


def format_plan(
    options: PlanOptions,
    step: TracedStep,
    step_costs: Costs,
    rows: int,
    batch: int,
    plans: list[Prediction],
    most: list[int | None] | None,
) -> str:
    """Return the table. `most`, if memory is limited: how many rows fit, for each layout."""
    machine = options.machine
    count = sum(v.shape.num_elements() or 0 for v in step.parameters)
    head = (
        f"{options.file}: {len(step.graph.nodes)} ops, {count:,} parameters "
        f"({in_bytes(step_costs.parameters)}), {step_costs.flops / rows:.3g} operations a row of "
        "the batch.\n"
        f"A step on a batch of {batch}, with {machine.flops:.3g} operations/s, "
        f"{machine.memory_bandwidth:.3g} B/s of memory and {machine.bandwidth:.3g} B/s between "
        "devices:"
    )
    lines = [
        [
            plan.layout.name,
            str(plan.rows),
            *(
                in_bytes(int(n))
                for n in (
                    plan.parameters,
                    plan.gradients,
                    plan.state,
                    plan.activations,
                    plan.memory,
                    plan.moved,
                )
            ),
            in_seconds(plan.computing),
            in_seconds(plan.exchanging),
            in_seconds(plan.seconds),
        ]
        for plan in plans
    ]
    columns = [
        "layout",
        ">rows",
        ">parameters",
        ">gradients",
        ">optimizer",
        ">kept",
        ">memory",
        ">moved",
        ">compute",
        ">exchange",
        ">step",
    ]
    notes = (
        "Each row is of one device. kept: activations that the backward pass needs. memory: all of "
        "it at its peak.\nmoved: bytes that a device sends in a step. step: without overlap of "
        "compute and exchange."
    )
    if most is not None:
        columns.append(">most rows")
        for line, count in zip(lines, most, strict=True):
            line.append("any" if count is None else str(count))
        notes += f"\n{_of_memory(machine.memory, plans, most)}"
    return f"{head}\n\n{table('', columns, lines, notes).lstrip()}"


def _of_memory(memory: float, plans: list[Prediction], most: list[int | None]) -> str:
    """Return what is to be said about layouts that do not fit."""
    lines = [f"most rows: how many of the batch fit into the {in_bytes(int(memory))} of a device."]
    for plan, count in zip(plans, most, strict=True):
        if plan.memory <= memory:
            continue
        cure = "No batch fits there: divide the parameters over more devices."
        if count:
            fitting = count * plan.layout.data
            cure = f"There a batch of {fitting} fits; tf.recompute_grad keeps less."
        lines.append(
            f"{plan.layout.name} does not fit: {in_bytes(int(plan.memory))}, of which "
            f"{in_bytes(int(plan.activations))} are kept for the backward pass. {cure}"
        )
    return "\n".join(lines)
