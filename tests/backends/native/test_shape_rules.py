"""Reverse rules that read shapes, and sums over what was broadcast, run without Python, too."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops
from gradtape.backends.native import kernels as native
from gradtape.core.native import connect
from gradtape.core.primitive import PRIMITIVES, Rule
from gradtape.core.tensor import Tensor
from tests.backends.native.test_core import same_bits

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)


def numbers(*shape: int, dtype=np.float64) -> tf.Tensor:
    return tf.constant(np.random.default_rng(sum(shape)).uniform(0.1, 1.5, shape).astype(dtype))


def spread(n: int, dtype=np.float64) -> tf.Tensor:
    return tf.linalg.matmul(*[numbers(n, n, dtype=dtype)] * 2, transpose_b=True) + tf.eye(
        n, dtype=dtype
    )


# After so many, a rule is recorded even if it has all programs that it may have.
USES = 18

# Functions of arrays, and the primitives whose rules for the first of them are recorded.
CASES = {
    "sum": (lambda x: tf.reduce_sum(x, 1), [(3, 4)], {"reduce_sum"}),
    "sums of all": (lambda x: tf.reduce_sum(x), [(3, 4)], {"reduce_sum"}),
    "mean": (lambda x: tf.reduce_mean(x, [0, 2]), [(3, 4, 2)], {"reduce_mean"}),
    "largest": (lambda x: tf.reduce_max(x, -1), [(3, 4)], {"reduce_max"}),
    "logsumexp": (lambda x: tf.reduce_logsumexp(x, 0), [(3, 4)], {"reduce_logsumexp"}),
    "norm": (lambda x: tf.math.reduce_euclidean_norm(x, 1), [(3, 4)], {"reduce_euclidean_norm"}),
    "reshape": (lambda x: tf.reshape(x, (2, 6)), [(3, 4)], {"reshape"}),
    "transpose": (lambda x: tf.transpose(x, (1, 0, 2)), [(3, 4, 2)], {"transpose"}),
    "slices": (lambda x: x[1:, :, None] * x[0, 1], [(3, 4)], {"slice"}),
    "broadcast": (lambda x: tf.broadcast_to(x, (5, 3, 4)), [(3, 1)], {"broadcast_to"}),
    "product": (lambda x, y: x @ y, [(3, 4), (4, 2)], {"matmul"}),
    "stacks": (lambda x, y: x @ y, [(5, 1, 3, 4), (2, 4, 2)], {"matmul"}),
    "cast": (lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), [(3,)], {"cast"}),
    "solutions": (
        lambda x, y: tf.linalg.triangular_solve(x, y, lower=False),
        [(3, 3), (3, 2)],
        {"triangular_solve"},
    ),
    "stacks of solutions": (
        lambda x, y: tf.linalg.solve(x + tf.eye(3, dtype=x.dtype), y),
        [(2, 3, 3), (2, 3, 2)],
        {"solve"},
    ),
    "rolled": (lambda x: tf.roll(x, 1, 0), [(3, 4)], {"roll"}),
}


def rows() -> collections.Counter:
    """How often each rule ran without Python, by primitive, input and what it is."""
    counts: collections.Counter = collections.Counter()
    for *key, count in native.extension.native_rules():
        if key[2]:  # otherwise those that gave way to others
            counts[tuple(key)] += count
    return counts


def gradient(function, xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
        # A cotangent whose elements differ.
        loss = tf.tensordot(y, tf.cast(numbers(*y.shape), y.dtype), len(y.shape))
    return tape.gradient(loss, xs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CASES)
def test_a_rule_that_reads_shapes_is_recorded_for_them(case, dtype):
    function, shapes, primitives = CASES[case]
    xs = [numbers(*shape, dtype=dtype) for shape in shapes]
    first = gradient(function, xs)  # by Python
    for _ in range(USES):
        gradient(function, xs)
    before = rows()
    again = gradient(function, xs)
    ran = {key[0] for key, count in rows().items() if count > before[key]}
    assert primitives <= ran
    for a, b in zip(first, again, strict=True):
        assert same_bits(a.numpy(), b.numpy())


def test_the_gradient_of_cholesky_keeps_its_mask():
    xs = [spread(7)]
    results = [gradient(tf.linalg.cholesky, xs)[0].numpy() for _ in range(USES)]
    assert all(same_bits(results[0], result) for result in results)
    texts = [text for name, _, text in rows() if name == "cholesky"]
    assert any("float64[7, 7]" in text for text in texts)


def test_a_large_constant_is_left_to_python():
    xs = [spread(65)]
    results = [gradient(tf.linalg.cholesky, xs)[0].numpy() for _ in range(USES)]
    assert all(same_bits(results[0], result) for result in results)
    texts = [text for name, _, text in rows() if name == "cholesky"]
    assert not any("65" in text for text in texts)


@pytest.mark.parametrize("case", CASES)
def test_other_derivatives_run_the_same_programs(case):
    function, shapes, _ = CASES[case]
    xs = [numbers(*shape) for shape in shapes]

    def jacobian():
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        return tape.jacobian(y, xs[0])

    def curvature():
        with tf.GradientTape() as tape:
            tape.watch(xs)
            g = gradient(lambda *xs: tf.square(function(*xs)), xs)
        return tape.gradient(g, xs[0])

    def tangent():
        with tf.autodiff.ForwardAccumulator(xs[0], tf.cos(xs[0])) as accumulator:
            y = function(*xs)
        return accumulator.jvp(y)

    for derivative in (jacobian, curvature, tangent):
        results = [derivative().numpy() for _ in range(3)]
        assert all(same_bits(results[0], result) for result in results)


def test_a_joint_rule_is_recorded_for_the_gradients_that_are_asked_for():
    x, y = spread(5), numbers(5, 2)
    for size in range(1, 80):  # more than are kept: each is recorded after some uses, then
        gradient(tf.linalg.triangular_solve, [spread(size), numbers(size, 2)])

    def gradients(sources):
        with tf.GradientTape() as tape:
            tape.watch(sources)
            z = tf.linalg.triangular_solve(x, y)
        return tape.gradient(z, sources)

    (gx, gy), before = gradients([x, y]), rows()
    for _ in range(USES):
        for sources, expected in [([x, y], [gx, gy]), ([x], [gx]), ([y], [gy])]:
            for g, own in zip(gradients(sources), expected, strict=True):
                assert same_bits(g.numpy(), own.numpy())
    new = {key: count for key, count in (rows() - before).items() if key[0] == "triangular_solve"}
    assert {text.partition("(")[0] for _, _, text in new} == {"select", "None, triangular_solve"}
    assert sum(new.values()) >= 3 * 3 - 2


def test_shapes_with_equal_sizes_are_told_apart():
    for shape in [(6,), (2, 3), (3, 2), (1, 6), (6, 1), (2, 3, 1)]:
        for _ in range(3):
            (g,) = gradient(lambda x: tf.reduce_sum(x, -1), [numbers(*shape)])
            assert g.shape == shape


def test_more_shapes_than_programs_are_kept():
    for size in [*range(1, 100)] * 2:
        (g,) = gradient(lambda x: tf.reduce_sum(x, 0), [numbers(size, 2)])
        np.testing.assert_array_equal(g, np.broadcast_to(numbers(2), (size, 2)))
    kept = [row for row in native.extension.native_rules() if row[0] == "reduce_sum" and row[2]]
    assert len(kept) == 64


def slopes_by(monkeypatch, rule):
    """A function from a shape to the slope of an op with this rule, and the shapes it is asked."""
    seen = []

    def noted(g, x):
        seen.append(tuple(x.shape))
        return rule(g, x)

    monkeypatch.setattr(PRIMITIVES["sin"], "vjps", (Rule(noted, ("x",), False),))

    def slope(*shape: int) -> float:
        x = Tensor(np.ones(shape, np.float32))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x)
        return float(np.asarray(tape.gradient(y, x)).reshape(-1)[0])

    return slope, seen


def test_a_shape_that_a_rule_reads_of_a_value_counts(monkeypatch):
    slope, seen = slopes_by(monkeypatch, lambda g, x: g * float(len(x.shape)))
    for _ in range(4):
        assert slope(2, 3) == 2
        assert slope(4) == 1
        assert slope(1, 1, 1) == 3
    # Python ran it once; all else was recording: without a shape, and for each of the others.
    assert len(seen) <= 6


def test_a_rule_that_reads_a_value_for_one_shape_is_recorded_for_others(monkeypatch):
    slope, seen = slopes_by(
        monkeypatch, lambda g, x: g * 2.0 if len(x.shape) == 1 else Tensor(3.0 * g.numpy())
    )
    for _ in range(4):
        assert slope(2, 3) == 3
        assert slope(4) == slope(5) == 2
    # For the first shape, two were recordings: without a shape, and with one.
    assert seen.count((4,)) == seen.count((5,)) == 1
    assert seen.count((2, 3)) == 5


def test_a_rule_that_always_reads_values_is_left_to_python(monkeypatch):
    slope, seen = slopes_by(monkeypatch, lambda g, x: Tensor(float(len(x.shape)) * g.numpy()))
    for size in range(1, 30):
        assert slope(size) == 1
    before = len(seen)
    assert before <= 29 + 9
    assert slope(30) == 1
    assert len(seen) == before + 1


@pytest.fixture
def sums_by_python():
    """The shapes that Python was asked to sum to."""
    shapes = []

    def noted(g, shape):
        shapes.append(shape)
        return ops.sum_to_shape(g, shape)

    connect(sum_to_shape=noted)
    yield shapes
    connect(sum_to_shape=ops.sum_to_shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.float16])
@pytest.mark.parametrize("shape", [(), (1,), (4,), (1, 4), (3, 1), (1, 1, 1), (2, 1, 4), (1, 3, 1)])
def test_cotangents_are_summed_to_shapes_without_python(shape, dtype, sums_by_python):
    x, y = numbers(*shape, dtype=dtype), numbers(2, 3, 4, dtype=dtype)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = x * y
    g = tape.gradient(z, x)
    tape.jacobian(z[0, 0], x)
    assert not sums_by_python
    assert same_bits(real(g), real(ops.sum_to_shape(tf.ones_like(z) * tf.math.conj(y), shape)))


def test_what_was_repeated_no_times_has_the_gradient_zero(sums_by_python):
    x = numbers(1, 4)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + tf.ones([3, 0, 4], tf.float64)
    np.testing.assert_array_equal(tape.gradient(y, x), np.zeros((1, 4)))
    assert not sums_by_python


@pytest.mark.parametrize("others", range(24))
def test_a_sum_that_is_recorded_where_its_shape_is_read(others, sums_by_python):
    x, y = numbers(3, 1), numbers(3, 4)
    with tf.GradientTape(persistent=True) as tape:
        # The first of all shapes, which move when there is no room behind them.
        tape.watch([x, y, *[numbers(2) for _ in range(others)]])
        slope = tape.gradient(x * y, x)
    assert same_bits(slope.numpy(), ops.sum_to_shape(y, (3, 1)).numpy())
    assert (tape.gradient(slope, y).numpy() == 1).all()
    assert not sums_by_python


def real(x: tf.Tensor) -> np.ndarray:
    array = x.numpy()
    return np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array


def test_a_kernel_that_fails_in_a_recorded_rule_is_explained():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.linalg.det(x)
        return tape.gradient(y, x)

    for _ in range(3):
        gradient(spread(2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input is not invertible"):
        gradient(tf.ones([2, 2], tf.float64))
