"""`import tensorflow` served by gradtape: to a program, its modules, and libraries made for it.

Installed packages look for TensorFlow too: in `sys.modules`, with `find_spec`, with an import in a
`try`. If they found gradtape there they would take it for all of TensorFlow. So nothing is put into
`sys.modules`, and no finder is installed: an import statement calls `builtins.__import__` with the
namespace of the module that it stands in, which says who asks (`importers.py`), and those whom
gradtape serves are answered here.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Set
from types import ModuleType

from gradtape.api.compat.old_names import let_old_names_work
from gradtape.serving import adaptations, backend_name, libraries
from gradtape.serving.importers import Importers
from gradtape.serving.old_keras import NAME as OLD_KERAS
from gradtape.serving.old_keras import old_keras
from gradtape.serving.private import private_module
from gradtape.serving.replacements import REPLACEMENTS, replacement
from gradtape.serving.tensorflow_module import NAME, missing, tensorflow
from gradtape.serving.unused import Unused, may_wait

# Namespaces that programs import from and that TensorFlow 2 does not offer to them.
PRIVATE = {
    "contrib": "tensorflow.contrib ended with TensorFlow 1.",
    "core": "tensorflow.core holds TensorFlow's protocol buffers, which gradtape does not have.",
    "examples": "tensorflow.examples ended with TensorFlow 1. Use tf.keras.datasets.",
}


# Packages whose place gradtape takes: there is nothing to install.
SERVED_HERE = (NAME, OLD_KERAS, *REPLACEMENTS)


class MissingName(ImportError):
    """A name of TensorFlow that gradtape does not have."""


class MissingModule(MissingName, ModuleNotFoundError):
    """A module of TensorFlow, or made for it, that gradtape does not have."""


def _original(function):
    """Return Python's own import function, also where a child process has replaced it by a lazy
    one."""
    return getattr(function, "stands_for", function)


def installed() -> bool:
    """Return whether this process has gradtape as its TensorFlow."""
    return isinstance(getattr(builtins.__import__, "__self__", None), ImportHooks)


class ImportHooks:
    """The import functions of a process in which gradtape stands in for TensorFlow."""

    def __init__(self, folder: str, served: Set[str] = libraries.SERVED) -> None:
        self.importers = Importers(folder, served)
        self.tensorflow = tensorflow()
        self._served = served
        self._import = _original(builtins.__import__)
        self._import_module = _original(importlib.import_module)
        self._find_spec = _original(importlib.util.find_spec)

    def install(self) -> None:
        """Serve from now on."""
        let_old_names_work()
        adaptations.install(adaptations.AFTERWARDS | backend_name.answers(self.importers))
        builtins.__import__ = self.import_statement
        importlib.import_module = self.import_module
        importlib.util.find_spec = self.find_spec

    def import_statement(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Replace `builtins.__import__`, which an import statement calls."""
        if level == 0:
            top = name.partition(".")[0]
            if top in SERVED_HERE and self.importers.serves(globals, 1):
                try:
                    return self._serve(name, fromlist)
                except MissingName as error:
                    private = fromlist and f"{name}.".startswith("tensorflow.python.")
                    if not private or not may_wait(sys._getframe(1), self.importers):
                        raise
                    return self._with_unused(name, fromlist, error)
            if top == "keras" or (
                libraries.is_companion(top) and self.importers.serves(globals, 1)
            ):
                self._prepare(top)
        return self._import(name, globals, locals, fromlist, level)

    def import_module(self, name, package=None):
        """Replace `importlib.import_module`."""
        top = name.partition(".")[0]
        if top in SERVED_HERE and self.importers.serves(None, 1):
            return self.module(name)
        if top == "keras":
            # The plug asks for Keras when it has prepared everything.
            if sys._getframe(1).f_globals.get("__name__") != "gradtape.keras_plug":
                self._prepare(top)
        elif libraries.is_companion(top) and self.importers.serves(None, 1):
            self._prepare(top)
        return self._import_module(name, package)

    def find_spec(self, name, package=None):
        """Replace `importlib.util.find_spec`."""
        if name.partition(".")[0] in (NAME, *REPLACEMENTS) and self.importers.serves(None, 1):
            try:
                self.module(name)
            except ImportError:
                return None
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        return self._find_spec(name, package)

    def _prepare(self, top: str) -> None:
        """Prepare the import of a package that is, or may be, made for TensorFlow."""
        if top in sys.modules:
            return
        if top == "keras":
            from gradtape import keras_plug

            keras_plug.load()  # whatever backend is configured, the one here is gradtape
            return
        spec = self._find_spec(top)
        if spec is not None and (
            top in self._served or (spec.origin and self.importers.own_file(spec.origin))
        ):
            return  # served, or a module of the program that happens to be called so
        raise MissingModule(libraries.advice(top, spec is not None), name=top)

    def _serve(self, name: str, fromlist):
        module = self.module(name)
        if not fromlist:
            return self.module(name.partition(".")[0])
        for each in fromlist:
            if each != "*":
                self._require(module, each)
        return module

    def _with_unused(self, name: str, fromlist, error: MissingName) -> ModuleType:
        """Return what an import statement takes its names from, some of which are missing."""
        names = ModuleType(name)
        try:
            module = self.module(name)
        except MissingName:
            vars(names).update((each, Unused(error)) for each in fromlist)
            return names
        for each in fromlist:
            try:
                self._require(module, each)
                value = getattr(module, each)
            except MissingName as its_error:
                value = Unused(its_error)
            vars(names)[each] = value
        return names

    def _require(self, module: ModuleType, name: str) -> None:
        """Make sure that `from module import name` finds the name, or say what is missing."""
        try:
            getattr(module, name)
        except AttributeError as error:
            if self._submodule(module, name) is None:
                text = missing(module, name, error) or str(error)
                raise MissingName(text, name=module.__name__) from None

    def module(self, name: str) -> ModuleType:
        """Return the module behind a name such as `tensorflow.keras.layers`."""
        module: ModuleType = self.tensorflow
        top, *parts = name.split(".")
        if top == OLD_KERAS:
            module = old_keras()
        elif top in REPLACEMENTS:
            module = replacement(top)
        if parts[:2] == ["compat", "v2"]:  # TensorFlow 2 by its other name
            parts = parts[2:]
        if parts and parts[0] in PRIVATE:
            raise MissingModule(f"{name}: {PRIVATE[parts[0]]}", name=name)
        if parts and parts[0] == "python":
            return self._private(name, parts[1:])
        for part in parts:
            result = getattr(module, part, None)
            if not isinstance(result, ModuleType):
                result = self._submodule(module, part)
            if result is None:
                raise MissingModule(f"gradtape has no module {name}.", name=name)
            module = result
        return module

    def _submodule(self, module: ModuleType, part: str) -> ModuleType | None:
        if module.__name__.partition(".")[0] in SERVED_HERE:
            return None
        full = f"{module.__name__}.{part}"
        try:
            return self._import_module(full)
        except ModuleNotFoundError as error:
            if error.name == full:
                return None
            raise

    def _private(self, name: str, parts: list[str]) -> ModuleType:
        module = private_module(".".join(parts))
        if module is None:
            raise MissingModule(
                f"{name}: tensorflow.python is TensorFlow's private code, of which gradtape has "
                "what libraries use. Use the public name, such as tf.math or tf.nn.",
                name=name,
            )
        return module
