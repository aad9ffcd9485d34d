# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.typing import TensorLike
from typing import Any

def from_dlpack(dlcapsule: Any) -> Any:
    """Return a tensor from a DLPack capsule, or from any object that offers one.

    Args:
        dlcapsule: a DLPack capsule, or an object with `__dlpack__`.

    Raises:
        ValueError if `dlcapsule` has a type that it does not take.
    """

def to_dlpack(tf_tensor: TensorLike) -> Any:
    """Return a DLPack capsule of a tensor's values.

    Args:
        tf_tensor: a tensor.

    Raises:
        tf.errors.InvalidArgumentError if it is no tensor.
    """
