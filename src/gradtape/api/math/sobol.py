"""`tf.math.sobol_sample`: points that fill the unit cube evenly."""

from __future__ import annotations

import numpy as np

from gradtape.api.export import export
from gradtape.core.convert import static_int
from gradtape.core.dtypes import as_dtype, float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


@export("math.sobol_sample")
def sobol_sample(dim, num_results, skip=0, dtype=float32, name=None) -> Tensor:
    """Return `num_results` points of the Sobol sequence in `dim` dimensions, after `skip`
    others."""
    from scipy.stats import qmc

    dimension, count, start = (static_int(n) for n in (dim, num_results, skip))
    kind = as_dtype(dtype)
    if kind.name not in ("float32", "float64"):
        raise TypeError(f"sobol_sample: dtype is float32 or float64, not {kind.name}")
    for what, value, least in (
        ("dim", dimension, 1),
        ("num_results", count, 1),
        ("skip", start, 0),
    ):
        if not least <= value < 2**31:
            raise InvalidArgumentError(
                f"sobol_sample: {what} must be at least {least} and less than 2**31, got {value}"
            )
    sequence = qmc.Sobol(dimension, scramble=False, bits=32)
    # The first point, the origin, is not one of TensorFlow's.
    sequence.fast_forward(start + 1)
    points = sequence.random(count)
    return Tensor(np.ascontiguousarray(points, kind.as_numpy_dtype))
