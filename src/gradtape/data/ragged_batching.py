"""`Dataset.ragged_batch`: elements of different shapes as ragged tensors."""

from __future__ import annotations

from functools import partial

from gradtape.api.specs import TensorSpec
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.tensor import Tensor
from gradtape.data import composite_rows, structure
from gradtape.data.batching import Batch, chunks, stack_column
from gradtape.data.nodes import PipelineNode
from gradtape.data.specs import batched_spec


class RaggedBatch(Batch):
    """Elements of different shapes in batches that are ragged tensors."""

    name = "_RaggedBatchDataset"

    def __init__(self, source: PipelineNode, size: int, drop: bool, dtype) -> None:
        super().__init__(source, size, drop)
        self.dtype = dtype

    def stream(self, skip=0, rows=False):
        specs = structure.flatten(self.source.spec())
        groups = chunks(self.source.stream(skip * self.size), self.size, self.drop)
        return map(partial(self._batch, specs=specs), groups)

    def _batch(self, elements: list, specs: list):
        columns = zip(*map(structure.flatten, elements), strict=True)
        flat = [
            stack_column(column, i)
            if isinstance(spec, TensorSpec) and all(_has_shape(x, spec.shape) for x in column)
            else composite_rows.stack_ragged(column, self.dtype)
            for i, (column, spec) in enumerate(zip(columns, specs, strict=True))
        ]
        return structure.pack(elements[0], flat)

    def spec(self):
        from gradtape.api.ragged.spec import RaggedTensorSpec

        size = self.size if self.drop else None

        def batched(spec):
            if not isinstance(spec, TensorSpec) or has_all_sizes(spec.shape):
                return batched_spec(spec, size)
            open_axes = [i for i, n in enumerate(spec.shape, 1) if n is None]
            shape = TensorShape([size]).concatenate(spec.shape)
            return RaggedTensorSpec(shape, spec.dtype, open_axes[-1], self.dtype)

        return structure.map_structure(batched, self.source.spec())


def _has_shape(x, shape: TensorShape) -> bool:
    return isinstance(x, Tensor) and has_all_sizes(shape) and tuple(x.shape) == tuple(shape)
