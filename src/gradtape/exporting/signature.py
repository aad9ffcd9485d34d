"""What is exported: a function with the specs of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gradtape.api.function.concrete import ConcreteFunction
from gradtape.api.function.function import Function
from gradtape.api.specs import TensorSpec, TypeSpec, spec_of
from gradtape.core import nest


class Signature(NamedTuple):
    """A Python function, and a spec (or a nest of them) for each of its positional arguments."""

    function: Callable
    specs: tuple
    autograph: bool
    name: str

    @property
    def leaves(self) -> list[TensorSpec]:
        return nest.flatten(list(self.specs))

    def input_names(self) -> list[str]:
        """Return a name for each tensor: that of its spec, else of its parameter, else a number."""
        names: list[str] = []
        for i, spec in enumerate(self.leaves):
            name = str(spec.name or f"input_{i}").split(":")[0]
            names.append(name if name not in names else f"{name}_{i}")
        return names


def make_signature(op: str, function: Any, signature: Any) -> Signature:
    """Check the arguments of an export; a concrete function and an input signature have specs."""
    autograph = True
    if isinstance(function, ConcreteFunction):
        signature = list(function.structured_input_signature[0]) if signature is None else signature
        function = function._function
    if isinstance(function, Function):
        signature = function.input_signature if signature is None else signature
        autograph, function = function._autograph, function.python_function
    if not callable(function):
        raise TypeError(f"{op}: {function!r} is no function.")
    if signature is None:
        raise TypeError(
            f"{op}: the specs of the arguments are missing: signature=[tf.TensorSpec([None, 3])], "
            "say, one for each argument."
        )
    if isinstance(signature, TypeSpec) or not isinstance(signature, (list, tuple)):
        signature = [signature]
    specs = nest.map_structure(lambda leaf: _spec(op, leaf), list(signature))
    name = getattr(function, "__name__", None) or getattr(function, "name", None)
    return Signature(function, tuple(specs), autograph, str(name or type(function).__name__))


def _spec(op: str, leaf: Any) -> TensorSpec:
    if not isinstance(leaf, TypeSpec):
        try:
            leaf = spec_of(leaf)
        except (TypeError, ValueError):
            raise TypeError(
                f"{op}: signature must have tf.TensorSpecs or example tensors, not {leaf!r}."
            ) from None
    if not isinstance(leaf, TensorSpec):
        raise NotImplementedError(f"{op}: an argument described by {leaf!r} cannot be exported.")
    if leaf.shape.rank is None:
        raise ValueError(
            f"{op}: {leaf!r} has an unknown rank. Open sizes are written as None, as in "
            "tf.TensorSpec([None, 3])."
        )
    return leaf
