"""Convolutions in one, two and three dimensions, transposed, depthwise and separable."""

from __future__ import annotations

from ..case import CaseList, call, compiled
from ..inputs import normal, uniform

case = CaseList()


def compiled_case(name, function, **inputs):
    """A case that TensorFlow's kernels for the CPU cannot do or differentiate."""
    case(name, function, reference=compiled(function), **inputs)


PADDING = ("SAME", "VALID")
for padding in PADDING:
    low = padding.lower()
    for dtype in ("float32", "float64"):
        case(
            f"conv2d_{low}_{dtype}",
            call("nn.conv2d", strides=1, padding=padding),
            x=normal(2, 4, 5, 2, dtype=dtype),
            w=normal(3, 3, 2, 3, dtype=dtype),
        )
    for strides in (2, [1, 2], [1, 2, 1, 1]):
        label = str(strides).replace(" ", "")
        case(
            f"conv2d_{low}_strides_{label}",
            call("nn.conv2d", strides=strides, padding=padding),
            x=normal(1, 5, 6, 2),
            w=normal(3, 2, 2, 2),
        )
    compiled_case(
        f"conv2d_{low}_dilated",
        call("nn.conv2d", strides=1, padding=padding, dilations=2),
        x=normal(1, 6, 6, 1),
        w=normal(2, 3, 1, 2),
    )
    compiled_case(
        f"conv2d_{low}_dilated_uneven",
        call("nn.conv2d", strides=1, padding=padding, dilations=[1, 1, 2, 1]),
        x=normal(1, 4, 6, 1),
        w=normal(2, 2, 1, 2),
    )
    compiled_case(
        f"conv2d_{low}_groups",
        call("nn.conv2d", strides=1, padding=padding),
        x=normal(1, 4, 4, 4),
        w=normal(2, 2, 2, 4),
    )
    case(
        f"conv2d_{low}_even_filter",
        call("nn.conv2d", strides=1, padding=padding),
        x=normal(1, 4, 4, 1),
        w=normal(2, 4, 1, 1),
    )
    case(
        f"conv2d_{low}_stride_beyond_filter",
        call("nn.conv2d", strides=3, padding=padding),
        x=normal(1, 7, 7, 1),
        w=normal(2, 2, 1, 1),
    )
    case(
        f"conv1d_{low}",
        call("nn.conv1d", stride=1, padding=padding),
        x=normal(2, 6, 2),
        w=normal(3, 2, 3),
    )
    case(
        f"conv1d_{low}_stride",
        call("nn.conv1d", stride=2, padding=padding),
        x=normal(2, 7, 2),
        w=normal(3, 2, 2),
    )
    compiled_case(
        f"conv1d_{low}_dilated",
        call("nn.conv1d", stride=1, padding=padding, dilations=2),
        x=normal(1, 7, 2),
        w=normal(3, 2, 1),
    )
    for dtype in ("float32", "float64"):
        case(
            f"conv3d_{low}_{dtype}",
            call("nn.conv3d", strides=[1, 1, 1, 1, 1], padding=padding),
            x=normal(1, 3, 4, 3, 2, dtype=dtype),
            w=normal(2, 2, 2, 2, 2, dtype=dtype),
        )
    case(
        f"conv3d_{low}_strides",
        call("nn.conv3d", strides=[1, 2, 1, 2, 1], padding=padding),
        x=normal(1, 4, 3, 4, 1),
        w=normal(2, 2, 3, 1, 2),
    )
    case(
        f"depthwise_conv2d_{low}",
        call("nn.depthwise_conv2d", strides=[1, 1, 1, 1], padding=padding),
        x=normal(1, 4, 5, 2),
        w=normal(3, 2, 2, 2),
    )
    case(
        f"depthwise_conv2d_{low}_strides",
        call("nn.depthwise_conv2d", strides=[1, 2, 2, 1], padding=padding),
        x=normal(1, 5, 5, 2),
        w=normal(3, 3, 2, 1),
    )
    case(
        f"depthwise_conv2d_{low}_dilated",
        call("nn.depthwise_conv2d", strides=[1, 1, 1, 1], padding=padding, dilations=[2, 2]),
        x=normal(1, 5, 5, 2),
        w=normal(2, 2, 2, 1),
    )
    case(
        f"separable_conv2d_{low}",
        call("nn.separable_conv2d", strides=[1, 1, 1, 1], padding=padding),
        x=normal(1, 4, 4, 2),
        d=normal(2, 2, 2, 2),
        p=normal(1, 1, 4, 3),
    )
    case(
        f"separable_conv2d_{low}_strides",
        call("nn.separable_conv2d", strides=[1, 2, 2, 1], padding=padding),
        x=normal(1, 5, 5, 2),
        d=normal(3, 3, 2, 1),
        p=normal(1, 1, 2, 2),
    )
    case(
        f"atrous_conv2d_{low}",
        call("nn.atrous_conv2d", rate=2, padding=padding),
        x=normal(1, 6, 6, 1),
        w=normal(2, 2, 1, 2),
    )
    case(
        f"convolution_{low}",
        call("nn.convolution", padding=padding),
        x=normal(1, 5, 2),
        w=normal(2, 2, 2),
    )
    case(
        f"convolution_2d_{low}",
        call("nn.convolution", strides=2, padding=padding),
        x=normal(1, 5, 5, 1),
        w=normal(2, 3, 1, 2),
    )
    case(
        f"dilation2d_{low}",
        call(
            "nn.dilation2d",
            strides=[1, 1, 1, 1],
            padding=padding,
            data_format="NHWC",
            dilations=[1, 1, 1, 1],
        ),
        x=normal(1, 4, 4, 2),
        w=normal(2, 2, 2),
    )
    case(
        f"erosion2d_{low}",
        call(
            "nn.erosion2d",
            strides=[1, 2, 1, 1],
            padding=padding,
            data_format="NHWC",
            dilations=[1, 1, 2, 1],
        ),
        x=normal(1, 5, 5, 1),
        w=normal(2, 2, 1),
    )

EXPLICIT = [[0, 0], [1, 2], [0, 1], [0, 0]]
case(
    "conv2d_explicit_padding",
    call("nn.conv2d", strides=1, padding=EXPLICIT),
    x=normal(1, 4, 4, 1),
    w=normal(3, 2, 1, 2),
)
case(
    "conv2d_explicit_padding_strides",
    call("nn.conv2d", strides=2, padding=EXPLICIT),
    x=normal(1, 5, 4, 2),
    w=normal(2, 2, 2, 1),
)
case(
    "depthwise_conv2d_explicit",
    call("nn.depthwise_conv2d", strides=[1, 1, 1, 1], padding=EXPLICIT),
    x=normal(1, 4, 4, 2),
    w=normal(2, 2, 2, 1),
)
case(
    "conv2d_one_by_one",
    call("nn.conv2d", strides=1, padding="VALID"),
    x=normal(2, 3, 3, 3),
    w=normal(1, 1, 3, 2),
)
case(
    "conv2d_filter_is_image",
    call("nn.conv2d", strides=1, padding="VALID"),
    x=normal(2, 3, 3, 2),
    w=normal(3, 3, 2, 1),
)
compiled_case(
    "conv2d_depthwise_groups",
    call("nn.conv2d", strides=1, padding="VALID"),
    x=normal(1, 4, 4, 3),
    w=normal(2, 2, 1, 3),
)
case(
    "conv2d_batch_axes",
    call("nn.conv2d", strides=1, padding="SAME"),
    x=normal(2, 2, 3, 3, 1),
    w=normal(2, 2, 1, 1),
)
case(
    "conv1d_batch_axes",
    call("nn.conv1d", stride=1, padding="VALID"),
    x=normal(2, 2, 4, 1),
    w=normal(2, 1, 2),
)
case(
    "conv2d_float16",
    call("nn.conv2d", strides=1, padding="VALID"),
    x=uniform(1, 3, 3, 1, dtype="float16"),
    w=uniform(2, 2, 1, 1, dtype="float16"),
)
case(
    "conv2d_bfloat16",
    call("nn.conv2d", strides=1, padding="VALID"),
    x=uniform(1, 3, 3, 1, dtype="bfloat16"),
    w=uniform(2, 2, 1, 1, dtype="bfloat16"),
)
compiled_case(
    "conv2d_nchw",
    call("nn.conv2d", strides=1, padding="VALID", data_format="NCHW"),
    x=normal(1, 2, 4, 4),
    w=normal(2, 2, 2, 1),
)
compiled_case(
    "conv1d_ncw",
    call("nn.conv1d", stride=1, padding="VALID", data_format="NCW"),
    x=normal(1, 2, 5),
    w=normal(2, 2, 1),
)
compiled_case(
    "conv3d_dilated",
    call("nn.conv3d", strides=[1, 1, 1, 1, 1], padding="VALID", dilations=[1, 1, 2, 1, 1]),
    x=normal(1, 3, 4, 3, 1),
    w=normal(2, 2, 2, 1, 1),
)

TRANSPOSED = {
    "same_stride2": ((1, 3, 3, 2), (3, 3, 1, 2), [1, 6, 6, 1], 2, "SAME"),
    "same_odd_output": ((1, 3, 3, 2), (3, 3, 1, 2), [1, 5, 5, 1], 2, "SAME"),
    "valid_stride1": ((1, 3, 3, 2), (2, 3, 3, 2), [1, 4, 5, 3], 1, "VALID"),
    "valid_stride2": ((2, 2, 2, 1), (3, 3, 2, 1), [2, 5, 5, 2], 2, "VALID"),
    "valid_longer_output": ((1, 2, 2, 1), (2, 2, 1, 1), [1, 5, 5, 1], 2, "VALID"),
    "strides_list": ((1, 3, 2, 1), (2, 2, 1, 1), [1, 3, 4, 1], [1, 1, 2, 1], "SAME"),
}
for label, (image, kernel, output, strides, padding) in TRANSPOSED.items():
    options = {"output_shape": output, "strides": strides, "padding": padding}
    case(
        f"conv2d_transpose_{label}",
        call("nn.conv2d_transpose", **options),
        x=normal(*image),
        w=normal(*kernel),
    )
case(
    "conv2d_transpose_float64",
    call("nn.conv2d_transpose", output_shape=[1, 4, 4, 1], strides=2),
    x=normal(1, 2, 2, 2, dtype="float64"),
    w=normal(3, 3, 1, 2, dtype="float64"),
)
compiled_case(
    "conv2d_transpose_dilated",
    call("nn.conv2d_transpose", output_shape=[1, 5, 5, 1], strides=1, padding="VALID", dilations=2),
    x=normal(1, 3, 3, 1),
    w=normal(2, 2, 1, 1),
)
case(
    "conv1d_transpose",
    call("nn.conv1d_transpose", output_shape=[1, 8, 2], strides=2),
    x=normal(1, 4, 1),
    w=normal(3, 2, 1),
)
case(
    "conv1d_transpose_valid",
    call("nn.conv1d_transpose", output_shape=[1, 6, 2], strides=1, padding="VALID"),
    x=normal(1, 4, 1),
    w=normal(3, 2, 1),
)
case(
    "conv3d_transpose",
    call("nn.conv3d_transpose", output_shape=[1, 4, 4, 4, 1], strides=2),
    x=normal(1, 2, 2, 2, 2),
    w=normal(2, 2, 2, 1, 2),
)
case(
    "conv_transpose",
    call("nn.conv_transpose", output_shape=[1, 6, 6, 1], strides=2),
    x=normal(1, 3, 3, 2),
    w=normal(2, 2, 1, 2),
)
case(
    "conv_transpose_1d",
    call("nn.conv_transpose", output_shape=[1, 6, 1], strides=2),
    x=normal(1, 3, 2),
    w=normal(2, 1, 2),
)
case(
    "atrous_conv2d_transpose",
    call("nn.atrous_conv2d_transpose", output_shape=[1, 5, 5, 1], rate=2, padding="VALID"),
    x=normal(1, 3, 3, 1),
    w=normal(2, 2, 1, 1),
)
case(
    "depthwise_backprop_input",
    lambda tf, w, g: tf.nn.depthwise_conv2d_backprop_input(
        [1, 4, 4, 2], w, g, [1, 1, 1, 1], "SAME"
    ),
    w=normal(2, 2, 2, 1),
    g=normal(1, 4, 4, 2),
)
case(
    "depthwise_backprop_filter",
    lambda tf, x, g: tf.nn.depthwise_conv2d_backprop_filter(
        x, [2, 2, 2, 1], g, [1, 1, 1, 1], "VALID"
    ),
    x=normal(1, 4, 4, 2),
    g=normal(1, 3, 3, 2),
)
case(
    "conv_layer",
    lambda tf, x, w, b: tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), b)),
    x=normal(1, 4, 4, 2),
    w=normal(3, 3, 2, 2),
    b=normal(2),
)
compiled_case(
    "depthwise_conv2d_nchw",
    call("nn.depthwise_conv2d", strides=[1, 1, 1, 1], padding="SAME", data_format="NCHW"),
    x=normal(1, 2, 3, 3),
    w=normal(2, 2, 2, 1),
)
compiled_case(
    "conv3d_ncdhw",
    call("nn.conv3d", strides=[1, 1, 1, 1, 1], padding="VALID", data_format="NCDHW"),
    x=normal(1, 2, 3, 3, 3),
    w=normal(2, 2, 2, 2, 1),
)
compiled_case(
    "conv2d_nchw_strides_same",
    call("nn.conv2d", strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW"),
    x=normal(1, 2, 5, 4),
    w=normal(3, 3, 2, 2),
)
compiled_case(
    "conv1d_groups",
    call("nn.conv1d", stride=1, padding="SAME"),
    x=normal(1, 5, 4),
    w=normal(3, 2, 2),
)
compiled_case(
    "conv2d_strides_and_groups",
    call("nn.conv2d", strides=2, padding="SAME"),
    x=normal(1, 5, 5, 4),
    w=normal(3, 3, 2, 2),
)
