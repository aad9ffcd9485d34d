"""Runs a case with a given module and notes down everything that is compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .case import DIFFERENTIABLE, Case
from .inputs import Random


@dataclass
class Value:
    """An array, or a plain Python value (dtype "python") that a case returned."""

    dtype: str
    array: Any
    sparse: bool = False


@dataclass
class Record:
    """The outcome of a case; a gradient is `None` where the input is not connected."""

    structure: str
    outputs: list[Value] = field(default_factory=list)
    gradients: dict[str, Value | None] = field(default_factory=dict)


def flatten(result: Any) -> tuple[str, list[Any]]:
    """The structure of a result, with a dot for each leaf, and the leaves."""
    if isinstance(result, dict):
        keys = sorted(result)
        parts = [flatten(result[key]) for key in keys]
        inner = ",".join(f"{key}:{part[0]}" for key, part in zip(keys, parts, strict=True))
        return f"{{{inner}}}", [leaf for part in parts for leaf in part[1]]
    if isinstance(result, (tuple, list)):
        parts = [flatten(item) for item in result]
        return f"({','.join(p[0] for p in parts)})", [leaf for part in parts for leaf in part[1]]
    return ".", [result]


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf is a tensor or a variable of the module that ran."""
    return hasattr(leaf, "dtype") and hasattr(leaf, "numpy")


def _value(leaf: Any) -> Value:
    if is_tensor(leaf):
        array = np.asarray(leaf.numpy())
        if tuple(leaf.shape) != array.shape:
            raise AssertionError(f"The shape is {leaf.shape} but the value has {array.shape}.")
        return Value(leaf.dtype.name, array)
    if isinstance(leaf, (bool, int, float, str, complex)) or leaf is None:
        return Value("python", leaf)
    if isinstance(leaf, (np.ndarray, np.generic)):
        return Value(f"numpy {leaf.dtype.name}", np.asarray(leaf))
    raise TypeError(f"A case returned {type(leaf).__name__}, which cannot be recorded.")


def _gradient(gradient: Any, source: Any) -> Value | None:
    if gradient is None:
        return None
    if not hasattr(gradient, "indices"):
        return _value(gradient)
    values = gradient.values.numpy()
    dense = np.zeros(tuple(source.shape), values.dtype)
    np.add.at(dense, gradient.indices.numpy(), values)
    return Value(gradient.values.dtype.name, dense, sparse=True)


def run(tf: Any, case: Case) -> Record:
    """The outputs of a case, and the gradients of its differentiated inputs.

    Each floating output gets a cotangent of its own, so that mistakes cannot cancel.
    """
    function = case.function
    if case.reference is not None and tf.__name__ == "tensorflow":
        function = case.reference
    given: dict[str, Any] = {}
    for name, description in case.inputs.items():
        array = description.array(case.name, name)
        given[name] = tf.Variable(array) if name in case.variables else tf.constant(array)
    if not case.differentiated:
        structure, leaves = flatten(function(tf, **given))
        return Record(structure, [_value(leaf) for leaf in leaves])

    sources = {name: given[name] for name in case.differentiated}
    with tf.GradientTape() as tape:
        tape.watch(list(sources.values()))
        structure, leaves = flatten(function(tf, **given))
    record = Record(structure, [_value(leaf) for leaf in leaves])
    targets, cotangents = [], []
    for position, (leaf, value) in enumerate(zip(leaves, record.outputs, strict=True)):
        if is_tensor(leaf) and value.dtype in DIFFERENTIABLE:
            random = Random(case.name, f"output {position}")
            targets.append(leaf)
            cotangents.append(tf.constant(random.cotangent(value.array.shape, value.array.dtype)))
    gradients = tape.gradient(targets, list(sources.values()), output_gradients=cotangents)
    for (name, source), gradient in zip(sources.items(), gradients, strict=True):
        record.gradients[name] = _gradient(gradient, source)
    return record
