"""Machines without JAX, with a JAX that is too old, or without a GPU: what a program is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

NO_JAX = "import sys; sys.modules['jax'] = None\n"
OLD_JAX = (
    "import sys, types; jax = types.ModuleType('jax'); jax.__version__ = '0.4.1'\n"
    "jax.__version_info__ = (0, 4, 1); sys.modules['jax'] = jax\n"
    "import importlib.machinery; jax.__spec__ = importlib.machinery.ModuleSpec('jax', None)\n"
)
START = (
    "import gradtape as tf\ntry:\n    {}\nexcept Exception as e:\n    print(type(e).__name__, e)"
)


def shown(program: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("ask", ["tf.device('/XLA:0').__enter__()", "tf.to_device(1.0, '/XLA:0')"])
def test_without_jax_it_says_what_to_install(ask):
    text = shown(NO_JAX + START.format(ask))
    assert "ImportError gradtape computes on GPUs, TPUs and XLA devices with JAX" in text
    assert 'pip install "gradtape[xla]"' in text
    assert "jax[cuda13]" in text


def test_an_old_jax_is_named():
    text = shown(OLD_JAX + START.format("tf.to_device(1.0, '/XLA:0')"))
    assert "gradtape needs JAX 0.5.0 or newer for XLA devices; this is JAX 0.4.1." in text
    assert 'pip install "gradtape[xla]"' in text


def test_a_gpu_that_is_not_there():
    text = shown(START.format("tf.to_device(1.0, '/GPU:0')"), CUDA_VISIBLE_DEVICES="")
    assert "InvalidArgumentError There is no device /GPU:0: " in text
    assert "Devices here: /CPU:0." in text


def test_soft_placement_runs_on_the_host_and_says_so_once():
    program = (
        "import gradtape as tf\n"
        "for _ in range(2):\n"
        "    with tf.device('/GPU:0'):\n"
        "        print(tf.constant(1.0).device)"
    )
    text = shown(program, CUDA_VISIBLE_DEVICES="")
    assert text.count("device:CPU:0") == 2
    assert text.count("Ops run on the host.") == 1


def test_hard_placement_is_an_error():
    program = "tf.config.set_soft_device_placement(False); tf.device('/GPU:0')"
    text = shown(START.format(program), CUDA_VISIBLE_DEVICES="")
    assert "InvalidArgumentError There is no device /GPU:0" in text


def test_naming_the_cpu_does_not_import_jax():
    program = (
        "import sys, gradtape as tf\n"
        "with tf.device('/CPU:0'):\n"
        "    x = tf.Variable([1.0]) + 1\n"
        "tf.config.list_physical_devices(); tf.config.list_logical_devices('GPU')\n"
        "print(x.device, 'jax' in sys.modules)"
    )
    text = shown(program, CUDA_VISIBLE_DEVICES="")
    assert "device:CPU:0 False" in text


def test_devices_of_the_cpu_that_are_not_there():
    program = (
        "import gradtape as tf\n"
        "cpu = tf.config.list_physical_devices('CPU')[0]\n"
        "parts = [tf.config.LogicalDeviceConfiguration()] * {}\n"
        "tf.config.set_logical_device_configuration(cpu, parts)\n"
        "print(tf.distribute.MirroredStrategy().num_replicas_in_sync, 'replica')"
    )
    text = shown(NO_JAX + program.format(4))
    assert "4 devices were asked for" in text
    assert 'To have them: pip install "gradtape[xla]".' in text
    assert "1 replica" in text
    assert "asked for" not in shown(NO_JAX + program.format(1))
