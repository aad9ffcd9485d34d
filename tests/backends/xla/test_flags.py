"""The flags of JAX that gradtape sets are those of a call: nothing leaves them set.

And an interrupt is not lost in what JAX has the garbage collector call, nor while it compiles.
"""

import gc
import threading
from types import FunctionType

import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax
import numpy as np

import gradtape as tf
from gradtape.backends.native.extension import extension
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.runtime.op_program import OpProgram
from gradtape.core.primitive import PRIMITIVES
from tests.racing import interrupt


def flags():
    return jax.config.jax_enable_x64, jax.config.jax_default_device


def raise_error():
    raise ValueError("from inside")


def test_a_flag_holds_for_a_call():
    device = jax.devices("cpu")[0]
    before = flags()
    assert xla.exactly(flags) == (True, None)
    assert xla.exactly(xla.holding, jax.default_device, device, flags) == (True, device)
    with pytest.raises(ValueError, match="from inside"):
        xla.exactly(raise_error)
    assert flags() == before == (False, None)


def test_a_flag_of_the_program_s_own_is_kept():
    with jax.enable_x64(False):
        assert xla.exactly(flags)[0]
        assert not jax.config.jax_enable_x64
    with jax.enable_x64(True):
        xla.holding(jax.enable_x64, False, flags)
        assert jax.config.jax_enable_x64


def test_decorated_functions_keep_their_names():
    @xla.exact
    def enabled(x):
        """Return what is enabled."""
        return x, jax.config.jax_enable_x64

    assert enabled(3) == (3, True)
    assert (enabled.__name__, enabled.__doc__) == ("enabled", "Return what is enabled.")


@pytest.mark.parametrize("rounds", [300, pytest.param(3000, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_no_flag_set(rounds):
    def step():
        for _ in range(100):
            xla.exactly(flags)
            xla.holding(jax.default_device, None, xla.exactly, flags)

    def check():
        assert flags() == (False, None)

    interrupt(step, check, rounds)


@pytest.mark.skipif(extension is None, reason="what calls it is in C")
def test_no_callback_of_the_collector_swallows_an_interrupt():
    modules = [each.__module__ for each in gc.callbacks if type(each) is FunctionType]
    assert not any(module.startswith("jax") for module in modules)


def test_jax_compiles_ops_where_no_interrupt_arrives():
    """Its own code has `except:` here and there: an interrupt would be lost in it."""
    threads = []

    def kernel(x, scale):
        threads.append(threading.current_thread())
        return x * scale

    program = OpProgram(PRIMITIVES["square"], kernel, {"scale": 3.0})
    for x, count in ((1.0, 1), (2.0, 1), ([1.0, 2.0], 2), ([3.0, 4.0], 2)):
        array = jax.device_put(np.array(x, np.float32), jax.devices("cpu")[0])
        for given in (array, np.asarray(array)):
            made = xla.exactly(program.run, given)
            np.testing.assert_array_equal(made, np.multiply(x, 3.0))
        assert len(threads) == count
    assert threading.main_thread() not in threads


def test_jax_compiles_functions_where_no_interrupt_arrives(monkeypatch):
    threads, kernel = [], xla.KERNELS["sinh"]

    def recorded(x):
        threads.append(threading.current_thread())
        return kernel(x)

    monkeypatch.setitem(xla.KERNELS, "sinh", recorded)
    function = tf.function(lambda x: tf.sinh(x) * 2, jit_compile=True)
    np.testing.assert_allclose(function(tf.ones(3)), np.full(3, 2 * np.sinh(1)), rtol=1e-6)
    assert threads
    assert threading.main_thread() not in threads


def test_jax_compiles_updates_where_no_interrupt_arrives(monkeypatch):
    threads, find = [], xla.kernel

    def recorded(name):
        def kernel(*arrays, **params):
            threads.append(threading.current_thread())
            return find(name)(*arrays, **params)

        return kernel

    with tf.device("/XLA:0"):
        v = tf.Variable(tf.zeros((7, 13)))
        rows = tf.IndexedSlices(tf.ones((2, 13)), tf.constant([1, 3]))
        monkeypatch.setattr(xla, "kernel", recorded)
        v.scatter_add(rows)
        v.scatter_add(rows)
    assert v.numpy()[:, 0].tolist() == [0, 2, 0, 2, 0, 0, 0]
    assert threads
    assert threading.main_thread() not in threads
