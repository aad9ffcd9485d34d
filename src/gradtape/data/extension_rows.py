"""The rows of extension types: each is encoded as tensors, which are sliced and stacked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gradtape.api import nests
from gradtape.core.protocols import is_ragged_spec
from gradtape.data.composite_rows import (
    CompositeRows,
    component_of,
    encoder_of,
    rows_in,
    stack_ragged,
)


class ExtensionRows(CompositeRows):
    """The rows of an extension type's value, as the rows of what its encoder makes of it."""

    def __init__(self, spec: Any, form: Any, parts: list) -> None:
        self.spec = spec  # of all rows together
        self.form = form  # the structure of what the encoder gives
        self.parts = parts

    @classmethod
    def of(cls, value: Any) -> ExtensionRows:
        spec = value._type_spec
        form = encoder_of(value).encode(spec, value, minimum_rank=1)
        parts = [rows_in(each) for each in nests.flatten(form)]
        for part in parts:
            if len(part) != len(parts[0]):
                raise ValueError(
                    f"Dimensions {len(parts[0])} and {len(part)} are not compatible: all tensors "
                    f"of a {type(value).__name__} must have the same number of rows."
                )
        return cls(spec, form, parts)

    def __len__(self) -> int:
        return len(self.parts[0])

    def __getitem__(self, where: slice) -> ExtensionRows:
        return ExtensionRows(self._any_number(), self.form, [part[where] for part in self.parts])

    def row(self, index: int) -> Any:
        from gradtape.data.nodes import row_of

        return self._decoded(self.spec._unbatch(), [row_of(part, index) for part in self.parts])

    def take(self, where: Any) -> Any:
        from gradtape.data.nodes import rows_at

        return self._decoded(self._any_number(), [rows_at(part, where) for part in self.parts])

    def whole(self) -> Any:
        return self._decoded(self.spec, map(component_of, self.parts))

    @staticmethod
    def joined(pieces: Sequence[ExtensionRows]) -> Any:
        from gradtape.data.batching import joined

        first = pieces[0]
        columns = zip(*[piece.parts for piece in pieces], strict=True)
        return first._decoded(first._any_number(), map(joined, columns))

    def _any_number(self) -> Any:
        return self.spec._unbatch()._batch(None)

    def _decoded(self, spec: Any, parts: Iterable[Any]) -> Any:
        made = nests.pack_sequence_as(self.form, list(parts))
        return spec.__batch_encoder__.decode(spec, made)

    def with_parts(self, function: Callable[[Any], Any]) -> ExtensionRows:
        """Return the rows with the function of each part."""
        return ExtensionRows(self.spec, self.form, [function(part) for part in self.parts])


def stack_values(values: Sequence[Any], spec: Any, stack: Callable[[Any], Any]) -> Any:
    """Return values of an extension type as a batch; `stack` makes one component of several.

    `spec`: that of the batch, or None if it has as many values as there are.
    """
    if spec is None:
        spec = values[0]._type_spec._batch(len(values))
    forms = [encoder_of(value).encode(value._type_spec, value) for value in values]
    columns = zip(*[nests.flatten(form) for form in forms], strict=True)
    parts = nests.flatten(spec.__batch_encoder__.encoding_specs(spec))
    # Rows of ragged tensors may be dense ones, of different sizes.
    stacked = [
        stack_ragged(column, part.row_splits_dtype) if is_ragged_spec(part) else stack(column)
        for column, part in zip(columns, parts, strict=True)
    ]
    made = nests.pack_sequence_as(forms[0], stacked)
    return spec.__batch_encoder__.decode(spec, made)
