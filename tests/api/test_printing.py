"""`tf.print` writes what TensorFlow writes (recorded from it)."""

import io
import logging
import sys

import numpy as np
import pytest

import gradtape as tf


def printed(*values, **options) -> str:
    stream = io.StringIO()
    tf.print(*values, output_stream=stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((tf.reshape(tf.range(6.0), [2, 3]),), "[[0 1 2]\n [3 4 5]]\n"),
        (("a", tf.constant([0, 1]), 3, 1.5, None), "a [0 1] 3 1.5 None\n"),
        (([1, tf.constant(3.5)],), "[1, 3.5]\n"),
        (({"b": tf.constant([1, 2]), "a": 1},), "{'a': 1, 'b': [1 2]}\n"),
        ((tf.constant("hi"), tf.constant(["a"]), "s", ["x"]), '"hi" ["a"] s [\'x\']\n'),
        ((tf.range(10),), "[0 1 2 ... 7 8 9]\n"),
        ((tf.zeros([0, 3]),), "[]\n"),
        ((tf.constant(1e-10), tf.constant(123456789.0)), "1e-10 123456792\n"),
        ((tf.constant(1 / 3), tf.constant(1 / 3, tf.float64)), "0.333333343 0.33333333333333331\n"),
        ((tf.constant([float("nan"), float("-inf"), 1e20]),), "[nan -inf 1e+20]\n"),
        ((tf.constant([True, False]), True), "[1 0] True\n"),
        ((tf.Variable([1.0, 2.0]),), "[1 2]\n"),
        ((np.array([1.0]), (1, 2)), "array([1.]) (1, 2)\n"),
        ((tf.constant([1e6, 16777216.0, 12345.678]),), "[1e+06 16777216 12345.6777]\n"),
    ],
)
def test_values(values, text):
    assert printed(*values) == text


def test_options(tmp_path, capsys, caplog):
    assert printed(1, 2, sep=",", end="!") == "1,2!"
    assert printed(tf.range(10), summarize=-1) == "[0 1 2 3 4 5 6 7 8 9]\n"
    assert (
        printed(tf.reshape(tf.range(9), [3, 3]), summarize=1) == "[[0 ... 2]\n ...\n [6 ... 8]]\n"
    )
    tf.print("to the standard error")
    assert capsys.readouterr().err == "to the standard error\n"
    path = tmp_path / "out.txt"
    tf.print("one", output_stream=f"file://{path}")
    tf.print("two", output_stream=f"file://{path}")
    assert path.read_text() == "one\ntwo\n"
    with caplog.at_level(logging.INFO):
        tf.print("logged", output_stream=logging.getLogger("somewhere").info)
    assert caplog.messages == ["logged"]
    with pytest.raises(ValueError, match=r"Unrecognized keyword arguments"):
        tf.print(1, color="red")
    with pytest.raises(ValueError, match=r"Unknown output stream"):
        tf.print(1, output_stream=3)


def test_one_text_has_no_quotes(capsys):
    @tf.function
    def show(x):
        tf.print(x, output_stream=sys.stdout)

    tf.print(tf.constant("abc"), output_stream=sys.stdout)
    show(tf.constant("q"))
    tf.print(tf.constant("abc"), tf.constant("d"), output_stream=sys.stdout)
    tf.print(tf.constant(["abc"]), output_stream=sys.stdout)
    assert capsys.readouterr().out == 'abc\nq\n"abc" "d"\n["abc"]\n'


RAGGED = tf.ragged.constant([[1.5], [2.0, 1 / 3], []])
WORDS = tf.ragged.constant([["a"], ["b", "c"]])
SPARSE = tf.SparseTensor([[0, 1]], [2.5], [2, 2])


@pytest.mark.parametrize("decorate", [lambda function: function, tf.function])
def test_ragged_and_sparse_tensors(decorate):
    lines = []

    @decorate
    def show(ragged, words, sparse):
        tf.print(ragged, words, output_stream=lines.append)
        tf.print({"r": ragged}, [sparse], output_stream=lines.append)

    show(RAGGED, WORDS, SPARSE)
    show(RAGGED, WORDS, SPARSE)
    assert (
        lines
        == [
            "[[1.500000], [2.000000, 0.333333], []] [['a'], ['b', 'c']]",
            "{'r': [[1.500000], [2.000000, 0.333333], []]} "
            "['SparseTensor(indices=[[0 1]], values=[2.5], shape=[2 2])']",
        ]
        * 2
    )
    many = tf.RaggedTensor.from_row_lengths(tf.range(12), [9, 0, 3])
    assert printed(many, summarize=1) == "[[0, ..., 8], ..., [9, ..., 11]]\n"
    assert printed(tf.ragged.constant([[True], []])) == "[[true], []]\n"
