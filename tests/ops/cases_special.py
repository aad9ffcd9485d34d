"""Error functions, gamma functions, Bessel functions and other special functions."""

from __future__ import annotations

from gradtape import ops
from tests.ops.harness import Case, random

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
    Case("igamma_by_a", lambda a, x: ops.igamma_by_a(a, x, 1), [POSITIVE, POSITIVE_ROW]),
    Case("igammac", ops.igammac, [POSITIVE_ROW, POSITIVE]),
    Case("igammac tail", lambda a, x: ops.igammac(a, 4 * x + 3), [POSITIVE, POSITIVE_ROW]),
    Case("betainc", lambda x: ops.betainc(1.5, 2.5, x), [FRACTION]),
    Case(
        "betainc shapes",
        lambda x: ops.betainc(ops.to_tensor(SHAPE, x.dtype), 2.5, x),
        [FRACTION[0]],
        low_precision=False,
    ),  # the constants would not be narrowed
    Case("lbeta", ops.lbeta, [POSITIVE]),
    Case("spence", ops.spence, [POSITIVE]),
    Case("dawsn", ops.dawsn, [A]),
    Case("expint", ops.expint, [POSITIVE]),
    Case("fresnel_cos", ops.fresnel_cos, [A]),
    Case("fresnel_sin", ops.fresnel_sin, [A]),
]

CASES += [
    Case(f"bessel_{name}", getattr(ops, f"bessel_{name}"), [args])
    for names, args in (("i0 i0e i1 i1e j0 j1", A), ("k0 k0e k1 k1e y0 y1", POSITIVE))
    for name in names.split()
]
