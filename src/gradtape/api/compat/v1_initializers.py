"""Initializers that TensorFlow 1 had at its top: made of the variance scaling that Keras shares."""

from __future__ import annotations

import math

from gradtape.api.export import export, lookup
from gradtape.core import dtypes
from gradtape.core.convert import static_ints


def _fans(shape) -> tuple[float, float]:
    """Return how many inputs and outputs a unit of weights of this shape has."""
    sizes = static_ints(shape, "initializer")
    if not sizes:
        return 1.0, 1.0
    if len(sizes) == 1:
        return float(sizes[0]), float(sizes[0])
    field = math.prod(sizes[:-2])
    return float(field * sizes[-2]), float(field * sizes[-1])


@export("compat.v1.variance_scaling_initializer", "compat.v1.initializers.variance_scaling")
class VarianceScaling:
    """Draws with a variance of `scale` over the number of inputs, outputs, or their mean."""

    def __init__(
        self,
        scale=1.0,
        mode="fan_in",
        distribution="truncated_normal",
        seed=None,
        dtype=dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"Invalid `mode` argument: {mode}")
        self._scale, self._mode, self._distribution = scale, mode, distribution
        self._seed, self._dtype = seed, dtype

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = self._dtype if dtype is None else dtype
        inputs, outputs = _fans(shape)
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}
        variance = self._scale / max(1.0, count[self._mode])
        if self._distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return lookup("random.uniform")(shape, -limit, limit, dtype, seed=self._seed)
        if self._distribution == "untruncated_normal":
            return lookup("random.normal")(shape, 0.0, math.sqrt(variance), dtype, seed=self._seed)
        # Cut at two standard deviations, a normal distribution keeps this part of its own.
        spread = math.sqrt(variance) / 0.87962566103423978
        return lookup("random.truncated_normal")(shape, 0.0, spread, dtype, seed=self._seed)


def _scaled(scale: float, mode: str, distribution: str):
    def initializer(seed=None, dtype=dtypes.float32) -> VarianceScaling:
        return VarianceScaling(scale, mode, distribution, seed, dtype)

    initializer.__doc__ = f"Return VarianceScaling({scale}, {mode!r}, {distribution!r})."
    return initializer


_GLOROT_UNIFORM = (1.0, "fan_avg", "uniform")
glorot_uniform_initializer = export(
    "compat.v1.glorot_uniform_initializer", "compat.v1.initializers.glorot_uniform"
)(_scaled(*_GLOROT_UNIFORM))
export("compat.v1.glorot_normal_initializer", "compat.v1.initializers.glorot_normal")(
    _scaled(1.0, "fan_avg", "truncated_normal")
)
for _name, _scale in (("he", 2.0), ("lecun", 1.0)):
    export(f"compat.v1.initializers.{_name}_normal")(_scaled(_scale, "fan_in", "truncated_normal"))
    export(f"compat.v1.initializers.{_name}_uniform")(_scaled(_scale, "fan_in", "uniform"))


@export("compat.v1.truncated_normal_initializer", "compat.v1.initializers.truncated_normal")
class TruncatedNormal:
    """Draws of a normal distribution, cut at two standard deviations."""

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32) -> None:
        self._options = (mean, stddev, dtype, seed)

    def __call__(self, shape, dtype=None, partition_info=None):
        mean, stddev, own, seed = self._options
        draw = lookup("random.truncated_normal")
        return draw(shape, mean, stddev, own if dtype is None else dtype, seed=seed)
