"""`tensorflow.python.util`, `client` and `platform`: decorators, inspection, collections."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Mapping, MutableMapping
from types import ModuleType, SimpleNamespace
from typing import Any

import gradtape
from gradtape.api import composites
from gradtape.core.tensor import TensorRef
from gradtape.data.iterator import Iterator as OwnedIterator
from gradtape.train.trackables import no_automatic_dependency_tracking

__all__ = ["OwnedIterator", "no_automatic_dependency_tracking"]

# --- util.deprecation, tf_export ----------------------------------------------------------------


def _unchanged(*args, **kwargs):
    """Return a decorator that changes nothing."""

    def decorate(function):
        return function

    return decorate


deprecated = deprecated_args = deprecated_arg_values = deprecated_endpoints = _unchanged
tf_export = keras_export = estimator_export = _unchanged


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """Return the function or class."""
    return func_or_class


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """Return the value of an argument that has two names."""
    if old_value is not None and new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return new_value if old_value is None else old_value


@contextlib.contextmanager
def silence():
    """Open a block for which nothing changes."""
    yield


def get_canonical_name_for_symbol(symbol, *args, **kwargs):
    """Return the name of a function or class."""
    return getattr(symbol, "__name__", None)


# --- util.tf_decorator, tf_contextlib, tf_inspect ------------------------------------------------

contextmanager = contextlib.contextmanager
FullArgSpec = inspect.FullArgSpec
_inspect = inspect


def getfullargspec(obj):
    """Return the parameters of a function, without annotations: libraries compare their own
    functions with TensorFlow's, which have none. Decorators other than gradtape's count."""
    if getattr(obj, "__globals__", {}).get("__name__") == composites.__name__:
        obj = inspect.unwrap(obj)
    return inspect.getfullargspec(obj)._replace(annotations={})


getargspec = getfullargspec


def make_decorator(target, decorator_func, *args, **kwargs):
    """Return a decorator's function with the name and text of its target."""
    return functools.update_wrapper(decorator_func, target)


def unwrap(maybe_decorated) -> tuple[list, Any]:
    """Return the decorators of a function (none are known), and the function."""
    return [], inspect.unwrap(maybe_decorated)


def rewrap(decorator_func, previous_target, new_target):
    """Return the new function."""
    return new_target


# --- util.object_identity ------------------------------------------------------------------------


Reference = TensorRef


class ObjectIdentityDictionary(MutableMapping):
    """A dictionary whose keys are compared by identity."""

    def __init__(self, pairs=()) -> None:
        self._pairs: dict[int, tuple[Any, Any]] = {}
        for key, value in pairs.items() if isinstance(pairs, Mapping) else pairs:
            self[key] = value

    def __setitem__(self, key, value) -> None:
        self._pairs[id(key)] = (key, value)

    def __getitem__(self, key):
        return self._pairs[id(key)][1]

    def __delitem__(self, key) -> None:
        del self._pairs[id(key)]

    def __iter__(self):
        return iter([key for key, _ in self._pairs.values()])

    def __len__(self) -> int:
        return len(self._pairs)


class ObjectIdentitySet:
    """A set whose members are compared by identity."""

    def __init__(self, members=()) -> None:
        self._members = {id(member): member for member in members}

    def __contains__(self, member) -> bool:
        return id(member) in self._members

    def __iter__(self):
        return iter(list(self._members.values()))

    def __len__(self) -> int:
        return len(self._members)

    def add(self, member) -> None:
        """Add a member."""
        self._members[id(member)] = member

    def discard(self, member) -> None:
        """Remove a member, if it is one."""
        self._members.pop(id(member), None)

    def update(self, members) -> None:
        """Add members."""
        for member in members:
            self.add(member)


ObjectIdentityWeakSet = ObjectIdentitySet
ObjectIdentityWeakKeyDictionary = ObjectIdentityDictionary

# --- util.lazy_loader, all_util ------------------------------------------------------------------


class LazyLoader(ModuleType):
    """A module that is imported when a name of it is first used."""

    def __init__(self, local_name, parent_module_globals, name, warning=None) -> None:
        self._local_name, self._globals = local_name, parent_module_globals
        super().__init__(name)

    def __getattr__(self, item):
        module = importlib.import_module(self.__name__)
        self._globals[self._local_name] = module
        return getattr(module, item)


def remove_undocumented(module_name, allowed_exception_list=None, doc_string_modules=None) -> None:
    """Do nothing: names stay."""


# --- client.device_lib ---------------------------------------------------------------------------


def list_local_devices(session_config=None) -> list[SimpleNamespace]:
    """Return the devices, as TensorFlow describes them."""
    devices = vars(gradtape)["config"].list_logical_devices()
    return [
        SimpleNamespace(
            name=f"/device:{device.name.rpartition('/device:')[2] or device.name}",
            device_type=device.device_type,
            memory_limit=0,
            physical_device_desc="",
            locality=SimpleNamespace(bus_id=0),
        )
        for device in devices
    ]


# --- trackable, training -------------------------------------------------------------------------


class Trackable:
    """A base of objects that a checkpoint can hold. Here any object is one that has variables."""


class TrackableDataStructure(Trackable):
    """A base of containers that a checkpoint can hold: lists and dictionaries are."""


class NoDependency:
    """A value that a checkpoint should leave out: itself, for attributes here are as assigned."""

    def __new__(cls, value):
        return value


def sticky_attribute_assignment(trackable, value, name):
    """Return the value of an attribute as it is."""
    return value


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """Move a variable towards a value by 1 - decay of their difference."""
    if zero_debias:
        raise NotImplementedError("assign_moving_average: give zero_debias=False.")
    return variable.assign_sub((variable - value) * (1 - decay))
