"""Functions raise the errors that `help` promises."""

import builtins
import doctest
import inspect
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import gradtape as tf
from gradtape.api.documentation import mistakes
from gradtape.api.documentation.compose import entries, errors
from tests.package.test_help import FUNCTIONS, TEXTS, section
from tests.package.wrong_calls import WRONG_CALLS
from tests.package.wrong_calls_later import LATER
from tools.wrong_calls import NOTHING

ROOT = Path(__file__).parents[2]

X = tf.constant([1.0, 2.0])


def _two_cotangents_for_one_argument() -> None:
    f = tf.custom_gradient(lambda x: (x, lambda g: (g, g)))
    tf.grad(lambda x: f(x))(1.0)


# A wrong call of each function whose entry in api/documentation/examples names an error.
WRONG = {
    "cast": lambda: tf.cast(tf.constant("a"), tf.float32),
    "broadcast_to": lambda: tf.broadcast_to(X, (3, 3)),
    "clip_by_value": lambda: tf.clip_by_value(X, [1.0, 2.0, 3.0], 5.0),
    "concat": lambda: tf.concat([[[1, 2]], [[1]]], 0),
    "cond": lambda: tf.cond(True, 1, 2),
    "constant": lambda: tf.constant(1.5, tf.int32),
    "convert_to_tensor": lambda: tf.convert_to_tensor(X, tf.int32),
    "custom_gradient": _two_cotangents_for_one_argument,
    "debugging.assert_equal": lambda: tf.debugging.assert_equal(1, 2),
    "debugging.check_numerics": lambda: tf.debugging.check_numerics(float("nan"), "x"),
    "function": lambda: tf.function(3),
    "gather": lambda: tf.gather(X, [5]),
    "grad": lambda: tf.grad(lambda x: x * 2)(X),
    "image.resize": lambda: tf.image.resize(tf.ones((2, 2)), (4, 4)),
    "linalg.inv": lambda: tf.linalg.inv(tf.zeros((2, 2))),
    "linalg.solve": lambda: tf.linalg.solve(tf.zeros((2, 2)), tf.ones((2, 1))),
    "math.add": lambda: tf.add(X, tf.ones(3)),
    "math.reduce_mean": lambda: tf.reduce_mean(X, axis=3),
    "math.reduce_sum": lambda: tf.reduce_sum(X, axis=3),
    "math.top_k": lambda: tf.math.top_k(X, 5),
    "matmul": lambda: tf.matmul(tf.ones((2, 3)), tf.ones((2, 3))),
    "nn.conv2d": lambda: tf.nn.conv2d(tf.ones((1, 4, 4, 2)), tf.ones((3, 3, 3, 1)), 1, "SAME"),
    "nn.dropout": lambda: tf.nn.dropout(X, 1.5),
    "nn.sigmoid_cross_entropy_with_logits": lambda: tf.nn.sigmoid_cross_entropy_with_logits(
        X, [1.0]
    ),
    "py_function": lambda: tf.py_function(3, [1.0], tf.float32),
    "random.uniform": lambda: tf.random.uniform((2,), dtype=tf.int32),
    "range": lambda: tf.range(1, 5, 0),
    "reshape": lambda: tf.reshape(tf.range(5), (2, 3)),
    "squeeze": lambda: tf.squeeze(tf.zeros((2, 1)), 0),
    "strings.to_number": lambda: tf.strings.to_number("x"),
    "switch_case": lambda: tf.switch_case(0, [1]),
    "value_and_grad": lambda: tf.value_and_grad(lambda x: x * 2)(X),
    **WRONG_CALLS,
    **LATER,
}


def test_every_promised_error_has_a_wrong_call():
    assert set(WRONG) == {name for name, entry in entries().items() if entry.raises}


@pytest.mark.parametrize("name", WRONG)
def test_the_error_is_the_promised_one(name):
    promised = re.match(r"[\w.]+", entries()[name].raises[0])
    assert promised
    kind = promised[0].removeprefix("tf.errors.")
    with pytest.raises(getattr(builtins, kind, None) or getattr(tf.errors, kind)):
        WRONG[name]()


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if hasattr(f, "primitive")])
def test_elementwise_ops_raise_what_their_help_says(name):
    assert "tf.errors.InvalidArgumentError if" in section(TEXTS[name], "Raises")
    function = FUNCTIONS[name]
    if "the shapes do not broadcast" in TEXTS[name]:
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(tf.zeros(2), tf.zeros(3))
    else:
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(tf.constant("text"))


def test_wrong_calls_are_told_in_sentences():
    assert doctest.testmod(mistakes).attempted == 1
    assert section(TEXTS["matmul"], "Raises")
    raises = " ".join(section(TEXTS["linalg.cholesky_solve"], "Raises").split())
    assert "tf.errors.InvalidArgumentError if" in raises
    assert "the dtypes of `chol` and `rhs` differ" in raises
    assert "the shapes of `chol` and `rhs` do not fit together" in raises
    assert "`axis` is out of range" in section(TEXTS["math.argmax"], "Raises")


def test_errors_are_named_where_they_were_seen():
    assert set(errors()) <= set(FUNCTIONS)
    named = [name for name, text in TEXTS.items() if section(text, "Raises")]
    assert len(named) > 800
    for name, rows in errors().items():
        parameters = set(inspect.signature(FUNCTIONS[name]).parameters)
        notified = {n for row in rows for group in row.split()[2:] for n in group.split("+")}
        assert notified <= parameters, name


# Not called with mistakes: what it sets would stay, it runs the program's tests, it needs JAX.
NOT_TRIED = {"debugging.enable_check_numerics", "test.main", "distribute.shard"}


def test_every_function_names_an_error_or_was_seen_to_raise_none():
    last = resources.files("gradtape.api.documentation").joinpath("errors.txt").read_text("utf-8")
    harmless = set(last.splitlines()[-1].removeprefix(NOTHING).split())
    silent = {
        name
        for name, text in TEXTS.items()
        if not section(text, "Raises") and inspect.signature(FUNCTIONS[name]).parameters
    }
    assert silent == (harmless & silent) | NOT_TRIED


def test_the_table_of_errors_is_up_to_date():
    """In a process of its own: other tests leave settings that functions ask for."""
    command = [sys.executable, "-W", "ignore", "-m", "tools.wrong_calls", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
