# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike

def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits that x and y both have.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: an operation on the bits of integers.

    Example:
        >>> tf.bitwise.bitwise_and(tf.constant(6), 3).numpy()
        np.int32(2)
    """

def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits that x or y has.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: an operation on the bits of integers.
    """

def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits in which x and y differ.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: an operation on the bits of integers.
    """

def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x with all bits flipped.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: an operation on the bits of integers.
    """

def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x with its bits moved y places to the left.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: an operation on the bits of integers.
    """

def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x with its bits moved y places to the right.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: an operation on the bits of integers.
    """
