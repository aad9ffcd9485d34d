"""`gradtape plan --memory`: which layouts fit into a device, and with how many rows."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape.distribute.planning.layouts import Layout, Machine, most_rows, predict
from gradtape.distribute.planning.plan import compute_costs, trace_step

STEP = """
import gradtape as tf

w, v = tf.Variable(tf.zeros([100, 200])), tf.Variable(tf.zeros([200, 10]))

def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ w) @ v - y) ** 2)
    for variable, gradient in zip([w, v], tape.gradient(loss, [w, v])):
        variable.assign_sub(0.1 * gradient)

batch = (tf.zeros([16, 100]), tf.zeros([16, 10]))
"""


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "model.py").write_text(STEP, "utf-8")

    def run(*options: str) -> str:
        # A process of its own: in it, gradtape is TensorFlow, with its old names.
        command = [sys.executable, "-m", "gradtape", "plan", str(tmp_path / "model.py"), *options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.mark.parametrize("layout", [Layout(1, 1), Layout(2, 2), Layout(1, 4)])
@pytest.mark.parametrize("memory", [3e5, 1e6, 1e9])
def test_one_row_more_does_not_fit(layout, memory):
    w = tf.Variable(np.zeros((100, 200), np.float32))

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w) ** 2)
        w.assign_sub(tape.gradient(loss, w))

    traced = trace_step(step, (tf.zeros([16, 100])._spec(),))
    costs, machine = compute_costs(traced), Machine(1e12, 1e12, 1e12, memory)
    most = most_rows(traced, costs, layout, machine, 16)

    def needed(rows: int) -> float:
        return predict(traced, costs, layout, machine, 16, rows * layout.data).memory

    assert most
    assert needed(most) <= memory < needed(most + 1)


def test_without_a_limit_any_number_fits():
    def step(x):
        with tf.GradientTape() as tape:
            loss = w * w
        w.assign_sub(tape.gradient(loss, w))

    w = tf.Variable(1.0)
    traced = trace_step(step, (tf.constant(1.0)._spec(),))
    machine = Machine(1e12, 1e12, 1e12, math.inf)
    assert most_rows(traced, compute_costs(traced), Layout(1, 1), machine, 1) is None


def test_layouts_that_do_not_fit_are_named_with_a_batch_that_does(plan):
    text = plan("--devices", "2", "--memory", "190e3")
    assert "most rows: how many of the batch fit into the 185.5 KiB of a device." in text
    line = next(line for line in text.splitlines() if line.startswith("data 2 does not fit"))
    assert "are kept for the backward pass. There a batch of " in line
    assert line.endswith(" fits; tf.recompute_grad keeps less.")
    fitting = line.split("a batch of ")[1].split()[0]
    assert "does not fit" not in plan("--devices", "2", "--memory", "190e3", "--batch", fitting)


def test_parameters_that_do_not_fit_are_to_be_divided(plan):
    text = plan("--devices", "2", "--memory", "100e3")
    assert "No batch fits there: divide the parameters over more devices." in text


def test_without_the_option_nothing_is_said_of_fitting(plan):
    assert "most rows" not in plan("--devices", "2")
