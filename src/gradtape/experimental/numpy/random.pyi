# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def poisson(lam: TensorLike = 1.0, size: ShapeLike = None) -> Tensor:
    """Draw numbers of events from a Poisson distribution with mean lam."""

def rand(*size: Any) -> Tensor:
    """Return numbers from 0 to below 1, of this shape."""

def randint(low: Any, high: Any = None, size: ShapeLike = None, dtype: DTypeLike = ...) -> Tensor:
    """Return integers from low to below high, or from 0 to below low."""

def randn(*args: Any) -> Tensor:
    """Return normal numbers of this shape."""

def random(size: ShapeLike = None) -> Tensor:
    """Return numbers from 0 to below 1."""

def seed(s: Any) -> None:
    """Set the global seed."""

def standard_normal(size: ShapeLike = None) -> Tensor:
    """Return normal numbers."""

def uniform(low: TensorLike = 0.0, high: TensorLike = 1.0, size: ShapeLike = None) -> Tensor:
    """Return numbers from low to below high."""
