"""Where the names in annotations come from, read off the imports of the module that has them."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
from collections.abc import Callable
from pathlib import Path

# Aliases that the stubs use beside what annotations name.
COMMON = {
    "Any": "typing",
    "AbstractContextManager": "contextlib",
    "Callable": "collections.abc",
    "Sequence": "collections.abc",
    **dict.fromkeys("Concatenate Generic ParamSpec Self TypeVar overload".split(), "typing"),
    "Function": "gradtape.api.function.function",
    "RaggedTensor": "gradtape.api.ragged.tensor",
    "Strategy": "gradtape.distribute.strategy.strategies",
    "Tensor": "gradtape.core.tensor",
    "ndarray": "numpy",
    **dict.fromkeys(
        "AxisLike DTypeLike IntLike ShapeLike TensorLike".split(), "gradtape.core.typing"
    ),
}


@functools.cache
def origins(module: str) -> dict[str, tuple[str, str | None]]:
    """Return (module, attribute) of the names of a module; attribute None for a module itself."""
    path = importlib.import_module(module).__file__
    assert path is not None
    result: dict[str, tuple[str, str | None]] = {}
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module not in (None, "__future__"):
            for alias in node.names:
                result[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                result[alias.asname or alias.name.split(".")[0]] = (alias.name, None)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            result[node.name] = (module, node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    result.setdefault(target.id, (module, target.id))
    return result


def origin(name: str, module: str | None) -> tuple[str, str | None] | None:
    """Return where a name in an annotation of a module comes from; None for a builtin."""
    if module is not None and name in origins(module):
        return origins(module)[name]
    if name in COMMON:
        return COMMON[name], name
    if hasattr(builtins, name):
        return None
    raise NameError(f"{name!r} in an annotation of {module} is not imported there")


def is_class_of(name: str, module: str) -> bool:
    """Return whether a module has a class statement of this name."""
    has_source = getattr(importlib.import_module(module), "__file__", None) is not None
    return has_source and origins(module).get(name) == (module, name)


def defining_module(function: Callable) -> str:
    """Return the module whose source has a function: `__module__` may be where users know it."""
    names = getattr(function, "__globals__", {})
    return names.get("__name__", function.__module__)
