"""Error functions, gamma functions, Bessel functions and other special functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    binary,
    check_dtype,
    elementwise,
    unary,
)

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "betainc",
    "dawsn",
    "digamma",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "igamma",
    "igamma_by_a",
    "igammac",
    "lbeta",
    "lgamma",
    "ndtri",
    "polygamma",
    "spence",
    "zeta",
]


def _special(name: str, d: Callable[..., Any]) -> Callable[..., Any]:
    return unary(name, d=d, allowed=FLOATS)


# --- error functions -----------------------------------------------------------------------------

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)

erf = _special("erf", d=lambda x: _TWO_OVER_ROOT_PI * ops.exp(-x * x))
erfc = _special("erfc", d=lambda x: -_TWO_OVER_ROOT_PI * ops.exp(-x * x))
erfinv = _special("erfinv", d=lambda ans: math.sqrt(math.pi) / 2 * ops.exp(ans * ans))
ndtri = _special("ndtri", d=lambda ans: math.sqrt(2 * math.pi) * ops.exp(ans * ans / 2))


def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse of erfc from ndtri, which is accurate in the tail near 0."""
    return -math.sqrt(0.5) * ndtri(0.5 * to_tensor(x))


# --- gamma functions -----------------------------------------------------------------------------

lgamma = _special("lgamma", d=lambda x: digamma(x))
digamma = _special("digamma", d=lambda x: polygamma(1.0, x))


def _no_derivative_by(what: str) -> Any:
    return NoDerivative(f"the derivative by {what} is not known here, nor in TensorFlow")


def _only_y(name: str, what: str, d: Callable[..., Any]) -> Callable[..., Any]:
    """Define an op of x and y that is differentiable in y only; `d` is a function of x and y."""
    missing = _no_derivative_by(what)
    return binary(name, d=(missing, d), allowed=FLOATS)


polygamma = _only_y("polygamma", "the order `a`", lambda x, y: polygamma(x + 1, y))
zeta = _only_y("zeta", "the exponent `x`", lambda x, y: -x * zeta(x + 1, y))


def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log |Beta(x)| over the last axis."""
    x = to_tensor(x)
    return ops.reduce_sum(lgamma(x), -1) - lgamma(ops.reduce_sum(x, -1))


# --- incomplete gamma and beta functions ---------------------------------------------------------


def _log_power(exponent: Any, x: Any) -> Any:
    """Return exponent · log x, and 0 where both are 0: the density of Gamma(1) at 0 is 1."""
    at_corner = ops.logical_and(ops.equal(exponent, 0), ops.equal(x, 0))
    return exponent * ops.log(ops.where(at_corner, 1, x))


def _gamma_density(a: Any, x: Any) -> Any:
    """Return dP/dx. Powers are added as logarithms, because each of them may overflow."""
    return ops.exp(_log_power(a - 1, x) - x - lgamma(a))


def _gamma_density_by_a(a: Any, x: Any, order: int) -> Tensor:
    """Return the derivative of the density with respect to a, of that order.

    With f the logarithm of the density D: D' = D f', and so on by the product rule, where
    f' = log x - digamma(a) and the higher derivatives of f are polygamma functions.
    """
    logs = [ops.log(x) - digamma(a), *(-polygamma(float(k), a) for k in range(1, order))]
    derivatives = [_gamma_density(a, x)]
    for n in range(order):
        terms = [math.comb(n, j) * derivatives[j] * logs[n - j] for j in range(n + 1)]
        derivatives.append(ops.add_n(terms))
    return derivatives[order]


_igamma_by_a_p = elementwise(
    "igamma_by_a",
    "a x",
    {"a": lambda a, x, order: igamma_by_a(a, x, order + 1), "x": _gamma_density_by_a},
)


def igamma_by_a(a: Any, x: Any, order: int) -> Any:
    """Return the derivative of igamma(a, x) with respect to a, of that order."""
    return bind(_igamma_by_a_p, (a, x), {"order": order})


igamma = binary(
    "igamma",
    d=(lambda x, y: igamma_by_a(x, y, 1), lambda x, y: _gamma_density(x, y)),
    allowed=FLOATS,
)
igammac = binary(
    "igammac",
    d=(lambda x, y: -igamma_by_a(x, y, 1), lambda x, y: -_gamma_density(x, y)),
    allowed=FLOATS,
)


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    return ops.exp(_log_power(a - 1, x) + _log_power(b - 1, 1 - x) - log_beta)


def _betainc_shape(a: Spec, b: Spec, x: Spec) -> Spec:
    shapes = [s.shape for s in (a, b, x) if s.shape]
    for shape in shapes:
        if shape != shapes[0]:
            raise ShapeError(
                f"Betainc: Shapes of a, b and x are inconsistent: {list(a.shape)}, "
                f"{list(b.shape)} and {list(x.shape)}. They must be equal, or some of them "
                "scalars. [Op:Betainc]"
            )
    return Spec(shapes[0] if shapes else (), x.dtype)


_betainc_p = elementwise(
    "betainc",
    "a b x",
    {"a": _no_derivative_by("`a`"), "b": _no_derivative_by("`b`"), "x": _beta_density},
)


def betainc(a: Tensor, b: Tensor, x: Tensor, name: str | None = None) -> Tensor:
    """Compute the regularized incomplete beta function."""
    a, x = operands("betainc", a, x)
    b, x = operands("betainc", b, x)
    check_dtype("betainc", FLOATS, x)
    _betainc_shape(a._spec(), b._spec(), x._spec())
    return bind(_betainc_p, (a, b, x))


# --- Bessel functions ----------------------------------------------------------------------------


def _over(y: Any, x: Any, limit: float) -> Any:
    """Return y / x, and its limit at 0."""
    is_zero = ops.equal(x, 0)
    return ops.where(is_zero, limit, y / ops.where(is_zero, 1, x))


bessel_i0 = _special("bessel_i0", d=lambda x: bessel_i1(x))
bessel_i1 = _special("bessel_i1", d=lambda x, ans: bessel_i0(x) - _over(ans, x, 0.5))
bessel_i0e = _special("bessel_i0e", d=lambda x, ans: bessel_i1e(x) - ops.sign(x) * ans)
bessel_i1e = _special(
    "bessel_i1e", d=lambda x, ans: bessel_i0e(x) - ops.sign(x) * ans - _over(ans, x, 0.5)
)
bessel_j0 = _special("bessel_j0", d=lambda x: -bessel_j1(x))
bessel_j1 = _special("bessel_j1", d=lambda x, ans: bessel_j0(x) - _over(ans, x, 0.5))
bessel_y0 = _special("bessel_y0", d=lambda x: -bessel_y1(x))
bessel_y1 = _special("bessel_y1", d=lambda x, ans: bessel_y0(x) - ans / x)
bessel_k0 = _special("bessel_k0", d=lambda x: -bessel_k1(x))
bessel_k1 = _special("bessel_k1", d=lambda x, ans: -bessel_k0(x) - ans / x)
bessel_k0e = _special("bessel_k0e", d=lambda x, ans: ans - bessel_k1e(x))
bessel_k1e = _special("bessel_k1e", d=lambda x, ans: ans * (1 - 1 / x) - bessel_k0e(x))

# --- integrals -----------------------------------------------------------------------------------

dawsn = _special("dawsn", d=lambda x, ans: 1 - 2 * x * ans)
expint = _special("expint", d=lambda x: ops.exp(x) / x)
fresnel_cos = _special("fresnel_cos", d=lambda x: ops.cos(math.pi / 2 * (x * x)))
fresnel_sin = _special("fresnel_sin", d=lambda x: ops.sin(math.pi / 2 * (x * x)))


def _spence_slope(x: Any) -> Any:
    """Return log x / (1 - x), and its limit -1 at 1."""
    is_one = ops.equal(x, 1)
    safe = ops.where(is_one, 2, x)
    return ops.where(is_one, -1, ops.log(safe) / (1 - safe))


spence = _special("spence", d=_spence_slope)
