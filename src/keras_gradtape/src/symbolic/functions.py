"""TensorFlow's functions on Keras's symbolic tensors: a call becomes an operation of the model.

`tf.concat([a, b], -1)`, while a functional model is built, made a layer in Keras 2. A function of
gradtape raises an error where an argument is no tensor, and only then asks whether the argument's
class has a way to apply functions (`core/composites.py`); what is registered there for symbolic
tensors is here. Programs whose arguments are tensors pay nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from keras.src import tree
from keras.src.backend.common.keras_tensor import KerasTensor
from keras.src.layers.core.input_layer import InputLayer
from keras.src.ops.operation import Operation
from keras.src.saving.object_registration import register_keras_serializable
from keras.src.utils.naming import auto_name

from gradtape.api.composites import takes_symbols
from gradtape.api.export import PUBLIC, lookup, take_symbols
from gradtape.core.composites import APPLIERS, SYMBOLIC
from gradtape.core.dtypes import DType
from keras_gradtape.src.output_spec import function_output_spec
from keras_gradtape.src.symbolic.shape_tuple import ShapeTuple
from keras_gradtape.src.symbolic.sizes import OPERATORS, SizesTensor


class Function(Operation):
    """A function of TensorFlow, given by its public name, as an operation of a model."""

    def __init__(self, function: str, name: str | None = None) -> None:
        super().__init__(name=name or auto_name(function.rpartition(".")[2]))
        self.function = function
        self._compute = _find(function)

    def call(self, *args, **kwargs):
        return self._compute(*args, **kwargs)

    def compute_output_spec(self, *args, **kwargs):
        return function_output_spec(self._compute, args, kwargs)

    def get_config(self) -> dict[str, Any]:
        return {"function": self.function, "name": self.name}


register_keras_serializable(package="gradtape")(Function)


def _find(name: str) -> Callable[..., Any]:
    """Return the function of a name; a saved model can only name functions of tensors."""
    kind, _, last = name.rpartition(".")
    if kind == "operator" and last in OPERATORS:
        return OPERATORS[last]
    if name not in PUBLIC or not takes_symbols(name):
        raise ValueError(f"tf.{name} is no function that can be an operation of a model.")
    return lookup(name)


@functools.cache
def _name_of(function: Callable[..., Any]) -> str | None:
    """Return the public name of a function, which may have several faces around it: one that takes
    symbolic tensors, one for the types that a program has registered functions for."""
    faces = {name: value for name, value in PUBLIC.items() if takes_symbols(name)}
    while faces:
        for name, value in faces.items():
            if function is value:
                return name
        inner = {name: getattr(value, "__wrapped__", None) for name, value in faces.items()}
        faces = {name: value for name, value in inner.items() if value is not None}
    return None


def _plain(value: Any) -> Any:
    """Return an argument in the form in which Keras can save it."""
    return value.name if isinstance(value, DType) else value


def _apply(op_name: str, op: Callable[..., Any], args: tuple, kwargs: dict) -> Any:
    name = _name_of(op)
    if name is None:
        raise ValueError(
            f"{op_name}: a symbolic tensor has a shape and a dtype, but no value. Call the "
            "function in the `call` method of a layer, where tensors have values."
        )
    function = Function(name)
    args, kwargs = tree.map_structure(_plain, (args, kwargs), none_is_leaf=False)
    return function(*args, **kwargs)


def install() -> None:
    """Let functions of TensorFlow take symbolic tensors, from the first input of a model on."""
    APPLIERS[KerasTensor] = APPLIERS[SizesTensor] = _apply
    SYMBOLIC.update((KerasTensor, SizesTensor))
    initialize = InputLayer.__init__

    @functools.wraps(initialize)
    def initialize_first(self, shape=None, **options):
        take_symbols()
        initialize(self, shape, **options)

    InputLayer.__init__ = initialize_first
    shape = KerasTensor.shape
    KerasTensor.shape = property(_shape_of, shape.fset)
    KerasTensor.get_shape = _shape_of


def _shape_of(tensor: KerasTensor) -> ShapeTuple:
    """Return the shape of a symbolic tensor."""
    return ShapeTuple(tensor._shape)
