"""Whether a step of a model can be a graph: what the program's own parts of it do with tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keras.src import tree

from gradtape.graph.lookahead import TENSOR, value_needed
from gradtape.graph.tracing import Failure


def value_needed_by_step(model, name: str, data: Any) -> Failure | None:
    """Return where a step needs a tensor's value: in its code, or in that of layers, losses,
    metrics."""
    failure = value_needed(getattr(model, name), (data,))
    if failure is not None:
        return failure
    for function, count in _parts(model, name):
        failure = value_needed(function, (TENSOR,) * count, is_partial=True)
        if failure is not None:
            return failure
    return None


def _parts(model, name: str) -> Iterator[tuple[Any, int]]:
    """Return the functions that Keras calls in a step, and how many tensors each is given."""
    for layer in model._flatten_layers():
        yield layer.call, 1
    if name == "predict_step":
        return
    compiled = [model.loss, *[getattr(model._compile_metrics, key, None) for key in _METRICS]]
    for function in tree.flatten(compiled):
        if callable(function):
            yield getattr(function, "update_state", getattr(function, "call", function)), 2
    if name == "train_step" and model.optimizer is not None:
        yield model.optimizer.update_step, 2


_METRICS = ("_user_metrics", "_user_weighted_metrics")
