"""Python's control flow on tensors becomes ops of the graph, with TensorFlow's results."""

from __future__ import annotations

import importlib
import inspect
import json
import logging
import sys
import tempfile
import traceback
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape.api.autograph import verbosity
from tests.autograph import cases
from tests.graph.branching import PROGRAMS
from tests.graph.branching import results as results_of_program

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
# TensorFlow refuses these. Some are traced here, and some run eagerly; all give Python's results.
TRACED_HERE = {
    "assertion",
    "bare_return",
    "dataset_in_epochs",
    "enumerate_rows",
    "max_and_min_of_python",
    "next_of_an_iterator",
    "return_after_a_loop_with_break",
    "shape_grows_in_the_loop",
    "while_true_with_break",
    "while_with_break",
    "zip_rows",
}
EAGER_HERE = {
    "else_of_while",
    "for_with_return",
    "nested_conditional_expression",
    "return_in_a_while_loop",
}
# TensorFlow has no gradient of a loop over a dataset, and gives None.
WITHOUT_GRADIENT = {name for name in cases.CASES if name.startswith("dataset_")} - TRACED_HERE
# XLA has no gradient of a loop whose number of iterations is known only at run time.
needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")


def runs_eagerly(caplog) -> bool:
    return "runs eagerly" in caplog.text


def slopes(results):
    """The gradients among the results of cases.results, with 0 where there is none."""
    return [[["float32", [], ["0"]] if g is None else g for g in each] for each in results[0][1::2]]


def as_json(value):
    return json.loads(json.dumps(cases.plain(value)))


def test_every_case_is_recorded():
    assert RECORDED.keys() == cases.CASES.keys()
    refused = {name for name, outcome in RECORDED.items() if "error" in outcome}
    assert refused > TRACED_HERE | EAGER_HERE


@pytest.mark.parametrize("name", [n for n in cases.CASES if n not in TRACED_HERE | EAGER_HERE])
def test_as_tensorflow(name, caplog):
    expected = RECORDED[name]
    if "error" in expected:
        with pytest.raises((TypeError, ValueError)) as caught:
            cases.CASES[name](tf, None)
        assert type(caught.value).__name__ == expected["error"]
    else:
        actual = as_json(cases.CASES[name](tf, None))
        if name in WITHOUT_GRADIENT:
            eager = as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), autograph=False))
            assert slopes(actual) == slopes(eager)
            actual[0][1::2] = expected["result"][0][1::2]
            caplog.clear()
        assert actual == expected["result"]
    assert not runs_eagerly(caplog)


@pytest.mark.parametrize("name", sorted(TRACED_HERE | EAGER_HERE))
def test_what_tensorflow_refuses_runs_as_python_does(name, caplog):
    actual = as_json(cases.CASES[name](tf, None)[0])
    eagerly = runs_eagerly(caplog)
    assert actual == as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), autograph=False)[0])
    assert eagerly == (name in EAGER_HERE)


@needs_jax
@pytest.mark.parametrize("name", [n for n, r in RECORDED.items() if "result" in r])
def test_compiled(name, caplog):
    actual = as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), jit_compile=True))[0]
    if name in WITHOUT_GRADIENT:
        actual[1::2] = RECORDED[name]["result"][0][1::2]
    assert actual == RECORDED[name]["result"][0]
    assert not runs_eagerly(caplog)


def numbers(result):
    """The numbers and texts in a result: a number of Python stays one in eager code."""
    leaves = [np.asarray(x).reshape(-1).tolist() for x in tf.nest.flatten(result)]
    return [x.encode() if isinstance(x, str) else x for leaf in leaves for x in leaf]


@pytest.mark.parametrize("name", [n for n, r in RECORDED.items() if "result" in r])
def test_eagerly(name):
    if name.startswith("maximum_iterations"):
        pytest.skip("it is an option of loops of the graph")
    if name == "nonlocal_name":
        pytest.skip("a converted branch does not assign to names of the function around it")
    function, *calls = cases.FUNCTIONS[name](tf)
    traced = tf.function(cases.FUNCTIONS[name](tf)[0])
    for args in calls:
        args = [x if isinstance(x, (bool, str)) else tf.constant(x) for x in args]
        actual, expected = numbers(function(*args)), numbers(traced(*args))
        is_text = any(isinstance(x, bytes) for x in expected)
        assert actual == (expected if is_text else pytest.approx(expected, rel=1e-5))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_as_eager_code(name):
    actual = results_of_program(name, tf.function)
    for (values, gradient), (wanted, slope) in zip(
        actual, results_of_program(name, lambda f: f), strict=True
    ):
        for a, b in zip(values, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)
        gradient, slope = (0.0 if g is None else g for g in (gradient, slope))
        np.testing.assert_allclose(gradient, slope, rtol=1e-6)


# --- the program's own lines ---------------------------------------------------------------------


def test_errors_come_from_the_lines_of_the_program():
    def inner(x):
        if x > 0.0:
            x = tf.reshape(x, (2, 2))  # this line
        return x

    @tf.function
    def f(x):
        while x > 10.0:
            x = x - 1.0
        return inner(x)

    with pytest.raises(Exception, match="reshape") as caught:
        f(tf.constant(1.0))
    lines = [frame.line for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "x = tf.reshape(x, (2, 2))  # this line" in lines
    assert "return inner(x)" in lines


def test_ops_are_located_in_the_program():
    def f(x):
        if x > 0.0:
            x = x * 2.0
        return tf.exp(x)  # this line

    text = tf.autograph.to_code(f)
    assert "if_stmt" in text
    traced = tf.function(f)
    traced(tf.constant(1.0))
    (entry,) = [entry for _, entry in traced._cache.entries.items()]
    (node,) = [node for node in entry.routine.graph.nodes if node.prim.name == "exp"]
    code, _ = node.location
    assert code.co_filename == __file__
    first = inspect.getsourcelines(f)[1]
    assert code.co_firstlineno == first


# --- what is left alone --------------------------------------------------------------------------


def test_autograph_false_leaves_a_function_to_python(caplog):
    @tf.function(autograph=False)
    def f(x):
        return x if x > 0.0 else -x

    assert float(f(tf.constant(-2.0))) == 2.0
    assert runs_eagerly(caplog)


def test_do_not_convert_takes_what_has_no_source():
    assert tf.autograph.experimental.do_not_convert(len) is len
    with pytest.raises(TypeError, match=r"do_not_convert: 3 is not callable\."):
        tf.autograph.experimental.do_not_convert(3)


def test_do_not_convert(caplog):
    @tf.autograph.experimental.do_not_convert
    def inner(x):
        return x if x > 0.0 else -x

    @tf.function
    def f(x):
        if x < 100.0:
            x = inner(x)
        return x

    assert float(f(tf.constant(-2.0))) == 2.0
    assert runs_eagerly(caplog)


def test_a_function_without_source(caplog):
    names: dict = {"tf": tf}
    exec("def f(x):\n    if x > 0.0:\n        return x\n    return -x", names)
    assert float(tf.function(names["f"])(tf.constant(-2.0))) == 2.0
    assert runs_eagerly(caplog)


def test_what_to_graph_gives_is_traced_without_autograph(caplog):
    def f(x):
        return x if x > 0.0 else -x

    traced = tf.function(tf.autograph.to_graph(f), autograph=False)
    assert [float(traced(tf.constant(v))) for v in (-2.0, 3.0)] == [2.0, 3.0]
    assert not runs_eagerly(caplog)


def test_to_graph_is_called_while_tracing():
    def f(x):
        while x < 10.0:
            x = x * 2.0
        return x

    converted = tf.autograph.to_graph(f)
    assert float(converted(tf.constant(3.0))) == 12.0
    assert float(tf.function(converted, autograph=False)(tf.constant(3.0))) == 12.0


def test_verbosity(caplog, capsys, monkeypatch):
    def chosen(x):
        if x > 0.0:
            x = -x
        return x

    caplog.set_level(logging.INFO, "gradtape")
    convert = importlib.import_module("gradtape.api.autograph.convert").convert
    monkeypatch.setattr(verbosity._Chosen, "level", None)
    monkeypatch.setattr(verbosity._Chosen, "prints", False)
    convert(chosen)
    assert not caplog.text
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "1")
    convert(chosen)
    assert "AutoGraph: converted <function test_verbosity.<locals>.chosen" in caplog.text
    assert "if_stmt" not in caplog.text
    tf.autograph.set_verbosity(3, alsologtostdout=True)
    convert(chosen)
    assert "if_stmt" in caplog.text
    assert "AutoGraph: source of <function" in capsys.readouterr().out
    tf.autograph.set_verbosity(0)
    caplog.clear()
    convert(chosen)
    assert not caplog.text


def test_the_converted_source_is_that_of_one_function():
    def chosen(x):
        if x > 0.0:
            x = -x
        return x

    text = tf.autograph.to_code(chosen)
    assert text.startswith("def tf__chosen(x):\n    with ag__.FunctionScope('chosen', 'fscope'")
    assert tf.autograph.to_code(lambda x: x if x > 0.0 else -x).startswith("tf__lam = lambda x: ")


def test_assignment_expressions_where_converted_code_has_functions(caplog):
    @tf.function
    def f(x):
        while (y := x * 0.5) > 1.0:
            x = y
        if x > 0.0 and (z := x + 1.0) > 0.0:
            x = z
        return x

    assert float(f(tf.constant(33.0))) == 33.0 / 32.0 + 1.0
    assert runs_eagerly(caplog)


def test_enumerate_and_zip_in_converted_functions():
    @tf.function
    def f(x, y):
        total = 0.0
        for i, value in enumerate(x, 1):
            if value > 0.0:
                total += tf.cast(i, tf.float32) * value
        for a, (b, c) in zip(x, zip(y, x, strict=True), strict=True):
            if a > b:
                total += c
        return total

    assert float(f(tf.constant([1.0, -5.0, 3.0]), tf.constant([2.0, -9.0, 1.0]))) == 8.0


# --- loops ---------------------------------------------------------------------------------------


def root(x):
    if x > 0.0:
        return tf.sqrt(x)
    return -x


def halves(x):
    count = 0.0
    while x > 1.0:
        x = x / 2.0
        count += 1.0
    return x * count


def numbers_above(x):
    total = 0.0 * x
    for i in tf.range(4):
        if tf.cast(i, tf.float32) > x:
            total += x * tf.cast(i, tf.float32)
    return total


@pytest.mark.parametrize("function", [root, halves, numbers_above])
def test_vectorized_map_of_control_flow(function, caplog):
    """TensorFlow does not convert what it vectorizes, and refuses these."""

    @tf.function
    def vectorized(x):
        return tf.vectorized_map(function, x)

    x = tf.constant([4.0, -2.0, 9.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = vectorized(x)
    slopes = tape.gradient(y, x)
    for i in range(4):
        one = x[i]
        with tf.GradientTape() as tape:
            tape.watch(one)
            wanted = function(one)
        assert float(y[i]) == pytest.approx(float(wanted))
        slope = tape.gradient(wanted, one)
        assert float(slopes[i]) == pytest.approx(0.0 if slope is None else float(slope))
    assert not runs_eagerly(caplog)


def test_a_loop_is_traced_once_for_all_numbers_of_iterations():
    bodies = []

    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            bodies.append(1)
            x = x * 1.0001
        return x

    for n in (0, 1, 1000, 10_000):
        assert float(f(tf.constant(1.0), tf.constant(n))) == pytest.approx(1.0001**n, rel=2e-3)
    assert (f.experimental_get_tracing_count(), len(bodies)) == (1, 1)


def test_second_derivatives_through_a_loop():
    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            if y > 0.0:
                y = y * x
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(3))
        first = tape.gradient(y, x)
    assert (float(y), float(first), float(outer.gradient(first, x))) == (16.0, 32.0, 48.0)


def test_random_numbers_in_a_loop_of_known_length():
    @tf.function
    def f(x):
        for _ in tf.range(4):
            x = tf.concat([x[1:], tf.random.normal((1,), seed=1)], 0)
        return x

    values = f(tf.zeros((4,))).numpy()
    assert len(set(values.tolist())) == 4


def test_conversion_leaves_no_file_and_no_module(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    modules = set(sys.modules)

    def made(limit):
        @tf.function
        def double(x):
            while x < limit:
                x *= 2.0
            return x

        return double

    # Functions of one code share what was converted.
    assert [float(made(limit)(tf.constant(1.0))) for limit in (3.0, 9.0)] == [4.0, 16.0]
    assert not list(tmp_path.iterdir())
    assert not {name for name in set(sys.modules) - modules if "autograph_generated" in name}
