"""Scopes and the small words of graph programs: what they mean where every op runs at once."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Generator
from contextlib import nullcontext

import numpy as np

from gradtape import ops
from gradtape.api.config.device_spec import DeviceSpec
from gradtape.api.export import export
from gradtape.backends.xla.runtime import device as devices
from gradtape.core import nest, scope
from gradtape.core.brief import brief
from gradtape.core.protocols import has_type_spec, is_composite
from gradtape.core.scope import VariableAggregation, VariableSynchronization
from gradtape.core.state import get_state, lifted, not_recording, outside
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.variable import Variable

export("VariableAggregation")(VariableAggregation)
export("VariableSynchronization")(VariableSynchronization)


@export("AggregationMethod")
class AggregationMethod:
    """How gradients of several paths are added. gradtape adds in place: all are the same."""

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


# --- names ---------------------------------------------------------------------------------------


@export("name_scope")
class name_scope:
    """Variables made in the block have names that begin with the scope's."""

    def __init__(self, name) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._open: list = []  # for each block: what its end restores

    @property
    def name(self) -> str:
        return self._name

    def __enter__(self) -> str:
        outer = scope.op_scope()
        if not self._name or self._name.endswith("/"):  # from the top, whatever is open
            prefix, path = self._name, self._name.strip("/")
        else:
            prefix = f"{scope.name_prefix()}{self._name}/"
            path = f"{outer}/{self._name}" if outer else self._name
        opened = scope.named(prefix)
        opened.__enter__()
        self._open.append((opened, outer))
        scope.enter_op_scope(path)
        return prefix

    def __exit__(self, *exception) -> None:
        opened, outer = self._open.pop()
        scope.enter_op_scope(outer)
        opened.__exit__(*exception)


@export("get_current_name_scope")
def get_current_name_scope() -> str:
    """Return the name scopes that are open, joined by slashes."""
    return scope.name_prefix().rstrip("/")


# --- order and device ----------------------------------------------------------------------------


@export("control_dependencies")
def control_dependencies(control_inputs) -> nullcontext[None]:
    """Return an empty context manager, after calling the functions among the inputs: ops run in
    program order."""
    for each in control_inputs if isinstance(control_inputs, (list, tuple)) else ():
        if callable(each) and not isinstance(each, (Tensor, Variable)):
            each()
    return contextlib.nullcontext()


@export("group")
def group(*inputs, **kwargs) -> None:
    """Do nothing: what is to be grouped has run."""
    unknown = kwargs.keys() - {"name"}
    if unknown:
        raise ValueError(f"Unknown keyword arguments: {', '.join(sorted(unknown))}")


@export("no_op")
def no_op(name=None) -> None:
    """Do nothing."""


@export("tuple")
def tuple_(tensors, control_inputs=None, name=None) -> list:
    """Return the tensors, as a list."""
    return [None if x is None else ops.identity(ops.to_tensor(x)) for x in tensors]


@export("init_scope")
@contextlib.contextmanager
def init_scope() -> Generator[None]:
    """Open a block that no tape records, in which a function may create variables at any time.

    Where a function is being traced, the block runs at once, and not when the function is called:
    `tf.executing_eagerly()` is true in it.
    """
    quiet = not_recording() if get_state().trace is None else lifted()
    with outside(), scope.observed(None), quiet:
        yield


@export("variable_creator_scope")
def variable_creator_scope(variable_creator) -> contextlib.AbstractContextManager[None]:
    """Return a context manager in which `variable_creator(next_creator, **options)` makes what
    `tf.Variable` returns. The options are the arguments of `tf.Variable`, all of them by name; the
    creator may change them, and call `next_creator(**options)` or return something else.

    Of nested blocks, the creator of the inner one is called first. Subclasses of `tf.Variable` are
    made by themselves.
    """
    return scope.creating(variable_creator)


@export("device")
def device(device_name):
    """Return a context manager that places new tensors and variables on a device such as "/GPU:0".

    Ops run where their inputs are; in a block for the CPU, on the CPU. "/XLA:0" is XLA on the host,
    for machines without a GPU. A device that is not there means the CPU, unless
    `tf.config.set_soft_device_placement(False)` makes it an error.
    """
    if device_name is None:
        return devices.scope(None)
    if not isinstance(device_name, (str, DeviceSpec)):
        if not callable(device_name):
            raise ValueError(
                f"Expecting a string device name. Got {type(device_name)}({device_name})"
            )
        return contextlib.nullcontext()
    spec = DeviceSpec.from_string(str(device_name))
    if spec.device_type is None:
        return contextlib.nullcontext()
    return devices.scope(devices.find_or_host(spec.device_type, spec.device_index))


@export("to_device")
def to_device(x, device_name) -> Tensor:
    """Return a tensor (or the value of a variable) on another device; derivatives go through the
    copy."""
    spec = DeviceSpec.from_string(str(device_name))
    if spec.device_type is None:
        raise ValueError(
            f"to_device: {device_name!r} names no device; write for instance '/GPU:0'."
        )
    device = devices.find(spec.device_type, spec.device_index)
    x = ops.to_tensor(x)
    if device is devices.HOST and type(x) is Tensor:
        return x
    return devices.moved(x, device)


@export("CriticalSection")
class CriticalSection:
    """Runs functions one at a time, whatever thread asks."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        self.name = "critical_section" if name is None else name
        self._lock = threading.RLock()

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """Run `fn()` while no other such function runs, and return its result."""
        with self._lock:
            return fn()


# --- questions about values ----------------------------------------------------------------------


@export("is_symbolic_tensor")
def is_symbolic_tensor(tensor) -> bool:
    """Return False: tensors have values."""
    return False


@export("get_static_value")
def get_static_value(tensor, partial=False):
    """Return the value of a tensor as an array; None for variables and composites, whose values can
    differ from call to call, and for a tensor of a function being traced."""
    if isinstance(tensor, Tensor) and not isinstance(tensor, Variable):
        return np.asarray(tensor.numpy()) if tensor._has_value else None
    holds_tensors = is_composite(tensor) or has_type_spec(tensor)
    return None if holds_tensors or isinstance(tensor, Variable) else tensor


@export("timestamp")
def timestamp(name=None) -> Tensor:
    """Return the seconds since 1970, as float64."""
    trace = get_state().trace
    if trace is None:
        return _now()
    return trace.feed(_now, Spec((), np.dtype(np.float64)))


def _now() -> Tensor:
    return Tensor(np.float64(time.time()))


@export("get_logger")
def get_logger() -> logging.Logger:
    """Return the logger that gradtape writes to."""
    return logging.getLogger("gradtape")


@export("type_spec_from_value")
def type_spec_from_value(value):
    """Return the spec of a value."""
    from gradtape.api.specs import spec_of

    if nest.is_nested(value):
        raise TypeError(
            f"Could not build a TypeSpec for {brief(value)} of type {type(value).__name__}: it is "
            "a structure. Use tf.nest.map_structure(tf.type_spec_from_value, value)."
        )
    return spec_of(value)
