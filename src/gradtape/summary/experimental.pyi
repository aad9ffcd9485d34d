# Written by `python -m tools.stubs`: change the source, and run it again.

from contextlib import AbstractContextManager
from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike
from typing import Any

def get_step() -> Any:
    """Return the step that `set_step` or a writer's `as_default` has set; None if none has."""

def set_step(step: Any) -> None:
    """Set the step of summaries that do not name one; a variable is read when one is written."""

def summary_scope(
    name: str,
    default_name: str = 'summary',
    values: Any = None,
) -> AbstractContextManager[Any]:
    """Yield the tag of a summary in the open name scopes, and open a scope of its name."""

def write_raw_pb(tensor: TensorLike, step: Any = None, name: str | None = None) -> Tensor:
    """Write an encoded `Summary`."""
