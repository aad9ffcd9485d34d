"""`tf_keras`, which is Keras 2 under a name of its own: Keras 3 answers."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType
from typing import Any

NAME = "tf_keras"
# Paths of Keras 2 that lead to Keras itself, or to its layers.
_WHOLE = {"api", "api._v1", "api._v2", "api._v1.keras", "api._v2.keras", "src", "__internal__"}
_LEGACY = {"__internal__.legacy", "api._v1.keras.__internal__", "api._v1.keras.__internal__.legacy"}


def _do_nothing(*args) -> None:
    """Do nothing: Keras 3 takes tensors of any class."""


_OWN = {"__internal__.utils.register_symbolic_tensor_type": _do_nothing}


class OldKeras(ModuleType):
    """`tf_keras`, or a module of it that leads to Keras 3."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{NAME}.{path}" if path else NAME, "Keras 3, answering for Keras 2.")
        self.__path__ = []
        self._at = path

    def __getattr__(self, name: str) -> Any:
        keras = importlib.import_module("gradtape.keras")
        if name == "__all__":
            return [each for each in dir(keras) if not each.startswith("_")]
        below = f"{self._at}.{name}".lstrip(".")
        if below in _OWN:
            value = _OWN[below]
        elif below in _WHOLE or below in _LEGACY or below == "__internal__.utils":
            value = OldKeras(below)
        elif name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        else:
            value = getattr(keras, name)
        self.__dict__[name] = value
        return value


@functools.cache
def old_keras() -> OldKeras:
    """Return the module that answers for `tf_keras` in this process."""
    return OldKeras("")
