"""Settings of XLA: the precision of float32 products, and determinism.

Both are read when an op is traced, so that they are part of the key of every compiled program:
see `key`.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

_FLOAT32 = (jnp.dtype(jnp.float32), jnp.dtype(jnp.complex64))


class Settings:
    """TensorFlow's defaults: tensor cores may round the factors of float32 products (TF32)."""

    tensor_float_32 = True
    deterministic = False


settings = Settings()


def key() -> tuple:
    """Return what a compiled program depends on besides its own definition."""
    return (settings.tensor_float_32, settings.deterministic)


def precision(dtype):
    """Return the precision for products of this dtype; None leaves it to XLA (TF32 on GPUs)."""
    if settings.tensor_float_32 or dtype not in _FLOAT32:
        return None
    return lax.Precision.HIGHEST


def compiler_options() -> dict:
    """Return XLA's options for a program.

    Each op rounds its result to the dtype that the program says. (XLA's default keeps 16-bit values
    that are used at once in float32: other numbers than op by op, and twice the memory traffic
    where such a value has to be written after all.)
    """
    options: dict = {"xla_allow_excess_precision": False}
    if settings.deterministic:
        options["xla_gpu_deterministic_ops"] = True  # only deterministic algorithms
    return options
