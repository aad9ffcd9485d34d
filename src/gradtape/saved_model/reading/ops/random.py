"""Ops of TensorFlow that draw random numbers."""

from __future__ import annotations

from gradtape.api.export import lookup
from gradtape.core.dtypes import int64
from gradtape.saved_model.reading.table import op


def _seed(seed: int, seed2: int) -> int | None:
    """Return the seed of one op; none is drawn from the program's own."""
    return (seed2 or seed) if seed or seed2 else None


@op("RandomUniform")
def uniform(shape, *, dtype, seed=0, seed2=0):
    return lookup("random.uniform")(shape, dtype=dtype, seed=_seed(seed, seed2))


@op("RandomUniformInt")
def uniform_int(shape, low, high, *, seed=0, seed2=0):
    return lookup("random.uniform")(shape, low, high, low.dtype, _seed(seed, seed2))


@op("RandomStandardNormal")
def normal(shape, *, dtype, seed=0, seed2=0):
    return lookup("random.normal")(shape, dtype=dtype, seed=_seed(seed, seed2))


@op("TruncatedNormal")
def truncated_normal(shape, *, dtype, seed=0, seed2=0):
    return lookup("random.truncated_normal")(shape, dtype=dtype, seed=_seed(seed, seed2))


@op("RandomShuffle")
def shuffle(value, *, seed=0, seed2=0):
    return lookup("random.shuffle")(value, _seed(seed, seed2))


@op("Multinomial")
def multinomial(logits, samples, *, seed=0, seed2=0, output_dtype=int64):
    return lookup("random.categorical")(logits, int(samples), output_dtype, _seed(seed, seed2))


# The key and the counter are made of the seed again where they are used.


@op("StatelessRandomGetKeyCounter", outputs="key counter")
def key_counter(seed):
    return seed, seed


@op("StatelessRandomGetAlg")
def algorithm():
    return lookup("constant")(1)


@op("StatelessRandomUniform")
def stateless_uniform(shape, seed, *, dtype="float32"):
    return lookup("random.stateless_uniform")(shape, seed, dtype=dtype)


@op("StatelessRandomUniformV2")
def stateless_uniform_v2(shape, key, counter, alg, *, dtype="float32"):
    return lookup("random.stateless_uniform")(shape, key, dtype=dtype)


@op("StatelessRandomUniformIntV2")
def stateless_uniform_int(shape, key, counter, alg, low, high):
    return lookup("random.stateless_uniform")(shape, key, low, high, low.dtype)


@op("StatelessRandomUniformFullIntV2")
def stateless_full_int(shape, key, counter, alg, *, dtype="uint64"):
    return lookup("random.stateless_uniform")(shape, key, None, None, dtype)


@op("StatelessRandomNormal")
def stateless_normal(shape, seed, *, dtype="float32"):
    return lookup("random.stateless_normal")(shape, seed, dtype=dtype)


@op("StatelessRandomNormalV2")
def stateless_normal_v2(shape, key, counter, alg, *, dtype="float32"):
    return lookup("random.stateless_normal")(shape, key, dtype=dtype)


@op("StatelessTruncatedNormalV2")
def stateless_truncated_normal(shape, key, counter, alg, *, dtype="float32"):
    return lookup("random.stateless_truncated_normal")(shape, key, dtype=dtype)
