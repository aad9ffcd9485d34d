# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape.core.tensor import Tensor
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def general_dropout(
    x: TensorLike,
    rate: TensorLike,
    uniform_sampler: Callable[..., Any],
    noise_shape: ShapeLike = None,
    name: str | None = None,
) -> Any:
    """Apply dropout by the numbers that `uniform_sampler(shape=…, dtype=…)` draws from [0, 1).

    Args:
        x: a tensor, or what converts to one.
        rate: the share of elements that are dropped; for convolutions, the distance of the kernel's
            elements.
        uniform_sampler: a function of shape and dtype.
        noise_shape: the shape of what is drawn; axes of size 1 are dropped together.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the rate is not in [0, 1).
    """

def stateless_dropout(
    x: TensorLike,
    rate: TensorLike,
    seed: Any,
    rng_alg: Any = None,
    noise_shape: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Apply dropout, as a seed of two integers decides.

    Args:
        x: a tensor, or what converts to one.
        rate: the share of elements that are dropped; for convolutions, the distance of the kernel's
            elements.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        rng_alg: which generator of random numbers.
        noise_shape: the shape of what is drawn; axes of size 1 are dropped together.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
