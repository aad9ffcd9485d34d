"""How a `tf.function` is pickled and copied."""

from __future__ import annotations

import importlib
import sys
from typing import Any


def reduce_function(function: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return what makes a `tf.function` anew.

    One that its module has by its name is that name; others are made of their Python function and
    options: what was traced stays behind.
    """
    inner = function.python_function
    location = (getattr(inner, "__module__", ""), getattr(inner, "__qualname__", ""))
    if _named(*location) is function:
        return by_name, location
    options = (function.input_signature, function._jit_compile, function._reduce_retracing)
    return type(function), (inner, *options, function._attributes, None, function._autograph)


def by_name(module: str, qualname: str) -> Any:
    """Return what a module has by a name; raise an error, as pickle does, without such a thing."""
    value = _named(module, qualname)
    if value is None:
        raise AttributeError(
            f"Cannot find the tf.function {qualname!r} that was pickled: it is not in the module "
            f"{module!r} here, or there is no such module."
        )
    return value


def _named(module: str, qualname: str) -> Any:
    """Return what a module has by a name; None if there is no such thing."""
    value: Any = sys.modules.get(module)
    if value is None and module:  # in another process
        try:
            value = importlib.import_module(module)
        except ImportError:
            return None
    for part in qualname.split("."):
        value = getattr(value, part, None)
    return value
