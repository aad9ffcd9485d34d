"""`tf.nn.dropout`."""

from __future__ import annotations

import numbers

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.draws import op_seed, uniform
from gradtape.api.random.stateless import stateless_uniform
from gradtape.core.convert import is_tensor_like, to_tensor
from gradtape.core.tensor import Tensor


def _noise_shape(x, noise_shape):
    if noise_shape is None:
        return tuple(x.shape)
    if isinstance(noise_shape, (list, tuple)) and len(noise_shape) == x.ndim:
        pairs = zip(noise_shape, x.shape, strict=True)
        return [own if given is None else given for given, own in pairs]
    return noise_shape


def _is_number(value) -> bool:
    return isinstance(value, numbers.Real)


def _dropout(x, rate, noise_shape, draw, skip):
    is_number = _is_number(rate)
    if is_number and not 0 <= rate < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    x = to_tensor(x)
    if not x.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"x_dtype={x.dtype!r}"
        )
    if is_number and rate == 0:
        skip(x)
        return x
    if is_number:
        scaled = x * float(1 / (1 - rate))
        rate = to_tensor(float(rate), x.dtype)
    elif is_tensor_like(rate):
        rate = to_tensor(rate)
        if rate.ndim:
            raise ValueError(f"`rate` must be a scalar tensor: Shape {rate.shape} must have rank 0")
        if rate.dtype is not x.dtype:
            raise ValueError(
                "`x.dtype` must be compatible with `rate.dtype`. Received: "
                f"x.dtype={x.dtype!r} and rate.dtype={rate.dtype!r}"
            )
        scaled = x / (1 - rate)
    else:
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    noise = draw(shape=_noise_shape(x, noise_shape), dtype=x.dtype)
    return ops.where(ops.greater_equal(noise, rate), scaled, 0)


@export("nn.dropout")
def dropout(x, rate, noise_shape=None, seed=None, name=None) -> Tensor:
    """Set elements of x to 0 with probability `rate`, and scale up the others.

    Where `noise_shape` has a 1 (and x has not), elements are kept or dropped together.
    """

    def draw(shape, dtype):
        return uniform(shape, dtype=dtype, seed=seed)

    def skip(x):
        # A rate of 0 still takes its turn in the sequence of seeds.
        ops.stateful_state(("RandomUniform", x.dtype.name, "int32"), op_seed(seed), 0)

    return _dropout(x, rate, noise_shape, draw, skip)


@export("nn.experimental.stateless_dropout")
def stateless_dropout(x, rate, seed, rng_alg=None, noise_shape=None, name=None) -> Tensor:
    """Apply dropout, as a seed of two integers decides."""

    def draw(shape, dtype):
        return stateless_uniform(shape, seed, dtype=dtype, alg=rng_alg or "auto_select")

    return _dropout(x, rate, noise_shape, draw, lambda x: None)


@export("nn.experimental.general_dropout")
def general_dropout(x, rate, uniform_sampler, noise_shape=None, name=None):
    """Apply dropout by the numbers that `uniform_sampler(shape=…, dtype=…)` draws from [0, 1)."""
    return _dropout(x, rate, noise_shape, uniform_sampler, lambda x: None)
