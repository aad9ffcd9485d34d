"""`tf.experimental.ExtensionType`: classes of composite values, made of annotated fields."""

from __future__ import annotations

import abc
import functools
import inspect
from typing import Any

from gradtape import ops
from gradtape.api import nests
from gradtape.api.export import export
from gradtape.api.extension_types.annotations import own_annotations, type_hints
from gradtape.api.extension_types.fields import (
    NO_DEFAULT,
    Field,
    convert_fields,
    is_reserved,
)
from gradtape.api.extension_types.specs import (
    CONSTRUCTING,
    BatchableExtensionTypeSpec,
    ExtensionTypeSpec,
)
from gradtape.api.spec_names import register
from gradtape.api.specs import CompositeTensor, TensorSpec, TypeSpec
from gradtape.core.composites import APPLIERS
from gradtape.core.protocols import is_composite
from gradtape.core.tensor import Tensor

# A class with this in its body is used as it is written.
_AS_WRITTEN = "_tf_extension_type_do_not_transform_this_class"
_SPEC = "_tf_extension_type_cached_type_spec"
_KERAS_MASK = "_keras_mask"  # Keras sets it on whatever a layer returns


class ExtensionTypeMetaclass(abc.ABCMeta):
    """Gives a class the constructor of its fields, and its class `Spec`."""

    def __init__(cls, name, bases, namespace) -> None:  # pyright: ignore[reportInconsistentConstructor] (type has options, for other metaclasses)
        if not namespace.get(_AS_WRITTEN, False):
            _check_names(cls)
            _give_constructor(cls)
            _give_spec(cls)
            from gradtape.api.dispatch.registry import apply_to_extension

            APPLIERS[cls] = apply_to_extension
        super().__init__(name, bases, namespace)


@export("experimental.ExtensionType")
class ExtensionType(CompositeTensor, metaclass=ExtensionTypeMetaclass):
    """The base of a program's own composite values.

    A subclass annotates its fields: tensors and composites (tf.Tensor, tf.RaggedTensor, another
    extension type), what is static (int, float, bool, str, bytes, None, tf.DType, tf.TensorShape),
    and Tuple, Mapping, Union and Optional of these. Values are not changed once they are made.
    """

    _tf_extension_type_do_not_transform_this_class = True

    def __init__(self, *args, **kwargs):
        if type(self) is ExtensionType:
            raise AssertionError(
                "Cannot create an instance of ExtensionType because ExtensionType is an abstract "
                "base class."
            )

    @classmethod
    def _tf_extension_type_fields(cls):
        """Return the fields; names of classes that are not defined yet stay names."""
        known = cls.__dict__.get("_tf_extension_type_cached_fields")
        if known is not None:
            return known
        hints, are_complete = type_hints(cls)
        fields = tuple(
            [Field.of(name, kind, getattr(cls, name, NO_DEFAULT)) for name, kind in hints.items()]
        )
        if are_complete:
            cls._tf_extension_type_cached_fields = fields
        return fields

    @classmethod
    def _tf_extension_type_has_field(cls, name):
        return any(name == field.name for field in cls._tf_extension_type_fields())

    def _tf_extension_type_convert_fields(self):
        convert_fields(self._tf_extension_type_fields(), vars(self))

    def _type_field_names(self) -> list[str]:
        return [field.name for field in self._tf_extension_type_fields()]

    def __validate__(self):
        """Raise an error if the fields do not fit together. Subclasses override it."""

    def __repr__(self):
        shown = [f"{name}={getattr(self, name)!r}" for name in self._type_field_names()]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    # --- it is not changed ------------------------------------------------------------------------

    def _check_changes(self, name: str) -> None:
        if name == _KERAS_MASK:
            return
        if CONSTRUCTING in self.__dict__ and self._tf_extension_type_has_field(name):
            return
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType."
        )

    def __setattr__(self, name, value):
        self._check_changes(name)
        vars(self)[name] = value

    def __delattr__(self, name):
        self._check_changes(name)
        del vars(self)[name]

    # --- comparison -------------------------------------------------------------------------------

    def __eq__(self, other):  # pyright: ignore[reportIncompatibleMethodOverride] (a tensor)
        if type(self) is not type(other) or self._type_spec != other._type_spec:
            return False
        mine = nests.flatten(self, expand_composites=True)
        others = nests.flatten(other, expand_composites=True)
        if len(mine) != len(others) or any(
            a.shape != b.shape for a, b in zip(mine, others, strict=True)
        ):
            return False
        alike = [ops.reduce_all(ops.equal(a, b)) for a, b in zip(mine, others, strict=True)]
        return ops.reduce_all(ops.stack(alike)) if alike else ops.to_tensor(True)

    def __ne__(self, other):
        equal = self.__eq__(other)
        return ops.logical_not(equal) if isinstance(equal, Tensor) else not equal

    # TensorFlow's values have no hash, for they are compared by value.
    __hash__ = None  # pyright: ignore[reportAssignmentType] (as in every class without one)

    # --- as a composite ---------------------------------------------------------------------------

    @property
    def _type_spec(self):
        spec = self.__dict__.get(_SPEC)
        if spec is None:
            kind: Any = type(self)
            spec = vars(self)[_SPEC] = kind.Spec.from_value(self)
        return spec

    def _component_tensors(self) -> tuple:
        parts = self._type_spec._to_components(self)
        return tuple(nests.flatten(parts, expand_composites=True))

    def _static_parts(self) -> tuple | None:
        """Return the spec without the shapes of tensors, which a key has anyway."""
        if not all(isinstance(x, Tensor) for x in self._component_tensors()):
            return None
        return (self._type_spec._map_tensor_specs(_without_shape),)

    def _differentiable_component(self) -> Any:
        rule: Any = getattr(self, "__composite_gradient__", None)
        if rule is None:
            return None
        part: Any = rule.get_gradient_components(self)
        inner: Any = part[0] if isinstance(part, (tuple, list)) and len(part) == 1 else part
        if not isinstance(inner, Tensor) and is_composite(inner):
            return inner._differentiable_component()
        return inner if isinstance(inner, Tensor) else None

    def _with_differentiable_component(self, component):
        rule = self.__composite_gradient__  # pyright: ignore[reportAttributeAccessIssue] (asked for before)
        part = rule.get_gradient_components(self)
        is_listed = isinstance(part, (tuple, list))
        inner = part[0] if is_listed else part
        if not isinstance(inner, Tensor):
            component = inner._with_differentiable_component(component)
        return rule.replace_gradient_components(
            self, type(part)([component]) if is_listed else component
        )


@export("experimental.BatchableExtensionType")
class BatchableExtensionType(ExtensionType):
    """The base of composite values that can be batched: by tf.data and tf.map_fn.

    A class whose values are not batched field by field sets `__batch_encoder__`.
    """

    _tf_extension_type_do_not_transform_this_class = True


@export("experimental.extension_type.as_dict")
def as_dict(value):
    """Return the fields of an extension type's value by name; nested values stay as they are."""
    if not isinstance(value, ExtensionType):
        raise TypeError(f"as_dict takes a value of an extension type, got {value!r}")
    return {name: getattr(value, name) for name in value._type_field_names()}


def _without_shape(spec: TensorSpec) -> TensorSpec:
    return TensorSpec(None, spec.dtype)


# --- what the metaclass does -------------------------------------------------------------------


def _check_names(cls: Any) -> None:
    """Raise unless all attributes of a class are fields with an annotation, methods, properties."""
    invalid = f"The field annotations for {cls.__name__} are invalid. "
    annotated = own_annotations(cls)
    for name, value in cls.__dict__.items():
        if name == "Spec":
            if not isinstance(value, type):
                raise ValueError(f"{cls.__qualname__}.Spec must be a nested class; got {value}.")
            if value.__bases__ not in ((TypeSpec,), (object,)):
                raise ValueError(
                    f"{cls.__qualname__}.Spec must be directly subclassed from tf.TypeSpec."
                )
        elif is_reserved(name):
            raise ValueError(f"{invalid}Field '{name}' is reserved.")
    for name in annotated:
        if is_reserved(name):
            raise ValueError(f"{invalid}Field '{name}' is reserved.")
    for name, value in cls.__dict__.items():
        is_special = name.startswith("_abc_") or (name.startswith("__") and name.endswith("__"))
        is_method = callable(value) or isinstance(value, (property, classmethod, staticmethod))
        if name not in annotated and not is_special and not is_method:
            raise ValueError(f"{invalid}Field {name} is missing a type annotation.")


def _give_constructor(cls: Any) -> None:
    if "__init__" in cls.__dict__:
        _let_constructor_set_fields(cls)
        return
    fields = cls._tf_extension_type_fields()
    # A field without a default that follows one with a default is given by name.
    parameters, has_default, kind = [], False, inspect.Parameter.POSITIONAL_OR_KEYWORD
    for field in fields:
        if field.default is not NO_DEFAULT:
            has_default = True
        elif has_default:
            kind = inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if field.default is NO_DEFAULT else field.default
        parameters.append(
            inspect.Parameter(field.name, kind, default=default, annotation=field.value_type)
        )
    _make_constructor(cls, parameters)


def _make_constructor(cls: Any, parameters: list[inspect.Parameter]) -> None:
    """Give a class the constructor that takes these parameters, each for a field."""
    signature = inspect.Signature(parameters, return_annotation=cls.__name__)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)
        self._tf_extension_type_convert_fields()
        self.__validate__()

    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([this, *parameters], return_annotation=cls)
    cls.__init__ = __init__


def _let_constructor_set_fields(cls: Any) -> None:
    written = cls.__init__

    @functools.wraps(written)
    def __init__(self, *args, **kwargs):
        self.__dict__[CONSTRUCTING] = True
        try:
            written(self, *args, **kwargs)
        finally:
            self.__dict__.pop(CONSTRUCTING, None)
        self._tf_extension_type_convert_fields()
        self.__validate__()

    cls.__init__ = __init__


def _give_spec(cls: Any) -> None:
    """Give a class its `Spec`, with what the program has written for it."""
    title = f"{cls.__qualname__}.Spec"
    body: dict[str, Any] = {"value_type": cls, "__module__": cls.__module__}
    written = cls.__dict__.get("Spec")
    for name, value in () if written is None else written.__dict__.items():
        if is_reserved(name):
            raise ValueError(f"TypeSpec {title} uses reserved name '{name}'.")
        if cls._tf_extension_type_has_field(name):
            raise ValueError(
                f"TypeSpec {title} defines a variable '{name}' which shadows a field in "
                f"{cls.__qualname__}"
            )
        if name not in ("__module__", "__dict__", "__weakref__"):
            body[name] = value
    base: type = ExtensionTypeSpec
    if BatchableExtensionType in cls.__mro__:
        base = BatchableExtensionTypeSpec
        if hasattr(cls, "__batch_encoder__"):
            body.setdefault("__batch_encoder__", cls.__batch_encoder__)
    elif hasattr(cls, "__batch_encoder__") or "__batch_encoder__" in body:
        raise ValueError(
            "__batch_encoder__ should only be defined for BatchableExtensionType classes."
        )
    spec: Any = type(f"{cls.__name__}.Spec", (base,), body)
    spec.__qualname__ = title
    cls.Spec = spec
    if "__init__" in spec.__dict__:
        _let_constructor_set_fields(spec)
    else:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = [field.name for field in cls._tf_extension_type_fields()]
        _make_constructor(spec, [inspect.Parameter(name, kind) for name in names])
    if "__name__" in cls.__dict__:  # the name of the spec in a SavedModel
        register(f"{cls.__dict__['__name__']}.Spec")(spec)
