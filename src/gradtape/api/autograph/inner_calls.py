"""Functions of the program that a library calls while a function is traced: a Keras layer's `call`.

The library's own code is not converted. What it calls of the program is, if its control flow
depends on tensors.
"""

from __future__ import annotations

import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any

from gradtape.core.state import get_state
from gradtape.graph.lookahead import TENSOR, look_ahead
from gradtape.graph.lookahead.source import is_users

# By function: whether its control flow depends on tensors.
_needs: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def converted_in_trace(function: Any) -> Callable | None:
    """Return a function or method of the program, converted; None where it is to run as it is."""
    trace = get_state().trace
    if trace is None or not trace.converts:
        return None
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType) or not is_users(plain.__code__):
        return None
    from gradtape.api.autograph.convert import CannotConvert, convert, needs_conversion

    if not needs_conversion(plain):
        return None
    if plain not in _needs:
        given = (TENSOR,) * _count_required(function)
        outlook = look_ahead(function, given, is_partial=True, converts=True)
        # An error that depends on a tensor would be raised while tracing, whatever its value.
        _needs[plain] = outlook.has_control_flow and outlook.raising is None
    if not _needs[plain]:
        return None
    try:
        return convert(function)
    except CannotConvert:
        return None


def _count_required(function: Any) -> int:
    """Return how many arguments must be given by position: they are tensors, or made of them."""
    parameters = inspect.signature(function).parameters.values()
    return sum(
        p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        for p in parameters
    )
