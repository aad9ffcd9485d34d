"""`tensorflow.python.util.nest`: what `tf.nest` does not have of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradtape.api import nests
from gradtape.api.nests import flatten, is_mapping, is_nested, map_structure, pack_sequence_as
from gradtape.api.specs import CompositeTensor
from gradtape.core import nest

is_sequence = is_nested


def is_attrs(obj) -> bool:
    """Return whether a value's class was made with attrs."""
    return hasattr(type(obj), "__attrs_attrs__")


def is_namedtuple(instance, strict=False) -> bool:
    """Return whether a value is a named tuple."""
    return nest.is_namedtuple(instance)


_is_namedtuple = is_namedtuple  # the name by which TensorFlow Probability asks


def is_nested_or_composite(seq) -> bool:
    """Return whether a value is a structure, or made of tensors."""
    return is_nested(seq) or isinstance(seq, CompositeTensor)


is_sequence_or_composite = is_nested_or_composite


def _items(value) -> list[tuple[Any, Any]]:
    """Return (key, child) pairs of a structure: mappings in the order of sorted keys."""
    if is_mapping(value):
        return [(key, value[key]) for key in sorted(value)]
    if nest.is_namedtuple(value):
        return [(field, getattr(value, field)) for field in value._fields]
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))
    return list(enumerate(flatten(value)))


_yield_sorted_items = _items


def _yield_value(iterable) -> Iterator:
    for _, value in _items(iterable):
        yield value


def _sequence_like(instance, args):
    return pack_sequence_as(
        map_structure(lambda _: 0, dict(_items(instance)) if is_mapping(instance) else instance)
        if is_mapping(instance)
        else [0] * len(list(args)),
        list(args),
    )


def flatten_with_tuple_paths(structure, expand_composites=False) -> list[tuple[tuple, Any]]:
    """Return pairs of a leaf's path and the leaf."""
    return _paths(structure, ())


def _paths(value, path: tuple) -> list:
    if not is_nested(value):
        return [(path, value)]
    return [pair for key, child in _items(value) for pair in _paths(child, (*path, key))]


def yield_flat_paths(nest, expand_composites=False) -> Iterator[tuple]:
    """Yield the paths of the leaves."""
    for path, _ in _paths(nest, ()):
        yield path


def flatten_with_joined_string_paths(
    structure, separator="/", expand_composites=False
) -> list[tuple[str, Any]]:
    """Return pairs of a leaf's path, as text, and the leaf."""
    return [(separator.join(map(str, path)), leaf) for path, leaf in _paths(structure, ())]


def map_structure_with_tuple_paths(func, *structure, **kwargs):
    """Return a structure of the results of `func(path, *leaves)`."""
    for other in structure[1:]:
        nests.assert_same_structure(structure[0], other, kwargs.get("check_types", True))
    paths = [path for path, _ in _paths(structure[0], ())]
    columns = [flatten(each) for each in structure]
    return pack_sequence_as(structure[0], [func(*row) for row in zip(paths, *columns, strict=True)])


def map_structure_with_paths(func, *structure, **kwargs):
    """Return a structure of the results of `func("a/b", *leaves)`."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves: func("/".join(map(str, path)), *leaves), *structure, **kwargs
    )


def assert_shallow_structure(
    shallow_tree, input_tree, check_types=True, expand_composites=False
) -> None:
    """Raise unless the upper part of a structure is like `shallow_tree`."""
    if not is_nested(shallow_tree):
        return
    if not is_nested(input_tree):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. Input has type: "
            f"'{type(input_tree).__name__}'."
        )
    upper, lower = _items(shallow_tree), _items(input_tree)
    tuples = nest.is_namedtuple(shallow_tree) and nest.is_namedtuple(input_tree)
    mappings = is_mapping(shallow_tree) and is_mapping(input_tree)
    if check_types and not (mappings or isinstance(input_tree, type(shallow_tree)) or tuples):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"'{type(input_tree).__name__}', while shallow structure has type "
            f"'{type(shallow_tree).__name__}'."
        )
    if len(upper) != len(lower):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(lower)}, while shallow structure has length {len(upper)}."
        )
    if mappings and {key for key, _ in upper} != {key for key, _ in lower}:
        raise ValueError(
            "The two structures don't have the same keys. Input structure has keys "
            f"{list(input_tree)}, while shallow structure has keys {list(shallow_tree)}."
        )
    for (_, a), (_, b) in zip(upper, lower, strict=True):
        assert_shallow_structure(a, b, check_types)


def flatten_with_tuple_paths_up_to(
    shallow_tree, input_tree, check_types=True, expand_composites=False
) -> list[tuple[tuple, Any]]:
    """Return pairs of path and what stands in `input_tree` where `shallow_tree` has a leaf."""
    assert_shallow_structure(shallow_tree, input_tree, check_types)
    return _paths_up_to(shallow_tree, input_tree, ())


def _paths_up_to(shallow, value, path: tuple) -> list:
    if not is_nested(shallow):
        return [(path, value)]
    pairs = zip(_items(shallow), _items(value), strict=True)
    return [pair for (key, a), (_, b) in pairs for pair in _paths_up_to(a, b, (*path, key))]


def flatten_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False) -> list:
    """Return what stands in `input_tree` where `shallow_tree` has its leaves."""
    pairs = flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types)
    return [value for _, value in pairs]


def map_structure_up_to(shallow_tree, func, *inputs, **kwargs):
    """Return a structure like `shallow_tree`, of the results of `func` on what the inputs have
    where it has leaves."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values: func(*values), *inputs, **kwargs
    )


def map_structure_with_tuple_paths_up_to(shallow_tree, func, *inputs, **kwargs):
    """Do what `map_structure_up_to` does, with the path as first argument of `func`."""
    if not inputs:
        raise ValueError("Argument `inputs` is empty. Cannot map over no sequences.")
    check_types = kwargs.pop("check_types", True)
    columns = [flatten_up_to(shallow_tree, each, check_types) for each in inputs]
    paths = [path for path, _ in _paths_up_to(shallow_tree, shallow_tree, ())]
    results = [func(*row) for row in zip(paths, *columns, strict=True)]
    return pack_sequence_as(shallow_tree, results)


def get_traverse_shallow_structure(traverse_fn, structure, expand_composites=False):
    """Return a structure of booleans: how deep `traverse_fn` wants to go into `structure`."""
    deeper = traverse_fn(structure)
    if not is_nested(structure):
        if not isinstance(deeper, bool):
            raise TypeError(f"traverse_fn returned {deeper!r} for a leaf instead of a bool.")
        return deeper
    if isinstance(deeper, bool):
        if not deeper:
            return False
        deeper = map_structure_shallow(lambda _: True, structure)
    children = []
    for (_, wanted), (_, child) in zip(_items(deeper), _items(structure), strict=True):
        children.append(get_traverse_shallow_structure(traverse_fn, child) if wanted else False)
    return _rebuild(structure, children)


def map_structure_shallow(func, structure):
    """Return a structure of the results of `func` on a structure's children."""
    return _rebuild(structure, [func(child) for _, child in _items(structure)])


def _rebuild(structure, children: list):
    if is_mapping(structure):
        by_key = dict(zip(sorted(structure), children, strict=True))
        return type(structure)((key, by_key[key]) for key in structure)
    if nest.is_namedtuple(structure):
        return type(structure)(*children)
    return type(structure)(children)


def list_to_tuple(structure):
    """Return a structure with tuples in the places of lists."""
    if not is_nested(structure):
        return structure
    children = [list_to_tuple(child) for _, child in _items(structure)]
    return tuple(children) if isinstance(structure, list) else _rebuild(structure, children)


def flatten_dict_items(dictionary) -> dict:
    """Return a dictionary with one key for each leaf of its keys and values."""
    result = {}
    for key, value in dictionary.items():
        result.update(zip(flatten(key), flatten(value), strict=True))
    return result
