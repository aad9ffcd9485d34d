"""`tf.random` gives TensorFlow's numbers under its names, and differentiates through them.

`random_vectors.json` holds what the real TensorFlow gave (`generate_random_vectors.py`); numbers
written out below were printed by TensorFlow 2.21 too, unless they say otherwise.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import threading
from copy import deepcopy
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf
from tests.prng.test_random_kernels import FOLLOWS_LIBRARY, SAME_LIBRARY

VECTORS = json.loads(Path(__file__).with_name("random_vectors.json").read_text())


@pytest.fixture(autouse=True)
def _seeds_left_as_they_were():
    yield
    tf.random.set_seed(None)


def array(values, dtype="float64"):
    return tf.constant(np.array(values, dtype="float64").astype(dtype))


def sizes(c, *names):
    return [c["samples"], *[len(c[name]) for name in names]]


# --- all recorded calls --------------------------------------------------------------------------


def stateful(c):
    op, options = c["op"], {"seed": c.get("seed"), "dtype": c.get("dtype")}
    if op in ("uniform", "normal", "truncated_normal"):
        shape = tf.constant(c["shape"], tf.int64) if c.get("long_shape") else c["shape"]
        return getattr(tf.random, op)(shape, **options)
    if op == "uniform_int":
        return tf.random.uniform(c["shape"], c["low"], c["high"], **options)
    if op == "shuffle":
        return tf.random.shuffle(np.arange(c["count"]), c.get("seed"))
    if op == "categorical":
        return tf.random.categorical(array(c["logits"]), c["samples"], **options)
    if op == "gamma":
        return tf.random.gamma([c["samples"]], array(c["alpha"], c["dtype"]), **options)
    if op == "poisson":
        return tf.random.poisson([c["samples"]], array(c["rate"]), **options)
    assert op == "dropout"
    return tf.nn.dropout(np.ones([c["count"]], c["dtype"]), c["rate"], seed=c.get("seed"))


def stateless(c, seed):
    op, dtype = c["op"], c.get("dtype")
    seed = tf.constant(seed, tf.int64)
    if op in ("uniform", "normal", "truncated_normal"):
        return getattr(tf.random, f"stateless_{op}")(c["shape"], seed, dtype=dtype)
    if op == "uniform_int":
        return tf.random.stateless_uniform(c["shape"], seed, c["low"], c["high"], dtype)
    if op == "uniform_full_int":
        return tf.random.stateless_uniform(c["shape"], seed, None, None, dtype)
    if op == "shuffle":
        return tf.random.experimental.stateless_shuffle(np.arange(c["count"]), seed)
    if op == "categorical":
        return tf.random.stateless_categorical(array(c["logits"]), c["samples"], seed, dtype)
    if op == "gamma":
        alpha = array(c["alpha"], dtype)
        return tf.random.stateless_gamma(sizes(c, "alpha"), seed, alpha, dtype=dtype)
    if op == "poisson":
        return tf.random.stateless_poisson(sizes(c, "rate"), seed, array(c["rate"]), dtype)
    if op == "binomial":
        parameters = array(c["counts"], "float32"), array(c["probabilities"], "float32")
        shape = sizes(c, "counts", "probabilities")
        return tf.random.stateless_binomial(shape, seed, *parameters, dtype)
    if op == "bounded_normal":
        parameters = [array(each, dtype) for each in zip(*c["bounds"], strict=True)]
        draw = tf.random.stateless_parameterized_truncated_normal
        return draw(sizes(c, "bounds"), seed, *parameters)
    if op == "split":
        return tf.random.split(seed, c["count"])
    if op == "fold_in":
        return tf.random.fold_in(seed, tf.constant(c["data"], dtype))
    if op == "dropout":
        draw = tf.nn.experimental.stateless_dropout
        return draw(np.ones([c["count"]], dtype), c["rate"], seed)
    assert op == "index_shuffle"
    words = np.array(seed) % 2**31
    return tf.random.experimental.index_shuffle(np.arange(c["count"]), words, c["max_index"])


def from_generator(c, generator):
    op, dtype = c["op"], c.get("dtype")
    if op in ("uniform", "normal", "truncated_normal", "uniform_full_int"):
        return getattr(generator, op)(c["shape"], dtype=dtype)
    if op == "uniform_int":
        return generator.uniform(c["shape"], c["low"], c["high"], dtype)
    if op == "binomial":
        parameters = array(c["counts"], "float32"), array(c["probabilities"], "float32")
        return generator.binomial(sizes(c, "counts", "probabilities"), *parameters, dtype)
    if op == "make_seeds":
        return generator.make_seeds(c["count"])
    if op == "split":
        return np.stack([child.state for child in generator.split(c["count"])])
    if op == "skip":
        generator.skip(c["outputs"])
        return generator.state
    return getattr(generator, op)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{case['kind']}-{case['seed']}") for case in VECTORS["cases"]],
)
def test_numbers_equal_tensorflow(case):
    kind, seed = case["kind"], case["seed"]
    if kind == "stateful":
        tf.random.set_seed(seed)
        draw = stateful
    elif kind == "stateless":
        draw = lambda c: stateless(c, seed)  # noqa: E731
    else:
        generator = tf.random.Generator.from_seed(seed, alg="philox")
        draw = lambda c: from_generator(c, generator)  # noqa: E731
    for c in case["calls"]:
        result = np.asarray(draw(c))
        about = {name: c[name] for name in c if name != "sha256"}
        assert list(result.shape) == c["shape_out"], about
        if c.get("dtype") == "float64" and c["op"] in FOLLOWS_LIBRARY and not SAME_LIBRARY:
            np.testing.assert_allclose(result.reshape(-1)[:4], c["head"], rtol=1e-14)
            continue
        digest = hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()
        assert digest[:24] == c["sha256"], about


def test_the_global_seed_decides_what_follows():
    tf.random.set_seed(42)
    first = np.float32([0.3274685, -0.8426258, 0.3194337])
    second = np.float32([0.68789124, 0.48447883, 0.9309944])
    np.testing.assert_array_equal(tf.random.normal([3]), first)
    np.testing.assert_array_equal(tf.random.uniform([3]), second)
    tf.random.set_seed(tf.constant(42))
    np.testing.assert_array_equal(tf.random.normal([3]), first)


def test_without_a_seed_numbers_differ():
    assert not np.array_equal(tf.random.uniform([4]), tf.random.uniform([4]))
    one, other = (tf.random.Generator.from_non_deterministic_state() for _ in range(2))
    assert not np.array_equal(one.normal([4]), other.normal([4]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_dtypes_of_floats(dtype):
    for draw in (tf.random.normal, tf.random.uniform, tf.random.truncated_normal):
        assert draw([3], dtype=dtype).dtype.name == dtype
        assert draw([], dtype=getattr(tf, dtype)).shape == ()
    numpy_dtype = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    x = np.ones(64, numpy_dtype)
    kept = np.asarray(tf.nn.dropout(x, 0.25, seed=1))
    assert kept.dtype == x.dtype
    assert {*kept.tolist()} == {0.0, float(x.dtype.type(1 / 0.75))}


def test_sequences_are_told_apart_by_the_dtype_of_the_shape():
    def second(first_shape, shape):
        tf.random.set_seed(3)
        tf.random.uniform(first_shape, seed=1)
        return np.asarray(tf.random.uniform(shape, seed=1)).tolist()

    short, long = tf.constant([2], tf.int32), tf.constant([2], tf.int64)
    for like_short in ([2], (2,), np.array([2], np.int32), tf.TensorShape([2]), [np.int64(2)]):
        assert second(short, like_short) != second(long, like_short)
        assert second(short, like_short) == second(like_short, short)
    for like_long in (np.array([2]), [tf.constant(2, tf.int64)]):
        assert second(long, like_long) == second(like_long, long)


# --- derivatives ---------------------------------------------------------------------------------


def gradients(function, *xs):
    xs = [tf.constant(x) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return y.numpy(), *[g.numpy() for g in tape.gradient(y, xs)]


def test_normal_and_uniform_are_differentiable_by_their_parameters():
    z = tf.random.stateless_normal([4], [1, 2]).numpy()
    _, by_mean, by_stddev = gradients(
        lambda m, s: tf.random.stateless_normal([4], [1, 2], m, s), np.float32(1), np.float32(2)
    )
    assert by_mean == 4.0
    np.testing.assert_allclose(by_stddev, z.sum(), rtol=1e-6)
    tf.random.set_seed(1)
    u = tf.random.uniform([4], seed=2).numpy()
    tf.random.set_seed(1)
    _, by_low, by_high = gradients(
        lambda a, b: tf.random.uniform([4], a, b, seed=2), np.float32([0.0]), np.float32([3.0])
    )
    np.testing.assert_allclose([by_low[0], by_high[0]], [(1 - u).sum(), u.sum()], rtol=1e-6)


def test_gamma_is_differentiable_by_alpha():
    alpha = np.array([0.05, 0.5, 1.0, 1.75, 30.0])
    drawn, by_alpha = gradients(
        lambda a: tf.random.stateless_gamma([5], [1, 2], a, dtype=tf.float64), alpha
    )
    np.testing.assert_allclose(
        drawn,
        [
            1.2449017341646019e-15,
            0.62823544551181,
            2.2487352006448047,
            1.9294021711872709,
            31.98532353941851,
        ],
        rtol=1e-14,
    )
    np.testing.assert_allclose(
        by_alpha,
        [
            8.420982119536073e-13,
            1.5037382064285294,
            1.7175420085489326,
            1.1535296751258537,
            1.0381360819898857,
        ],
        rtol=1e-12,
    )


def test_gamma_is_differentiable_by_alpha_and_beta():
    tf.random.set_seed(5)
    drawn, by_alpha, by_beta = gradients(
        lambda a, b: tf.random.gamma([4], a, b, seed=3),
        np.float32([[0.5], [2.0]]),
        np.float32([1.0, 2.0, 3.0]),
    )
    assert drawn.shape == (4, 2, 3)
    np.testing.assert_allclose(by_alpha, [[6.5398664], [6.840166]], rtol=1e-6)
    np.testing.assert_allclose(by_beta, [-7.733212, -2.6111557, -0.74136972], rtol=1e-6)


def test_a_large_alpha_and_a_draw_of_zero_have_derivatives():
    # 1 + (x - a) / 2a to leading order, where TensorFlow's own series stops too soon.
    drawn, slope = gradients(
        lambda a: tf.random.stateless_gamma([2], [1, 2], a, dtype=tf.float64), np.array([3e6, 1e9])
    )
    np.testing.assert_allclose(slope, 1 + (drawn / [3e6, 1e9] - 1) / 2, rtol=1e-6)
    drawn, slope = gradients(
        lambda a: tf.random.stateless_gamma([3], [1, 2], a), np.full(3, 0.001, np.float32)
    )
    assert (drawn == np.finfo(np.float32).tiny).any()
    assert np.isfinite(slope).all()


def quantile_slopes(quantile, probabilities, parameters):
    """The derivatives of a quantile function by its parameters, by central differences."""
    slopes = []
    for i, p in enumerate(parameters):
        step = 1e-6 * np.maximum(np.abs(p), 1)
        ends = [
            quantile(probabilities, *parameters[:i], p + sign * step, *parameters[i + 1 :])
            for sign in (1, -1)
        ]
        slopes.append((ends[0] - ends[1]) / (2 * step))
    return slopes


def test_bounded_normal_is_differentiable_by_all_its_parameters():
    """The derivatives are those of the quantile function.

    TensorFlow gives the same by the bounds, but 1 by the mean and (x - mean) / stddev by stddev, as
    if the bounds moved along with them.
    """
    stats = pytest.importorskip("scipy.stats")
    rows = [
        [0.0, 1.0, -2.0, 2.0],
        [0.0, 1.0, 1.0, 1.5],
        [0.0, 1.0, 3.0, 10.0],
        [1.0, 3.0, -1.0, 9.0],
    ]
    parameters = [np.array(column) for column in zip(*rows, strict=True)]
    drawn, *actual = gradients(
        lambda *p: tf.random.stateless_parameterized_truncated_normal([4], [1, 2], *p), *parameters
    )
    np.testing.assert_allclose(
        drawn,
        [-0.1423118100189212, 1.0879611695644873, 3.057472045221024, -0.5988197450547177],
        rtol=1e-14,
    )
    np.testing.assert_allclose(
        actual[2],
        [0.07646073265725636, 0.8533176070024803, 0.9839750715041841, 0.8676411735201082],
        rtol=1e-12,
    )
    np.testing.assert_allclose(
        actual[3],
        [0.06025196201549745, 0.1299939001292204, 3.579378323825564e-21, 0.001972114484367772],
        rtol=1e-12,
    )

    def quantile(u, mean, stddev, low, high):
        bounds = (low - mean) / stddev, (high - mean) / stddev
        return stats.truncnorm.ppf(u, *bounds, mean, stddev)

    mean, stddev, low, high = parameters
    u = stats.truncnorm.cdf(drawn, (low - mean) / stddev, (high - mean) / stddev, mean, stddev)
    for one, other in zip(actual, quantile_slopes(quantile, u, parameters), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)


def test_an_infinite_bound_has_no_influence():
    _, *actual = gradients(
        lambda *p: tf.random.stateless_parameterized_truncated_normal([3], [1, 2], *p),
        np.zeros(3),
        np.ones(3),
        np.full(3, 0.5),
        np.full(3, np.inf),
    )
    assert np.isfinite(actual[:3]).all()
    np.testing.assert_array_equal(actual[3], 0)


@pytest.mark.parametrize(
    ("function", "points"),
    [
        (lambda a: tf.random.stateless_gamma([3, 2], [1, 2], a, dtype=tf.float64), [[0.7, 4.0]]),
        (
            lambda *p: tf.random.stateless_parameterized_truncated_normal([3, 2], [1, 2], *p),
            [[0.0, 1.0], [1.0, 2.0], [-1.0, 0.5], [2.0, 3.0]],
        ),
    ],
    ids=["gamma", "bounded normal"],
)
def test_forward_mode_agrees_with_reverse_mode_to_second_order(function, points):
    points = [tf.constant(p, tf.float64) for p in points]
    directions = [tf.constant(np.linspace(0.5, 1.5, 2)) for _ in points]

    def slope(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = tf.reduce_sum(function(*xs) ** 2)
        return tf.add_n(
            [tf.reduce_sum(g * d) for g, d in zip(tape.gradient(y, xs), directions, strict=True)]
        )

    with tf.autodiff.ForwardAccumulator(points, directions) as accumulator:
        y = tf.reduce_sum(function(*points) ** 2)
    np.testing.assert_allclose(accumulator.jvp(y), slope(*points), rtol=1e-10)

    with tf.GradientTape() as tape:
        tape.watch(points)
        value = slope(*points)
    second = tape.gradient(value, points)
    expected = sum(float(tf.reduce_sum(g * d)) for g, d in zip(second, directions, strict=True))
    with tf.autodiff.ForwardAccumulator(points, directions) as accumulator:
        value = slope(*points)
    np.testing.assert_allclose(accumulator.jvp(value), expected, rtol=1e-9)


def test_shuffled_rows_carry_their_gradients():
    x = np.arange(10.0).reshape(5, 2)
    weights = np.arange(5.0)[:, None]
    tf.random.set_seed(3)
    order = tf.random.shuffle(np.arange(5), seed=1).numpy()
    tf.random.set_seed(3)
    y, g = gradients(lambda x: weights * tf.random.shuffle(x, seed=2), x)
    np.testing.assert_array_equal(np.sort(g[:, 0]), np.arange(5.0))
    np.testing.assert_array_equal((g * x).sum(), y.sum())
    assert sorted(order) == [0, 1, 2, 3, 4]


# --- dropout -------------------------------------------------------------------------------------


def test_dropout_equals_tensorflow():
    tf.random.set_seed(9)
    x = tf.reshape(tf.range(1.0, 7.0), [2, 3])
    third = 5 / 3
    kept = np.float32([[third, 2 * third, 5], [0, 5 * third, 0]])
    np.testing.assert_allclose(tf.nn.dropout(x, 0.4), kept, rtol=1e-7)
    rows = np.float32([[0, 0, 0], [4 * third, 5 * third, 10]])
    np.testing.assert_allclose(tf.nn.dropout(x, 0.4, noise_shape=[2, 1]), rows, rtol=1e-7)
    kept = np.float32([[third, 0, 5], [0, 0, 10]])
    np.testing.assert_allclose(tf.nn.dropout(x, tf.constant(0.4)), kept, rtol=1e-7)
    assert tf.nn.dropout(x, 0.0) is x  # and takes its turn all the same
    np.testing.assert_array_equal(tf.random.uniform([2]), np.float32([0.46925545, 0.8339242]))


def test_the_gradient_of_dropout_is_its_mask():
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    y, g = gradients(lambda x: tf.nn.experimental.stateless_dropout(x, 0.25, [1, 2]), x)
    np.testing.assert_allclose(g * x, y, rtol=1e-6)
    assert {*g.reshape(-1).tolist()} == {0.0, float(np.float32(4 / 3))}
    x[0, 0] = np.inf  # dropped or kept, never nan
    assert not np.isnan(tf.nn.dropout(x, 0.5)).any()


def test_general_dropout_asks_for_its_noise():
    noise = tf.constant([0.1, 0.5, 0.9])
    asked = []

    def sampler(shape, dtype):
        asked.append((tuple(shape), dtype))
        return noise

    y = tf.nn.experimental.general_dropout(tf.ones([3]), 0.5, sampler)
    np.testing.assert_array_equal(y, [0, 2, 2])
    assert asked == [((3,), tf.float32)]


def test_a_recomputed_dropout_keeps_its_mask():
    @tf.recompute_grad
    def layer(x):
        return tf.nn.dropout(x, 0.5) * x

    x = tf.constant(np.linspace(1, 2, 50))
    tf.random.set_seed(4)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
    np.testing.assert_allclose(tape.gradient(y, x) * x, 2 * y, rtol=1e-12)


# --- inside vmap ---------------------------------------------------------------------------------


def test_each_example_may_have_a_seed_of_its_own():
    seeds = tf.random.split([1, 2], 4)

    def draw(seed, x):
        one, other = tf.unstack(tf.random.split(seed))
        kept = tf.nn.experimental.stateless_dropout(x, 0.5, one)
        return kept + tf.random.stateless_gamma([3], tf.random.fold_in(other, 5), x)

    x = tf.constant(np.linspace(1, 2, 12, dtype=np.float32).reshape(4, 3))
    mapped = tf.vmap(draw)(seeds, x)
    rows = [draw(seed, row) for seed, row in zip(seeds, x, strict=True)]
    np.testing.assert_array_equal(mapped, np.stack(rows))


# --- generators ----------------------------------------------------------------------------------


def test_states_of_generators():
    def states(*generators):
        return [g.state.numpy().tolist() for g in generators]

    make = tf.random.Generator
    assert states(make.from_seed(5), make.from_seed(-3)) == [[5, 0, 0], [-3, -1, -1]]
    assert states(make.from_seed(2**70), make.from_seed([1, 2])) == [[0, 64, 0], [0, 1, 2]]
    assert states(make.from_seed(np.int64(7))) == [[0, 0, 7]]
    assert states(make.from_seed([2**64 - 1]), make.from_seed(1.5)) == [[0, 0, -1], [0, 0, 1]]
    assert states(make.from_state([1, 2, 3], "philox")) == [[1, 2, 3]]
    assert states(make.from_key_counter(2**64 - 1, [1, 2], tf.random.Algorithm.PHILOX)) == [
        [1, 2, -1]
    ]
    assert tf.random.create_rng_state(5, "threefry").numpy().tolist() == [5, 0]
    generator = make.from_seed(7)
    np.testing.assert_array_equal(generator.normal([2]), np.float32([-1.3240396, 0.28785667]))
    assert generator.uniform([2], 1, 9, tf.int32).numpy().tolist() == [7, 2]
    assert generator.state.numpy().tolist() == [1031, 0, 0]
    assert generator.skip(2).numpy().tolist() == [1031, 0, 0]
    assert generator.state.numpy().tolist() == [1543, 0, 0]
    assert (int(generator.key), generator.algorithm) == (0, 1)
    generator.reset([1, 2, 3])
    assert int(generator.key) == 3
    generator.reset_from_seed(9)
    assert states(generator) == [[9, 0, 0]]
    generator.reset_from_key_counter(4, [5, 6])
    assert states(generator) == [[5, 6, 4]]
    copy = make(copy_from=generator)
    assert np.array_equal(copy.normal([3]), generator.normal([3]))
    assert copy.state is not generator.state
    for other in (deepcopy(generator), pickle.loads(pickle.dumps(generator))):
        assert states(other) == states(generator)


def test_a_variable_is_the_state_itself():
    state = tf.Variable([1, 2, 3], dtype=tf.int64)
    generator = tf.random.Generator.from_state(state, "philox")
    generator.normal([2])
    assert generator.state is state
    assert state.numpy().tolist() == [513, 2, 3]


def test_the_global_generator():
    before = tf.random.get_global_generator()
    mine = tf.random.Generator.from_seed(1)
    tf.random.set_global_generator(mine)
    try:
        assert tf.random.experimental.get_global_generator() is mine
    finally:
        tf.random.set_global_generator(before)


def test_threads_draw_different_numbers():
    generator = tf.random.Generator.from_seed(1)
    drawn = []

    def work():
        drawn.extend([float(generator.uniform([])) for _ in range(50)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*drawn}) == 200
    assert generator.state.numpy().tolist() == [1 + 256 * 200, 0, 0]


def test_initializers():
    normal, uniform = tf.random_normal_initializer(seed=4), tf.random_uniform_initializer(seed=4)
    np.testing.assert_array_equal(normal([2]), np.float32([-0.029092435, 0.043267954]))
    np.testing.assert_array_equal(uniform([2]), np.float32([0.0080597773, 0.040578876]))
    np.testing.assert_array_equal(normal(shape=[2]), normal([2]))
    assert normal.get_config() == {"mean": 0.0, "stddev": 0.05, "seed": 4}
    again = tf.random_uniform_initializer.from_config(uniform.get_config())
    np.testing.assert_array_equal(again([3], tf.float64), uniform([3], tf.float64))
    assert tf.random_normal_initializer()([2]).shape == (2,)
    assert tf.random_uniform_initializer(0, 5)([2], tf.int32).dtype is tf.int32


def test_a_generator_that_a_function_resets_draws_from_there():
    generator = tf.random.Generator.from_seed(0)

    @tf.function
    def draw():
        before = generator.normal([1])
        generator.reset_from_seed(1234)
        return before, generator.normal([2])

    expected = tf.random.Generator.from_seed(1234)
    first, then = expected.normal([2]), expected.normal([1])
    first_before, drawn = draw()
    np.testing.assert_array_equal(drawn, first)
    np.testing.assert_array_equal(first_before, tf.random.Generator.from_seed(0).normal([1]))
    before, drawn = draw()  # it goes on after the reset of the call before
    np.testing.assert_array_equal(before, then)
    np.testing.assert_array_equal(drawn, first)
