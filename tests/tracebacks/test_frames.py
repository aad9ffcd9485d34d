"""Which frames a traceback shows: the user's, and none of gradtape's."""

from __future__ import annotations

import asyncio
import contextlib
import io
import linecache
import logging
import pdb
import subprocess
import sys
import threading
import traceback
from types import TracebackType

import numpy as np
import pytest

import gradtape as tf
from gradtape.core import tracebacks
from gradtape.core.tracebacks.except_clause import SUPPORTED
from gradtape.graph.obstacles import NeedsValue

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="tracebacks are complete on this Python")

A, B, V = tf.ones([2, 3]), tf.ones([2, 3]), tf.Variable([1.0, 2.0])


def used_tape():
    with tf.GradientTape() as tape:
        y = V * V
    tape.gradient(y, V)
    return tape


def watched(function):
    with tf.debug_nonfinite():
        return function()


@tf.custom_gradient
def no_pair(x):
    return x


@tf.function
def traced(x):
    return tf.matmul(x, x)


class Scaled(tf.Module):
    @tf.Module.with_name_scope
    def __call__(self, x):
        return tf.matmul(x, x)


# What fails, each written in one line here, and the text.
FAILURES = {
    "operator": (lambda: A + tf.ones([4]), "Incompatible shapes: [2, 3] vs. [4]"),
    "reflected operator": (lambda: np.ones([4], "f") + A, "Incompatible shapes"),
    "unary operator": (lambda: ~A, "bitwise_invert does not take"),
    "comparison": (lambda: tf.ones([4]) > A, "Incompatible shapes"),
    "index": (lambda: A[5], "slice index 5 of dimension 0 out of bounds"),
    "truth": (lambda: bool(A), "ambiguous"),
    "matmul": (lambda: tf.matmul(A, B), "Matrix size-incompatible"),
    "operator under debug_nonfinite": (lambda: watched(lambda: A / 0.0), "1 divided by 0"),
    "matmul operator": (lambda: A @ B, "Matrix size-incompatible"),
    "dtypes": (lambda: A + tf.constant([1, 2, 3]), "tf.cast(y, tf.float32)"),
    "function of NumPy's": (lambda: np.add(A, tf.ones([4])), "could not be broadcast"),
    "constant": (lambda: tf.constant("a", tf.float32), "Cannot convert 'a'"),
    "reshape": (lambda: tf.reshape(A, [5]), "6 values"),
    "axis": (lambda: tf.reduce_sum(A, axis=7), "axis 7 is out of range"),
    "composition": (lambda: tf.nn.conv2d(A, B, 1, "SAME"), "filters must have rank 4"),
    "dispatched": (lambda: tf.cast(A, "flot32"), "flot32"),
    "lazily loaded": (lambda: tf.signal.stft(A, "a", 3), "frame_length must be an integer"),
    "old name": (lambda: tf.compat.v1.squeeze(A, axis=[5]), "axis 5 is out of range"),
    "assign": (lambda: V.assign([1.0, 2.0, 3.0]), "Shape mismatch"),
    "new variable": (lambda: tf.Variable([1.0], shape=[3]), "Shape mismatch"),
    "gradient": (lambda: used_tape().gradient(V, V), "non-persistent"),
    "jacobian": (lambda: used_tape().jacobian(V, V), "non-persistent"),
    "accumulator": (lambda: tf.autodiff.ForwardAccumulator(V, A), "does not fit a primal"),
    "custom gradient": (lambda: no_pair(A), "must return a pair"),
    "grad": (lambda: tf.grad(lambda x: x)(A), "must give a scalar"),
    "vmap": (lambda: tf.vmap(lambda x, y: x)(A, tf.ones([3])), "different sizes"),
    "function": (lambda: traced(A), "Matrix size-incompatible"),
    "module": (lambda: Scaled()(A), "Matrix size-incompatible"),
    "dataset": (
        lambda: list(tf.data.Dataset.from_tensor_slices(A).batch(0)),
        "must be greater than zero",
    ),
    "map": (lambda: list(tf.data.Dataset.range(3).map(lambda x: tf.matmul(x, x))), "rank 2"),
    "missing name": (lambda: tf.redcue_sum, "Did you mean: 'reduce_sum'?"),
    "nested missing name": (lambda: tf.math.redcue_sum, "Did you mean: 'reduce_sum'?"),
    "sparse": (lambda: tf.sparse.to_dense(A), "must be a SparseTensor"),
    "ragged": (lambda: tf.ragged.constant([[[1]], [2]]), "same nesting depth"),
    "string": (lambda: tf.strings.to_number("x"), "could not correctly convert string: x"),
    "random": (lambda: tf.random.normal([2, "a"]), "must be a vector of integers"),
    "checkpoint": (lambda: tf.train.Checkpoint(v=V).restore("nowhere/ckpt-1"), "nowhere"),
}


def raised_by(function) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011 (any: its text is compared after it)
        function()
    return caught.value


def files_of(error) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def is_own(file: str) -> bool:
    return file.startswith((*tracebacks.FOLDERS, "<gradtape "))


@pytest.fixture
def unfiltered():
    tf.debugging.disable_traceback_filtering()
    yield
    tf.debugging.enable_traceback_filtering()


@pytest.mark.parametrize("name", FAILURES)
def test_the_last_frame_is_the_users_and_no_other_error_is_shown(name):
    function, words = FAILURES[name]
    error = raised_by(function)
    assert words in str(error)
    assert not any(map(is_own, files_of(error)))
    assert files_of(error)[-1] == __file__
    shown = "".join(traceback.format_exception(error))
    assert "During handling" not in shown
    assert "direct cause" not in shown
    assert type(error).__name__ in shown


@pytest.mark.parametrize(
    "name", ["matmul", "operator", "gradient", "function", "map", "dispatched"]
)
def test_frames_are_shown_when_filtering_is_disabled(name, unfiltered):
    error = raised_by(FAILURES[name][0])
    assert not tf.debugging.is_traceback_filtering_enabled()
    assert is_own(files_of(error)[-1])


@pytest.mark.on_host("the error is NumPy's")
def test_numpys_error_is_shown_when_filtering_is_disabled(unfiltered):
    shown = "".join(traceback.format_exception(raised_by(FAILURES["matmul"][0])))
    assert "not aligned" in shown
    assert "During handling" in shown


def test_the_switch():
    assert tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.disable_traceback_filtering()
    assert not tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.enable_traceback_filtering()
    assert tf.debugging.is_traceback_filtering_enabled()


# --- the user's own errors -----------------------------------------------------------------------


def callback(_):
    raise KeyError("the user's")


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.function(callback)(A),
        lambda: tf.vmap(callback)(A),
        lambda: tf.grad(callback)(A),
        lambda: tf.map_fn(callback, A),
        lambda: tf.nest.map_structure(callback, [1]),
        lambda: list(tf.data.Dataset.range(3).map(callback)),
        lambda: tf.custom_gradient(callback)(A),
        lambda: tf.cond(tf.constant(True), lambda: callback(1), lambda: 2),
    ],
)
def test_the_frames_of_a_callback_stay(call):
    error = raised_by(call)
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert names[-1] == "callback"
    assert not any(map(is_own, files_of(error)))


def test_libraries_that_a_callback_calls_stay():
    def parse(x):
        return np.linalg.inv(np.zeros([2, 3]))

    error = raised_by(lambda: tf.nest.map_structure(parse, [1]))
    assert "numpy" in files_of(error)[-1]


def test_an_error_that_the_user_was_handling_stays():
    def nested():
        try:
            int("x")
        except ValueError:
            tf.matmul(A, B)

    error = raised_by(nested)
    shown = "".join(traceback.format_exception(error))
    assert "invalid literal for int()" in shown
    assert "not aligned" not in shown
    assert shown.count("During handling") == 1


def test_an_explicit_cause_stays():
    def nested():
        try:
            tf.matmul(A, B)
        except ValueError as error:
            raise RuntimeError("mine") from error

    error = raised_by(nested)
    assert "direct cause" in "".join(traceback.format_exception(error))
    assert files_of(error.__cause__)[-1] == __file__


def test_an_interruption_keeps_the_users_line():
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        tf.nest.map_structure(interrupted, [1])
    assert not any(map(is_own, files_of(caught.value)))


# --- who shows them ------------------------------------------------------------------------------


def test_a_program_ends_in_its_own_line(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import gradtape as tf\n\ntf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))\n")
    command = [sys.executable, str(program)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    assert said[0] == "Traceback (most recent call last):"
    assert said[1] == f'  File "{program}", line 3, in <module>'
    assert said[2] == "    tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))"
    assert said[-1].startswith("gradtape.core.errors.ShapeError: MatMul: Matrix size-incompatible")
    assert len(said) <= 5  # with Python's marks under the line


def test_logging():
    stream = io.StringIO()
    logger = logging.Logger("test")
    logger.addHandler(logging.StreamHandler(stream))
    try:
        tf.matmul(A, B)
    except ValueError:
        logger.exception("failed")
    assert "tf.matmul(A, B)" in stream.getvalue()
    assert "gradtape/" not in stream.getvalue().replace(__file__, "")


def test_a_post_mortem_debugger_starts_in_the_users_frame():
    def mine():
        local = "here"
        return tf.matmul(A, local)

    error = raised_by(mine)
    output = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("p local\nq\n"), stdout=output, nosigint=True)
    debugger.use_rawinput = False
    debugger.reset()
    with contextlib.suppress(Exception):
        debugger.interaction(None, error.__traceback__)
    assert "'here'" in output.getvalue()


def test_threads(monkeypatch):
    caught = []
    monkeypatch.setattr(threading, "excepthook", lambda args: caught.append(args.exc_value))
    thread = threading.Thread(target=lambda: tf.matmul(A, B))
    thread.start()
    thread.join()
    assert files_of(caught[0])[-1] == __file__


def test_asyncio():
    async def task():
        await asyncio.sleep(0)
        tf.matmul(A, B)

    async def gathered():
        return await asyncio.gather(task(), return_exceptions=True)

    (error,) = asyncio.run(gathered())
    assert files_of(error) == [__file__]


def test_code_without_a_file_as_in_a_notebook():
    source = "import gradtape as tf\ntf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))\n"
    name = "<ipython-input-1>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    error = raised_by(lambda: exec(compile(source, name, "exec"), {"__name__": "__main__"}))
    assert files_of(error)[-1] == name


def test_a_debugger_sees_the_inner_frames_as_it_steps():
    """What traces while a function runs is told of gradtape's frames as before."""
    seen = set()

    def trace(frame, event, argument):
        if event == "exception":
            seen.add(frame.f_code.co_name)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with contextlib.suppress(ValueError):
            tf.reduce_sum(A, axis=7)
    finally:
        sys.settrace(before)
    assert "normalize_axis" in seen


def test_every_entry_has_a_line():
    """Instructions that Python adds (the end of a `with`) have none: the one before is shown."""

    def with_block():
        with contextlib.nullcontext():
            A + tf.ones([4])

    with pytest.raises(ValueError, match="Incompatible shapes") as caught:
        with_block()
    error = caught.value
    frame = error.__traceback__.tb_next.tb_frame
    assert frame.f_code is with_block.__code__
    offsets = range(0, len(frame.f_code.co_code), 2)
    bare = [TracebackType(None, frame, offset, -1) for offset in offsets]
    assert None in [entry.tb_lineno for entry in bare]
    first = with_block.__code__.co_firstlineno
    for entry in bare:
        line = tracebacks.joined([entry]).tb_lineno
        assert first <= line <= first + 2
        assert line == entry.tb_lineno or entry.tb_lineno is None
    error.__traceback__ = bare[-1]
    tracebacks.strip(error)
    pytest.ExceptionInfo.from_exception(error).getrepr()  # it asserts that there is a line


def test_what_ends_a_trace_is_not_shown():
    try:
        raise NeedsValue("a value")
    except NeedsValue as ending:
        reason = RuntimeError("gradtape's own, without frames of the program")
        reason.__context__ = ending
    error = ValueError("what the program sees")
    error.__context__, error.__suppress_context__ = reason, True
    tracebacks.strip(error)
    assert "NeedsValue" not in "".join(traceback.format_exception(error))
