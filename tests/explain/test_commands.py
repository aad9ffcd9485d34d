"""`gradtape explain`, `view` and `check`: what they print, and their exit codes."""

import subprocess
import sys

import pytest

PROGRAM = """\
import sys
import tensorflow as tf

w = tf.Variable(2.0, name="w")
for step in range(2):
    with tf.GradientTape() as tape:
        loss = w * w
    g = tape.gradient(loss, w)
    print(step, g is None)
    if g is not None:
        w = w - 0.1 * g
if "--fail" in sys.argv:
    sys.exit(3)


def right(a, b):
    return tf.reduce_sum(a * tf.sin(b))


def wrong(a):
    return tf.reduce_sum(tf.stop_gradient(a) * a)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def gradtape(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "gradtape", *map(str, arguments)],
        env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_explain_tells_why_a_gradient_is_none(script):
    done = gradtape("explain", script.name, cwd=script.parent)
    assert done.returncode == 0
    assert done.stdout == "0 False\n1 True\n"
    assert done.stderr.startswith(
        "gradtape explain: No gradient for `w`: the name no longer stands for the variable"
    )
    assert "program.py:11" in done.stderr
    assert "w = w - 0.1 * g" in done.stderr


def test_explain_keeps_the_exit_code_and_the_arguments(script):
    assert gradtape("explain", script.name, "--fail", cwd=script.parent).returncode == 3


def test_explain_says_so_where_nothing_is_none(tmp_path):
    (tmp_path / "good.py").write_text(
        "import tensorflow as tf\nx = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)\n"
    )
    done = gradtape("explain", "good.py", cwd=tmp_path)
    assert done.stderr == "gradtape explain: 1 gradient call, and no gradient was None.\n"
    (tmp_path / "none.py").write_text("print(1)\n")
    done = gradtape("explain", "none.py", cwd=tmp_path)
    assert done.stderr == "gradtape explain: the program took no gradient.\n"


def test_explain_of_a_missing_file(tmp_path):
    done = gradtape("explain", "nothing.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "nothing.py: no such file" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_script_that_raises_shows_its_own_error(tmp_path):
    (tmp_path / "bad.py").write_text("1 / 0\n")
    done = gradtape("explain", "bad.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "gradtape/cli" not in done.stderr


def test_view_writes_the_page(script):
    done = gradtape("view", "-o", "page.html", script.name, cwd=script.parent)
    assert done.returncode == 0
    assert "gradtape view: wrote page.html, the tape of gradient call 1." in done.stderr
    assert '"multiply"' in (script.parent / "page.html").read_text(encoding="utf-8")


def test_view_of_a_call_that_does_not_happen(script):
    done = gradtape("view", "--call", "9", script.name, cwd=script.parent)
    assert done.returncode == 1
    assert "the program took 2 gradients, and call 9 was asked for" in done.stderr
    done = gradtape("view", "--call", "0", script.name, cwd=script.parent)
    assert done.returncode == 2
    assert "give a whole number of 1 or more" in done.stderr


def test_view_into_a_folder_that_is_not_there(script):
    done = gradtape("view", "-o", "no/page.html", script.name, cwd=script.parent)
    assert "gradtape view: no page was written" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_of_right_derivatives(script):
    done = gradtape("check", f"{script.name}:right", "--order", "2", cwd=script.parent)
    assert done.returncode == 0
    assert "right: the derivatives of the first 2 orders agree" in done.stdout


def test_check_at_given_values(script):
    arguments = ("--at", "[1.0, 2.0]", "--at", "0.5")
    done = gradtape("check", f"{script.name}:right", *arguments, cwd=script.parent)
    assert done.returncode == 0
    assert "[1.0, 2.0], 0.5" in done.stdout


def test_check_of_a_wrong_derivative(script):
    done = gradtape("check", f"{script.name}:wrong", cwd=script.parent)
    assert done.returncode == 1
    assert "disagrees with central differences" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["program.py"], "say which function, as in script.py:function"),
        (["nothing.py:f"], "nothing.py: no such file."),
        (["program.py:f"], "has no function 'f'. Its functions are: right, wrong."),
        (["program.py:right", "--at", "x"], "--at x: give a number or a list of numbers"),
        (["program.py:right", "--shape", "a"], "--shape a: give sizes separated by commas"),
        (["program.py:right", "--at", "1.0"], "right could not be computed at 1.0: TypeError"),
        (["bad.py:f"], "bad.py:1: the file ends with ZeroDivisionError: division by zero"),
        (["odd.py:f"], "odd.py:1: "),
    ],
)
def test_mistakes_are_told_without_a_traceback(script, arguments, text):
    (script.parent / "bad.py").write_text("1 / 0\n")
    (script.parent / "odd.py").write_text("def f(:\n")
    done = gradtape("check", *arguments, cwd=script.parent)
    assert done.returncode == 2
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_help_has_examples_and_exit_codes(tmp_path):
    for command in ("explain", "view", "check"):
        done = gradtape(command, "--help", cwd=tmp_path)
        assert done.returncode == 0
        assert "examples:" in done.stdout
        assert "exit codes:" in done.stdout
