"""`keras.callbacks.TensorBoard` writes event files and profiles with gradtape."""

from __future__ import annotations

import functools
import inspect
import os
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import gradtape
from gradtape.formats.atomic import write_whole
from gradtape.profiler import session
from gradtape.profiler.trace import Trace
from gradtape.summary.events import plugin_metadata

# --- what Keras calls as `keras.backend.tensorboard` ---------------------------------------------


def start_trace(logdir):
    session.start(logdir)


def stop_trace(save):
    session.stop(save=save)


def start_batch_trace(batch):
    trace = Trace("Profiled batch", step_num=batch, _r=1)
    trace.__enter__()
    return trace


def stop_batch_trace(batch_trace_context):
    batch_trace_context.__exit__(None, None, None)


# --- what the callback has of TensorFlow or TensorBoard ------------------------------------------

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


# Keras takes it that embeddings are a model's first layer, whichever it is.
_EMBEDDINGS = "layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE"


def configure_embeddings(callback) -> None:
    """Write the file that tells TensorBoard's projector where embeddings and their labels are: a
    protocol buffer as text, for which Keras needs TensorBoard."""
    from keras.src.layers import Embedding  # Keras is there once there is a callback

    given = callback.embeddings_metadata
    lines = []
    for layer in callback.model.layers:
        if not isinstance(layer, Embedding):
            continue
        lines += ["embeddings {", f'  tensor_name: "{_EMBEDDINGS}"']
        path = given.pop(layer.name, None) if isinstance(given, dict) else given
        if path is not None:
            lines.append(f"  metadata_path: {_quoted(path)}")
        lines.append("}")
    if given and isinstance(given, dict):
        raise ValueError(
            "Unrecognized `Embedding` layer names passed to `keras.callbacks.TensorBoard` "
            f"`embeddings_metadata` argument: {given.keys()}"
        )
    os.makedirs(callback._log_write_dir, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    write_whole(os.path.join(callback._log_write_dir, "projector_config.pbtxt"), [text.encode()])


def _quoted(text: str) -> str:
    """Return a string as text of protocol buffers has it."""
    escaped = (
        chr(byte) if 32 <= byte < 127 and byte not in b"\"'\\" else f"\\{byte:03o}"
        for byte in text.encode()
    )
    return f'"{"".join(escaped)}"'


def _taking_profile_batch(known: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor of the callback that profiles batches with this backend, too."""
    signature = inspect.signature(known)

    @functools.wraps(known)
    def __init__(self, *args, **kwargs):
        given = signature.bind(self, *args, **kwargs)
        batches = given.arguments.pop("profile_batch", 0)
        known(*given.args, **given.kwargs)
        if batches:
            self._init_profile_batch(batches)

    return __init__


def install(module: ModuleType) -> None:
    """Give the callback's module gradtape's summaries and profiles in place of TensorFlow's."""
    module.TensorBoard.__init__ = _taking_profile_batch(module.TensorBoard.__init__)
    module.TensorBoard.summary = property(lambda self: gradtape.__dict__["summary"])
    module.TensorBoard._configure_embeddings = configure_embeddings
    vars(module)["keras_model_summary"] = keras_model_summary
