"""Derivatives by functions that are 0 for a reason that the program may not know."""

import numpy as np
import pytest

import gradtape as tf


@pytest.mark.parametrize(
    "function",
    [
        lambda a: float(a) ** 2,
        lambda a: tf.constant(np.sin(a)) ** 2,
        lambda a: tf.reduce_sum(tf.constant(a.numpy())),
    ],
)
@pytest.mark.parametrize("derive", [tf.grad, tf.hessian, tf.jacobian])
def test_a_derivative_that_is_0_because_the_value_left_says_so(function, derive):
    with pytest.warns(tf.NoGradientWarning, match="The derivative is 0: No gradient for argument"):
        derive(function)(tf.constant(3.0))


def test_a_value_that_is_only_looked_at_warns_of_nothing(recwarn):
    def looked_at(a, unused):
        assert float(a) == 3.0
        return a * 2.0

    assert [float(g) for g in tf.grad(looked_at, (0, 1))(3.0, 1.0)] == [2.0, 0.0]
    assert not recwarn.list


@pytest.mark.parametrize("derive", [tf.grad, tf.value_and_grad, tf.jacobian, tf.hessian])
def test_there_is_no_derivative_by_an_integer(derive):
    with pytest.raises(TypeError, match=r"argument 0 is int32\. Write 3\.0 for 3, or use tf\.cast"):
        derive(lambda a: a * 2)(3)


def test_arguments_of_the_wrong_kind_are_named():
    with pytest.raises(TypeError, match=r"^grad, value_and_grad: the function returned None"):
        tf.grad(lambda a: None)(1.0)
    with pytest.raises(ValueError, match=r"^grad, value_and_grad: the function must give a scalar"):
        tf.grad(lambda a: a)(tf.ones(2))
    with pytest.raises(TypeError, match=r"hessian: argument 0 is a dictionary"):
        tf.hessian(lambda p: p["a"])({"a": tf.ones(())})
    with pytest.raises(TypeError, match=r"vmap: in_axes has an axis, or None, for each argument"):
        tf.vmap(lambda p: p["a"], in_axes=({"a": 0},))({"a": tf.ones(2)})
