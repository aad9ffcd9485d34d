"""`tf.image`: boxes, given as [y_min, x_min, y_max, x_max] in parts of the image."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_value
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape.core.tensor import Tensor

# --- pictures of boxes ---------------------------------------------------------------------------


def _places(low, high, size: int, count: int):
    """Where `count` samples of boxes lie along an axis of a size, in pixels: [boxes, count]."""
    low, high = ops.expand_dims(low, 1), ops.expand_dims(high, 1)
    last = np.float32(size - 1)
    if count == 1:
        return (low + high) * np.float32(0.5) * last
    step = (high - low) * last / np.float32(count - 1)
    return low * last + Tensor(np.arange(count, dtype=np.float32)) * step


def _sampled(image, boxes, indices, crop: list[int], extrapolation: float, is_nearest: bool):
    """Samples of images on the grids of boxes: [boxes, *crop, channels]."""
    batch, height, width, channels = image.shape
    y = _places(boxes[:, 0], boxes[:, 2], height, crop[0])
    x = _places(boxes[:, 1], boxes[:, 3], width, crop[1])
    inside_y = ops.logical_and(y >= 0, y <= np.float32(height - 1))
    inside_x = ops.logical_and(x >= 0, x <= np.float32(width - 1))
    pixels = ops.reshape(image, (batch * height * width, channels))
    first = ops.reshape(ops.cast(indices, "int64"), (-1, 1, 1)) * height

    def at(rows, columns):
        rows = ops.cast(ops.clip(rows, 0.0, float(height - 1)), "int64")
        columns = ops.cast(ops.clip(columns, 0.0, float(width - 1)), "int64")
        places = (first + ops.expand_dims(rows, 2)) * width + ops.expand_dims(columns, 1)
        return ops.gather(pixels, places)

    if is_nearest:
        # Halves are rounded up: places are never negative where they count.
        found = at(ops.floor(y + 0.5), ops.floor(x + 0.5))
    else:
        top, left = ops.floor(y), ops.floor(x)
        bottom, right = ops.ceil(y), ops.ceil(x)
        down = ops.expand_dims(ops.expand_dims(y - top, 2), 3)
        across = ops.expand_dims(ops.expand_dims(x - left, 1), 3)
        upper = at(top, left) * (1 - across) + at(top, right) * across
        lower = at(bottom, left) * (1 - across) + at(bottom, right) * across
        found = upper + (lower - upper) * down
    inside = ops.logical_and(ops.expand_dims(inside_y, 2), ops.expand_dims(inside_x, 1))
    return ops.where(ops.expand_dims(inside, 3), found, ops.to_tensor(np.float32(extrapolation)))


@export("image.crop_and_resize")
def crop_and_resize(
    image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0, name=None
):
    """The parts of images inside boxes, resized; differentiable by the images and the boxes."""
    op = "CropAndResize"
    image, boxes = ops.to_tensor(image), ops.to_tensor(boxes)
    indices = ops.to_tensor(box_indices)
    if len(image.shape) != 4:
        raise ops.ShapeError(f"input image must be 4-D, got shape {image.shape} [Op:{op}]")
    if len(boxes.shape) != 2 or boxes.shape[1] != 4:
        raise ops.ShapeError(f"boxes must have shape [boxes, 4], got {boxes.shape} [Op:{op}]")
    if tuple(indices.shape) != (boxes.shape[0],):
        raise ops.ShapeError(
            f"box_indices must name the image of each of the {boxes.shape[0]} boxes, got shape "
            f"{indices.shape} [Op:{op}]"
        )
    crop = [int(n) for n in np.ravel(static_value(crop_size))]
    if len(crop) != 2 or min(crop) < 1:
        raise InvalidArgumentError(f"crop dimensions must be positive, got {crop} [Op:{op}]")
    if method not in ("bilinear", "nearest"):
        raise InvalidArgumentError(
            f"method must be 'bilinear' or 'nearest', got {method!r} [Op:{op}]"
        )
    images = image.shape[0]
    if type(indices) is Tensor and ((indices._data < 0) | (indices._data >= images)).any():
        raise OutOfRangeError(
            f"box_index has values outside [0, batch_size): there are {images} images [Op:{op}]"
        )
    image, value = ops.cast(image, "float32"), float(static_value(extrapolation_value))
    if method == "bilinear":
        return _sampled(image, boxes, indices, crop, value, False)
    # By the boxes, nearest samples have the derivative of bilinear ones, as in TensorFlow.
    found = _sampled(image, ops.stop_gradient(boxes), indices, crop, value, True)
    smooth = _sampled(ops.stop_gradient(image), boxes, indices, crop, value, False)
    return found + (smooth - ops.stop_gradient(smooth))


_COLORS = np.array(
    [
        [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1],
    ],
    np.float32,
)  # fmt: skip


@export("image.draw_bounding_boxes")
def draw_bounding_boxes(images, boxes, colors, name=None):
    """Images with the outlines of boxes [batch, boxes, 4] drawn on them."""
    op = "DrawBoundingBoxesV2"
    x = ops.to_tensor(images)
    places = np.asarray(ops.to_tensor(boxes)._data, np.float32)
    if len(x.shape) != 4 or x.shape[-1] not in (1, 3, 4):
        raise ops.ShapeError(
            "The rank of the images should be 4, with 1 (GRY), 3 (RGB) or 4 (RGBA) channels, got "
            f"shape {x.shape} [Op:{op}]"
        )
    if places.ndim != 3 or places.shape[0] != x.shape[0] or places.shape[2] != 4:
        raise ops.ShapeError(
            f"boxes must have shape [{x.shape[0]}, boxes, 4], got {list(places.shape)} [Op:{op}]"
        )
    _, height, width, depth = x.shape
    palette = _COLORS if colors is None else np.asarray(static_value(colors), np.float32)
    if not palette.size:
        palette = _COLORS
    if depth == 1:
        palette = np.ones((len(palette), 1), np.float32)
    drawn = np.array(x._data)
    scale = np.array([height - 1, width - 1] * 2, np.float32)
    for image, corners in zip(drawn, np.trunc(places * scale).astype(int), strict=True):
        for i, (top, left, bottom, right) in enumerate(corners):
            if top > bottom or left > right:
                continue
            color = palette[i % len(palette)][:depth].astype(drawn.dtype)
            rows = slice(max(top, 0), max(min(bottom, height - 1) + 1, 0))
            columns = slice(max(left, 0), max(min(right, width - 1) + 1, 0))
            for row in (top, bottom):
                if 0 <= row < height:
                    image[row, columns] = color
            for column in (left, right):
                if 0 <= column < width:
                    image[rows, column] = color
    return Tensor(drawn)


# --- suppressing boxes that overlap --------------------------------------------------------------


def _sorted_corners(boxes: np.ndarray) -> np.ndarray:
    """Boxes with their corners in order, whichever two opposite ones were given."""
    return np.concatenate(
        [np.minimum(boxes[..., :2], boxes[..., 2:]), np.maximum(boxes[..., :2], boxes[..., 2:])], -1
    )


def _overlaps(box: np.ndarray, others: np.ndarray, tiny: float = 0.0) -> np.ndarray:
    """Intersection over union of one box (its corners in order) with others."""
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


def _select(scores, most: int, least_score, overlaps_of, threshold):
    """Boxes by descending score, leaving out those that overlap one chosen before."""
    order = np.argsort(-scores, kind="stable")
    left = order[scores[order] > least_score]
    selected: list[int] = []
    while len(left) and len(selected) < most:
        best, left = left[0], left[1:]
        selected.append(int(best))
        left = left[~(overlaps_of(best, left) > threshold)]
    return selected, [scores[i] for i in selected]


def _select_softly(scores, most: int, least_score, overlaps_of, sigma: float):
    """Boxes by descending score, where the chosen ones lower the scores of what they overlap."""
    queue = [(-s, i, 0) for i, s in enumerate(scores) if s > least_score]
    heapq.heapify(queue)
    selected: list[int] = []
    found: list = []
    while queue and len(selected) < most:
        negative, i, begin = heapq.heappop(queue)
        score = -negative
        if len(selected) > begin:  # what was chosen since the score was last looked at
            for each in overlaps_of(i, selected[begin:])[::-1]:
                score = score * np.exp(np.float32(-0.5 / sigma) * each * each)
                if score <= least_score:
                    break
        if score == -negative:
            selected.append(i)
            found.append(score)
        elif score > least_score:
            heapq.heappush(queue, (-score, i, len(selected)))
    return selected, found


def _boxes_and_scores(op: str, boxes, scores) -> tuple[np.ndarray, np.ndarray]:
    boxes, scores = np.asarray(ops.to_tensor(boxes)._data), np.asarray(ops.to_tensor(scores)._data)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ops.ShapeError(f"boxes must have shape [boxes, 4], got {list(boxes.shape)} [Op:{op}]")
    if scores.shape != boxes.shape[:1]:
        raise ops.ShapeError(
            f"scores has incompatible shape {list(scores.shape)} for {len(boxes)} boxes [Op:{op}]"
        )
    return _sorted_corners(boxes), scores


def _threshold(op: str, value, what: str = "iou_threshold"):
    threshold = float(static_value(value))
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(f"{what} must be in [0, 1], got {threshold} [Op:{op}]")
    return np.float32(threshold)


def _most(op: str, value) -> int:
    most = np.asarray(static_value(value))
    if most.ndim:
        raise ops.ShapeError(f"max_output_size must be 0-D, got shape {list(most.shape)} [Op:{op}]")
    if most < 0:
        raise InvalidArgumentError(f"max_output_size must be >= 0, got {most} [Op:{op}]")
    return int(most)


def _suppressed(op, boxes, scores, max_output_size, iou_threshold, score_threshold, sigma):
    corners, values = _boxes_and_scores(op, boxes, scores)
    most, least = _most(op, max_output_size), float(static_value(score_threshold))
    threshold = _threshold(op, iou_threshold)

    def overlaps_of(i, others):
        return _overlaps(corners[i], corners[others])

    if sigma > 0:
        return _select_softly(values, most, least, overlaps_of, sigma), values.dtype
    return _select(values, most, least, overlaps_of, threshold), values.dtype


@export("image.non_max_suppression")
def non_max_suppression(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    name=None,
):
    """The numbers of boxes in order of score, without those that overlap a better one."""
    (chosen, _), _ = _suppressed(
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
):
    """(numbers of boxes, their scores); with a sigma, overlapping boxes are lowered in score."""
    (chosen, found), dtype = _suppressed(
        "NonMaxSuppressionV5", boxes, scores, max_output_size, iou_threshold, score_threshold,
        float(static_value(soft_nms_sigma)),
    )  # fmt: skip
    return Tensor(np.array(chosen, np.int32)), Tensor(np.array(found, dtype))


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps,
    scores,
    max_output_size,
    overlap_threshold=0.5,
    score_threshold=float("-inf"),
    name=None,
):
    """Like `non_max_suppression`, for overlaps [boxes, boxes] that are given."""
    op = "NonMaxSuppressionWithOverlaps"
    matrix = np.asarray(ops.to_tensor(overlaps)._data)
    values = np.asarray(ops.to_tensor(scores)._data)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ops.ShapeError(f"overlaps must be square, got shape {list(matrix.shape)} [Op:{op}]")
    if values.shape != matrix.shape[:1]:
        raise ops.ShapeError(
            f"scores has incompatible shape {list(values.shape)} for {len(matrix)} boxes [Op:{op}]"
        )
    chosen, _ = _select(
        values,
        _most(op, max_output_size),
        float(static_value(score_threshold)),
        lambda i, others: matrix[others, i],
        np.float32(static_value(overlap_threshold)),
    )
    return Tensor(np.array(chosen, np.int32))


def _padded_rows(boxes: np.ndarray, scores: np.ndarray, most: int, threshold, is_sorted: bool):
    """The numbers of the boxes of one image that are kept, at most so many."""
    order = np.arange(len(boxes)) if is_sorted else np.argsort(-scores, kind="stable")
    kept: list[int] = []
    for i in order:
        # A box of zeros stands for none: so are those marked whose score is too low.
        if (boxes[i] > 0).any() and not (
            kept and (_overlaps(boxes[i], boxes[kept], 1e-8) >= threshold).any()
        ):
            kept.append(int(i))
    return kept[:most]


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
):
    """(numbers of boxes, how many count), for one image or, padded with zeros, for many."""
    op = "NonMaxSuppressionPadded"
    boxes, scores = np.asarray(ops.to_tensor(boxes)._data), np.asarray(ops.to_tensor(scores)._data)
    if not pad_to_max_output_size and boxes.ndim > 2:
        raise ValueError(
            f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for batched "
            "input"
        )
    batch, count = boxes.shape[:-2], boxes.shape[-2]
    rows, values = boxes.reshape(-1, count, 4), scores.reshape(-1, count)
    least = float(static_value(score_threshold))
    if least != float("-inf"):
        good = values > least
        rows, values = rows * good[..., None], values * good
    if not canonicalized_coordinates and count and len(rows):
        # The first box tells which two corners all boxes are given by, as in TensorFlow.
        y, x = rows[0, 0, 0] <= rows[0, 0, 2], rows[0, 0, 1] <= rows[0, 0, 3]
        rows = rows[..., [0 if y else 2, 1 if x else 3, 2 if y else 0, 3 if x else 1]]
    most, threshold = _most(op, max_output_size), np.float32(static_value(iou_threshold))
    found = [
        _padded_rows(*pair, most, threshold, sorted_input)
        for pair in zip(rows, values, strict=True)
    ]
    valid = np.array([len(each) for each in found], np.int32)
    if not pad_to_max_output_size:
        return Tensor(np.array(found[0], np.int32)), Tensor(valid.reshape(batch)[()])
    padded = np.zeros((len(found), most), np.int32)
    for row, each in zip(padded, found, strict=True):
        row[: len(each)] = each
    return Tensor(padded.reshape(*batch, most)), Tensor(valid.reshape(batch)[()])


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
    """The best boxes of all classes, suppressed class by class, for each image of a batch."""
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
    per_class, most = _most(op, max_output_size_per_class), _most(op, max_total_size)
    if not per_class or not most:
        raise InvalidArgumentError(f"max_size_per_class and max_total_size must be > 0 [Op:{op}]")
    threshold = _threshold(op, iou_threshold)
    least = float(static_value(score_threshold))
    size = min(most, per_class * classes) if pad_per_class else most
    out_boxes = np.zeros((batch, size, 4), np.float32)
    out_scores, out_classes = np.zeros((2, batch, size), np.float32)
    valid = np.zeros(batch, np.int32)
    for b in range(batch):
        found = []
        for c in range(classes):
            given = boxes[b, :, c if boxes.shape[2] > 1 else 0]
            corners = _sorted_corners(given)
            chosen, values = _select(
                scores[b, :, c],
                per_class,
                least,
                lambda i, others, corners=corners: _overlaps(corners[i], corners[others]),
                threshold,
            )
            found += [
                (-s, c, k, given[i]) for k, (i, s) in enumerate(zip(chosen, values, strict=True))
            ]
        found.sort(key=lambda each: each[:3])
        for place, (negative, c, _, box) in enumerate(found[:size]):
            out_boxes[b, place] = np.clip(box, 0, 1) if clip_boxes else box
            out_scores[b, place], out_classes[b, place] = -negative, c
        valid[b] = min(len(found), size)
    return CombinedNonMaxSuppression(
        Tensor(out_boxes), Tensor(out_scores), Tensor(out_classes), Tensor(valid)
    )
