"""Images: patches, resizing, flips and colors."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, normal, uniform

case = CaseList()

for padding in ("SAME", "VALID"):
    low = padding.lower()
    options = {"sizes": [1, 2, 2, 1], "rates": [1, 1, 1, 1], "padding": padding}
    case(
        f"extract_patches_{low}",
        call("image.extract_patches", strides=[1, 1, 1, 1], **options),
        x=normal(1, 3, 4, 2),
    )
    case(
        f"extract_patches_strides_{low}",
        call("image.extract_patches", strides=[1, 2, 2, 1], **options),
        x=normal(1, 4, 4, 1),
    )
    case(
        f"extract_patches_rates_{low}",
        call(
            "image.extract_patches",
            sizes=[1, 2, 2, 1],
            strides=[1, 1, 1, 1],
            rates=[1, 2, 2, 1],
            padding=padding,
        ),
        x=normal(1, 4, 4, 1),
    )

for method in ("bilinear", "nearest", "bicubic", "area"):
    case(
        f"resize_up_{method}",
        call("image.resize", [5, 6], method=method),
        wrt=None if method != "area" else "",
        x=uniform(1, 3, 3, 2),
    )
    case(
        f"resize_down_{method}",
        call("image.resize", [2, 3], method=method),
        wrt=None if method != "area" else "",
        x=uniform(1, 5, 6, 1),
    )
case("resize_antialias", call("image.resize", [2, 3], antialias=True), x=uniform(1, 5, 6, 1))
case("resize_lanczos", call("image.resize", [4, 4], method="lanczos3"), x=uniform(1, 3, 3, 1))
case("resize_one_image", call("image.resize", [4, 4]), x=uniform(2, 2, 1))
for name in "flip_left_right flip_up_down rot90 transpose".split():
    case(f"image_{name}", call(f"image.{name}"), x=normal(2, 3, 2))
    case(f"image_{name}_batch", call(f"image.{name}"), x=normal(2, 2, 3, 1))
case("image_rot90_three", call("image.rot90", k=3), x=normal(2, 3, 1))
case("rgb_to_grayscale", call("image.rgb_to_grayscale"), x=uniform(2, 2, 3))
case("grayscale_to_rgb", call("image.grayscale_to_rgb"), x=uniform(2, 2, 1))
case("adjust_brightness", call("image.adjust_brightness", 0.2), x=uniform(2, 2, 3))
case("adjust_contrast", call("image.adjust_contrast", 1.5), wrt="", x=uniform(2, 2, 3))
case("adjust_gamma", call("image.adjust_gamma", 2.0, 1.5), x=uniform(2, 2, 3, low=0.1))
case("per_image_standardization", call("image.per_image_standardization"), x=uniform(3, 3, 1))
case("total_variation", call("image.total_variation"), x=uniform(3, 4, 1))
case("image_gradients", call("image.image_gradients"), x=normal(1, 3, 3, 1))
case("sobel_edges", call("image.sobel_edges"), x=normal(1, 4, 4, 1))
case("psnr", call("image.psnr", 1.0), a=uniform(1, 3, 3, 1), b=uniform(1, 3, 3, 1))
case("rgb_to_yuv", call("image.rgb_to_yuv"), x=uniform(2, 2, 3))
case("central_crop", call("image.central_crop", 0.5), x=normal(4, 4, 1))
case("pad_to_bounding_box", call("image.pad_to_bounding_box", 1, 2, 5, 6), x=normal(3, 3, 1))
case("crop_to_bounding_box", call("image.crop_to_bounding_box", 1, 0, 2, 3), x=normal(4, 4, 1))
case("resize_with_crop_or_pad", call("image.resize_with_crop_or_pad", 2, 6), x=normal(4, 4, 1))
case(
    "crop_and_resize",
    call("image.crop_and_resize", [2, 2]),
    x=uniform(1, 4, 4, 1),
    boxes=array([[0.1, 0.2, 0.8, 0.9]]),
    index=array([0], "int32"),
)
for name in "rgb_to_hsv hsv_to_rgb yuv_to_rgb rgb_to_yiq yiq_to_rgb".split():
    # TensorFlow has no gradient of the way back from hue, saturation and value.
    wrt = "" if name == "hsv_to_rgb" else None
    case(name, call(f"image.{name}"), wrt=wrt, x=uniform(2, 3, 3, low=0.05, high=0.95))
case("adjust_saturation", call("image.adjust_saturation", 0.5), wrt="", x=uniform(2, 2, 3))
case("adjust_hue", call("image.adjust_hue", 0.2), wrt="", x=uniform(2, 2, 3))
case("ssim", call("image.ssim", 1.0, filter_size=3), a=uniform(1, 5, 5, 1), b=uniform(1, 5, 5, 1))
case("resize_with_pad", call("image.resize_with_pad", 4, 6), x=uniform(3, 3, 1))
case(
    "convert_image_dtype",
    lambda tf, x: tf.image.convert_image_dtype(x, tf.uint8),
    wrt="",
    x=uniform(2, 2, 1),
)
case(
    "convert_image_dtype_float",
    lambda tf, x: tf.image.convert_image_dtype(x, tf.float32),
    x=array([[[0], [128], [255]]], "uint8"),
)
