"""What a user is told about functions: why one runs eagerly, why one is traced again and again."""

from __future__ import annotations

import logging

from gradtape.engine.trace.signature import described
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
    changes = []
    before, now = keys[-2], keys[-1]
    for place, (old, new) in enumerate(zip(before, now, strict=False)):
        if old != new:
            label = parameters[place] if place < len(parameters) else f"argument {place}"
            changes.append(f"{label} changed from {described(old)} to {described(new)}")
    if len(before) != len(now):
        changes.append(f"{len(now)} arguments in place of {len(before)}")
    logger.warning(
        "tf.function %s has been traced %d times, the last time because %s. Each trace costs as "
        "much as several calls: pass Python numbers that change as tensors, and pad tensors to "
        "few shapes.",
        name,
        count,
        " and ".join(changes) or "a variable has another shape",
    )
