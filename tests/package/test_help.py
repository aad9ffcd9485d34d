"""What `help` says of public functions: complete, true, and with examples that run."""

import doctest
import inspect
import pydoc
import re
import types

import pytest

import gradtape as tf
from gradtape import ops
from gradtape.api.documentation.compose import derivatives, entries, parameters
from gradtape.api.export import PUBLIC, lookup
from gradtape.ops.families import DEFAULT_TEXT
from tests.package.test_docstrings import begins_with_verb


def functions() -> dict[str, types.FunctionType]:
    """The public functions of gradtape, by the first of their names."""
    actual: dict[int, tuple[str, types.FunctionType]] = {}
    for name in PUBLIC:
        value = lookup(name)
        if isinstance(value, types.FunctionType) and hasattr(value.__doc__, "name"):
            actual.setdefault(id(value), (value.__doc__.name, value))
    return dict(actual.values())


FUNCTIONS = functions()
TEXTS = {name: inspect.getdoc(function) or "" for name, function in FUNCTIONS.items()}


def section(text: str, title: str) -> str:
    """A part of a docstring: what is indented below its title."""
    actual = re.search(rf"(?m)^{title}:\n((?:    .*\n?)+)", text)
    return actual[1] if actual else ""


def test_summaries_begin_with_a_verb():
    assert len(TEXTS) > 1000
    assert not [
        f"{name}: {text[:70]}" for name, text in TEXTS.items() if not begins_with_verb(text)
    ]


def test_every_elementwise_op_says_what_it_computes():
    """An op of `unary` or `binary` has its text in api/documentation/elementwise.py."""
    default = re.compile(re.escape(DEFAULT_TEXT).replace(r"\{\}", r"\w+"))
    assert default.match(ops.sin.__doc__)
    missing = [name for name, text in TEXTS.items() if default.match(text)]
    assert not missing, f"add a row for each to api/documentation/elementwise.py: {missing}"


def test_every_parameter_is_explained():
    missing = [
        f"{name}: {parameter}"
        for name, function in FUNCTIONS.items()
        for parameter in inspect.signature(function).parameters
        if not re.search(rf"(?m)^    \*{{0,2}}{parameter}: \S", section(TEXTS[name], "Args"))
    ]
    assert not missing


def test_every_function_says_what_it_returns():
    assert not [
        name
        for name, text in TEXTS.items()
        if not text.startswith("Return ") and not section(text, "Returns")
    ]


def test_derivatives_are_told_where_cases_or_rules_show_them():
    assert "in reverse and forward mode, of any order" in TEXTS["math.sin"]
    assert "in forward mode by transposing" in TEXTS["linalg.cholesky"]
    assert "Derivative: none: a step function: constant between its jumps." in TEXTS["math.floor"]
    assert "Derivative: none; the result consists of integers" in TEXTS["math.argmax"]
    assert "Derivative" not in TEXTS["random.set_seed"]
    notified = [name for name, text in TEXTS.items() if re.search(r"(?m)^Derivative: ", text)]
    assert len(notified) > 600


def test_the_tables_have_nothing_that_is_not_used():
    used: set[str] = set()
    for name, function in FUNCTIONS.items():
        path = name.split(".")
        for parameter in [*inspect.signature(function).parameters, "return"]:
            keys = [".".join([*path[:n], parameter]) for n in range(len(path), -1, -1)]
            used.update([key for key in keys if key in parameters()][:1])
    assert not set(parameters()) - used
    assert not set(derivatives()) - set(FUNCTIONS)
    for name, entry in entries().items():
        value = lookup(name)
        assert value.__doc__.name == name
        called = value.__init__ if isinstance(value, type) else value
        assert set(entry.arguments) <= set(inspect.signature(called).parameters), name


def test_150_functions_have_an_example():
    assert sum(bool(entry.example) for entry in entries().values()) >= 150


@pytest.mark.parametrize("name", [name for name, entry in entries().items() if entry.example])
def test_example(name):
    example = section(inspect.getdoc(lookup(name)) or "", "Example")
    parsed = doctest.DocTestParser().get_doctest(example, {"tf": tf}, name, None, None)
    report: list[str] = []
    results = doctest.DocTestRunner().run(parsed, out=report.append)
    assert results.attempted >= 1
    assert results.failed == 0, "".join(report)


def test_a_variable_shows_its_parameters():
    assert list(inspect.signature(tf.Variable).parameters)[:2] == ["initial_value", "trainable"]


def test_help_shows_all_of_it_and_reading_the_docstring_loads_nothing():
    shown = pydoc.render_doc(tf.math.reduce_sum, renderer=pydoc.plaintext)
    assert "keepdims: whether reduced axes stay" in shown
    assert ">>> tf.reduce_sum(" in shown
    written = tf.math.reduce_sum.__doc__
    assert isinstance(written, str)
    assert "Args:" not in written
