"""What one process of a job does for all: writing files that all of them share."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from gradtape.distribute.process.cluster import current
from gradtape.distribute.process.coordination import store
from gradtape.distribute.process.membership import ClusterError

_serial = itertools.count()
_DONE = "done"
_GLANCE_SECONDS = 1.0  # between two looks, the watch over lost processes can speak up


def is_chief() -> bool:
    """Return whether this process is the one that writes; it is, where there is no other."""
    return current().is_chief


def by_chief(action: Callable[[], object], what: str) -> None:
    """Run something in the chief; the others wait until it is done, or fail as it did.

    The chief waits for nobody: a program in which only the chief comes here goes on.
    """
    if current().process_count == 1:
        action()
        return
    notes, key = store(), f"chief/{next(_serial)}"
    if is_chief():
        try:
            action()
        except BaseException as error:
            if notes is not None:
                notes.write(key, f"{type(error).__name__}: {error}")
            raise
        if notes is not None:
            notes.write(key, _DONE)
    elif notes is not None:
        while (outcome := notes.glance(key, _GLANCE_SECONDS)) is None:
            pass
        if outcome != _DONE:
            raise ClusterError(f"Process 0 could not {what}: {outcome}")
