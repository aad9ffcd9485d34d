"""`tf.random_normal_initializer` and `tf.random_uniform_initializer`: values for new variables."""

from __future__ import annotations

from typing import Any

from gradtape.api.array.initializers import Initializer
from gradtape.api.export import export
from gradtape.api.random.draws import normal, uniform
from gradtape.api.random.stateless import stateless_normal, stateless_uniform
from gradtape.core import dtypes
from gradtape.core.dtypes import as_dtype


@export("random_normal_initializer")
class RandomNormalInitializer(Initializer):
    """Normal numbers of a mean and a standard deviation."""

    def __init__(self, mean=0.0, stddev=0.05, seed=None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        shape, dtype = self._shape(shape, kwargs), as_dtype(dtype)
        if not dtype.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {dtype}."
            )
        if self.seed is None:
            return normal(shape, self.mean, self.stddev, dtype)
        return stateless_normal(shape, [self.seed, 0], self.mean, self.stddev, dtype)

    def get_config(self) -> dict:
        """Return the arguments that make this initializer."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


@export("random_uniform_initializer")
class RandomUniformInitializer(Initializer):
    """Numbers from minval to below maxval."""

    def __init__(self, minval=-0.05, maxval=0.05, seed=None) -> None:
        self.minval: Any = minval
        self.maxval: Any = maxval
        self.seed = seed

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        shape, dtype = self._shape(shape, kwargs), as_dtype(dtype)
        if not (dtype.is_floating or dtype.is_integer):
            raise ValueError(
                f"Argument `dtype` expected to be numeric or boolean. Received {dtype}."
            )
        if self.seed is None:
            return uniform(shape, self.minval, self.maxval, dtype)
        return stateless_uniform(shape, [self.seed, 0], self.minval, self.maxval, dtype)

    def get_config(self) -> dict:
        """Return the arguments that make this initializer."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}
