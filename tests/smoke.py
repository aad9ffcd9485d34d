"""A short check of an installed gradtape, for wheels: `python tests/smoke.py [--pure]`.

Trains a small network and compares some gradients with their formulas. `--pure`: there must be no
native extension, as where no compiler was found; otherwise there must be one.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import numpy as np

import gradtape as tf
from gradtape.backends.native import kernels as native


def check_where_it_is() -> None:
    installed = Path(sysconfig.get_path("platlib")).resolve()
    assert installed in Path(tf.__file__).resolve().parents, f"{tf.__file__} is not installed"
    expected = "--pure" not in sys.argv[1:]
    assert (native.extension is not None) == expected, native.status()
    print(native.status())


def check_gradients() -> None:
    values = np.random.default_rng(0).standard_normal(300_000).astype(np.float32)
    x = tf.Variable(values)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(-x * x) * tf.sin(3.0 * x))
    wide = values.astype(np.float64)
    bell = np.exp(-(wide**2))
    slope = bell * (3 * np.cos(3 * wide) - 2 * wide * np.sin(3 * wide))
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), slope, rtol=0, atol=2e-6)
    np.testing.assert_allclose(y.numpy(), np.sum(bell * np.sin(3 * wide)), rtol=1e-3)


def check_training() -> None:
    random = np.random.default_rng(1)
    images = tf.constant(random.standard_normal((64, 8, 8, 1)), tf.float32)
    wanted = tf.reduce_mean(images, (1, 2, 3))
    kernel = tf.Variable(0.3 * random.standard_normal((3, 3, 1, 4)), dtype=tf.float32)
    weights = tf.Variable(0.1 * random.standard_normal((4 * 6 * 6, 1)), dtype=tf.float32)
    losses = []
    for _ in range(30):
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.nn.conv2d(images, kernel, 1, "VALID"))
            result = tf.reshape(hidden, (64, -1)) @ weights
            loss = tf.reduce_mean(tf.square(result[:, 0] - wanted))
        for variable, gradient in zip(
            (kernel, weights), tape.gradient(loss, (kernel, weights)), strict=True
        ):
            variable.assign_sub(0.05 * gradient)
        losses.append(float(loss))
    assert losses[-1] < 0.2 * losses[0], losses


if __name__ == "__main__":
    check_where_it_is()
    check_gradients()
    check_training()
    print("gradtape", tf.__version__, "works")
