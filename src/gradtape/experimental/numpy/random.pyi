# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from typing import Any

def poisson(lam: TensorLike = 1.0, size: ShapeLike = None) -> Tensor:
    """Draw numbers of events from a Poisson distribution with mean lam.

    Args:
        lam: the rate of the distribution.
        size: the shape of the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `size` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def rand(*size: Any) -> Tensor:
    """Return numbers from 0 to below 1, of this shape.

    Args:
        *size: the shape of the result.

    Raises:
        tf.errors.InvalidArgumentError if `size` is negative.
    """

def randint(low: Any, high: Any = None, size: ShapeLike = None, dtype: DTypeLike = ...) -> Tensor:
    """Return integers from low to below high, or from 0 to below low.

    Args:
        low: the lower bound, which is included.
        high: the upper bound, which is not included.
        size: the shape of the result.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `size` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def randn(*args: Any) -> Tensor:
    """Return normal numbers of this shape.

    Args:
        *args: positional arguments.

    Raises:
        TypeError if `args` has a type that it does not take.
    """

def random(size: ShapeLike = None) -> Tensor:
    """Return numbers from 0 to below 1.

    Args:
        size: the shape of the result.

    Raises:
        TypeError if `size` has a type that it does not take.
    """

def seed(s: Any) -> None:
    """Set the global seed.

    Args:
        s: the seed.

    Returns:
        Nothing.

    Raises:
        ValueError if `s` has a type that it does not take.
    """

def standard_normal(size: ShapeLike = None) -> Tensor:
    """Return normal numbers.

    Args:
        size: the shape of the result.

    Raises:
        TypeError if `size` has a type that it does not take.
    """

def uniform(low: TensorLike = 0.0, high: TensorLike = 1.0, size: ShapeLike = None) -> Tensor:
    """Return numbers from low to below high.

    Args:
        low: the lower bound, which is included.
        high: the upper bound, which is not included.
        size: the shape of the result.

    Raises:
        TypeError if `size` has a type that it does not take.
        ValueError if `low` or `high` has a type that it does not take.
    """
