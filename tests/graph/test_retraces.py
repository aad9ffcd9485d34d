"""A function that is traced again and again: which argument changed, from what to what."""

from __future__ import annotations

import collections

import pytest

import gradtape as tf

X = tf.ones(2)


class Thing:
    """Something that a function is called with."""


THINGS = [Thing() for _ in range(5)]
VARIABLES = [tf.Variable(1.0, name=f"v{i}") for i in range(5)]
NUMBERS = "pass Python numbers that change as tensors"
OBJECTS = "make an object that a function is called with once, and keep it"
# name: (the parameters, the arguments of call i, what is said about the last, and the advice)
CASES = {
    "shape": (
        "x",
        lambda i: ((tf.ones(i + 1),), {}),
        "x changed from float32[4] to float32[5]",
        "pad tensors to few shapes",
    ),
    "dtype": (
        "x",
        lambda i: ((tf.cast(X, ["half", "int8", "bool", "int32", "int64"][i]),), {}),
        "x changed from int32[2] to int64[2]",
        "cast tensors to one dtype",
    ),
    "number": ("x, n", lambda i: ((X, i), {}), "n changed from 3 to 4", NUMBERS),
    "text": ("x, mode", lambda i: ((X, "abcde"[i]), {}), "mode changed from 'd' to 'e'", NUMBERS),
    "keyword": ("x, *, c", lambda i: ((X,), {"c": i / 2}), "c changed from 1.5 to 2.0", NUMBERS),
    "inside a structure": (
        "s",
        lambda i: (({"a": [X, (X, i)], "b": X},), {}),
        "s['a'][1][1] changed from 3 to 4",
        NUMBERS,
    ),
    "two at once": (
        "x, n",
        lambda i: ((tf.ones(i), i), {}),
        "x changed from float32[3] to float32[4] and n changed from 3 to 4",
        f"pad tensors to few shapes, and {NUMBERS}",
    ),
    "objects": ("x, o", lambda i: ((X, THINGS[i]), {}), "o is another Thing object", OBJECTS),
    "functions": (
        "x, f",
        lambda i: ((X, lambda: i), {}),
        "f is another function <lambda>",
        OBJECTS,
    ),
    "variables": (
        "v",
        lambda i: ((VARIABLES[i],), {}),
        "v changed from variable 'v3:0' to variable 'v4:0'",
        OBJECTS,
    ),
    "number of arguments": (
        "x, *more",
        lambda i: ((X, *[X] * i), {}),
        "argument 4 is new",
        "call it with the same structure of arguments",
    ),
    "names": (
        "x, **more",
        lambda i: ((X,), {f"k{i}": 1}),
        "k4 is new and k3 is gone",
        "call it with the same structure of arguments",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_changed(name, caplog):
    parameters, call, text, remedy = CASES[name]
    function = tf.function(eval(f"lambda {parameters}: tf.zeros([])", {"tf": tf}))
    for i in range(5):
        assert not caplog.text
        args, kwargs = call(i)
        function(*args, **kwargs)
        function(*args, **kwargs)
    assert f"has been traced 5 times, the last time because {text}. " in caplog.text
    assert f"several calls: {remedy}." in caplog.text


def test_a_variable_of_another_shape(caplog):
    v = tf.Variable(tf.ones(1), shape=[None])
    function = tf.function(lambda: v * 2.0)
    for size in range(1, 6):
        v.assign(tf.ones(size))
        function()
    assert "the last time because a variable has another shape." in caplog.text


def test_keys_of_every_kind_of_dictionary_are_part_of_the_key():
    traces = []

    @tf.function
    def keys(d):
        traces.append(d)
        return {key: x + 1 for key, x in d.items()}

    for name in ("a", "b", "a"):
        assert list(keys(collections.OrderedDict({name: tf.constant(1)}))) == [name]
    assert len(traces) == 2
