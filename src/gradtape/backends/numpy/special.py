"""Error functions, gamma functions and Bessel functions: SciPy's, imported on first use."""

from __future__ import annotations

from math import factorial

import numpy as np

from gradtape.backends.broadcasting import broadcast_arrays


def of_scipy(function):
    """Return a kernel that passes `scipy.special` as first argument.

    16-bit numbers are computed in float32, and every result has the dtype of the inputs.
    """
    special = None

    def kernel(*arrays, **params):
        nonlocal special
        if special is None:
            import scipy.special as special
        dtype = arrays[-1].dtype
        if dtype.itemsize < 4:
            arrays = [a.astype(np.float32) for a in arrays]
        y = function(special, *arrays, **params)
        return y if y.dtype == dtype else y.astype(dtype)

    return kernel


def _named(name: str):
    return of_scipy(lambda special, *arrays: getattr(special, name)(*arrays))


def _nan_where(bad, y):
    return np.where(bad, y.dtype.type(np.nan), y)[()] if np.any(bad) else y


# TensorFlow differs at poles and limits, where SciPy returns the one-sided value: mostly nan.


@of_scipy
def digamma(special, x):
    return _nan_where(x == 0, special.psi(x))


@of_scipy
def lgamma(special, x):
    y, is_end = special.gammaln(x), np.isneginf(x)
    return np.where(is_end, y.dtype.type(np.inf), y)[()] if np.any(is_end) else y


@of_scipy
def zeta(special, x, q):
    y = special.zeta(x, q)
    lost = np.isnan(y) & (x > 1) & (q > 0)  # where SciPy's sum overflows, its first term is all
    y = np.where(lost, np.power(q, -x), y)[()] if np.any(lost) else y
    even = (x == np.floor(x)) & (x % 2 == 0)
    return _nan_where((q <= 0) & (q == np.floor(q)) & ~even, y)


@of_scipy
def polygamma(special, a, x):
    bad = (a < 0) | (a != np.floor(a))
    order = np.where(bad, 0, a)
    y = np.where(order % 2, 1, -1) * special.gamma(order + 1) * special.zeta(order + 1, x)
    return _nan_where(bad, np.where(order == 0, special.psi(x), y)[()])


@of_scipy
def igamma(special, a, x):
    return _nan_where((a <= 0) | (x < 0), special.gammainc(a, x))


@of_scipy
def igammac(special, a, x):
    return _nan_where((a <= 0) | (x < 0), special.gammaincc(a, x))


@of_scipy
def betainc(special, a, b, x):
    return _nan_where((a <= 0) | (b <= 0), special.betainc(a, b, x))


# --- derivatives of the incomplete gamma function by its first argument --------------------------
#
# They have no closed form. Where P(a, x) is a sum (x small) or a continued fraction (x large), the
# derivatives follow exactly by computing with truncated Taylor series in `a` instead of numbers:
# below, `c[k]` is the coefficient of (da)**k, for all elements at once.


def _divided(p, q):
    """Return the quotient of two Taylor series."""
    r = np.empty_like(p)
    for k in range(len(p)):
        r[k] = (p[k] - sum(q[j] * r[k - j] for j in range(1, k + 1))) / q[0]
    return r


def _exp(p):
    """Return the exponential of a Taylor series."""
    r = np.empty_like(p)
    r[0] = np.exp(p[0])
    for k in range(1, len(p)):
        r[k] = sum(j * p[j] * r[k - j] for j in range(1, k + 1)) / k
    return r


def _log_term(special, a, x, shift: int, order: int):
    """Return a log x - x - log Γ(a + shift), as a Taylor series."""
    p = np.empty((order + 1, a.size))
    p[0] = a * np.log(x) - x - special.gammaln(a + shift)
    p[1] = np.log(x) - special.psi(a + shift)
    for k in range(2, order + 1):
        p[k] = -special.polygamma(k - 1, a + shift) / factorial(k)
    return p


def _lower_by_sum(special, a, x, order: int):
    """Compute P = x^a e^-x / Γ(a+1) · Σ x^n / ((a+1)…(a+n)), for x <= a + 1.

    There the terms decrease from the start.
    """
    term = np.zeros((order + 1, a.size))
    term[0] = 1
    total = term.copy()
    n = 0
    while np.any(np.abs(term) > 1e-17 * np.abs(total)):
        n += 1
        term *= x
        term[0] /= a + n
        for k in range(1, order + 1):
            term[k] = (term[k] - term[k - 1]) / (a + n)
        total += term
    p = _exp(_log_term(special, a, x, 1, order))
    return _product_term(p, total)


def _product_term(p, q):
    """Return the last coefficient of the product of two Taylor series."""
    return sum(p[j] * q[-1 - j] for j in range(len(p)))


def _upper_by_fraction(special, a, x, order: int):
    """Compute Q by a continued fraction, from inside out.

    Q = x^a e^-x / Γ(a) / (x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - …))).
    """
    depth = 100 + int(10 * np.sqrt(np.max(a)))
    numerator = np.zeros((order + 1, a.size))
    fraction = numerator.copy()
    fraction[0], fraction[1] = x + 2 * depth + 1 - a, -1
    for n in range(depth, 0, -1):
        numerator[0], numerator[1] = n * (n - a), -n
        fraction = -_divided(numerator, fraction)
        fraction[0] += x + 2 * n - 1 - a
        fraction[1] -= 1
    return _divided(_exp(_log_term(special, a, x, 0, order)), fraction)[-1]


# Sum and fraction need some 10 √a terms near x = a; beyond this `a` the answer is nan.
_LARGEST_A = 1e7


@of_scipy
def igamma_by_a(special, a, x, order):
    a, x = broadcast_arrays(a, x)
    shape, dtype = a.shape, a.dtype
    a, x = a.astype(np.float64).ravel(), x.astype(np.float64).ravel()
    result = np.full(a.size, np.nan)
    inside = (a > 0) & (x >= 0) & (a < _LARGEST_A)
    result[inside & ((x == 0) | np.isinf(x))] = 0
    inside &= (x > 0) & np.isfinite(x)
    near = (x <= 1) | (x <= a)
    for part, compute, sign in (
        (inside & near, _lower_by_sum, 1),
        (inside & ~near, _upper_by_fraction, -1),
    ):
        if part.any():
            result[part] = sign * factorial(order) * compute(special, a[part], x[part], order)
    return result.reshape(shape).astype(dtype)[()]


KERNELS = {
    "erf": _named("erf"),
    "erfc": _named("erfc"),
    "erfinv": _named("erfinv"),
    "ndtri": _named("ndtri"),
    "lgamma": lgamma,
    "digamma": digamma,
    "polygamma": polygamma,
    "zeta": zeta,
    "igamma": igamma,
    "igammac": igammac,
    "igamma_by_a": igamma_by_a,
    "betainc": betainc,
    "bessel_i0": _named("i0"),
    "bessel_i0e": _named("i0e"),
    "bessel_i1": _named("i1"),
    "bessel_i1e": _named("i1e"),
    "bessel_j0": _named("j0"),
    "bessel_j1": _named("j1"),
    "bessel_k0": _named("k0"),
    "bessel_k0e": _named("k0e"),
    "bessel_k1": _named("k1"),
    "bessel_k1e": _named("k1e"),
    "bessel_y0": _named("y0"),
    "bessel_y1": _named("y1"),
    "dawsn": _named("dawsn"),
    "expint": _named("expi"),
    "spence": _named("spence"),
    "fresnel_cos": of_scipy(lambda special, x: special.fresnel(x)[1]),
    "fresnel_sin": of_scipy(lambda special, x: special.fresnel(x)[0]),
}
