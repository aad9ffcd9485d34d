# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def no_automatic_dependency_tracking(method: str) -> Any:
    """Decorate a method: checkpoints do not follow what it assigns to attributes.

    Args:
        method: how: see above.

    Returns:
        `<class 'inspect._empty'>`.
    """
