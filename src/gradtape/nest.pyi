# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from typing import Any

def assert_same_structure(
    nest1: Any,
    nest2: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> None:
    """Raise unless two structures are alike: a TypeError for other types, else a ValueError.

    Args:
        nest1: a nest.
        nest2: another nest.
        check_types: whether lists and tuples must be of the same type.
        expand_composites: whether sparse and ragged tensors are taken apart, too.

    Returns:
        Nothing.

    Raises:
        ValueError if the structures differ.
    """

def flatten(structure: Any, expand_composites: bool = False) -> list:
    """Return the leaves of a structure; dictionaries in the order of their sorted keys.

    Args:
        structure: a nest of lists, tuples and dicts.
        expand_composites: whether sparse and ragged tensors are taken apart, too.

    Raises:
        TypeError if the keys of a dictionary cannot be sorted.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nest.flatten({"a": 1, "b": (2, [3])})
        [1, 2, 3]
    """

def is_nested(seq: Any) -> bool:
    """Return whether a value is a list, a tuple, a mapping, or of a class that optree knows.

    Args:
        seq: any value.
    """

def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return a structure like the first, of the results of `func` on corresponding leaves.

    With check_types=False, lists may stand for tuples, and one kind of dictionary for another.

    Args:
        func: a function.
        *structure: a nest of lists, tuples and dicts.
        **kwargs: keyword arguments.

    Raises:
        TypeError if `func` is not callable.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nest.map_structure(lambda x: x * 2, {"a": 1, "b": (2, 3)})
        {'a': 2, 'b': (4, 6)}
    """

def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Return the items of a flat sequence, in the shape of `structure`.

    Args:
        structure: a nest of lists, tuples and dicts.
        flat_sequence: the leaves, in order.
        expand_composites: whether sparse and ragged tensors are taken apart, too.

    Raises:
        ValueError if the number of items is not that of the structure's leaves.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nest.pack_sequence_as([0, (0, 0)], [1, 2, 3])
        [1, (2, 3)]
    """
