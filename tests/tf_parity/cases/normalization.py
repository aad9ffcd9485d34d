"""Moments, normalizations, biases, and embeddings of bags."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal, positive

case = CaseList()

for label, options in {
    "axis0": {"axes": [0]},
    "axes": {"axes": [0, 1]},
    "kept": {"axes": [1], "keepdims": True},
    "all": {"axes": [0, 1, 2]},
}.items():
    case(f"moments_{label}", call("nn.moments", **options), x=normal(2, 3, 4))
    case(
        f"moments_{label}_float64",
        call("nn.moments", **options),
        x=normal(2, 3, 4, dtype="float64"),
    )
case("moments_float16", call("nn.moments", axes=[0]), x=normal(4, 2, dtype="float16"))
case("moments_single_element", call("nn.moments", axes=[0]), x=normal(1, 3))
case(
    "weighted_moments",
    lambda tf, x, w: tf.nn.weighted_moments(x, [0], w),
    x=normal(4, 2),
    w=positive(4, 2),
)
case(
    "weighted_moments_broadcast",
    lambda tf, x, w: tf.nn.weighted_moments(x, [0, 1], w, keepdims=True),
    x=normal(4, 2),
    w=positive(4, 1),
)
case("sufficient_statistics", lambda tf, x: tf.nn.sufficient_statistics(x, [0]), x=normal(4, 2))
case(
    "sufficient_statistics_shift",
    lambda tf, x, s: tf.nn.sufficient_statistics(x, [0], shift=s),
    x=normal(4, 2),
    s=normal(2),
)
case(
    "normalize_moments",
    lambda tf, m, v: tf.nn.normalize_moments(4.0, m, v, None),
    m=normal(2),
    v=positive(2),
)
case(
    "normalize_moments_shift",
    lambda tf, m, v, s: tf.nn.normalize_moments(4.0, m, v, s),
    m=normal(2),
    v=positive(2),
    s=normal(2),
)

STATISTICS = {"x": normal(4, 3), "mean": normal(3), "variance": positive(3)}
AFFINE = {"offset": normal(3), "scale": normal(3)}
case(
    "batch_normalization",
    call("nn.batch_normalization", variance_epsilon=1e-3),
    **STATISTICS,
    **AFFINE,
)
case(
    "batch_normalization_plain",
    lambda tf, x, mean, variance: tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3),
    **STATISTICS,
)
case(
    "batch_normalization_no_scale",
    lambda tf, x, mean, variance, offset: tf.nn.batch_normalization(
        x, mean, variance, offset, None, 1e-3
    ),
    **STATISTICS,
    offset=normal(3),
)
case(
    "batch_normalization_image",
    call("nn.batch_normalization", variance_epsilon=1e-5),
    x=normal(2, 2, 2, 3),
    mean=normal(3),
    variance=positive(3),
    **AFFINE,
)
case(
    "batch_normalization_float64",
    call("nn.batch_normalization", variance_epsilon=1e-5),
    x=normal(3, 2, dtype="float64"),
    mean=normal(2, dtype="float64"),
    variance=positive(2, dtype="float64"),
    offset=normal(2, dtype="float64"),
    scale=normal(2, dtype="float64"),
)
for scaled in (True, False):
    case(
        f"batch_norm_with_global_normalization_{'scaled' if scaled else 'plain'}",
        call(
            "nn.batch_norm_with_global_normalization",
            variance_epsilon=1e-3,
            scale_after_normalization=scaled,
        ),
        x=normal(2, 2, 2, 3),
        mean=normal(3),
        variance=positive(3),
        beta=normal(3),
        gamma=normal(3),
    )
case("batch_norm_from_moments", lambda tf, x: _batch_norm(tf, x), x=normal(5, 3, dtype="float64"))
case(
    "layer_norm_by_hand",
    lambda tf, x, g, b: _layer_norm(tf, x, g, b),
    x=normal(2, 5),
    g=normal(5),
    b=normal(5),
)


def _batch_norm(tf, x):
    mean, variance = tf.nn.moments(x, [0])
    return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)


def _layer_norm(tf, x, g, b):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5) * g + b


for name in ("lrn", "local_response_normalization"):
    case(name, call(f"nn.{name}"), x=normal(1, 2, 2, 6))
case(
    "lrn_parameters",
    call("nn.lrn", depth_radius=2, bias=2.0, alpha=0.5, beta=0.75),
    x=normal(1, 2, 2, 6),
)
case(
    "lrn_narrow",
    call("nn.lrn", depth_radius=1, bias=1.0, alpha=1e-2, beta=1.0),
    x=normal(1, 1, 2, 4),
)

case("bias_add", call("nn.bias_add"), x=normal(2, 3), b=normal(3))
case("bias_add_image", call("nn.bias_add"), x=normal(2, 2, 2, 3), b=normal(3))
case(
    "bias_add_channels_first",
    call("nn.bias_add", data_format="NCHW"),
    x=normal(2, 3, 2, 2),
    b=normal(3),
)
case("bias_add_int32", call("nn.bias_add"), x=integers(2, 3), b=integers(3))
case(
    "bias_add_float64",
    call("nn.bias_add"),
    x=normal(2, 2, 3, dtype="float64"),
    b=normal(3, dtype="float64"),
)
case(
    "per_channel_scale",
    lambda tf, x, s: x * tf.reshape(s, [1, 1, -1]),
    x=normal(2, 2, 3),
    s=normal(3),
)
case("group_norm_by_hand", lambda tf, x: _group_norm(tf, x), x=normal(2, 4, dtype="float64"))


def _group_norm(tf, x):
    grouped = tf.reshape(x, [2, 2, 2])
    mean, variance = tf.nn.moments(grouped, [-1], keepdims=True)
    return tf.reshape((grouped - mean) / tf.sqrt(variance + 1e-3), [2, 4])


case(
    "root_mean_square_norm",
    lambda tf, x: x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-6),
    x=normal(2, 4),
)
case("variance_of_constant", lambda tf, x: tf.math.reduce_variance(x), x=array([2.0, 2.0, 2.0]))
