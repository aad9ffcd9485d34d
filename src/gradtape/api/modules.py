"""`tf.Module`: a class that knows the variables and modules in its attributes."""

from __future__ import annotations

import functools
import re

from gradtape.api.compat.scopes import name_scope
from gradtape.api.export import export
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine.variable import Variable, as_variable

_LEAVES = (str, bytes, int, float, complex, bool, type(None))


def _snake_case(name: str) -> str:
    name = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def _is_variable(value) -> bool:
    return isinstance(as_variable(value), Variable)


def _is_trainable_variable(value) -> bool:
    return _is_variable(value) and bool(value.trainable)


def _is_module(value) -> bool:
    return isinstance(value, Module)


@export("Module")
class Module:
    """Collects the variables of its attributes, and of the modules in them.

        class Dense(tf.Module):
            def __init__(self, inputs, outputs, name=None):
                super().__init__(name=name)
                self.w = tf.Variable(tf.random.normal([inputs, outputs]), name="w")

            def __call__(self, x):
                return x @ self.w

    Attributes are found in the order of their names, also inside lists, tuples and dictionaries.
    """

    # Attributes that are computed from others, and are not searched.
    _TF_MODULE_IGNORED_PROPERTIES = frozenset()

    def __init__(self, name=None) -> None:
        if name is None:
            name = _snake_case(type(self).__name__)
        elif not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as self._scope_name:  # inside of the scopes that are open here
            pass

    @property
    def name(self) -> str:
        """Return the name of the module."""
        return self._name

    def _no_dependency(self, value):
        """Return a value as it is: nothing wraps attributes here."""
        return value

    @property
    def name_scope(self) -> name_scope:
        """The scope of this module's variables; the same every time it is entered."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple:
        """All variables of this module and the modules in it."""
        return tuple(self._flatten(predicate=_is_variable, expand_composites=True))

    @property
    def trainable_variables(self) -> tuple:
        """The variables that are to be trained."""
        return tuple(self._flatten(predicate=_is_trainable_variable, expand_composites=True))

    @property
    def non_trainable_variables(self) -> tuple:
        """The variables that are not to be trained."""
        return tuple(
            self._flatten(
                predicate=lambda v: _is_variable(v) and not v.trainable, expand_composites=True
            )
        )

    @property
    def submodules(self) -> tuple:
        """All modules in this one, and those in them."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive=True,
        predicate=None,
        attribute_traversal_key=None,
        with_path=False,
        expand_composites=False,
    ):
        """Return the attributes (of modules in attributes too) for which `predicate` holds, each
        once."""
        wanted = predicate or (lambda value: True)
        return _walk(self, wanted, recursive, attribute_traversal_key, with_path)

    @classmethod
    def with_name_scope(cls, method):
        """Wrap a method so that it creates variables in the module's name scope."""

        @functools.wraps(method)
        @filters_tracebacks
        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _leaves(value, path: tuple):
    """Yield (path, leaf) of everything inside lists, tuples and dictionaries."""
    if isinstance(value, dict):
        for key in _sorted_keys(value):
            yield from _leaves(value[key], (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value


def _sorted_keys(mapping: dict) -> list:
    try:
        return sorted(mapping)
    except TypeError:  # keys of different kinds
        return list(mapping)


def _walk(module: Module, wanted, recursive: bool, sort_key, with_path: bool, path=(), seen=None):
    """Yield a module's own attributes, then, one after the other, those of the modules found
    there."""
    seen = {id(module)} if seen is None else seen
    inner = []
    attributes = vars(module)
    for name in sorted(attributes, key=sort_key):
        if name in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for where, leaf in _leaves(attributes[name], (*path, name)):
            if isinstance(leaf, _LEAVES) or id(leaf) in seen:
                continue
            seen.add(id(leaf))
            if wanted(leaf):
                yield (where, leaf) if with_path else leaf
            if recursive and isinstance(leaf, Module):
                inner.append((where, leaf))
    for where, leaf in inner:
        yield from _walk(leaf, wanted, recursive, sort_key, with_path, where, seen)
