"""Small names of `tf.experimental` and `tf.types`, and blocks that change nothing here."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

import numpy as np

from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.tensor import Tensor, TensorBase

for _name in ("float8_e4m3fn", "float8_e5m2", "int4", "uint4"):
    export(f"experimental.{_name}")(dtypes.BY_NAME[_name])

# What a function may be given for a tensor.
export("types.experimental.TensorLike")(TensorBase | np.ndarray | list | tuple | float | int)


@export("experimental.async_scope")
@contextlib.contextmanager
def async_scope() -> Generator[None]:
    """Open a block whose ops could run asynchronously; they run immediately."""
    yield


@export("experimental.async_clear_error")
def async_clear_error() -> None:
    """Do nothing: errors are raised where they happen."""


@export("experimental.function_executor_type")
@contextlib.contextmanager
def function_executor_type(executor_type) -> Generator[None]:
    """Open a block for which nothing changes."""
    yield


@export("experimental.enable_strict_mode")
def enable_strict_mode() -> None:
    """Do nothing: there are no deprecated behaviors to turn off."""


@export("check_pinned")
def check_pinned(tensor, name=None):
    """Return the tensor: memory is the CPU's."""
    return tensor


def _numpy_method(name: str) -> property:
    """Return a stand-in for a method that tensors have only after opting in."""

    def explain(self):
        raise AttributeError(
            f"Tensor object has no attribute '{name}'. If you are looking for NumPy's methods, run "
            "tf.experimental.numpy.experimental_enable_numpy_behavior() first."
        )

    return property(explain)


for _name in ("T", "astype", "clip", "data", "ravel", "reshape", "size", "tolist", "transpose"):
    setattr(Tensor, _name, _numpy_method(_name))

# What libraries copy from the class to make one that acts like tensors.
_BINARY = "add and floordiv matmul mod mul or pow sub truediv xor".split()
_OPERATORS = {
    *(f"__{name}__" for name in ("abs getitem invert neg eq ne lt le gt ge".split() + _BINARY)),
    *(f"__r{name}__" for name in _BINARY),
}
for _name, _value in (("OVERLOADABLE_OPERATORS", _OPERATORS), ("__nonzero__", Tensor.__bool__)):
    setattr(Tensor, _name, _value)
