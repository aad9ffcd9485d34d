"""Tracebacks that end in the user's line: without the frames of gradtape, unless they are wanted.

An exception gets an entry of its traceback in every frame that it leaves, so it can be filtered
only where it leaves gradtape: in the public function that the user called. Public functions and
classes therefore carry `filters_tracebacks`. It is no wrapper, which would cost more than many ops
do, but an `except` clause in their own code (see `core/tracebacks/except_clause.py`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, SimpleNamespace, TracebackType
from typing import Any, TypeVar

from gradtape.core.tracebacks.except_clause import SUPPORTED, with_clause

Value = TypeVar("Value")

_SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
# What is hidden: gradtape, and its backend of Keras.
FOLDERS = tuple(os.path.join(_SOURCE, name, "") for name in ("gradtape", "keras_gradtape"))
_GRAPHS = "<gradtape "  # how the files are named of code that gradtape generates
_OWN_MODULES = ("gradtape.", "keras_gradtape.")
# Libraries that gradtape computes with: what they say to it is an inner matter, too.
_LIBRARIES = frozenset("numpy scipy ml_dtypes optree jax jaxlib malt".split())

# `keras` asks whether Keras hides its own frames, once it is loaded.
_settings = SimpleNamespace(enabled=True, keras=lambda: True)


def enable(on: bool) -> None:
    """Hide gradtape's frames in tracebacks, or show them."""
    _settings.enabled = on


def is_enabled() -> bool:
    """Return whether gradtape's frames are hidden in tracebacks."""
    return _settings.enabled


def follow_keras(is_filtering: Callable[[], bool]) -> None:
    """Let Keras's own setting decide whether the frames of its backend are hidden."""
    _settings.keras = is_filtering


class PassesThrough(Exception):
    """Raised and caught by gradtape, through frames of the program, which sees another error."""


# --- what is hidden ------------------------------------------------------------------------------


def filter_traceback() -> None:
    """Remove gradtape's frames from the exception that is being handled, and what led to it."""
    error = sys.exception()
    if _settings.enabled and error is not None:
        strip(error)


def strip(error: BaseException) -> None:
    """Remove gradtape's frames from an exception and from those that it was raised from.

    An exception that gradtape caught, such as NumPy's complaint that became an error in the user's
    terms, is removed; one that the user was handling stays.
    """
    seen: set[int] = set()
    chain: list[BaseException | None] = [error]
    while chain:
        each = chain.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.__traceback__ = joined(list(user_entries(each.__traceback__)))
        context = each.__context__
        if context is not None and context is not each.__cause__ and _is_inner(context):
            while context is not None and _is_inner(context):
                context = context.__context__
            each.__context__ = context
            if each.__cause__ is None:
                each.__suppress_context__ = False
        chain += (each.__cause__, context)


def _is_inner(error: BaseException) -> bool:
    """Return whether an exception was raised and caught inside of gradtape."""
    if isinstance(error, PassesThrough):
        return True
    return next(user_entries(error.__traceback__, inside=True), None) is None


def joined(entries: list[TracebackType]) -> TracebackType | None:
    """Return a traceback of these entries."""
    chain: TracebackType | None = None
    for each in reversed(entries):
        line = _line_before(each) if each.tb_lineno is None else each.tb_lineno
        chain = TracebackType(chain, each.tb_frame, each.tb_lasti, line)
    return chain


def _line_before(entry: TracebackType) -> int:
    """Return the last line before an instruction that has none: tools such as pytest want one."""
    code = entry.tb_frame.f_code
    lines = [line for start, _, line in code.co_lines() if start <= entry.tb_lasti and line]
    return lines[-1] if lines else code.co_firstlineno


def user_entries(trace: TracebackType | None, inside: bool = False) -> Iterator[TracebackType]:
    """Yield the entries of a traceback that are the user's, or of a library that the user called.

    A library that gradtape called is left out with it; `inside` says that it was called by it.
    """
    hidden = (*FOLDERS, _GRAPHS) if _settings.keras() else (FOLDERS[0], _GRAPHS)
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(hidden):
            inside = True
        elif file.startswith("<frozen "):
            pass  # the import system
        elif not inside:
            yield trace
        elif not _is_library(trace.tb_frame.f_globals.get("__name__", "")):
            inside = False
            yield trace
        trace = trace.tb_next


def _is_library(module: str) -> bool:
    top = module.partition(".")[0]
    return top in _LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")


# --- who hides it --------------------------------------------------------------------------------

_filtering: set[type] = set()  # the classes whose methods do


def filters_tracebacks(value: Value) -> Value:
    """Let a function, or all methods of a class, hide gradtape's frames from its callers.

    The same object is returned. Generators stay as they are: the caller of `next` hides them.
    """
    if not SUPPORTED:
        return value
    if type(value) is FunctionType:
        value.__code__ = with_clause(value.__code__, filter_traceback)
    elif isinstance(value, type):
        for cls in (*value.__mro__, type(value)):
            if cls.__module__.startswith(_OWN_MODULES) and cls not in _filtering:
                _filtering.add(cls)
                for method in vars(cls).values():
                    _filter_in_method(method)
    return value


def _filter_in_method(method: Any) -> None:
    kind = type(method)
    if kind is FunctionType:
        method.__code__ = with_clause(method.__code__, filter_traceback)
    elif kind is property:
        for function in (method.fget, method.fset):
            _filter_in_method(function)
    elif kind is staticmethod or kind is classmethod:
        _filter_in_method(method.__func__)
