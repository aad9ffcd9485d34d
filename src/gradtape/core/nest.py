"""Nested structures (lists, tuples, dicts, named tuples…), based on optree.

Dictionaries are traversed in the order of their sorted keys and None is a leaf, as in TensorFlow.
optree is imported only for structures that are nested: flat lists are the common case.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradtape.core.tensor import TensorBase

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

_FLAT = (list, tuple)
_NESTED = (list, tuple, dict)
# Where subclasses of these are registered with optree, which takes their objects for leaves
# otherwise: a program's, and those that Keras makes of a layer's lists and dictionaries.
_NAMESPACE = "gradtape"


def is_nested(structure: TensorLike | None) -> bool:
    """Return whether a value is a container of others, rather than a leaf."""
    if isinstance(structure, _NESTED):
        return True
    # Other containers are those registered with optree: none, unless it has been imported.
    optree = None if isinstance(structure, TensorBase) else sys.modules.get("optree")
    return optree is not None and not optree.tree_is_leaf(structure, none_is_leaf=True)


def is_namedtuple(value: object) -> bool:
    """Return whether a value is a named tuple: its class takes the items one by one."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _is_flat(structure: Any) -> bool:
    """Return whether a value is a list of leaves, which most are: tensors are asked for first."""
    if type(structure) not in _FLAT:
        return False
    for x in structure:  # noqa: SIM110 (`any` is slower)
        if not isinstance(x, TensorBase) and isinstance(x, _NESTED):
            return False
    return True


def flatten(structure: Any) -> list[Any]:
    """Return the leaves of a structure, in order."""
    if isinstance(structure, TensorBase):
        return [structure]
    if _is_flat(structure):
        return list(structure)
    if not is_nested(structure):
        return [structure]
    return _flattened(structure)[0]


def pack_sequence_as(structure: Any, flat: Any) -> Any:
    """Pack a flat list of leaves into a structure like `structure`."""
    if isinstance(structure, TensorBase) or not is_nested(structure):
        if len(flat) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n However the input is a "
                f"sequence ({type(flat)}) of length {len(flat)}."
            )
        return flat[0]
    if _is_flat(structure) and len(flat) == len(structure):
        return type(structure)(flat)
    _, spec = _flattened(structure)
    if spec.num_leaves != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {spec.num_leaves} atoms, but flat_sequence "
            f"had {len(flat)} items. Structure: {structure}, flat_sequence: {flat}."
        )
    return spec.unflatten(flat)


def map_structure(function: Callable[..., Any], *structures: Any) -> Any:
    """Apply `function` to corresponding leaves; return a structure like the first."""
    first = structures[0]
    columns = [flatten(first)]
    for other in structures[1:]:
        assert_same_structure(first, other)
        columns.append(flatten(other))
    return pack_sequence_as(first, [function(*leaves) for leaves in zip(*columns, strict=True)])


def assert_same_structure(a: TensorLike, b: TensorLike | None) -> None:
    if is_nested(a) != is_nested(b):
        raise ValueError(
            "The two structures don't have the same nested structure.\n\nFirst structure: "
            f"type={type(a).__name__} str={a}\n\nSecond structure: type={type(b).__name__} str={b}"
        )
    if not is_nested(a):
        return
    if _flattened(a)[1] != _flattened(b)[1]:
        raise ValueError(
            "The two structures don't have the same nested structure.\n\nFirst structure: "
            f"type={type(a).__name__} str={a}\n\nSecond structure: type={type(b).__name__} str={b}"
        )


def _flattened(structure: Any) -> tuple[list[Any], Any]:
    """Return the leaves of a structure, and optree's description of it."""
    import optree

    try:
        leaves, spec = optree.tree_flatten(structure, none_is_leaf=True, namespace=_NAMESPACE)
    except RecursionError:
        raise ValueError("The structure is nested too deep: does it contain itself?") from None
    unknown = {type(x) for x in leaves if isinstance(x, _NESTED)}
    if not unknown:
        return leaves, spec
    for kind in unknown:
        _register(kind)
    return _flattened(structure)


def _register(kind: type) -> None:
    """Register a subclass of list, tuple or dict, whose constructor takes what theirs does."""
    import optree

    def items(container: Any) -> tuple[Any, ...]:
        return list(container), None

    def of_items(_: None, children: Any) -> Any:
        return kind(children)

    def values(container: Any) -> tuple[Any, ...]:
        keys = sorted(container)
        return [container[key] for key in keys], (keys, list(container)), keys

    def of_values(keys: tuple[list[Any], list[Any]], children: Any) -> Any:
        by_key = dict(zip(keys[0], children, strict=True))
        return kind([(key, by_key[key]) for key in keys[1]])

    rules: Any = (values, of_values) if issubclass(kind, dict) else (items, of_items)
    with contextlib.suppress(ValueError):  # another thread has registered it meanwhile
        optree.register_pytree_node(kind, *rules, namespace=_NAMESPACE)
