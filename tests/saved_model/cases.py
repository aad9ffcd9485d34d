"""All models of the tests, with the calls of their methods."""

from __future__ import annotations

import os
from pathlib import Path

from tests.saved_model import (
    gradient_modules,
    keras_models,
    modules,
    objects,
    op_modules,
    text_modules,
)

# `make test-saved-models-tf` names an archive that it has just written.
ARCHIVE = Path(
    os.environ.get("SAVED_MODEL_ARCHIVE", Path(__file__).parent / "files" / "models.tar.xz")
)
READ_ONLY = [build.__name__ for build in objects.READ_ONLY]
MODULES = {
    build.__name__: build
    for build in [
        *modules.BUILDERS,
        *op_modules.BUILDERS,
        *text_modules.BUILDERS,
        *gradient_modules.BUILDERS,
        *objects.BUILDERS,
        *objects.READ_ONLY,
    ]
}
NAMES = [*MODULES, *keras_models.BUILDERS]


def built(tf, name: str):
    """Return a model and, by the name of a method, the arguments to call it with."""
    if name in MODULES:
        return MODULES[name](tf)
    model, inputs = keras_models.built(tf.keras, name)
    return model, {"serve": (inputs,)}
