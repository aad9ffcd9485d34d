"""Flat programs: native code that runs nodes of a graph as one, beside the kernels."""

import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import gradtape as tf
from gradtape.graph import flat
from gradtape.graph.flat import find_flat_runs
from tests.graph.flat_programs import Compared, evaluate, programs, same_bits
from tests.racing import nothing_collected

pytestmark = pytest.mark.skipif(flat.extension is None, reason="needs the extension")


# Where small arrays are deferred, ops on them are in no program.
computes_at_once = pytest.mark.skipif(
    flat.extension is not None and flat.extension.fuses("add", 6), reason="ops are deferred"
)


@pytest.fixture
def compared(monkeypatch):
    return Compared(monkeypatch)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(programs())
def test_random_programs_have_the_same_bits(compared, program):
    steps, arguments = program
    native, kernels = compared(lambda x, y: evaluate(steps, x, y), *arguments)
    for i, (a, b) in enumerate(zip(native, kernels, strict=True)):
        assert same_bits(a, b), (i, a, b)


ONE_PROGRAM = {
    "columns": lambda x: (x * x[:, :1] - x[:, 1:2]) / (x[:, 2:] + 0.5),
    "stacks": lambda x: tf.stack([x, -x])[:, :, :2] * x[:, 2:],
    "choices": lambda x: tf.where(x[:, :1] > 0, x, -x * x[:, 1:2]),
    "sums": lambda x: tf.stack([tf.reduce_sum(x * 2, 1), tf.reduce_sum(x[:, :2] * 2, 1)]),
    "cross": lambda x: tf.linalg.cross(x, x[:, :1] - x) + 1,
    "vectors": lambda x: tf.linalg.matvec(tf.reshape(x[:699], (233, 3, 3)), x[:233]) * 2,
    "small": lambda x: tf.matmul(*[tf.reshape(x[:699] * k, (233, 3, 3)) for k in (1, 2)]),
    "outer": lambda x: x[:, :, None] @ x[:, None, :] + 1,
    "transposed": lambda x: tf.transpose(x[:20, :1] - x[:20, 1]) * (x[:20, 2:] + x[:20, 0]),
}


@computes_at_once
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", ONE_PROGRAM.values(), ids=ONE_PROGRAM)
def test_small_work_is_one_program(monkeypatch, compared, function, dtype):
    def recorded(graph, *arguments):
        runs = find_flat_runs(graph, *arguments)
        actual.append([(first, run.last) for first, run in runs.items()] + [len(graph.nodes)])
        return runs

    actual = []
    monkeypatch.setattr("gradtape.graph.execute.find_flat_runs", recorded)
    x = np.random.default_rng(0).standard_normal((700, 3)).astype(dtype)
    x[:40] *= 0.0  # of either sign
    x[40:50, 0], x[50:60, 1] = np.inf, np.nan
    native, kernels = compared(function, x)
    assert same_bits(native[0], kernels[0])
    assert actual[0][:-1] == [(0, actual[0][-1] - 1)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_of_transposed_arrays_keeps_their_order(compared, dtype):
    # NumPy lays it out as they are, and then adds numbers that lie next to each other.
    x, y = np.random.default_rng(0).standard_normal((2, 30, 40)).astype(dtype)
    native, kernels = compared(
        lambda x, y: tf.reduce_sum(tf.transpose(x * 2) + tf.transpose(y * 3), 1) * 2, x, y
    )
    assert same_bits(native[0], kernels[0])


# --- sums of parts -------------------------------------------------------------------------------

PARTS = {
    "numbers": lambda x: x[0, 0] * x[1, 2] + x[0, 0] * x[2, 1],
    "rows": lambda x: x[1] * x[2] * x[1],
    "columns": lambda x: x[:, 1] * tf.sin(x[:, 2]) - x[:, 0],
    "steps": lambda x: x[::2, ::-1] * x[1::2],
    "whole": lambda x: x[:, :] * x[::1] + x[0],
    "part of a part": lambda x: x[:3][1:, 1] * x[1:][0, :2],
    "new axes": lambda x: x[:, None, 0] * x[None, 2:, 1],
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", PARTS.values(), ids=PARTS)
def test_cotangents_of_parts_have_the_same_bits(compared, function, dtype):
    def gradients(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            slope = inner.gradient(y, x)
        return slope, tape.gradient(y, x), tape.gradient(slope, x, unconnected_gradients="zero")

    x = np.random.default_rng(4).standard_normal((4, 3)).astype(dtype)
    for special in (1.0, -0.0, np.inf):
        x[0, 0] = x[2, 1] = special
        native, kernels = compared(gradients, x)
        for a, b in zip(native, kernels, strict=True):
            assert same_bits(a, b), (special, a, b)


@computes_at_once
def test_a_part_is_added_in_one_step(monkeypatch):
    runs = []

    def recorded(graph, *arguments):
        programs_by_start = find_flat_runs(graph, *arguments)
        runs.extend(programs_by_start.values())
        return programs_by_start

    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[0] * x[1] * x[2] * x[3]
        return tape.gradient(y, x)

    monkeypatch.setattr("gradtape.graph.execute.find_flat_runs", recorded)
    x = tf.constant([2.0, 3.0, 5.0, 7.0], tf.float64)
    np.testing.assert_array_equal(gradient(x), [105, 70, 42, 30])
    # Six products; zeros and a copy for the cotangent of one part, to which three are added.
    assert [run.program.steps for run in runs] == [6 + 2 + 3]


# --- loops ---------------------------------------------------------------------------------------


def _rotated(x, length):
    """A loop of known length, and one with a condition, with their gradients."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in tf.range(length):
            y = tf.sin(y) + tf.cast(i, x.dtype) * tf.roll(x, 1, 0)
        (z,) = tf.while_loop(
            lambda z: tf.reduce_sum(z * z) < 50.0, lambda z: (z * 1.3 + tf.tanh(y),), (x,)
        )
        loss = tf.reduce_sum(y * z)
    return loss, y, z, tape.gradient(loss, x)


def _scanned(x, length):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.scan(lambda a, b: tf.tanh(a @ b), tf.stack([x] * length), x)
        loss = tf.reduce_sum(rows * rows)
    return loss, rows, tape.gradient(loss, x)


def _counted(x, length):
    end = length + tf.cast(tf.reduce_any(x > 1e9), tf.int32)  # not known when it is traced
    return tf.while_loop(
        lambda i, total: i < end, lambda i, total: (i + 1, total + tf.exp(-total) * x), (0, x)
    )


@pytest.mark.parametrize("function", [_rotated, _scanned, _counted])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("length", [0, 1, 100])
def test_loops_have_the_same_bits(compared, function, dtype, length):
    if function is _scanned and not length:
        pytest.skip("a scan has at least one row")
    x = np.random.default_rng(3).standard_normal((3, 3)).astype(dtype)
    native, kernels = compared(lambda x: function(x, length), x)
    for a, b in zip(native, kernels, strict=True):
        assert same_bits(a, b)


def _programs_of(monkeypatch, name):
    """The calls of one of the extension's loops, and whether each was run natively."""
    calls = []
    extension = flat.extension

    class Watched:
        def __getattr__(self, attribute):
            return getattr(extension, attribute)

    def call(*arguments):
        made = getattr(extension, name)(*arguments)
        calls.append(made is not None)
        return made

    watched = Watched()
    setattr(watched, name, call)
    monkeypatch.setattr("gradtape.graph.control.iterate.extension", watched)
    return calls


@computes_at_once
def test_an_iteration_runs_natively(monkeypatch):
    loops = _programs_of(monkeypatch, "loop")
    tf.function(lambda x: _counted(x, 5))(tf.constant(0.5))
    assert loops == [True]
    scans = _programs_of(monkeypatch, "scan")
    tf.function(lambda x: _scanned(x, 100))(tf.eye(3))
    assert scans[0]  # forward; the scan of the gradient declines, and runs in Python


def test_second_order_through_a_native_loop(compared):
    def function(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x
                for _ in tf.range(3):
                    y = tf.sin(y) * x
            slope = inner.gradient(y, x)
        return slope, outer.gradient(slope, x)

    native, kernels = compared(function, np.array([0.3, 1.2]))
    for a, b in zip(native, kernels, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)


# --- seams ---------------------------------------------------------------------------------------


def test_an_op_that_fails_raises_its_own_error():
    @tf.function
    def taken(x, i):
        return tf.exp(tf.gather(tf.sin(x), i)) + 1

    x = tf.constant([1.0, 2.0])
    np.testing.assert_allclose(taken(x, tf.constant([1])), np.exp(np.sin([2.0])) + 1, rtol=1e-6)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 5 is not in \[0, 2\)"
    ):
        taken(x, tf.constant([5]))


def test_an_iteration_that_fails_raises_its_own_error():
    @tf.function
    def walk(x):
        y = tf.constant(0.0)
        for i in tf.range(4):
            y += tf.reduce_sum(tf.gather(x, [i]))
        return y

    assert walk(tf.ones(4)).numpy() == 4
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 3 is not in \[0, 3\)"
    ):
        walk(tf.ones(3))


def test_a_loop_that_does_not_end_is_interrupted():
    def stop(signal_number, frame):
        raise KeyboardInterrupt

    @tf.function
    def forever(x):
        return tf.while_loop(lambda x: tf.reduce_all(x > -1.0), lambda x: (x * 0.5,), (x,))

    forever.get_concrete_function(tf.ones(3))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with nothing_collected(), pytest.raises(KeyboardInterrupt):
            forever(tf.ones(3))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_share_a_function():
    @tf.function
    def function(x):
        for _ in tf.range(200):
            x = tf.tanh(x @ x) + x
        return tf.reduce_sum(x * x), x[::-1]

    inputs = [tf.constant(np.full((8, 8), 0.01 * i, np.float32)) for i in range(12)]
    expected = [[y.numpy() for y in function(x)] for x in inputs]
    with ThreadPoolExecutor(4) as pool:
        for result, wanted in zip(pool.map(function, inputs), expected, strict=True):
            for a, b in zip(result, wanted, strict=True):
                assert same_bits(a.numpy(), b)


def test_variables_are_read_and_written():
    weight, steps = tf.Variable([1.0, 2.0]), tf.Variable(0)

    @tf.function
    def train(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.sin(weight) * x - 1))
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        steps.assign_add(1)
        return loss

    losses = [train(tf.constant([0.5, 0.25])).numpy() for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]
    assert steps.numpy() == 3


def _made(add_to, *inputs):
    """A program of these inputs, and how often its fallback was called."""
    program = flat.extension.FlatProgram()
    numbers = [program.input(x.shape, x.dtype) for x in inputs]
    calls = []

    def fallback(*arrays):
        calls.append(arrays)
        return ("fallback",)

    program.finish(tuple(numbers), add_to(program, numbers), fallback)
    return program, calls


def _negative_twice(program, numbers):
    for _ in range(2):
        specs = (((2, 3), np.dtype(np.float32)),)
        numbers = program.plan("negative", tuple(numbers), {}, specs, np.negative)
    return numbers


@computes_at_once
def test_arguments_of_another_form_go_to_the_kernels():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    program, calls = _made(_negative_twice, x)
    assert program.steps == 2
    assert np.array_equal(program(x)[0], x)
    assert not calls
    for other in (x.astype(np.float64), x.T, x[:, ::-1], np.float32(1), x[:1]):
        assert program(other) == ("fallback",)
    assert len(calls) == 5


@computes_at_once
def test_results_share_no_memory():
    def outputs(program, numbers):
        dtype = np.dtype(np.float32)
        (flat_view,) = program.plan(
            "reshape", tuple(numbers), {"shape": (6,)}, (((6,), dtype),), None
        )
        made = _negative_twice(program, numbers)
        return (flat_view, made[0], made[0])

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    program, _ = _made(outputs, x)
    results = program(x)
    everything = [x, *results]
    for i, a in enumerate(everything):
        assert not any(np.shares_memory(a, b) for b in everything[i + 1 :])


def test_ops_without_a_native_form_are_declined():
    program = flat.extension.FlatProgram()
    x = program.input((2, 3), np.dtype(np.float32))
    spec = (((2, 3), np.dtype(np.float32)),)
    assert program.plan("cumsum", (x,), {}, spec, None) is None
    assert program.input((2,), np.dtype(object)) is None
    assert program.constant("text") is None
    assert program.steps == 0
    with pytest.raises(IndexError, match="has no value 7"):
        program.plan("exp", (7,), {}, spec, np.exp)
    with pytest.raises(RuntimeError, match="is not finished"):
        program()
    program.finish((x,), (x,), print)
    with pytest.raises(RuntimeError, match="is finished"):
        program.constant(np.ones(2))


# --- what is left to kernels ---------------------------------------------------------------------

EMPTY_OPERANDS = {
    "sum": lambda x: tf.reduce_sum(x) * 2.0 + 1.0,
    "max": lambda x: tf.reduce_max(x, 0) * 2.0 + 1.0,
    "mean": lambda x: tf.reduce_sum(x, 0) * 2.0 + 1.0,
    "any": lambda x: tf.logical_not(tf.reduce_any(x > 0, axis=0)),
    "all": lambda x: tf.logical_not(tf.reduce_all(x > 0, axis=0)),
    "concat": lambda x: tf.concat([tf.ones([2, 3], x.dtype), x, tf.ones([1, 3], x.dtype)], 0) * 2.0,
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", EMPTY_OPERANDS.values(), ids=EMPTY_OPERANDS)
def test_empty_operands(function, dtype):
    x = tf.zeros([0, 3], dtype)
    np.testing.assert_array_equal(tf.function(function)(x), function(x))


def test_a_gradient_through_an_empty_slice():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x[0:0, 0:3] * 2.0) + tf.reduce_sum(x * x)
        return tape.gradient(y, x)

    x = tf.ones([3, 4])
    np.testing.assert_array_equal(tf.function(gradient)(x), gradient(x))


def test_a_reduction_of_a_large_operand_keeps_its_threads():
    x = tf.constant(np.ones((1000, 512), np.float32))
    assert float(tf.function(lambda w: tf.reduce_sum(w * w) * 1e-4 + 1.0)(x)) == pytest.approx(52.2)
    total = tf.function(
        lambda n: tf.while_loop(
            lambda i, s: i < n, lambda i, s: (i + 1, s + tf.reduce_sum(x)), (0, 0.0)
        )[1]
    )
    assert float(total(tf.constant(3))) == 3 * 512_000


def test_sizes_beyond_any_memory():
    def part(x):
        return tf.broadcast_to(x, [7, 7905747460161236407])[0, :3] * 2.0 + 1.0

    for function in (part, tf.function(part)):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="broadcast_to: out of memory"):
            function(tf.constant(1.0))


def test_a_large_value_that_a_loop_only_carries_is_not_copied():
    body = lambda i, s, b: (i + 1, s + b[3], b)  # noqa: E731
    trace = tf.function(lambda n, b: tf.while_loop(lambda i, s, b: i < n, body, (0, 0.0, b)))
    big = tf.ones([100_000])
    assert trace(tf.constant(4), big)[2]._host_data() is big._host_data()


def test_a_view_that_is_spread_cannot_be_written_to():
    y = tf.function(lambda x: tf.broadcast_to(tf.exp(x) * 2.0, (2000, 3)))(tf.zeros([3]))
    assert not y._host_data().flags.writeable or 0 not in y._host_data().strides
