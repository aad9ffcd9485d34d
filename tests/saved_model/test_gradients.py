"""Custom gradients in SavedModels: what `gradient_modules.py` has, and where there are none."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.formats.saved_model import messages
from tests.saved_model import gradient_modules


@tf.custom_gradient
def tripled(x):
    return tf.identity(x), lambda upstream: 3.0 * upstream


class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def __call__(self, x):
        return tripled(x)


def slope(function, x=(1.0, 2.0)):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x).numpy().tolist()


@pytest.mark.parametrize("build", gradient_modules.BUILDERS)
def test_a_node_names_its_gradient_and_the_file_has_it(tmp_path, build):
    model, _ = build(tf)
    tf.saved_model.save(model, tmp_path)
    content = (tmp_path / "saved_model.pb").read_bytes()
    graph = messages.SAVED_MODEL.decode(content).meta_graphs[0]
    library = graph.graph_def.library
    named = {
        node.attr["_gradient_op_type"].s.decode()
        for function in library.function
        for node in function.node_def
        if "_gradient_op_type" in node.attr
    }
    assert named == {each.registered_op_type for each in library.registered_gradients}
    assert named


def test_without_its_gradients_a_model_computes_and_says_what_is_missing(tmp_path):
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    tf.saved_model.save(Model(), tmp_path, options=options)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_array_equal(loaded(tf.constant([1.0, 2.0])), [1, 2])
    with pytest.raises(LookupError, match=r"has no entry for: CustomGradient-\d+\. The SavedModel"):
        slope(loaded)


def test_a_gradient_is_that_of_the_file_in_functions_and_when_saved_again(tmp_path):
    tf.saved_model.save(Model(), tmp_path / "first")
    loaded = tf.saved_model.load(tmp_path / "first")
    assert slope(loaded) == slope(tf.function(lambda x: loaded(x))) == [3, 3]

    class Again(tf.Module):
        def __init__(self):
            super().__init__()
            self.inner = loaded

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def __call__(self, x):
            return self.inner(x) * 2.0

    tf.saved_model.save(Again(), tmp_path / "second")
    assert slope(tf.saved_model.load(tmp_path / "second")) == [6, 6]


def test_a_gradient_that_cannot_be_written_is_named_with_a_remedy(tmp_path):
    @tf.custom_gradient
    def odd(x):
        def grad(upstream):
            return tf.numpy_function(lambda g: g, [upstream], tf.float32)

        return tf.identity(x), grad

    class Odd(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def __call__(self, x):
            return odd(x)

    with pytest.raises(NotImplementedError, match="custom gradient") as raised:
        tf.saved_model.save(Odd(), tmp_path)
    assert "SaveOptions(experimental_custom_gradients=False)" in str(raised.value)
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    tf.saved_model.save(Odd(), tmp_path, options=options)
    np.testing.assert_array_equal(tf.saved_model.load(tmp_path)(tf.ones([2])), [1, 1])


def test_recomputed_gradients_are_written(tmp_path):
    class Checkpointed(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[0.5, -1.0], [2.0, 0.25]])

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def __call__(self, x):
            return tf.recompute_grad(lambda x: tf.tanh(tf.linalg.matvec(self.w, x)))(x)

    model = Checkpointed()
    tf.saved_model.save(model, tmp_path)
    np.testing.assert_allclose(slope(tf.saved_model.load(tmp_path)), slope(model), rtol=1e-6)
