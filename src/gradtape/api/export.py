"""The table of public names: which function stands behind `tf.math.sin`, and where it lives."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

from gradtape.api.composites import taking_composites, taking_symbols
from gradtape.api.documentation.text import give_text
from gradtape.core.tracebacks import filters_tracebacks

Exported = TypeVar("Exported")
PUBLIC: dict[str, object] = {}


class Lazy:
    """A public name whose module is imported by the first use of it."""

    __slots__ = ("attribute", "module", "name")

    def __init__(self, module: str, attribute: str | None = None, name: str = "") -> None:
        self.module = module
        self.attribute = attribute  # None: the module exports the name itself
        self.name = name  # the first of its public names


def export(*names: str) -> Callable[[Exported], Exported]:
    """Give a function or class its public names, such as "math.sin" and "sin"."""

    def register(value: Exported) -> Exported:
        face = taking_composites(names, value)
        if _symbols and isinstance(face, types.FunctionType):
            face = taking_symbols(names[0], face)
        filters_tracebacks(face)
        give_text(names[0], face)
        # A call for each name would be felt in the time of an import.
        if type(face) is types.FunctionType and (
            face is not value or "<locals>" in face.__code__.co_qualname
        ):
            _name_publicly(names[0], face)
        for name in names:
            if not isinstance(PUBLIC.get(name, _LATER), Lazy):
                raise ValueError(f"the public name {name!r} is given twice")
            PUBLIC[name] = face
        return value

    return register


def _name_publicly(name: str, face: Any) -> None:
    """Let pickle find a function by its public name: no module defines it, a factory made it."""
    face.__module__, face.__qualname__ = "gradtape", name


_LATER = Lazy("")
_symbols: set[bool] = set()  # not empty once functions take symbolic tensors
# The namespaces that the public names of the top are in.
_tops: list[dict[str, Any]] = []
# And others that keep what they have looked up.
_caches: list[dict[str, Any]] = []


def take_symbols() -> None:
    """Let the functions of tensors take symbolic tensors, from now on."""
    if _symbols:
        return
    _symbols.add(True)
    functions = {v: n for n, v in reversed(PUBLIC.items()) if isinstance(v, types.FunctionType)}
    replace({value: taking_symbols(name, value) for value, name in functions.items()})


def replace(faces: dict[Any, Any]) -> None:
    """Put other functions behind the public names of some."""
    named: set[Any] = set()
    for name, value in PUBLIC.items():
        if isinstance(value, types.FunctionType) and value in faces:
            face = PUBLIC[name] = faces[value]
            if face not in named:
                named.add(face)
                _name_publicly(name, filters_tracebacks(face))
    for here in _caches:
        for name, value in here.items():
            if isinstance(value, types.FunctionType) and value in faces:
                here[name] = faces[value]
    for name in PUBLIC:
        *path, last = name.split(".")
        for here in _tops:
            for part in path:
                module = here.get(part)
                here = vars(module) if isinstance(module, types.ModuleType) else {}
            value = here.get(last)
            if isinstance(value, types.FunctionType) and value in faces:
                here[last] = faces[value]


def add_top(namespace: dict[str, Any]) -> None:
    """Register a namespace that has, or will have, public names of the top."""
    _tops.append(namespace)


def add_cache(namespace: dict[str, Any]) -> None:
    """Register a namespace that keeps what it has looked up among public names."""
    _caches.append(namespace)


def announce(module: str, names: str) -> None:
    """Register public names (separated by spaces) that a module not yet imported exports."""
    for name in names.split():
        export(name)(Lazy(module))


def export_lazily(module: str, **attributes: str) -> None:
    """Register public names (the values) of attributes (the keys) of a module imported lazily."""
    for attribute, names in attributes.items():
        first, *others = names.split()
        export(first, *others)(Lazy(module, attribute, first))


def lookup(name: str) -> Any:
    """Return the object behind a public name."""
    value = PUBLIC[name]
    if isinstance(value, Lazy):
        module = importlib.import_module(value.module)
        if value.attribute is None:
            return PUBLIC[name]
        first, value = value.name, filters_tracebacks(getattr(module, value.attribute))
        give_text(first, value)
        if isinstance(value, types.FunctionType) and "<locals>" in value.__code__.co_qualname:
            _name_publicly(first, value)
    return value


def build(package: str, namespace: dict[str, Any]) -> None:
    """Fill a package's namespace, and make a module of every dotted prefix."""
    add_top(namespace)
    namespaces = {"": namespace}
    for name, value in PUBLIC.items():
        path, _, last = name.rpartition(".")
        here = namespaces.get(path)
        if here is None:
            here = _make_namespace(package, path, namespaces)
        if not isinstance(value, Lazy):
            here[last] = value


def _make_namespace(
    package: str, path: str, namespaces: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the namespace of a prefix, made with those that it is in, and keep it."""
    if path in namespaces:
        return namespaces[path]
    above, _, last = path.rpartition(".")
    outer = _make_namespace(package, above, namespaces)
    module = outer.get(last)
    if not isinstance(module, types.ModuleType):
        full = f"{package}.{path}"
        module = outer[last] = types.ModuleType(full, f"Public names of `{full}`.")
        # Makes `import gradtape.math` work; where a folder has the name, it lies in there.
        module.__path__ = [f"{entry}/{last}" for entry in outer.get("__path__", ())]
        sys.modules[full] = module
    # `gradtape.graph` is a package with modules of its own, too.
    if "__getattr__" not in vars(module):
        _answer_for_missing(module, path)
    namespaces[path] = module.__dict__
    return module.__dict__


def _answer_for_missing(module: types.ModuleType, path: str) -> None:
    @filters_tracebacks
    def __getattr__(name: str):
        if name == "__all__":  # `from … import *` finds what is not loaded yet, too
            return sorted(each for each in _names_in(path) if not each.startswith("_"))
        result = missing(f"{path}.{name}")
        setattr(module, name, result)
        return result

    def __dir__() -> list[str]:
        return sorted({*vars(module), *_names_in(path)})

    module.__dict__.update(__getattr__=__getattr__, __dir__=__dir__)


def _names_in(path: str) -> set[str]:
    """Return the last parts of the public names in a namespace ("" for the top)."""
    start = f"{path}." if path else ""
    inside = [name.removeprefix(start) for name in PUBLIC if name.startswith(start)]
    return {name.split(".")[0] for name in inside}


def _old_name(name: str):
    """Return a name of `compat.v1`: mostly one that is spelled the same outside of it."""
    from gradtape.api.compat.v1 import is_namespace, resolve

    result = resolve(name)
    if result is None and is_namespace(name):
        result = types.ModuleType(f"gradtape.compat.v1.{name}")
        _answer_for_missing(result, f"compat.v1.{name}")
    return result


def missing(name: str):
    """Return a public name that is not loaded yet; for any other, the error that explains it."""
    if name in PUBLIC:
        return lookup(name)
    if name.startswith("compat.v1."):
        result = _old_name(name.removeprefix("compat.v1."))
        if result is not None:
            return filters_tracebacks(result)
    elif name == "compat.v2":
        return sys.modules["gradtape"]
    elif not name.startswith("_"):
        from gradtape.api.compat.old_names import old_name

        result = old_name(name)
        if result is not None:
            return filters_tracebacks(result)
    path, _, last = name.rpartition(".")
    where = f"gradtape.{path}" if path else "gradtape"
    if last.startswith("__"):
        raise AttributeError(f"module {where!r} has no attribute {last!r}")
    from gradtape.api.left_out import explanation

    reason = explanation(name)
    if reason is not None:
        raise AttributeError(f"tf.{name} is left out of gradtape: {reason}")
    from gradtape.api.suggestions import suggestion

    near = suggestion(name, PUBLIC)
    hint = ""
    if near is not None:  # in the same namespace, its last part will do
        shown = f"tf.{near}" if near.rpartition(".")[0] != path else near.rpartition(".")[2]
        hint = f". Did you mean: '{shown}'?"
    raise AttributeError(f"module {where!r} has no attribute {last!r}{hint}")
