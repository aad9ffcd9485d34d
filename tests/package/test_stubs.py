"""The stubs are those of the source, and with them pyright and mypy understand programs."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gradtape.api.export import PUBLIC
from tests.package import tour
from tools.stubs.__main__ import out_of_date
from tools.stubs.tree import stubs

ROOT = Path(__file__).parents[2]
# Keras has no annotations; what pyright makes of its defaults (`verbose="auto"`) is too narrow.
CONFIG = {
    "extraPaths": [str(ROOT / "src")],
    "pythonVersion": "3.11",
    "typeCheckingMode": "standard",
    "useLibraryCodeForTypes": False,
    "reportMissingModuleSource": False,
    "reportUnusedExpression": False,
}
MYPY = """
[mypy]
python_version = 3.11
mypy_path = {source}
check_untyped_defs = true
follow_imports = silent
disable_error_code = import-untyped
"""
# Blocks in documents that are part of a program of which the rest is not shown.
UNKNOWN_NAMES = """# pyright: reportUndefinedVariable=false
# mypy: disable-error-code="name-defined"
"""

TYPES = """
import gradtape as tf
from typing_extensions import assert_type

x = tf.constant([1.0, 2.0])
v = tf.Variable(3.0)
assert_type(x**2, tf.Tensor)
assert_type(2 * x, tf.Tensor)
assert_type(x[0], tf.Tensor)
assert_type(x < 1, tf.Tensor)
assert_type(x == 1, tf.Tensor)
assert_type(-x, tf.Tensor)
assert_type(v, tf.Variable)
assert_type(1 - v, tf.Tensor)
assert_type(v @ x, tf.Tensor)
assert_type([row for row in x], list[tf.Tensor])
assert_type(tf.math.sin(x), tf.Tensor)
assert_type(tf.nn.relu(x), tf.Tensor)
assert_type(tf.reduce_sum(x, axis=0), tf.Tensor)
assert_type(tf.float32, tf.DType)
assert_type(tf.data.Dataset.range(3).batch(2), tf.data.Dataset)
tf.vmap(lambda a, b: a * b, in_axes=(None, 0))
tf.grad(lambda a, b: a * b, argnums=(0, 1))
[g.numpy() for g in tf.per_example_gradients(lambda a: a * v, [v], x)]

@tf.function
def f(a: int, b: str = "") -> float:
    return 1.0

assert_type(f(1), float)
f("a")  # wrong: the decorator keeps the types of parameters
tf.math.sinn(x)  # wrong: no such name
tf.reduce_sum(x, axes=0)  # wrong: no such parameter
"""


def blocks(path: Path) -> list[str]:
    """The programs in a document, Python or what is typed at the prompt, but those that fail."""
    block = r"^```(python|pycon)\n((?:(?!^```).)*)^```$(?!\s*```text\n[\w.]*Error: )"
    programs = []
    for kind, text in re.findall(block, path.read_text("utf-8"), re.S | re.M):
        if kind == "pycon":
            typed = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", text, re.MULTILINE)
            text = "\n".join(typed) + "\n"
        if "import tensorflow as tf" in text:
            text = text.replace("import tensorflow as tf", "import gradtape as tf")
        elif "import gradtape as tf" not in text:
            text = "import gradtape as tf\n" + text
        programs.append(UNKNOWN_NAMES + text)
    return programs


def programs() -> dict[str, str]:
    """Everything that the checkers read, by the name of the file that it gets."""
    result = {path.name: path.read_text("utf-8") for path in ROOT.glob("examples/*.py")}
    for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        for number, text in enumerate(blocks(path)):
            page = "_".join(path.relative_to(ROOT).with_suffix("").parts).lower()
            result[f"{page}_{number}.py"] = text
    result["tour.py"] = Path(tour.__file__).read_text("utf-8")
    result["names.py"] = "\n".join(
        ["import gradtape as tf", *(f"tf.{name}" for name in PUBLIC), ""]
    )
    result["typed.py"] = TYPES
    return result


def by_pyright(folder: Path) -> list[tuple[str, int, str]]:
    """What pyright says: file, line, message."""
    (folder / "pyrightconfig.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    command += ["--project", str(folder)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(finished.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(list(folder.glob("*.py")))
    return [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    ]


def by_mypy(folder: Path) -> list[tuple[str, int, str]]:
    """What mypy says: file, line, message."""
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed; the extra `test` has it")
    (folder / "mypy.ini").write_text(MYPY.format(source=ROOT / "src"), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--output", "json", "--cache-dir", ".mypy"]
    command += sorted(path.name for path in folder.glob("*.py"))
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode in (0, 1), finished.stderr
    said = [json.loads(line) for line in finished.stdout.splitlines()]
    return [(e["file"], e["line"], e["message"]) for e in said if e["severity"] == "error"]


@pytest.fixture(scope="module", params=[by_pyright, by_mypy])
def errors(tmp_path_factory, request) -> dict[str, list[str]]:
    """What a type checker says of each file, in one run."""
    folder = tmp_path_factory.mktemp("programs")
    texts = programs()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    result: dict[str, list[str]] = {name: [] for name in texts}
    for name, line, message in request.param(folder):
        result[name].append(f"{line}: {message}")
    return result


def test_the_stubs_are_up_to_date(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert not out_of_date(stubs()), "run python -m tools.stubs"


@pytest.mark.parametrize("stop", tour.STOPS, ids=lambda stop: stop.__name__)
def test_the_tour_runs(stop):
    stop()


def test_the_tour_has_200_calls():
    calls = set(re.findall(r"\btf\.[\w.]+(?=\()", Path(tour.__file__).read_text("utf-8")))
    assert len(calls) >= 200


def test_checkers_know_every_public_name(errors):
    assert not errors["names.py"]


def test_checkers_accept_the_tour_documents_and_examples(errors):
    rest = {name: result for name, result in errors.items() if name not in ("names.py", "typed.py")}
    assert len(rest) > 25
    assert not {name: result for name, result in rest.items() if result}


def test_types_are_those_of_the_values_and_mistakes_are_found(errors):
    wrong = [n for n, line in enumerate(TYPES.splitlines(), 1) if "# wrong" in line]
    assert [int(error.partition(":")[0]) for error in errors["typed.py"]] == wrong
