"""The context in which variables are created (name scopes, observers, their class), and ops run."""

from __future__ import annotations

import enum
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from gradtape.core.state import get_state, setting

# The names of the open scopes, joined and ending in "/"; empty outside of all.
_prefix: ContextVar[str] = ContextVar("gradtape_name_scope", default="")
# The layers and name scopes that ops run in, joined by "/"; empty outside of all.
_op_scope: ContextVar[str] = ContextVar("gradtape_op_scope", default="")
# The path of the scopes that are open here: of layers, modules, blocks of `tf.name_scope`.
op_scope = _op_scope.get
# Called with every new variable: how a trace knows that a function creates variables.
_observer: ContextVar[Callable[..., Any] | None] = ContextVar(
    "gradtape_variable_observer", default=None
)


# The class that `tf.Variable` instantiates, if a strategy has its own; else None.
_kind: ContextVar[type | None] = ContextVar("gradtape_variable_kind", default=None)

# Functions that make variables in place of `tf.Variable`, the outermost first.
_creators: ContextVar[tuple[Callable[..., Any], ...]] = ContextVar(
    "gradtape_variable_creators", default=()
)

# The number of replicas of the current strategy (see gradtape.distribute).
replica_count: ContextVar[int] = ContextVar("gradtape_replica_count", default=1)


class VariableSynchronization(enum.Enum):
    """When copies of a variable on several devices are synchronized."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How copies of a variable on several devices are aggregated."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


def member_named(kind: type[enum.Enum], given: Any, default: str) -> Any:
    """Return a member of an enum that is given as such, by its name as Keras does, or not at all.

    Anything else is a ValueError that says what can be given.
    """
    if given is None:
        return kind[default]
    if isinstance(given, kind):
        return given
    if isinstance(given, str) and given.upper() in kind.__members__:
        return kind[given.upper()]
    known = ", ".join(f"tf.{kind.__name__}.{name}" for name in kind.__members__)
    raise ValueError(f"tf.Variable: {given!r} is no tf.{kind.__name__}; give one of {known}.")


def name_prefix() -> str:
    """Return the prefix of names in this context: "", or the open scopes, ending in "/"."""
    return _prefix.get()


def named(prefix: str) -> Any:
    """Set the prefix of all names in the block, replacing any outer one."""
    return setting(_prefix, prefix)


def enter_op_scope(path: str) -> None:
    """Let the next ops be inside a scope, given by its path; tapes that are recording note it."""
    _op_scope.set(path)
    for tape in get_state().tapes:
        tape.enter_scope(path)


def observed(observer: Callable[..., Any] | None) -> Any:
    """Call `observer` with each variable created in the block (None: no observer)."""
    return setting(_observer, observer)


def variable_kind() -> type | None:
    """Return the class of new variables; None for the default."""
    return _kind.get()


def making(kind: type | None) -> Any:
    """Set the class of the variables created in the block (None: the default)."""
    return setting(_kind, kind)


def variable_creators() -> tuple[Callable[..., Any], ...]:
    """Return the functions that make variables here, the outermost first."""
    return _creators.get()


def creating(creator: Callable[..., Any]) -> Any:
    """Let `creator(next_creator, **options)` make the variables of the block."""
    return setting(_creators, (*_creators.get(), creator))


def announce(variable: Any) -> None:
    """Pass a new variable to the observer, if there is one."""
    observer = _observer.get()
    if observer is not None:
        observer(variable)
