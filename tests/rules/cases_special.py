"""Error functions, gamma functions, Bessel functions and other special functions."""

from __future__ import annotations

from gradtape import ops
from tests.rules.harness import Case, random

A = random(3, 4)
UNIT = random(3, 4, seed=1, low=-0.8, high=0.8)
POSITIVE = random(3, 4, seed=2, low=0.3, high=3.0)
POSITIVE_ROW = random(4, seed=3, low=0.3, high=3.0)
FRACTION = random(3, 4, seed=4, low=0.1, high=0.8)
SHAPE = random(4, seed=5, low=0.5, high=4.0)

CASES = [
    Case("erf", ops.erf, [A]),
    Case("erfc", ops.erfc, [A]),
    Case("erfinv", ops.erfinv, [UNIT]),
    Case("erfcinv", lambda x: ops.erfcinv(1 + x), [UNIT]),
    Case("ndtri", ops.ndtri, [FRACTION]),
    Case("lgamma", ops.lgamma, [POSITIVE]),
    Case("lgamma negative", lambda x: ops.lgamma(-0.2 - 0.2 * x), [FRACTION]),
    Case("digamma", ops.digamma, [POSITIVE]),
    Case("polygamma", lambda x: ops.polygamma(2.0, x), [POSITIVE]),
    Case("zeta", lambda q: ops.zeta(2.5, q), [POSITIVE]),
    Case("igamma", ops.igamma, [POSITIVE, POSITIVE_ROW]),
    Case("igamma third order", ops.igamma, [SHAPE, POSITIVE_ROW], order=3),
    Case("igammac", ops.igammac, [POSITIVE_ROW, POSITIVE]),
    Case("igammac tail", lambda a, x: ops.igammac(a, 4 * x + 3), [POSITIVE, POSITIVE_ROW]),
    Case("betainc", lambda x: ops.betainc(1.5, 2.5, x), [FRACTION]),
    Case("betainc shapes", lambda x: ops.betainc(ops.to_tensor(SHAPE, x.dtype), 2.5, x),
         [FRACTION[0]], low_precision=False),  # the constants would not be narrowed
    Case("lbeta", ops.lbeta, [POSITIVE]),
    Case("spence", ops.spence, [POSITIVE]),
    Case("dawsn", ops.dawsn, [A]),
    Case("expint", ops.expint, [POSITIVE]),
    Case("fresnel_cos", ops.fresnel_cos, [A]),
    Case("fresnel_sin", ops.fresnel_sin, [A]),
]  # fmt: skip

for _op in (
    ops.bessel_i0, ops.bessel_i0e, ops.bessel_i1, ops.bessel_i1e, ops.bessel_j0, ops.bessel_j1,
):  # fmt: skip
    CASES.append(Case(_op.__name__, _op, [A]))
for _op in (
    ops.bessel_k0, ops.bessel_k0e, ops.bessel_k1, ops.bessel_k1e, ops.bessel_y0, ops.bessel_y1,
):  # fmt: skip
    CASES.append(Case(_op.__name__, _op, [POSITIVE]))
