"""`keras.layers.TFSMLayer`: a SavedModel as a layer."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace


def install(module: ModuleType) -> None:
    """Let Keras's module of the layer read SavedModels with gradtape.

    Keras refuses them with other backends than TensorFlow's, for only TensorFlow reads them there.
    """
    backend = vars(module)["backend"]
    vars(module)["backend"] = SimpleNamespace(
        backend=lambda: "tensorflow", Variable=backend.Variable
    )
    vars(module)["tf"] = sys.modules["gradtape"]
