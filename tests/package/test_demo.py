"""What `make demo` shows is true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture(scope="module")
def output():
    command = [sys.executable, str(DEMO)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout


def test_demo_shows_the_true_derivatives(output):
    assert "dy/dx = tf.Tensor(6.0, shape=(), dtype=float32)" in output
    assert "[[0. 2.]\n [1. 1.]]" in output
    assert "[[ 802. -400.]\n [-400.  200.]]" in output
    assert re.search(r"by the chain rule:\s+nan", output)
    assert re.search(r"custom gradient:\s+1\.0", output)


def test_demo_learns_the_digits(output):
    reached = re.search(r"Reached ([\d.]+)% accuracy", output)
    assert reached is not None, output
    assert float(reached.group(1)) > 96
