"""The Gaussian error linear unit, exact and by tanh: one pass forward, one pass backward.

x Φ(x), with Φ the normal distribution function; or x s(x) with s = (1 + tanh u) / 2 = sigmoid(2 u)
in its place, where 2 u = x (A + B x²).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.backends.constants import GELU_A as A
from gradtape.backends.constants import GELU_B as B
from gradtape.backends.constants import ROOT_HALF
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.ops.families import FLOATS, check_dtype, elementwise

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = ["gelu"]


def _exact_curve(x: Any) -> Any:
    """Return the second derivative."""
    square = (ROOT_HALF * x) ** 2
    return 2 * ROOT_HALF / math.sqrt(math.pi) * ops.exp(-square) * (1 - square)


def _tanh_curve(x: Any) -> Any:
    square = x * x
    s, w = ops.sigmoid(x * (A + B * square)), A + 3 * B * square
    return s * (1 - s) * (2 * w + x * ((1 - 2 * s) * w * w + 6 * B * x))


def _pair(name: str, curve: Callable[..., Any]) -> Primitive:
    """Define the function and a second primitive: its slope times a cotangent."""
    slope = elementwise(
        f"{name}_grad",
        "x g",
        {"x": lambda t, x, g: t * g * curve(x), "g": lambda t, x: bind(slope, (x, t))},
    )
    return elementwise(name, d={"x": lambda t, x: bind(slope, (x, t))})


_exact_p, _tanh_p = _pair("gelu", _exact_curve), _pair("gelu_tanh", _tanh_curve)


def gelu(x: TensorLike, approximate: bool = False) -> Tensor:
    """Compute x times the normal distribution function of x, or its approximation by tanh."""
    x = to_tensor(x)
    check_dtype("Gelu", FLOATS, x)
    return bind(_tanh_p if approximate else _exact_p, (x,))
