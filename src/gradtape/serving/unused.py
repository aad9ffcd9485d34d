"""Imports of TensorFlow's private code that gradtape does not have: an error where they are used.

Editors write such imports by themselves, and programs keep them without using them.
"""

from __future__ import annotations

import dis
from types import FrameType
from typing import Any, NoReturn

from gradtape.serving.importers import Importers


class Unused:
    """Stands for a name that is missing: whatever is done with it raises the import's error."""

    def __init__(self, error: ImportError) -> None:
        self.__dict__["error"] = error

    def _raise(self, *args, **options) -> NoReturn:
        error = self.__dict__["error"]
        raise type(error)(*error.args, name=error.name)

    def __getattr__(self, name: str):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)  # Python asks for such names without using the object
        self._raise()

    __call__ = __getitem__ = __iter__ = __len__ = __mro_entries__ = __setattr__ = _raise
    __instancecheck__ = __subclasscheck__ = _raise


def may_wait(frame: FrameType | None, importers: Importers) -> bool:
    """Return whether an import that fails in a frame is one of the program's own, and none that it
    tries: a `try` wants to know at once."""
    own = False
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<") and importers.own_file(file):
            own = True
            if _in_try(frame):
                return False
        elif not own:
            return False
        frame = frame.f_back
    return own


def _in_try(frame: FrameType) -> bool:
    code: Any = dis.Bytecode(frame.f_code)  # typeshed does not know its exception_entries
    entries = code.exception_entries
    return any(entry.start <= frame.f_lasti < entry.end for entry in entries)
