"""Second derivatives: each case is a gradient, and its own gradient is compared too."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import (
    array,
    distinct,
    integers,
    lower_triangular,
    normal,
    positive,
    positive_definite,
    uniform,
    well_conditioned,
)

case = CaseList()


def gradient_of(function):
    """The gradients of a function, for a cotangent that varies from element to element."""

    def gradients(tf, **inputs):
        floats = {name: x for name, x in inputs.items() if x.dtype.is_floating}
        with tf.GradientTape() as tape:
            tape.watch(list(floats.values()))
            y = function(tf, **inputs)
            weights = tf.reshape(tf.range(1, tf.size(y) + 1), tf.shape(y))
            total = tf.reduce_sum(y * tf.cast(weights, y.dtype))
        return tape.gradient(total, list(floats.values()))

    return gradients


UNARY = {
    "positive": "log sqrt rsqrt reciprocal lgamma digamma log1p reciprocal_no_nan",
    "unit": "asin acos atanh erfinv tan",
    "real": (
        "exp expm1 sin cos tanh sigmoid softplus square erf erfc atan asinh sinh cosh log_sigmoid"
    ),
}
DOMAINS = {
    "positive": positive(3, dtype="float64"),
    "unit": uniform(3, low=-0.8, high=0.8, dtype="float64"),
    "real": normal(3, dtype="float64"),
}
for kind, names in UNARY.items():
    for name in names.split():
        case(name, gradient_of(lambda tf, x, f=name: getattr(tf.math, f)(x)), x=DOMAINS[kind])
# TensorFlow has no second derivative of softsign itself.
case(
    "softsign",
    gradient_of(lambda tf, x: tf.math.softsign(x)),
    reference=gradient_of(lambda tf, x: x / (1.0 + tf.abs(x))),
    x=normal(3, dtype="float64"),
)
for name in "elu selu gelu silu relu leaky_relu softmax log_softmax relu6".split():
    case(
        f"nn.{name}",
        gradient_of(lambda tf, x, f=name: getattr(tf.nn, f)(x**3)),
        x=normal(4, dtype="float64"),
    )
BINARY = "multiply divide pow maximum squared_difference atan2 xlogy divide_no_nan xdivy"
for name in BINARY.split():
    pair = {"x": positive(2, 3, dtype="float64"), "y": positive(3, dtype="float64")}
    case(name, gradient_of(lambda tf, x, y, f=name: getattr(tf.math, f)(x * x, y * y)), **pair)
REDUCTIONS = (
    "reduce_sum reduce_mean reduce_prod reduce_max reduce_logsumexp reduce_std reduce_variance "
    "reduce_euclidean_norm"
)
for name in REDUCTIONS.split():
    given = distinct(2, 3, dtype="float64")
    case(name, gradient_of(lambda tf, x, f=name: getattr(tf.math, f)(x * x, axis=1)), x=given)
for name in "cumsum cumprod cumulative_logsumexp".split():
    given = positive(2, 3, dtype="float64")
    case(name, gradient_of(lambda tf, x, f=name: getattr(tf.math, f)(x * x, axis=1)), x=given)

MATRIX = well_conditioned(3, 3, dtype="float64")
VECTORS = normal(3, 2, dtype="float64")
case("matmul", gradient_of(lambda tf, a, b: a @ b), a=MATRIX, b=VECTORS)
case(
    "matmul_transposed",
    gradient_of(lambda tf, a, b: tf.matmul(a, b, transpose_a=True)),
    a=MATRIX,
    b=VECTORS,
)
case("einsum", gradient_of(lambda tf, a, b: tf.einsum("ij,jk->ki", a, b)), a=MATRIX, b=VECTORS)
case("inv", gradient_of(lambda tf, a: tf.linalg.inv(a)), a=MATRIX)
case("det", gradient_of(lambda tf, a: tf.linalg.det(a)), a=MATRIX)
case("solve", gradient_of(lambda tf, a, b: tf.linalg.solve(a, b)), a=MATRIX, b=VECTORS)
case(
    "cholesky",
    gradient_of(lambda tf, a: tf.linalg.cholesky(a)),
    rtol=1e-9,
    a=positive_definite(3, 3, dtype="float64"),
)
case(
    "triangular_solve",
    gradient_of(lambda tf, a, b: tf.linalg.triangular_solve(a, b)),
    a=lower_triangular(3, 3, dtype="float64"),
    b=VECTORS,
)
case("slogdet", gradient_of(lambda tf, a: tf.linalg.slogdet(a)[1]), a=MATRIX)
case(
    "eigvalsh",
    gradient_of(lambda tf, a: tf.linalg.eigvalsh(a)),
    rtol=1e-8,
    a=positive_definite(3, 3, dtype="float64"),
)
case("norm", gradient_of(lambda tf, x: tf.norm(x, axis=1)), x=normal(2, 3, dtype="float64"))
case(
    "l2_normalize",
    gradient_of(lambda tf, x: tf.math.l2_normalize(x, axis=1)),
    x=normal(2, 3, dtype="float64"),
)

SQUARED = normal(2, 4, dtype="float64")
case(
    "gather",
    gradient_of(lambda tf, x, i: tf.gather(x * x, i, axis=1)),
    x=SQUARED,
    i=integers(3, high=4),
)
case(
    "gather_nd", gradient_of(lambda tf, x: tf.gather_nd(x**3, [[0, 1], [1, 1], [0, 1]])), x=SQUARED
)
case(
    "scatter",
    gradient_of(lambda tf, x, u: tf.tensor_scatter_nd_update(x**2, [[1]], u**2)),
    x=SQUARED,
    u=normal(1, 4, dtype="float64"),
)
case("slice", gradient_of(lambda tf, x: x[:, 1:3] ** 3), x=SQUARED)
case("concat", gradient_of(lambda tf, x: tf.concat([x**2, x**3], 0)), x=SQUARED)
case("pad_reflect", gradient_of(lambda tf, x: tf.pad(x**2, [[0, 0], [1, 1]], "REFLECT")), x=SQUARED)
case("sort", gradient_of(lambda tf, x: tf.sort(x**3)), x=distinct(2, 4, dtype="float64"))
case(
    "segment_sum",
    gradient_of(lambda tf, x: tf.math.unsorted_segment_sum(x**2, [0, 1], 2)),
    x=SQUARED,
)
case("where", gradient_of(lambda tf, x: tf.where(x > 0, x**3, x**2)), x=SQUARED)
case("clip", gradient_of(lambda tf, x: tf.clip_by_value(x**3, -0.5, 0.5)), x=SQUARED)
case(
    "transpose_reshape",
    gradient_of(lambda tf, x: tf.reshape(tf.transpose(x), [-1]) ** 3),
    x=SQUARED,
)

IMAGE, KERNEL = normal(1, 4, 4, 1, dtype="float64"), normal(2, 2, 1, 2, dtype="float64")
case("conv2d", gradient_of(lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME")), x=IMAGE, w=KERNEL)
case(
    "conv2d_strided",
    gradient_of(lambda tf, x, w: tf.nn.conv2d(x, w, 2, "VALID")),
    x=IMAGE,
    w=KERNEL,
)
case(
    "depthwise_conv2d",
    gradient_of(lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME")),
    x=IMAGE,
    w=KERNEL,
)
case(
    "max_pool2d",
    gradient_of(lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "VALID") ** 2),
    x=distinct(1, 4, 4, 1, dtype="float64"),
)
case("avg_pool2d", gradient_of(lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID") ** 2), x=IMAGE)
case(
    "softmax_cross_entropy",
    gradient_of(lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(tf.stop_gradient(p), x)),
    wrt="x",
    p=uniform(2, 3, dtype="float64"),
    x=normal(2, 3, dtype="float64"),
)
case(
    "sparse_softmax_cross_entropy",
    gradient_of(lambda tf, i, x: tf.nn.sparse_softmax_cross_entropy_with_logits(i, x)),
    i=integers(2, high=3),
    x=normal(2, 3, dtype="float64"),
)
case(
    "sigmoid_cross_entropy",
    gradient_of(lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x)),
    p=uniform(3, dtype="float64"),
    x=normal(3, dtype="float64"),
)
case(
    "batch_normalization",
    gradient_of(lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v, None, None, 1e-3)),
    x=normal(3, 2, dtype="float64"),
    m=normal(2, dtype="float64"),
    v=positive(2, dtype="float64"),
)
case(
    "bias_add",
    gradient_of(lambda tf, x, b: tf.nn.bias_add(x, b) ** 2),
    x=normal(3, 2, dtype="float64"),
    b=normal(2, dtype="float64"),
)
case(
    "rosenbrock",
    gradient_of(lambda tf, x: 100.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2),
    x=normal(2, dtype="float64"),
)
case(
    "mlp",
    gradient_of(lambda tf, w, v, x: tf.tanh(x @ w) @ v),
    w=normal(3, 4, dtype="float64"),
    v=normal(4, 1, dtype="float64"),
    x=normal(2, 3, dtype="float64"),
)
case("bessel_i0e", gradient_of(lambda tf, x: tf.math.bessel_i0e(x)), x=array([0.5, 2.0], "float64"))
