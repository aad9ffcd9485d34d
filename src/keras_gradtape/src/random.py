"""Random numbers: those that Keras gives on TensorFlow, from the same seeds."""

from __future__ import annotations

import math

from keras.src.backend.config import floatx
from keras.src.random.seed_generator import SeedGenerator, draw_seed, make_default_seed

from gradtape import ops
from gradtape.api.random import stateless
from gradtape.api.random.dropout import stateless_dropout
from gradtape.graph.replicas import current_replica
from keras_gradtape.src.conversion import cast, convert_to_tensor, numpy_dtype

__all__ = [
    "SeedGenerator",
    "beta",
    "binomial",
    "categorical",
    "draw_seed",
    "dropout",
    "gamma",
    "make_default_seed",
    "normal",
    "randint",
    "shuffle",
    "truncated_normal",
    "uniform",
]

# Keras folds its seeds into this range on their way to TensorFlow.
_SEEDS = 2**31 - 2
_DISTANCE = 7919  # between the seeds of replicas: a prime, so that they do not meet soon


def stateless_seed(seed):
    """Return the two integers that decide a draw."""
    seed = draw_seed(seed)
    replica = current_replica()
    if replica is not None:  # each draws numbers of its own
        seed = seed + ops.cast(replica.replica_index() * _DISTANCE, seed.dtype)
    if seed.dtype.name == "int32":
        return seed
    return ops.cast(ops.floormod(seed, _SEEDS), "int32")


def _dtype(dtype):
    return numpy_dtype(dtype or floatx())


def _wide(dtype):
    """Return the dtype to draw in: float32, where there are no draws of that kind in bfloat16."""
    return "float32" if _dtype(dtype).name == "bfloat16" else _dtype(dtype)


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Return normal numbers."""
    return stateless.stateless_normal(shape, stateless_seed(seed), mean, stddev, _dtype(dtype))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Return normal numbers within two standard deviations."""
    seed = stateless_seed(seed)
    return stateless.stateless_truncated_normal(shape, seed, mean, stddev, _dtype(dtype))


def uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    """Return numbers between two bounds."""
    # Python numbers become float32 on the way to a wider dtype.
    low, high = (ops.cast(convert_to_tensor(b), _dtype(dtype)) for b in (minval, maxval))
    return stateless.stateless_uniform(shape, stateless_seed(seed), low, high, _dtype(dtype))


def randint(shape, minval, maxval, dtype="int32", seed=None):
    """Return integers between two bounds."""
    drawn = _dtype(dtype) if _dtype(dtype).name in ("int32", "int64") else "int64"
    low, high = cast(minval, drawn), cast(maxval, drawn)
    samples = stateless.stateless_uniform(shape, stateless_seed(seed), low, high, drawn)
    return ops.cast(samples, _dtype(dtype))


def categorical(logits, num_samples, dtype="int32", seed=None):
    """Return classes, drawn with the probabilities that logits mean."""
    logits = convert_to_tensor(logits)
    samples = stateless.stateless_categorical(logits, num_samples, stateless_seed(seed))
    return ops.cast(samples, _dtype(dtype))


def gamma(shape, alpha, dtype=None, seed=None):
    """Return gamma numbers."""
    drawn = _wide(dtype)
    alpha = cast(alpha, drawn)
    samples = stateless.stateless_gamma(shape, stateless_seed(seed), alpha, dtype=drawn)
    return ops.cast(samples, _dtype(dtype))


def beta(shape, alpha, beta, dtype=None, seed=None):
    """Return beta samples: the share of one gamma sample in the sum of two."""
    seed, drawn = stateless_seed(seed), _wide(dtype)
    shares = []
    # Another seed for the second: any fixed distance from the first will do, this is Keras's.
    for parameter, distance in ((alpha, 0), (beta, 12)):
        parameter = ops.broadcast_to(cast(parameter, drawn), shape)
        samples = stateless.stateless_gamma(shape, seed + distance, parameter, dtype=drawn)
        shares.append(ops.cast(samples, _dtype(dtype)))
    first, second = shares
    return first / (first + second)


def binomial(shape, counts, probabilities, dtype=None, seed=None):
    """Return numbers of successes among so many trials."""
    drawn = _wide(dtype)
    samples = stateless.stateless_binomial(
        shape, stateless_seed(seed), counts, probabilities, output_dtype=drawn
    )
    return ops.cast(samples, _dtype(dtype))


def dropout(inputs, rate, noise_shape=None, seed=None):
    """Set elements of the inputs to 0 at random, and scale the others up."""
    inputs = convert_to_tensor(inputs)
    if rate == 1.0:
        return ops.zeros_like(inputs)
    if rate == 0.0:
        return inputs
    return stateless_dropout(inputs, rate, stateless_seed(seed), noise_shape=noise_shape)


def shuffle(x, axis=0, seed=None):
    """Return the slices along an axis in random order."""
    x = convert_to_tensor(x)
    axis = ops.normalize_axis("shuffle", axis, x.ndim)
    order = ops.argsort(stateless.stateless_uniform((x.shape[axis],), stateless_seed(seed)))
    if axis:
        return ops.gather(x, order, axis)
    # The gradient of whole rows is a dense tensor.
    flat = ops.reshape(x, (x.shape[0], math.prod(x.shape[1:])))
    return ops.reshape(ops.segment_rows(flat, order), x.shape)
