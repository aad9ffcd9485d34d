"""Reductions over axes."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, booleans, distinct, integers, normal, positive

case = CaseList()

AXES = {
    "all": {},
    "axis0": {"axis": 0},
    "last_kept": {"axis": -1, "keepdims": True},
    "axes": {"axis": [0, 2]},
    "no_axes": {"axis": []},
}
DIFFERENTIABLE = (
    "reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp reduce_std "
    "reduce_variance reduce_euclidean_norm"
).split()
for name in DIFFERENTIABLE:
    for label, options in AXES.items():
        # The derivative of a standard deviation of one value divides by zero.
        if name == "reduce_std" and label == "no_axes":
            continue
        case(f"{name}_{label}", call(f"math.{name}", **options), x=distinct(2, 3, 4))
    case(f"{name}_float64", call(f"math.{name}", axis=1), x=normal(3, 4, dtype="float64"))
    case(f"{name}_tuple_axis", call(f"math.{name}", axis=(0, 1), keepdims=True), x=normal(2, 3))
    case(f"{name}_tensor_axis", call(f"math.{name}"), x=normal(2, 3), axis=array(1, "int32"))
for name in "reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp".split():
    case(name, call(name), x=normal(3, 2))
    for dtype in ("float16", "bfloat16"):
        case(f"{name}_{dtype}", call(name, axis=1), x=positive(2, 4, dtype=dtype))
for name in "reduce_sum reduce_prod reduce_max reduce_min reduce_mean".split():
    for dtype in ("int32", "int64"):
        case(f"{name}_{dtype}", call(name, axis=1), x=integers(3, 4, low=-4, high=5, dtype=dtype))
for name in "reduce_sum reduce_mean reduce_prod reduce_euclidean_norm".split():
    for dtype in ("complex64", "complex128"):
        # TensorFlow's gradient of the norm is that of a holomorphic function, which it is not.
        wrt = "" if name == "reduce_euclidean_norm" else None
        case(f"{name}_{dtype}", call(f"math.{name}", axis=0), wrt=wrt, x=normal(3, 2, dtype=dtype))
for name in ("reduce_std", "reduce_variance"):
    case(f"{name}_complex128", call(f"math.{name}", axis=0), x=normal(4, 2, dtype="complex128"))
for name in ("reduce_all", "reduce_any"):
    case(name, call(name), x=booleans(2, 3))
    case(f"math.{name}_axis", call(f"math.{name}", axis=1), x=booleans(4, 2))
    case(f"{name}_kept", call(name, axis=0, keepdims=True), x=booleans(4, 2))
case("reduce_prod_one_zero", call("reduce_prod"), x=array([2.0, 0.0, 3.0]))
case("reduce_prod_two_zeros", call("reduce_prod"), x=array([2.0, 0.0, 0.0, 3.0]))
case(
    "reduce_prod_zero_axis",
    call("reduce_prod", axis=1),
    x=array([[1.0, 0.0], [0.0, 0.0], [2.0, 3.0]]),
)
case("reduce_logsumexp_large", call("reduce_logsumexp"), x=array([1000.0, 1000.5, 999.0]))
case(
    "reduce_logsumexp_minus_infinity",
    call("reduce_logsumexp", axis=1),
    x=array([[float("-inf"), 1.0], [0.0, 2.0]]),
)
case(
    "reduce_logsumexp_all_minus_infinity",
    call("reduce_logsumexp"),
    wrt="",
    x=array([float("-inf"), float("-inf")]),
)
case("reduce_max_with_infinities", call("reduce_max"), x=array([1.0, float("inf"), -2.0]))
case("reduce_max_with_nan", call("reduce_max"), wrt="", x=array([1.0, float("nan"), -2.0]))
case("reduce_sum_same_axis_negative", call("reduce_sum", axis=[-1, 0]), x=normal(2, 3, 2))
case("reduce_mean_int32_truncates", call("reduce_mean"), x=array([1, 2, 4], "int32"))
case("reduce_sum_list", lambda tf: tf.reduce_sum([1.0, 2.0, 3.5]))
case("reduce_sum_of_square", lambda tf, x: tf.reduce_sum(x**2), x=normal(3, 4))
case(
    "reduce_mean_of_product",
    lambda tf, x, y: tf.reduce_mean(x * y, axis=1),
    x=normal(3, 4),
    y=normal(4),
)

for name in ("argmax", "argmin"):
    case(name, call(name), wrt="", x=distinct(4))
    case(f"math.{name}_axis1", call(f"math.{name}", axis=1), wrt="", x=distinct(3, 4))
    case(f"{name}_negative_axis", call(name, axis=-1), wrt="", x=distinct(2, 3, 4))
    case(f"{name}_default_axis_of_matrix", call(name), wrt="", x=distinct(3, 4))
    case(f"{name}_ties", call(name), wrt="", x=array([2.0, 5.0, 5.0, 2.0]))
    case(
        f"{name}_int32",
        lambda tf, x, f=name: getattr(tf, f)(x, axis=1, output_type=tf.int32),
        x=integers(3, 4),
    )
    case(f"{name}_has_no_gradient", call(name, axis=1), x=normal(2, 3))
    case(f"{name}_bool", call(name, axis=0), x=booleans(4, 2))
case("count_nonzero", call("math.count_nonzero"), wrt="", x=array([[0.0, 1.0], [2.0, 0.0]]))
case(
    "count_nonzero_axis",
    call("math.count_nonzero", axis=1, keepdims=True),
    x=integers(3, 4, high=2),
)
case("count_nonzero_bool", call("math.count_nonzero", axis=0), x=booleans(3, 4))
case(
    "count_nonzero_dtype",
    lambda tf, x: tf.math.count_nonzero(x, dtype=tf.int32),
    x=integers(4, high=2),
)
case("zero_fraction", call("math.zero_fraction"), wrt="", x=array([0.0, 1.0, 0.0, 3.0, 2.0]))
case("nn.zero_fraction", call("nn.zero_fraction"), x=integers(3, 3, high=2))
for name in ("is_non_decreasing", "is_strictly_increasing"):
    case(f"{name}_rising", call(f"math.{name}"), x=array([1, 2, 4], "int32"))
    case(f"{name}_level", call(f"math.{name}"), x=array([1, 2, 2], "int32"))
    case(f"{name}_falling", call(f"math.{name}"), wrt="", x=array([3.0, 2.0]))
    case(f"{name}_empty", call(f"math.{name}"), wrt="", x=array([]))

for label, options in {
    "all": {},
    "axis": {"axis": 1},
    "kept": {"axis": 0, "keepdims": True},
}.items():
    for order in ("euclidean", 1, 2, 3, 1.5, float("inf")):
        name = "infinity" if order == float("inf") else str(order)
        case(f"norm_{name}_{label}", call("norm", ord=order, **options), x=normal(3, 4))
case("norm_frobenius", call("norm", ord="fro", axis=(0, 1)), x=normal(3, 4))
case("norm_matrix_one", call("linalg.norm", ord=1, axis=[0, 1]), x=normal(3, 4))
case(
    "norm_matrix_infinity", call("linalg.norm", ord=float("inf"), axis=[-2, -1]), x=normal(2, 3, 4)
)
case("norm_matrix_two", call("linalg.norm", ord=2, axis=[0, 1]), x=normal(3, 4, dtype="float64"))
case("norm_batched_matrices", call("linalg.norm", axis=[-2, -1], keepdims=True), x=normal(2, 3, 4))
case("norm_complex64", call("norm"), x=normal(3, dtype="complex64"))
case("norm_complex128_one", call("norm", ord=1), x=normal(3, dtype="complex128"))
case("normalize", call("linalg.normalize"), x=normal(3, 4))
case("normalize_axis", call("linalg.normalize", axis=1), x=normal(3, 4))
case("normalize_one", call("linalg.normalize", ord=1, axis=0), x=normal(3, 4))
case("l2_normalize", call("math.l2_normalize"), x=normal(3, 4))
case("nn.l2_normalize_axis", call("nn.l2_normalize", axis=1), x=normal(3, 4))
case("linalg.l2_normalize_axes", call("linalg.l2_normalize", axis=[0, 1]), x=normal(2, 3, 2))
case("l2_normalize_epsilon", call("math.l2_normalize", axis=0, epsilon=0.5), x=normal(3, scale=0.1))
case("l2_normalize_zeros", call("math.l2_normalize"), x=array([0.0, 0.0]))
case("trace", call("linalg.trace"), x=normal(3, 3))
case("trace_batched", call("linalg.trace"), x=normal(2, 3, 4))
