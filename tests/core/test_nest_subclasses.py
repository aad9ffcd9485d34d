"""Subclasses of list, tuple and dict are structures, as in TensorFlow; Keras makes some of them."""

from __future__ import annotations

import pytest

import gradtape as tf
from gradtape.core import nest


class Items(list):
    pass


class Table(dict):
    pass


class Couple(tuple):
    __slots__ = ()


def variables():
    return tf.Variable(1.0), tf.Variable(2.0)


def test_gradients_have_the_structure_of_the_sources():
    a, b = variables()
    sources = Items([a, (Table(z=b, y=a), Couple([b]))])
    with tf.GradientTape() as tape:
        y = a * b
    result = tape.gradient(y, sources)
    assert type(result) is Items
    table, couple = result[1]
    assert type(table) is Table
    assert list(table) == ["z", "y"]
    assert type(couple) is Couple
    assert [float(x) for x in nest.flatten(result)] == [2.0, 2.0, 1.0, 1.0]


def test_targets():
    a, b = variables()
    with tf.GradientTape() as tape:
        targets = Items([a * 2, b * 3])
    assert [float(x) for x in tape.gradient(targets, [a, b])] == [2.0, 3.0]


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_what_a_keras_layer_makes_of_its_lists(kind):
    class Layer(tf.keras.layers.Layer):
        def build(self, shape):
            weights = [self.add_weight(shape=(), initializer="ones") for _ in range(2)]
            self.own = weights if kind == "list" else dict(zip("ab", weights, strict=True))

        def call(self, x):
            first, second = self.own if kind == "list" else self.own.values()
            return x * first * first + second

    layer = Layer()
    layer(tf.constant(3.0))
    assert type(layer.own) not in (list, dict)
    with tf.GradientTape() as tape:
        y = layer(tf.constant(3.0))
    gradients = tape.gradient(y, layer.own)
    assert type(gradients) is type(layer.own)
    assert [float(x) for x in tf.nest.flatten(gradients)] == [6.0, 1.0]


def test_arguments_and_results_of_functions():
    @tf.function
    def f(items):
        first, second = items
        return Table(sum=first + second, both=Items([second, first]))

    result = f(Items([tf.constant(1.0), tf.constant(2.0)]))
    assert float(result["sum"]) == 3.0
    assert [float(x) for x in result["both"]] == [2.0, 1.0]


def test_control_flow():
    one, two = tf.constant(1.0), tf.constant(2.0)
    chosen = tf.cond(one < two, lambda: Items([one]), lambda: Items([two]))
    assert type(chosen) is Items
    (last,) = tf.while_loop(
        lambda s: s[0] < 5.0, lambda s: [Items([s[0] + 1, s[1] * 2])], [Items([one, one])]
    )
    assert [float(x) for x in last] == [5.0, 16.0]


def test_forward_mode():
    a, b = variables()
    with tf.autodiff.ForwardAccumulator(Items([a, b]), Items([tf.constant(1.0)] * 2)) as acc:
        y = a * b
    assert float(acc.jvp(y)) == 3.0


def test_a_structure_of_a_class_is_not_one_of_another():
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        nest.assert_same_structure([Items([1])], [[1]])


def test_a_class_is_registered_while_it_is_packed():
    class New(list):
        pass

    packed = nest.pack_sequence_as([New([0, 0]), 0], [1, 2, 3])
    assert packed == [[1, 2], 3]
    assert type(packed[0]) is New
