"""Scopes and the small words of graph programs: what they mean where every op runs at once."""

from __future__ import annotations

import contextlib
import logging
import threading
import time

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import nest, scope
from gradtape.core.scope import VariableAggregation, VariableSynchronization
from gradtape.core.state import not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable

export("VariableAggregation")(VariableAggregation)
export("VariableSynchronization")(VariableSynchronization)


@export("AggregationMethod")
class AggregationMethod:
    """How gradients of several paths are added. gradtape adds in place: all ways are one."""

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
        self._open: list = []

    @property
    def name(self) -> str:
        return self._name

    def __enter__(self) -> str:
        if not self._name or self._name.endswith("/"):  # from the top, whatever is open
            prefix = self._name
        else:
            prefix = f"{scope.name_prefix()}{self._name}/"
        opened = scope.named(prefix)
        opened.__enter__()
        self._open.append(opened)
        return prefix

    def __exit__(self, *exception) -> None:
        self._open.pop().__exit__(*exception)


@export("get_current_name_scope")
def get_current_name_scope() -> str:
    """The name scopes that are open, joined by slashes."""
    return scope.name_prefix().rstrip("/")


# --- order and place -----------------------------------------------------------------------------


@export("control_dependencies")
def control_dependencies(control_inputs):
    """A block whose ops come after others: they do, for every op runs where it is written."""
    for each in control_inputs if isinstance(control_inputs, (list, tuple)) else ():
        if callable(each) and not isinstance(each, (Tensor, Variable)):
            each()
    return contextlib.nullcontext()


@export("group")
def group(*inputs, **kwargs) -> None:
    """Nothing: what is to be grouped has run."""
    unknown = kwargs.keys() - {"name"}
    if unknown:
        raise ValueError(f"Unknown keyword arguments: {', '.join(sorted(unknown))}")


@export("no_op")
def no_op(name=None) -> None:
    """Nothing."""


@export("tuple")
def tuple_(tensors, control_inputs=None, name=None) -> list:
    """The tensors, as a list."""
    return [None if x is None else ops.identity(ops.to_tensor(x)) for x in tensors]


@export("init_scope")
@contextlib.contextmanager
def init_scope():
    """A block that no tape records, in which a function may make variables at any time."""
    with scope.observed(None), not_recording():
        yield


@export("device")
@contextlib.contextmanager
def device(device_name):
    """A block for another device. There is one, the CPU, and everything runs there."""
    if device_name is not None and not isinstance(device_name, (str, DeviceSpec)):
        if not callable(device_name):
            raise ValueError(
                f"Expecting a string device name. Got {type(device_name)}({device_name})"
            )
    elif device_name is not None:
        DeviceSpec.from_string(str(device_name))
    yield


@export("DeviceSpec")
class DeviceSpec:
    """The parts of a device's name, as in "/job:worker/replica:0/task:1/device:CPU:0"."""

    def __init__(
        self, job=None, replica=None, task=None, device_type=None, device_index=None
    ) -> None:
        self.job = None if job is None else str(job)
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        self.device_type = None if device_type is None else str(device_type).upper()
        self.device_index = None if device_index is None else int(device_index)

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of a name."""
        found: dict = {}
        for part in filter(None, str(spec).split("/")):
            key, *values = part.split(":")
            if key == "job" and len(values) == 1:
                found["job"] = values[0]
            elif key in ("replica", "task") and len(values) == 1:
                found[key] = values[0]
            elif key == "device" and len(values) == 2:
                found |= {"device_type": values[0], "device_index": values[1]}
            elif len(values) == 1 and key.upper() in ("CPU", "GPU", "TPU"):
                found |= {"device_type": key, "device_index": values[0]}
            else:
                raise ValueError(
                    f"Unknown attribute '{key}' is encountered while parsing the device spec: "
                    f"'{spec}'."
                )
        return cls(**{k: v for k, v in found.items() if v != "*"})

    def parse_from_string(self, spec: str) -> DeviceSpec:
        return self.from_string(spec)

    def replace(self, **parts) -> DeviceSpec:
        """A copy with some parts changed."""
        return DeviceSpec(**(self._parts() | parts))

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """These parts, except where `dev` has its own."""
        return self.replace(**{k: v for k, v in dev._parts().items() if v is not None})

    def _parts(self) -> dict:
        names = ("job", "replica", "task", "device_type", "device_index")
        return {name: getattr(self, name) for name in names}

    def to_string(self) -> str:
        text = "".join(
            f"/{name}:{value}"
            for name, value in (("job", self.job), ("replica", self.replica), ("task", self.task))
            if value is not None
        )
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __str__(self) -> str:
        return self.to_string()

    def __eq__(self, other) -> bool:
        return isinstance(other, DeviceSpec) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self.to_string())


@export("CriticalSection")
class CriticalSection:
    """Runs functions one at a time, whatever thread asks."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        self.name = "critical_section" if name is None else name
        self._lock = threading.RLock()

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """The result of `fn()`, run while no other is."""
        with self._lock:
            return fn()


# --- questions about values ----------------------------------------------------------------------


@export("is_symbolic_tensor")
def is_symbolic_tensor(tensor) -> bool:
    """False: tensors have values."""
    return False


@export("get_static_value")
def get_static_value(tensor, partial=False):
    """The value of a tensor as an array; None for a variable, whose value may change."""
    if isinstance(tensor, Variable):
        return None
    if isinstance(tensor, Tensor):
        return np.asarray(tensor.numpy())
    return tensor


@export("timestamp")
def timestamp(name=None) -> Tensor:
    """The seconds since 1970, as float64."""
    return Tensor(np.float64(time.time()))


@export("get_logger")
def get_logger() -> logging.Logger:
    """The logger that gradtape writes to."""
    return logging.getLogger("gradtape")


@export("type_spec_from_value")
def type_spec_from_value(value):
    """What is known of a value without the value itself."""
    from gradtape.api.specs import spec_of

    if nest.is_nested(value):
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} of type {type(value).__name__}: it is a "
            "structure. Use tf.nest.map_structure(tf.type_spec_from_value, value)."
        )
    return spec_of(value)
