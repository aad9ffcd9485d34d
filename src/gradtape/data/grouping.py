"""Groups of elements: batches of those of similar length, and windows."""

from __future__ import annotations

import bisect
import itertools

import numpy as np

from gradtape import ops
from gradtape.api.specs import TensorSpec
from gradtape.core.shape import TensorShape
from gradtape.data import structure
from gradtape.data.batching import check_size
from gradtape.data.batching import padded_shapes as shapes_of
from gradtape.data.nodes import Failure, PipelineNode, UnaryNode, attempts, resumed


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


class Window(UnaryNode):
    """Windows over the elements: for each component a dataset of its values."""

    name = "_WindowDataset"

    def __init__(
        self, source: PipelineNode, size: int, shift: int, stride: int, drop: bool
    ) -> None:
        super().__init__(source)
        self.size = check_size(size, "Window size")
        self.shift = check_size(shift, "Window shift")
        self.stride = check_size(stride, "Window stride")
        self.drop = drop

    def stream(self, skip=0, rows=False):
        source = attempts(self.source.stream(skip * self.shift))
        return map(self._datasets, resumed(self._windows(source)))

    def _windows(self, source):
        span = (self.size - 1) * self.stride + 1
        held: list = []
        while True:
            held.extend(itertools.islice(source, max(0, span - len(held))))
            window = held[: span : self.stride]
            if not window or (self.drop and len(window) < self.size):
                return
            yield next((item for item in window if type(item) is Failure), window)
            missing = self.shift - len(held)
            del held[: self.shift]
            if missing > 0:
                next(itertools.islice(source, missing - 1, None), None)

    def _datasets(self, window: list):
        from gradtape.data.dataset import Dataset
        from gradtape.data.sources import Elements

        columns = zip(*map(structure.flatten, window), strict=True)
        datasets = [Dataset(Elements(list(column))) for column in columns]
        return structure.pack(window[0], datasets)

    def cardinality(self):
        length = self.source.cardinality()
        if length < 0:
            return length
        if not self.drop:
            return -(-length // self.shift)
        span = (self.size - 1) * self.stride + 1
        return 0 if length < span else (length - span) // self.shift + 1

    def spec(self):
        from gradtape.data.specs import DatasetSpec

        return structure.map_structure(lambda spec: DatasetSpec(spec), self.source.spec())
