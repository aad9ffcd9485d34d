"""Elementwise activations of neural networks (see `gelu.py` for that one)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.primitive import NoDerivative
from gradtape.ops.elementwise import greater, greater_equal, less, reciprocal, square, where
from gradtape.ops.families import FLOATS, REALS, check_dtype, elementwise, unary

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = [
    "elu",
    "leaky_relu",
    "log_sigmoid",
    "relu",
    "relu6",
    "relu_grad",
    "sigmoid",
    "silu",
    "softplus",
    "softsign",
]

sigmoid = unary("sigmoid", d=lambda ans: ans * (1 - ans))
softplus = unary("softplus", d=lambda x: sigmoid(x), allowed=FLOATS)
# A primitive, because the slope of a quotient would be inf / inf at infinity, where this one is 0.
softsign = unary("softsign", d=lambda x: reciprocal(square(1 + abs(x))), allowed=FLOATS)

# relu has its own rule, rather than maximum's: it saves a comparison. At 0 the gradient is 0.
relu = unary("relu", d=lambda t, ans: relu_grad(ans, t), allowed=REALS)
_STEP = NoDerivative("a step function of x: constant on each side of 0")
_relu_grad_p = elementwise("relu_grad", "x g", {"x": _STEP, "g": lambda t, x: relu_grad(x, t)})


def relu_grad(x: Any, g: Any) -> Any:
    """Return g where x > 0, else 0."""
    return bind(_relu_grad_p, (x, g))


def _elu_slope(ans: Any, alpha: float) -> Any:
    """Return the slope: 1 where x >= 0, as TensorFlow has it at 0; else alpha e^x = ans + alpha."""
    return where(less(ans, 0), ans + alpha, 1)


_elu_p = elementwise("elu", d={"x": _elu_slope})


def elu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Compute the exponential linear unit: x where it is positive, else alpha (e^x - 1)."""
    x = to_tensor(x)
    check_dtype("Elu", FLOATS, x)
    return bind(_elu_p, (x,), {"alpha": float(alpha)})


def relu6(x: TensorLike) -> Tensor:
    """Clip x between 0 and 6; the gradient is 0 at both ends, as in TensorFlow."""
    x = to_tensor(x)
    check_dtype("Relu6", REALS, x)
    return where(greater_equal(x, 6), 6, relu(x))


def leaky_relu(x: TensorLike, alpha: float) -> Tensor:
    """Return x where it is positive, else alpha x; the slope at 0 is alpha, as in TensorFlow."""
    x = to_tensor(x)
    return x * where(greater(x, 0), to_tensor(1, x.dtype), alpha)


def silu(x: TensorLike, beta: float = 1.0) -> Tensor:
    """Compute x · sigmoid(beta x), the sigmoid linear unit (swish)."""
    x = to_tensor(x)
    return x * sigmoid(x if type(beta) is float and beta == 1 else beta * x)


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log(sigmoid(x))."""
    return -softplus(-to_tensor(x))
