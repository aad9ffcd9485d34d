"""What is logged of conversions: see `tf.autograph.set_verbosity`."""

from __future__ import annotations

import logging
import os
from typing import Any

_logger = logging.getLogger("gradtape")


class _Chosen:
    """The program's choice."""

    level: int | None = None  # None: what the environment says
    prints = False


def set_level(level: int, prints: bool) -> None:
    """Log messages up to a level, and print them if asked to."""
    _Chosen.level, _Chosen.prints = level, prints


def _level() -> int:
    if _Chosen.level is not None:
        return _Chosen.level
    return int(os.environ.get("AUTOGRAPH_VERBOSITY") or 0)


def log(level: int, message: str, *args: Any) -> None:
    """Log a message of a level."""
    if _level() < level:
        return
    _logger.info(message, *args)
    if _Chosen.prints:
        print(message % args)
