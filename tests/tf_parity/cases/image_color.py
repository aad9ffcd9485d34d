"""Colors, brightness and contrast, and measures of one or two images."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal, uniform

case = CaseList()

DTYPES = "uint8 int16 uint16 int32 float16 float32 float64".split()
for source in DTYPES:
    for target in DTYPES:
        values = (
            array([[[0.0], [0.25], [0.5], [0.999], [1.0]]], source)
            if source.startswith("float")
            else array([[[0], [1], [100], [127], [250]]], source)
        )
        # What lies beyond the target's range is left to saturation.
        case(
            f"{source}_to_{target}",
            lambda tf, x, t=target: tf.image.convert_image_dtype(x, t, saturate=True),
            wrt="",
            x=values,
        )

# Gray, black, two equal channels, negative: where hue and saturation have kinks.
PIXELS = array(
    [
        [0.5, 0.5, 0.5],
        [0.0, 0.0, 0.0],
        [0.7, 0.7, 0.2],
        [0.2, 0.7, 0.7],
        [0.7, 0.2, 0.7],
        [0.2, 0.2, 0.9],
        [0.9, 0.2, 0.2],
        [0.2, 0.9, 0.2],
        [0.0, 0.3, 0.6],
        [0.6, 0.0, 0.3],
        [0.3, 0.6, 0.0],
        [1.0, 0.25, 0.5],
    ]
)
case("rgb_to_hsv_kinks", call("image.rgb_to_hsv"), x=PIXELS)
case("rgb_to_hsv_float64", call("image.rgb_to_hsv"), x=uniform(2, 2, 3, dtype="float64"))
case("hsv_to_rgb_kinks", call("image.hsv_to_rgb"), wrt="", x=PIXELS)
for delta in (-1.0, -0.3, 0.0, 0.45, 1.0):
    case(f"adjust_hue_{delta}", call("image.adjust_hue", delta), wrt="", x=uniform(2, 3, 3))
case("adjust_hue_kinks", lambda tf, x: tf.image.adjust_hue(x[None], 0.3), wrt="", x=PIXELS)
for factor in (0.0, 0.7, 3.0):
    case(
        f"adjust_saturation_{factor}",
        call("image.adjust_saturation", factor),
        wrt="",
        x=uniform(2, 3, 3),
    )
    case(
        f"adjust_contrast_{factor}",
        call("image.adjust_contrast", factor),
        wrt="",
        x=uniform(2, 3, 3, 2),
    )
BYTES = integers(2, 3, 3, high=256, dtype="uint8")
case("bytes_brightness", call("image.adjust_brightness", 0.3), x=BYTES)
case("bytes_contrast", call("image.adjust_contrast", 1.7), x=BYTES)
case("bytes_gamma", call("image.adjust_gamma", 0.5, 1.2), x=BYTES)
case("bytes_hue", call("image.adjust_hue", 0.2), x=BYTES)
case("bytes_saturation", call("image.adjust_saturation", 1.5), x=BYTES)
case("bytes_grayscale", call("image.rgb_to_grayscale"), x=BYTES)
case("half_brightness", call("image.adjust_brightness", 0.25), x=uniform(2, 2, 3, dtype="float16"))
case("grayscale_batch", call("image.rgb_to_grayscale"), x=uniform(2, 2, 2, 3))
case("standardized_bytes", call("image.per_image_standardization"), x=BYTES)
case("standardized_batch", call("image.per_image_standardization"), x=uniform(2, 3, 4, 2))
case(
    "standardized_uniform",
    call("image.per_image_standardization"),
    wrt="",
    x=array([[[2.0], [2.0]], [[2.0], [2.0]]]),
)
case("total_variation_batch", call("image.total_variation"), x=normal(2, 3, 4, 2))
case("sobel_channels", call("image.sobel_edges"), x=normal(2, 3, 5, 3))
case("image_gradients_channels", call("image.image_gradients"), x=normal(2, 3, 4, 3))
case("psnr_bytes", call("image.psnr", 255), a=BYTES, b=BYTES)
case("psnr_broadcast", call("image.psnr", 2.0), a=uniform(3, 2, 2, 1), b=uniform(1, 2, 2, 1))
# The variance of a window is a difference of nearly equal means, which leaves few digits.
CANCELLED = 2e-6
case(
    "ssim_default",
    call("image.ssim", 1.0),
    atol=CANCELLED,
    a=uniform(12, 13, 3),
    b=uniform(12, 13, 3),
)
case(
    "ssim_map",
    call("image.ssim", 2.0, filter_size=4, filter_sigma=0.8, return_index_map=True),
    atol=CANCELLED,
    a=uniform(2, 5, 6, 2),
    b=uniform(2, 5, 6, 2),
)
case(
    "ssim_bytes",
    call("image.ssim", 255, filter_size=3),
    a=integers(5, 5, 1, high=256, dtype="uint8"),
    b=integers(5, 5, 1, high=256, dtype="uint8"),
)
case(
    "ssim_multiscale",
    call("image.ssim_multiscale", 1.0, power_factors=(0.4, 0.6), filter_size=3),
    a=uniform(1, 7, 9, 2),
    b=uniform(1, 7, 9, 2),
)
case(
    "ssim_multiscale_alike",
    lambda tf, a: tf.image.ssim_multiscale(
        a, a * 0.9 + 0.02, 1.0, power_factors=(0.3, 0.3, 0.4), filter_size=3
    ),
    atol=CANCELLED,
    a=uniform(2, 13, 12, 1),
)
