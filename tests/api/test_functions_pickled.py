"""Public functions are pickled by name, alone and in what refers to them, such as a model."""

import pickle
import subprocess
import sys
import types

import gradtape as tf
from gradtape.api.export import PUBLIC

SERVED = """
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
