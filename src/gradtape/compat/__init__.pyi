# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.names import _Horizon
from gradtape.compat import v1 as v1
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def as_bytes(bytes_or_text: Any, encoding: str = 'utf-8') -> bytes:
    """Convert text or bytes to bytes."""

def as_str_any(value: TensorLike, encoding: str = 'utf-8') -> str:
    """Convert anything to text."""

def as_text(bytes_or_text: Any, encoding: str = 'utf-8') -> str:
    """Convert text or bytes to text."""

bytes_or_text_types: tuple[type, ...]
complex_types: tuple[type, ...]
def dimension_at_index(shape: ShapeLike, index: Any) -> Any:
    """Return one size of a shape."""

def dimension_value(dimension: Any) -> Any:
    """Return a size as a plain integer, or None."""

def forward_compatibility_horizon(year: Any, month: Any, day: Any) -> _Horizon:
    """Open a block for which nothing changes."""

def forward_compatible(year: Any, month: Any, day: Any) -> bool:
    """Return True: there is no older program to be compatible with."""

integral_types: tuple[type, ...]
def path_to_str(path: Any) -> Any:
    """Convert a path object to text; return anything else unchanged."""

real_types: tuple[type, ...]
as_str = as_text
