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
    notified: list[tuple[int, str]] = []
    return python_of(source, lambda line, text: notified.append((line, text))), notified


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


PYPLOT = """
class Figure:
    def savefig(self, file, format, bbox_inches):
        file.write(b"a picture")

figures = []
def get_fignums(): return list(range(len(figures)))
def figure(number): return figures[number]
def close(which): figures.clear()
def plot(): figures.append(Figure())
"""


@pytest.fixture
def kept(folder):
    """Runs cells, and returns how that ended and the notebook with its outputs."""

    def run(*sources, options=("book.ipynb", "-o", "out.ipynb"), minor=5):
        notebook = json.loads(cells(*sources))
        notebook |= {"nbformat_minor": minor, "metadata": {"kernelspec": {"name": "python3"}}}
        folder.write("book.ipynb", json.dumps(notebook))
        finished = folder.gradtape("run", *options)
        written = json.loads((folder.path / "out.ipynb").read_text(encoding="utf-8"))
        assert written["metadata"] == notebook["metadata"]
        assert [c["source"] for c in written["cells"]] == [c["source"] for c in notebook["cells"]]
        return finished, written

    return run


def outputs(notebook) -> list[list[dict]]:
    return [c["outputs"] for c in notebook["cells"] if c["cell_type"] == "code"]


@pytest.mark.parametrize(
    "options", [("book.ipynb", "-o", "out.ipynb"), ("--output", "out.ipynb", "book.ipynb")]
)
def test_outputs_are_kept(kept, options):
    finished, notebook = kept(
        "!ls\nimport tensorflow as tf\nimport sys",
        "print('one')\nprint('two', file=sys.stderr)\nx = tf.Variable(3.0)\nx",
        "display('shown')\nx;",
        options=options,
    )
    assert finished.returncode == 0
    assert finished.stdout.splitlines()[0] == "one"  # and it is printed as before
    assert "'shown'" in finished.stdout
    first, second, third = outputs(notebook)
    left_out = "gradtape run: book.ipynb[cell 1]:1: left out: !ls\n"
    assert first == [{"output_type": "stream", "name": "stderr", "text": left_out}]
    assert second[:2] == [
        {"output_type": "stream", "name": "stdout", "text": "one\n"},
        {"output_type": "stream", "name": "stderr", "text": "two\n"},
    ]
    assert (second[2]["output_type"], second[2]["execution_count"]) == ("execute_result", 2)
    assert second[2]["data"]["text/plain"].startswith("<tf.Variable 'Variable:0' shape=()")
    assert "<b>tf.Variable" in second[2]["data"]["text/html"]
    assert third == [
        {"output_type": "display_data", "data": {"text/plain": "'shown'"}, "metadata": {}}
    ]
    counts = [c["execution_count"] for c in notebook["cells"] if c["cell_type"] == "code"]
    assert counts == [1, 2, 3]
    assert all(set(c) >= {"cell_type", "id", "metadata", "source"} for c in notebook["cells"])


def test_a_cell_that_fails_is_kept_with_its_error(kept):
    finished, notebook = kept("print('one')", "a = 1\n1 / 0", "print('three')", minor=4)
    assert finished.returncode == 1
    first, second, third = outputs(notebook)
    assert first[0]["text"] == "one\n"
    assert (second[0]["output_type"], second[0]["ename"]) == ("error", "ZeroDivisionError")
    assert second[0]["evalue"] == "division by zero"
    trace = "\n".join(second[0]["traceback"])
    assert 'File "book.ipynb[cell 2]", line 2' in trace
    assert "gradtape/cli" not in trace
    assert third == []
    assert notebook["cells"][3]["execution_count"] is None
    assert not any("id" in c for c in notebook["cells"])  # which the format got later


def test_a_program_that_exits_leaves_what_there_was(kept):
    finished, notebook = kept("print('one')\nimport sys\nsys.exit(3)", "print('two')")
    assert finished.returncode == 3
    assert outputs(notebook)[0][0]["text"] == "one\n"


def test_figures_are_kept_as_pictures(folder, kept):
    folder.write("matplotlib/__init__.py", "")
    folder.write("matplotlib/pyplot.py", PYPLOT)
    _, notebook = kept(
        "import matplotlib.pyplot as plt", "plt.plot()\nprint('after')", "plt.plot();"
    )
    first, second, third = outputs(notebook)
    assert first == []
    assert [o["output_type"] for o in second] == ["stream", "display_data"]
    assert second[1]["data"]["image/png"] == third[0]["data"]["image/png"] == "YSBwaWN0dXJl"


def test_figures_of_matplotlib_itself(kept):
    pytest.importorskip("matplotlib", reason="matplotlib is an optional extra")
    _, notebook = kept(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('after')"
    )
    picture, text = outputs(notebook)[0]
    assert picture["data"]["image/png"].startswith("iVBOR")
    assert text["text"] == "after\n"


@pytest.mark.parametrize(
    ("program", "output", "text"),
    [
        ("run.py", "out.ipynb", "run.py is no notebook: only notebooks have outputs to keep."),
        ("book.ipynb", "no/out.ipynb", "'no/out.ipynb' cannot be written. Name a file in a folder"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_first(folder, program, output, text):
    folder.write("run.py", "print('ran')")
    folder.write("book.ipynb", cells("print('ran')"))
    finished = folder.gradtape("run", "-o", output, program)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith(f"gradtape run: --output: {text}")


def test_the_format_before_2015_is_not_written(folder):
    sheet = {"cells": [{"cell_type": "code", "input": ["print(5)"]}]}
    folder.write("book.ipynb", json.dumps({"worksheets": [sheet]}))
    finished = folder.gradtape("run", "book.ipynb", "-o", "out.ipynb")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "is in an old format (before 2015), whose outputs cannot be kept." in finished.stderr


def test_other_options_of_a_program_are_its_own(folder):
    folder.write("run.py", "import sys\nprint(sys.argv[1:])")
    assert folder.gradtape("run", "run.py", "-o", "x").stdout == "['-o', 'x']\n"


IPYTHON = """
def display(*values): print(*values)

class Markdown:
    def _repr_markdown_(self): return "**bold**"
    def __repr__(self): return "<Markdown>"
"""


def test_what_ipython_displays_is_kept(folder, kept):
    folder.write("IPython/__init__.py", "")
    folder.write("IPython/display.py", IPYTHON)
    folder.write("IPython/core/__init__.py", "")
    folder.write("IPython/core/display_functions.py", IPYTHON)
    finished, notebook = kept(
        "%load_ext gradtape\nfrom IPython.display import display, Markdown",
        "display(Markdown())",
    )
    assert finished.stderr == ""  # the extension is what this command is
    assert outputs(notebook)[1][0]["data"]["text/markdown"] == "**bold**"


def test_a_notebook_that_asks_for_ipython_is_told_of_it(folder):
    folder.write("IPython.py", "raise ModuleNotFoundError('No module', name='IPython')")
    folder.write("book.ipynb", cells("from IPython.display import display"))
    assert "pip install ipython" in folder.gradtape("run", "book.ipynb").stderr
