"""Points where a derivative does not exist or is infinite: TensorFlow's conventions."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, normal

case = CaseList()

INFINITY, NAN = float("inf"), float("nan")
ZERO = array([0.0])
AT_ZERO = (
    "abs sqrt square sign floor ceil round reciprocal rsqrt log log1p exp expm1 sin tan tanh "
    "sigmoid asin acos atan asinh atanh erf softplus softsign reciprocal_no_nan lgamma digamma "
    "bessel_i0e bessel_i1e bessel_i0 negative cosh sinh"
).split()
for name in AT_ZERO:
    case(f"{name}_at_zero", call(f"math.{name}"), x=array([0.0, -0.0]))
# TensorFlow's derivative here is 1, where the true one is 1/2.
case("bessel_i1_at_zero", call("math.bessel_i1"), wrt="", x=array([0.0, -0.0]))
for name in "relu relu6 elu selu leaky_relu gelu silu softplus softsign crelu".split():
    case(f"nn.{name}_at_zero", call(f"nn.{name}"), x=array([0.0]))
case("relu6_at_six", call("nn.relu6"), x=array([6.0]))
case("atan2_at_origin", call("atan2"), y=ZERO, x=ZERO)
case("acos_at_one", call("acos"), x=array([1.0, -1.0]))
case("acosh_at_one", call("acosh"), x=array([1.0]))
case("atanh_at_one", call("atanh"), x=array([1.0]))
case("erfinv_at_one", call("math.erfinv"), x=array([1.0]))
case("log_of_negative", call("math.log"), x=array([-1.0]))
case("sqrt_of_negative", call("sqrt"), x=array([-1.0]))
case("floor_at_integers", call("floor"), x=array([1.0, 2.0]))

for order in ("euclidean", 1, 2, 3, INFINITY):
    label = "infinity" if order == INFINITY else str(order)
    case(f"norm_{label}_at_zero", call("norm", ord=order), x=array([0.0, 0.0]))
for name in "reduce_euclidean_norm reduce_std reduce_variance reduce_logsumexp reduce_prod".split():
    case(f"{name}_at_zero", call(f"math.{name}"), x=array([0.0, 0.0, 0.0]))
case("l2_normalize_at_zero", call("math.l2_normalize"), x=array([0.0, 0.0]))
case("linalg_normalize_at_zero", call("linalg.normalize"), x=array([0.0, 0.0]))
case("complex_abs_at_zero", call("abs"), z=array([0j], "complex64"))
case("complex_sign_at_zero", call("sign"), z=array([0j], "complex128"))
case("complex_angle_at_zero", call("math.angle"), z=array([0j], "complex64"))
case(
    "sqrt_of_sum_of_squares_at_zero",
    lambda tf, x: tf.sqrt(tf.reduce_sum(x * x)),
    x=array([0.0, 0.0]),
)

TIES = array([1.0, 3.0, 3.0, 2.0, 3.0])
for name in ("reduce_max", "reduce_min"):
    case(f"{name}_ties", call(name), x=TIES)
    case(f"{name}_all_equal", call(name), x=array([2.0, 2.0, 2.0, 2.0]))
    case(f"{name}_ties_axis", call(name, axis=1), x=array([[1.0, 1.0], [0.0, 2.0], [2.0, 2.0]]))
    case(f"{name}_ties_both_axes", call(name), x=array([[2.0, 2.0], [0.0, 2.0], [0.0, 0.0]]))
for name in ("maximum", "minimum"):
    case(f"{name}_equal", call(name), x=array([1.0, 2.0]), y=array([1.0, 3.0]))
    case(f"{name}_equal_broadcast", call(name), x=array([[1.0], [2.0]]), y=array([1.0, 2.0]))
    case(f"{name}_same_tensor", lambda tf, x, f=name: getattr(tf, f)(x, x), x=normal(3))
    case(
        f"{name}_with_scalar_equal",
        lambda tf, x, f=name: getattr(tf, f)(x, 0.0),
        x=array([-1.0, 0.0, 1.0]),
    )
    case(f"{name}_nan", call(name), x=array([NAN, 1.0]), y=array([1.0, NAN]))
case(
    "clip_at_the_bounds",
    lambda tf, x: tf.clip_by_value(x, -1.0, 1.0),
    x=array([-2.0, -1.0, 0.0, 1.0, 2.0]),
)
case(
    "clip_bounds_gradient",
    call("clip_by_value"),
    x=array([-2.0, -1.0, 0.0, 1.0, 2.0]),
    low=array(-1.0),
    high=array(1.0),
)
case(
    "clip_crossed_bounds",
    lambda tf, x: tf.clip_by_value(x, 1.0, -1.0),
    wrt="",
    x=array([-2.0, 0.0, 2.0]),
)
case("clip_by_norm_at_norm", lambda tf, x: tf.clip_by_norm(x, 5.0), x=array([3.0, 4.0]))
case("sort_ties", call("sort"), x=array([2.0, 1.0, 2.0, 1.0]))
case("top_k_ties", lambda tf, x: tf.math.top_k(x, 2), x=array([2.0, 2.0, 2.0]))
case(
    "segment_max_ties",
    call("math.unsorted_segment_max", num_segments=1),
    x=array([2.0, 2.0, 1.0]),
    i=array([0, 0, 0], "int32"),
)
case(
    "abs_of_difference_at_equality", lambda tf, x, y: tf.abs(x - y), x=array([1.0]), y=array([1.0])
)
case(
    "max_pool_of_zeros",
    call("nn.max_pool1d", ksize=2, strides=2, padding="VALID"),
    x=array([[[0.0], [0.0]]]),
)
case(
    "tensor_scatter_max_ties",
    call("tensor_scatter_nd_max"),
    x=array([1.0, 2.0]),
    i=array([[0], [1]], "int32"),
    u=array([1.0, 3.0]),
)

POWERS = {
    "zero_to_two": (0.0, 2.0),
    "zero_to_one": (0.0, 1.0),
    "zero_to_half": (0.0, 0.5),
    "zero_to_zero": (0.0, 0.0),
    "zero_to_minus_one": (0.0, -1.0),
    "zero_to_three": (0.0, 3.0),
    "negative_to_two": (-2.0, 2.0),
    "negative_to_half": (-2.0, 0.5),
    "negative_to_minus_one": (-2.0, -1.0),
    "one_to_infinity": (1.0, INFINITY),
    "infinity_to_zero": (INFINITY, 0.0),
}
for label, (base, exponent) in POWERS.items():
    case(f"pow_{label}", call("pow"), x=array([base]), y=array([exponent]))
    case(f"pow_{label}_python_exponent", lambda tf, x, e=exponent: x**e, x=array([base]))

PAIRS = {"x": array([0.0, 0.0, 1.0, INFINITY, NAN]), "y": array([0.0, 2.0, 0.0, 0.0, 0.0])}
for (
    name
) in "divide_no_nan multiply_no_nan xlogy xlog1py xdivy divide floormod squared_difference".split():
    case(f"{name}_edges", call(f"math.{name}"), **PAIRS)
case("multiply_no_nan_swapped", call("math.multiply_no_nan"), x=PAIRS["y"], y=PAIRS["x"])
case(
    "divide_by_zero_int32",
    lambda tf, x: tf.math.divide_no_nan(tf.cast(x, tf.float32), 0.0),
    x=array([1, 2], "int32"),
)
case("reciprocal_no_nan_edges", call("math.reciprocal_no_nan"), x=array([0.0, 2.0, INFINITY]))
case("softmax_of_infinities", call("nn.softmax"), wrt="", x=array([INFINITY, 0.0]))
case("logsumexp_of_infinities", call("reduce_logsumexp"), x=array([INFINITY, 0.0]))
case(
    "cumulative_logsumexp_minus_infinity",
    call("math.cumulative_logsumexp"),
    x=array([-INFINITY, 0.0, 1.0]),
)
case(
    "sparse_cross_entropy_at_certainty",
    lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([0], x),
    x=array([[100.0, -100.0]]),
)
case("where_at_the_switch", lambda tf, x: tf.where(x >= 0, x * 2.0, x * 3.0), x=array([0.0, -1e-3]))
case(
    "triangular_solve_singular",
    call("linalg.triangular_solve"),
    wrt="",
    a=array([[0.0]]),
    b=array([[1.0]]),
)
case("det_singular", call("linalg.det"), wrt="", a=array([[1.0, 2.0], [2.0, 4.0]]))
case(
    "svd_values_equal",
    lambda tf, a: tf.reduce_sum(tf.linalg.svd(a, compute_uv=False)),
    a=array([[2.0, 0.0], [0.0, 2.0]], "float64"),
)
case(
    "eigh_values_equal",
    lambda tf, a: tf.reduce_sum(tf.linalg.eigvalsh(a)),
    a=array([[2.0, 0.0], [0.0, 2.0]], "float64"),
)
case("lgamma_at_poles", call("math.lgamma"), x=array([0.0, -1.0, -2.0]))
case(
    "betainc_at_ends",
    call("math.betainc"),
    wrt="x",
    a=array([2.0, 2.0]),
    b=array([3.0, 3.0]),
    x=array([0.0, 1.0]),
)
