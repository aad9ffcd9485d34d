"""`tf.compat.v1.logging`: Python's logger that gradtape writes to, under TensorFlow 1's names."""

from __future__ import annotations

from collections import Counter

from gradtape.api.compat.scopes import get_logger
from gradtape.api.export import export

_LEVELS = {"DEBUG": 10, "INFO": 20, "WARN": 30, "ERROR": 40, "FATAL": 50}
for _name, _level in _LEVELS.items():
    export(f"compat.v1.logging.{_name}")(_level)


for _name in ("debug", "info", "warning", "error", "fatal", "log"):
    export(f"compat.v1.logging.{_name}")(getattr(get_logger(), _name))
export("compat.v1.logging.warn")(get_logger().warning)
_counts: Counter[str] = Counter()


@export("compat.v1.logging.TaskLevelStatusMessage")
def task_level_status_message(msg, *args) -> None:
    """Log at the level of errors."""
    get_logger().error(msg, *args)


@export("compat.v1.logging.flush")
def flush() -> None:
    """Do nothing: Python's handlers write at once."""


@export("compat.v1.logging.vlog")
def vlog(level, msg, *args) -> None:
    """Log a detail."""
    get_logger().debug(msg, *args)


@export("compat.v1.logging.log_if")
def log_if(level, msg, condition, *args) -> None:
    """Log if a condition holds."""
    if condition:
        get_logger().log(level, msg, *args)


@export("compat.v1.logging.log_every_n")
def log_every_n(level, msg, n, *args) -> None:
    """Log the first of every n messages of this text."""
    _counts[msg] += 1
    log_if(level, msg, (_counts[msg] - 1) % n == 0, *args)


@export("compat.v1.logging.log_first_n")
def log_first_n(level, msg, n, *args) -> None:
    """Log the first n messages of this text."""
    _counts[msg] += 1
    log_if(level, msg, _counts[msg] <= n, *args)


@export("compat.v1.logging.set_verbosity")
def set_verbosity(v) -> None:
    """Set the lowest level that is logged."""
    get_logger().setLevel(v)


@export("compat.v1.logging.get_verbosity")
def get_verbosity() -> int:
    """Return the lowest level that is logged."""
    return get_logger().getEffectiveLevel()
