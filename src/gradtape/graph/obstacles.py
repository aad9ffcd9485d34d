"""Why a function cannot be traced, or not as it is."""

from __future__ import annotations

import enum

from gradtape.core.source_location import called_from_user_code
from gradtape.core.tracebacks import PassesThrough


class NeedsValue(TypeError, PassesThrough):
    """Raised when a function being traced needs a value that is known only at run time."""


class MustUnroll(Exception):
    """Raised when a loop body differs between iterations: the loop has to be unrolled."""


class MustPeel(Exception):
    """Raised in a loop or branch where a shape is not known before some of it was computed.

    A loop of the function itself then has one iteration before it, a branch is the one taken.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure  # if no statement does that


class MustKnow(MustPeel):
    """Raised in a loop or branch where each iteration needs a value of its own to be traced.

    A loop over known numbers is then unrolled.
    """


class Retrace(Exception):
    """Raised when tracing has changed the layout of a variable: the trace must start over."""


class Obstacle(enum.Enum):
    """The kinds of reasons why a function cannot be traced: what to advise depends on them."""

    BRANCH = "Python decides by the value of a tensor"
    VALUE = "Python, NumPy or an op needs the value of a tensor"
    OTHER = "anything else"


# The text of a failure that tracing and look-ahead both report.
TAKES_ELEMENTS = "Python takes elements from a dataset, others on each call"
VALUE_IS_NEEDED = "the value of a tensor is needed here"
# The classes whose methods a program calls when it asks for a value itself.
_OWN_CLASSES = ("TensorBase", "Tensor", "SymbolicTensor", "TracedTensor")


class Failure:
    """Why a function cannot be traced: what it needs, and where in the user's program."""

    __slots__ = ("file", "kind", "line", "what")

    def __init__(self, what: str, kind: Obstacle, file: str, line: int) -> None:
        self.what = what
        self.kind = kind
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def asked_for(reason: str) -> str:
    """Return why a value is needed: `reason`, unless a library asks and not the program itself."""
    kind, _, name = called_from_user_code().rpartition(".")
    if kind in _OWN_CLASSES:
        return reason
    if not name.startswith(("_", "<")) and "<" not in kind:  # a closure has another's name
        return f"{name.rstrip('_')}() needs the value of a tensor"
    return VALUE_IS_NEEDED
