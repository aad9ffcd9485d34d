"""`bucket_by_sequence_length`: batches of elements of similar length."""

from __future__ import annotations

import bisect

import numpy as np

from gradtape import ops
from gradtape.api.specs import TensorSpec
from gradtape.core.shape import TensorShape
from gradtape.data import structure
from gradtape.data.batching import padded_shapes as shapes_of


def bucket_by_length(
    dataset,
    element_length_func,
    bucket_boundaries,
    bucket_batch_sizes,
    padded_shapes,
    padding_values,
    pad_to_bucket_boundary,
    no_padding,
    drop_remainder,
):
    """Return the batches of `dataset`, grouped by the bucket that an element's length falls
    into."""
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(
            "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
            f"`len(bucket_batch_sizes)={len(bucket_batch_sizes)}` and "
            f"`len(bucket_boundaries)={len(bucket_boundaries)}`."
        )
    boundaries = ops.static_ints(bucket_boundaries, "bucket_boundaries")

    def key(*element):
        length = int(ops.to_tensor(element_length_func(*element)))
        return np.int64(bisect.bisect_right(boundaries, length))

    def batched(bucket, window):
        size = bucket_batch_sizes[int(bucket)]
        if no_padding:
            return window.batch(size, drop_remainder)
        shapes = padded_shapes
        if pad_to_bucket_boundary:
            shapes = _to_boundary(window, int(bucket), boundaries, padded_shapes)
        return window.padded_batch(size, shapes, padding_values, drop_remainder)

    return dataset.group_by_window(
        key, batched, window_size_func=lambda bucket: bucket_batch_sizes[int(bucket)]
    )


def _to_boundary(window, bucket: int, boundaries: list[int], shapes):
    """Return the padded shapes with the longest length of the bucket for every size not given."""
    if bucket == len(boundaries):
        raise ValueError(
            "When pad_to_bucket_boundary=True, elements must have length < "
            f"max(bucket_boundaries), which is {boundaries[-1]}."
        )
    longest = boundaries[bucket] - 1
    spec = window.element_spec
    given = shapes_of(shapes, spec)
    flat = [
        TensorShape([longest if size is None else size for size in _sizes(shape, leaf)])
        for shape, leaf in zip(given, structure.flatten(spec), strict=True)
    ]
    return structure.pack(spec, flat)


def _sizes(shape: TensorShape | None, leaf: TensorSpec) -> list:
    """Return sizes of a component; those that the elements differ in are not known."""
    return [None] * len(leaf.shape) if shape is None else shape.as_list()
