"""How a program's errors are shown: the user's frames, or one line for a name that is missing."""

from __future__ import annotations

import os
import sys
import traceback
from types import ModuleType, TracebackType

from gradtape.serving.hooks import MissingName
from gradtape.serving.importers import Importers
from gradtape.serving.tensorflow_module import missing

FOLDER = os.path.dirname(os.path.realpath(__file__))
RUNNER = os.path.join(FOLDER, "run.py")
SOURCE = os.path.dirname(os.path.dirname(FOLDER))
PACKAGES = tuple(os.path.join(SOURCE, name, "") for name in ("gradtape", "keras_gradtape"))


class ErrorReport:
    """Writes what went wrong to stderr."""

    def __init__(self, importers: Importers, full: bool) -> None:
        self._importers = importers
        self._full = full

    def show(self, kind, error: BaseException, trace: TracebackType | None) -> None:
        """Print an error; a hook for `sys.excepthook`."""
        missing = None if self._full else self.missing_name(error, trace)
        if missing is not None:
            print(missing, file=sys.stderr)
            return
        if not self._full:
            self._strip(error, set())
        traceback.print_exception(error)
        if isinstance(error, ModuleNotFoundError) and error.name == "tensorflow":
            print(
                "gradtape stands in for TensorFlow in the program's own modules and in libraries "
                "made for TensorFlow. If the package that imports it here is one, name it: "
                "gradtape run --serve PACKAGE.",
                file=sys.stderr,
            )

    # --- frames -------------------------------------------------------------------------------

    def _strip(self, error: BaseException | None, seen: set[int]) -> None:
        """Remove gradtape's frames from an error and from those that led to it."""
        if error is None or id(error) in seen:
            return
        seen.add(id(error))
        error.__traceback__ = self.user_frames(error.__traceback__)
        self._strip(error.__cause__, seen)
        self._strip(error.__context__, seen)
        if error.__context__ is not None and error.__context__.__traceback__ is None:
            error.__suppress_context__ = True  # how gradtape found out is of no interest

    def user_frames(self, trace: TracebackType | None) -> TracebackType | None:
        """Return a traceback without the frames of gradtape and of the import system."""
        chain = None
        for each in reversed(_user_entries(trace)):
            chain = TracebackType(chain, each.tb_frame, each.tb_lasti, each.tb_lineno)
        return chain

    # --- names that are missing ---------------------------------------------------------------

    def missing_name(self, error: BaseException, trace: TracebackType | None) -> str | None:
        """Return one line about a name of TensorFlow that gradtape lacks; None if that is not
        it."""
        text = None
        if isinstance(error, MissingName):
            text = str(error)
        elif isinstance(error, AttributeError) and isinstance(error.obj, ModuleType):
            text = missing(error.obj, error.name, error)
        kept = _user_entries(trace)
        if text is None or not kept:
            return None
        file, line = kept[-1].tb_frame.f_code.co_filename, kept[-1].tb_lineno
        # In code that is installed it is no error of the program's.
        return f"{_short(file)}:{line}: {text}" if self._importers.own_file(file) else None


def _user_entries(trace: TracebackType | None) -> list[TracebackType]:
    """Return the parts of a traceback that lie in the program, and in packages that it called."""
    kept: list[TracebackType] = []
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if os.path.realpath(file) == RUNNER:
            kept.clear()  # what led to the runner: the command itself
        elif not (file.startswith("<frozen ") or os.path.realpath(file).startswith(PACKAGES)):
            kept.append(trace)
        trace = trace.tb_next
    return kept


def _short(file: str) -> str:
    """Return a path as the user would write it from here."""
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative
