"""The parts of Keras that are written for TensorFlow get gradtape, and nobody else does."""

import re
import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape import keras_plug


@pytest.mark.parametrize("name", sorted(keras_plug.FOR_TENSORFLOW))
def test_listed_modules_reach_nothing_but_gradtape(keras, name):
    module = sys.modules[name]
    assert getattr(module, "tf", None) is None or module.tf.Tensor is tf.Tensor
    source = module.__loader__.get_source(name)
    for pattern, replacement in keras_plug.REACHES:
        source = pattern.sub(replacement, source)
    left = re.findall(r"^\s*(?:import|from) .*\btensorflow\b.*", source, re.MULTILINE)
    assert all("keras_gradtape" in line or "tensorflow_io" in line for line in left)


def test_a_module_that_does_not_import_tensorflow_is_an_error():
    with pytest.raises(ImportError, match=r"keras\.src\.other does not import TensorFlow in a way"):
        keras_plug.with_gradtape("keras.src.other", "import os\n", "other.py")


def test_other_parts_find_no_tensorflow(keras):
    from keras.src.utils.module_utils import tensorflow

    assert "gradtape" not in repr(tensorflow.__dict__)


def test_a_table_that_its_initializer_left_empty():
    class Nothing(tf.lookup.KeyValueTensorInitializer):
        def initialize(self, table):
            pass

    table = tf.lookup.StaticHashTable(Nothing(["a"], [1]), -1)
    assert int(table.size()) == 0
    with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
        table.lookup(tf.constant(["a"]))


@pytest.mark.parametrize(
    "words", [np.array(["a", "c"]), np.array(["a", "c"], object), np.array([b"a", b"c"])]
)
def test_predict_takes_arrays_of_strings(keras, words):
    model = keras.Sequential([keras.Input((), dtype="string")])
    model.add(keras.layers.StringLookup(vocabulary=["a", "b"]))
    np.testing.assert_array_equal(model.predict(words, verbose=0), [1, 0])


def test_embeddings_are_described_without_tensorboard(keras, tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Embedding(4, 2, name="words")])
    model.compile("sgd", "mse")
    options = {"embeddings_freq": 1, "embeddings_metadata": {"words": 'a"b.tsv'}}
    callback = keras.callbacks.TensorBoard(tmp_path, **options)
    model.fit(np.ones((2, 2)), np.ones((2, 2, 2)), verbose=0, callbacks=[callback])
    name = "layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE"
    lines = ["embeddings {", f'  tensor_name: "{name}"', r'  metadata_path: "a\042b.tsv"', "}", ""]
    assert (tmp_path / "projector_config.pbtxt").read_text("utf-8") == "\n".join(lines)
    with pytest.raises(ValueError, match="Unrecognized `Embedding` layer names"):
        keras.callbacks.TensorBoard(
            tmp_path, embeddings_freq=1, embeddings_metadata={"other": "x"}
        ).set_model(model)


def test_crosses_want_matrices_and_equal_rows():
    a = tf.constant([["a"]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="should be a matrix but received"):
        tf.sparse.cross([tf.constant(["a"]), a])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected batch size 1"):
        tf.sparse.cross([a, tf.constant([["a"], ["b"]])])
    with pytest.raises(TypeError, match="Use its method to_sparse"):
        tf.sparse.cross([tf.ragged.constant([["a"]]), a])
    with pytest.raises(TypeError, match="inputs must be a list of tensors"):
        tf.sparse.cross(a)
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least minimum 0"):
        tf.sparse.cross_hashed([a, a], num_buckets=-1)
