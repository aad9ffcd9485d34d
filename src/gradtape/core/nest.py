"""Nested structures (lists, tuples, dicts, named tuples…), by way of optree.

Dictionaries are walked in the order of their sorted keys and None counts as a leaf, as in
TensorFlow. optree is imported when a structure is really nested: flat lists are the common case.
"""

from __future__ import annotations

import sys
from typing import Any

from gradtape.core.tensor import TensorLike

_FLAT = (list, tuple)
_NESTED = (list, tuple, dict)


def is_nested(structure) -> bool:
    """Whether a value is a structure that holds others, rather than a leaf."""
    if isinstance(structure, _NESTED):
        return True
    # Other containers are those registered with optree: none, unless it has been imported.
    optree = None if isinstance(structure, TensorLike) else sys.modules.get("optree")
    return optree is not None and not optree.tree_is_leaf(structure, none_is_leaf=True)


def flatten(structure) -> list[Any]:
    """The leaves, in order."""
    if isinstance(structure, TensorLike):
        return [structure]
    if type(structure) in _FLAT and not any(isinstance(x, _NESTED) for x in structure):
        return list(structure)
    return _optree().tree_leaves(structure, none_is_leaf=True) if is_nested(structure) else [
        structure
    ]  # fmt: skip


def pack_sequence_as(structure, flat: list) -> Any:
    """`flat`, in the shape of `structure`."""
    if isinstance(structure, TensorLike) or not is_nested(structure):
        if len(flat) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n However the input is a "
                f"sequence ({type(flat)}) of length {len(flat)}."
            )
        return flat[0]
    is_flat = type(structure) in _FLAT and not any(isinstance(x, _NESTED) for x in structure)
    if is_flat and len(flat) == len(structure):
        return type(structure)(flat)
    spec = _optree().tree_structure(structure, none_is_leaf=True)
    if spec.num_leaves != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {spec.num_leaves} atoms, but flat_sequence "
            f"had {len(flat)} items. Structure: {structure}, flat_sequence: {flat}."
        )
    return spec.unflatten(flat)


def map_structure(function, *structures) -> Any:
    """A structure like the first, of the results of `function` on corresponding leaves."""
    first = structures[0]
    columns = [flatten(first)]
    for other in structures[1:]:
        assert_same_structure(first, other)
        columns.append(flatten(other))
    return pack_sequence_as(first, [function(*leaves) for leaves in zip(*columns, strict=True)])


def assert_same_structure(a, b) -> None:
    if is_nested(a) != is_nested(b):
        raise ValueError(
            "The two structures don't have the same nested structure.\n\nFirst structure: "
            f"type={type(a).__name__} str={a}\n\nSecond structure: type={type(b).__name__} str={b}"
        )
    if not is_nested(a):
        return
    tree = _optree()
    if tree.tree_structure(a, none_is_leaf=True) != tree.tree_structure(b, none_is_leaf=True):
        raise ValueError(
            "The two structures don't have the same nested structure.\n\nFirst structure: "
            f"type={type(a).__name__} str={a}\n\nSecond structure: type={type(b).__name__} str={b}"
        )


def _optree() -> Any:
    import optree

    return optree
