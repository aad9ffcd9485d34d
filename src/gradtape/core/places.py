"""Where in the user's program something happens, found cheaply enough to be asked for every op.

A place is (code object, offset of the instruction): nothing of it keeps a frame, and with it the
user's values, alive. Line numbers are worked out when somebody asks (see explain/source.py).
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Packages whose frames are not the user's, by the folder that holds the package.
_LIBRARIES = ("gradtape", "keras_gradtape", "keras", "optree")
_PARTS = tuple(f"site-packages{os.sep}{name}{os.sep}" for name in _LIBRARIES)
_OWN = (_FOLDER + os.sep, os.path.join(os.path.dirname(_FOLDER), "keras_gradtape") + os.sep)

# Files known to be the user's, and files known not to be: one look-up settles nearly every op.
USER_FILES: set[str] = set()
LIBRARY_FILES: set[str] = set()


def user_frame(frame: FrameType | None) -> FrameType:
    """The nearest frame that is the user's, this one or one that led to it; else the outermost."""
    outermost = frame
    while frame is not None:
        file = frame.f_code.co_filename
        if file in USER_FILES:
            return frame
        if file not in LIBRARY_FILES:
            if _is_users(file):
                USER_FILES.add(file)
                return frame
            LIBRARY_FILES.add(file)
        outermost, frame = frame, frame.f_back
    assert outermost is not None
    return outermost


def _is_users(file: str) -> bool:
    if file.startswith("<frozen "):
        return False
    path = os.path.abspath(file)
    return not path.startswith(_OWN) and not any(part in path for part in _PARTS)


def here() -> tuple[CodeType, int]:
    """The place in the user's program that led here."""
    frame = user_frame(sys._getframe(1))
    return frame.f_code, frame.f_lasti


def line_of(place: tuple[CodeType, int]) -> int:
    """The line of a place."""
    code, offset = place
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end and number is not None:
            line = number
    return line
