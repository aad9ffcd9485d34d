"""`tensorflow_addons`, which ended with TensorFlow 2.15: `gradtape.addons` answers."""

from __future__ import annotations

import importlib
from types import ModuleType

NAME = "tensorflow_addons"


def addons() -> ModuleType:
    """Return the package that answers for `tensorflow_addons`."""
    return importlib.import_module("gradtape.addons")
