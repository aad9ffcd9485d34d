"""A tape on a device answers what a tape on the CPU answers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

PROGRAM = """
import gradtape as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([[0.0, 1.0], [0.5, 2.0]], name="w")
with tf.GradientTape(persistent=True) as tape, tf.name_scope("part"):
    hidden = tf.nn.softmax(x @ w)
    loss = tf.reduce_mean(hidden[:, 0] ** 2) + tf.reduce_sum(tf.math.log(w))
print(type(loss).__name__)
memory, profile = tape.memory(), tape.profile(loss)
print(memory.total_bytes > 0, [share.name for share in memory.by_layer])
print(len(profile.ops), profile.backward > 0)
print(str(tape.find_nonfinite(loss)).splitlines()[0])
print(len(tape.to_html(target=loss)) > 10_000)
try:
    with tf.debug_nonfinite(), tf.name_scope("logarithm"):
        tf.math.log(w - 1.0)
except tf.NonFiniteError as error:
    print(error.finding.op, error.finding.location.layer)
"""


def test_reports_findings_and_pages_of_a_tape_on_a_device():
    printed = {}
    for device in ("CPU:0", "XLA:0"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "GRADTAPE_DEVICE": device, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed[device] = done.stdout.splitlines()
    kind, *answers = printed["XLA:0"]
    assert kind != "Tensor"  # it was on the device
    assert answers == printed["CPU:0"][1:]
    assert answers[2:] == [
        "The value of `log` is not finite: the logarithm of 0.",
        "True",
        "log logarithm",
    ]
