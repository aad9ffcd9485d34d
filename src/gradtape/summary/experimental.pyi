# Written by `python -m tools.stubs`: change the source, and run it again.

from contextlib import AbstractContextManager
from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike
from typing import Any

def get_step() -> Any:
    """Return the step that `set_step` or a writer's `as_default` has set; None if none has.

    Returns:
        Whether the summary was written, as a tensor.
    """

def set_step(step: TensorLike) -> None:
    """Set the step of summaries that do not name one; a variable is read when one is written.

    Args:
        step: the number that the summary belongs to; the default step if None.

    Returns:
        Nothing.
    """

def summary_scope(
    name: str,
    default_name: str = 'summary',
    values: Any = None,
) -> AbstractContextManager[Any]:
    """Yield the tag of a summary in the open name scopes, and open a scope of its name.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        default_name: the name if there is none.
        values: a list of tensors, or one tensor.

    Returns:
        A context manager.
    """

def write_raw_pb(
    tensor: TensorLike,
    step: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Write an encoded `Summary`.

    Args:
        tensor: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set; without a default writer nothing is checked.
    """
