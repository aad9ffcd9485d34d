"""How custom gradients are written: a node that names its gradient, and that as a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.api.specs import TensorSpec
from gradtape.core.dtypes import from_numpy
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref, WrittenGradient
from gradtape.saved_model.writing.lowering import finished, lower, rule
from gradtape.saved_model.writing.sizes import NodePair, Pair

_INT = np.dtype(np.int32)
_REMEDY = (
    "Without gradients, the model is saved with "
    "tf.saved_model.SaveOptions(experimental_custom_gradients=False)"
)


@rule("with_gradient")
def with_gradient(b: Any, node: NodePair, *inputs: Ref) -> list[Ref]:
    """Write results and arguments as those of an IdentityN, whose gradient has a name.

    A value that was assigned to a variable is read from it again, so that its gradient is that of
    the variable.
    """
    custom = node.first.params["rule"]
    if custom.is_assignment:
        variable = getattr(b, "variable_of", lambda ref: None)(inputs[1])
        if variable is None:
            return [inputs[0]]
        return [b.read(variable, after=(b.assign(variable, inputs[0]),))]
    if custom.error is not None and b.library.saves_gradients:
        raise CannotWrite(f"a custom gradient cannot be traced: {custom.error}. {_REMEDY}")
    passed = custom.results + custom.arguments
    name = b.library.gradient_name()
    kinds = [ref.dtype for ref in inputs[:passed]]
    made = b.nodes_of(
        "IdentityN:output", *inputs[:passed], dtypes=kinds, T=kinds, _gradient_op_type=name
    )
    if b.library.saves_gradients:
        try:
            b.library.gradients.append(_gradient(b, name, node, list(inputs)))
        except CannotWrite as error:
            raise CannotWrite(f"in a custom gradient, {error}. {_REMEDY}") from None
    return made[: custom.results]


def _gradient(b: Builder, name: str, node: NodePair, inputs: list[Ref]) -> WrittenGradient:
    """Write the function that a custom gradient is: of all cotangents, and what it captures."""
    rules = node.first.params["rule"], node.second.params["rule"]
    count = rules[0].results
    passed = count + rules[0].arguments
    captured = [b.op("Identity:output", ref) for ref in inputs[passed:]]
    inner = Builder(b.library, f"gradient_of_{b.name.removeprefix('__inference_')}")
    cotangents = [inner.argument("cotangent", ref.dtype) for ref in inputs[:passed]]
    held = [inner.argument("captured", ref.dtype) for ref in captured]
    for ref, value in zip(cotangents, node.inputs, strict=False):
        inner.remember(ref, value)
    flat = iter(lower(inner, rules[0].graph, rules[1].graph, [*held, *cotangents[:count]]))
    made: list[Ref] = []
    specs: list[TensorSpec | None] = [None] * count
    arguments = node.inputs[count:passed]
    for kind, value in zip(rules[0].gradients, arguments, strict=True):
        if kind is None:
            specs.append(None)
            continue
        made.append(next(flat) if kind == () else _summed(inner, next(flat), next(flat), value))
        specs.append(_spec(value))
    function = finished(b, inner, made)
    return WrittenGradient(
        op_type=name,
        function=function,
        forward=b.name,
        captured=[f"{ref.name.split(':')[0]}:0" for ref in captured],
        cotangents=[_spec(value) for value in node.inputs[:passed]],
        results=specs,
    )


def _summed(b: Builder, values: Ref, indices: Ref, argument: Pair) -> Ref:
    """Write the gradient of some rows as one of all."""
    rows = b.size(argument.shape[0])
    return b.op(
        "UnsortedSegmentSum:output",
        values,
        indices,
        rows,
        Tindices=indices.dtype,
        Tnumsegments=_INT,
    )


def _spec(value: Pair) -> TensorSpec:
    return TensorSpec(value.static_shape, from_numpy(value.dtype))
