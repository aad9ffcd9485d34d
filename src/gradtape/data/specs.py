"""The specs of datasets, iterators and optional values, for elements that hold them."""

from __future__ import annotations

from gradtape.api.specs import NoneTensorSpec, TensorSpec, TypeSpec
from gradtape.core.protocols import is_batchable_spec
from gradtape.core.shape import TensorShape
from gradtape.data import structure


class _ContainerSpec(TypeSpec):
    """The spec of something that holds elements."""

    def __init__(self, element_spec) -> None:
        self._element_spec = element_spec

    @property
    def element_spec(self):
        return self._element_spec

    def _parts(self) -> tuple:
        return (repr(self._element_spec),)

    def _admits(self, other) -> bool:
        mine, theirs = (structure.flatten(s.element_spec) for s in (self, other))
        return len(mine) == len(theirs) and all(
            one.is_compatible_with(two) for one, two in zip(mine, theirs, strict=True)
        )

    def most_specific_common_supertype(self, others):
        spec = self._element_spec
        for other in others:
            if type(other) is not type(self):
                return None
            try:
                spec = structure.map_structure(
                    lambda a, b: a.most_specific_compatible_type(b), spec, other.element_spec
                )
            except (TypeError, ValueError):
                return None
        return type(self)(spec)

    @classmethod
    def from_value(cls, value):
        return cls(value.element_spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._element_spec!r})"


class DatasetSpec(_ContainerSpec):
    """The spec of a dataset as a component of an element."""

    def __init__(self, element_spec, dataset_shape=()) -> None:
        super().__init__(element_spec)
        self._dataset_shape = TensorShape(dataset_shape)

    @property
    def value_type(self) -> type:
        from gradtape.data.dataset import Dataset

        return Dataset

    def _placeholder(self, size: int):
        """Return a dataset of such elements, for functions that are only asked what they return."""
        from gradtape.data.dataset import Dataset
        from gradtape.data.inference import placeholders
        from gradtape.data.sources import Elements

        spec = self._element_spec
        elements = [placeholders(spec, size)] * size
        return Dataset(Elements(elements, spec))

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape!r})"


class IteratorSpec(_ContainerSpec):
    """The spec of an iterator."""

    @property
    def value_type(self) -> type:
        from gradtape.data.iterator import Iterator

        return Iterator


class OptionalSpec(_ContainerSpec):
    """The spec of a value that may be missing."""

    @property
    def value_type(self) -> type:
        from gradtape.data.iterator import Optional

        return Optional


# --- batches --------------------------------------------------------------------------------------


def check_batchable(spec) -> None:
    """Raise TensorFlow's kind of error for an extension type that cannot be batched."""
    if not is_batchable_spec(spec):
        raise AttributeError(
            f"{type(spec).__qualname__!r} object has no attribute '_batch': make its class a "
            "tf.experimental.BatchableExtensionType."
        )


def batched_spec(spec, size: int | None):
    """Return the spec of a batch of what a spec describes."""
    if isinstance(spec, NoneTensorSpec):
        return spec
    if not isinstance(spec, TensorSpec):
        check_batchable(spec)
        return spec._batch(size)
    return TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)


def row_spec(spec):
    """Return the spec of a row of what a spec describes."""
    if isinstance(spec, NoneTensorSpec):
        return spec
    if not isinstance(spec, TensorSpec):
        check_batchable(spec)
        return spec._unbatch()
    return TensorSpec(spec.shape[1:], spec.dtype)
