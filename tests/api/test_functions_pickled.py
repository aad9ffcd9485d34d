"""Public functions are pickled by name, alone and in what refers to them, such as a model."""

import copy
import pickle
import subprocess
import sys
import types

import pytest

import gradtape as tf
from gradtape.api.export import PUBLIC

SERVED = """
import copy
import pickle
import gradtape.tensorflow
import tensorflow as tf
for function in (tf.nn.relu, tf.tanh, tf.reduce_sum, tf.reshape, tf.concat):
    assert pickle.loads(pickle.dumps(function)) is function, function
"""


def _public(name):
    result = tf
    for part in name.split("."):
        result = getattr(result, part)
    return result


def test_every_public_function_is_pickled_by_name():
    functions = {name: _public(name) for name in PUBLIC if not name.startswith("keras.")}
    functions = {n: f for n, f in functions.items() if isinstance(f, types.FunctionType)}
    assert len(functions) > 1000
    others = [n for n, f in functions.items() if pickle.loads(pickle.dumps(f)) is not f]
    assert others == []


def test_functions_are_pickled_where_they_take_symbolic_tensors():
    subprocess.run([sys.executable, "-c", SERVED], check=True, timeout=300)


def doubled(x):
    return x * 2.0


@tf.function
def increased(x):
    return x + 1.0


class Scaling(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0)
        self.traced = tf.function(self.scaled)

    def scaled(self, x):
        return self.scale * x


def test_tf_functions_are_pickled_by_name_or_by_what_they_are_made_of():
    x = tf.constant(3.0)
    assert pickle.loads(pickle.dumps(increased)) is increased
    signature = [tf.TensorSpec([], tf.float32)]
    function = tf.function(doubled, input_signature=signature, reduce_retracing=True)
    function(x)
    again = pickle.loads(pickle.dumps(function))
    assert float(again(x)) == 6.0
    assert again.input_signature == tuple(signature) or again.input_signature == signature
    assert again.python_function is doubled


def test_a_tf_function_that_is_not_there_any_more_is_an_error(monkeypatch):
    data = pickle.dumps(increased)
    monkeypatch.delattr(sys.modules[__name__], "increased")
    with pytest.raises(AttributeError, match=r"Cannot find the tf\.function 'increased'"):
        pickle.loads(data)


def test_copies_of_modules_trace_their_own_functions():
    module, x = Scaling(), tf.constant(3.0)
    assert float(module.traced(x)) == 6.0
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        other.scale.assign(5.0)
        assert float(other.traced(x)) == 15.0
        assert float(module.traced(x)) == 6.0
