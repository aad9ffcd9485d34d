"""Which objects a checkpoint follows, by what names it finds others in them, what state they have.

A checkpoint sees a graph: objects with named children. Variables, random generators and dataset
iterators hold values; modules, Keras objects, checkpoints, lists and dictionaries lead to others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gradtape.api.modules import Module
from gradtape.api.random.generator import Generator
from gradtape.core import nest
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable, as_variable

VARIABLE, ITERATOR = "VARIABLE_VALUE", "ITERATOR_STATE"
_UNTRACKED = "_self_untracked_attributes"
_CONTAINERS = (list, tuple, Mapping)
# Parts of a Keras layer, model or metric that have variables, in their own order.
_KERAS_PARTS = (
    "_trainable_variables",
    "_non_trainable_variables",
    "_layers",
    "_metrics",
    "_seed_generators",
    "_variables",
)


class _Untracked:
    """What was assigned to attributes so that it is not followed, by name. (It is no container in
    which a module would look for variables.)"""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}


class TrackedValue(NamedTuple):
    """The state of an object: its kind, the array now, and how to set and check another."""

    kind: str
    read: Callable[[], np.ndarray]
    check: Callable[[np.ndarray, str], None]
    write: Callable[[np.ndarray], None]


def variable_of(value) -> Variable | None:
    """Return the variable that an object is, or is Keras's face of."""
    variable = as_variable(value)
    return variable if isinstance(variable, Variable) else None


def is_keras(value) -> bool:
    """Return whether an object's class comes from Keras (which need not be loaded to ask)."""
    return any(cls.__module__.partition(".")[0] == "keras" for cls in type(value).__mro__)


def is_trackable(value) -> bool:
    """Return whether a checkpoint follows an object."""
    return (
        isinstance(value, (Variable, Module, Generator))
        or hasattr(value, "_trackable_children")
        or hasattr(value, "_checkpoint_state")
        or variable_of(value) is not None
        or (is_keras(value) and bool(_keras_children(value)))
        or (isinstance(value, _CONTAINERS) and not nest.is_namedtuple(value))
    )


def value_of(thing) -> TrackedValue | None:
    """Return the state that an object holds itself."""
    variable = variable_of(thing)
    if variable is not None:
        return TrackedValue(
            VARIABLE,
            lambda: whole_value(variable),
            lambda array, key: _check(variable, array, key),
            lambda array: _write(variable, array),
        )
    if hasattr(thing, "_checkpoint_state"):
        return TrackedValue(
            ITERATOR,
            thing._checkpoint_state,
            lambda array, key: None,
            thing._restore_checkpoint_state,
        )
    return None


def full_name(thing) -> str:
    """Return the name by which TensorFlow 1 knows a variable; of others, nothing."""
    variable = variable_of(thing)
    return "" if variable is None else str(getattr(thing, "path", variable.name)).split(":")[0]


def whole_value(variable: Variable) -> np.ndarray:
    """Return a variable's value; parts of it that other processes have come from them, if all
    ask."""
    data = variable._data
    if not hasattr(data, "is_fully_addressable"):
        return np.asarray(data)
    is_here = data.is_fully_addressable or data.is_fully_replicated
    if is_here or variable._is_stacked:  # a stack is combined by the variable
        return np.asarray(variable._values())
    from gradtape.backends.xla.runtime.transfer import gathered

    return gathered(data)


def _write(variable: Variable, array: np.ndarray) -> None:
    is_number = not array.ndim and array.dtype != object
    variable.assign(Tensor(array[()] if is_number else array))


def _check(variable: Variable, array: np.ndarray, key: str) -> None:
    if not variable.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Received incompatible tensor with shape {array.shape} when attempting to restore "
            f"variable with shape {variable.shape} and name {key}."
        )
    if variable._data.dtype != array.dtype:
        raise InvalidArgumentError(
            f"tensor_name = {key}; expected dtype {variable.dtype.name} does not equal original "
            f"dtype {array.dtype.name}"
        )


def children(thing) -> list[tuple[str, Any]]:
    """Return the objects that a checkpoint finds in another, by name."""
    if value_of(thing) is not None:
        return []
    if hasattr(thing, "_trackable_children"):
        named = thing._trackable_children()
    elif isinstance(thing, Generator):
        named = {"_state_var": thing.state}
    elif isinstance(thing, Mapping):
        named = {key: thing[key] for key in list(thing) if isinstance(key, str)}
    elif isinstance(thing, _CONTAINERS):
        named = {str(index): item for index, item in enumerate(thing)}
    elif is_keras(thing):
        named = _keras_children(thing)
    else:
        named = attributes_of(thing)
    return [(name, child) for name, child in named.items() if is_trackable(child)]


def attributes_of(thing) -> dict[str, Any]:
    """Return an object's attributes of this moment: another thread may set some."""
    own = vars(thing).copy()
    untracked = own.pop(_UNTRACKED, None)
    if untracked is None:
        return own
    # One that was assigned again since then is followed.
    return {name: x for name, x in own.items() if x is not untracked.values.get(name, own)}


def no_automatic_dependency_tracking(method):
    """Decorate a method: checkpoints do not follow what it assigns to attributes."""

    @functools.wraps(method)
    def untracked(self, *args, **kwargs):
        own = vars(self)
        before = own.copy()
        try:
            return method(self, *args, **kwargs)
        finally:
            now = own.copy()
            assigned = {name: x for name, x in now.items() if x is not before.get(name, own)}
            own.setdefault(_UNTRACKED, _Untracked()).values.update(assigned)

    return untracked


def _keras_children(thing) -> dict[str, Any]:
    """Return the variables of a Keras object, and the objects in it that have some.

    A layer is found by the name of its attribute, as TensorFlow finds it, and by its index among
    the layers: not all layers are attributes.
    """
    own = attributes_of(thing)
    # The variables that an optimizer trains are not its own.
    parts = ("_variables",) if is_optimizer(thing) else _KERAS_PARTS
    lists = {name: own[name] for name in parts if isinstance(own.get(name), list)}
    layers = {id(layer) for layer in lists.get("_layers", ())}
    named = {
        name: value
        for name, value in own.items()
        if variable_of(value) is not None
        or isinstance(value, (Module, Generator))
        or id(value) in layers
        or is_optimizer(value)
        or (isinstance(value, (list, dict)) and name[0] != "_" and _holds(value, layers))
    }
    for name, items in lists.items():
        # Keras adds an input layer when it learns the input's shape: it must not count.
        named[name] = [each for each in items if type(each).__name__ != "InputLayer"]
    if not named and hasattr(thing, "state"):
        named["state"] = thing.state
    return named


def _holds(container: list | dict, wanted: set[int]) -> bool:
    items = container.copy().values() if isinstance(container, dict) else container
    return any(id(item) in wanted for item in items)


def is_optimizer(value) -> bool:
    return hasattr(value, "apply_gradients") and is_keras(value)
