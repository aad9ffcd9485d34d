"""Predicts whether a function can be traced, by abstract interpretation of its source.

A trace that fails midway has run a part of the program, and running it again would repeat what it
did to Python objects. So the source is read first: does Python need a tensor's value anywhere? What
the source does not show is left to the trace.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from gradtape.graph.lookahead.calls import Arguments, follow_function, unwrap
from gradtape.graph.lookahead.expressions import evaluate
from gradtape.graph.lookahead.source import is_users
from gradtape.graph.lookahead.statements import Analysis, TooLarge, ValueNeeded
from gradtape.graph.lookahead.values import TENSOR, UNKNOWN, of_argument
from gradtape.graph.tracing import Failure

__all__ = ["TENSOR", "UNKNOWN", "Outlook", "look_ahead", "value_needed"]


class Outlook(NamedTuple):
    """What a trace of a function would meet."""

    failure: Failure | None  # where it needs a tensor's value
    has_control_flow: bool = False  # that depends on tensors, and has to be converted
    raising: Failure | None = None  # where a tensor decides whether an error is raised


def value_needed(
    function: Any, args: tuple, kwargs: dict | None = None, is_partial: bool = False
) -> Failure | None:
    """Return where a function called with such arguments needs a tensor's value, or None.

    TENSOR and UNKNOWN may stand for arguments that are not known yet; with `is_partial`, there may
    be more arguments than these.
    """
    return look_ahead(function, args, kwargs, is_partial).failure


def look_ahead(
    function: Any,
    args: tuple,
    kwargs: dict | None = None,
    is_partial: bool = False,
    converts: bool = False,
) -> Outlook:
    """Return what a trace of the function would meet; see `value_needed` for the arguments.

    `converts`: control flow that depends on tensors would be converted to ops of the graph.
    """
    given = [x if x is TENSOR or x is UNKNOWN else of_argument(x) for x in args]
    named = {name: of_argument(x) for name, x in (kwargs or {}).items()}
    target, arguments = unwrap(function, Arguments(given, named, not is_partial))
    if not isinstance(target, (types.FunctionType, types.MethodType)):
        target = getattr(type(target), "__call__", None)  # noqa: B004 (the function is wanted)
        target = types.MethodType(target, function) if target is not None else None
    if not isinstance(target, (types.FunctionType, types.MethodType)) or not isinstance(
        getattr(target, "__code__", None), types.CodeType
    ):
        return Outlook(None)
    if not is_users(target.__code__):
        return Outlook(None)
    analysis = Analysis(evaluate, converts)
    try:
        follow_function(analysis, target, arguments, 0)
    except ValueNeeded as error:
        return Outlook(error.failure, analysis.has_control_flow, analysis.raising)
    except TooLarge:  # the rest is left to the trace
        pass
    return Outlook(None, analysis.has_control_flow, analysis.raising)
