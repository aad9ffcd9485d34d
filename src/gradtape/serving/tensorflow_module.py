"""What programs know as `tensorflow`: gradtape under TensorFlow's name and version."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

import gradtape
from gradtape.api.compat.names import VERSION
from gradtape.api.export import add_top
from gradtape.serving.private import private_module

NAME = "tensorflow"
# Packages of gradtape that are no part of TensorFlow's public names.
HIDDEN = frozenset(
    """
    addons api backends cli core datasets engine explain formats keras_plug
    load_ipython_extension ops prng serving tensorflow testing
    """.split()
)
# How modules of gradtape are called in programs.
PUBLIC_PREFIXES = (
    ("tensorflow", "tf"),
    ("gradtape", "tf"),
    ("keras._tf_keras.keras", "tf.keras"),
    ("keras", "tf.keras"),
)


def public_name(module: ModuleType) -> str | None:
    """Return the name by which programs know a module of gradtape: `tf.math`."""
    for prefix, public in PUBLIC_PREFIXES:
        if module.__name__ == prefix or module.__name__.startswith(prefix + "."):
            return public + module.__name__[len(prefix) :]
    return None


def missing(module: ModuleType, name: str | None, error: AttributeError) -> str | None:
    """Return what to say of a name that a module does not have; None if the module is not ours."""
    public = public_name(module)
    if public is None:
        return None
    # Python's own words name modules that the user does not know; gradtape's give a reason.
    text = str(error)
    if not text.startswith("module "):
        return text
    _, hint, close = text.partition(" Did you mean")
    return f"gradtape does not have {public}.{name}.{hint}{close}"


class TensorFlow(ModuleType):
    """gradtape under TensorFlow's name and version."""

    def __init__(self) -> None:
        super().__init__(NAME, gradtape.__doc__)
        self.__version__ = VERSION
        self.__path__ = []  # as packages have
        self.__file__ = gradtape.__file__
        add_top(self.__dict__)

    def __getattr__(self, name: str):
        if name == "__all__":
            return dir(self)
        special = name.startswith("__") and name.endswith("__") and name != "__internal__"
        if name in HIDDEN or special:
            raise AttributeError(f"module {NAME!r} has no attribute {name!r}", name=name, obj=self)
        if name == "keras":
            value = importlib.import_module("gradtape.keras")
        elif name == "python":
            value = private_module("")
        elif name == "compat":
            value = Compat(self)
        else:
            value = getattr(gradtape, name)
        self.__dict__[name] = value  # the next time without coming here
        return value

    def __reduce__(self):
        """Pickle the module by name: functions that use it are sent to other processes."""
        return tensorflow, ()

    def __dir__(self) -> list[str]:
        names = {*dir(gradtape), "keras"} - HIDDEN
        return sorted(name for name in names if not name.startswith("_"))


class Compat(ModuleType):
    """`tensorflow.compat`, whose `v2` is the module `tensorflow` itself."""

    def __init__(self, top: TensorFlow) -> None:
        super().__init__(f"{NAME}.compat")
        self.__path__ = []
        self.v2 = top

    def __getattr__(self, name: str):
        return getattr(vars(gradtape)["compat"], name)

    def __dir__(self) -> list[str]:
        return sorted({*dir(vars(gradtape)["compat"]), "v2"})


@functools.cache
def tensorflow() -> TensorFlow:
    """Return the module that replaces TensorFlow in this process."""
    return TensorFlow()
