"""Pooling of every kind and rank."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, distinct, normal

case = CaseList()

FORMS = {
    "same": {"ksize": 2, "strides": 2, "padding": "SAME"},
    "valid": {"ksize": 2, "strides": 2, "padding": "VALID"},
    "overlapping_same": {"ksize": 3, "strides": 1, "padding": "SAME"},
    "overlapping_valid": {"ksize": 3, "strides": 2, "padding": "VALID"},
    "gaps": {"ksize": 1, "strides": 2, "padding": "VALID"},
}
for kind in ("max", "avg"):
    for label, options in FORMS.items():
        case(f"{kind}_pool1d_{label}", call(f"nn.{kind}_pool1d", **options), x=distinct(2, 5, 2))
        case(f"{kind}_pool2d_{label}", call(f"nn.{kind}_pool2d", **options), x=distinct(1, 5, 4, 2))
        case(
            f"{kind}_pool3d_{label}",
            call(f"nn.{kind}_pool3d", **options),
            x=distinct(1, 3, 4, 3, 1),
        )
        case(f"{kind}_pool_{label}", call(f"nn.{kind}_pool", **options), x=distinct(1, 4, 5, 1))
    case(
        f"{kind}_pool2d_float64",
        call(f"nn.{kind}_pool2d", **FORMS["same"]),
        x=distinct(1, 4, 4, 1, dtype="float64"),
    )
    case(
        f"{kind}_pool2d_uneven",
        call(f"nn.{kind}_pool2d", ksize=[2, 3], strides=[1, 2], padding="SAME"),
        x=distinct(1, 4, 5, 1),
    )
    case(
        f"{kind}_pool2d_long_lists",
        call(f"nn.{kind}_pool2d", ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="VALID"),
        x=distinct(1, 4, 5, 1),
    )
    case(
        f"{kind}_pool_rank3",
        call(f"nn.{kind}_pool", ksize=2, strides=1, padding="VALID"),
        x=distinct(1, 5, 2),
    )
    case(
        f"{kind}_pool_rank5",
        call(f"nn.{kind}_pool", ksize=2, strides=1, padding="VALID", data_format="NDHWC"),
        x=distinct(1, 3, 3, 2, 1),
    )
    case(
        f"{kind}_pool2d_float16",
        call(f"nn.{kind}_pool2d", **FORMS["valid"]),
        x=distinct(1, 4, 4, 1, dtype="float16"),
    )
    pooling = {"window_shape": [2, 2], "pooling_type": kind.upper()}
    case(f"pool_{kind}", call("nn.pool", **pooling), x=distinct(1, 4, 4, 1))
    case(
        f"pool_{kind}_strides",
        call("nn.pool", strides=[2, 1], padding="SAME", **pooling),
        x=distinct(1, 4, 4, 1),
    )
    case(
        f"pool_{kind}_dilated", call("nn.pool", dilations=[2, 1], **pooling), x=distinct(1, 5, 4, 1)
    )
case(
    "max_pool2d_explicit_padding",
    call("nn.max_pool2d", ksize=2, strides=2, padding=[[0, 0], [1, 1], [0, 1], [0, 0]]),
    x=distinct(1, 4, 3, 1),
)
case(
    "max_pool2d_ties",
    call("nn.max_pool2d", ksize=2, strides=2, padding="VALID"),
    x=array([[[[1.0], [1.0]], [[1.0], [0.0]]]]),
)
case(
    "max_pool2d_ties_overlapping",
    call("nn.max_pool2d", ksize=2, strides=1, padding="SAME"),
    x=array([[[[2.0], [2.0]], [[2.0], [2.0]]]]),
)
case(
    "max_pool2d_negative_at_border",
    call("nn.max_pool2d", ksize=3, strides=1, padding="SAME"),
    x=array([[[[-3.0], [-1.0]], [[-2.0], [-5.0]]]]),
)
case(
    "avg_pool2d_border_counts",
    call("nn.avg_pool2d", ksize=3, strides=1, padding="SAME"),
    x=array([[[[1.0], [2.0]], [[3.0], [4.0]]]]),
)
case(
    "max_pool_with_argmax",
    call("nn.max_pool_with_argmax", ksize=2, strides=2, padding="VALID"),
    x=distinct(2, 4, 4, 2),
)
case(
    "max_pool_with_argmax_same",
    call("nn.max_pool_with_argmax", ksize=2, strides=2, padding="SAME"),
    x=distinct(1, 3, 3, 1),
)
case(
    "max_pool_with_argmax_batch_index",
    call(
        "nn.max_pool_with_argmax", ksize=2, strides=2, padding="VALID", include_batch_in_index=True
    ),
    x=distinct(2, 2, 2, 2),
)
case(
    "fractional_max_pool",
    lambda tf, x: tf.nn.fractional_max_pool(x, [1.0, 2.0, 2.0, 1.0], seed=5).output,
    wrt="",
    x=distinct(1, 4, 4, 1),
)
case("global_average_pool", lambda tf, x: tf.reduce_mean(x, axis=[1, 2]), x=normal(2, 3, 3, 2))
case(
    "pool_after_convolution",
    lambda tf, x, w: tf.nn.max_pool2d(tf.nn.conv2d(x, w, 1, "SAME"), 2, 2, "VALID"),
    x=normal(1, 4, 4, 1),
    w=normal(3, 3, 1, 2),
)
