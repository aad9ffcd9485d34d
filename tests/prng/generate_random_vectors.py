"""Record random numbers of the real TensorFlow in `random_vectors.json`.

    python tests/prng/generate_random_vectors.py

needs `tensorflow-cpu` 2.21; the tests only read the file. A case is a seed setting and the calls
made under it, one after the other; each call's result is kept as its first values and a digest of
all its bytes. Thread pools have one thread, because TensorFlow cuts large categorical draws into
as many sequences as it has threads.
"""

import hashlib
import json
import math
from pathlib import Path

import numpy as np
import tensorflow as tf

FLOATS = ("float16", "bfloat16", "float32", "float64")
STATELESS_SEEDS = ([0, 0], [1, 2], [-5, 7], [2**40 + 1, -(2**62)])
SEED_PAIRS = (
    (None, 1),
    (None, -1),
    (0, 0),
    (5, 1),
    (2**31 - 1, 2**31 - 1),
    (2**31 - 2, 2**35),
    (5.5, 1),
)
ALPHAS = [0.05, 0.5, 1.0, 1.75, 30.0]
RATES = [0.0, -1.0, 0.5, 4.0, 9.75, 10.0, 30.0, 10000.0]
COUNTS = [[0.0], [1.0], [10.0], [100.0], [1000.0]]
PROBABILITIES = [0.0, 0.015625, 0.3125, 0.5, 0.75, 1.0]
LOGITS = [[0.0, 1.0, -2.0, 0.5], ["-inf", 3.0, "nan", 3.5], ["-inf", "-inf", "-inf", "-inf"]]
BOUNDS = [  # mean, stddev, low, high: one for each sampler and its mirror image
    [0.0, 1.0, -2.0, 2.0],
    [0.0, 1.0, 1.0, 1.5],
    [0.0, 1.0, 3.0, 10.0],
    [1.0, 2.0, "-inf", 0.0],
    [0.0, 1.0, -10.0, -4.0],
    [2.0, 0.5, 2.5, "inf"],
]


def call(op, **arguments):
    return {"op": op, **arguments}


def basic_calls(count):
    for dtype in FLOATS:
        for op in ("uniform", "normal", "truncated_normal"):
            yield call(op, shape=[count], dtype=dtype)
    for dtype in ("int32", "int64"):
        for low, high in ((-5, 100), (0, 2**31 - 1), (-(2**31), 5), (3, 4)):
            yield call("uniform_int", shape=[count], low=low, high=high, dtype=dtype)
    for rows in (0, 1, 2, 10, 20001):
        yield call("shuffle", count=rows)
    for dtype in ("int32", "int64"):
        yield call("categorical", logits=LOGITS, samples=50, dtype=dtype)
    for dtype in ("float16", "float32", "float64"):
        yield call("gamma", samples=300, alpha=ALPHAS, dtype=dtype)
        yield call("poisson", samples=100, rate=RATES, dtype=dtype)


def stateless_calls():
    yield from basic_calls(20003)
    for dtype in ("int32", "uint32", "int64", "uint64"):
        yield call("uniform_full_int", shape=[1003], dtype=dtype)
    yield call("poisson", samples=100, rate=RATES, dtype="int32")
    for dtype in ("float16", "float32", "float64", "int32"):
        yield call("binomial", samples=100, counts=COUNTS, probabilities=PROBABILITIES, dtype=dtype)
    for dtype in ("float32", "float64"):
        for bounds in BOUNDS:
            yield call("bounded_normal", samples=1001, bounds=[bounds], dtype=dtype)
        yield call("bounded_normal", samples=37, bounds=BOUNDS, dtype=dtype)
    yield call("split", count=5)
    yield call("fold_in", data=3, dtype="int32")
    yield call("fold_in", data=-9, dtype="int64")
    yield call("dropout", count=100, rate=0.3, dtype="float32")
    for max_index in (0, 1, 9, 300, 65535, 65536, 100000, 2**20 + 5):
        yield call("index_shuffle", count=min(max_index + 1, 2000), max_index=max_index)


def seeded_calls(seed):
    """Three rounds, in which each op goes on where its last round ended."""
    for _ in range(3):
        for dtype in FLOATS:
            for op in ("uniform", "normal", "truncated_normal"):
                yield call(op, shape=[3], dtype=dtype, seed=seed)
        yield call("uniform", shape=[3, 2], dtype="float32", seed=seed)
        yield call("uniform", shape=[], dtype="float32", seed=seed)
        yield call("uniform", shape=[3], dtype="float32", seed=seed, long_shape=True)
        for dtype in ("int32", "int64"):
            yield call("uniform_int", shape=[3], low=0, high=9, dtype=dtype, seed=seed)
        yield call("shuffle", count=6, seed=seed)
        yield call("categorical", logits=LOGITS, samples=5, dtype="int64", seed=seed)
        yield call("gamma", samples=3, alpha=ALPHAS, dtype="float32", seed=seed)
        yield call("poisson", samples=3, rate=RATES, dtype="float32", seed=seed)
        yield call("dropout", count=9, rate=0.4, dtype="float32", seed=seed)


def generator_calls():
    for _ in range(2):
        yield call("state")
        for dtype in FLOATS:
            for op in ("uniform", "normal", "truncated_normal"):
                yield call(op, shape=[3], dtype=dtype)
        yield call("normal", shape=[], dtype="float32")
        yield call("uniform_int", shape=[3], low=-7, high=9, dtype="int64")
        yield call("uniform_full_int", shape=[3], dtype="uint64")
        yield call("binomial", samples=7, counts=COUNTS, probabilities=[0.3125], dtype="float32")
        yield call("make_seeds", count=2)
        yield call("split", count=2)
        yield call("skip", outputs=3)
        yield call("key")


def array(values, dtype="float64"):
    return tf.constant(np.array(values, dtype="float64").astype(dtype))


def stateful(c):
    op, seed, dtype = c["op"], c.get("seed"), c.get("dtype")
    if op in ("uniform", "normal", "truncated_normal"):
        shape = tf.constant(c["shape"], tf.int64) if c.get("long_shape") else c["shape"]
        return getattr(tf.random, op)(shape, dtype=dtype, seed=seed)
    if op == "uniform_int":
        return tf.random.uniform(c["shape"], c["low"], c["high"], dtype=dtype, seed=seed)
    if op == "shuffle":
        return tf.random.shuffle(np.arange(c["count"]), seed=seed)
    if op == "categorical":
        return tf.random.categorical(array(c["logits"]), c["samples"], dtype=dtype, seed=seed)
    if op == "gamma":
        return tf.random.gamma([c["samples"]], array(c["alpha"], dtype), dtype=dtype, seed=seed)
    if op == "poisson":
        return tf.random.poisson([c["samples"]], array(c["rate"]), dtype=dtype, seed=seed)
    return tf.nn.dropout(tf.ones([c["count"]], dtype), c["rate"], seed=seed)


def stateless(seed, c):
    op, dtype = c["op"], c.get("dtype")
    seed = tf.constant(seed, tf.int64)
    if op in ("uniform", "normal", "truncated_normal"):
        return getattr(tf.random, f"stateless_{op}")(c["shape"], seed, dtype=dtype)
    if op == "uniform_int":
        return tf.random.stateless_uniform(c["shape"], seed, c["low"], c["high"], dtype=dtype)
    if op == "uniform_full_int":
        return tf.random.stateless_uniform(c["shape"], seed, None, None, dtype=dtype)
    if op == "shuffle":
        return tf.random.experimental.stateless_shuffle(np.arange(c["count"]), seed)
    if op == "categorical":
        return tf.random.stateless_categorical(array(c["logits"]), c["samples"], seed, dtype)
    if op == "gamma":
        shape = [c["samples"], len(c["alpha"])]
        return tf.random.stateless_gamma(shape, seed, array(c["alpha"], dtype), dtype=dtype)
    if op == "poisson":
        shape = [c["samples"], len(c["rate"])]
        return tf.random.stateless_poisson(shape, seed, array(c["rate"]), dtype=dtype)
    if op == "binomial":
        shape = [c["samples"], len(c["counts"]), len(c["probabilities"])]
        parameters = array(c["counts"], "float32"), array(c["probabilities"], "float32")
        return tf.random.stateless_binomial(shape, seed, *parameters, output_dtype=dtype)
    if op == "bounded_normal":
        parameters = [array(each, dtype) for each in zip(*c["bounds"], strict=True)]
        shape = [c["samples"], len(c["bounds"])]
        return tf.random.stateless_parameterized_truncated_normal(shape, seed, *parameters)
    if op == "split":
        return tf.random.split(seed, c["count"])
    if op == "fold_in":
        return tf.random.fold_in(seed, tf.constant(c["data"], dtype))
    if op == "dropout":
        return tf.nn.experimental.stateless_dropout(tf.ones([c["count"]], dtype), c["rate"], seed)
    words = tf.constant(np.array(seed) % 2**31, tf.int32)
    return tf.random.experimental.index_shuffle(np.arange(c["count"]), words, c["max_index"])


def from_generator(generator, c):
    op, dtype = c["op"], c.get("dtype")
    if op in ("uniform", "normal", "truncated_normal", "uniform_full_int"):
        return getattr(generator, op)(c["shape"], dtype=dtype)
    if op == "uniform_int":
        return generator.uniform(c["shape"], c["low"], c["high"], dtype=dtype)
    if op == "binomial":
        shape = [c["samples"], len(c["counts"]), len(c["probabilities"])]
        parameters = array(c["counts"], "float32"), array(c["probabilities"], "float32")
        return generator.binomial(shape, *parameters, dtype=dtype)
    if op == "split":
        return tf.stack([child.state for child in generator.split(c["count"])])
    if op == "skip":
        generator.skip(c["outputs"])
        return generator.state
    if op == "make_seeds":
        return generator.make_seeds(c["count"])
    return getattr(generator, op)


def record(c, result):
    result = np.asarray(result)
    flat = result.reshape(-1)[:4]
    return {
        **c,
        "shape_out": list(result.shape),
        "head": flat.astype("float64").tolist() if result.dtype.kind in "fV" else flat.tolist(),
        "sha256": hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()[:24],
    }


def library_digest():
    """Says whether two C libraries round the same: see the test that reads it."""
    values = []
    for i in range(1, 40000):
        x = i / 40000.0
        turn = 2.0 * math.pi * x
        values += [math.log(x), math.log1p(-x), math.sin(turn), math.cos(turn)]
        values.append(math.pow(x, 40000.0 / i))
    return hashlib.sha256(np.array(values).tobytes()).hexdigest()


def main():
    tf.config.threading.set_intra_op_parallelism_threads(1)
    cases = []
    for seed in (0, 1, 42, -7, 2**40 + 5):
        tf.random.set_seed(seed)
        results = [record(c, stateful(c)) for c in basic_calls(5003)]
        cases.append({"kind": "stateful", "seed": seed, "calls": results})
    for seed, op_seed in SEED_PAIRS:
        tf.random.set_seed(seed)
        results = [record(c, stateful(c)) for c in seeded_calls(op_seed)]
        cases.append({"kind": "stateful", "seed": seed, "calls": results})
    for seed in STATELESS_SEEDS:
        results = [record(c, stateless(seed, c)) for c in stateless_calls()]
        cases.append({"kind": "stateless", "seed": seed, "calls": results})
    for seed in (1, 1234, 2**70 + 5, 2**128 + 2**64 - 2, -3, [1, 2], [7, 8, 9, 10]):
        generator = tf.random.Generator.from_seed(seed, alg="philox")
        results = [record(c, from_generator(generator, c)) for c in generator_calls()]
        cases.append({"kind": "generator", "seed": seed, "calls": results})
    document = {
        "tensorflow": tf.__version__,
        "library": library_digest(),
        "cases": cases,
    }
    text = json.dumps(document, separators=(",", ":")).replace('{"kind"', '\n{"kind"')
    Path(__file__).with_name("random_vectors.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
