"""`tf.nest`: nested structures, with TensorFlow's checks and messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import FunctionType, NoneType

import numpy as np

from gradtape.api.export import export
from gradtape.core import nest
from gradtape.core.protocols import Composite, has_tensor_specs, has_type_spec, is_composite
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import TensorBase

# What values of a class are: a leaf, a list or tuple, a named tuple, a mapping; or what optree says
# each time, since a class may be registered with it at any time.
_LEAF, _SEQUENCE, _NAMED, _MAPPING, _UNKNOWN = range(1, 6)
# By exact class: to ask whether a class is a mapping takes longer than the rest of a traversal.
_KINDS: dict[type, int] = {list: _SEQUENCE, tuple: _SEQUENCE, dict: _MAPPING} | dict.fromkeys(
    (int, float, bool, complex, str, bytes, NoneType, FunctionType, np.ndarray, TensorShape), _LEAF
)
_MAX_KINDS = 1000  # classes that are kept: a program may make them without end


def _kind(value) -> int:
    return _KINDS.get(type(value)) or _kind_of_class(value)


def _kind_of_class(value) -> int:
    if isinstance(value, Mapping):
        kind = _MAPPING
    elif isinstance(value, TensorBase):
        kind = _LEAF
    elif isinstance(value, (list, tuple)):
        kind = _NAMED if nest.is_namedtuple(value) else _SEQUENCE
    else:
        return _UNKNOWN
    if len(_KINDS) < _MAX_KINDS:
        _KINDS[type(value)] = kind
    return kind


@export("__internal__.nest.is_mapping")
def is_mapping(obj) -> bool:
    """Return whether a value is a mapping."""
    return _kind(obj) == _MAPPING


@export("nest.is_nested")
def is_nested(seq) -> bool:
    """Return whether a value is a list, a tuple, a mapping, or of a class that optree knows."""
    kind = _kind(seq)
    return kind != _LEAF and (kind != _UNKNOWN or nest.is_nested(seq))


def _children(value) -> list | None:
    """Return what a structure holds, mappings in the order of their sorted keys; None for a
    leaf."""
    kind = _kind(value)
    if kind == _MAPPING:
        return [value[key] for key in sorted(value)]
    return None if kind in (_LEAF, _UNKNOWN) else list(value)


def _leaves(value, leaves: list) -> list:
    kind = _kind(value)
    if kind == _LEAF:
        leaves.append(value)
    elif kind == _UNKNOWN:
        leaves += nest.flatten(value)
    else:
        for child in [value[key] for key in sorted(value)] if kind == _MAPPING else value:
            if _KINDS.get(type(child)) == _LEAF:  # most are
                leaves.append(child)
            else:
                _leaves(child, leaves)
    return leaves


def _pack(structure, flat: Iterator):
    kind = _kind(structure)
    if kind == _LEAF or (kind == _UNKNOWN and not nest.is_nested(structure)):
        return next(flat)
    if kind == _UNKNOWN:
        return nest.pack_sequence_as(structure, [next(flat) for _ in nest.flatten(structure)])
    children = [structure[key] for key in sorted(structure)] if kind == _MAPPING else structure
    filled = [
        next(flat) if _KINDS.get(type(child)) == _LEAF else _pack(child, flat) for child in children
    ]
    if kind == _SEQUENCE:
        return type(structure)(filled)
    if kind == _NAMED:
        return type(structure)(*filled)
    by_key = dict(zip(sorted(structure), filled, strict=True))
    items = [(key, by_key[key]) for key in structure]
    if isinstance(structure, defaultdict):
        return defaultdict(structure.default_factory, items)
    return type(structure)(items)


@export("nest.flatten")
def flatten(structure, expand_composites=False) -> list:
    """Return the leaves of a structure; dictionaries in the order of their sorted keys."""
    leaves = _leaves(structure, [])
    if not expand_composites:
        return leaves
    results = []
    for leaf in leaves:
        if has_tensor_specs(leaf):
            results += leaf.flatten()
        else:
            results += leaf._component_tensors() if isinstance(leaf, Composite) else [leaf]
    return results


@export("nest.pack_sequence_as")
def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """Return the items of a flat sequence, in the shape of `structure`."""
    if not isinstance(flat_sequence, (list, tuple, range)):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead."
        )
    flat = list(flat_sequence)
    leaves = _leaves(structure, [])
    if not is_nested(structure) and not expand_composites and len(flat) != 1:
        raise ValueError(
            f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the "
            f"input is a sequence ({type(flat_sequence)}) of length {len(flat)}.\n  "
            f"{flat_sequence}\nnest cannot guarantee that it is safe to map one to the other."
        )
    if expand_composites:
        flat = _recompose(leaves, flat)
    if len(flat) != len(leaves):
        raise ValueError(
            f"Could not pack sequence. Structure had {len(leaves)} atoms, but flat_sequence had "
            f"{len(flat)} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _pack(structure, iter(flat))


def _recompose(leaves: list, flat: list) -> list:
    rest, result = list(flat), []
    for leaf in leaves:
        if isinstance(leaf, Composite):
            count = len(leaf._component_tensors())
            result.append(leaf._with_components(rest[:count]))
            del rest[:count]
        elif has_tensor_specs(leaf):
            count = len(leaf.flatten())
            result.append(leaf.from_tensors(iter(rest[:count])))
            del rest[:count]
        else:
            result.append(rest.pop(0) if rest else None)
    return [*result, *rest]


@export("nest.map_structure")
def map_structure(func, *structure, **kwargs):
    """Return a structure like the first, of the results of `func` on corresponding leaves.

    With check_types=False, lists may stand for tuples, and one kind of dictionary for another.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, not: "
            f"`{'`, `'.join(kwargs)}`"
        )
    first = structure[0]
    for other in structure[1:]:
        assert_same_structure(first, other, check_types, expand)
    columns = [flatten(each, expand) for each in structure]
    results = [func(*leaves) for leaves in zip(*columns, strict=True)]
    return pack_sequence_as(first, results, True) if expand else _pack(first, iter(results))


@export("nest.assert_same_structure")
def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False) -> None:
    """Raise unless two structures are alike: a TypeError for other types, else a ValueError."""
    problem = _difference(nest1, nest2, check_types, expand_composites)
    if problem is None:
        return
    error, text = problem
    raise error(
        "The two structures don't have the same nested structure.\n\n"
        f"First structure: {_format(nest1)}\n\nSecond structure: {_format(nest2)}\n\n"
        f"More specifically: {text}\n"
        f"Entire first structure:\n{_outline(nest1)}\nEntire second structure:\n{_outline(nest2)}"
    )


def _format(value) -> str:
    return f"type={type(value).__name__} str={value}"


def _outline(value) -> str:
    """Return a structure with a dot for each leaf."""
    return str(pack_sequence_as(value, [_Dot() for _ in flatten(value)]))


class _Dot:
    def __repr__(self) -> str:
        return "."


def _difference(a, b, check_types: bool, expands: bool) -> tuple | None:
    if _kind(a) == _kind(b) == _LEAF:
        return None
    if expands and (is_composite(a) or is_composite(b)):
        return _difference_of_composites(a, b)
    if is_nested(a) != is_nested(b):
        first, second = (a, b) if is_nested(a) else (b, a)
        return ValueError, (
            f'Substructure "{_format(first)}" is a sequence, while substructure '
            f'"{_format(second)}" is not'
        )
    if not is_nested(a):
        return None
    if check_types and not _same_kind(a, b):
        return TypeError, (
            "The two namedtuples don't have the same sequence type. First structure "
            f"{_format(a)} has type {type(a).__name__}, while second structure {_format(b)} has "
            "type "
            f"{type(b).__name__}"
        )
    if is_mapping(a) and is_mapping(b) and set(a) != set(b):
        return ValueError, (
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_format(list(a))}, while second structure has keys {_format(list(b))}"
        )
    first, second = _children(a) or [], _children(b) or []
    if len(first) != len(second):
        return ValueError, (
            "The two structures don't have the same number of elements. First structure: "
            f"{_format(a)}. Second structure: {_format(b)}"
        )
    for x, y in zip(first, second, strict=True):
        problem = _difference(x, y, check_types, expands)
        if problem is not None:
            return problem
    return None


def _difference_of_composites(a, b) -> tuple | None:
    if not (is_composite(a) and is_composite(b)):
        first, second = (a, b) if is_composite(a) else (b, a)
        return ValueError, (
            f'Substructure "{_format(first)}" is a sequence, while substructure '
            f'"{_format(second)}" is not'
        )
    if not (has_type_spec(a) and has_type_spec(b)):  # IndexedSlices
        return None
    one, other = a._type_spec, b._type_spec
    if type(one) is type(other):
        ranks = one._with_tensor_ranks_only()  # sizes may differ
        if ranks.most_specific_common_supertype([other._with_tensor_ranks_only()]) is not None:
            return None
    return ValueError, (
        f"Incompatible CompositeTensor TypeSpecs: {_format(one)} vs. {_format(other)}"
    )


def _same_kind(a, b) -> bool:
    if nest.is_namedtuple(a) or nest.is_namedtuple(b):
        if not (nest.is_namedtuple(a) and nest.is_namedtuple(b)):
            return False
        return type(a).__name__ == type(b).__name__ and a._fields == b._fields
    if is_mapping(a) and is_mapping(b):
        return True
    return type(a) is type(b)
