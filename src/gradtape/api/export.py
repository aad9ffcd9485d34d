"""The table of public names: which function stands behind `tf.math.sin`, and where it lives."""

from __future__ import annotations

import sys
import types

PUBLIC: dict[str, object] = {}


def export(*names: str):
    """Give a function or class its public names, such as "math.sin" and "sin"."""

    def register(value):
        for name in names:
            if name in PUBLIC:
                raise ValueError(f"the public name {name!r} is given twice")
            PUBLIC[name] = value
        return value

    return register


def build(package: str, namespace: dict) -> None:
    """Fill a package's namespace, and make a module of every dotted prefix."""
    for name, value in PUBLIC.items():
        *path, last = name.split(".")
        here, full = namespace, package
        for part in path:
            full = f"{full}.{part}"
            module = here.get(part)
            if not isinstance(module, types.ModuleType):
                module = here[part] = types.ModuleType(full, f"Public names of `{full}`.")
                module.__path__ = []  # makes `import gradtape.math` and deeper names work
                sys.modules[full] = module
            here = module.__dict__
        here[last] = value
