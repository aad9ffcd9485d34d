"""Custom gradients of a SavedModel: nodes that name their gradient, which is a function, too.

A gradient function takes the cotangents of a node, and what it has captured: tensors of the
function that the node is in, or of one around it.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import DataLossError
from gradtape.core.tensor import Tensor
from gradtape.engine.custom_gradient import record_custom

if TYPE_CHECKING:
    from gradtape.saved_model.reading.functions import GraphFunction


class CapturedTensor(NamedTuple):
    """A tensor of a function that is running when a gradient is recorded."""

    function: str
    name: str


class CustomGradient:
    """A gradient function: what it captured, and for which inputs of a node it has a gradient."""

    def __init__(self, function: GraphFunction, outputs: Any, captured: list) -> None:
        self.function = function
        self.captured = captured  # CapturedTensors, variables, tables, tensors
        self._outputs = [spec is not None for spec in nest.flatten(outputs)]

    def record(self, inputs: list, results: list, captured: list) -> list:
        """Return the results of a node, which tapes see as those of one op with this gradient."""
        tensors = [index for index, x in enumerate(inputs) if isinstance(x, Tensor)]

        def backward(*cotangents: Any) -> list:
            given = [
                ops.zeros_like(y) if g is None else g
                for g, y in zip(cotangents, results, strict=True)
            ]
            left = iter(self.function([*given, *captured]))
            slopes = [next(left) if there else None for there in self._outputs]
            return [slopes[index] for index in tensors]

        if len(self._outputs) != len(inputs):
            raise DataLossError(
                f"the gradient {self.function.name!r} is one of {len(self._outputs)} inputs, and "
                f"its node has {len(inputs)}"
            )
        return record_custom(results, [inputs[index] for index in tensors], backward)


class NoGradient(CustomGradient):
    """Stands for a gradient that the file does not have: to ask for it is an error."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type
        self.captured = []

    def record(self, inputs: list, results: list, captured: list) -> list:
        def refuse(*cotangents: Any) -> list:
            raise LookupError(
                f"gradient registry has no entry for: {self._op_type}. The SavedModel was written "
                "without its custom gradients; save it again with "
                "tf.saved_model.SaveOptions(experimental_custom_gradients=True)."
            )

        return record_custom(results, [x for x in inputs if isinstance(x, Tensor)], refuse)


# --- what the functions that are running have computed -------------------------------------------


class Frame(NamedTuple):
    """A function that is running: the outputs of its nodes, and where each is."""

    name: str
    kept: list
    slots: dict[str, int]
    outer: Frame | None


running: ContextVar[Frame | None] = ContextVar("running", default=None)


def captured_value(tensor: Any) -> Any:
    """Return what a gradient has captured, from the function that is running or one around it."""
    if not isinstance(tensor, CapturedTensor):
        return tensor
    frame = running.get()
    while frame is not None and frame.name != tensor.function:
        frame = frame.outer
    node, _, index = tensor.name.partition(":")
    number = int(index) if index.isdecimal() else 1 << 62
    outputs = None if frame is None else frame.kept[frame.slots.get(node, -1)]
    if frame is None or node not in frame.slots or outputs is None or number >= len(outputs):
        raise DataLossError(
            f"a custom gradient needs the tensor {tensor.name!r} of {tensor.function!r}, which is "
            "not computed where the gradient is used"
        )
    return outputs[number]
