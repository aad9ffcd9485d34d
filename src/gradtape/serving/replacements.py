"""Packages beside TensorFlow whose names gradtape has: what answers when they are imported."""

from __future__ import annotations

import importlib
from types import ModuleType

REPLACEMENTS = {
    "tensorflow_addons": "gradtape.addons",  # which ended with TensorFlow 2.15
    "tensorflow_text": "gradtape.text",  # which is made of kernels of TensorFlow
}


def replacement(name: str) -> ModuleType:
    """Return the package that answers for one of them."""
    return importlib.import_module(REPLACEMENTS[name])
