"""Random changes of images: the numbers of TensorFlow for equal seeds."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import uniform

case = CaseList()

IMAGE, IMAGES = uniform(4, 5, 3), uniform(5, 4, 3, 3)
CHANGES = {
    "flip_left_right": (),
    "flip_up_down": (),
    "brightness": (0.4,),
    "contrast": (0.3, 1.8),
    "hue": (0.4,),
    "saturation": (0.2, 2.5),
}
for name, arguments in CHANGES.items():
    # TensorFlow has no gradient of these.
    wrt = "" if name in ("contrast", "hue", "saturation") else None
    for which, x in (("one", IMAGE), ("many", IMAGES)):
        case(
            f"{name}_{which}",
            lambda tf, x, n=name, a=arguments: [
                getattr(tf.image, f"stateless_random_{n}")(x, *a, seed=(seed, 7)) for seed in (1, 2)
            ],
            wrt=wrt,
            x=x,
        )

    def stateful(tf, x, n=name, a=arguments):
        change = getattr(tf.image, f"random_{n}")
        tf.random.set_seed(5)
        return [change(x, *a), change(x, *a), change(x, *a, seed=3), change(x, *a, seed=3)]

    case(f"{name}_stateful", stateful, wrt="", x=IMAGES)

case(
    "crop",
    lambda tf, x: [tf.image.stateless_random_crop(x, [2, 3, 3], seed=(s, 1)) for s in range(4)],
    x=IMAGE,
)


def _crops(tf, x):
    tf.random.set_seed(11)
    return [tf.image.random_crop(x, [2, 3, 3]) for _ in range(3)] + [
        tf.image.random_crop(x, [2, 3, 3], seed=2) for _ in range(2)
    ]


case("crop_stateful", _crops, x=IMAGE)


def _boxes(tf, boxes, **options):
    return [
        tf.image.stateless_sample_distorted_bounding_box([60, 90, 3], boxes, seed=(s, 4), **options)
        for s in range(6)
    ]


GIVEN = [[[0.1, 0.2, 0.6, 0.7], [0.5, 0.1, 0.9, 0.4]]]
case("distorted_box", lambda tf: _boxes(tf, GIVEN), exact=True)
case(
    "distorted_box_options",
    lambda tf: _boxes(
        tf,
        GIVEN,
        min_object_covered=0.7,
        aspect_ratio_range=(0.5, 2.0),
        area_range=(0.2, 0.6),
        max_attempts=20,
    ),
    exact=True,
)
case(
    "distorted_box_whole_image",
    lambda tf: _boxes(
        tf, tf.zeros([0, 0, 4]), area_range=(0.3, 1.0), use_image_if_no_bounding_boxes=True
    ),
    exact=True,
)
case(
    "distorted_box_impossible",
    lambda tf: _boxes(tf, GIVEN, min_object_covered=1.0, area_range=(0.05, 0.06)),
    exact=True,
)


def _stateful_boxes(tf):
    tf.random.set_seed(8)
    return [
        tf.image.sample_distorted_bounding_box(tf.constant([50, 40, 1], tf.int64), GIVEN, seed=s)
        for s in (1, 1, 2)
    ]


case("distorted_box_stateful", _stateful_boxes, exact=True)
