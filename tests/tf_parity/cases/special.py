"""Special functions: gamma, beta, zeta, error and Bessel functions."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, normal, positive, uniform

case = CaseList()

FLOATS = ("float32", "float64")
for path in "math.lgamma math.digamma".split():
    for dtype in FLOATS:
        case(f"{path}_{dtype}", call(path), x=positive(3, 4, dtype=dtype))
    case(f"{path}_large", call(path), x=array([10.0, 50.0, 170.0, 1e4], "float64"))
    case(f"{path}_negative", call(path), x=array([-0.5, -1.5, -2.25, -3.75], "float64"))
case(
    "lgamma_special_points", call("math.lgamma"), wrt="", x=array([1.0, 2.0, 0.0, -1.0], "float64")
)

for name in "i0 i0e i1 i1e".split():
    for dtype in FLOATS:
        given = array([-9.0, -1.5, -0.25, 0.5, 2.0, 7.5, 12.0], dtype)
        case(f"math.bessel_{name}_{dtype}", call(f"math.bessel_{name}"), x=given)
    case(f"math.special.bessel_{name}", call(f"math.special.bessel_{name}"), x=normal(4))
for name in "j0 j1 k0 k0e k1 k1e y0 y1".split():
    for dtype in FLOATS:
        given = array([0.25, 0.75, 1.5, 2.5, 4.0, 6.5, 11.0], dtype)
        case(f"math.special.bessel_{name}_{dtype}", call(f"math.special.bessel_{name}"), x=given)
for name in "dawsn expint fresnel_cos fresnel_sin spence".split():
    for dtype in FLOATS:
        given = uniform(6, low=0.2, high=2.0, dtype=dtype)
        case(f"math.special.{name}_{dtype}", call(f"math.special.{name}"), x=given)

for dtype in FLOATS:
    shape_and_place = {"a": positive(3, 3, dtype=dtype), "x": positive(3, dtype=dtype)}
    case(f"igamma_{dtype}", call("math.igamma"), **shape_and_place)
    case(f"igammac_{dtype}", call("math.igammac"), **shape_and_place)
    case(
        f"betainc_{dtype}",
        call("math.betainc"),
        # TensorFlow differentiates only with respect to x.
        wrt="x",
        a=positive(4, dtype=dtype),
        b=positive(4, dtype=dtype),
        x=uniform(4, low=0.1, high=0.9, dtype=dtype),
    )
    case(
        f"zeta_{dtype}",
        call("math.zeta"),
        wrt="q",
        x=uniform(4, low=1.5, high=5.0, dtype=dtype),
        q=positive(4, dtype=dtype),
    )
    case(
        f"polygamma_{dtype}",
        call("math.polygamma"),
        wrt="x",
        a=array([1.0, 2.0, 3.0, 4.0], dtype),
        x=positive(4, dtype=dtype),
    )
    case(f"ndtri_{dtype}", call("math.ndtri"), x=uniform(5, low=0.02, high=0.98, dtype=dtype))
    case(f"erfcinv_{dtype}", call("math.erfcinv"), x=uniform(5, low=0.05, high=1.95, dtype=dtype))
    case(f"lbeta_{dtype}", call("math.lbeta"), x=positive(3, 4, dtype=dtype))
case(
    "igamma_large",
    call("math.igamma"),
    a=array([10.0, 30.0], "float64"),
    x=array([12.0, 25.0], "float64"),
)
case(
    "igammac_far",
    call("math.igammac"),
    a=array([1.0, 2.0], "float64"),
    x=array([15.0, 20.0], "float64"),
)
case("igamma_at_zero", call("math.igamma"), wrt="", a=array([1.0, 2.0]), x=array([0.0, 0.0]))
case(
    "betainc_broadcast",
    call("math.betainc"),
    wrt="x",
    a=array(2.0),
    b=array(3.0),
    x=uniform(4, low=0.1, high=0.9),
)
case(
    "betainc_ends",
    call("math.betainc"),
    wrt="",
    a=array([2.0, 2.0]),
    b=array([3.0, 3.0]),
    x=array([0.0, 1.0]),
)
case("lbeta_vector", call("math.lbeta"), x=positive(3))
case(
    "polygamma_order_zero",
    call("math.polygamma"),
    wrt="x",
    a=array([0.0, 0.0], "float64"),
    x=positive(2, dtype="float64"),
)
case("erfinv_ends", call("math.erfinv"), wrt="", x=array([-1.0, 1.0, 0.0]))
case("ndtri_ends", call("math.ndtri"), wrt="", x=array([0.0, 1.0, 0.5]))
case("erf_of_chain", lambda tf, x: tf.math.erf(x / tf.sqrt(2.0)), x=normal(4))
case(
    "lgamma_binomial",
    lambda tf, n, k: tf.math.lgamma(n + 1) - tf.math.lgamma(k + 1) - tf.math.lgamma(n - k + 1),
    n=uniform(4, low=5.0, high=9.0, dtype="float64"),
    k=uniform(4, low=1.0, high=4.0, dtype="float64"),
)
case("sobol_sample", lambda tf: tf.math.sobol_sample(3, 5), exact=True)
case(
    "sobol_sample_skip", lambda tf: tf.math.sobol_sample(2, 4, skip=3, dtype=tf.float64), exact=True
)
