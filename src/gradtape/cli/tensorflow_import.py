"""`import tensorflow` served by gradtape: only for the program and its own modules.

Installed packages look for TensorFlow too: in `sys.modules`, with `find_spec`, with an import in a
`try`. If they found gradtape there they would take it for all of TensorFlow. So nothing is put into
`sys.modules`, and no finder is installed: an import statement calls `builtins.__import__` with the
namespace of the module that it stands in, which says who asks, and the program's own modules are
answered here.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import importlib.machinery
import importlib.util
import os
import site
import sys
import sysconfig
from types import ModuleType

import gradtape
from gradtape.api.compat.names import VERSION

NAME = "tensorflow"
# Packages of gradtape that are no part of TensorFlow's public names.
HIDDEN = frozenset(
    "api backends cli core datasets engine explain formats keras_plug ops prng testing".split()
)
# Packages made for TensorFlow whose names do not begin with `tensorflow_`.
COMPANIONS = frozenset(
    "tf_agents tf_keras tf_slim tfx tflearn tensorlayer tensor2tensor sonnet gpflow".split()
)
INSTEAD = {
    "tensorflow_datasets": "Read the data yourself, or use tf.keras.datasets.",
    "tensorflow_hub": "Use a model of tf.keras.applications.",
    "tf_keras": "Use tf.keras, which is Keras 3.",
}
# Namespaces that programs import from and that TensorFlow 2 does not offer to them.
PRIVATE = {
    "contrib": "tensorflow.contrib ended with TensorFlow 1.",
    "core": "tensorflow.core holds TensorFlow's protocol buffers, which gradtape does not have.",
    "examples": "tensorflow.examples ended with TensorFlow 1. Use tf.keras.datasets.",
    "python": "tensorflow.python is TensorFlow's private code, which gradtape does not have.",
}


class MissingName(ImportError):
    """A name of TensorFlow that gradtape does not have."""


class MissingModule(MissingName, ModuleNotFoundError):
    """A module of TensorFlow, or made for it, that gradtape does not have."""


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
    """What the program knows as `tensorflow`: gradtape under TensorFlow's name and version."""

    def __init__(self) -> None:
        super().__init__(NAME, gradtape.__doc__)
        self.__version__ = VERSION
        self.__path__ = []  # as packages have
        self.__file__ = gradtape.__file__

    def __getattr__(self, name: str):
        if name == "__all__":
            return dir(self)
        if name in HIDDEN or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"module {NAME!r} has no attribute {name!r}", name=name, obj=self)
        if name == "keras":
            value = importlib.import_module("gradtape.keras")
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


class ProgramModules:
    """Distinguishes the program's own modules from installed packages."""

    def __init__(self, program: str) -> None:
        self._home = os.path.join(os.path.dirname(os.path.realpath(program)), "")
        self._known: dict[str, bool] = {}
        paths = sysconfig.get_paths()
        folders = [paths[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
        folders += [*site.getsitepackages(), site.getusersitepackages()]
        folders.append(os.path.dirname(gradtape.__file__))
        self._installed = tuple({os.path.join(os.path.realpath(p), "") for p in folders})

    def own_file(self, file: str) -> bool:
        """Return whether a file belongs to the program, or at least to no installed package."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._look(os.path.realpath(file))
        return known

    def _look(self, file: str) -> bool:
        # A virtual environment inside the program's folder is not the program.
        inside = file.startswith(self._home)
        folders = (file[len(self._home) :] if inside else file).split(os.sep)
        if "site-packages" in folders or "dist-packages" in folders:
            return False
        # Nor is a Python that is installed below the program; the program may lie in one, though.
        return not any(
            file.startswith(folder) and not self._home.startswith(folder)
            for folder in self._installed
        )

    def own(self, namespace: dict | None, depth: int) -> bool:
        """Return whether the importing module, which has this namespace, is the program's own."""
        frame = None
        while True:
            if namespace is not None:
                name = namespace.get("__name__") or ""
                file = namespace.get("__file__")
                if name.partition(".")[0] in ("keras", "keras_gradtape", "gradtape"):
                    return False
                if isinstance(file, str):
                    return self.own_file(file)
                if name == "__main__":  # `python -c`; with a file, it may be `python -m installed`
                    return True
            # Code without a file, made by `exec`: its caller counts.
            frame = sys._getframe(depth + 1) if frame is None else frame.f_back
            if frame is None:
                return False
            namespace = frame.f_globals


def _for_tensorflow(top: str) -> bool:
    """Return whether a package's name suggests that it is made for TensorFlow."""
    return top.startswith("tensorflow_") or top in COMPANIONS


def _original(function):
    """Return Python's own import function, also where a child process has replaced it by a lazy
    one."""
    return getattr(function, "stands_for", function)


@functools.cache
def tensorflow() -> TensorFlow:
    """Return the module that replaces TensorFlow in this process."""
    return TensorFlow()


class ImportHooks:
    """The import functions of a process in which gradtape stands in for TensorFlow."""

    def __init__(self, program: str) -> None:
        self.program_modules = ProgramModules(program)
        self.tensorflow = tensorflow()
        self._import = _original(builtins.__import__)
        self._import_module = _original(importlib.import_module)
        self._find_spec = _original(importlib.util.find_spec)

    def install(self) -> None:
        builtins.__import__ = self.import_statement
        importlib.import_module = self.import_module
        importlib.util.find_spec = self.find_spec

    def import_statement(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Replace `builtins.__import__`, which an import statement calls."""
        if level == 0:
            top = name.partition(".")[0]
            if top == NAME and self.program_modules.own(globals, 1):
                return self._serve(name, fromlist)
            if top == "keras" or (_for_tensorflow(top) and self.program_modules.own(globals, 1)):
                self._prepare(top)
        return self._import(name, globals, locals, fromlist, level)

    def import_module(self, name, package=None):
        """Replace `importlib.import_module`."""
        top = name.partition(".")[0]
        if top == NAME and self.program_modules.own(None, 1):
            return self.module(name)
        if top == "keras":
            # The plug asks for Keras when it has prepared everything.
            if sys._getframe(1).f_globals.get("__name__") != "gradtape.keras_plug":
                self._prepare(top)
        elif _for_tensorflow(top) and self.program_modules.own(None, 1):
            self._prepare(top)
        return self._import_module(name, package)

    def find_spec(self, name, package=None):
        """Replace `importlib.util.find_spec`."""
        if name.partition(".")[0] == NAME and self.program_modules.own(None, 1):
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
        if spec is not None and spec.origin and self.program_modules.own_file(spec.origin):
            return  # a module of the program that happens to be called so
        text = f"{top} is made for TensorFlow itself and does not work with gradtape."
        raise MissingModule(f"{text} {INSTEAD.get(top, '')}".strip(), name=top)

    def _serve(self, name: str, fromlist):
        module = self.module(name)
        if not fromlist:
            return self.tensorflow
        for each in fromlist:
            if each != "*":
                self._require(module, each)
        return module

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
        _, *parts = name.split(".")
        if parts[:2] == ["compat", "v2"]:  # TensorFlow 2 by its other name
            gradtape.__dict__["compat"].v2 = self.tensorflow
            parts = parts[2:]
        if parts and parts[0] in PRIVATE:
            raise MissingModule(f"{name}: {self._about_private(parts)}", name=name)
        for part in parts:
            result = getattr(module, part, None)
            if not isinstance(result, ModuleType):
                result = self._submodule(module, part)
            if result is None:
                raise MissingModule(f"gradtape has no module {name}.", name=name)
            module = result
        return module

    def _submodule(self, module: ModuleType, part: str) -> ModuleType | None:
        if module is self.tensorflow:
            return None
        full = f"{module.__name__}.{part}"
        try:
            return self._import_module(full)
        except ModuleNotFoundError as error:
            if error.name == full:
                return None
            raise

    def _about_private(self, parts: list[str]) -> str:
        text = PRIVATE[parts[0]]
        if parts[:2] == ["python", "keras"]:
            return f"{text} Import from {'.'.join([NAME, *parts[1:]])} instead."
        if parts[0] == "python":
            return f"{text} Use the public name, such as tf.math or tf.nn."
        return text
