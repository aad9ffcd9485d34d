"""PyTorch's names on tensors: errors with what to write here, and no attributes."""

import pytest

import gradtape as tf
from gradtape.engine.foreign_names import INSTEAD


@pytest.mark.parametrize("name", INSTEAD)
@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
def test_the_error_says_what_to_write(name, make):
    x = make([1.0])
    kind = "Variable" if make is tf.Variable else "Tensor"
    with pytest.raises(AttributeError) as caught:
        getattr(x, name)
    assert str(caught.value) == (
        f"'{kind}' object has no attribute '{name}', which is PyTorch's. Here: {INSTEAD[name]}."
    )
    assert not hasattr(x, name)
    assert not hasattr(tf.Tensor, name)


def test_programs_may_set_an_attribute_of_that_name():
    x = tf.constant(1.0)
    x.grad = "mine"
    assert x.grad == "mine"


def test_a_traced_tensor_says_it_too():
    with pytest.raises(AttributeError, match=r"no attribute 'item', which is PyTorch's"):
        tf.function(lambda x: x.item())(tf.constant(1.0))
