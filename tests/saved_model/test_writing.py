"""SavedModels that are written here: read back, they compute what TensorFlow's own compute.

That TensorFlow loads them, `make test-saved-models-tf` shows.
"""

import io
import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape.formats.saved_model import messages
from tests.saved_model import keras_models
from tests.saved_model.cases import NAMES, READ_ONLY, built
from tests.saved_model.evaluate import evaluate
from tests.saved_model.test_reading import compared

WRITTEN = [name for name in NAMES if name not in READ_ONLY]


def saved(model, folder):
    if hasattr(model, "export"):
        model.export(str(folder), verbose=False)
    else:
        tf.saved_model.save(model, folder)
    return tf.saved_model.load(folder)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_model_computes_the_same_when_it_is_read_back(tmp_path, expected, name):
    model, calls = built(tf, name)
    loaded = saved(model, tmp_path)
    for method, arguments in calls.items():
        computed = evaluate(tf, getattr(loaded, method), arguments)
        assert not compared(computed, expected, f"{name}/{method}/")


def proto_of(folder):
    content = (folder / "saved_model.pb").read_bytes()
    return messages.SAVED_MODEL.decode(content).meta_graphs[0]


def ops_of(folder) -> set:
    functions = proto_of(folder).graph_def.library.function
    return {node.op for function in functions for node in function.node_def}


def test_open_sizes_are_open_in_the_file(tmp_path):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, None, 3])])
        def __call__(self, x):
            flat = tf.reshape(x, [-1, 3])
            rows = tf.shape(x)[0]
            return {
                "flat": flat + tf.ones([rows * x.shape[1], 1]),
                "mean": tf.reduce_sum(x, 0) / tf.cast(rows, tf.float32),
                "counted": tf.range(rows),
                "wide": tf.broadcast_to(x[:1], tf.shape(x)),
            }

    model = Model()
    loaded = saved(model, tmp_path)
    for shape in ((1, 1, 3), (2, 7, 3), (9, 4, 3)):
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        for key, value in model(x).items():
            np.testing.assert_allclose(loaded(x)[key], value, rtol=1e-6)
    shapes = loaded.signatures["serving_default"].output_shapes
    assert shapes["mean"].as_list() == [None, 3]
    assert shapes["flat"].as_list() == [None, 3]


def test_functions_without_a_signature_are_saved_as_they_were_called(tmp_path):
    class Model(tf.Module):
        @tf.function
        def __call__(self, x, training=False):
            return x * 2.0 if training else x

    model = Model()
    model(tf.ones([2]))
    model(tf.ones([3]), training=True)
    loaded = saved(model, tmp_path)
    assert len(loaded.__dict__["__call__"].concrete_functions) == 2
    np.testing.assert_allclose(loaded(tf.ones([3]), training=True), [2, 2, 2])
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded(tf.ones([2]), training=True)


def test_signatures_are_given(tmp_path):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(3.0)

        @tf.function
        def times(self, x):
            return self.w * x

        @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([], name="n")])
        def plus(self, x, n):
            return {"sum": x + n}

    model = Model()
    concrete = model.times.get_concrete_function(tf.TensorSpec([None], tf.float32))
    tf.saved_model.save(model, tmp_path, {"times": concrete, "plus": model.plus})
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_allclose(loaded.signatures["times"](x=[1.0, 2.0])["output_0"], [3, 6])
    np.testing.assert_allclose(loaded.signatures["plus"](x=[1.0, 2.0], n=1.0)["sum"], [2, 3])
    with pytest.raises(ValueError, match="Expected a TensorFlow function for which to generate"):
        tf.saved_model.save(model, tmp_path, model.times)


def test_assignments_are_saved(tmp_path):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.n = tf.Variable(0)

        @tf.function(input_signature=[])
        def count(self):
            self.n.assign_add(1)
            return self.n.read_value()

    loaded = saved(Model(), tmp_path)
    assert [int(loaded.count()) for _ in range(3)] == [1, 2, 3]
    assert int(loaded.n) == 3


def test_random_numbers_are_drawn_anew_or_from_a_seed(tmp_path):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def drawn(self, x):
            return x + tf.random.normal(tf.shape(x))

        @tf.function(input_signature=[tf.TensorSpec([2], tf.int32)])
        def seeded(self, seed):
            return tf.random.stateless_uniform([4], seed)

    model = Model()
    loaded = saved(model, tmp_path)
    x = tf.zeros([5, 3])
    assert (loaded.drawn(x).numpy() != loaded.drawn(x).numpy()).all()
    np.testing.assert_array_equal(loaded.seeded([1, 2]), model.seeded([1, 2]))


def test_long_loops_are_loops_in_the_file(tmp_path):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[0.5, -0.1], [0.2, 0.3]])

        @tf.function(input_signature=[tf.TensorSpec([None, 2])])
        def __call__(self, x):
            return tf.scan(lambda h, row: tf.tanh(row + tf.linalg.matvec(self.w, h)), x)

        @tf.function(input_signature=[tf.TensorSpec([2]), tf.TensorSpec([], tf.int32)])
        def repeated(self, x, n):
            return tf.while_loop(
                lambda i, y: i < n,
                lambda i, y: (i + 1, tf.sin(tf.linalg.matvec(self.w, y))),
                (0, x),
            )[1]

    model = Model()
    loaded = saved(model, tmp_path)
    assert "StatelessWhile" in ops_of(tmp_path)
    for steps in (3, 50, 200):
        x = np.random.default_rng(1).normal(size=(steps, 2)).astype(np.float32)
        ours, again = (evaluate(tf, each, (x,)) for each in (model, loaded))
        for key, value in ours.items():
            np.testing.assert_allclose(again[key], value, atol=1e-4)
        n = np.int32(steps % 7)
        np.testing.assert_allclose(loaded.repeated(x[0], n), model.repeated(x[0], n), rtol=1e-5)


def test_a_conv_has_the_padding_that_it_was_given(tmp_path):
    saved(built(tf, "keras_convolutional")[0], tmp_path)
    assert {"Conv2D", "MaxPool", "BiasAdd"} - ops_of(tmp_path) <= {"BiasAdd"}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (lambda x: tf.fingerprint(x), "in 'call': .*computed by Python"),
        (lambda x: tf.print([x]), "in 'call': tf.print of lists and dictionaries"),
        (lambda x: tf.print(x, output_stream=io.StringIO()), "in 'call': tf.print to a stream"),
        (lambda x: tf.io.write_file("a", x[0]), "in 'call': write_file, which is done for its eff"),
        (lambda x: float(tf.strings.length(x)[0]) * 1.0, "runs eagerly and has no graph"),
        (lambda x: tf.strings.split(x).to_tensor(), "the value of a tensor. Leave that part out"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, body, text):
    module = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([1], tf.string)])
    def call(x):
        return body(x)

    module.call = call
    with pytest.raises(NotImplementedError, match=text):
        tf.saved_model.save(module, tmp_path)
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_a_variable_that_is_not_in_the_object_is_named(tmp_path):
    outside = tf.Variable(1.0, name="outside")
    module = tf.Module()
    module.call = tf.function(lambda x: x * outside, input_signature=[tf.TensorSpec([])])
    with pytest.raises(AssertionError, match=r"untracked.*outside:0"):
        tf.saved_model.save(module, tmp_path)


def test_only_objects_are_saved(tmp_path):
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(3, tmp_path)
    with pytest.raises(TypeError, match="options must be a SaveOptions"):
        tf.saved_model.save(tf.Module(), tmp_path, options=3)


def test_a_model_is_replaced(tmp_path):
    module = tf.Module()
    module.v = tf.Variable([1.0])
    saved(module, tmp_path)
    module.v = tf.Variable([2.0, 3.0])
    np.testing.assert_array_equal(saved(module, tmp_path).v, [2, 3])


def test_a_loaded_model_is_saved_by_checkpoint(tmp_path):
    loaded = saved(built(tf, "affine")[0], tmp_path / "model")
    path = tf.train.Checkpoint(loaded).write(str(tmp_path / "checkpoint"))
    before = loaded.w.numpy()
    loaded.w.assign(tf.zeros_like(loaded.w))
    tf.train.Checkpoint(loaded).read(path)
    np.testing.assert_array_equal(loaded.w, before)


def test_keras_archives_take_several_endpoints(tmp_path):
    model, inputs = keras_models.built(tf.keras, "keras_dense")
    archive = tf.keras.export.ExportArchive()
    archive.track(model)
    archive.add_endpoint("call", model.call, [tf.keras.InputSpec(shape=(None, 4), dtype="float32")])
    archive.add_endpoint(
        "logits", lambda x: tf.math.log(model(x)), [tf.TensorSpec([None, 4], tf.float32)]
    )
    with pytest.raises(ValueError, match="'call' is already taken"):
        archive.add_endpoint("call", model.call)
    with pytest.raises(ValueError, match="must provide an `input_signature`"):
        archive.add_endpoint("other", lambda x: x)
    archive.add_variable_collection("biases", [model.layers[0].bias])
    archive.write_out(tmp_path, verbose=False)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_allclose(loaded.call(inputs), model(inputs), rtol=1e-5)
    np.testing.assert_allclose(
        loaded.signatures["logits"](x=inputs)["output_0"], np.log(model(inputs)), rtol=1e-4
    )
    assert sorted(loaded.signatures) == ["call", "logits", "serving_default"]
    assert loaded.biases[0].shape == (5,)


def test_what_is_printed_and_checked_is_so_in_the_file(tmp_path, capsys):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.string)])
        def __call__(self, x, name):
            tf.print(name, output_stream=sys.stdout)
            tf.print("{} of", x, "%", sep="|", end="!\n", output_stream=sys.stdout)
            tf.debugging.assert_less(x, 9.0, message="too large")
            for i in tf.range(2):
                tf.print("round", i, output_stream=sys.stdout)
            return x

    loaded = saved(Model(), tmp_path)
    capsys.readouterr()
    loaded(tf.constant([1.0, 2.0]), tf.constant("abc"))
    assert capsys.readouterr().out == "abc\n{} of|[1 2]|%!\nround 0\nround 1\n"
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large"):
        loaded(tf.constant([10.0]), tf.constant("abc"))
    assert {"PrintV2", "Assert", "StringFormat"} <= ops_of(tmp_path)


def test_a_signature_of_one_input_takes_it_by_position(tmp_path):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([2])])
        def __call__(self, x):
            return 2.0 * x

    signature = saved(Model(), tmp_path).signatures["serving_default"]
    np.testing.assert_array_equal(signature(tf.constant([1.0, 2.0]))["output_0"], [2.0, 4.0])
