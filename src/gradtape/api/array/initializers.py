"""`tf.zeros_initializer`, `ones_initializer` and `constant_initializer`: values for variables."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.tapes import constant
from gradtape.core import dtypes
from gradtape.core.dtypes import as_dtype


class Initializer:
    """Called with a shape and a dtype. With a seed, it gives the same values every time."""

    def get_config(self) -> dict:
        """Return the arguments that make this initializer."""
        return {}

    @classmethod
    def from_config(cls, config: dict) -> Initializer:
        """Return the initializer that a `get_config` describes."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})

    def _shape(self, shape, options: dict):
        for name in options:
            if name not in ("partition_shape", "partition_offset"):
                raise TypeError(
                    "Keyword argument should be one of ['partition_shape', 'partition_offset']. "
                    f"Received: {name}"
                )
        return options.get("partition_shape", shape)


def _numeric(dtype):
    dtype = as_dtype(dtype)
    if not (dtype.is_numeric or dtype.is_bool):
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {dtype}.")
    return dtype


@export("zeros_initializer")
class ZerosInitializer(Initializer):
    """Zeros."""

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        dtype = _numeric(dtype)
        return ops.zeros(ops.static_shape(self._shape(shape, kwargs)), dtype)


@export("ones_initializer")
class OnesInitializer(Initializer):
    """Ones."""

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        dtype = _numeric(dtype)
        return ops.ones(ops.static_shape(self._shape(shape, kwargs)), dtype)


@export("constant_initializer")
class ConstantInitializer(Initializer):
    """One value everywhere, or the values of a list that fills the shape."""

    def __init__(self, value=0, support_partition=False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, "
                "list or tuple of values, or numpy.ndarray."
            )
        self.value = value

    def __call__(self, shape, dtype=None, **kwargs):
        return constant(self.value, dtype=dtype, shape=self._shape(shape, kwargs))

    def get_config(self) -> dict:
        return {"value": self.value}
