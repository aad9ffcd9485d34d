"""What a user is told about functions: why one runs eagerly, why one is traced again and again."""

from __future__ import annotations

import logging

from gradtape.engine.trace.changes import advice, changes
from gradtape.engine.trace.tracing import Failure

logger = logging.getLogger("gradtape")
_FIRST_REPORT = 5  # traces; the next report comes when there are twice as many


def runs_eagerly(name: str, failure: Failure | str) -> None:
    """Say, once for a function, that it is not compiled, where it stops, and the remedy."""
    remedy = "It gives the right results, one op at a time."
    if "decides" in str(failure):
        remedy += (
            " To have it compiled, choose with tf.where or tf.cond in place of `if`, and repeat "
            "with tf.while_loop, tf.scan or tf.map_fn in place of a loop that depends on a tensor."
        )
    elif "asks for" in str(failure) or "of a tensor" in str(failure) or "needed" in str(failure):
        remedy += (
            " To have it compiled, keep to tensor ops (tf.print to print), and move what needs a "
            "value out of the function."
        )
    logger.warning("tf.function %s runs eagerly: %s. %s", name, failure, remedy)


def traced_often(name: str, count: int, keys: list, parameters: list[str]) -> None:
    """Say which argument changed, once a function has been traced often."""
    if count < _FIRST_REPORT or count % _FIRST_REPORT or (n := count // _FIRST_REPORT) & (n - 1):
        return
    found = changes(keys[-2], keys[-1], parameters)
    logger.warning(
        "tf.function %s has been traced %d times, the last time because %s. Each trace costs as "
        "much as several calls: %s.",
        name,
        count,
        " and ".join([change.text for change in found]) or "a variable has another shape",
        advice({change.kind for change in found}),
    )
