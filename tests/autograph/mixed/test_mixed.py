"""Functions that mix statements, structures and types: as TensorFlow, traced, compiled, eagerly."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import gradtape as tf
from tests.autograph.mixed import cases

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
# TensorFlow refuses these; here they are traced, or run eagerly, with Python's results.
TRACED_HERE = {
    "if_int_condition",
    "nested_structure_carried",
    "not_int",
    "shape_changes_in_while",
    "while_int_condition",
}
EAGER_HERE = {
    "else_of_for_tensor",
    "return_in_dataset_loop",
    "return_in_for",
    "return_in_nested_for",
    "walrus_in_while",
}
# TensorFlow has no gradient of a loop over a dataset, and gives None.
WITHOUT_GRADIENT = {"dataset_nested", "dataset_ragged_batches", "dataset_window_break_continue"}
AS_TENSORFLOW = [name for name in cases.CASES if name not in TRACED_HERE | EAGER_HERE]


def as_json(value):
    return json.loads(json.dumps(cases.plain(value)))


def compare(actual, expected, name):
    actual, expected = actual[0], expected[0]
    if name in WITHOUT_GRADIENT:
        actual, expected = actual[::2], expected[::2]
    assert actual == expected


def test_every_case_is_recorded():
    assert RECORDED.keys() == cases.CASES.keys()
    refused = {name for name, outcome in RECORDED.items() if "error" in outcome}
    assert refused > TRACED_HERE | EAGER_HERE


@pytest.mark.parametrize("name", AS_TENSORFLOW)
def test_as_tensorflow(name, caplog):
    expected = RECORDED[name]
    if "error" in expected:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the class is compared below)
            cases.CASES[name](tf, None)
        assert type(caught.value).__name__ == expected["error"]
    else:
        actual = as_json(cases.CASES[name](tf, None))
        compare(actual, expected["result"], name)
        assert actual[1:] == expected["result"][1:]  # what was printed, and how often it was traced
    assert "runs eagerly" not in caplog.text


@pytest.mark.parametrize("name", sorted(TRACED_HERE | EAGER_HERE))
def test_what_tensorflow_refuses_runs_as_python_does(name, caplog):
    actual = as_json(cases.CASES[name](tf, None)[0])
    eagerly = "runs eagerly" in caplog.text
    assert actual == as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), autograph=False)[0])
    assert eagerly == (name in EAGER_HERE)


@pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
@pytest.mark.parametrize("name", [name for name in AS_TENSORFLOW if "result" in RECORDED[name]])
def test_compiled(name, caplog):
    actual = as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), jit_compile=True))
    compare(actual, RECORDED[name]["result"], name)
    assert "runs eagerly" not in caplog.text


@pytest.mark.parametrize("name", [name for name in AS_TENSORFLOW if "result" in RECORDED[name]])
def test_eagerly(name):
    function, *calls = cases.FUNCTIONS[name](tf)
    traced = tf.function(cases.FUNCTIONS[name](tf)[0])
    for args in calls:
        args = [x if isinstance(x, (bool, str)) else tf.constant(x) for x in args]
        assert _values(function(*args)) == _values(traced(*args))


def _values(result) -> list[str]:
    """The values in a result: a number of Python stays one in eager code, without a dtype."""
    leaves = tf.nest.flatten(as_json(result))
    return [str(x) for x in leaves if not str(x).startswith(("float", "int", "bool"))]
