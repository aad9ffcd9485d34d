"""Eager ops on a device wait in a queue and run together: what a program can tell is the time."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs JAX")

import gradtape as tf
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.runtime import deferral, repetition, transfer
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferredArray
from gradtape.backends.xla.runtime.tensor import Eager
from gradtape.core.native import extension, fusion_is_on, without_fusion

pytestmark = pytest.mark.skipif(
    not fusion_is_on(), reason="GRADTAPE_FUSE_FROM=0: no op is deferred"
)


@pytest.fixture(autouse=True)
def device():
    with tf.device("/XLA:0"):
        QUEUE.forget()
        yield
        QUEUE.forget()


def is_waiting(x) -> bool:
    return type(x._data) is DeferredArray and x._data.is_waiting


# --- tensors -------------------------------------------------------------------------------------


def test_an_op_waits_until_its_value_is_read():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.reduce_sum(x * 2.0, 0)
    assert is_waiting(y)
    assert (y.shape, y.dtype, y.ndim) == ((2,), tf.float32, 1)
    assert y.device.endswith("XLA:0")
    np.testing.assert_array_equal(y.numpy(), [8, 12])
    assert not is_waiting(y)
    assert not len(QUEUE)


READERS = {
    "numpy": lambda x: x.numpy(),
    "asarray": np.asarray,
    "array": lambda x: np.array(x, np.float64),
    "tolist": lambda x: [float(each) for each in x],
    "dlpack": np.from_dlpack,
    "deepcopy": lambda x: copy.deepcopy(x).numpy(),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)).numpy(),
    "host": lambda x: x.cpu().numpy(),
    "another op on the host": lambda x: tf.constant(x.numpy()) * 1.0,
    "function": lambda x: tf.function(lambda y: y * 1.0)(x).numpy(),
    "compiled function": lambda x: tf.function(lambda y: y * 1.0, jit_compile=True)(x).numpy(),
    "variable": lambda x: tf.Variable(x).numpy(),
    "dataset": lambda x: next(iter(tf.data.Dataset.from_tensors(x))).numpy(),
    "numpy_function": lambda x: tf.numpy_function(lambda a: a * 1, [x], tf.float32).numpy(),
    "ufunc": lambda x: np.multiply(x, 1),
}


@pytest.mark.parametrize("repeats", [16, 0])
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_everything_that_reads_a_value_gets_it(read, repeats, monkeypatch):
    monkeypatch.setattr(repetition, "REPEATS", repeats)
    x = tf.constant([1.0, 2.0]) * 2.0 + 1.0
    assert is_waiting(x)
    np.testing.assert_array_equal(read(x), [3, 5])


def test_a_waiting_value_is_an_index_or_a_number():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def last():
        result = tf.argmax(x[0] * 2.0)
        assert is_waiting(result)
        return result

    assert float(x[0, last()]) == 3.0
    assert x[:, : last()].shape == (2, 2)
    assert [1, 2, 3][last()] == 3
    assert list(range(last())) == [0, 1]
    assert (int(last()), float(last()), bool(last())) == (2, 2.0, True)
    assert [int(i) for i in tf.range(last())] == [0, 1]
    payload = (x * 2.0)._data
    assert (len(payload), float(payload[1, 2]), [float(row[0]) for row in payload]) == (
        2,
        12,
        [2, 8],
    )
    assert complex((x[0, 0] * 2.0)._data) == 2.0


def test_texts_show_the_value():
    x = tf.constant(2.0) * 2.0
    assert repr(x) == "<tf.Tensor: shape=(), dtype=float32, numpy=4.0>"
    assert f"{tf.constant(2.0) * 3.0:.1f}" == "6.0"
    assert int(tf.constant(2) * 3) == 6
    assert bool(tf.constant(2.0) > 1.0)


def test_an_error_comes_from_the_line_that_causes_it():
    x = tf.ones([3]) * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[3\].*\[4\]|\(3,\).*\(4,\)"):
        x + tf.ones([4])
    np.testing.assert_array_equal(x.numpy(), [2, 2, 2])


def test_ops_that_repeat_become_one_program(runs):
    def step(x):
        return tf.reduce_sum(tf.tanh(x) * tf.exp(-x * x) + tf.sigmoid(x))

    result = [float(step(tf.constant([0.5, i / 10]))) for i in range(repetition.REPEATS + 3)]
    assert runs.count("together") == 3
    assert all(count > 5 for count in runs[: repetition.REPEATS])
    with without_fusion():
        direct = [float(step(tf.constant([0.5, i / 10]))) for i in range(repetition.REPEATS + 3)]
    np.testing.assert_allclose(result, direct, rtol=1e-6)


def test_what_nobody_can_read_is_not_computed(runs):
    x = tf.constant([1.0, 2.0])
    for _ in range(5):
        unread = tf.sin(x) * 2.0
    del unread
    y = tf.cos(x) + 1.0
    y.numpy()
    assert runs == [2]


def test_several_results_of_an_op(at_once):
    x = tf.reshape(tf.range(6.0), [2, 3]) * 1.0
    first, _, last = tf.split(x, 3, 1)
    y = first + last
    np.testing.assert_array_equal(y.numpy(), [[2], [8]])
    np.testing.assert_array_equal(last.numpy(), [[2], [5]])


def test_weak_types_and_wide_types(at_once):
    x = tf.constant([1, 2], tf.int64) * 3
    y = tf.cast(x, tf.float64) / 7.0
    z = tf.cast(y, tf.bfloat16)
    assert [each.dtype for each in (x, y, z)] == [tf.int64, tf.float64, tf.bfloat16]
    np.testing.assert_array_equal(y.numpy(), np.array([3, 6]) / 7.0)
    assert [each.numpy().dtype for each in (x, y)] == [np.int64, np.float64]


def test_a_queue_does_not_grow_without_bounds():
    x = tf.constant([1.0])
    for _ in range(1000):
        x = x * 1.0 + 1.0
        assert len(QUEUE) < 300
    assert float(x[0]) == 1001


def test_what_is_done_does_not_keep_its_operands(at_once):
    x = tf.constant(np.arange(1000.0))
    array = x._data
    before = sys.getrefcount(array)
    y = tf.sin(x) * 2.0
    assert sys.getrefcount(array) > before
    y.numpy()
    assert sys.getrefcount(array) == before
    z = tf.sin(x)
    del z
    QUEUE.run()
    assert sys.getrefcount(array) == before


@pytest.mark.parametrize("repeats", [16, 0])
def test_gradients_of_both_modes(repeats, monkeypatch):
    monkeypatch.setattr(repetition, "REPEATS", repeats)
    x = tf.constant([0.3, -0.7])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        first = tape.gradient(y, x)
    assert is_waiting(first)
    second = outer.gradient(first, x)
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as accumulator:
        z = tf.reduce_sum(tf.sin(x) * x)
    tangent = accumulator.jvp(z)
    a = np.array([0.3, -0.7])
    np.testing.assert_allclose(first.numpy(), np.cos(a) * a + np.sin(a), rtol=1e-5)
    np.testing.assert_allclose(second.numpy(), -np.sin(a) * a + 2 * np.cos(a), rtol=1e-5)
    np.testing.assert_allclose(tangent.numpy(), np.sum(first.numpy()), rtol=1e-5)


def test_tools_that_look_at_each_op_see_it_computed():
    with without_fusion():
        assert not is_waiting(tf.constant([1.0]) * 2.0)
    with tf.GradientTape() as tape:
        v = tf.Variable([1.0, 0.0])
        y = tf.math.log(v) * 2.0
    assert "log" in str(tape.find_nonfinite(y))


# --- variables -----------------------------------------------------------------------------------


def adam_loop(steps: int) -> np.ndarray:
    w = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
    m, s, count = tf.Variable(w * 0.0), tf.Variable(w * 0.0), tf.Variable(0.0)
    x = tf.constant(np.linspace(0, 1, 15).reshape(5, 3).astype(np.float32))
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) - 0.5))
        g = tape.gradient(loss, w)
        count.assign_add(1.0)
        m.assign(0.9 * m + 0.1 * g)
        s.assign(0.99 * s + 0.01 * g * g)
        w.assign_sub(0.1 * m / (tf.sqrt(s / (1 - 0.99**count)) + 1e-7))
    return w.numpy()


def test_the_steps_of_a_loop_are_one_program(runs):
    result = adam_loop(repetition.REPEATS + 12)
    assert runs.count("together") >= 10
    assert len([run for run in runs if run != "together"]) <= repetition.REPEATS + 4
    with tf.device("/CPU:0"):
        expected = adam_loop(repetition.REPEATS + 12)
    np.testing.assert_allclose(result, expected, rtol=2e-4, atol=1e-5)


@pytest.fixture
def short_queue():
    longest, deferral.LIMITS[0] = deferral.LIMITS[0], 20
    yield
    deferral.LIMITS[0] = longest


def test_long_steps_are_the_same_programs(runs, short_queue):
    adam_loop(repetition.REPEATS + 12)
    assert runs.count("together") >= 20
    assert len([run for run in runs if run != "together"]) <= 3 * (repetition.REPEATS + 4)


def test_a_loop_that_reads_nothing_is_one_program(runs, short_queue):
    """Its steps are no divisor of the queue's length: it is run in whole steps all the same."""
    x = tf.constant([1.0, 2.0])
    for _ in range(7 * (repetition.REPEATS + 12)):
        y = tf.sin(x) * tf.cos(x) + tf.exp(x)  # 5 ops and, with the next line, 7
        z = tf.sqrt(tf.abs(y))
    assert runs.count("together") >= 20
    assert len([run for run in runs if run != "together"]) <= repetition.REPEATS + 4
    np.testing.assert_allclose(
        z.numpy(), np.sqrt(np.sin([1, 2]) * np.cos([1, 2]) + np.exp([1, 2])), rtol=1e-5
    )


def test_values_read_before_an_assignment_stay(at_once):
    v = tf.Variable([1.0, 2.0])
    before, shown = v.read_value(), v + 0.0
    for _ in range(3):
        v.assign_add([1.0, 1.0])
    v.assign(v * 2.0)
    np.testing.assert_array_equal(v.numpy(), [8, 10])
    np.testing.assert_array_equal(before.numpy(), [1, 2])
    np.testing.assert_array_equal(shown.numpy(), [1, 2])


@pytest.mark.parametrize("jit_compile", [None, True])
def test_a_compiled_step_between_eager_ones(jit_compile, at_once):
    v = tf.Variable(np.zeros(8, np.float32))

    @tf.function(jit_compile=jit_compile)
    def step(x):
        v.assign_add(x)
        return tf.reduce_sum(v)

    held = []
    for i in range(6):
        v.assign_add(tf.ones([8]) * 2.0)
        assert type(v._data) is DeferredArray
        held.append(v * 1.0)
        assert float(step(tf.ones([8]) * 1.0)) == 8 * 3 * (i + 1)
    np.testing.assert_array_equal([x.numpy()[0] for x in held], [2, 5, 8, 11, 14, 17])


def test_a_compiled_step_after_an_eager_one_copies_nothing(monkeypatch):
    v = tf.Variable(np.zeros(8, np.float32))
    step = tf.function(lambda: v.assign_add(tf.ones([8])))
    step()
    step()
    copied, copies = transfer.copied, []
    monkeypatch.setattr(transfer, "copied", lambda x: (copies.append(x), copied(x))[1])
    for _ in range(3):
        v.assign_add(tf.ones([8]) * 2.0)
        step()
    np.testing.assert_array_equal(v.numpy(), np.full(8, 11.0))
    assert len(copies) == 0 or extension is None


def test_scatters_and_slices_of_a_waiting_value(at_once):
    v = tf.Variable(np.zeros((4, 2), np.float32))
    v.assign_add(tf.ones([4, 2]))
    v.scatter_add(tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1])))
    v.assign_add(tf.ones([4, 2]))
    v[0].assign([7.0, 7.0])
    np.testing.assert_array_equal(v.numpy(), [[7, 7], [3, 3], [2, 2], [2, 2]])


def test_a_checkpoint_has_waiting_values(tmp_path):
    v = tf.Variable([1.0, 2.0])
    v.assign_add([1.0, 1.0])
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    v.assign(v * 0.0)
    tf.train.Checkpoint(v=v).restore(path)
    np.testing.assert_array_equal(v.numpy(), [2, 3])


# --- other parts ---------------------------------------------------------------------------------


def test_vmap_over_waiting_values(at_once):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]]) * 2.0
    y = tf.vectorized_map(lambda row: tf.reduce_sum(row * row), x)
    assert is_waiting(y)
    np.testing.assert_array_equal(y.numpy(), [20, 100])


def test_a_check_of_numbers_raises_where_it_stands():
    x = tf.constant([1.0, 0.0]) * 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="here"):
        tf.debugging.check_numerics(tf.math.log(x), "here")


@pytest.mark.parametrize("repeats", [16, 0])
def test_random_numbers_are_those_of_the_seed(repeats, monkeypatch):
    monkeypatch.setattr(repetition, "REPEATS", repeats)

    def draw():
        tf.random.set_seed(3)
        generator = tf.random.Generator.from_seed(5)
        draws = [tf.random.normal([3]), generator.uniform([2]), tf.random.uniform([2]) * 2.0]
        draws.append(tf.random.stateless_uniform([2], [1, 2]) + generator.normal([2]))
        return np.concatenate([x.numpy() for x in draws])

    result = [draw() for _ in range(3)]
    with without_fusion():
        expected = draw()
    for each in result:
        np.testing.assert_allclose(each, expected, rtol=1e-6)


def test_an_abandoned_generator_leaves_values(at_once):
    x = tf.constant([1.0, 2.0])

    def steps():
        y = x
        while True:
            y = y * 2.0
            yield y

    made = steps()
    first, second = next(made), next(made)
    made.close()
    np.testing.assert_array_equal(second.numpy(), [4, 8])
    np.testing.assert_array_equal(first.numpy(), [2, 4])


def test_settings_hold_for_what_was_called_before(monkeypatch):
    seen = []
    run = repetition.compute
    monkeypatch.setattr(
        repetition, "compute", lambda *a: (seen.append(xla.settings.deterministic), run(*a))
    )
    x = tf.constant([1.0, 2.0]) * 2.0
    before = xla.settings.deterministic
    tf.config.experimental.enable_op_determinism()
    assert seen == [before]
    np.testing.assert_array_equal(x.numpy(), [2, 4])


@pytest.mark.skipif(extension is None, reason="the core in C queues, which is not there")
def test_what_was_queued_before_is_queued_without_python(monkeypatch):
    seen, process = [], Eager.process

    def watched(self, prim, inputs, params):
        seen.append(prim.name)
        return process(self, prim, inputs, params)

    monkeypatch.setattr(Eager, "process", watched)

    def ops(x, v, number):
        y = tf.tanh(x * number + v) - 2.0 / x
        v.assign(y)
        v.assign_sub(y)
        return tf.reduce_sum(y**2, axis=0)

    def all_on_device(number):
        x, v = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable(tf.ones([2, 2]))
        return ops(x, v, number)

    all_on_device(3.0)
    assert "tanh" in seen
    seen.clear()
    made = all_on_device(5.0)  # another number is another operand
    assert not seen
    x = np.float32([[1, 2], [3, 4]])
    np.testing.assert_allclose(made, ((np.tanh(x * 5 + 1) - 2 / x) ** 2).sum(0), rtol=1e-5)
    # Other forms, parameters and places are for Python.
    x = tf.constant([[1.0, 2.0, 3.0]])
    tf.tanh(x)
    assert seen == ["tanh"]
    tf.reduce_sum(tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=1)
    assert seen == ["tanh", "reduce_sum"]
    with tf.device("/CPU:0"):
        assert tf.tanh(x).device.endswith("CPU:0")
    assert seen == ["tanh", "reduce_sum", "tanh"]
    with without_fusion():
        tf.tanh(x)
    assert len(seen) == 4
    tf.tanh(x)
    assert len(seen) == 4
