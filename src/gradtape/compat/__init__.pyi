# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.names import _Horizon
from gradtape.compat import v1 as v1
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def as_bytes(bytes_or_text: Any, encoding: str = 'utf-8') -> bytes:
    """Convert text or bytes to bytes.

    Args:
        bytes_or_text: bytes or text.
        encoding: the encoding of the bytes, such as "utf-8".

    Returns:
        Bytes.

    Raises:
        TypeError if it is no text.
    """

def as_str_any(value: TensorLike, encoding: str = 'utf-8') -> str:
    """Convert anything to text.

    Args:
        value: a tensor, or what converts to one.
        encoding: the encoding of the bytes, such as "utf-8".

    Returns:
        A text.
    """

def as_text(bytes_or_text: Any, encoding: str = 'utf-8') -> str:
    """Convert text or bytes to text.

    Args:
        bytes_or_text: bytes or text.
        encoding: the encoding of the bytes, such as "utf-8".

    Returns:
        A text.

    Raises:
        TypeError if it is no text.
    """

bytes_or_text_types: tuple[type, ...]
complex_types: tuple[type, ...]
def dimension_at_index(shape: ShapeLike, index: Any) -> Any:
    """Return one size of a shape.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        index: which one.

    Raises:
        TypeError if `shape` or `index` has a type that it does not take.
    """

def dimension_value(dimension: Any) -> Any:
    """Return a size as a plain integer, or None.

    Args:
        dimension: a size, or a `Dimension`.
    """

def forward_compatibility_horizon(year: Any, month: Any, day: Any) -> _Horizon:
    """Open a block for which nothing changes.

    Args:
        year: a year.
        month: a month.
        day: a day.

    Returns:
        A context manager.
    """

def forward_compatible(year: Any, month: Any, day: Any) -> bool:
    """Return True: there is no older program to be compatible with.

    Args:
        year: a year.
        month: a month.
        day: a day.
    """

integral_types: tuple[type, ...]
def path_to_str(path: Any) -> Any:
    """Convert a path object to text; return anything else unchanged.

    Args:
        path: a path, as text or as a path object.

    Returns:
        A text, or what was given.
    """

real_types: tuple[type, ...]
as_str = as_text
