"""`keras.callbacks.TensorBoard` writes its event files with gradtape's `tf.summary`."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any

import gradtape
from gradtape.summary.events import plugin_metadata

_KERAS_MODEL = plugin_metadata("graph_keras_model", 0, None, b"1")


def keras_model_summary(name, data, step=None):
    """Write a model's configuration, which TensorBoard draws as a graph of layers."""
    try:
        text = data.to_json()
    except Exception as error:  # a model that cannot be drawn can still be trained
        warnings.warn(f"Model failed to serialize as JSON. Ignoring... {error}", stacklevel=2)
        return False
    summary: Any = gradtape.__dict__["summary"]
    with summary.experimental.summary_scope(name, "graph_keras_model", [data, step]) as (tag, _):
        return summary.write(tag=tag, tensor=text, step=step, metadata=_KERAS_MODEL)


def install(module: ModuleType) -> None:
    """Give the callback's module gradtape's summaries in place of TensorFlow's."""
    module.TensorBoard.summary = property(lambda self: gradtape.__dict__["summary"])
    vars(module)["keras_model_summary"] = keras_model_summary
