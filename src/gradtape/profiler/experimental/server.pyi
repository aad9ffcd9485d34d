# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def start(port: Any) -> None:
    """Log that there is no server: a program that can be profiled from outside goes on without.

    Args:
        port: has no effect; there for compatibility.

    Returns:
        Nothing.

    Raises:
        TypeError if `port` has a type that it does not take.
    """
