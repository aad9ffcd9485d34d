"""`tensorflow.python.framework`: `composite_tensor`, `type_spec` and their registry."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api import nests, spec_names
from gradtape.api.extension_types.encoders import TypeSpecBatchEncoder
from gradtape.api.extension_types.specs import BatchableTypeSpec
from gradtape.api.specs import CompositeTensor, TensorSpec, TypeSpec, VariableSpec, spec_of
from gradtape.engine.variable import Variable

__all__ = [
    "BatchableTypeSpec",
    "CompositeTensor",
    "TensorSpec",
    "TypeSpec",
    "TypeSpecBatchEncoder",
    "VariableSpec",
]

# The names by which TensorFlow Probability replaces a class that is defined again.
_NAME_TO_TYPE_SPEC = spec_names.NAME_TO_TYPE_SPEC
_TYPE_SPEC_TO_NAME = spec_names.TYPE_SPEC_TO_NAME
register, get_name, lookup = spec_names.register, spec_names.get_name, spec_names.lookup
DenseSpec = TensorSpec.__mro__[1]
ResourceVariable = BaseResourceVariable = Variable
type_spec_from_value = spec_of


def register_type_spec_from_value_converter(type_object, converter_fn, allow_subclass=False):
    """Do nothing: a value's class says its spec."""


def make_composite_tensor(cls, module_name="tf.linalg"):
    """Return the class of linear operators as it is."""
    return cls


def replace_composites_with_components(structure) -> Any:
    """Return a structure with the tensors of composites in their places."""
    return nests.flatten(structure, expand_composites=True)


def convert_variables_to_tensors(values) -> Any:
    """Return a structure with the values of variables in their places, in composites, too."""

    def convert(value):
        if isinstance(value, CompositeTensor):
            return value._convert_variables_to_tensors()
        return ops.to_tensor(value) if isinstance(value, Variable) else value

    return nests.map_structure(convert, values)


def replace_variables_with_atoms(values) -> Any:
    """Return a structure with numbers in the places of variables."""
    return nests.map_structure(lambda x: 0 if isinstance(x, Variable) else x, values)


def is_resource_variable(value) -> bool:
    """Return whether a value is a variable."""
    return isinstance(value, Variable)


def is_distributed_variable(value) -> bool:
    """Return False."""
    return False
