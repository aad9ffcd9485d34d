"""`Tensor.graph`: what stands for the graph of the function being traced."""

import pytest

import gradtape as tf


def test_a_tensor_outside_of_functions_has_no_graph():
    with pytest.raises(AttributeError, match="meaningless when eager execution is enabled"):
        _ = tf.constant(1.0).graph


def test_tensors_of_a_function_share_its_graph_and_those_of_another_do_not():
    graphs = []

    def f(x):
        assert x.graph is tf.constant(True).graph is tf.compat.v1.get_default_graph()
        graphs.append(x.graph)
        return x * 2

    tf.function(f)(tf.constant(1.0))
    tf.function(f)(tf.constant(1.0))
    assert len(graphs) == 2
    assert graphs[0] is not graphs[1]
    assert tf.compat.v1.get_default_graph() not in graphs


def test_no_later_trace_has_the_id_of_an_earlier_graph():
    # Programs keep what they made in a graph by its id.
    ids = []

    def f(x):
        ids.append(id(x.graph))
        return x + 1

    for _ in range(20):
        tf.function(f)(tf.constant(1.0))
    assert len(set(ids)) == len(ids) == 20
