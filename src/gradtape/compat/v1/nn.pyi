# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike

def xw_plus_b(
    x: TensorLike,
    weights: TensorLike,
    biases: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return x @ weights + biases.

    Args:
        x: a tensor, or what converts to one.
        weights: how much each element counts.
        biases: the bias of each class.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.
    """
