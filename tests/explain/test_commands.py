"""`gradtape explain`, `view` and `check`: what they print, and their exit codes."""

import json
import re
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


def nothing(a):
    a * a


def whole(a):
    return tf.cast(a, tf.int32)


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
    assert done.stderr == (
        "gradtape explain: nothing.py: no such file. Name a .py or .ipynb file.\n"
    )
    done = gradtape("view", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "gradtape view: .: a folder. Name a .py or .ipynb file.\n"


def test_a_file_that_is_no_notebook(tmp_path):
    for text, reason in (("{}", "it has no cells."), ("hello", "it is not JSON (Expecting value")):
        (tmp_path / "odd.ipynb").write_text(text)
        done = gradtape("explain", "odd.ipynb", cwd=tmp_path)
        assert done.returncode == 2
        assert f"odd.ipynb is not a notebook: {reason}" in done.stderr
        assert "took no gradient" not in done.stderr


def test_explain_sees_jacobians_and_models(tmp_path):
    (tmp_path / "jacobian.py").write_text(
        "import tensorflow as tf\nx = tf.Variable([1.0, 2.0])\n"
        "with tf.GradientTape() as tape:\n    y = tf.round(x)\nprint(tape.jacobian(y, x))\n"
    )
    done = gradtape("explain", "jacobian.py", cwd=tmp_path)
    assert done.stdout == "None\n"
    assert "No gradient for `x`: the path to the target passes through `round`" in done.stderr


@pytest.mark.keras
def test_explain_names_the_weights_of_a_model(tmp_path):
    (tmp_path / "fit.py").write_text(
        "import numpy as np\nimport tensorflow as tf\n"
        "round = tf.keras.layers.Lambda(tf.round)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(2, name='first'), round,\n"
        "                             tf.keras.layers.Dense(1)])\n"
        "model.compile('sgd', 'mse')\n"
        "model.fit(np.ones((4, 3), 'f'), np.ones((4, 1), 'f'), verbose=0)\n"
    )
    done = gradtape("explain", "fit.py", cwd=tmp_path)
    assert done.returncode == 0
    assert "first/kernel' and 'sequential/first/bias': the path to the target pass" in done.stderr


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


def test_view_of_a_gradient_that_is_none(tmp_path):
    (tmp_path / "none.py").write_text(
        "import tensorflow as tf\nx = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.round(x * 2.0)\nprint(tape.gradient(y, x))\n"
    )
    done = gradtape("view", "none.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "None\n")
    assert "wrote tape.html" in done.stderr
    assert "No gradient reaches this target: the page shows everything" in done.stderr
    page = (tmp_path / "tape.html").read_text(encoding="utf-8")
    assert '"multiply"' in page
    assert "<title>none.py: gradient of y (call 1)</title>" in page
    assert '"headline":"No gradient for' in page
    assert "passes through `round`, which has no derivative" in page


def test_view_beside_a_page_that_was_written_before(script):
    gradtape("view", "-o", "old.html", script.name, cwd=script.parent)
    options = ("-o", "new.html", "--compare", "old.html")
    assert gradtape("view", *options, script.name, cwd=script.parent).returncode == 0
    page = (script.parent / "new.html").read_text(encoding="utf-8")
    earlier = page.split('<script id="earlier" type="application/json">')[1]
    assert earlier.startswith('{"title":"program.py: gradient of loss (call 1)"')
    done = gradtape("view", "--compare", script.name, script.name, cwd=script.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "gradtape view: --compare: cannot compare with 'program.py': it is no page" in done.stderr
    )


KERAS = """
import numpy as np
import tensorflow as tf

stack = [tf.keras.layers.Dense(4, name="first"), tf.keras.layers.Dense(1, name="last")]
model = tf.keras.Sequential(stack, name="net")
model.compile("sgd", "mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
"""


def test_view_of_a_fit_has_ops_in_their_layers(tmp_path):
    (tmp_path / "fit.py").write_text(KERAS)
    assert gradtape("view", "fit.py", cwd=tmp_path).returncode == 0
    page = (tmp_path / "tape.html").read_text(encoding="utf-8")
    assert "<title>fit.py: gradient of the loss in model.fit (call 1)</title>" in page
    layers = re.search(r'"layers":(\[.*?\])', page)[1]
    assert json.loads(layers)[:2] == ["net/first", "net/last"]
    assert "net/first/kernel" in page


def test_view_of_a_call_that_does_not_happen(script):
    done = gradtape("view", "--call", "9", script.name, cwd=script.parent)
    assert done.returncode == 1
    assert "the program took 2 gradients, and call 9 was asked for" in done.stderr
    done = gradtape("view", "--call", "0", script.name, cwd=script.parent)
    assert done.returncode == 2
    assert "give a whole number of 1 or more" in done.stderr


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("no/page.html", "no folder 'no'"),
        (".", "'.' is a folder"),
        ("", "the name of the page is empty"),
    ],
)
def test_view_into_what_is_no_file_is_refused_before_the_program_runs(script, output, text):
    done = gradtape("view", "-o", output, script.name, cwd=script.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gradtape view: --output: {text}. Name a file to write.\n"


def test_check_of_right_derivatives(script):
    done = gradtape("check", f"{script.name}:right", "--order", "2", cwd=script.parent)
    assert done.returncode == 0
    assert "right: the derivatives of the first 2 orders agree" in done.stdout


def test_check_at_given_values(script):
    arguments = ("--at", "[1.0, 2.0]", "--at", "0.5")
    done = gradtape("check", f"{script.name}:right", *arguments, cwd=script.parent)
    assert done.returncode == 0
    assert "[1.0, 2.0], 0.5" in done.stdout
    done = gradtape("check", f"{script.name}:right", "--at", "1", "--at", "2", cwd=script.parent)
    assert (done.returncode, "at 1.0, 2.0." in done.stdout) == (0, True)


def test_check_of_a_wrong_derivative(script):
    done = gradtape("check", f"{script.name}:wrong", cwd=script.parent)
    assert done.returncode == 1
    assert "disagrees with central differences" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["program.py"], "say which function, as in script.py:function"),
        (["nothing.py:f"], "nothing.py: no such file."),
        (["program.py:f"], "has no function 'f'. Its functions are: right, nothing, whole, wrong."),
        (["program.py:right", "--at", "x"], "--at x: give a number or a list of numbers"),
        (["program.py:right", "--shape", "a"], "--shape a: give sizes separated by commas"),
        (["program.py:right", "--at", "1.0"], "right could not be computed at 1.0: TypeError"),
        (["bad.py:f"], "bad.py:1: the file ends with ZeroDivisionError: division by zero"),
        (["odd.py:f"], "odd.py:1: "),
        (["null.py:f"], "null.py: source code string cannot contain null bytes."),
        ([".:f"], ".: a folder."),
        (["note.ipynb:f"], "note.ipynb: name a .py file."),
        (["program.py:right", "--shape=-1"], "--shape -1: a size cannot be negative."),
        (["program.py:nothing"], "nothing gave None; only floating point tensors have derivat"),
        (["program.py:whole"], "whole gave a tensor of dtype int32; only floating point tens"),
    ],
)
def test_mistakes_are_told_without_a_traceback(script, arguments, text):
    (script.parent / "bad.py").write_text("1 / 0\n")
    (script.parent / "odd.py").write_text("def f(:\n")
    (script.parent / "null.py").write_bytes(b"\0")
    (script.parent / "note.ipynb").write_text("{}")
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
