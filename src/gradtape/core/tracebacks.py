"""Tracebacks that end in the user's line: without the frames of gradtape, unless they are wanted.

An exception gets an entry of its traceback in every frame that it leaves, so it can be filtered
only where it leaves gradtape: in the public function that the user called. A wrapper around each
would cost more than many ops do. `filters_tracebacks` instead appends an `except` clause to the
function's own code, as if its whole body were written in

    try:
        ...
    except:
        filter_traceback()
        raise

Python enters such a clause through a table that it reads only when an exception is raised, so a
call without an error runs the same instructions as before; and a bare `raise` adds no entry for the
frame itself. The clause is compiled by the running interpreter and copied. How exceptions are
handled differs between versions of Python: in one that the tests do not run with, functions stay as
they are, and tracebacks are complete.
"""

from __future__ import annotations

import opcode
import os
import sys
import warnings
from collections.abc import Iterator
from types import CodeType, FunctionType, TracebackType
from typing import Any, TypeVar

Value = TypeVar("Value")

_PYTHONS = ((3, 11), (3, 12), (3, 13))
_SUPPORTED = sys.implementation.name == "cpython" and sys.version_info[:2] in _PYTHONS

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_KERAS_FOLDER = os.path.join(os.path.dirname(_FOLDER[:-1]), "keras_gradtape") + os.sep
# Libraries that gradtape computes with: what they say in there is an inner matter, too.
_LIBRARIES = frozenset("numpy scipy ml_dtypes optree jax jaxlib malt".split())

_enabled = True
# Questions that others ask of their frames: whether Keras hides those of its backend.
_keras_filters: list[Any] = []


def enable(on: bool) -> None:
    """Hide gradtape's frames in tracebacks, or show them."""
    global _enabled
    _enabled = on


def is_enabled() -> bool:
    """Return whether gradtape's frames are hidden in tracebacks."""
    return _enabled


def ask_keras(is_filtering: Any) -> None:
    """Let Keras's setting decide whether the frames of its backend are hidden."""
    _keras_filters.append(is_filtering)


# --- what is hidden --------------------------------------------------------------------------


def filter_traceback() -> None:
    """Remove gradtape's frames from the exception that is being handled, and what led to it."""
    error = sys.exception()
    if _enabled and error is not None:
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
        each.__traceback__ = user_frames(each.__traceback__)
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
    return next(_entries(error.__traceback__), None) is None


def user_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of gradtape and of what it called."""
    if trace is None:
        return None
    kept = list(_entries(trace))
    if len(kept) == _length(trace):
        return trace
    chain: TracebackType | None = None
    for each in reversed(kept):
        chain = TracebackType(chain, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return chain


def _length(trace: TracebackType | None) -> int:
    length = 0
    while trace is not None:
        length, trace = length + 1, trace.tb_next
    return length


def _entries(trace: TracebackType | None) -> Iterator[TracebackType]:
    """Yield the entries of a traceback that are the user's, or of a library that the user called.

    A library that gradtape called is left out with it.
    """
    inside = False
    hidden = hidden_folders()
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


def hidden_folders() -> tuple[str, ...]:
    """Return how the names of files begin whose frames are hidden."""
    if all(ask() for ask in _keras_filters):
        return (_FOLDER, _KERAS_FOLDER, "<gradtape ")
    return (_FOLDER, "<gradtape ")


def _is_library(module: str) -> bool:
    top = module.partition(".")[0]
    return top in _LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")


# --- where it is hidden ----------------------------------------------------------------------


def filters_tracebacks(value: Value) -> Value:
    """Let a function, or all methods of a class, hide gradtape's frames from whoever calls it.

    The same object is returned. Generators stay as they are: whoever iterates hides their frames.
    """
    if not _SUPPORTED:
        return value
    if type(value) is FunctionType:
        value.__code__ = _guarded(value.__code__)
    elif isinstance(value, type):
        for cls in value.__mro__:
            if cls.__module__.startswith(_OWN_MODULES) and cls not in _filtering:
                _filtering.add(cls)
                for name, method in vars(cls).items():
                    if name[0] != "_" or name[1] == "_":
                        _guard_method(method)
    return value


_OWN_MODULES = ("gradtape.", "keras_gradtape.")
_filtering: set[type] = set()  # the classes whose methods do


def _guard_method(method: Any) -> None:
    kind = type(method)
    if kind is FunctionType:
        method.__code__ = _guarded(method.__code__)
    elif kind is property:
        for function in (method.fget, method.fset):
            _guard_method(function)
    elif kind is staticmethod or kind is classmethod:
        _guard_method(method.__func__)


# The flags of generators and coroutines.
_SUSPENDED = 0x20 | 0x80 | 0x200
_RESUME = opcode.opmap["RESUME"]
_EXTENDED, _LOAD = opcode.opmap["EXTENDED_ARG"], opcode.opmap["LOAD_CONST"]
_STACK = 6  # what the clause needs at most


def _guarded(code: CodeType) -> CodeType:
    """Return the code of a function whose exceptions leave it without gradtape's frames."""
    consts = code.co_consts
    if code.co_flags & _SUSPENDED or (consts and consts[-1] is filter_traceback):
        return code
    body, number = code.co_code, len(consts)
    start, end = body.index(_RESUME) // 2 + 1, len(body) // 2  # before RESUME, there is no frame
    table, cleanup = code.co_exceptiontable, end + _CLEANUP
    table = _covering(table, start, end) if table else _entry(start, end - start, end, 0)
    call = bytes((_EXTENDED, number >> 8, _LOAD, number & 255))
    return code.replace(
        co_code=body + _BEFORE + call + _AFTER,
        co_consts=(*consts, filter_traceback),
        co_exceptiontable=table + _entry(end, cleanup - end, cleanup, _STATE),
        co_linetable=code.co_linetable + _NOWHERE,
        co_stacksize=code.co_stacksize + _STACK,
    )


def _covering(table: bytes, start: int, end: int) -> bytes:
    """Return an exception table whose gaps between `start` and `end` lead to the clause there."""
    filled: list[bytes] = []
    for first, length, target, state in _parsed(table):
        if start < first:
            filled.append(_entry(start, first - start, end, 0))
        filled.append(_entry(first, length, target, state))
        start = first + length
    if start < end:
        filled.append(_entry(start, end - start, end, 0))
    return b"".join(filled)


def _parsed(table: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield start, length, target and state of the stack: numbers in groups of 6 bits."""
    numbers: list[int] = []
    value = 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
            if len(numbers) == 4:
                yield numbers[0], numbers[1], numbers[2], numbers[3]
                numbers.clear()


def _entry(start: int, length: int, target: int, state: int) -> bytes:
    """Return an entry of an exception table; its first byte is marked, and the last but one of each
    number."""
    return bytes(
        (start >> 12 | 192, start >> 6 & 63 | 64, start & 63)
        + (length >> 12 | 64, length >> 6 & 63 | 64, length & 63)
        + (target >> 12 | 64, target >> 6 & 63 | 64, target & 63, state)
    )


def _compiled_clause() -> tuple[bytes, bytes, int, int]:
    """Return the clause as Python compiles it, before and after the constant that it calls.

    With where its last part begins (which puts the state of exceptions in order), and the state of
    the stack there.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a number cannot be called
        code = compile("try: x\nexcept:\n  0.5()\n  raise", "<gradtape clause>", "exec")
    body, (first, second, *_) = code.co_code, _parsed(code.co_exceptiontable)
    start = first[2] * 2
    loaded = next(i for i in range(start, len(body), 2) if body[i] == _LOAD)
    # One instruction more than was compiled: the number of the constant may need two bytes.
    return body[start:loaded], body[loaded + 2 :], second[2] - first[2] + 1, second[3]


if _SUPPORTED:
    _BEFORE, _AFTER, _CLEANUP, _STATE = _compiled_clause()
    _UNITS = len(_BEFORE + _AFTER) // 2 + 2
    # The clause has no line in the source: entries of a location table for 8 instructions at most.
    _NOWHERE = b"".join(bytes([0xF8 | min(8, _UNITS - i) - 1]) for i in range(0, _UNITS, 8))
