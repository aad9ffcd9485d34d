"""Tensors and variables on a device: XLA on the host stands for a GPU."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax

import gradtape as tf
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime.tensor import EAGER, DeviceTensor
from gradtape.backends.xla.runtime.variable import DeviceVariable
from gradtape.core.native import without_fusion
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import vmap

DEVICE = "/job:localhost/replica:0/task:0/device:XLA:0"
HOST = "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.fixture(autouse=True)
def on_device():
    with tf.device("/XLA:0"):
        yield


def is_on_device(*tensors) -> bool:
    return all(type(x) is DeviceTensor and x.device == DEVICE for x in tensors)


# --- making --------------------------------------------------------------------------------------


def test_new_tensors_are_on_the_device():
    made = [
        tf.constant([1.0, 2.0]),
        tf.convert_to_tensor(np.ones(2)),
        tf.zeros([2, 3]),
        tf.ones([2]),
        tf.zeros([]),
        tf.eye(3),
        tf.range(4),
        tf.range(0.0, 1.0, 0.25),
        tf.fill([2], 7),
        tf.ones_like(tf.constant(1.0)),
        tf.linspace(0.0, 1.0, 5),
        tf.random.uniform([3]),
        tf.random.stateless_normal([2], seed=[1, 2]),
    ]
    assert is_on_device(*made)
    np.testing.assert_array_equal(made[6].numpy(), [0, 1, 2, 3])
    np.testing.assert_array_equal(made[8].numpy(), [7, 7])


def test_strings_stay_on_the_host():
    assert tf.constant("text").device == HOST
    assert tf.Variable("text").device == HOST
    picked = tf.gather(tf.constant(["a", "b", "c"]), tf.constant([2, 0]))
    assert (picked.device, picked.numpy().tolist()) == (HOST, [b"c", b"a"])


def test_a_block_for_the_host():
    x = tf.constant([1.0, 2.0])
    with tf.device("/CPU:0"):
        made, computed = tf.constant(1.0), x * 2
    assert (made.device, computed.device) == (HOST, HOST)
    np.testing.assert_array_equal(computed.numpy(), [2, 4])
    assert is_on_device(x * 2)


def test_the_block_ends_also_by_an_error():
    with pytest.raises(KeyError), tf.device("/CPU:0"):
        raise KeyError
    assert is_on_device(tf.constant(1.0))


def test_float64_and_int64_are_real_and_the_flag_is_not_touched():
    x = tf.constant(1.0, tf.float64) / 3
    assert x.dtype is tf.float64
    assert float(x) == 1 / 3
    big = tf.constant(2**40, tf.int64) + 1
    assert int(big) == 2**40 + 1
    assert jax.numpy.ones(1).dtype == np.float32
    assert not jax.config.jax_enable_x64


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8", "uint32", "bool", "complex64"])
def test_dtypes(dtype):
    x = tf.cast(tf.constant([0, 1, 1]), dtype)
    assert is_on_device(x)
    assert (x.dtype.name, x.numpy().dtype) == (dtype, tf.as_dtype(dtype).as_numpy_dtype)


# --- values --------------------------------------------------------------------------------------


def test_reading():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert repr(x) == (
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\n"
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)>"
    )
    assert str(tf.constant(2.5)) == "tf.Tensor(2.5, shape=(), dtype=float32)"
    own = x.numpy()
    own[0, 0] = 9  # a copy
    assert float(x[0, 0]) == 1
    assert (int(tf.constant(3)), bool(x[0, 0] > 0), len(x), x.shape.as_list()) == (
        3,
        True,
        2,
        [2, 2],
    )
    np.testing.assert_array_equal(np.asarray(x) + 1, [[2, 3], [4, 5]])
    np.testing.assert_array_equal(np.from_dlpack(x), x.numpy())
    assert [float(row[0]) for row in x] == [1, 3]
    assert is_on_device(copy.deepcopy(x))


def test_mixing_with_the_host():
    x = tf.constant([1.0, 2.0])
    with tf.device("/CPU:0"):
        y = tf.constant([10.0, 20.0])
    for z in (x + y, y + x, x + np.float32([10, 20]), tf.add([10.0, 20.0], x)):
        assert is_on_device(z)
        np.testing.assert_array_equal(z.numpy(), [11, 22])
    assert is_on_device(2 * x, x - 1, 1 / x, x**2, -x, x > 1)


def test_moving():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        there = tf.to_device(x, "/CPU:0")
        back = tf.to_device(there * 3, "/XLA:0")
    assert (there.device, x.cpu().device, back.device) == (HOST, HOST, DEVICE)
    assert tf.to_device(x, "/XLA:0") is x
    np.testing.assert_array_equal(tape.gradient(back, x).numpy(), [3, 3])


def test_the_same_random_numbers_as_on_the_host():
    def draw():
        tf.random.set_seed(7)
        return (
            tf.random.uniform([1000]),
            tf.random.uniform([9], dtype="float64"),
            tf.random.uniform([50], 3, 90, "int32"),
            tf.random.normal([1000]),
            tf.random.truncated_normal([1000]),
            tf.random.uniform([33], dtype="bfloat16"),
            tf.random.shuffle(tf.range(100)),
            tf.random.categorical([[0.0, 1.0, -1.0]], 50),
        )

    here = draw()
    assert is_on_device(*here)
    with tf.device("/CPU:0"):
        there = draw()
    for x, y in zip(here, there, strict=True):
        if x is here[3] or x is here[4]:
            np.testing.assert_allclose(x.numpy(), y.numpy(), rtol=2e-6, atol=1e-6)
        else:
            np.testing.assert_array_equal(x.numpy(), y.numpy())


# --- derivatives ---------------------------------------------------------------------------------


def test_first_and_second_order():
    x = tf.Variable([0.5, 1.5])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.sin(x) * x)
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    assert is_on_device(first, second)
    value = x.numpy()
    np.testing.assert_allclose(first, np.sin(value) + value * np.cos(value), rtol=1e-6)
    np.testing.assert_allclose(second, 2 * np.cos(value) - value * np.sin(value), rtol=1e-5)


def test_forward_mode_vmap_and_jacobian():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = x * x
    np.testing.assert_allclose(accumulator.jvp(y), [2, 4, 6])
    mapped = vmap(lambda row: tf.reduce_sum(row * row))(tf.reshape(tf.range(6.0), [2, 3]))
    assert is_on_device(accumulator.jvp(y), mapped)
    np.testing.assert_allclose(mapped, [5, 50])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
    np.testing.assert_allclose(tape.jacobian(y, x), np.diag([3, 12, 27]))


def test_a_tape_opened_before_the_device_was_named():
    with tf.device(None), tf.GradientTape() as tape:
        v = tf.Variable(2.0)
        with tf.device("/XLA:0"):
            x = tf.constant(3.0)
        y = v * x * x
    # On the device of v, the first, if that is not the host.
    assert y.device == (DEVICE if type(v) is tf.Variable else v.device)
    assert float(tape.gradient(y, v)) == 9


def test_rows_of_a_table():
    table = tf.Variable(np.ones((4, 2), np.float32))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1, 1, 3]))
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(tf.convert_to_tensor(gradient), [[0, 0], [2, 2], [0, 0], [1, 1]])


def test_threads_see_devices_too():
    x, result = tf.constant([1.0, 2.0]), []
    thread = threading.Thread(target=lambda: result.append(x + x))
    thread.start()
    thread.join()
    assert is_on_device(result[0])


# --- variables -----------------------------------------------------------------------------------


def test_variables_stay_where_they_are():
    v = tf.Variable([1.0, 2.0], name="v")
    assert (type(v), v.device) == (DeviceVariable, DEVICE)
    assert isinstance(v, tf.Variable)
    with tf.device("/CPU:0"):
        other = tf.constant([5.0, 6.0])
        w = tf.Variable([0.0, 0.0])
    v.assign(other)
    w.assign(v)
    assert (v.device, w.device) == (DEVICE, HOST)
    np.testing.assert_array_equal(w.numpy(), [5, 6])
    assert repr(v) == (
        "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([5., 6.], dtype=float32)>"
    )
    assert type(copy.deepcopy(v)) is DeviceVariable


def test_updates():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v.assign_add([[1.0, 1.0], [1.0, 1.0]])
    v.assign_sub(tf.ones([2, 2]))
    v[0, 1].assign(9.0)
    v.scatter_add(tf.IndexedSlices(tf.constant([[10.0, 10.0]]), tf.constant([1])))
    np.testing.assert_array_equal(v.numpy(), [[1, 9], [13, 14]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="the shapes must be the same"):
        v.assign_add([1.0, 2.0])
    with pytest.raises(ValueError, match="Shape mismatch"):
        v.assign([1.0])


def test_an_update_reuses_memory_only_where_nobody_can_see_it():
    with without_fusion():
        _update_twice()


def _update_twice():
    v, ones = tf.Variable(np.zeros(8, np.float32)), tf.ones([8])
    held = v._data
    kept = v.read_value()
    v.assign_add(ones)
    assert not held.is_deleted()
    np.testing.assert_array_equal(kept.numpy(), np.zeros(8))
    del held, kept
    before = v._data.unsafe_buffer_pointer()
    v.assign_add(ones)
    assert v._data.unsafe_buffer_pointer() == before
    np.testing.assert_array_equal(v.numpy(), np.full(8, 2))


def test_what_a_tape_keeps_survives_an_update():
    v = tf.Variable([3.0])
    with tf.GradientTape() as tape:
        y = v * v
    v.assign_add(tf.constant([1.0]))
    assert float(tape.gradient(y, v)) == 6


# --- programs ------------------------------------------------------------------------------------


def test_ops_are_compiled_once():
    x = tf.constant([1.0, 2.0, 3.0])
    EAGER.forget()
    for _ in range(3):
        x = tf.reduce_sum(tf.sin(x), keepdims=True) + x
    assert len(EAGER._ops) == 3


def test_precision_and_determinism_are_settings():
    assert tf.config.experimental.tensor_float_32_execution_enabled()
    x = tf.ones([4, 4])
    try:
        tf.config.experimental.enable_tensor_float_32_execution(False)
        tf.config.experimental.enable_op_determinism()
        assert xla.settings_key() == (False, True)
        program = jax.make_jaxpr(lambda x: xla.kernel("matmul")(x, x, False, False))(x._data)
        assert "HIGHEST" in str(program)
        np.testing.assert_array_equal(tf.matmul(x, x).numpy(), np.full((4, 4), 4))
    finally:
        tf.config.experimental.enable_tensor_float_32_execution(True)
        devices.set_options(deterministic=False)
    with jax.default_matmul_precision("default"):  # whatever the environment says
        program = jax.make_jaxpr(lambda x: xla.kernel("matmul")(x, x, False, False))(x._data)
    assert "HIGHEST" not in str(program)


def test_what_xla_lacks_runs_on_the_host_and_says_so_once(monkeypatch):
    monkeypatch.setattr("gradtape.backends.xla.kernels.host._announced", set())
    x = tf.constant([1.0, 2.0])
    with pytest.warns(
        xla.HostFallbackWarning, match="bessel_j0 runs on the host, in NumPy: XLA has"
    ):
        y = tf.math.special.bessel_j0(x)
    again = tf.math.special.bessel_j0(x)  # no second warning: pytest would raise it
    assert is_on_device(y, again)
    np.testing.assert_allclose(y, [0.7651977, 0.2238908], rtol=1e-6)


def test_a_compiled_function():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * v * x)
        v.assign_sub(0.1 * tape.gradient(y, v))
        return y

    x = tf.constant(3.0)
    assert [float(step(x)) for _ in range(2)] == pytest.approx([15, 15 * 0.16], rel=1e-5)
    assert is_on_device(step(x))
    assert v.device == DEVICE


# --- errors --------------------------------------------------------------------------------------


def test_shapes_that_do_not_fit():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integers to negative integer powers"):
        tf.constant([1, 2]) ** -1


@pytest.mark.parametrize("index", [3, -4])
def test_a_python_number_out_of_range_is_an_error(index):
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of"):
        tf.constant([1.0, 2.0, 3.0])[index]
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of"):
        tf.function(lambda x: x[index])(tf.constant([1.0, 2.0, 3.0]))


def test_wrong_indices_are_left_out_as_on_gpus():
    np.testing.assert_array_equal(tf.gather(tf.constant([1.0, 2.0]), [0, 5, -1]), [1, 0, 0])
    summed = tf.math.unsorted_segment_sum(tf.constant([1.0, 2.0, 4.0]), [0, 7, -1], 2)
    np.testing.assert_array_equal(summed, [1, 0])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits([1, 9], tf.zeros([2, 3]))
    assert np.isnan(loss.numpy()).tolist() == [False, True]


def test_out_of_memory_names_the_largest_tensors(monkeypatch):
    large = tf.ones([1024, 256])
    message = "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1 bytes."

    def exhausted(x, **params):
        raise jax.errors.JaxRuntimeError(message)

    monkeypatch.setitem(xla.KERNELS, "sin", exhausted)
    EAGER.forget()
    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        tf.sin(large)
    assert "sin: the device is out of memory with float32[1024, 256]." in str(caught.value)
    assert "the largest: " in str(caught.value)
    assert "float32[1024, 256], 1.0 MiB" in str(caught.value)
    monkeypatch.undo()
    EAGER.forget()
    assert is_on_device(tf.sin(large))  # the process goes on


def test_devices_that_are_not_there():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"no device /XLA:99: XLA has \d+ device"
    ):
        tf.device("/XLA:99")
    with pytest.raises(tf.errors.InvalidArgumentError, match="gradtape has one device /CPU:0"):
        tf.to_device(1.0, "/CPU:1")
    with pytest.raises(ValueError, match="names no device; write for instance '/GPU:0'"):
        tf.to_device(1.0, "/job:worker")


# --- a machine with a GPU, as far as it can be played --------------------------------------------


@pytest.fixture
def with_gpu(monkeypatch):
    gpu = devices.Device("GPU", 0)
    monkeypatch.setattr(devices, "accelerators", lambda: [gpu])
    monkeypatch.setattr(devices, "_jax_devices", lambda platform: jax.local_devices(backend="cpu"))
    devices._default.clear()
    with tf.device(None):
        yield gpu
    devices.hide(frozenset())


@pytest.mark.on_host("is about the device that is chosen by default")
def test_a_gpu_is_the_default_device(with_gpu):
    assert devices.default_device() == with_gpu
    assert type(tf.constant(1.0)) is DeviceTensor
    assert type(tf.Variable(1.0)) is DeviceVariable
    gpu = tf.config.list_physical_devices("GPU")[0]
    assert gpu.name == "/physical_device:GPU:0"
    assert [d.name for d in tf.config.list_logical_devices()] == ["/device:CPU:0", "/device:GPU:0"]
    with tf.device("/GPU:0"):
        assert devices.current() == with_gpu


@pytest.mark.on_host("is about the device that is chosen by default")
def test_a_hidden_gpu_is_not_used(with_gpu):
    tf.config.set_visible_devices([], "GPU")
    assert tf.config.get_visible_devices("GPU") == []
    assert len(tf.config.list_physical_devices("GPU")) == 1
    assert type(tf.constant(1.0)) is Tensor
    assert [d.device_type for d in tf.config.get_visible_devices()] == ["CPU"]


def test_memory_of_a_gpu(with_gpu, monkeypatch):
    gpu = tf.config.list_physical_devices("GPU")[0]
    monkeypatch.delenv("XLA_PYTHON_CLIENT_PREALLOCATE", raising=False)
    assert not tf.config.experimental.get_memory_growth(gpu)
    devices._default.clear()
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "true")
    tf.config.experimental.set_memory_growth(gpu, True)
    assert tf.config.experimental.get_memory_growth(gpu)
    assert set(tf.config.experimental.get_memory_info("GPU:0")) == {"current", "peak"}
    tf.constant(1.0)
    with pytest.raises(RuntimeError, match="cannot be modified after being initialized"):
        tf.config.experimental.set_memory_growth(gpu, False)
    with pytest.raises(ValueError, match="only GPUs and TPUs keep such statistics"):
        tf.config.experimental.get_memory_info("CPU:0")


def test_pipelines_stay_on_the_host():
    x = tf.constant([[1.0], [2.0], [3.0]])
    data = tf.data.Dataset.from_tensor_slices((x, [1, 2, 3]))
    data = data.map(lambda a, b: (a * tf.constant(2.0), b), num_parallel_calls=2).batch(2)
    result = list(data)
    assert [type(part) for pair in result for part in pair] == [Tensor] * 4
    assert all(isinstance(part._data, np.ndarray) for pair in result for part in pair)
    np.testing.assert_array_equal(result[1][0], [[6]])
    assert is_on_device(result[0][0] * x[0])


def test_tensors_on_two_devices_follow_the_first():
    """In a process whose host plays two devices."""
    program = (
        "import gradtape as tf\n"
        "with tf.device('/XLA:0'):\n"
        "    x = tf.constant([1.0, 2.0])\n"
        "with tf.device('/XLA:1'):\n"
        "    y, v = tf.constant([3.0, 4.0]), tf.Variable([0.0, 0.0])\n"
        "v.assign(x)\n"
        "for z in (x * y, y * x, v, tf.to_device(x, '/XLA:1')):\n"
        "    print(z.device[-5:], z.numpy())\n"
    )
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **flags},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "XLA:0 [3. 8.]",
        "XLA:1 [3. 8.]",
        "XLA:1 [1. 2.]",
        "XLA:1 [1. 2.]",
    ], done.stderr
