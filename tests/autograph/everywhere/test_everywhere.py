"""Control flow inside of datasets, layers, strategies and transformations, as TensorFlow has it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import gradtape as tf
from tests.autograph.everywhere import cases

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
# TensorFlow refuses these; here they are traced, or run eagerly, with Python's results.
TRACED_HERE = {
    "assignment_expression",
    "forward_over_reverse",
    "hessian_of_loss_loop",
    "py_function_in_a_loop_with_its_gradient",
    "recompute_grad",
    "recompute_grad_loop",
}
EAGER_HERE = {
    "custom_gradient_with_control_flow",
    "match_statement",
    "while_with_else_of_python",
}


def as_json(name):
    tf.random.set_seed(0)
    return json.loads(json.dumps(cases.plain(cases.CASES[name](tf, None))))


def test_every_case_is_recorded():
    assert RECORDED.keys() == cases.CASES.keys()
    refused = {name for name, outcome in RECORDED.items() if "error" in outcome}
    assert refused > TRACED_HERE | EAGER_HERE


@pytest.mark.parametrize("name", [n for n in cases.CASES if n not in TRACED_HERE | EAGER_HERE])
def test_as_tensorflow(name, caplog):
    expected = RECORDED[name]
    if "error" in expected:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the class is compared below)
            cases.CASES[name](tf, None)
        assert type(caught.value).__name__ == expected["error"]
    else:
        assert as_json(name) == expected["result"]
    assert "runs eagerly" not in caplog.text


@pytest.mark.parametrize("name", sorted(TRACED_HERE | EAGER_HERE))
def test_what_tensorflow_refuses_runs_as_python_does(name, caplog):
    actual = as_json(name)
    assert ("runs eagerly" in caplog.text) == (name in EAGER_HERE)
    tf.config.run_functions_eagerly(True)
    try:
        assert actual == as_json(name)
    finally:
        tf.config.run_functions_eagerly(False)


# XLA compiles what these compute, but for the elements of datasets and for text.
@pytest.mark.skipif(find_spec("jax") is None, reason="XLA is reached by way of JAX")
@pytest.mark.parametrize(
    "name",
    [n for n, r in RECORDED.items() if "result" in r and not n.startswith(("fit_", "layer_"))],
)
def test_compiled(name, caplog, monkeypatch):
    plain = tf.function

    def compiled(function=None, **options):
        return plain(function, **{**options, "jit_compile": True})

    monkeypatch.setattr(tf, "function", compiled)
    assert as_json(name) == RECORDED[name]["result"]
    assert "runs eagerly" not in caplog.text
