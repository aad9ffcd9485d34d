# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike

def difference(
    a: TensorLike,
    b: TensorLike,
    aminusb: bool = True,
    validate_indices: bool = True,
) -> SparseTensor:
    """Return the elements of the one tensor's sets that the other's do not have."""

def intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Return the elements that the sets of both tensors have."""

def size(a: TensorLike, validate_indices: bool = True) -> Tensor:
    """Return the number of different elements in each row of a sparse tensor."""

def union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Return the elements that the sets of either tensor have."""
