"""Where a program is: inside which name scopes, inside which functions. Variables ask when made."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable
from contextvars import ContextVar

# The names of the open scopes, joined and ending in "/"; empty outside of all.
_prefix: ContextVar[str] = ContextVar("gradtape_name_scope", default="")
# Called with every variable that is made: how a function knows that it makes variables.
_observer: ContextVar[Callable | None] = ContextVar("gradtape_variable_observer", default=None)


# The class that `tf.Variable` makes objects of, where a strategy has its own; else None.
_kind: ContextVar[type | None] = ContextVar("gradtape_variable_kind", default=None)

# How many replicas the current strategy has (see gradtape.distribute).
replica_count: ContextVar[int] = ContextVar("gradtape_replica_count", default=1)


class VariableSynchronization(enum.Enum):
    """When copies of a variable on several devices are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How copies of a variable on several devices are brought together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


def name_prefix() -> str:
    """What stands in front of a name given here: "", or the open scopes, ending in "/"."""
    return _prefix.get()


@contextlib.contextmanager
def named(prefix: str):
    """The block's names begin with `prefix`, whatever was open before."""
    token = _prefix.set(prefix)
    try:
        yield prefix
    finally:
        _prefix.reset(token)


@contextlib.contextmanager
def observed(observer: Callable | None):
    """The block's new variables are shown to `observer` (None: to nobody)."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def variable_kind() -> type | None:
    """The class of new variables, where it is not the usual one."""
    return _kind.get()


@contextlib.contextmanager
def making(kind: type | None):
    """The block's new variables are of a class (None: of the usual one)."""
    token = _kind.set(kind)
    try:
        yield
    finally:
        _kind.reset(token)


def announce(variable) -> None:
    """Show a new variable to whoever wants to know."""
    observer = _observer.get()
    if observer is not None:
        observer(variable)
