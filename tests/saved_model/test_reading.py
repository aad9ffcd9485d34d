"""SavedModels that TensorFlow wrote: they compute the same here, and so do their gradients."""

import numpy as np
import pytest

import gradtape as tf
from tests.saved_model.cases import NAMES, built
from tests.saved_model.evaluate import different, evaluate


def compared(computed: dict, expected: dict, start: str) -> str:
    wanted = {k.removeprefix(start): x for k, x in expected.items() if k.startswith(start)}
    plain = {k: x.astype("S") if x.dtype == object else x for k, x in computed.items()}
    return different(plain, wanted)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_computes_what_it_does_in_tensorflow(theirs, expected, name):
    model = tf.saved_model.load(theirs / name)
    for method, arguments in built(tf, name)[1].items():
        computed = evaluate(tf, getattr(model, method), arguments)
        assert not compared(computed, expected, f"{name}/{method}/")


@pytest.mark.parametrize(
    "name", ["affine", "loop", "branch", "attention", "keras_lstm", "keras_convolutional"]
)
def test_a_model_is_traced_as_part_of_a_function(theirs, expected, name):
    model = tf.saved_model.load(theirs / name)
    for method, arguments in built(tf, name)[1].items():
        inner = getattr(model, method)
        traced = tf.function(lambda *args, inner=inner: inner(*args))
        computed = evaluate(tf, traced, arguments)
        assert not compared(computed, expected, f"{name}/{method}/")
        assert traced._cache.entries
        assert all(entry.routine is not None for _, entry in traced._cache.entries.items())


def test_signatures_are_called_by_name(theirs):
    model = tf.saved_model.load(theirs / "affine")
    signature = model.signatures["serving_default"]
    x = np.ones((2, 3), np.float32)
    assert list(model.signatures) == ["serving_default"]
    np.testing.assert_allclose(signature(x=x)["output_0"], model(x), rtol=1e-6)
    assert signature.structured_input_signature == (
        (),
        {"x": tf.TensorSpec([None, 3], tf.float32, "x")},
    )
    with pytest.raises(TypeError, match="missing required arguments: x"):
        signature()
    with pytest.raises(TypeError, match=r"unexpected keyword arguments: y; it has x"):
        signature(x=x, y=x)
    with pytest.raises(TypeError, match=r"argument 'x' is of float32 with shape \(2, 2\)"):
        signature(x=x[:, :2])


def test_the_function_that_fits_is_called(theirs):
    model = tf.saved_model.load(theirs / "polymorphic")
    x = tf.ones([1, 2])
    plain, training = model(x), model(x, training=True)
    np.testing.assert_allclose((plain + 1.0) * 2.0, training, rtol=1e-6)
    with pytest.raises(ValueError, match="Could not find matching concrete function") as info:
        model(tf.ones([7, 2]))
    assert "match one of the following 3 option(s)" in str(info.value)
    assert "* TensorSpec(shape=(1, 2), dtype=tf.float32, name='x')\n    * True" in str(info.value)


def test_variables_are_shared_with_the_functions(theirs):
    model = tf.saved_model.load(theirs / "affine")
    assert model.w.trainable
    assert model.w.name == "w:0"
    model.w.assign(tf.zeros_like(model.w))
    np.testing.assert_allclose(model(np.ones((1, 3), np.float32))[0], np.tanh(model.b), rtol=1e-6)
    assert model.tensorflow_version.startswith("2.")


def test_a_loaded_model_is_trained(theirs):
    model = tf.saved_model.load(theirs / "affine")
    x, y = tf.ones([4, 3]), tf.constant([[0.3, -0.2]] * 4)
    losses = []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        losses.append(float(loss))
        for variable, slope in zip(
            (model.w, model.b), tape.gradient(loss, (model.w, model.b)), strict=True
        ):
            variable.assign_sub(0.2 * slope)
    assert losses[-1] < 0.1 * losses[0]


def test_lists_and_dictionaries_are_what_they_were(theirs):
    model = tf.saved_model.load(theirs / "layers_in_a_list")
    assert len(model.layers) == 2
    assert sorted(model.heads) == ["a", "b"]
    assert not model.heads["a"].scale.trainable


def test_keras_models_have_lists_of_variables(theirs):
    model = tf.saved_model.load(theirs / "keras_convolutional")
    assert len(model.trainable_variables) == 6
    assert len(model.non_trainable_variables) == 2


def test_a_model_in_vmap_and_in_forward_mode(theirs):
    model = tf.saved_model.load(theirs / "loop")
    x = tf.constant([[[0.1, 0.2, 0.3]], [[-1.0, 0.5, 2.0]]])
    each = tf.vectorized_map(model, x)
    np.testing.assert_allclose(each[1], model(x[1]), rtol=1e-5)
    one = x[0]
    with tf.autodiff.ForwardAccumulator(one, tf.ones_like(one)) as accumulator:
        y = model(one)
    slope = accumulator.jvp(y)
    step = (model(one + 1e-3) - model(one - 1e-3)) / 2e-3
    np.testing.assert_allclose(slope, step, atol=1e-3)


def test_no_model_in_a_folder(tmp_path):
    assert not tf.saved_model.contains_saved_model(tmp_path)
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(tmp_path)


def test_tags_choose_the_graph(theirs):
    assert tf.saved_model.contains_saved_model(theirs / "affine")
    assert tf.saved_model.load(theirs / "affine", tags="serve").w.shape == (3, 2)
    with pytest.raises(ValueError, match=r"the tags in .*affine are \[\['serve'\]\]"):
        tf.saved_model.load(theirs / "affine", tags=["train"])
