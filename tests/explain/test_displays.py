"""What notebooks display: tensors, variables, reports, explanations, findings."""

import sys
import types

import numpy as np
import pytest

import gradtape as tf
from gradtape.explain.source import short_path


def test_a_small_tensor_is_shown_in_full():
    shown = tf.constant([[1.0, 2.0], [3.0, 4.0]])._repr_html_()
    assert "<b>tf.Tensor</b> shape (2, 2), dtype float32" in shown
    assert "[[1. 2.]\n [3. 4.]]" in shown
    assert "<svg" not in shown


def test_a_large_tensor_is_summarized():
    values = np.linspace(-1.0, 3.0, 10_000)
    values[:3] = np.nan, np.inf, 0.0
    shown = tf.constant(values)._repr_html_()
    assert (
        "10,000 numbers from -0.9988 to 3, mean 1, deviation 1.154, 1 nan, 1 inf, 1 zeros" in shown
    )
    assert shown.count("<rect") > 40
    assert "..." in shown.split("<details>")[1]
    assert len(shown) < 8000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (tf.constant(2.5), "2.5"),
        (tf.constant(["<b>"]), "&lt;b&gt;"),
        (tf.constant([True] * 300), "True"),
        (tf.zeros((0, 3)), "[]"),
        (tf.cast(tf.range(300), tf.bfloat16), "300 numbers from 0 to 300"),
        (tf.fill((300,), float("nan")), "300 numbers, 300 nan"),
        (tf.constant([-3e38, 3e38] * 200), "400 numbers from -3e+38 to 3e+38"),
        (tf.ones((300,), tf.complex64), "complex64"),
    ],
    ids=lambda x: None if isinstance(x, tf.Tensor) else x,
)
def test_every_kind_of_tensor_can_be_shown(value, text):
    assert text in value._repr_html_()


def test_a_tensor_without_a_value_is_left_to_its_text():
    seen = []

    @tf.function
    def function(x):
        seen.append(x._repr_html_())
        return x * 2.0

    function(tf.constant(1.0))
    assert seen[0] is None


def test_variables_have_their_names():
    assert "<b>tf.Variable &#x27;w:0&#x27;</b>" in tf.Variable(1.0, name="w")._repr_html_()
    layer = tf.keras.layers.Dense(2, name="dense")
    layer.build((None, 3))
    assert "<b>Variable &#x27;dense/kernel&#x27;</b> shape (3, 2)" in layer.kernel._repr_html_()


@pytest.fixture
def taped():
    x, unused = tf.Variable([1.0, 2.0], name="x"), tf.Variable(1.0, name="unused")
    with tf.GradientTape(persistent=True) as tape, tf.name_scope("<part>"):
        loss = tf.reduce_sum(x * x)
    return tape, loss, [x, unused]


def test_reports_are_tables(taped):
    tape, loss, _ = taped
    for report in (tape.memory(), tape.profile(loss)):
        shown = report._repr_html_()
        assert shown.count("<table>") == 3
        assert '<th style="text-align:right">ops</th>' in shown
        assert '<td style="text-align:left">multiply</td>' in shown
        assert "&lt;part&gt;" in shown
        assert repr(report) == str(report)


def test_explanations_and_findings_are_texts_with_headlines(taped):
    tape, loss, sources = taped
    explanation = tape.explain(loss, sources)
    assert repr(explanation) == str(explanation)  # at Python's prompt, the answer itself
    shown = explanation._repr_html_()
    assert shown.count("<div") == 2
    assert ": a gradient reaches it.</b>" in shown
    assert "<b>No gradient for `sources[1]`" in shown
    x = tf.constant(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.log(x * 1.0)
    assert "<b>The value of `log` is not finite" in tape.find_nonfinite(y)._repr_html_()


def test_a_log_of_health_is_a_table_with_drawings():
    log = tf.health.GradientLog()
    assert "nothing recorded" in log._repr_html_()
    w = tf.Variable([1.0, 2.0], name="w")
    log.record([w], [tf.constant([0.0, 0.0])])
    shown = log._repr_html_()
    assert '<td style="text-align:left">w</td>' in shown
    assert "<b>w: its gradient is 0.</b>" in shown
    assert "<iframe srcdoc=" in shown


def test_a_cell_of_a_notebook_is_named_as_ipython_names_it(monkeypatch):
    names = {"/tmp/ipykernel_7/123.py": ("Cell", "In[3]")}
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(format_code_name=names.get))
    fake = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    assert short_path("/tmp/ipykernel_7/123.py") == "In[3]"
    assert short_path("/elsewhere/program.py") == "/elsewhere/program.py"
    fake.get_ipython = lambda: None  # a program that only imports IPython
    assert short_path("/tmp/ipykernel_7/123.py") == "/tmp/ipykernel_7/123.py"
