# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def is_mapping(obj: Any) -> bool:
    """Return whether a value is a mapping.

    Args:
        obj: any value.
    """
