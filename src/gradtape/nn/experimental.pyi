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
    """Apply dropout by the numbers that `uniform_sampler(shape=…, dtype=…)` draws from [0, 1)."""

def stateless_dropout(
    x: TensorLike,
    rate: TensorLike,
    seed: Any,
    rng_alg: Any = None,
    noise_shape: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Apply dropout, as a seed of two integers decides."""
