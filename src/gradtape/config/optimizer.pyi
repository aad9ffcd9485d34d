# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def get_experimental_options() -> dict:
    """Return the options set; there is no graph that they could change."""

def get_jit() -> str:
    """Return what `set_jit` was given; nothing is compiled."""

def set_experimental_options(options: Any) -> None:
    """Store the options; there is no graph that they could change.

    Args:
        options: settings, as in TensorFlow.

    Returns:
        Nothing.

    Raises:
        TypeError if `options` has a type that it does not take.
    """

def set_jit(enabled: bool) -> None:
    """Store the setting; nothing is compiled.

    Args:
        enabled: whether it is on.

    Returns:
        Nothing.
    """
