"""Nested elements: tuples, named tuples and dictionaries of tensors. A list is one tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import has_type_spec
from gradtape.core.state import call_with, inside
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Tensor


def is_nested(value) -> bool:
    """Return whether a value is a structure of others, rather than one component."""
    return isinstance(value, (tuple, Mapping))


def flatten(structure) -> list:
    """Return the components in order; those of a dictionary in the order of its sorted keys."""
    if isinstance(structure, Mapping):
        return [leaf for key in sorted(structure) for leaf in flatten(structure[key])]
    if is_nested(structure):
        return [leaf for item in structure for leaf in flatten(item)]
    return [structure]


def pack(structure, flat: Iterable) -> Any:
    """Return components in the shape of `structure`."""
    return _pack(structure, iter(flat))


def _pack(structure, flat):
    if isinstance(structure, Mapping):
        result = {key: _pack(structure[key], flat) for key in sorted(structure)}
        return _like(structure, {key: result[key] for key in structure})
    if is_nested(structure):
        return _like(structure, [_pack(item, flat) for item in structure])
    return next(flat)


def _like(structure: Any, items):
    """Return `items` in a container of the same class."""
    cls: Any = type(structure)
    if isinstance(structure, Mapping):
        return items if cls is dict else cls(items)
    return cls(*items) if nest.is_namedtuple(structure) else cls(items)


def map_structure(function: Callable, *structures) -> Any:
    """Return a structure like the first, of the results of `function` on corresponding
    components."""
    first = structures[0]
    if not is_nested(first):
        return function(*structures)
    columns = [flatten(first), *(flatten_up_to(first, other) for other in structures[1:])]
    return pack(first, [function(*leaves) for leaves in zip(*columns, strict=True)])


def flatten_up_to(shallow, deep) -> list:
    """Return the parts of `deep` that stand where `shallow` has its components."""
    if isinstance(shallow, Mapping):
        if not isinstance(deep, Mapping) or sorted(shallow) != sorted(deep):
            raise _mismatch(shallow, deep)
        return [part for key in sorted(shallow) for part in flatten_up_to(shallow[key], deep[key])]
    if is_nested(shallow):
        if not isinstance(deep, tuple) or len(shallow) != len(deep):
            raise _mismatch(shallow, deep)
        pairs = zip(shallow, deep, strict=True)
        return [part for one, other in pairs for part in flatten_up_to(one, other)]
    return [deep]


def _mismatch(expected, got) -> TypeError:
    return TypeError(
        f"The two structures don't have the same structure. Expected one like {expected!r}, "
        f"got {got!r}."
    )


def component(value) -> Any:
    """Return one component of an element: a tensor, or an object that describes itself (a
    dataset…).

    Tensors lose their connection to tapes: gradients do not flow through a pipeline.
    """
    if type(value) is Tensor:
        return value if value._marks is None else Tensor(value._data)
    if value is None or has_type_spec(value):
        return value
    tensor: Any = ops.to_tensor(value)
    return Tensor(tensor._host_data() if type(tensor) is not Tensor else tensor._data)


def normalize(value) -> Any:
    """Return what a program gave as an element, with a tensor for each component."""
    return component(value) if not is_nested(value) else map_structure(component, value)


def normalize_source(value) -> Any:
    """Return what a program makes a dataset of; a tensor of a function being traced stays one."""

    def source(leaf: Any) -> Any:
        is_traced = isinstance(leaf, SymbolicTensor) and not leaf._is_batched
        return leaf._unmarked() if is_traced else component(leaf)

    return source(value) if not is_nested(value) else map_structure(source, value)


def call(function: Callable, element) -> Any:
    """Return the function of an element; a tuple's parts are arguments of their own."""
    return call_inside(function, *(element if type(element) is tuple else (element,)))


def call_inside(function: Callable, *args) -> Any:
    """Call a program's function: TensorFlow makes a graph of it, so it is not told that it runs
    eagerly, and does what it does in a function."""
    try:
        return call_with(inside, True, function, *args)
    except StopIteration as error:  # it would end the dataset without a word
        raise InvalidArgumentError(
            f"A function of a dataset raised StopIteration: {error}. To end the dataset, use "
            "take_while, or from_generator with a function that returns."
        ) from error


def wrap_function(function: Callable) -> Callable:
    """Return a function from element to element: converts what a program's function returns."""

    def run(element):
        result = call(function, element)
        # A list at the top is most often that of an op which returns several tensors.
        return normalize(tuple(result) if isinstance(result, list) else result)

    return run
