"""`tape.find_nonfinite`: where the inf or nan in a result or in a gradient comes from."""

from __future__ import annotations

import dataclasses

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import from_numpy, is_differentiable
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import seed
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain import cures
from gradtape.explain.paths import RecordedOp, RecordingGraph
from gradtape.explain.replay import (
    BackwardOp,
    ReplayedValues,
    array_of,
    replay_backward,
    unrecorded,
)
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import text_html, wrap


@dataclasses.dataclass(frozen=True, repr=False)
class NonFiniteFinding:
    """The earliest op that made an inf or nan. Prints as text."""

    kind: str  # "value", "derivative", or "input" where a watched value is not finite itself
    op: str
    location: SourceLocation
    what: str
    cure: str
    inputs: tuple[str, ...] = ()
    trap: bool = False

    def __str__(self) -> str:
        opening = {
            "value": f"The value of `{self.op}` is not finite: {self.what}.",
            "derivative": f"The derivative of `{self.op}` is not finite: {self.what}.",
            "input": f"An input of `{self.op}` is not finite: {self.what}.",
        }[self.kind]
        lines = [opening, f"  {self.location.description}"]
        quoted = self.location.quote("      ")
        if quoted:
            lines.append(quoted)
        lines += [f"  {text}" for text in self.inputs]
        return "\n".join([*lines, *wrap(f"Cure: {self.cure}")])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the finding for notebooks."""
        return text_html(str(self), "bad")


def is_finite(x) -> bool:
    """Return whether all numbers of an array are finite; what cannot be inf is."""
    array = np.asarray(x)
    if array.dtype.kind not in "fcV":
        return True
    if array.dtype.kind == "V":  # bfloat16 and float8
        array = array.astype(np.float32)
    return bool(np.isfinite(array).all())


def has_nan(x) -> bool:
    """Return whether a number of an array is nan."""
    array = np.asarray(x)
    if array.dtype.kind not in "fcV":
        return False
    return bool(np.isnan(array.astype(np.float32) if array.dtype.kind == "V" else array).any())


def find_nonfinite(recording: Recording, targets: list, sources=None) -> NonFiniteFinding | None:
    """Run `GradientTape.find_nonfinite`."""
    tensors = [_tensor(t) for t in targets]
    graph = RecordingGraph(recording)
    values = ReplayedValues(graph, tensors)
    for target in tensors:
        if not is_finite(target._data):
            slot = recording.slot_of(target)
            if slot is None:
                raise ValueError(
                    "tape.find_nonfinite: the target is not finite, but it was not computed from "
                    "anything that this tape watches. tape.explain(target, sources) says why; "
                    "`with tf.debug_nonfinite():` finds the op without a tape."
                )
            return _trace_value(graph, values, slot)
    return _trace_derivative(graph, values, tensors, _source_slots(recording, sources))


def _tensor(target):
    target = as_variable(target)
    if isinstance(target, (Tensor, Variable)):
        return target
    if not ops.is_tensor_like(target):
        raise TypeError(
            f"tape.find_nonfinite: the target must be a tensor, got {target!r} of type "
            f"{type(target).__name__}."
        )
    return ops.to_tensor(target)


def _source_slots(recording: Recording, sources) -> set[int]:
    if sources is None:
        return {leaf[0] for leaf in recording.leaves.values()}
    slots = set()
    for i, source in enumerate(nest.flatten(sources)):
        variable = as_variable(source)
        if not isinstance(variable, (Tensor, Variable)):
            raise TypeError(
                f"tape.find_nonfinite: sources must be tensors or variables; source {i} is "
                f"{source!r} of type {type(source).__name__}."
            )
        slots.add(recording.slot_of(variable))
    return slots - {None}


# --- forward -------------------------------------------------------------------------------------


def _trace_value(graph: RecordingGraph, values: ReplayedValues, slot: int) -> NonFiniteFinding:
    """Follow values that are not finite back to where the first came from."""
    first: RecordedOp | None = None
    source: RecordedOp | None = None  # the op that was given a watched value that is not finite
    queue, seen = [graph.producers.get(slot)], set()
    for op in queue:
        if op is None or op.index in seen:
            continue
        seen.add(op.index)
        origins = _bad_inputs(op, values)
        queue += [graph.producers[s] for s in origins if s in graph.producers]
        if any(s not in graph.producers for s in origins) and (
            source is None or op.index < source.index
        ):
            source = op
        if not any(s in graph.producers for s in origins) and (
            first is None or op.index < first.index
        ):
            first = op
    if first is None:
        raise ValueError("tape.find_nonfinite: the target is a watched value that is not finite.")
    return _value_finding(first, values, first is source)


def _bad_inputs(op: RecordedOp, values: ReplayedValues) -> list[int]:
    """Return the recorded inputs that are not finite, those with nan alone if there are any.

    A value that the recording does not keep is suspected, if nothing else is to blame: neither
    another input, nor the op itself as one that makes nan of ordinary numbers.
    """
    known = [s for s in op.inputs if s >= 0 and s in values.known]
    bad = [s for s in known if not is_finite(values.known[s])]
    result = values.result(op)
    if result is not None and has_nan(result):
        with_nan = [s for s in bad if has_nan(values.known[s])]
        bad = with_nan if with_nan or op.name in cures.MASKED else bad
        if bad or op.name in cures.MASKED:
            return bad
    constants = [
        x for s, x in zip(op.inputs, values.inputs(op), strict=True) if s < 0 and x is not None
    ]
    if bad or op.name in cures.MAKERS or any(not is_finite(x) for x in constants):
        return bad
    return [s for s in op.inputs if s >= 0 and s not in values.known]


def _value_finding(op: RecordedOp, values: ReplayedValues, from_source: bool) -> NonFiniteFinding:
    inputs = values.inputs(op)
    if op.is_compiled:
        return _compiled_finding("value", op, inputs, values)
    given_bad = [x for x in inputs if x is not None and not is_finite(x)]
    if given_bad and (from_source or op.name not in cures.MASKED):
        nan = any(has_nan(x) for x in given_bad)
        what = f"it was given a value that is {'nan' if nan else 'inf'} already"
        kind, cure = "input", cures.for_input()
    else:
        kind = "value"
        what, cure = cures.what_happened(op.name, inputs, values.result(op), op.entry[5] or {})
        if any(x is None for x in inputs) and op.name in ("add", "subtract"):
            what = "the other operand, which the tape does not keep, is inf or nan"
            kind, cure = "input", cures.for_input()
    return NonFiniteFinding(
        kind, op.name, op.location, what, cure, _describe(op, inputs, values.result(op))
    )


def _compiled_finding(
    kind: str, op: RecordedOp, inputs: list, values: ReplayedValues
) -> NonFiniteFinding:
    what, cure = "an op inside a compiled function", cures.INSIDE_FUNCTION
    return NonFiniteFinding(
        kind, op.name, op.location, what, cure, _describe(op, inputs, values.result(op))
    )


# --- backward ------------------------------------------------------------------------------------


def _trace_derivative(
    graph: RecordingGraph, values: ReplayedValues, targets: list, sources: set
) -> NonFiniteFinding | None:
    recording = graph.recording
    seeds = []
    with unrecorded():
        for target in targets:
            slot = recording.slot_of(target)
            if slot is not None and is_differentiable(target._data.dtype):
                seeds.append((slot, seed(target)))
    failed: BackwardOp | None = None
    last: dict[int, list] = {}
    for step in replay_backward(graph, seeds, sources):
        bad = [s for s, g in step.input_cotangents if not is_finite(array_of(g))]
        if bad and failed is None and _finite(step.cotangent):
            failed = step
        for s, g in step.input_cotangents:
            if s in sources:
                last.setdefault(s, []).append(g)
    spoilt = any(not is_finite(array_of(g)) for given in last.values() for g in given)
    if failed is None or not spoilt:
        return None
    return _derivative_finding(graph, values, failed)


def _finite(cotangent) -> bool:
    several = cotangent if isinstance(cotangent, tuple) else (cotangent,)
    return all(is_finite(array_of(g)) for g in several)


def _derivative_finding(
    graph: RecordingGraph, values: ReplayedValues, step: BackwardOp
) -> NonFiniteFinding:
    op = step.op
    inputs = values.inputs(op)
    masked = _is_masked(graph, step)
    spoilt = [
        s
        for s in op.inputs
        if s in graph.producers and s in values.known and not is_finite(values.known[s])
    ]
    if spoilt:
        # The derivative failed because a value was not finite before: that is where it began.
        first = _trace_value(graph, values, spoilt[0])
        return dataclasses.replace(first, cure=cures.WHERE_TRAP, trap=True) if masked else first
    given = [x for x in inputs if x is not None]
    producer = next((graph.producers[s] for s in op.inputs if s in graph.producers), None)
    if op.is_compiled:
        return _compiled_finding("derivative", op, inputs, values)
    what, cure = cures.why_slope(op.name, given, producer.name if producer else None, masked)
    described = _describe(op, inputs, values.result(op))
    return NonFiniteFinding("derivative", op.name, op.location, what, cure, described, masked)


def _is_masked(graph: RecordingGraph, step: BackwardOp) -> bool:
    """Return whether the nan is where the incoming gradient is 0 because of a later `where`."""
    if isinstance(step.cotangent, tuple):
        return False
    g = array_of(step.cotangent)
    spoilt = [array_of(gx) for _, gx in step.input_cotangents if not is_finite(array_of(gx))]
    if not any(x.shape == g.shape and bool(np.any(np.isnan(x) & (g == 0))) for x in spoilt):
        return False
    after = graph.forward(step.op.outputs)
    return any(
        op.name in ("select", "maximum", "minimum", "multiply") and after.intersection(op.inputs)
        for op in graph.ops
    )


# --- words ---------------------------------------------------------------------------------------


def _describe(op: RecordedOp, inputs: list, result) -> tuple[str, ...]:
    names = op.prim.inputs if not op.prim.variadic else [op.prim.inputs[0]] * len(inputs)
    lines = [f"{name} = {describe(x)}" for name, x in zip(names, inputs, strict=False)]
    return (*lines[:4], f"result = {describe(result)}")


def _format_array(array: np.ndarray) -> str:
    """Return a small array in full, with as many digits as its dtype has."""
    if array.ndim == 0:
        return str(array[()])
    return f"[{', '.join(map(_format_array, array))}]"


def describe(x) -> str:
    """Return an array in a few words: one number as it is, else the shape, the range and what is
    odd."""
    if x is None:
        return "(not kept by the tape)"
    array = np.asarray(x)
    if array.dtype == object:
        return f"string{list(array.shape)}"
    head = f"{from_numpy(array.dtype).name}{list(array.shape)}"
    if array.dtype.kind == "V":
        array = array.astype(np.float32)
    if array.size <= 6:
        return f"{_format_array(array)} ({head})"
    if array.dtype.kind not in "fiu":
        return head
    finite = array[np.isfinite(array)]
    odd = [
        f"{count} {name}"
        for name, count in (
            ("nan", int(np.isnan(array).sum())),
            ("inf", int(np.isposinf(array).sum())),
            ("-inf", int(np.isneginf(array).sum())),
            ("zero" if (array == 0).sum() == 1 else "zeros", int((array == 0).sum())),
        )
        if count
    ]
    span = f", from {finite.min():.4g} to {finite.max():.4g}" if finite.size else ""
    return head + span + (f", with {', '.join(odd)}" if odd else "")
