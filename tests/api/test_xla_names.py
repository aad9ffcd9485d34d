"""tf.xla.experimental, as TensorFlow 2.21 answers on a CPU."""

import pytest

import gradtape as tf

RETURNED = {
    "a tensor": (lambda: tf.constant(1.0) + 1, [2.0]),
    "a tuple": (lambda: (tf.constant(1.0), 2 * tf.ones([2])), [1.0, [2.0, 2.0]]),
    "a list": (lambda: [tf.constant(1.0)], [1.0]),
    "a number": (lambda: 3.0, [3.0]),
    "a dict": (lambda: {"a": tf.constant(1.0)}, {"a": 1.0}),
}


@pytest.mark.parametrize("name", RETURNED)
def test_compile_returns_a_list(name):
    computation, expected = RETURNED[name]
    result = tf.xla.experimental.compile(computation)
    assert type(result) is type(expected)
    assert tf.nest.map_structure(lambda x: x.numpy().tolist(), result) == expected


def test_compile_takes_inputs_inside_and_outside_of_functions():
    def add(x, y):
        return x + y

    assert tf.xla.experimental.compile(add, [1.0, 2.0])[0] == 3.0
    assert tf.function(lambda x: tf.xla.experimental.compile(add, [x, 2.0])[0])(1.0) == 3.0


def test_compiled_functions_are_differentiated():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        (y,) = tf.xla.experimental.compile(lambda: v * v)
    assert tape.gradient(y, v) == 6.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((lambda: None,), "must return one or more tensors"),
        ((lambda: (),), "must return one or more tensors"),
        ((lambda x: x, 1.0), "inputs must be a list"),
        ((3,), "computation must be a function"),
    ],
)
def test_what_compile_refuses(arguments, message):
    with pytest.raises(TypeError, match=message):
        tf.xla.experimental.compile(*arguments)


def test_jit_scope_is_for_functions():
    def add(x):
        with tf.xla.experimental.jit_scope():
            return x + 1

    assert tf.function(add)(1.0) == 2.0
    with pytest.raises(RuntimeError, match="Try use it inside"):
        add(1.0)
