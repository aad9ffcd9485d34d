"""Warnings about functions: why one runs eagerly, why one is traced again and again."""

from __future__ import annotations

import logging
from typing import Any

from gradtape.graph.changes import advice_for, find_changes
from gradtape.graph.tracing import Failure, Obstacle

logger = logging.getLogger("gradtape")
_MANY_TRACES = 5
_ADVICE = {
    Obstacle.BRANCH: (
        "choose with tf.where or tf.cond in place of `if`, and repeat with tf.while_loop, tf.scan "
        "or tf.map_fn in place of a loop that depends on a tensor."
    ),
    Obstacle.VALUE: (
        "keep to tensor ops (tf.print to print), and move what needs a value out of the function."
    ),
}


def warn_runs_eagerly(
    name: str, failure: Failure | str, was_traced: bool = False, suggests_converter: bool = False
) -> None:
    """Warn that a function is not compiled, with the line that prevents it and the remedy.

    `was_traced`: its Python code has run up to that line, and runs again. `suggests_converter`:
    control flow would be converted if the converter were installed.
    """
    remedy = "It gives the right results, one op at a time."
    if was_traced:
        remedy += (
            " Tracing had run it up to this line, so that what it did to Python objects until "
            "there is done twice in this call."
        )
    kind = failure.kind if isinstance(failure, Failure) else None
    advice = None if kind is None else _ADVICE.get(kind)
    if advice is not None and kind is Obstacle.BRANCH and suggests_converter:
        remedy += f' To have it compiled as it is, pip install "gradtape[autograph]". Or: {advice}'
    elif advice is not None:
        remedy += f" To have it compiled, {advice}"
    logger.warning("tf.function %s runs eagerly: %s. %s", name, failure, remedy)


def warn_many_traces(
    function: Any, count: int, before: tuple, key: tuple, names: list[str]
) -> None:
    """Warn, once for a function, which argument changes when it has been traced often."""
    if count != _MANY_TRACES:
        return
    changed = find_changes(before, key, names)
    logger.warning(
        "tf.function %s%s has been traced %d times, the last time because %s. Each trace costs as "
        "much as several calls: %s.",
        function.name,
        _line(function.python_function),
        count,
        " and ".join([change.text for change in changed]) or "a variable has another shape",
        advice_for({change.kind for change in changed}),
    )


def _line(function: Any) -> str:
    """Return the file and line where a function is defined, in parentheses."""
    code = getattr(function, "__code__", None)
    return "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
