"""Source locations in the user's program, cheap enough to be recorded for every op.

A location is (code object, offset of the instruction): it keeps no frame, and thereby none of the
user's values, alive. Line numbers are computed on demand (see explain/source.py).
"""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Packages whose frames are not the user's, wherever they are installed.
_LIBRARIES = ("keras", "optree", "tensorflow_probability")
_OWN = (_FOLDER + os.sep, os.path.join(os.path.dirname(_FOLDER), "keras_gradtape") + os.sep)

_API = os.path.join(_FOLDER, "api") + os.sep
_OPERATORS = _API + "autograph" + os.sep

# Files of user code, and files of libraries: one lookup decides for nearly every op.
USER_FILES: set[str] = set()
LIBRARY_FILES: set[str] = set()


def user_frame(frame: FrameType | None) -> FrameType:
    """Return the nearest frame of user code, from this one outward; else the outermost frame."""
    outermost = frame
    while frame is not None:
        file = frame.f_code.co_filename
        if file in USER_FILES:
            return frame
        if file not in LIBRARY_FILES:
            if is_users_file(file):
                USER_FILES.add(file)
                return frame
            LIBRARY_FILES.add(file)
        outermost, frame = frame, frame.f_back
    assert outermost is not None
    return outermost


def is_users_file(file: str) -> bool:
    """Return whether a file is of the program, not of a library or Python itself."""
    if file.startswith("<frozen "):
        return False
    return not os.path.abspath(file).startswith((*_OWN, *_library_folders()))


def _library_folders() -> list[str]:
    """Return the folders of the libraries imported so far: frames of others cannot occur."""
    loaded = [sys.modules[name] for name in _LIBRARIES if name in sys.modules]
    return [os.path.abspath(folder) + os.sep for module in loaded for folder in module.__path__]


def called_from_user_code() -> str:
    """Return the qualified name of the function of a library that user code has called.

    The operators of converted code, and what wraps a function of the API, are passed over.
    """
    frame, inner, called = sys._getframe(1), sys._getframe(1), sys._getframe(1)
    user = user_frame(frame)
    while frame is not None and frame is not user:
        if not frame.f_code.co_filename.startswith(_OPERATORS):
            inner, called = called, frame
        frame = frame.f_back
    is_wrapper = "<locals>" in called.f_code.co_qualname
    if is_wrapper and inner.f_code.co_filename.startswith(_API):
        called = inner
    return called.f_code.co_qualname


def here() -> tuple[CodeType, int]:
    """Return the source location in user code of the current call."""
    frame = user_frame(sys._getframe(1))
    return frame.f_code, frame.f_lasti


def line_of(location: tuple[CodeType, int]) -> int:
    """Return the line number of a location."""
    code, offset = location
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end and number is not None:
            line = number
    return line


# Python 3.11 counts the depth of syntax trees for all threads together: of two that parse at the
# same time one may fail with a SystemError.
_parsing = threading.RLock()
_ATTEMPTS = 100


def while_parsing(function: Callable[..., Any], *args: Any) -> Any:
    """Return `function(*args)` of a function that parses Python, in whatever thread.

    Others parse without our lock (`inspect.signature` of a builtin, `traceback`), so the lock
    alone is not enough.
    """
    with _parsing:
        for _ in range(_ATTEMPTS - 1):
            try:
                return function(*args)
            except SystemError as error:
                if "recursion depth mismatch" not in str(error):
                    raise
        return function(*args)


def parse(text: str, mode: str = "exec") -> Any:
    """Return the syntax tree of Python source, as `ast.parse` does, in whatever thread."""
    return while_parsing(lambda: ast.parse(text, mode=mode))
