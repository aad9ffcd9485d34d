"""Updates of rows on a device: scatters into the variable's own memory, no copy of the table."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from gradtape.backends.xla.runtime import graph_program as xla

ROWS, COLUMNS = 5000, 16
KINDS = ["add", "sub", "update", "max", "min", "mul", "div"]
INDICES = [3, 17, 3]


def start():
    return np.random.default_rng(5).integers(1, 9, (ROWS, COLUMNS)).astype("float32")


def variable():
    with tf.device("/XLA:0"):
        return tf.Variable(start())


def update(v, kind):
    values = np.full((3, COLUMNS), 2.0, "float32")
    if kind == "slice":
        v[4:7].assign(values)
    elif kind.startswith("nd "):
        getattr(v, f"scatter_nd_{kind[3:]}")([[3, 1], [17, 0]], values[0, :2])
    else:
        getattr(v, f"scatter_{kind}")(tf.IndexedSlices(values, tf.constant(INDICES)))


def memory_of(v) -> int:
    return v._data.unsafe_buffer_pointer()


@pytest.mark.parametrize("kind", [*KINDS, "nd add", "nd update", "nd max"])
def test_eager_updates_keep_the_memory(kind):
    v, on_host = variable(), tf.Variable(start())
    held = v.read_value()
    for _ in range(2):  # the first call compiles, and the array is held by a tensor
        update(v, kind)
    del held
    update(v, kind)
    memory = memory_of(v)
    update(v, kind)
    assert memory_of(v) == memory
    for _ in range(4):
        update(on_host, kind)
    np.testing.assert_allclose(v.numpy(), on_host.numpy(), rtol=1e-6)


@pytest.mark.parametrize("kind", [*KINDS, "nd add", "slice"])
def test_what_was_read_before_stays(kind):
    v = variable()
    update(v, "add")
    before, held = v.numpy().copy(), v.read_value()
    update(v, kind)
    np.testing.assert_array_equal(held.numpy(), before)


@pytest.fixture
def programs(monkeypatch):
    """What the compiler says of the memory of each program compiled in the test."""
    result = []
    compile_ = xla.Program._compile

    def noting(self, *args, **kwargs):
        ready = compile_(self, *args, **kwargs)
        result.append(ready.call.memory_analysis())
        return ready

    monkeypatch.setattr(xla.Program, "_compile", noting)
    return result


@pytest.mark.parametrize("kind", [*KINDS, "nd add", "nd update", "slice"])
def test_functions_copy_no_table(kind, programs):
    v, on_host = variable(), tf.Variable(start())
    step = tf.function(lambda: update(v, kind))
    step()
    step()
    memory = memory_of(v)
    step()
    assert memory_of(v) == memory
    (program,) = programs
    assert program.alias_size_in_bytes == v._data.nbytes
    assert program.temp_size_in_bytes < v._data.nbytes / 8
    for _ in range(3):
        update(on_host, kind)
    np.testing.assert_allclose(v.numpy(), on_host.numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", ["SGD", "Adagrad"])
def test_optimizers_copy_no_table(name, programs):
    v = variable()
    with tf.device("/XLA:0"):
        optimizer = getattr(tf.keras.optimizers, name)(0.1)
        optimizer.build([v])

    @tf.function
    def step(indices):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(v, indices) ** 2)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])

    step(tf.constant(INDICES))
    (program,) = programs
    new = program.output_size_in_bytes - program.alias_size_in_bytes
    assert new + program.temp_size_in_bytes < v._data.nbytes / 8
