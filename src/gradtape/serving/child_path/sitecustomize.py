"""Run by every Python process that a program under `gradtape run` starts (see `serving.children`).

Python imports a module of this name when it starts. This one runs the module that it hides, if
there is one, and makes `import tensorflow` mean gradtape. Most children never ask for it, so that
gradtape itself is loaded by the first import that does.
"""

import builtins
import importlib
import importlib.util
import json
import os
import sys


def _leave_the_path() -> None:
    """Take this folder off the path, and run the `sitecustomize` behind it."""
    here = os.path.dirname(os.path.realpath(globals()["__file__"]))
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") != here]
    this = sys.modules.pop("sitecustomize")
    try:
        importlib.import_module("sitecustomize")
    except ModuleNotFoundError as error:
        sys.modules["sitecustomize"] = this
        if error.name != "sitecustomize":
            raise


def _concerns(name: object) -> bool:
    return isinstance(name, str) and name.startswith(("tensorflow", "tf_", "keras"))


def _wait(folder: str, libraries: list[str]) -> None:
    """Install gradtape's import functions when one of Python's is first asked for TensorFlow."""
    functions = [
        (builtins, "__import__"),
        (importlib, "import_module"),
        (importlib.util, "find_spec"),
    ]

    def install() -> None:
        for module, attribute in functions:
            value = getattr(module, attribute)
            setattr(module, attribute, getattr(value, "stands_for", value))
        from gradtape.serving.hooks import ImportHooks

        ImportHooks(folder, frozenset(libraries)).install()

    def waiting(module, attribute: str):
        original = getattr(module, attribute)

        def function(name, *args, **kwargs):
            if not _concerns(name):
                return original(name, *args, **kwargs)
            install()
            return getattr(module, attribute)(name, *args, **kwargs)

        vars(function)["stands_for"] = original
        return function

    for module, attribute in functions:
        setattr(module, attribute, waiting(module, attribute))


def _start() -> None:
    _leave_the_path()
    try:
        folder, libraries, prefix = json.loads(os.environ["GRADTAPE_RUN"])
    except (KeyError, ValueError):
        return
    if prefix == sys.prefix:  # in another environment, TensorFlow may be TensorFlow
        _wait(folder, libraries)


_start()
# The importer of TensorFlow is recognized by the file of the calling module; this only passes on.
del globals()["__file__"]
