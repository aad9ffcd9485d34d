"""Suppressing boxes that overlap, and drawing boxes."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, uniform

case = CaseList()

BOXES = array(
    [
        [0.0, 0.0, 1.0, 1.0],
        [0.0, 0.1, 1.0, 1.1],
        [0.0, -0.1, 1.0, 0.9],
        [0.0, 10.0, 1.0, 11.0],
        [0.0, 10.1, 1.0, 11.1],
        [0.0, 100.0, 1.0, 101.0],
        [1.0, 1.0, 0.2, 0.1],
        [0.3, 0.3, 0.3, 0.9],
    ]
)
SCORES = array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.9, 0.2])

for name, options in {
    "default": {},
    "low_threshold": {"iou_threshold": 0.1},
    "high_threshold": {"iou_threshold": 0.95},
    "few": {"max_output_size": 2},
    "scores": {"score_threshold": 0.55},
}.items():
    case(
        f"suppression_{name}",
        call("image.non_max_suppression", **{"max_output_size": 8, **options}),
        wrt="",
        boxes=BOXES,
        scores=SCORES,
    )
    for sigma in (0.0, 0.5):
        case(
            f"suppression_{name}_scores_{sigma}",
            call(
                "image.non_max_suppression_with_scores",
                **{"max_output_size": 8, "soft_nms_sigma": sigma, **options},
            ),
            wrt="",
            boxes=BOXES,
            scores=SCORES,
        )
    for pad in (False, True):
        case(
            f"suppression_{name}_{'padded' if pad else 'cut'}",
            call(
                "image.non_max_suppression_padded",
                **{"max_output_size": 8, "pad_to_max_output_size": pad, **options},
            ),
            wrt="",
            boxes=BOXES,
            scores=SCORES,
        )
case(
    "suppression_random",
    call("image.non_max_suppression", 30, iou_threshold=0.3),
    wrt="",
    boxes=uniform(60, 4),
    scores=uniform(60),
)
case(
    "suppression_padded_batch",
    call("image.non_max_suppression_padded", 6, 0.3, 0.2, pad_to_max_output_size=True),
    wrt="",
    boxes=array(
        [
            [[0.1, 0.1, 0.5, 0.5], [0.1, 0.15, 0.5, 0.55], [0.6, 0.6, 0.9, 0.9]],
            [[0.2, 0.2, 0.4, 0.4], [0.5, 0.5, 0.8, 0.8], [0.5, 0.55, 0.8, 0.8]],
        ]
    ),
    scores=array([[0.5, 0.6, 0.1], [0.9, 0.3, 0.4]]),
)
case(
    "suppression_overlaps",
    call("image.non_max_suppression_overlaps", 4, 0.4, 0.1),
    wrt="",
    overlaps=array(
        [
            [1.0, 0.5, 0.2, 0.0],
            [0.5, 1.0, 0.45, 0.1],
            [0.2, 0.45, 1.0, 0.0],
            [0.0, 0.1, 0.0, 1.0],
        ]
    ),
    scores=array([0.4, 0.9, 0.8, 0.05]),
)
for classes in (1, 3):
    for pad in (False, True):
        case(
            f"suppression_combined_{classes}_{'per_class' if pad else 'total'}",
            lambda tf, boxes, scores, p=pad: tuple(
                tf.image.combined_non_max_suppression(
                    boxes, scores, 2, 7, iou_threshold=0.3, score_threshold=0.2, pad_per_class=p
                )
            ),
            wrt="",
            boxes=uniform(2, 10, classes, 4, high=1.2),
            scores=uniform(2, 10, 3),
        )
DRAWN = array(
    [
        [[0.1, 0.2, 0.8, 0.7], [0.5, 0.5, 1.5, 1.5], [-0.5, 0.1, 0.3, 2.0]],
        [[0.0, 0.0, 1.0, 1.0], [0.6, 0.2, 0.1, 0.9], [2.0, 2.0, 3.0, 3.0]],
    ]
)
for channels in (1, 3, 4):
    case(
        f"draw_{channels}",
        call("image.draw_bounding_boxes", None),
        wrt="",
        x=uniform(2, 8, 9, channels),
        boxes=DRAWN,
    )
case(
    "draw_colors",
    call("image.draw_bounding_boxes", [[0.2, 0.4, 0.6, 0.8], [1.0, 0.5, 0.0, 1.0]]),
    wrt="",
    x=uniform(2, 8, 9, 3),
    boxes=DRAWN,
)
