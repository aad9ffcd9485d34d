"""What `make demo` shows is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "pages" / "tape.html"


@pytest.fixture(scope="module")
def output(page):
    command = [sys.executable, str(DEMO), str(page)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout


def test_demo_shows_the_true_derivatives(output):
    assert "dy/dx = tf.Tensor(6.0, shape=(), dtype=float32)" in output
    assert "[[ 802. -400.]\n [-400.  200.]]" in output


def test_demo_explains_what_is_missing_or_nan(output):
    assert "No gradient for `w`: the path to the target passes through the dtype int32" in output
    assert "steps = tf.cast(w * 1.5, tf.int32)" in output
    assert "d length/dx = [nan nan]" in output
    assert "The derivative of `sqrt` is not finite: the slope of the norm at 0." in output


def test_demo_learns_the_digits(output):
    reached = re.search(r"Reached ([\d.]+)% accuracy", output)
    assert reached is not None, output
    assert float(reached.group(1)) > 96


def test_demo_draws_the_losses_once_where_there_is_no_terminal(output):
    assert output.count("└─") == 1
    assert output.count("   │█") == 8
    assert "\x1b" not in output


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX systems")
def test_demo_draws_them_again_and_again_in_a_terminal(tmp_path):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, str(DEMO), str(tmp_path / "tape.html")]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how the end is told
            pass
        os.close(ours)
        assert process.wait() == 0
    assert shown.decode().count("\x1b[9A") > 1


def test_demo_writes_a_page(output, page):
    assert f"is on a page: {page}" in output
    assert "conv2d" in page.read_text("utf-8")


def test_demo_says_what_to_try_next(output):
    tried = re.findall(r"^   gradtape (\w+)", output, re.M)
    assert tried == ["run", "explain", "doctor"]
