"""Random numbers equal those of TensorFlow, bit for bit, in every op, dtype and seed rule.

`random_vectors.json` holds what the real TensorFlow gave (`generate_random_vectors.py`). The small
classes below bind kernels and seeds as the public functions do.
"""

import hashlib
import json
import math
import random
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from gradtape.backends.numpy import random as kernels
from gradtape.prng import philox as random_philox
from gradtape.prng import seeds

VECTORS = json.loads(Path(__file__).with_name("random_vectors.json").read_text())


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def array(values, dtype="float64"):
    return np.array(values, dtype="float64").astype(dtype)


def run_kernel(generator, c):
    """Call the kernel that a recorded call names."""
    op, dtype = c["op"], dtype_of(c.get("dtype", "int64"))
    if op in ("uniform", "normal", "truncated_normal", "uniform_full_int"):
        return getattr(kernels, op)(*generator, c["shape"], dtype)
    if op == "uniform_int":
        return kernels.uniform_int(*generator, c["shape"], c["low"], c["high"], dtype)
    if op == "shuffle":
        return kernels.shuffle(*generator, c["count"])
    if op == "categorical":
        return kernels.categorical(*generator, array(c["logits"]), c["samples"], dtype)
    if op == "gamma":
        tiny = np.finfo(dtype).tiny
        return np.maximum(tiny, kernels.gamma(*generator, array(c["alpha"], dtype), c["samples"]))
    if op == "poisson":
        return kernels.poisson(*generator, array(c["rate"]), c["samples"], dtype)
    if op == "binomial":
        parameters = array(c["counts"], "float32"), array(c["probabilities"], "float32")
        return kernels.binomial(*generator, *parameters, c["samples"], dtype)
    if op == "bounded_normal":
        parameters = [array(each, dtype) for each in zip(*c["bounds"], strict=True)]
        return kernels.parameterized_truncated_normal(*generator, *parameters, c["samples"])
    assert op == "dropout"
    keep = kernels.uniform(*generator, [c["count"]], dtype) >= dtype.type(c["rate"])
    return np.where(keep, dtype.type(1.0 / (1.0 - c["rate"])), dtype.type(0.0))


class Stateful:
    def __init__(self, seed):
        self.seeds = seeds.StatefulSeeds()
        self.seeds.set_seed(seed)

    def __call__(self, c):
        # A dropout draws from the same sequence as any uniform of its dtype.
        kind = "uniform" if c["op"] == "dropout" else c["op"]
        name = (kind, c.get("dtype"), "int64" if c.get("long_shape") else "int32")
        return run_kernel(self.seeds.draw(name, c.get("seed"), self.blocks(c)), c)

    @staticmethod
    def blocks(c):
        if c["op"] == "shuffle":
            return seeds.shuffle_blocks(c["count"])
        if c["op"] == "categorical":
            return seeds.categorical_blocks(len(c["logits"]), c["samples"])
        return seeds.output_blocks(math.prod(c["shape_out"]))


class Stateless:
    def __init__(self, seed):
        self.seed = np.array(seed, np.int64)

    def __call__(self, c):
        if c["op"] == "split":
            return seeds.split(self.seed, c["count"])
        if c["op"] == "fold_in":
            return seeds.fold_in(self.seed, np.array(c["data"], c["dtype"]))
        if c["op"] == "index_shuffle":
            words = (498247692, *(int(each) % 2**31 for each in self.seed))
            images = kernels.index_shuffle(np.arange(c["count"]), words, c["max_index"])
            return images.astype(np.int64)
        return run_kernel(seeds.stateless_generator(self.seed), c)


class Generator:
    def __init__(self, seed):
        self.state = seeds.GeneratorState.from_seed(seed)

    def __call__(self, c):
        op, state = c["op"], self.state
        if op == "state":
            return state.state
        if op == "key":
            return np.int64(state.key)
        if op == "make_seeds":
            return state.make_seeds(c["count"])
        if op == "split":
            return np.stack([child.state for child in state.split(c["count"])])
        if op == "skip":
            state.skip(c["outputs"])
            return state.state
        if op == "binomial":
            sets = len(c["counts"]) * len(c["probabilities"])
            return run_kernel(state.draw_blocks(seeds.binomial_blocks(sets, c["samples"])), c)
        return run_kernel(state.draw(math.prod(c["shape"])), c)


def library_digest():
    values = []
    for i in range(1, 40000):
        x = i / 40000.0
        turn = 2.0 * math.pi * x
        values += [math.log(x), math.log1p(-x), math.sin(turn), math.cos(turn)]
        values.append(math.pow(x, 40000.0 / i))
    return hashlib.sha256(np.array(values).tobytes()).hexdigest()


# TensorFlow's own float64 results follow the C library of the machine in these ops. Where that is
# another one than the vectors were made with, only their first values can be compared, and only to
# the last places.
FOLLOWS_LIBRARY = ("normal", "truncated_normal", "gamma", "bounded_normal")
SAME_LIBRARY = library_digest() == VECTORS["library"]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{case['kind']}-{case['seed']}") for case in VECTORS["cases"]],
)
def test_numbers_equal_tensorflow(case):
    draw = {"stateful": Stateful, "stateless": Stateless, "generator": Generator}[case["kind"]]
    draw = draw(case["seed"])
    for c in case["calls"]:
        result = np.asarray(draw(c))
        about = {name: c[name] for name in c if name != "sha256"}
        assert list(result.shape) == c["shape_out"], about
        if "dtype" in c:
            expected = "int64" if c["op"] == "shuffle" else c["dtype"]
            assert result.dtype == dtype_of(expected), about
        head = result.reshape(-1)[:4].astype(result.dtype if result.dtype.kind in "iu" else float)
        if c.get("dtype") == "float64" and c["op"] in FOLLOWS_LIBRARY and not SAME_LIBRARY:
            np.testing.assert_allclose(head, c["head"], rtol=1e-14)
            continue
        np.testing.assert_array_equal(head, c["head"], err_msg=str(about))
        digest = hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()
        assert digest[:24] == c["sha256"], about


# --- Philox --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "counter", "block"),
    [
        (0, 0, (1713891541, 3781805453, 3159862348, 2600524760)),
        (0x2461E293EC8F720, 2 << 64 | 1, (1831829434, 2424636105, 1637660171, 4151526176)),
        (42, 5 << 64, (2072206047, 1756863668, 2065836197, 3747278620)),
    ],
)
def test_philox_blocks(key, counter, block):
    assert kernels.philox_block(key, counter) == block
    many = kernels.philox(key, counter, np.arange(100, dtype=np.uint64))
    assert tuple(many[:, 0].tolist()) == block
    assert kernels.words(key, counter, 4).tolist() == list(block)


@pytest.mark.parametrize("counter", [2**32 - 3, 2**64 - 3, 2**96 - 3, 2**128 - 3])
def test_philox_counter_carries_over_all_words(counter):
    offsets = np.array([*range(50), 2**64 - 1, 2**63], np.uint64)
    blocks = kernels.philox(7, counter, offsets)
    for column, offset in enumerate(offsets.tolist()):
        expected = kernels.philox_block(7, (counter + offset) % 2**128)
        assert tuple(blocks[:, column].tolist()) == expected


def test_results_do_not_depend_on_chunks_or_on_the_rest_of_the_shape(monkeypatch):
    generator = seeds.stateless_generator([3, 4])

    def draws():
        for dtype in ("float32", "float64"):
            for op in (kernels.uniform, kernels.normal, kernels.truncated_normal):
                yield op(*generator, (70, 3), dtype)

    whole = list(draws())
    monkeypatch.setattr(random_philox, "CHUNK", 7)
    for one, other in zip(whole, draws(), strict=True):
        np.testing.assert_array_equal(one, other)
    for dtype in ("float32", "float64"):
        for op in (kernels.uniform, kernels.normal, kernels.truncated_normal):
            short = op(*generator, (5,), dtype)
            np.testing.assert_array_equal(short, op(*generator, (11,), dtype)[:5])


def test_float32_functions_equal_the_c_library_for_every_input():
    """Digests of glibc's logf, sinf and cosf over all 2**23 values a draw can meet."""
    digests = [hashlib.sha256() for _ in range(3)]
    for start in range(0, 2**23, 2**17):
        words = np.arange(start, start + 2**17, dtype=np.uint64)
        uniforms = random_philox.uniform_float32(words)
        angles = (2.0 * math.pi * uniforms.astype(np.float64)).astype(np.float32)
        logarithms = random_philox.log_float32(np.maximum(uniforms, np.float32(1e-7)))
        for digest, values in zip(
            digests, (logarithms, *random_philox.sincos_float32(angles)), strict=True
        ):
            digest.update(values.tobytes())
    assert [digest.hexdigest()[:24] for digest in digests] == [
        "207fef8ffa8c82caf82c478e",
        "c718616d24ba03d8eb34fe59",
        "b085eb29bc0360f27b736db7",
    ]


@pytest.mark.parametrize("name", ["log", "log1p", "sin", "cos", "power"])
def test_float64_functions_round_like_the_c_library(monkeypatch, name):
    x = np.linspace(0.01, 0.99, 500)
    arguments = (x, x + 1.0) if name == "power" else (x,)
    scalar = getattr(math, "pow" if name == "power" else name)
    expected = [scalar(*each) for each in zip(*(a.tolist() for a in arguments), strict=True)]
    assert random_philox.c_library(name)(*arguments).tolist() == expected
    # A NumPy whose function is off by one unit in the last place now and then is not used.
    exact = getattr(np, name)

    def off_at_times(*a):
        result = exact(*a)
        return np.where(np.arange(result.size) % 1000 == 0, np.nextafter(result, 9.0), result)

    monkeypatch.setattr(np, name, off_at_times)
    assert off_at_times(*arguments).tolist() != expected
    careful = random_philox.c_library.__wrapped__(name)
    assert careful(*arguments).tolist() == expected


# --- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 5, 17, 100, 1001])
def test_shuffle_makes_the_swaps_in_turn(count):
    rows = list(range(count))
    for i, word in enumerate(kernels.words(9, 11, count - 1).tolist()):
        j = i + word % (count - i)
        rows[i], rows[j] = rows[j], rows[i]
    assert kernels.shuffle(9, 11, count).tolist() == rows


def test_index_shuffle_is_a_permutation():
    images = kernels.index_shuffle(np.arange(1001), (498247692, 3, 4), 1000)
    assert sorted(images.tolist()) == list(range(1001))
    grid = kernels.index_shuffle(np.arange(6).reshape(2, 3), (498247692, 3, 4), 1000)
    np.testing.assert_array_equal(grid.reshape(-1), images[:6])


def test_empty_results():
    for op in (kernels.uniform, kernels.normal, kernels.truncated_normal):
        assert op(1, 2, (0, 3), "float32").shape == (0, 3)
    one = np.ones((0, 2), np.float32)
    assert kernels.gamma(1, 2, one, 3).shape == (3, 0, 2)
    assert kernels.poisson(1, 2, one + 1, 3, "int32").shape == (3, 0, 2)
    assert kernels.binomial(1, 2, one, one, 3, "int32").shape == (3, 0, 2)
    assert kernels.gamma(1, 2, np.ones(2, np.float32), 0).shape == (0, 2)
    assert kernels.categorical(1, 2, np.ones((0, 3)), 5, "int64").shape == (0, 5)
    bounds = [np.full(2, each, np.float32) for each in (0, 1, -1, 1)]
    assert kernels.parameterized_truncated_normal(1, 2, *bounds, 0).shape == (0, 2)


def test_parameters_without_a_distribution():
    alpha = np.array([np.nan, -2.0, -0.5, np.inf, 0.0])
    result = kernels.gamma(1, 2, alpha, 50)
    assert np.isnan(result[:, :2]).all()
    assert np.isposinf(result[:, 3]).all()
    assert (result[:, 4] == 0.0).all()
    rates = np.array([np.nan, np.inf, -np.inf, -1.0])
    np.testing.assert_array_equal(
        kernels.poisson(1, 2, rates, 2, "float32"), [[np.nan, np.inf, 0.0, 0.0]] * 2
    )
    with pytest.raises(ValueError, match="poisson: rate must be finite for dtype int32"):
        kernels.poisson(1, 2, rates, 2, "int32")
    counts = np.array([np.nan, 5.0, -1.0, 5.0])
    probabilities = np.array([0.5, np.nan, 0.5, -1.0])
    np.testing.assert_array_equal(
        kernels.binomial(1, 2, counts, probabilities, 1, "float32"), [[np.nan, np.nan, 0.0, 0.0]]
    )


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16])
def test_narrow_bounded_normals_are_rounded_float32_ones(dtype):
    bounds = [np.array([each]) for each in (0.0, 1.0, 0.5, 2.0)]
    narrow = kernels.parameterized_truncated_normal(1, 2, *(b.astype(dtype) for b in bounds), 99)
    wide = kernels.parameterized_truncated_normal(1, 2, *(b.astype("float32") for b in bounds), 99)
    assert narrow.dtype == dtype
    np.testing.assert_array_equal(narrow, wide.astype(dtype))


def test_wrong_arguments_are_named():
    for op in ("uniform", "normal", "truncated_normal"):
        with pytest.raises(TypeError, match=rf"{op}: dtype must be float16, .* got int8"):
            getattr(kernels, op)(1, 2, (3,), "int8")
    with pytest.raises(TypeError, match=r"uniform_full_int: dtype must be int32, .* got float32"):
        kernels.uniform_full_int(1, 2, (3,), "float32")
    with pytest.raises(TypeError, match="uniform_int: dtype must be int32 or int64, got uint8"):
        kernels.uniform_int(1, 2, (3,), 0, 5, "uint8")
    with pytest.raises(ValueError, match="uniform_int: need minval < maxval, got 5 >= 5"):
        kernels.uniform_int(1, 2, (3,), 5, 5, "int32")
    with pytest.raises(ValueError, match="categorical: num_classes should be positive, got 0"):
        kernels.categorical(1, 2, np.ones((3, 0)), 5, "int64")
    for bounds in ((0, -1, 0, 1), (0, 1, 2, 1), (0, 1, -np.inf, np.inf), (0, 1, np.nan, 1)):
        with pytest.raises(ValueError, match="needs stddevs > 0 and minvals < maxvals"):
            kernels.parameterized_truncated_normal(1, 2, *(np.float32(b) for b in bounds), 3)
    for seed in ([1, 2, 3], [1.0, 2.0], 5):
        with pytest.raises(ValueError, match=r"seed must have shape \[2\] and an integer dtype"):
            seeds.stateless_generator(seed)
    with pytest.raises(ValueError, match=r"state must have shape \[3\], got \[2\]"):
        seeds.GeneratorState.from_state([1, 2])


# --- seeds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "key", "high"),
    [
        ([0, 0], 0xDF7A3EF6DD5B9083, 0xFF2F51A833DA8054),
        ([1, 2], 0x908502C96D2F7FBA, 0xF7734320619CB60B),
        ([-5, 7], 0xE9F94AD1EC786DAA, 0xB32E7188AE321D69),
    ],
)
def test_stateless_seed_to_generator(seed, key, high):
    for dtype in (np.int32, np.int64):
        assert seeds.stateless_generator(np.array(seed, dtype)) == (key, high << 64)


def test_op_seeds():
    largest = 2**31 - 1
    stateful = seeds.StatefulSeeds()
    assert stateful.global_seed is None
    assert stateful.op_seeds() is None
    assert stateful.op_seeds(3) == (87654321, 3)
    for seed, first in ((5, 5), (largest, 0), (-1, largest - 1), (np.int64(5), 5), (5.0, 5)):
        stateful.set_seed(seed)
        assert stateful.global_seed == seed
        drawn = random.Random(int(seed))
        for _ in range(3):
            assert stateful.op_seeds() == (first, drawn.randint(0, largest) % largest)
        assert stateful.op_seeds(-2) == (first, largest - 2)
    stateful.set_seed(0)
    assert stateful.op_seeds(0) == stateful.op_seeds(largest) == (0, largest)
    stateful.set_seed(None)
    assert stateful.op_seeds() is None


def test_seeded_sequences_move_on_until_set_seed():
    stateful = seeds.StatefulSeeds()
    stateful.set_seed(5)
    start = (5, 1 << 64)
    assert stateful.draw("a", 1, 512) == start
    assert stateful.draw("a", 1, 256) == (5, (1 << 64) + 512)
    assert stateful.draw("a", 1, 256) == (5, (1 << 64) + 768)
    assert stateful.draw("b", 1, 256) == start
    assert stateful.draw("a", 2, 256) == (5, 2 << 64)
    stateful.set_seed(5)
    assert stateful.draw("a", 1, 256) == start


def test_unseeded_draws_differ_and_leave_nothing_behind():
    stateful = seeds.StatefulSeeds()
    assert len({stateful.draw("a", None, 256) for _ in range(100)}) == 100
    stateful.set_seed(1)
    for _ in range(100):
        stateful.draw("a", None, 256)
    assert not stateful._positions


def in_threads(count, function):
    threads = [threading.Thread(target=function) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_share_sequences_without_overlap():
    stateful = seeds.StatefulSeeds()
    stateful.set_seed(1)
    state = seeds.GeneratorState.from_seed(0)
    seeded, unseeded, generated = [], [], []

    def work():
        for _ in range(500):
            seeded.append(stateful.draw("a", 7, 256)[1] - (7 << 64))
            unseeded.append(stateful.draw("a", None, 256)[1] >> 64)
            generated.append(state.draw(1)[1])

    in_threads(6, work)
    positions = [256 * i for i in range(3000)]
    assert sorted(seeded) == sorted(generated) == positions
    drawn = random.Random(1)
    assert sorted(unseeded) == sorted(drawn.randint(0, 2**31 - 1) for _ in range(3000))


@pytest.mark.parametrize(
    ("seed", "state"),
    [
        (1, [1, 0, 0]),
        (2**70 + 5, [5, 64, 0]),
        (-3, [-3, -1, -1]),
        (2**63, [-(2**63), 0, 0]),
        ([1, 2], [0, 1, 2]),
        ([1, 2, 3, 4], [1, 2, 3]),
        ([2**64 - 1], [0, 0, -1]),
        (np.int64(7), [0, 0, 7]),
        ([], [0, 0, 0]),
    ],
)
def test_generator_state_from_seed(seed, state):
    assert seeds.GeneratorState.from_seed(seed).state.tolist() == state


def test_generator_state():
    generator = seeds.GeneratorState.from_state([5, 0, 9])
    assert generator.key == 9
    normals = kernels.normal(*generator.draw(3), (3,), "float32")
    assert normals.tolist() == np.float32([1.1347591, 0.8250563, -0.72457165]).tolist()
    generator.skip(2)
    assert generator.state.tolist() == [1285, 0, 9]
    generator.reset([2**64 - 1, -1, 4])
    assert generator.draw(1) == (4, 2**128 - 1)
    assert generator.state.tolist() == [255, 0, 4]
    generator.state[0] = 0
    assert generator.state.tolist() == [255, 0, 4]
    assert seeds.GeneratorState.from_key_counter(9, [5, 6]).state.tolist() == [5, 6, 9]
    states = [seeds.GeneratorState.from_non_deterministic_state().state for _ in range(2)]
    assert states[0].tolist() != states[1].tolist()


# --- the numbers have their distributions --------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "mean", "variance"),
    [
        (kernels.uniform(1, 2, (200_000,), "float32"), 0.5, 1 / 12),
        (kernels.normal(1, 2, (200_000,), "float64"), 0.0, 1.0),
        (kernels.truncated_normal(1, 2, (200_000,), "float32"), 0.0, 0.774),
        (kernels.gamma(1, 2, np.float64(0.5), 200_000), 0.5, 0.5),
        (kernels.gamma(1, 2, np.float64(4.0), 200_000), 4.0, 4.0),
        (kernels.poisson(1, 2, np.float64(4.0), 200_000, "float64"), 4.0, 4.0),
        (kernels.poisson(1, 2, np.float64(40.0), 200_000, "float64"), 40.0, 40.0),
        (kernels.binomial(1, 2, np.float64(20), np.float64(0.7), 200_000, "int64"), 14.0, 4.2),
        (kernels.binomial(1, 2, np.float64(90), np.float64(0.3), 200_000, "int64"), 27.0, 18.9),
    ],
)
def test_mean_and_variance(values, mean, variance):
    assert abs(values.mean() - mean) < 5.0 * math.sqrt(variance / values.size)
    assert abs(values.var() / variance - 1.0) < 0.03
