"""Cumulative sums and products, sorting, searching, and sets of values."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, distinct, integers, normal, positive, uniform

case = CaseList()

FORMS = {
    "plain": {},
    "axis1": {"axis": 1},
    "exclusive": {"axis": 1, "exclusive": True},
    "reverse": {"axis": 0, "reverse": True},
    "exclusive_reverse": {"axis": -1, "exclusive": True, "reverse": True},
}
for name in ("cumsum", "cumprod", "cumulative_logsumexp"):
    for label, options in FORMS.items():
        case(f"{name}_{label}", call(f"math.{name}", **options), x=positive(3, 4))
        float64 = normal(3, 4, dtype="float64")
        case(f"{name}_{label}_float64", call(f"math.{name}", **options), x=float64)
    case(f"{name}_one_element", call(f"math.{name}", exclusive=True), x=normal(1))
    case(f"{name}_three_axes", call(f"math.{name}", axis=1), x=normal(2, 3, 2))
for name in ("cumsum", "cumprod"):
    case(f"{name}_int32", call(f"math.{name}", axis=1), x=integers(3, 4, low=-3, high=4))
    # TensorFlow leaves the conjugate out of the gradient of a complex product.
    wrt = "" if name == "cumprod" else None
    complexes = normal(2, 3, dtype="complex64")
    case(f"{name}_complex64", call(f"math.{name}", axis=1), wrt=wrt, x=complexes)
    case(f"{name}_float16", call(f"math.{name}"), x=positive(4, dtype="float16"))
case("top_level_cumsum", call("cumsum"), x=normal(5))
# TensorFlow leaves terms out of the gradient of a product with zeros.
case("cumprod_with_zero", call("math.cumprod"), wrt="", x=array([2.0, 0.0, 3.0, 4.0]))
case("cumsum_of_squares", lambda tf, x: tf.cumsum(x * x, axis=1)[:, -1], x=normal(2, 4))

for axis in (0, 1, -1):
    label = str(axis).replace("-", "minus_")
    for direction in ("ASCENDING", "DESCENDING"):
        options = {"axis": axis, "direction": direction}
        name = f"axis_{label}_{direction.lower()}"
        case(f"sort_{name}", call("sort", **options), x=distinct(3, 4))
        case(f"argsort_{name}", call("argsort", **options), wrt="", x=distinct(3, 4))
case("sort_middle_axis", call("sort", axis=1), x=distinct(2, 4, 3))
case("sort_float64", call("sort"), x=distinct(5, dtype="float64"))
case("sort_int32", call("sort", axis=0), x=integers(5, 3, low=-9, high=9))
case("sort_int32_descending", call("sort", direction="DESCENDING"), x=integers(7, low=-9, high=9))
case("argsort_stable", call("argsort", stable=True), x=array([2, 1, 2, 1, 0], "int32"))
case("argsort_then_gather", lambda tf, x: tf.gather(x, tf.argsort(x)), x=distinct(6))
case("sort_weighted", lambda tf, x, w: tf.reduce_sum(tf.sort(x) * w), x=distinct(6), w=normal(6))
case("top_k", call("math.top_k", k=2), x=distinct(3, 5))
case("nn.top_k_default", call("nn.top_k"), x=distinct(4))
case("top_k_all", call("math.top_k", k=5), x=distinct(5))
case("top_k_zero", call("math.top_k", k=0), x=distinct(2, 5))
case("top_k_three_axes", call("math.top_k", k=2), x=distinct(2, 2, 4))
case("top_k_values_only", lambda tf, x: tf.math.top_k(x, 3).values, x=distinct(2, 6))
case("top_k_int32", call("math.top_k", k=3), x=integers(6, high=100))
case("top_k_ties", call("math.top_k", k=3), x=array([1.0, 3.0, 3.0, 0.0, 3.0]))
case("top_k_float64", call("math.top_k", k=2), x=distinct(4, dtype="float64"))
# The gradient mixes int32 and int64 indices in TensorFlow, which is an error.
case(
    "top_k_index_type",
    lambda tf, x: tf.math.top_k(x, 2, index_type=tf.int64),
    wrt="",
    x=distinct(4),
)
case("approx_max_k", call("math.approx_max_k", k=2), wrt="", x=distinct(2, 6))
case(
    "in_top_k",
    lambda tf, t, p: tf.math.in_top_k(t, p, 2),
    wrt="",
    t=array([0, 1, 2], "int32"),
    p=distinct(3, 4),
)
case(
    "nn.in_top_k",
    lambda tf, t, p: tf.nn.in_top_k(t, p, 1),
    wrt="",
    t=array([3, 1], "int64"),
    p=distinct(2, 4),
)

SEQUENCE = array([1.0, 3.0, 3.0, 7.0, 9.0])
QUERIES = array([0.0, 1.0, 3.0, 8.0, 9.0, 10.0])
for side in ("left", "right"):
    case(f"searchsorted_{side}", call("searchsorted", side=side), wrt="", s=SEQUENCE, v=QUERIES)
case(
    "searchsorted_batched",
    call("searchsorted"),
    s=array([[1, 3, 5], [2, 4, 6]], "int32"),
    v=array([[2, 5], [1, 9]], "int32"),
)
case(
    "searchsorted_int64_out",
    lambda tf, s, v: tf.searchsorted(s, v, out_type=tf.int64),
    wrt="",
    s=SEQUENCE,
    v=QUERIES,
)
case("unique", call("unique"), x=array([4, 1, 4, 2, 1, 9], "int32"))
case("unique_float", call("unique"), wrt="", x=array([1.5, 1.5, -2.0]))
case(
    "unique_int64_index", lambda tf, x: tf.unique(x, out_idx=tf.int64), x=array([4, 1, 4], "int64")
)
case("unique_with_counts", call("unique_with_counts"), x=array([4, 1, 4, 2, 1, 4], "int32"))
case("invert_permutation", call("math.invert_permutation"), x=array([2, 0, 3, 1], "int32"))
case(
    "histogram_fixed_width",
    lambda tf, x: tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5),
    wrt="",
    x=array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]),
)
case(
    "histogram_fixed_width_bins",
    lambda tf, x: tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5),
    wrt="",
    x=array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]),
)
case(
    "histogram_int64",
    lambda tf, x: tf.histogram_fixed_width(x, [0.0, 1.0], nbins=4, dtype=tf.int64),
    wrt="",
    x=uniform(20),
)
case("isotonic_regression", call("nn.isotonic_regression"), x=normal(2, 6))
case(
    "isotonic_regression_increasing",
    call("nn.isotonic_regression", decreasing=False, axis=0),
    x=normal(5, 2),
)
case("isotonic_regression_float64", call("nn.isotonic_regression"), x=normal(2, 8, dtype="float64"))
