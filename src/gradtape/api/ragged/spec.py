"""`RaggedTensorSpec`: what is known of a ragged tensor without its values."""

from __future__ import annotations

from gradtape.api.export import export
from gradtape.api.specs import TensorSpec, TypeSpec
from gradtape.core.dtypes import DType, as_dtype, float32, int32, int64
from gradtape.core.shape import TensorShape


@export("RaggedTensorSpec")
class RaggedTensorSpec(TypeSpec):
    """The shape (sizes may be None), dtype, ragged rank and dtype of row splits."""

    def __init__(
        self,
        shape=None,
        dtype=float32,
        ragged_rank=None,
        row_splits_dtype=int64,
        flat_values_spec=None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._flat_values_spec = flat_values_spec
        if flat_values_spec is not None:
            dtype = flat_values_spec.dtype if dtype is None else dtype
        self._dtype = as_dtype(dtype)
        self._row_splits_dtype = as_dtype(row_splits_dtype)
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError(
                    "Must specify ragged_rank or a shape with a known rank in RaggedTensorSpec."
                )
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(
                f"Argument `ragged_rank` must be an int. Received {type(ragged_rank).__name__}."
            )
        if rank is not None and ragged_rank >= rank:
            raise ValueError(
                f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank})."
            )
        if self._row_splits_dtype not in (int32, int64):
            raise ValueError(
                "RaggedTensorSpec: row_splits_dtype must be int32 or int64, got "
                f"{self._row_splits_dtype.name}."
            )
        self._ragged_rank = ragged_rank

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        return self._row_splits_dtype

    @property
    def flat_values_spec(self):
        return self._flat_values_spec

    @property
    def value_type(self) -> type:
        from gradtape.api.ragged.tensor import RaggedTensor
        from gradtape.core.tensor import Tensor

        return RaggedTensor if self._ragged_rank else Tensor

    @classmethod
    def from_value(cls, value) -> RaggedTensorSpec:
        """Return the spec of a ragged tensor."""
        return value._type_spec

    def _parts(self) -> tuple:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    def is_compatible_with(self, spec_or_value) -> bool:
        if not self._ragged_rank:  # a dense tensor is meant
            return TensorSpec(self._shape, self._dtype).is_compatible_with(spec_or_value)
        return super().is_compatible_with(spec_or_value)

    def _admits(self, other) -> bool:
        return self._parts()[1:] == other._parts()[1:] and self._shape.is_compatible_with(
            other._shape
        )

    def is_subtype_of(self, other) -> bool:
        return (
            type(other) is type(self)
            and self._parts()[1:] == other._parts()[1:]
            and other._shape.most_specific_compatible_shape(self._shape) == other._shape
        )

    def most_specific_common_supertype(self, others) -> RaggedTensorSpec | None:
        shape = self._shape
        for other in others:
            if type(other) is not type(self) or other._parts()[1:] != self._parts()[1:]:
                return None
            shape = shape.most_specific_compatible_shape(other._shape)
        return RaggedTensorSpec(shape, *self._parts()[1:])

    def _batch(self, size: int | None) -> RaggedTensorSpec:
        shape = TensorShape([size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1, self._row_splits_dtype)

    def _unbatch(self) -> RaggedTensorSpec:
        rank = max(self._ragged_rank - 1, 0)
        return RaggedTensorSpec(self._shape[1:], self._dtype, rank, self._row_splits_dtype)

    def _of_dense(self, tensor):
        """Return a value of this spec that has the elements of a dense one."""
        from gradtape.api.ragged.rows import dense_as_ragged

        return dense_as_ragged(tensor, self._ragged_rank, self._row_splits_dtype, uniform=False)

    def __repr__(self) -> str:
        return (
            f"RaggedTensorSpec({self._shape!r}, {self._dtype!r}, {self._ragged_rank}, "
            f"{self._row_splits_dtype!r})"
        )
