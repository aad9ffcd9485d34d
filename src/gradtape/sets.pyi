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
    """Return the elements of the one tensor's sets that the other's do not have.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        aminusb: whether to take a without b, and not b without a.
        validate_indices: has no effect: indices are always checked.

    Raises:
        TypeError if `a` or `b` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `a` or `b` does not fit, or the shapes of `a`
            and `b` do not fit together.
    """

def intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Return the elements that the sets of both tensors have.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        validate_indices: has no effect: indices are always checked.

    Raises:
        TypeError if `a` or `b` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `a` or `b` does not fit, or the shapes of `a`
            and `b` do not fit together.
    """

def size(a: TensorLike, validate_indices: bool = True) -> Tensor:
    """Return the number of different elements in each row of a sparse tensor.

    Args:
        a: a tensor, or what converts to one.
        validate_indices: has no effect: indices are always checked.

    Raises:
        TypeError if the input is not sparse.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Return the elements that the sets of either tensor have.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        validate_indices: has no effect: indices are always checked.

    Raises:
        TypeError if `a` or `b` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `a` or `b` does not fit, or the shapes of `a`
            and `b` do not fit together.

    Example:
        >>> tf.sparse.to_dense(tf.sets.union([[1, 2]], [[2, 3]])).numpy()
        array([[1, 2, 3]], dtype=int32)
    """
