"""Functions of rows (`tf.map_fn`, `tf.vectorized_map`) for values of extension types.

Such a value is encoded as tensors. The function gets values decoded from the rows of these, and
what it returns is encoded again: the loop itself sees tensors alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape.api import nests
from gradtape.api.extension_types.base import ExtensionType
from gradtape.api.extension_types.specs import BatchableExtensionTypeSpec, ExtensionTypeSpec
from gradtape.api.specs import spec_of
from gradtape.core import nest
from gradtape.core.protocols import has_tensor_specs


def holds_extensions(structure: Any) -> bool:
    """Return whether a structure has values, or specs, of extension types."""
    kinds = (ExtensionType, ExtensionTypeSpec)
    return any(isinstance(leaf, kinds) for leaf in nest.flatten(structure))


class _Encoded:
    """Values of a structure, with those of extension types as what their encoders make of them."""

    def __init__(self, structure: Any, what: str, minimum_rank: int = 0) -> None:
        self.structure = nest.map_structure(lambda leaf: None, structure)
        self.specs: list = []  # of the extension types; None for other leaves
        self.parts: list = []
        for leaf in nest.flatten(structure):
            if isinstance(leaf, ExtensionType):
                spec = leaf._type_spec
                if not isinstance(spec, BatchableExtensionTypeSpec):
                    raise TypeError(f"{what} can not consume {spec} inputs: got {leaf}")
                self.specs.append(spec)
                self.parts.append(spec.__batch_encoder__.encode(spec, leaf, minimum_rank))
            else:
                self.specs.append(None)
                self.parts.append(leaf)

    def decoded(self, parts: list, of_spec: Callable[[Any], Any]) -> Any:
        """Return such a structure of other parts: rows, or batches, as `of_spec` says."""
        leaves = [
            part if spec is None else of_spec(spec).__batch_encoder__.decode(of_spec(spec), part)
            for spec, part in zip(self.specs, parts, strict=True)
        ]
        return nest.pack_sequence_as(self.structure, leaves)


def _row(spec: Any) -> Any:
    return spec._unbatch()


def map_rows(map_fn: Callable, fn: Callable, elems: Any, signature: Any) -> Any:
    """Return `map_fn` of a function and elements some of which are of extension types."""
    given = _Encoded(elems, "map_fn", minimum_rank=1)
    if signature is None:
        specs: list[Any] = [spec_of(leaf) for leaf in nest.flatten(elems)]
        rows = [spec._unbatch() for spec in specs]
        signature = nest.pack_sequence_as(elems, rows)

    def of_rows(rows: list) -> list:
        result = fn(given.decoded(rows, _row))
        nests.assert_same_structure(signature, result)
        made = _Encoded(result, "map_fn")
        pairs = zip(made.specs, nest.flatten(signature), strict=True)
        for spec, wanted in pairs:
            if isinstance(wanted, ExtensionTypeSpec) and not wanted.is_compatible_with(spec):
                raise ValueError(f"map_fn: fn returned a {spec}, fn_output_signature has {wanted}")
        return made.parts

    wanted: list[Any] = nest.flatten(signature)
    encoded: Any = [
        each.__batch_encoder__.encoding_specs(each) if has_tensor_specs(each) else each
        for each in wanted
    ]
    parts = map_fn(of_rows, given.parts, fn_output_signature=encoded)
    count = nests.flatten(given.parts)[0].shape[0]
    results = [
        _decoded(spec._batch(count), part) if has_tensor_specs(spec) else part
        for spec, part in zip(wanted, parts, strict=True)
    ]
    return nest.pack_sequence_as(signature, results)


def _decoded(spec: Any, part: Any) -> Any:
    return spec.__batch_encoder__.decode(spec, part)


def vectorized_rows(vectorized_map: Callable, fn: Callable, elems: Any) -> Any:
    """Return `vectorized_map` of a function, with values of extension types as tensors."""
    given = _Encoded(elems, "vectorized_map", minimum_rank=1)
    fn_of_rows, decode = encoding_results(lambda rows: fn(given.decoded(rows, _row)))
    return decode(vectorized_map(fn_of_rows, given.parts))


def encoding_results(fn: Callable) -> tuple[Callable, Callable]:
    """Return a function of one row that encodes what `fn` returns, and what decodes a batch of
    that."""
    results: list[_Encoded] = []

    def encoded(row: Any) -> Any:
        result = fn(row)
        if not holds_extensions(result):
            return result
        results.append(_Encoded(result, "vectorized_map"))
        return results[-1].parts

    def decoded(parts: Any) -> Any:
        if not results:
            return parts
        count = nests.flatten(parts)[0].shape[0]
        return results[-1].decoded(parts, lambda spec: spec._batch(count))

    return encoded, decoded
