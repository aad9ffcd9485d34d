# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.typing import TensorLike
from typing import Any

def as_dict(value: TensorLike) -> Any:
    """Return the fields of an extension type's value by name; nested values stay as they are.

    Args:
        value: a value of an extension type.

    Returns:
        A dictionary.

    Raises:
        TypeError if it is no value of an extension type.
    """
