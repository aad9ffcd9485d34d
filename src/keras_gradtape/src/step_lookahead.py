"""Whether a step of a model can be a graph: what the program's own parts of it do with tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keras.src import tree

from gradtape.api.function.function import autograph_is_available
from gradtape.graph.lookahead import TENSOR, look_ahead, value_needed
from gradtape.graph.tracing import Failure


def value_needed_by_step(model, name: str, data: Any) -> Failure | None:
    """Return where a step needs a tensor's value: in its code, or in that of layers, losses,
    metrics.

    Control flow on tensors is converted in the step itself and in layers.
    """
    converts = autograph_is_available()
    step = look_ahead(getattr(model, name), (data,), converts=converts)
    layers = [layer.call for layer in model._flatten_layers()]
    for outlook in (step, *[look_ahead(x, (TENSOR,), None, True, converts) for x in layers]):
        failure = outlook.failure or outlook.raising
        if failure is not None:
            return failure
    for function in _compiled_parts(model, name):
        failure = value_needed(function, (TENSOR, TENSOR), is_partial=True)
        if failure is not None:
            return failure
    return None


def _compiled_parts(model, name: str) -> Iterator[Any]:
    """Return the functions that Keras calls in a step besides layers; each is given two tensors."""
    if name == "predict_step":
        return
    compiled = [model.loss, *[getattr(model._compile_metrics, key, None) for key in _METRICS]]
    for function in tree.flatten(compiled):
        if callable(function):
            yield getattr(function, "update_state", getattr(function, "call", function))
    if name == "train_step" and model.optimizer is not None:
        yield model.optimizer.update_step


_METRICS = ("_user_metrics", "_user_weighted_metrics")
