# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from typing import Any

def assert_same_structure(
    nest1: Any,
    nest2: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> None:
    """Raise unless two structures are alike: a TypeError for other types, else a ValueError."""

def flatten(structure: Any, expand_composites: bool = False) -> list:
    """Return the leaves of a structure; dictionaries in the order of their sorted keys."""

def is_nested(seq: Any) -> bool:
    """Return whether a value is a list, a tuple, a mapping, or of a class that optree knows."""

def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return a structure like the first, of the results of `func` on corresponding leaves.

    With check_types=False, lists may stand for tuples, and one kind of dictionary for another.
    """

def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Return the items of a flat sequence, in the shape of `structure`."""
