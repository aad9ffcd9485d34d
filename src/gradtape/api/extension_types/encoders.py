"""How values of an extension type are batched: as tensors that are stacked and taken apart."""

from __future__ import annotations

from typing import Any

from gradtape.api.export import export
from gradtape.api.extension_types.fields import rebuilt
from gradtape.api.specs import TypeSpec
from gradtape.core.protocols import is_batchable_spec
from gradtape.core.shape import TensorShape


class TypeSpecBatchEncoder:
    """The base of what says how values of a spec are batched."""

    def batch(self, spec, batch_size):
        """Return the spec of a batch of values."""
        raise NotImplementedError(f"{type(self).__name__}.batch")

    def unbatch(self, spec):
        """Return the spec of one value of a batch."""
        raise NotImplementedError(f"{type(self).__name__}.unbatch")

    def encode(self, spec, value, minimum_rank=0):
        """Return a value as tensors that can be stacked."""
        raise NotImplementedError(f"{type(self).__name__}.encode")

    def decode(self, spec, encoded_value):
        """Return the value of a spec that such tensors are."""
        raise NotImplementedError(f"{type(self).__name__}.decode")

    def encoding_specs(self, spec):
        """Return the specs of what `encode` returns."""
        raise NotImplementedError(f"{type(self).__name__}.encoding_specs")


@export("experimental.ExtensionTypeBatchEncoder")
class ExtensionTypeBatchEncoder(TypeSpecBatchEncoder):
    """Encodes values of an extension type for batches: by default, each field is batched.

    A class whose values are batched in another way sets `__batch_encoder__` to an instance of a
    subclass that overrides all five methods.
    """

    def batch(self, spec, batch_size):
        """Return the spec of a batch: each spec and shape in it has a new first axis."""

        def batched(leaf: Any) -> Any:
            if isinstance(leaf, TensorShape):
                return TensorShape([batch_size]).concatenate(leaf)
            return leaf._batch(batch_size) if _is_batchable(leaf) else leaf

        return _with_leaves(spec, batched)

    def unbatch(self, spec):
        """Return the spec of one value of a batch: each spec and shape loses its first axis."""

        def row(leaf: Any) -> Any:
            if isinstance(leaf, TensorShape):
                return leaf[1:]
            return leaf._unbatch() if _is_batchable(leaf) else leaf

        return _with_leaves(spec, row)

    def encode(self, spec, value, minimum_rank=0):
        """Return a value as a tuple of its tensors and composites."""
        return spec._to_components(value)

    def decode(self, spec, encoded_value):
        """Return the value of a spec that such a tuple is, or one of stacked ones, or of rows."""
        return spec._from_components(encoded_value)

    def encoding_specs(self, spec):
        """Return the specs of what `encode` returns."""
        return spec._component_specs


def _is_batchable(leaf: Any) -> bool:
    return isinstance(leaf, TypeSpec) and is_batchable_spec(leaf)


def _with_leaves(spec: Any, function: Any) -> Any:
    state = [(name, rebuilt(function, spec.__dict__[name])) for name in spec._field_names()]
    return spec._deserialize(state)
