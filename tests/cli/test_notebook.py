"""Notebooks: code cells in order, without what only IPython understands."""

import json

import pytest

from gradtape.cli.notebook import python_of


def cells(*sources) -> str:
    notebook = {
        "nbformat": 4,
        "cells": [{"cell_type": "markdown", "source": ["# Title\n"]}]
        + [{"cell_type": "code", "source": source, "outputs": []} for source in sources],
    }
    return json.dumps(notebook)


def left_out(source: str) -> tuple[str, list[tuple[int, str]]]:
    told: list[tuple[int, str]] = []
    return python_of(source, lambda line, text: told.append((line, text))), told


def test_cells_run_in_order(folder):
    folder.write(
        "book.ipynb",
        cells(
            ["!pip install tensorflow\n", "import tensorflow as tf"],
            "%matplotlib inline\nx = tf.Variable(3.0)",
            "with tf.GradientTape() as tape:\n    y = x * x\ndisplay(tape.gradient(y, x).numpy())",
            "y.numpy()",
            "y;",
            "print(__name__)",
        ),
    )
    finished = folder.gradtape("run", "book.ipynb")
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines() == ["np.float32(6.0)", "np.float32(9.0)", "__main__"]
    assert finished.stderr.splitlines() == [
        "gradtape run: book.ipynb[cell 1]:1: left out: !pip install tensorflow",
        "gradtape run: book.ipynb[cell 2]:1: left out: %matplotlib inline",
    ]


def test_an_error_names_cell_and_line_and_stops(folder):
    folder.write("book.ipynb", cells("print('one')", "a = 1\n1 / 0", "print('three')"))
    finished = folder.gradtape("run", "book.ipynb")
    assert (finished.returncode, finished.stdout) == (1, "one\n")
    assert 'File "book.ipynb[cell 2]", line 2' in finished.stderr
    assert "    1 / 0" in finished.stderr


def test_a_missing_name_names_cell_and_line(folder):
    folder.write("book.ipynb", cells("import tensorflow as tf", "\ntf.zzyzx(3)"))
    finished = folder.gradtape("run", "book.ipynb")
    assert finished.returncode == 1
    assert finished.stderr == "book.ipynb[cell 2]:2: gradtape does not have tf.zzyzx.\n"


def test_the_format_before_2015(folder):
    sheet = {"cells": [{"cell_type": "code", "input": ["print(5)"]}]}
    folder.write("book.ipynb", json.dumps({"worksheets": [sheet]}))
    assert folder.gradtape("run", "book.ipynb").stdout == "5\n"


@pytest.mark.parametrize("text", ["", "[]", "{}", "{'cells'", '{"cells": 3}'])
def test_what_is_no_notebook(folder, text):
    folder.write("book.ipynb", text)
    finished = folder.gradtape("run", "book.ipynb")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith("gradtape run: book.ipynb is not a notebook: ")
    assert len(finished.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("x = (7\n  % 4)", "x = (7\n  % 4)\n"),
        ("text = '''\n%time\n!ls\n'''", "text = '''\n%time\n!ls\n'''\n"),
        ("if a:\n    !pip install b\nc()", "if a:\n    pass\nc()\n"),
        ("!pip install a \\\n    b\nc()", "pass\n\nc()\n"),
        ("%time train()", "train()\n"),
        ("%%time\ntrain()", "\ntrain()\n"),
        ("\n%%capture out\ntrain()", "\n\ntrain()\n"),
        ("%%bash\nls", ""),
        ("%%writefile a.py\nx = 1", ""),
        ("files = !ls\nx = 1", "pass\nx = 1\n"),
        ("tf.data.Dataset?", "pass\n"),
        ("?print", "pass\n"),
        ("%load_ext tensorboard\n%tensorboard --logdir logs\nx = 1", "pass\npass\nx = 1\n"),
        ("x = = 1", "x = = 1\n"),
        ("", "\n"),
    ],
)
def test_what_is_left_of_a_cell(source, python):
    assert left_out(source)[0] == python


def test_what_is_told():
    assert left_out("a = 1\n!ls -l\n%cd x")[1] == [(2, "!ls -l"), (3, "%cd x")]
    assert left_out("%%bash\nls")[1] == [(1, "%%bash")]
    assert left_out("%time f()")[1] == []
