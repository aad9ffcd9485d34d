"""Small whole programs: values, gradients, output and traces as TensorFlow; traced and compiled."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import gradtape as tf
from tests.autograph.programs import cases

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
# TensorFlow refuses these; here they are traced, with Python's results.
TRACED_HERE = {name for name, outcome in RECORDED.items() if "error" in outcome}
# TensorFlow has no gradient of a loop over a dataset, and gives None.
WITHOUT_GRADIENT = {
    "datasets_of_arguments",
    "element_of_an_argument",
    "reduced_dataset_of_an_argument",
}
AS_TENSORFLOW = [name for name in cases.CASES if name not in TRACED_HERE]


@pytest.fixture(autouse=True)
def never_eagerly(caplog):
    tf.random.set_seed(0)
    yield
    assert "runs eagerly" not in caplog.text


def as_json(value):
    return json.loads(json.dumps(cases.plain(value)))


def compare(actual, expected, name):
    if name in WITHOUT_GRADIENT:
        actual, expected = actual[::2], expected[::2]
    assert actual == expected


def test_every_case_is_recorded():
    assert RECORDED.keys() == cases.CASES.keys()


@pytest.mark.parametrize("name", AS_TENSORFLOW)
def test_as_tensorflow(name):
    actual = as_json(cases.CASES[name](tf, None))
    expected = RECORDED[name]["result"]
    compare(actual[0], expected[0], name)
    assert actual[1:] == expected[1:]  # what was printed, and how often it was traced


@pytest.mark.parametrize("name", sorted(TRACED_HERE))
def test_what_tensorflow_refuses_runs_as_python_does(name):
    actual = as_json(cases.CASES[name](tf, None)[0])
    tf.config.run_functions_eagerly(True)
    try:
        assert actual == as_json(cases.CASES[name](tf, None)[0])
    finally:
        tf.config.run_functions_eagerly(False)


@pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
@pytest.mark.parametrize("name", AS_TENSORFLOW)
def test_compiled(name):
    actual = as_json(cases.results(tf, *cases.FUNCTIONS[name](tf), jit_compile=True))
    compare(actual[0], RECORDED[name]["result"][0], name)
