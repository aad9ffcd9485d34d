"""`gradtape run` is `python program.py`, with gradtape as TensorFlow."""

import contextlib
import json
import signal
import subprocess
import sys

import pytest


def test_a_program_runs_unchanged(folder):
    out = folder.prints(
        """
        import tensorflow as tf
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x**2
        print(tape.gradient(y, x))
        """
    )
    assert out == "tf.Tensor(6.0, shape=(), dtype=float32)\n"


def test_the_surroundings_are_those_of_python(folder):
    text = """
        import json, os, pickle, sys
        class Thing: pass
        print(json.dumps([
            sys.argv, sys.path[0], __name__, __file__, __package__, __spec__, __doc__,
            os.getcwd(), sys.modules["__main__"].__dict__ is globals(),
            type(pickle.loads(pickle.dumps(Thing()))).__name__,
            sorted(name for name in globals() if name.startswith("__")),
        ]))
        """
    folder.write("inside/program.py", text)
    arguments = ["inside/program.py", "-x", "--help", "--", "1"]
    plain = subprocess.run(
        [sys.executable, *arguments], cwd=folder.path, capture_output=True, text=True, check=True
    )
    finished = folder.gradtape("run", "--", *arguments)
    assert finished.returncode == 0, finished.stderr
    expected = json.loads(plain.stdout)
    assert expected[0] == arguments
    assert json.loads(finished.stdout) == expected


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit('no luck')", 1, "no luck\n"),
        ("raise SystemExit(3)", 3, ""),
        ("import os; os._exit(4)", 4, ""),
        ("import atexit, sys; atexit.register(print, 'bye', file=sys.stderr)", 0, "bye\n"),
    ],
)
def test_the_exit_code_is_the_program_s(folder, text, code, words):
    finished = folder.run(text)
    assert (finished.returncode, finished.stderr) == (code, words)


INTERRUPT = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nprint('went on')"


@contextlib.contextmanager
def processes_that_take_interrupts_as(handler):
    """Start processes with SIGINT ignored, or not, whichever way the tests were started."""
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_interrupting_ends_the_process_as_python_does(folder):
    with processes_that_take_interrupts_as(signal.default_int_handler):
        finished = folder.run(INTERRUPT)
    assert (finished.returncode, finished.stdout) == (-signal.SIGINT, "")
    assert finished.stderr.startswith("Traceback (most recent call last):")
    assert "cli" not in finished.stderr
    assert finished.stderr.endswith("KeyboardInterrupt\n")


def test_an_interrupt_that_the_shell_has_ignored_stays_ignored(folder):
    with processes_that_take_interrupts_as(signal.SIG_IGN):
        finished = folder.run(INTERRUPT)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "went on\n", "")


def test_a_traceback_has_the_user_s_frames_only(folder):
    folder.write(
        "helper.py",
        """
        import tensorflow as tf
        def product():
            return tf.matmul([[1.0]], [[1.0], [2.0]])
        """,
    )
    finished = folder.run("import helper\ndef main():\n    helper.product()\nmain()")
    assert finished.returncode == 1
    lines = finished.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    frames = [line for line in lines if line.startswith("  File ")]
    assert [frame.split(", ", 1)[1] for frame in frames] == [
        "line 4, in <module>",
        "line 3, in main",
        "line 4, in product",
    ]
    assert "MatMul" in lines[-1]
    assert "During handling" not in finished.stderr


def test_a_full_traceback_on_request(folder):
    folder.write("program.py", "import tensorflow as tf\ntf.matmul([[1.0]], [[1.0], [2.0]])")
    finished = folder.gradtape("run", "--full-traceback", "program.py")
    assert finished.returncode == 1
    assert "gradtape" in finished.stderr.split("MatMul")[0]


def test_an_error_in_code_that_the_program_imports(folder):
    folder.write("broken.py", "x = = 1")
    finished = folder.run("import broken")
    assert finished.returncode == 1
    assert "SyntaxError: invalid syntax" in finished.stderr
    assert "cli" not in finished.stderr


def test_a_syntax_error(folder):
    finished = folder.run("x = = 1")
    assert finished.returncode == 1
    assert finished.stderr.splitlines()[0].endswith('program.py", line 1')
    assert finished.stderr.splitlines()[-1] == "SyntaxError: invalid syntax"


def test_causes_and_contexts_of_the_program_stay(folder):
    finished = folder.run(
        """
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise ValueError("second") from error
        """
    )
    assert "ZeroDivisionError" in finished.stderr
    assert "direct cause" in finished.stderr


def test_the_program_s_own_hook_for_errors_is_called(folder):
    finished = folder.run(
        """
        import sys, traceback
        def hook(kind, error, trace):
            print(kind.__name__, error, [f.name for f in traceback.extract_tb(trace)])
        sys.excepthook = hook
        raise ValueError("mine")
        """
    )
    assert (finished.returncode, finished.stdout) == (1, "ValueError mine ['<module>']\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "import tensorflow as tf\n\ntf.math.zzyzx(1)",
            "3: gradtape does not have tf.math.zzyzx.",
        ),
        ("import tensorflow as tf\ntf.zzyzx", "2: gradtape does not have tf.zzyzx."),
        ("from tensorflow import zzyzx", "1: gradtape does not have tf.zzyzx."),
        ("from tensorflow.linalg import zzyzx", "1: gradtape does not have tf.linalg.zzyzx."),
        ("import tensorflow.zzyzx.more", "1: gradtape has no module tensorflow.zzyzx.more."),
        (
            "import tensorflow as tf\ntf.reduce_sums([1])",
            "2: gradtape does not have tf.reduce_sums. Did you mean: 'reduce_sum'?",
        ),
    ],
)
def test_a_missing_name_gives_one_line(folder, text, line):
    finished = folder.run(text)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert finished.stderr == f"program.py:{line}\n"


def test_a_missing_name_in_a_local_module(folder):
    folder.write("parts/helper.py", "import tensorflow as tf\n\nvalue = tf.zzyzx\n")
    finished = folder.run("from parts import helper")
    assert finished.returncode == 1
    assert finished.stderr == "parts/helper.py:3: gradtape does not have tf.zzyzx.\n"


def test_a_name_that_is_left_out_gives_the_reason(folder):
    finished = folder.run("import tensorflow as tf\ntf.graph_util.import_graph_def(None)")
    assert finished.returncode == 1
    assert finished.stderr.startswith("program.py:2: tf.graph_util is left out of gradtape: ")
    assert len(finished.stderr.splitlines()) == 1


def test_a_program_may_catch_what_is_missing(folder):
    out = folder.prints(
        """
        import tensorflow as tf
        print(hasattr(tf, "zzyzx"), getattr(tf.math, "zzyzx", None))
        try:
            from tensorflow import zzyzx
        except ImportError as error:
            print(error)
        try:
            import tensorflow.zzyzx
        except ModuleNotFoundError as error:
            print(error.name)
        """
    )
    assert out.splitlines() == [
        "False None",
        "gradtape does not have tf.zzyzx.",
        "tensorflow.zzyzx",
    ]


def test_other_missing_attributes_are_errors_of_the_program(folder):
    finished = folder.run("import json\njson.zzyzx")
    assert finished.stderr.startswith("Traceback")
    assert "module 'json' has no attribute 'zzyzx'" in finished.stderr
