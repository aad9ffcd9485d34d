"""`tf.image.non_max_suppression*`: keep the best of boxes that overlap.

Boxes are [y_min, x_min, y_max, x_max], as fractions of the image.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_int, static_value
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _sorted_corners(boxes: np.ndarray) -> np.ndarray:
    """Return boxes with their corners in order, whichever two opposite ones were given."""
    return np.concatenate(
        [np.minimum(boxes[..., :2], boxes[..., 2:]), np.maximum(boxes[..., :2], boxes[..., 2:])], -1
    )


def _overlaps(box: np.ndarray, others: np.ndarray, tiny: float = 0.0) -> np.ndarray:
    """Return the intersection over union of one box (its corners in order) with others."""
    zero = np.float32(0)
    top, left, bottom, right = box
    tops, lefts, bottoms, rights = others.T
    heights = np.minimum(bottom, bottoms) - np.maximum(top, tops)
    widths = np.minimum(right, rights) - np.maximum(left, lefts)
    shared = np.maximum(heights, zero) * np.maximum(widths, zero)
    area, areas = (bottom - top) * (right - left), (bottoms - tops) * (rights - lefts)
    union = area + areas - shared + np.float32(tiny)
    usable = np.ones(len(others), bool) if tiny else (area > 0) & (areas > 0)
    return np.where(usable, shared / np.where(usable, union, 1), zero)


def _select(scores, max_count: int, min_score, overlaps_of, threshold):
    """Select boxes by descending score, skipping those that overlap a selected one."""
    order = np.argsort(-scores, kind="stable")
    left = order[scores[order] > min_score]
    selected: list[int] = []
    while len(left) and len(selected) < max_count:
        best, left = left[0], left[1:]
        selected.append(int(best))
        left = left[~(overlaps_of(best, left) > threshold)]
    return selected, [scores[i] for i in selected]


def _select_softly(scores, max_count: int, min_score, overlaps_of, sigma: float):
    """Select boxes by descending score; selected boxes lower the scores of those they overlap."""
    queue = [(-s, i, 0) for i, s in enumerate(scores) if s > min_score]
    heapq.heapify(queue)
    selected: list[int] = []
    selected_scores: list = []
    while queue and len(selected) < max_count:
        negative, i, begin = heapq.heappop(queue)
        score = -negative
        if len(selected) > begin:  # what was chosen since the score was last looked at
            for each in overlaps_of(i, selected[begin:])[::-1]:
                score = score * np.exp(np.float32(-0.5 / sigma) * each * each)
                if score <= min_score:
                    break
        if score == -negative:
            selected.append(i)
            selected_scores.append(score)
        elif score > min_score:
            heapq.heappush(queue, (-score, i, len(selected)))
    return selected, selected_scores


def _check_scores(op: str, scores: np.ndarray, boxes: int) -> None:
    if scores.shape != (boxes,):
        raise ops.ShapeError(
            f"scores has incompatible shape {list(scores.shape)} for {boxes} boxes [Op:{op}]"
        )


def _boxes_and_scores(op: str, boxes, scores) -> tuple[np.ndarray, np.ndarray]:
    boxes, scores = np.asarray(ops.to_tensor(boxes)._data), np.asarray(ops.to_tensor(scores)._data)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ops.ShapeError(f"boxes must have shape [boxes, 4], got {list(boxes.shape)} [Op:{op}]")
    _check_scores(op, scores, len(boxes))
    return _sorted_corners(boxes), scores


def _scalar(op: str, what: str, value) -> np.ndarray:
    """Return an argument that must be one number."""
    number = np.asarray(static_value(value))
    if number.ndim:
        raise ops.ShapeError(f"{what} must be 0-D, got shape {list(number.shape)} [Op:{op}]")
    return number


def _threshold(op: str, value, what: str = "iou_threshold"):
    threshold = float(_scalar(op, what, value))
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(f"{what} must be in [0, 1], got {threshold} [Op:{op}]")
    return np.float32(threshold)


def _max_count(op: str, value) -> int:
    what = "max_output_size"
    count = static_int(_scalar(op, what, value), f"{op}: {what}")
    if count < 0:
        raise InvalidArgumentError(f"max_output_size must be >= 0, got {count} [Op:{op}]")
    return count


def _suppress(op, boxes, scores, max_output_size, iou_threshold, score_threshold, sigma):
    corners, values = _boxes_and_scores(op, boxes, scores)
    max_count, min_score = (
        _max_count(op, max_output_size),
        float(_scalar(op, "score_threshold", score_threshold)),
    )
    threshold = _threshold(op, iou_threshold)

    def overlaps_of(i, others):
        return _overlaps(corners[i], corners[others])

    if sigma > 0:
        return _select_softly(values, max_count, min_score, overlaps_of, sigma), values.dtype
    return _select(values, max_count, min_score, overlaps_of, threshold), values.dtype


@export("image.non_max_suppression")
def non_max_suppression(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    name=None,
) -> Tensor:
    """Return the numbers of boxes in order of score, without those that overlap a better one."""
    (chosen, _), _ = _suppress(
        "NonMaxSuppressionV3", boxes, scores, max_output_size, iou_threshold, score_threshold, 0.0
    )
    return Tensor(np.array(chosen, np.int32))


@export("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    soft_nms_sigma=0.0,
    name=None,
) -> tuple[Tensor, Tensor]:
    """Return (numbers of boxes, their scores); with a sigma, overlapping boxes are lowered in
    score."""
    (chosen, chosen_scores), dtype = _suppress(
        "NonMaxSuppressionV5",
        boxes,
        scores,
        max_output_size,
        iou_threshold,
        score_threshold,
        float(_scalar("NonMaxSuppressionV5", "soft_nms_sigma", soft_nms_sigma)),
    )
    return Tensor(np.array(chosen, np.int32)), Tensor(np.array(chosen_scores, dtype))


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps,
    scores,
    max_output_size,
    overlap_threshold=0.5,
    score_threshold=float("-inf"),
    name=None,
) -> Tensor:
    """Select as `non_max_suppression`, for overlaps [boxes, boxes] that are given."""
    op = "NonMaxSuppressionWithOverlaps"
    matrix = np.asarray(ops.to_tensor(overlaps)._data)
    values = np.asarray(ops.to_tensor(scores)._data)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ops.ShapeError(f"overlaps must be square, got shape {list(matrix.shape)} [Op:{op}]")
    _check_scores(op, values, len(matrix))
    chosen, _ = _select(
        values,
        _max_count(op, max_output_size),
        float(_scalar(op, "score_threshold", score_threshold)),
        lambda i, others: matrix[others, i],
        np.float32(_scalar(op, "overlap_threshold", overlap_threshold)),
    )
    return Tensor(np.array(chosen, np.int32))


def _padded_rows(boxes: np.ndarray, scores: np.ndarray, max_count: int, threshold, is_sorted: bool):
    """Return the indices of the boxes of one image that are kept, at most `max_count`."""
    order = np.arange(len(boxes)) if is_sorted else np.argsort(-scores, kind="stable")
    kept: list[int] = []
    for i in order:
        # A box of zeros stands for none: so are those marked whose score is too low.
        if (boxes[i] > 0).any() and not (
            kept and (_overlaps(boxes[i], boxes[kept], 1e-8) >= threshold).any()
        ):
            kept.append(int(i))
    return kept[:max_count]


@export("image.non_max_suppression_padded")
def non_max_suppression_padded(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_to_max_output_size=False,
    name=None,
    sorted_input=False,
    canonicalized_coordinates=False,
    tile_size=512,
) -> tuple[Tensor, Tensor]:
    """Return (numbers of boxes, how many count), for one image or, padded with zeros, for many."""
    op = "NonMaxSuppressionPadded"
    boxes, scores = np.asarray(ops.to_tensor(boxes)._data), np.asarray(ops.to_tensor(scores)._data)
    if not pad_to_max_output_size and boxes.ndim > 2:
        raise ValueError(
            f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for batched "
            "input"
        )
    if boxes.ndim < 2 or boxes.shape[-1] != 4 or scores.shape != boxes.shape[:-1]:
        raise ops.ShapeError(
            f"boxes must have shape [..., number of boxes, 4], and scores one number for each: got "
            f"{boxes.shape} and {scores.shape} [Op:{op}]"
        )
    batch, count = boxes.shape[:-2], boxes.shape[-2]
    rows, values = boxes.reshape(-1, count, 4), scores.reshape(-1, count)
    min_score = float(_scalar(op, "score_threshold", score_threshold))
    if min_score != float("-inf"):
        good = values > min_score
        rows, values = rows * good[..., None], values * good
    if not canonicalized_coordinates and count and len(rows):
        # The first box decides which two corners describe all boxes, as in TensorFlow.
        y, x = rows[0, 0, 0] <= rows[0, 0, 2], rows[0, 0, 1] <= rows[0, 0, 3]
        rows = rows[..., [0 if y else 2, 1 if x else 3, 2 if y else 0, 3 if x else 1]]
    max_count, threshold = (
        _max_count(op, max_output_size),
        np.float32(_scalar(op, "iou_threshold", iou_threshold)),
    )
    selected = [
        _padded_rows(*pair, max_count, threshold, sorted_input)
        for pair in zip(rows, values, strict=True)
    ]
    valid = np.array([len(each) for each in selected], np.int32)
    if not pad_to_max_output_size:
        return Tensor(np.array(selected[0], np.int32)), Tensor(valid.reshape(batch)[()])
    padded = np.zeros((len(selected), max_count), np.int32)
    for row, each in zip(padded, selected, strict=True):
        row[: len(each)] = each
    return Tensor(padded.reshape(*batch, max_count)), Tensor(valid.reshape(batch)[()])


class CombinedNonMaxSuppression(NamedTuple):
    """What `combined_non_max_suppression` gives."""

    nmsed_boxes: Tensor
    nmsed_scores: Tensor
    nmsed_classes: Tensor
    valid_detections: Tensor


@export("image.combined_non_max_suppression")
def combined_non_max_suppression(
    boxes,
    scores,
    max_output_size_per_class,
    max_total_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_per_class=False,
    clip_boxes=True,
    name=None,
) -> CombinedNonMaxSuppression:
    """Return the best boxes of all classes, suppressed class by class, for each image of a
    batch."""
    op = "CombinedNonMaxSuppression"
    boxes, scores = np.asarray(ops.to_tensor(boxes)._data), np.asarray(ops.to_tensor(scores)._data)
    if boxes.ndim != 4 or scores.ndim != 3 or boxes.shape[3] != 4:
        raise ops.ShapeError(
            "boxes must have shape [batch, boxes, classes or 1, 4] and scores [batch, boxes, "
            f"classes], got {list(boxes.shape)} and {list(scores.shape)} [Op:{op}]"
        )
    batch, count, classes = scores.shape
    if boxes.shape[:2] != (batch, count) or boxes.shape[2] not in (1, classes):
        raise ops.ShapeError(
            f"boxes of shape {list(boxes.shape)} do not fit scores of shape {list(scores.shape)}: "
            f"third dimension of boxes must be either 1 or num classes [Op:{op}]"
        )
    per_class, max_count = _max_count(op, max_output_size_per_class), _max_count(op, max_total_size)
    if not per_class or not max_count:
        raise InvalidArgumentError(f"max_size_per_class and max_total_size must be > 0 [Op:{op}]")
    threshold = _threshold(op, iou_threshold)
    min_score = float(_scalar(op, "score_threshold", score_threshold))
    size = min(max_count, per_class * classes) if pad_per_class else max_count
    out_boxes = np.zeros((batch, size, 4), np.float32)
    out_scores, out_classes = np.zeros((2, batch, size), np.float32)
    valid = np.zeros(batch, np.int32)
    for b in range(batch):
        detections = []
        for c in range(classes):
            given = boxes[b, :, c if boxes.shape[2] > 1 else 0]
            corners = _sorted_corners(given)
            chosen, values = _select(
                scores[b, :, c],
                per_class,
                min_score,
                lambda i, others, corners=corners: _overlaps(corners[i], corners[others]),
                threshold,
            )
            detections += [
                (-s, c, k, given[i]) for k, (i, s) in enumerate(zip(chosen, values, strict=True))
            ]
        detections.sort(key=lambda each: each[:3])
        for rank, (negative, c, _, box) in enumerate(detections[:size]):
            out_boxes[b, rank] = np.clip(box, 0, 1) if clip_boxes else box
            out_scores[b, rank], out_classes[b, rank] = -negative, c
        valid[b] = min(len(detections), size)
    return CombinedNonMaxSuppression(
        Tensor(out_boxes), Tensor(out_scores), Tensor(out_classes), Tensor(valid)
    )
