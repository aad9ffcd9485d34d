"""Ops of TensorFlow that draw random numbers."""

from __future__ import annotations

from gradtape.api.export import lookup
from gradtape.core.dtypes import int64
from gradtape.saved_model.reading.table import op


def _seed(seed: int, seed2: int) -> int | None:
    """Return the seed of one op; none is drawn from the program's own."""
    return (seed2 or seed) if seed or seed2 else None


def _stateful(public: str):
    def draw(shape, *, dtype, seed=0, seed2=0):
        return lookup(public)(shape, dtype=dtype, seed=_seed(seed, seed2))

    return draw


op("RandomUniform")(_stateful("random.uniform"))
op("RandomStandardNormal")(_stateful("random.normal"))
op("TruncatedNormal")(_stateful("random.truncated_normal"))


@op("RandomUniformInt")
def uniform_int(shape, low, high, *, seed=0, seed2=0):
    return lookup("random.uniform")(shape, low, high, low.dtype, _seed(seed, seed2))


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


def _stateless(public: str):
    def draw(shape, seed, counter=None, alg=None, *, dtype="float32"):
        return lookup(public)(shape, seed, dtype=dtype)

    return draw


op("StatelessRandomUniform", "StatelessRandomUniformV2")(_stateless("random.stateless_uniform"))
op("StatelessRandomNormal", "StatelessRandomNormalV2")(_stateless("random.stateless_normal"))
op("StatelessTruncatedNormalV2")(_stateless("random.stateless_truncated_normal"))


@op("StatelessRandomUniformIntV2")
def stateless_uniform_int(shape, key, counter, alg, low, high):
    return lookup("random.stateless_uniform")(shape, key, low, high, low.dtype)


@op("StatelessRandomUniformFullIntV2")
def stateless_full_int(shape, key, counter, alg, *, dtype="uint64"):
    return lookup("random.stateless_uniform")(shape, key, None, None, dtype)
