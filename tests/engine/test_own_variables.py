"""Subclasses of tf.Variable that keep their value in their own way, as Sonnet's TensorVariable."""

import abc
import contextlib

import numpy as np
import pytest

import gradtape as tf


class Held(tf.Variable):
    def __init__(self, value):
        self.held = tf.constant(value)

    shape = property(lambda self: self.held.shape)
    dtype = property(lambda self: self.held.dtype)


@pytest.fixture(autouse=True)
def conversion():
    tf.register_tensor_conversion_function(
        Held, lambda value, dtype=None, name=None, as_ref=None: value.held
    )


# What TensorFlow 2.21 computes with the same class.
COMPUTED = {
    "matmul": (lambda v: tf.matmul(v, [[1.0], [2.0]]), [[5.0]]),
    "ones_like": (tf.ones_like, [[1.0, 1.0]]),
    "cast": (lambda v: tf.cast(v, tf.int32), [[1, 2]]),
    "stack": (lambda v: tf.stack([v, v]), [[[1.0, 2.0]], [[1.0, 2.0]]]),
    "sum": (lambda v: tf.constant([[1.0, 1.0]]) + v, [[2.0, 3.0]]),
    "reduce_sum": (tf.reduce_sum, 3.0),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_it_is_read_by_its_conversion(name):
    function, expected = COMPUTED[name]
    assert function(Held([[1.0, 2.0]])).numpy().tolist() == expected


def test_gradients_flow_to_what_it_holds():
    v = Held([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(v.held)
        y = tf.reduce_sum(tf.multiply(v, v))
    np.testing.assert_array_equal(tape.gradient(y, v.held), [2.0, 4.0])


def test_other_variables_are_read_as_ever():
    assert (tf.Variable([1.0]) + 1).numpy().tolist() == [2.0]


def test_references_have_an_order():
    references = [tf.constant(float(i)).ref() for i in range(5)]
    assert sorted(references) == sorted(references, key=hash)
    with pytest.raises(TypeError, match="not supported"):
        references[0] < 3  # noqa: B015 (raises)


class Limited(tf.Variable):
    """A variable that is never read as more than 1, as zfit's parameters are."""

    def value(self):
        return tf.minimum(super().value(), 1.0)


class Limits(abc.ABC):
    @abc.abstractmethod
    def limits(self): ...


class Computed(tf.Variable, Limits):
    """What is called a variable, and is computed of another one."""

    def __init__(self, of):
        self.of = of
        with contextlib.suppress(NotImplementedError):
            super().__init__()

    dtype = tf.float32
    shape = property(lambda self: self.of.shape)

    def limits(self):
        return 0.0, 1.0

    def value(self):
        return 3.0 * self.of


# What TensorFlow 2.21 computes in functions, with its ResourceVariable as the base. (Outside of
# them, some of its ops read a variable past its `value`.)
@pytest.mark.parametrize("function", [lambda v: v * v, tf.square, tf.function(tf.square)])
def test_a_subclass_is_read_as_its_own_value(function):
    # On another device a variable is of that device's class, without what its own class defines.
    with tf.device("CPU:0"):
        below, above = Limited(0.5), Limited(2.0)
    assert [function(v).numpy() for v in (below, above)] == [0.25, 1.0]
    assert tf.stack([below, above]).numpy().tolist() == [0.5, 1.0]
    assert above.numpy() == 2.0  # what it holds
    with tf.GradientTape() as tape:
        y = function(below) + function(above)
    assert [g.numpy() for g in tape.gradient(y, [below, above])] == [1.0, 0.0]
    below.assign_add(0.25)
    assert function(below).numpy() == 0.5625


def test_a_subclass_without_a_value_of_its_own():
    v = Limited(0.5)
    computed = Computed(v)
    with tf.GradientTape() as tape:
        y = tf.square(computed) + computed
    assert y.numpy() == 3.75
    assert tape.gradient(y, v).numpy() == 12.0
    assert tf.convert_to_tensor(computed).numpy() == 1.5
    with pytest.raises(NotImplementedError, match=r"Limited: a subclass of tf\.Variable that is"):
        Limited()
    with pytest.raises(ValueError, match="initial_value must be specified"):
        tf.Variable()


def test_a_subclass_with_what_is_abstract():
    class Unfinished(tf.Variable, Limits):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Unfinished(1.0)
    assert issubclass(Computed, tf.Variable)
    assert not isinstance(tf.Variable(1.0), Computed)


def test_all_names_of_a_subclass_can_be_looked_up():
    assert all(hasattr(Limited, name) for name in dir(Limited))
    assert "assign" in dir(Limited)
