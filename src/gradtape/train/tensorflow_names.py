"""The names by which TensorFlow's checkpoints know the objects in Keras's layers and optimizers.

TensorFlow follows the attributes of Keras's objects, and no list that Keras itself keeps. What it
would lose (layers in lists, weights that are no attributes) is found here under its own name, so
that a checkpoint is whole. Names that other versions of Keras use are understood when reading.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gradtape.api.lookup.mutable_tables import DenseHashTable
from gradtape.train import trackables
from gradtape.train.graph import ObjectGraph, walk
from gradtape.train.trackables import (
    VARIABLE,
    TrackedValue,
    attributes_of,
    full_name,
    is_keras,
    is_optimizer,
    is_trackable,
    variable_of,
)

_OPERATIONS, _LAYERS = "_operations", "_layers"
_WEIGHTS = ("_trainable_variables", "_non_trainable_variables")
# What Keras keeps beside the attributes that users see.
_OWN = frozenset([*_WEIGHTS, _LAYERS, _OPERATIONS, "_metrics", "_seed_generators"])
# Of optimizers, of loss scaling, of Normalization.
_COUNTERS = frozenset(["iteration", "step_counter", "count"])
# (Each layer is also there as layer-N, which counts layers that Keras 3 does not have.)
_OLD_LAYER = re.compile(r"layer_with_weights-(\d{1,9})")
# Slots of optimizers before Keras 3, and the lists in which Keras 3 has them.
_SLOTS = {
    "m": ("_momentums", "_m"),
    "v": ("_velocities", "_u"),
    "vhat": ("_velocity_hats",),
    "momentum": ("momentums", "_momentums"),
    "rms": ("_velocities",),
    "mg": ("_average_gradients",),
    "accumulator": ("_accumulators",),
    "accum_grad": ("_accumulated_grads",),
    "accum_var": ("_accumulated_delta_vars",),
    "linear": ("_linears",),
}


def is_layer(value) -> bool:
    """Return whether an object is a Keras layer or model."""
    return is_keras(value) and isinstance(getattr(value, "__dict__", {}).get(_LAYERS), list)


def children(thing) -> list[tuple[str, Any]]:
    """Return the objects that a checkpoint of TensorFlow finds in another, by name."""
    if hasattr(thing, "_named_children"):
        named = thing._named_children(children)
    elif isinstance(thing, DenseHashTable):
        # TensorFlow would take the keys for buckets, and find none of them.
        columns = thing._trackable_children()
        named = {_dense(name): column for name, column in columns.items()}
    elif is_optimizer(thing):
        named = _attributes(attributes_of(thing))
    elif is_layer(thing):
        named = _layer_children(thing)
    else:
        return trackables.children(thing)
    return [(name, child) for name, child in named.items() if is_trackable(child)]


def _dense(name: str) -> str:
    return f"dense-{name}"


def _attributes(own: dict[str, Any]) -> dict[str, Any]:
    """Return attributes that are layers, optimizers, variables, or hold some."""
    return {name: value for name, value in own.items() if _is_followed(value)}


def _is_followed(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_is_followed(item) for item in value)
    if isinstance(value, dict):
        items = value.copy()  # of this moment: another thread may add some
        return all(isinstance(key, str) for key in items) and any(
            _is_followed(item) for item in items.values()
        )
    if not is_keras(value):
        return is_trackable(value)
    return is_layer(value) or is_optimizer(value) or variable_of(value) is not None


def _layer_children(layer) -> dict[str, Any]:
    own = attributes_of(layer)
    named = _attributes({name: own[name] for name in own if name not in _OWN})
    if own.get(_OPERATIONS):
        named[_OPERATIONS] = own[_OPERATIONS]
    reached: set[int] = set()
    for value in named.values():
        _reach(value, reached)
    for name in (_LAYERS, *_WEIGHTS):
        items = own.get(name, ())
        if any(id(item) not in reached for item in items if type(item).__name__ != "InputLayer"):
            named[name] = items
    return named


def _reach(value, reached: set[int]) -> None:
    """Add the layers and variables that an attribute leads to without another layer's help."""
    reached.add(id(value))
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            _reach(item, reached)
    elif is_layer(value) and vars(value).get(_OPERATIONS):
        _reach(list(vars(value)[_OPERATIONS]), reached)


def value_of(thing) -> TrackedValue | None:
    """Return the state that an object holds itself; Keras's counters have 64 bits there."""
    value = trackables.value_of(thing)
    if value is None or not _is_counter(thing):
        return value

    def check(array: np.ndarray, key: str) -> None:
        narrow = array.astype(np.int32) if array.dtype == np.int64 else array
        value.check(array if (narrow != array).any() else narrow, key)

    return TrackedValue(
        value.kind,
        lambda: value.read().astype(np.int64),
        check,
        lambda array: value.write(array.astype(np.int32)),
    )


def _is_counter(thing) -> bool:
    """Return whether Keras makes a variable of another dtype with TensorFlow."""
    return is_keras(thing) and thing.name in _COUNTERS and thing.dtype == "int32" and not thing.ndim


# --- reading -------------------------------------------------------------------------------------


def matches(thing, number: int, graph: ObjectGraph) -> list[tuple[Any, int]]:
    """Return the objects in one that a saved object has children for, with their numbers."""
    expected = graph.children(number)
    named = dict(children(thing))
    if is_optimizer(thing) and _has_other_variables(expected, graph):
        expected = {name: child for name, child in expected.items() if name != "_variables"}
    pairs = [(_child(thing, named, name), child) for name, child in expected.items()]
    return [(child, each) for child, each in pairs if child is not None]


def _child(thing, named: dict[str, Any], name: str):
    if name in named:
        return named[name]
    old = _OLD_LAYER.fullmatch(name)
    if old and is_layer(thing):
        layers = [layer for layer in getattr(thing, "layers", ()) if layer.weights]
        index = int(old[1])
        return layers[index] if index < len(layers) else None
    if isinstance(thing, DenseHashTable):
        return named.get(_dense(name))
    if is_keras(thing):
        # Attributes that have become properties are still there behind an underscore.
        name = "iterations" if name == "iter" and is_optimizer(thing) else name
        return named.get(f"_{name}")
    return None


def _has_other_variables(expected: dict[str, int], graph: ObjectGraph) -> bool:
    """Return whether the list `_variables` of an optimizer has another order than Keras 3's."""
    rate, variables = expected.get("_learning_rate"), expected.get("_variables")
    if rate is None or variables is None:
        return False
    return rate not in graph.children(variables).values()


def slot_matches(
    optimizer, number: int, graph: ObjectGraph, variables: dict[int, Any]
) -> list[tuple[Any, int]]:
    """Return what an optimizer keeps for the variables of saved objects, given by number."""
    if not is_optimizer(optimizer):
        return []
    trained = {id(each): at for at, each in enumerate(vars(optimizer)["_trainable_variables"])}
    pairs = []
    for original, name, slot in graph.slots(number):
        index = trained.get(id(variables.get(original)))
        lists = [getattr(optimizer, each, None) for each in _SLOTS.get(name, ())]
        kept = next((each for each in lists if each), ())
        if index is not None and index < len(kept):
            pairs.append((kept[index], slot))
    return pairs


def graph_by_name(root, arrays: dict[str, np.ndarray]) -> ObjectGraph:
    """Return the graph of existing objects, with the values that are saved by variables' names.

    Such a checkpoint is one of TensorFlow 1, or of SaveV2: it knows nothing of objects.
    """
    nodes, used = [], set()
    for _, thing, numbers in walk(root, TensorFlowNames()):
        name = full_name(thing)
        values = {VARIABLE: name} if name in arrays else {}
        used.update(values.values())
        nodes.append({"children": numbers, "values": values})
    # (What no variable is found for is an object that nothing leads to.)
    unused = [{"children": {}, "values": {VARIABLE: name}} for name in arrays if name not in used]
    return ObjectGraph([*nodes, *unused])


class TensorFlowNames:
    """How a checkpoint of TensorFlow finds objects."""

    children = staticmethod(children)
    value_of = staticmethod(value_of)
    matches = staticmethod(matches)
    slot_matches = staticmethod(slot_matches)
