# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike

def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bitwise_and` elementwise."""

def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bitwise_or` elementwise."""

def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bitwise_xor` elementwise."""

def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bitwise_invert` elementwise."""

def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `left_shift` elementwise."""

def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `right_shift` elementwise."""
