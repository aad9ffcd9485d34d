"""Error functions, gamma functions, Bessel functions and other special functions."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    batch_elementwise,
    binary,
    broadcasting,
    check_dtype,
    unary,
)

__all__ = [
    "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "bessel_j0", "bessel_j1", "bessel_k0",
    "bessel_k0e", "bessel_k1", "bessel_k1e", "bessel_y0", "bessel_y1", "betainc", "dawsn",
    "digamma", "erf", "erfc", "erfcinv", "erfinv", "expint", "fresnel_cos", "fresnel_sin",
    "igamma", "igamma_by_a", "igammac", "lbeta", "lgamma", "ndtri", "polygamma", "spence", "zeta",
]  # fmt: skip


def _special(name: str, d):
    return unary(name, d=d, allowed=FLOATS)


# --- error functions -----------------------------------------------------------------------------

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)

erf = _special("erf", d=lambda x: _TWO_OVER_ROOT_PI * ops.exp(-x * x))
erfc = _special("erfc", d=lambda x: -_TWO_OVER_ROOT_PI * ops.exp(-x * x))
erfinv = _special("erfinv", d=lambda ans: math.sqrt(math.pi) / 2 * ops.exp(ans * ans))
ndtri = _special("ndtri", d=lambda ans: math.sqrt(2 * math.pi) * ops.exp(ans * ans / 2))


def erfcinv(x, name=None):
    """The inverse of erfc, by way of ndtri, which is exact in the tail near 0."""
    return -math.sqrt(0.5) * ndtri(0.5 * to_tensor(x))


# --- gamma functions -----------------------------------------------------------------------------

lgamma = _special("lgamma", d=lambda x: digamma(x))
digamma = _special("digamma", d=lambda x: polygamma(1.0, x))


def _no_derivative_by(what: str):
    return NoDerivative(f"the derivative by {what} is not known here, nor in TensorFlow")


def _only_y(name: str, what: str, d):
    """An op of x and y that is differentiated by y only; `d` is a function of x and y."""
    missing = _no_derivative_by(what)
    prim = primitive(
        name, "x y", shape=broadcasting(name), batch=batch_elementwise, broadcasts=True,
        vjp={"x": missing, "y": lambda g, x, y: g * d(x, y)},
        jvp={"x": missing, "y": lambda t, x, y: t * d(x, y)},
    )  # fmt: skip

    def op(x, y, name=None):
        x, y = operands(prim.name, x, y)
        check_dtype(prim.name, FLOATS, x)
        return bind(prim, (x, y))

    op.__name__ = op.__qualname__ = name
    op.__doc__ = f"The op `{name}`, on each element."
    return op


polygamma = _only_y("polygamma", "the order `a`", lambda a, x: polygamma(a + 1, x))
zeta = _only_y("zeta", "the exponent `x`", lambda x, q: -x * zeta(x + 1, q))


def lbeta(x, name=None):
    """log |Beta(x)| over the last axis."""
    x = to_tensor(x)
    return ops.reduce_sum(lgamma(x), -1) - lgamma(ops.reduce_sum(x, -1))


# --- incomplete gamma and beta functions ---------------------------------------------------------


def _log_power(exponent, x):
    """exponent · log x, and 0 where both are 0: the density of Gamma(1) at 0 is 1."""
    at_corner = ops.logical_and(ops.equal(exponent, 0), ops.equal(x, 0))
    return exponent * ops.log(ops.where(at_corner, 1, x))


def _gamma_density(a, x):
    """dP/dx. Powers are added as logarithms, because each of them may overflow."""
    return ops.exp(_log_power(a - 1, x) - x - lgamma(a))


def _gamma_density_by_a(a, x, order: int):
    """The derivative of the density, of that order, by a.

    With f the logarithm of the density D: D' = D f', and so on by the product rule, where
    f' = log x - digamma(a) and the higher derivatives of f are polygamma functions.
    """
    logs = [ops.log(x) - digamma(a), *(-polygamma(float(k), a) for k in range(1, order))]
    derivatives = [_gamma_density(a, x)]
    for n in range(order):
        terms = [math.comb(n, j) * derivatives[j] * logs[n - j] for j in range(n + 1)]
        derivatives.append(ops.add_n(terms))
    return derivatives[order]


_igamma_by_a_p = primitive(
    "igamma_by_a", "a x", shape=broadcasting("igamma_by_a"), batch=batch_elementwise,
    broadcasts=True,
    vjp={
        "a": lambda g, a, x, order: g * igamma_by_a(a, x, order + 1),
        "x": lambda g, a, x, order: g * _gamma_density_by_a(a, x, order),
    },
    jvp={
        "a": lambda t, a, x, order: t * igamma_by_a(a, x, order + 1),
        "x": lambda t, a, x, order: t * _gamma_density_by_a(a, x, order),
    },
)  # fmt: skip


def igamma_by_a(a, x, order: int):
    """The derivative of igamma(a, x), of that order, by a."""
    return bind(_igamma_by_a_p, (a, x), {"order": order})


igamma = binary(
    "igamma",
    vjp=(lambda g, x, y: g * igamma_by_a(x, y, 1), lambda g, x, y: g * _gamma_density(x, y)),
    jvp=(lambda t, x, y: t * igamma_by_a(x, y, 1), lambda t, x, y: t * _gamma_density(x, y)),
    allowed=FLOATS,
)
igammac = binary(
    "igammac",
    vjp=(lambda g, x, y: -g * igamma_by_a(x, y, 1), lambda g, x, y: -g * _gamma_density(x, y)),
    jvp=(lambda t, x, y: -t * igamma_by_a(x, y, 1), lambda t, x, y: -t * _gamma_density(x, y)),
    allowed=FLOATS,
)


def _beta_density(a, b, x):
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


_betainc_p = primitive(
    "betainc", "a b x", shape=broadcasting("betainc"), batch=batch_elementwise, broadcasts=True,
    vjp={
        "a": _no_derivative_by("`a`"),
        "b": _no_derivative_by("`b`"),
        "x": lambda g, a, b, x: g * _beta_density(a, b, x),
    },
    jvp={
        "a": _no_derivative_by("`a`"),
        "b": _no_derivative_by("`b`"),
        "x": lambda t, a, b, x: t * _beta_density(a, b, x),
    },
)  # fmt: skip


def betainc(a, b, x, name=None):
    """The regularized incomplete beta function."""
    a, x = operands("betainc", a, x)
    b, x = operands("betainc", b, x)
    check_dtype("betainc", FLOATS, x)
    _betainc_shape(a._spec(), b._spec(), x._spec())
    return bind(_betainc_p, (a, b, x))


# --- Bessel functions ----------------------------------------------------------------------------


def _over(y, x, limit: float):
    """y / x, and its limit at 0."""
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


def _spence_slope(x):
    """log x / (1 - x), which tends to -1 at 1."""
    is_one = ops.equal(x, 1)
    safe = ops.where(is_one, 2, x)
    return ops.where(is_one, -1, ops.log(safe) / (1 - safe))


spence = _special("spence", d=_spence_slope)
