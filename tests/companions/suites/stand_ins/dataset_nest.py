"""`data.util.nest`: structures in which lists are leaves."""

from __future__ import annotations

from gradtape.data import structure
from gradtape.data.structure import flatten, flatten_up_to, is_nested, map_structure

__all__ = ["assert_same_structure", "flatten", "flatten_up_to", "is_nested", "map_structure"]


def pack_sequence_as(form, flat):
    """Return leaves in the form of a structure."""
    return structure.pack(form, list(flat))


def assert_same_structure(nest1, nest2, check_types=True) -> None:
    """Raise an error if two structures differ."""
    flatten_up_to(nest1, nest2)
    flatten_up_to(nest2, nest1)
