"""`tf.image`: wrong arguments, and what is more than TensorFlow has."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.testing import check_gradients

# What is called, the class that TensorFlow raises, and what the text must say.
WRONG_CALLS = {
    "resize_rank": (lambda tf: tf.image.resize(tf.ones([2, 2]), [2, 2]), "ValueError", "3 or 4"),
    "resize_size_rank": (
        lambda tf: tf.image.resize(tf.ones([2, 2, 1]), [2, 2, 2]),
        "ValueError",
        "2 elements",
    ),
    "resize_size_dtype": (
        lambda tf: tf.image.resize(tf.ones([2, 2, 1]), [2.5, 2.0]),
        "ValueError",
        "int32",
    ),
    "resize_method": (
        lambda tf: tf.image.resize(tf.ones([2, 2, 1]), [2, 2], method="cubic"),
        "ValueError",
        "not implemented: cubic",
    ),
    "resize_negative": (
        lambda tf: tf.image.resize(tf.ones([2, 2, 1]), [-2, 2]),
        "ValueError",
        "must be positive",
    ),
    "resize_with_pad_size": (
        lambda tf: tf.image.resize_with_pad(tf.ones([2, 2, 1]), 0, 2),
        "ValueError",
        "> 0",
    ),
    "crop_or_pad_rank": (
        lambda tf: tf.image.resize_with_crop_or_pad(tf.ones([2, 2]), 2, 2),
        "ValueError",
        "three",
    ),
    "flip_rank": (lambda tf: tf.image.flip_left_right(tf.ones([2, 2])), "ValueError", "three"),
    "flip_rank_five": (
        lambda tf: tf.image.flip_up_down(tf.ones([1, 1, 2, 2, 1])),
        "ValueError",
        "3 or 4",
    ),
    "rot90_k": (lambda tf: tf.image.rot90(tf.ones([2, 2, 1]), [1]), "ValueError", "rank 0"),
    "transpose_empty": (lambda tf: tf.image.transpose(tf.ones([0, 2, 1])), "ValueError", "> 0"),
    "central_crop": (
        lambda tf: tf.image.central_crop(tf.ones([2, 2, 1]), 1.5),
        "ValueError",
        "0, 1",
    ),
    "crop_beyond": (
        lambda tf: tf.image.crop_to_bounding_box(tf.ones([2, 2, 1]), 0, 1, 2, 2),
        "ValueError",
        "width must be >= target",
    ),
    "pad_too_small": (
        lambda tf: tf.image.pad_to_bounding_box(tf.ones([2, 2, 1]), 1, 0, 2, 2),
        "ValueError",
        "height must be <= target",
    ),
    "patches_rank": (
        lambda tf: tf.image.extract_patches(tf.ones([2, 2, 1]), [1] * 4, [1] * 4, [1] * 4, "SAME"),
        "InvalidArgumentError",
        "4-dimensional",
    ),
    "patches_sizes": (
        lambda tf: tf.image.extract_patches(
            tf.ones([1, 2, 2, 1]), [2, 2], [1] * 4, [1] * 4, "SAME"
        ),
        "InvalidArgumentError",
        "sizes",
    ),
    "glimpse_offsets": (
        lambda tf: tf.image.extract_glimpse(tf.ones([1, 2, 2, 1]), [1, 1], [[0.0, 0.0, 0.0]]),
        "InvalidArgumentError",
        "offsets",
    ),
    "contrast_of_many": (
        lambda tf: tf.image.adjust_contrast(tf.ones([1, 2, 2, 3]), [2.0]),
        "InvalidArgumentError",
        "contrast_factor must be scalar",
    ),
    "crop_and_resize_index": (
        lambda tf: tf.image.crop_and_resize(
            tf.ones([1, 2, 2, 1]), [[0.0, 0.0, 1.0, 1.0]], [1], [2, 2]
        ),
        "OutOfRangeError",
        "outside",
    ),
    "crop_and_resize_boxes": (
        lambda tf: tf.image.crop_and_resize(tf.ones([1, 2, 2, 1]), [[0.0, 1.0]], [0], [2, 2]),
        "InvalidArgumentError",
        "boxes",
    ),
    "rgb_channels": (
        lambda tf: tf.image.rgb_to_hsv(tf.ones([2, 2, 4])),
        "FailedPreconditionError",
        "3 channels",
    ),
    "hsv_channels": (
        lambda tf: tf.image.hsv_to_rgb(tf.ones([2, 2, 1])),
        "FailedPreconditionError",
        "3 channels",
    ),
    "gray_channels": (
        lambda tf: tf.image.grayscale_to_rgb(tf.ones([2, 2, 3])),
        "ValueError",
        "size 1",
    ),
    "hue_delta": (lambda tf: tf.image.adjust_hue(tf.ones([2, 2, 3]), 1.5), "ValueError", "-1, 1"),
    "gamma": (lambda tf: tf.image.adjust_gamma(tf.ones([2, 2, 3]), -1), "ValueError", "Gamma"),
    "dtype": (
        lambda tf: tf.image.convert_image_dtype(tf.ones([2]), tf.bool),
        "AttributeError",
        "dtype",
    ),
    "contrast_rank": (
        lambda tf: tf.image.adjust_contrast(tf.ones([2, 2]), 2.0),
        "InvalidArgumentError",
        "3-D",
    ),
    "brightness_delta": (
        lambda tf: tf.image.random_brightness(tf.ones([2, 2, 3]), -1),
        "ValueError",
        "max_delta",
    ),
    "hue_max_delta": (
        lambda tf: tf.image.random_hue(tf.ones([2, 2, 3]), 0.6),
        "ValueError",
        "max_delta",
    ),
    "contrast_range": (
        lambda tf: tf.image.random_contrast(tf.ones([2, 2, 3]), 2, 1),
        "ValueError",
        "upper",
    ),
    "saturation_lower": (
        lambda tf: tf.image.random_saturation(tf.ones([2, 2, 3]), -1, 1),
        "ValueError",
        "lower",
    ),
    "crop_size": (
        lambda tf: tf.image.random_crop(tf.ones([2, 2]), [3, 1]),
        "InvalidArgumentError",
        "size",
    ),
    "jpeg_quality": (
        lambda tf: tf.image.random_jpeg_quality(tf.ones([2, 2, 3]), 50, 20),
        "ValueError",
        "less",
    ),
    "total_variation": (
        lambda tf: tf.image.total_variation(tf.ones([2, 2])),
        "ValueError",
        "3 or 4",
    ),
    "image_gradients": (
        lambda tf: tf.image.image_gradients(tf.ones([2, 2, 1])),
        "ValueError",
        "4D",
    ),
    "psnr_shapes": (
        lambda tf: tf.image.psnr(tf.ones([2, 2, 1]), tf.ones([2, 3, 1]), 1.0),
        "ValueError|InvalidArgumentError",
        "ncompatible",
    ),
    "ssim_small": (
        lambda tf: tf.image.ssim(tf.ones([4, 4, 1]), tf.ones([4, 4, 1]), 1.0),
        "InvalidArgumentError",
        "filter|Expected",
    ),
    "ssim_shapes": (
        lambda tf: tf.image.ssim(tf.ones([12, 12, 1]), tf.ones([12, 12, 3]), 1.0),
        "ValueError",
        "ncompatible",
    ),
    "suppression_shapes": (
        lambda tf: tf.image.non_max_suppression(tf.ones([2, 4]), tf.ones([3]), 2),
        "InvalidArgumentError",
        "scores",
    ),
    "suppression_threshold": (
        lambda tf: tf.image.non_max_suppression(tf.ones([2, 4]), tf.ones([2]), 2, 1.5),
        "InvalidArgumentError",
        "iou_threshold",
    ),
    "suppression_padded_batch": (
        lambda tf: tf.image.non_max_suppression_padded(tf.ones([1, 2, 4]), tf.ones([1, 2]), 2),
        "ValueError",
        "pad_to_max_output_size",
    ),
    "combined_shapes": (
        lambda tf: tf.image.combined_non_max_suppression(
            tf.ones([1, 2, 2, 4]), tf.ones([1, 2, 3]), 2, 2
        ),
        "InvalidArgumentError",
        "boxes",
    ),
    "draw_shapes": (
        lambda tf: tf.image.draw_bounding_boxes(tf.ones([1, 2, 2, 3]), tf.ones([2, 1, 4]), None),
        "InvalidArgumentError",
        "box",
    ),
    "distorted_box_range": (
        lambda tf: tf.image.stateless_sample_distorted_bounding_box(
            [5, 5, 3], [[[0.0, 0.0, 1.5, 1.0]]], (1, 2)
        ),
        "InvalidArgumentError",
        "0.0, 1.0",
    ),
    "distorted_box_none": (
        lambda tf: tf.image.stateless_sample_distorted_bounding_box(
            [5, 5, 3], tf.zeros([0, 0, 4]), (1, 2)
        ),
        "InvalidArgumentError",
        "use_image_if_no_bounding_boxes",
    ),
    "fake_quant_range": (
        lambda tf: tf.quantization.fake_quant_with_min_max_args(tf.ones([2]), min=1, max=0),
        "InvalidArgumentError",
        "min",
    ),
    "fake_quant_bits": (
        lambda tf: tf.quantization.fake_quant_with_min_max_args(tf.ones([2]), num_bits=20),
        "InvalidArgumentError",
        "num_bits",
    ),
    "fake_quant_dtype": (
        lambda tf: tf.quantization.fake_quant_with_min_max_args(tf.ones([2], tf.int32)),
        "ValueError",
        "float",
    ),
    "round_mode": (
        lambda tf: tf.quantization.quantize_and_dequantize_v2(
            tf.ones([2]), 0.0, 1.0, round_mode="UP"
        ),
        "InvalidArgumentError",
        "ound",
    ),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_arguments(name):
    call, classes, text = WRONG_CALLS[name]
    with pytest.raises(Exception, match=text) as caught:
        call(tf)
    names = {cls.__name__ for cls in type(caught.value).__mro__}
    assert names & set(classes.split("|")), f"{type(caught.value)} is none of {classes}"


def _random(*shape):
    return tf.constant(np.random.default_rng(0).uniform(0.1, 0.9, shape).astype(np.float32))


@pytest.mark.parametrize("function", [tf.image.rgb_to_hsv, tf.image.hsv_to_rgb])
def test_derivatives_of_colors(function):
    check_gradients(function, [_random(2, 3, 3)], order=2)


# These compute in float32, as TensorFlow's do: no more can be asked of differences.
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.image.resize(x, [2, 5], method="area"),
        lambda x: tf.image.resize(x, [7, 2], method="lanczos3", antialias=True),
        lambda x: tf.image.resize(x, [7, 9], method="bicubic"),
        lambda x: tf.image.adjust_contrast(x, 1.5),
        lambda x: tf.image.adjust_saturation(x, 0.7),
        lambda x: tf.image.adjust_hue(x, 0.2),
        lambda x: tf.image.ssim(x, x * 0.8, 1.0, filter_size=3),
        lambda x: tf.image.crop_and_resize(x, [[0.1, 0.2, 0.7, 0.9]], [0], [3, 2]),
    ],
    ids="area lanczos bicubic contrast saturation hue ssim crop".split(),
)
def test_derivatives_in_float32(function):
    x, direction = _random(1, 5, 6, 3), _random(1, 5, 6, 3) - 0.5
    weights = tf.cos(tf.cast(tf.range(tf.size(function(x))), tf.float32))

    def value(x):
        return tf.reduce_sum(tf.reshape(function(x), [-1]) * weights)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = value(x)
    reverse = float(tf.reduce_sum(tape.gradient(y, x) * direction))
    with tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
        y = value(x)
    forward = float(accumulator.jvp(y))
    step = 1e-3
    numerical = float(value(x + step * direction) - value(x - step * direction)) / (2 * step)
    assert forward == pytest.approx(reverse, rel=1e-4, abs=1e-5)
    assert numerical == pytest.approx(reverse, rel=5e-3, abs=2e-3)


def test_images_in_a_vectorized_map():
    images = _random(3, 4, 5, 3)
    for function in (
        lambda x: tf.image.resize(x, [6, 3]),
        lambda x: tf.image.flip_left_right(x),
        lambda x: tf.image.rgb_to_hsv(x),
        lambda x: tf.image.adjust_contrast(x, 2.0),
        lambda x: tf.image.total_variation(x),
    ):
        expected = np.stack([function(image).numpy() for image in images])
        np.testing.assert_allclose(tf.vectorized_map(function, images), expected, atol=1e-6)


def test_noise_around_a_glimpse():
    image = tf.fill([1, 4, 4, 2], 5.0)
    for noise in ("uniform", "gaussian"):
        result = tf.image.extract_glimpse(
            image, [4, 4], [[2.0, 2.0]], centered=False, normalized=False, noise=noise
        ).numpy()
        assert (result[:, :2, :2] == 5).all()
        outside = result[:, 2:, 2:]
        if noise == "uniform":
            assert ((outside >= 0) & (outside < 1)).all()
        else:
            assert (outside == 5).all()  # the image's deviation is 0


def test_boxes_without_a_seed_differ():
    draws = {
        tuple(
            tf.image.sample_distorted_bounding_box([500, 500, 3], [[[0.0, 0.0, 1.0, 1.0]]])
            .begin.numpy()
            .tolist()
        )
        for _ in range(8)
    }
    assert len(draws) > 1


def test_results_with_names():
    result = tf.image.combined_non_max_suppression(
        tf.random.uniform([1, 3, 1, 4]), tf.random.uniform([1, 3, 2]), 2, 3
    )
    assert result._fields == ("nmsed_boxes", "nmsed_scores", "nmsed_classes", "valid_detections")
    box = tf.image.stateless_sample_distorted_bounding_box(
        [9, 9, 3], [[[0.0, 0.0, 1.0, 1.0]]], (1, 2)
    )
    assert box._fields == ("begin", "size", "bboxes")
    image = tf.ones([9, 9, 3])
    assert tf.slice(image, box.begin, box.size).shape[2] == 3


def test_glimpses_of_no_images():
    glimpses = tf.image.extract_glimpse(tf.zeros([0, 4, 3, 2]), [2, 1], tf.zeros([0, 2]))
    assert glimpses.shape == (0, 2, 1, 2)


# Of a row of 0, 4, 8 made 4 pixels wide, by method: from the first corner, and with both ends kept.
ROWS_OF_VERSION_ONE = {
    0: ([0, 3, 6, 8], [0, 8 / 3, 16 / 3, 8]),
    1: ([0, 0, 4, 8], [0, 4, 4, 8]),
    2: ([0, 2.671875, 6.375, 8.421875], [0, 2.297708, 5.702291, 8]),
    3: ([0, 8 / 3, 16 / 3, 8], [0, 2, 4, 8]),
}


@pytest.mark.parametrize("method", ROWS_OF_VERSION_ONE)
def test_resizing_as_in_version_one(method):
    image = tf.compat.v1.image
    x = tf.constant([[[[0.0], [4.0], [8.0]]]])
    rows = ROWS_OF_VERSION_ONE[method]
    for aligned, row in zip((False, True), rows, strict=True):
        expected = np.reshape(row, (1, 1, 4, 1))
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = image.resize(x, [1, 4], method, align_corners=aligned)
        np.testing.assert_allclose(result, expected, rtol=1e-5)
        slopes = tf.reshape(tape.jacobian(result, x), [4, 3])
        np.testing.assert_allclose(slopes @ [[0], [4], [8]], expected[0, 0], rtol=1e-5)
    padded = image.resize_image_with_pad(x, 3, 4, method)
    np.testing.assert_allclose(padded[:, :1], np.reshape(rows[0], (1, 1, 4, 1)), rtol=1e-5)
    assert not padded.numpy()[:, 1:].any()


def test_resize_of_version_one_leaves_images_of_that_size():
    x = tf.zeros([2, 2, 1], tf.uint8)
    assert tf.compat.v1.image.resize_images(x, [2, 2]).dtype == tf.uint8
    assert tf.compat.v1.image.resize_images(x, [2, 3]).dtype == tf.float32
    with pytest.raises(ValueError, match="not implemented: lanczos3"):
        tf.compat.v1.image.resize(x, [2, 3], "lanczos3")


def test_resizing_ops_of_version_one():
    image = tf.compat.v1.image
    x = tf.constant([[[[0.0], [4.0], [8.0]]]])
    middles = image.resize_bilinear(x, [1, 4], half_pixel_centers=True)
    np.testing.assert_allclose(middles[0, 0, :, 0], [0, 2.5, 5.5, 8])
    rows = image.resize_area(x, [2, 3], align_corners=True)
    np.testing.assert_allclose(rows, np.concatenate([x, x], 1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="align_corners must be False"):
        image.resize_bicubic(x, [1, 4], align_corners=True, half_pixel_centers=True)
    with pytest.raises(ValueError, match="of 4 dimensions"):
        image.resize_nearest_neighbor(x[0], [1, 4])
