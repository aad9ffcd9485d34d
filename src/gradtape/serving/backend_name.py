"""What Keras says its backend is called, when a program or library asks that has gradtape as
TensorFlow.

Code for several backends asks `keras.backend.backend()`, and has a branch for "tensorflow" that
imports TensorFlow and uses it. Where that import is served, so is the branch: its author's way of
masking, of sparse inputs, of compiling a step. All others, Keras itself among them, are told
"gradtape".
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType

from gradtape import keras_plug
from gradtape.serving.importers import Importers

# The modules whose `backend` programs call; Keras itself calls that of `keras.src`.
PUBLIC = tuple(
    f"{keras}.{name}"
    for keras in ("keras", "keras._tf_keras.keras")
    for name in ("backend", "config")
)


def answers(importers: Importers) -> dict[str, Callable[[ModuleType], None]]:
    """Return, for each public module, what lets its `backend` answer whoever is served."""

    def adapt(module: ModuleType) -> None:
        own = sys.modules["keras.src.backend.config"].backend

        @functools.wraps(own)
        def backend() -> str:
            served = own() == keras_plug.NAME and importers.serves(sys._getframe(1).f_globals, 1)
            return "tensorflow" if served else own()

        vars(module)["backend"] = backend

    return dict.fromkeys(PUBLIC, adapt)
