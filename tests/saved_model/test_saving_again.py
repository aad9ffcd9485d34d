"""A model that was loaded is saved again: its functions, and its signatures."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.saved_model.reading.table import TABLE

X = tf.constant([1.0, 3.0])


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.calls = tf.Variable(2.0), tf.Variable(0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="x")])
    def __call__(self, x):
        self.calls.assign_add(1)
        return {"y": x * self.weight, "total": tf.reduce_sum(x)}

    @tf.function
    def scaled(self, inputs, negative=False, *, scale=1.0):
        return inputs["x"] * (-scale if negative else scale)


@pytest.fixture
def loaded(tmp_path):
    model = Model()
    model.scaled({"x": X})
    model.scaled({"x": X}, negative=True, scale=3.0)
    tf.saved_model.save(model, tmp_path / "first", signatures={"named": model.__call__})
    return tf.saved_model.load(tmp_path / "first")


def test_functions_are_saved_again(loaded, tmp_path):
    loaded.weight.assign(5.0)
    tf.saved_model.save(loaded, tmp_path / "second")
    again = tf.saved_model.load(tmp_path / "second")
    with tf.GradientTape() as tape:
        y = again(X)["y"]
    np.testing.assert_array_equal(y, [5.0, 15.0])
    assert tape.gradient(y, again.weight) == 4.0
    assert again.calls == 1
    np.testing.assert_array_equal(again.scaled({"x": X}), [1.0, 3.0])
    np.testing.assert_array_equal(again.scaled({"x": X}, negative=True, scale=3.0), [-3.0, -9.0])
    assert list(again.signatures) == ["serving_default"]  # the one function with a signature


def test_signatures_are_those_of_the_loaded_model(loaded, tmp_path):
    chosen = {**loaded.signatures, "concrete": loaded.scaled.concrete_functions[0]}
    tf.saved_model.save(loaded, tmp_path / "second", signatures=chosen)
    signatures = tf.saved_model.load(tmp_path / "second").signatures
    assert sorted(signatures) == ["concrete", "named"]
    np.testing.assert_array_equal(signatures["named"](x=X)["y"], [2.0, 6.0])
    np.testing.assert_array_equal(signatures["concrete"](inputs=X)["output_0"], [1.0, 3.0])


def test_what_cannot_be_saved_again_is_said(tmp_path):
    model = tf.Module()
    pairs = tf.lookup.KeyValueTensorInitializer(["a"], [1])
    model.table = tf.lookup.StaticHashTable(pairs, 0)
    signature = [tf.TensorSpec([None], tf.string)]
    model.find = tf.function(lambda keys: model.table.lookup(keys), input_signature=signature)
    tf.saved_model.save(model, tmp_path / "first")
    loaded = tf.saved_model.load(tmp_path / "first")
    with pytest.warns(
        UserWarning, match=r"of the loaded model is left out: .*Contents\.find"
    ) as seen:
        tf.saved_model.save(loaded, tmp_path / "second")
    assert seen[0].filename == __file__


def test_a_function_with_an_op_that_is_not_known_is_left_out(tmp_path, monkeypatch):
    model, signature = tf.Module(), [tf.TensorSpec([2], tf.float32)]
    model.exp = tf.function(tf.exp, input_signature=signature)
    model.doubled = tf.function(lambda x: 2.0 * x, input_signature=signature)
    tf.saved_model.save(model, tmp_path / "first")
    loaded = tf.saved_model.load(tmp_path / "first")
    monkeypatch.delitem(TABLE, "Exp")
    with pytest.warns(UserWarning, match="uses the op 'Exp'"):
        tf.saved_model.save(loaded, tmp_path / "second")
    again = tf.saved_model.load(tmp_path / "second")
    np.testing.assert_array_equal(again.doubled(X), [2.0, 6.0])


def test_concrete_functions_without_tensors_are_found(tmp_path):
    model = tf.Module()
    model.sign = tf.function(lambda positive: tf.constant(1.0 if positive else -1.0))
    model.sign(True), model.sign(False)
    tf.saved_model.save(model, tmp_path / "first")
    loaded = tf.saved_model.load(tmp_path / "first")
    assert [loaded.sign.get_concrete_function(x)().numpy() for x in (True, False)] == [1.0, -1.0]
