"""`gradtape.graph`: graphs as text."""

import pytest

import gradtape as tf


def test_a_graph_as_text():
    w = tf.Variable([[1.0], [2.0]], name="w")

    @tf.function
    def step(x):
        y = tf.sin(x @ w) * 1.0
        w.assign_add(tf.ones_like(w))
        return y, tf.random.uniform([2])

    step(tf.ones([3, 2]))
    lines = tf.graph.text(step).splitlines()
    assert lines[0] == "step(x0: float32[3, 2], variable w: float32[2, 1], draw0: int64[3])"
    assert lines[1].split("#")[0].split() == (
        "%0 = matmul(x0, w, transpose_a=False, transpose_b=False) float32[3, 1]".split()
    )
    assert lines[1].endswith("# test_graph_text.py:13")
    assert "%1 = sin(%0)" in lines[2]
    assert lines[-2].startswith("  return %1, %")
    assert lines[-1].startswith("  w <- %")
    assert "multiply" in tf.graph.text(step, optimized=False)
    assert "multiply" not in tf.graph.text(step)


def test_graphs_of_specs_and_of_functions_that_have_none(capsys):
    f = tf.function(lambda x: x * 2.0)
    tf.graph.print(f, tf.TensorSpec([2], tf.float32))
    assert "multiply(x0, 2.0)" in capsys.readouterr().out
    g = tf.function(lambda x: x if x > 0 else -x)
    g(tf.constant(1.0))
    assert "runs eagerly: " in tf.graph.text(g)
    with pytest.raises(TypeError, match=r"a tf.function is wanted, got 3"):
        tf.graph.text(3)
