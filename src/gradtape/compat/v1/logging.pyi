# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.typing import TensorLike
from typing import Any

DEBUG: int
ERROR: int
FATAL: int
INFO: int
def TaskLevelStatusMessage(msg: Any, *args: Any) -> None:
    """Log at the level of errors.

    Args:
        msg: the text.
        *args: positional arguments.

    Returns:
        Nothing.
    """

WARN: int
def debug(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with severity 'DEBUG'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.debug("Houston, we have a %s", "thorny problem", exc_info=1)
    """

def error(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with severity 'ERROR'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.error("Houston, we have a %s", "major problem", exc_info=1)
    """

def fatal(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Don't use this method, use critical() instead."""

def flush() -> None:
    """Do nothing: Python's handlers write at once.

    Returns:
        Nothing.
    """

def get_verbosity() -> int:
    """Return the lowest level that is logged."""

def info(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with severity 'INFO'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.info("Houston, we have a %s", "interesting problem", exc_info=1)
    """

def log(level: Any, msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with the integer severity 'level'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.log(level, "We have a %s", "mysterious problem", exc_info=1)
    """

def log_every_n(level: Any, msg: Any, n: Any, *args: Any) -> None:
    """Log the first of every n messages of this text.

    Args:
        level: how much is logged.
        msg: the text.
        n: how many; for differences, how often.
        *args: positional arguments.

    Returns:
        Nothing.

    Raises:
        TypeError if `level` or `n` has a type that it does not take.
    """

def log_first_n(level: Any, msg: Any, n: Any, *args: Any) -> None:
    """Log the first n messages of this text.

    Args:
        level: how much is logged.
        msg: the text.
        n: how many; for differences, how often.
        *args: positional arguments.

    Returns:
        Nothing.

    Raises:
        TypeError if `n` has a type that it does not take.
    """

def log_if(level: Any, msg: Any, condition: TensorLike, *args: Any) -> None:
    """Log if a condition holds.

    Args:
        level: how much is logged.
        msg: the text.
        condition: truth values: where to take x.
        *args: positional arguments.

    Returns:
        Nothing.

    Raises:
        TypeError if `level` has a type that it does not take.
    """

def set_verbosity(v: Any) -> None:
    """Set the lowest level that is logged.

    Args:
        v: a tensor, or what converts to one.

    Returns:
        Nothing.

    Raises:
        TypeError if `v` has a type that it does not take.
    """

def vlog(level: Any, msg: Any, *args: Any) -> None:
    """Log a detail.

    Args:
        level: how much is logged.
        msg: the text.
        *args: positional arguments.

    Returns:
        Nothing.
    """

def warn(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with severity 'WARNING'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.warning("Houston, we have a %s", "bit of a problem", exc_info=1)
    """

def warning(msg: Any, *args: Any, **kwargs: Any) -> Any:
    """Log 'msg % args' with severity 'WARNING'.

    To pass exception information, use the keyword argument exc_info with
    a true value, e.g.

    logger.warning("Houston, we have a %s", "bit of a problem", exc_info=1)
    """
