"""Resizing in all its methods, crops by boxes, patches and glimpses."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal, uniform

case = CaseList()

METHODS = "bilinear nearest bicubic area lanczos3 lanczos5 gaussian mitchellcubic".split()
for method in METHODS:
    # TensorFlow has no gradient of the method "area".
    wrt = "" if method == "area" else None
    for antialias in (False, True):
        suffix = "_antialias" if antialias else ""
        options = {"method": method, "antialias": antialias}
        for name, shape, size in (
            ("up", (2, 3, 4, 2), [7, 9]),
            ("down", (1, 9, 11, 2), [4, 3]),
            ("mixed", (1, 4, 9, 1), [7, 5]),
        ):
            case(
                f"{method}_{name}{suffix}",
                call("image.resize", size, **options),
                wrt=wrt,
                x=uniform(*shape),
            )
    case(
        f"{method}_same_size",
        call("image.resize", [3, 4], method=method),
        wrt=wrt,
        x=uniform(3, 4, 1),
    )
    case(
        f"{method}_from_bytes",
        call("image.resize", [3, 5], method=method),
        x=integers(1, 4, 4, 3, high=256, dtype="uint8"),
    )
    case(
        f"{method}_keeps_aspect_ratio",
        call("image.resize", [6, 5], method=method, preserve_aspect_ratio=True),
        wrt=wrt,
        x=uniform(4, 6, 2),
    )
# The result is float32, and so is what is computed on the way.
case(
    "from_float64",
    call("image.resize", [3, 5]),
    rtol=1e-6,
    x=uniform(1, 4, 4, 1, dtype="float64"),
)
case("from_half", call("image.resize", [3, 5]), x=uniform(1, 4, 4, 1, dtype="float16"))
case("to_one_pixel", call("image.resize", [1, 1], method="bicubic"), x=uniform(1, 4, 5, 1))
case("from_one_pixel", call("image.resize", [3, 2], method="bicubic"), x=uniform(1, 1, 1, 2))
case("large_enlargement", call("image.resize", [40, 3]), x=uniform(1, 3, 3, 1))
for size in ([8, 4], [3, 9], [2, 2]):
    case(
        f"with_pad_{size[0]}_{size[1]}",
        call("image.resize_with_pad", *size, antialias=True),
        x=uniform(2, 5, 4, 1),
    )
    case(
        f"with_crop_or_pad_{size[0]}_{size[1]}",
        call("image.resize_with_crop_or_pad", *size),
        x=uniform(2, 5, 4, 1),
    )
case("central_crop_batch", call("image.central_crop", 0.6), x=normal(2, 5, 7, 1))
case("central_crop_all", call("image.central_crop", 1.0), x=normal(2, 3, 1))
case("crop_batch", call("image.crop_to_bounding_box", 1, 2, 2, 1), x=normal(2, 4, 4, 1))
case("pad_batch", call("image.pad_to_bounding_box", 0, 1, 4, 6), x=normal(2, 3, 3, 1))
case("rot90_two", call("image.rot90", k=2), x=normal(2, 3, 1))
case("rot90_minus_one_batch", call("image.rot90", k=-1), x=normal(1, 2, 3, 1))
case("rot90_four", call("image.rot90", k=4), x=normal(2, 3, 1))

BOXES = array(
    [[0.1, 0.2, 0.8, 0.9], [0.0, 0.0, 1.0, 1.0], [0.7, 0.9, 0.2, -0.3], [0.3, 0.5, 1.4, 0.5]]
)
INDEX = array([0, 1, 1, 0], "int32")
for method in ("bilinear", "nearest"):
    for size in ([3, 4], [1, 1], [2, 1]):
        case(
            f"crop_and_resize_{method}_{size[0]}_{size[1]}",
            lambda tf, x, boxes, index, m=method, s=tuple(size): tf.image.crop_and_resize(
                x, boxes, index, s, method=m, extrapolation_value=-1.5
            ),
            x=uniform(2, 5, 4, 2),
            boxes=BOXES,
            index=INDEX,
        )
case(
    "crop_and_resize_bytes",
    call("image.crop_and_resize", [2, 3]),
    wrt="boxes",
    x=integers(2, 4, 4, 1, high=256, dtype="uint8"),
    boxes=BOXES,
    index=INDEX,
)

for centered in (True, False):
    for normalized in (True, False):
        case(
            f"glimpse_{'centered' if centered else 'corner'}_{'parts' if normalized else 'pixels'}",
            lambda tf, x, at, c=centered, n=normalized: tf.image.extract_glimpse(
                x, [3, 2], at, centered=c, normalized=n, noise="zero"
            ),
            wrt="",
            x=uniform(5, 7, 6, 2),
            at=array([[0.0, 0.0], [0.3, -0.2], [1.0, 2.0], [-2.0, 1.0], [0.9, -0.8]]),
        )
case(
    "patches_integers",
    call(
        "image.extract_patches",
        sizes=[1, 3, 2, 1],
        strides=[1, 2, 3, 1],
        rates=[1, 1, 2, 1],
        padding="SAME",
    ),
    x=integers(1, 5, 6, 2),
)
case(
    "patches_tiles",
    call(
        "image.extract_patches",
        sizes=[1, 2, 2, 1],
        strides=[1, 2, 2, 1],
        rates=[1, 1, 1, 1],
        padding="VALID",
    ),
    x=normal(2, 5, 4, 3),
)
