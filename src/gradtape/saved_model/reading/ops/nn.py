"""Ops of TensorFlow that layers are made of: convolutions, pooling, normalization, images."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.saved_model.reading.table import op, rows

rows(
    AdjustContrastv2="image.adjust_contrast",
    HSVToRGB="image.hsv_to_rgb",
    LogSoftmax="nn.log_softmax",
    RGBToHSV="image.rgb_to_hsv",
    Softmax="nn.softmax",
)


def _padding(padding: bytes, explicit: list):
    if padding != b"EXPLICIT":
        return padding.decode()
    pairs = list(zip(explicit[::2], explicit[1::2], strict=True))
    return [list(pair) for pair in pairs]


@op("BiasAdd")
def bias_add(value, bias, *, data_format=b"NHWC"):
    return lookup("nn.bias_add")(value, bias, data_format.decode())


def _convolution(public: str, default: bytes, transposed: bool = False):
    ones = (1,) * len(default)

    def call(*inputs, strides, padding, explicit_paddings=(), data_format=default, dilations=ones):
        if transposed:  # (sizes, filters, x): the public function takes them the other way round
            inputs = inputs[::-1]
        where = _padding(padding, list(explicit_paddings))
        return lookup(public)(*inputs, strides, where, data_format.decode(), dilations)

    return call


op("Conv2D")(_convolution("nn.conv2d", b"NHWC"))
op("Conv3D")(_convolution("nn.conv3d", b"NDHWC"))
op("Conv2DBackpropInput")(_convolution("nn.conv2d_transpose", b"NHWC", transposed=True))
op("Conv3DBackpropInputV2")(_convolution("nn.conv3d_transpose", b"NDHWC", transposed=True))


@op("DepthwiseConv2dNative")
def depthwise(
    x,
    filters,
    *,
    strides,
    padding,
    explicit_paddings=(),
    data_format=b"NHWC",
    dilations=(1, 1, 1, 1),
):
    """Convolve each channel by itself; dilations are those of the two axes of space."""
    space = slice(1, 3) if data_format == b"NHWC" else slice(2, 4)
    return lookup("nn.depthwise_conv2d")(
        x,
        filters,
        strides,
        _padding(padding, list(explicit_paddings)),
        data_format.decode(),
        list(dilations)[space],
    )


def _pooling(public: str, default: bytes):
    def call(x, *, ksize, strides, padding, explicit_paddings=(), data_format=default):
        where = _padding(padding, list(explicit_paddings))
        return lookup(public)(x, ksize, strides, where, data_format.decode())

    return call


op("MaxPool")(_pooling("nn.max_pool2d", b"NHWC"))
op("AvgPool")(_pooling("nn.avg_pool2d", b"NHWC"))
op("MaxPool3D")(_pooling("nn.max_pool3d", b"NDHWC"))
op("AvgPool3D")(_pooling("nn.avg_pool3d", b"NDHWC"))


@op(
    "FusedBatchNorm",
    "FusedBatchNormV2",
    "FusedBatchNormV3",
    outputs="y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3",
)
def fused_batch_norm(
    x,
    scale,
    offset,
    mean,
    variance,
    *,
    epsilon=1e-4,
    exponential_avg_factor=1.0,
    data_format=b"NHWC",
    is_training=True,
):
    """Normalize by the moments of the batch, or by those given; new moments are unbiased."""
    channel = x.ndim - 1 if data_format in (b"NHWC", b"NDHWC") else 1
    axes = [axis for axis in range(x.ndim) if axis != channel]
    wide = [-1 if axis == channel else 1 for axis in range(x.ndim)]
    kind = x.dtype
    x = lookup("cast")(x, scale.dtype)
    used_mean, used_variance = mean, variance
    if is_training:
        used_mean, used_variance = lookup("nn.moments")(x, axes)
        count = math.prod([int(x.shape[axis]) for axis in axes])
        unbiased = used_variance * (count / max(count - 1, 1))
        if exponential_avg_factor == 1.0:
            mean, variance = used_mean, unbiased
        else:
            mean = mean + (used_mean - mean) * exponential_avg_factor
            variance = variance + (unbiased - variance) * exponential_avg_factor
    parts = [lookup("reshape")(v, wide) for v in (used_mean, used_variance, offset, scale)]
    y = lookup("cast")(lookup("nn.batch_normalization")(x, *parts, epsilon), kind)
    return y, mean, variance, used_mean, used_variance, ops.zeros((0,), "float32")


@op("LRN")
def local_response_normalization(x, *, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5):
    return lookup("nn.local_response_normalization")(x, depth_radius, bias, alpha, beta)


@op("SoftmaxCrossEntropyWithLogits", outputs="loss backprop")
def softmax_cross_entropy(logits, labels):
    loss = lookup("nn.softmax_cross_entropy_with_logits")(labels, logits)
    return loss, lookup("nn.softmax")(logits) - labels


@op("SparseSoftmaxCrossEntropyWithLogits", outputs="loss backprop")
def sparse_softmax_cross_entropy(logits, labels):
    loss = lookup("nn.sparse_softmax_cross_entropy_with_logits")(labels, logits)
    chosen = lookup("one_hot")(labels, int(logits.shape[-1]), dtype=logits.dtype)
    return loss, lookup("nn.softmax")(logits) - chosen


# --- images --------------------------------------------------------------------------------------


def _resize(name: str, function: str) -> None:
    def call(images, size, *, align_corners=False, half_pixel_centers=False):
        return lookup(f"compat.v1.image.{function}")(
            images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers
        )

    op(name)(call)


_resize("ResizeNearestNeighbor", "resize_nearest_neighbor")
_resize("ResizeBilinear", "resize_bilinear")
_resize("ResizeBicubic", "resize_bicubic")
_resize("ResizeArea", "resize_area")


@op("CropAndResize")
def crop_and_resize(
    image, boxes, box_indices, crop_size, *, method=b"bilinear", extrapolation_value=0.0
):
    return lookup("image.crop_and_resize")(
        image, boxes, box_indices, crop_size, method.decode(), extrapolation_value
    )


@op("NonMaxSuppressionV3")
def non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold):
    return lookup("image.non_max_suppression")(
        boxes, scores, max_output_size, float(iou_threshold), float(score_threshold)
    )
