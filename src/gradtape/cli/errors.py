"""How a program's errors are shown: the user's frames, or one line for a name that is missing."""

from __future__ import annotations

import os
import sys
import traceback
from types import ModuleType, TracebackType

from gradtape.core import tracebacks
from gradtape.serving.hooks import MissingName
from gradtape.serving.importers import Importers
from gradtape.serving.tensorflow_module import missing

RUNNER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "run.py")


class ErrorReport:
    """Writes what went wrong to stderr."""

    def __init__(self, importers: Importers, full: bool) -> None:
        self._importers = importers
        self._full = full
        tracebacks.enable(not full)

    def show(self, kind, error: BaseException, trace: TracebackType | None) -> None:
        """Print an error; a hook for `sys.excepthook`."""
        missing = None if self._full else self.missing_name(error, trace)
        if missing is not None:
            print(missing, file=sys.stderr)
            return
        if not self._full:
            tracebacks.strip(error)
            error.__traceback__ = program_frames(error.__traceback__)
        traceback.print_exception(error)
        if isinstance(error, ModuleNotFoundError) and error.name == "tensorflow":
            print(
                "gradtape stands in for TensorFlow in the program's own modules and in libraries "
                "made for TensorFlow. If the package that imports it here is one, name it: "
                "gradtape run --serve PACKAGE.",
                file=sys.stderr,
            )

    # --- names that are missing ---------------------------------------------------------------

    def missing_name(self, error: BaseException, trace: TracebackType | None) -> str | None:
        """Return one line about a name of TensorFlow that gradtape lacks; None if that is not
        it."""
        text = None
        if isinstance(error, MissingName):
            text = str(error)
        elif isinstance(error, AttributeError) and isinstance(error.obj, ModuleType):
            text = missing(error.obj, error.name, error)
        kept = _program_entries(trace)
        if text is None or not kept:
            return None
        file, line = kept[-1].tb_frame.f_code.co_filename, kept[-1].tb_lineno
        # In code that is installed it is no error of the program's.
        return f"{_short(file)}:{line}: {text}" if self._importers.own_file(file) else None


def program_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of gradtape and of the command."""
    return tracebacks.joined(_program_entries(trace))


def _program_entries(trace: TracebackType | None) -> list[TracebackType]:
    """Return the parts of a traceback that lie in the program, and in packages that it called."""
    first = trace
    while trace is not None:
        if os.path.realpath(trace.tb_frame.f_code.co_filename) == RUNNER:
            first = trace.tb_next  # what led to the runner: the command itself
        trace = trace.tb_next
    return list(tracebacks.user_entries(first))


def _short(file: str) -> str:
    """Return a path as the user would write it from here."""
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative
