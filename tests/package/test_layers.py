"""Imports point one way, from higher layers to lower ones; the few that do not are lazy and listed.

A layer is the rank of the longest prefix of a module's name that is listed here. An upward import
is allowed only where `UPWARD` has the pair with its reason, and only lazily: inside a function,
for type checkers, or as the name of a module in a string.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
LAYERS = [  # from the bottom
    ["gradtape._native", "gradtape.prng"],
    ["gradtape.backends"],
    ["gradtape.core", "gradtape.prng.seeds"],
    ["gradtape.ops", "gradtape.formats"],
    ["gradtape.engine"],
    ["gradtape.graph"],
    ["gradtape.backends.xla.runtime", "gradtape.explain"],
    ["gradtape.api"],
    ["gradtape.data", "gradtape.profiler", "gradtape.summary", "gradtape.exporting"],
    ["gradtape.distribute"],
    ["gradtape.train"],
    ["gradtape.saved_model"],
    ["gradtape", "keras_gradtape"],  # the public package and its loose modules
    ["gradtape.addons", "gradtape.text"],
    ["gradtape.serving", "gradtape.tensorflow"],
    ["gradtape.cli", "gradtape.__main__"],
]
RANKS = {prefix: rank for rank, layer in enumerate(LAYERS) for prefix in layer}
# Modules that everybody may import: nothing but data and constants.
NEUTRAL = {"gradtape.datasets"}
UPWARD = {
    ("gradtape.ops.recurrent", "gradtape.engine.tape.GradientTape"): (
        "the gradient of a sequence, made of the ops of each step, is differentiated by a tape"
    ),
    ("gradtape.core.tensor", "gradtape.explain.display.value_html"): "notebooks show values",
    ("gradtape.engine", "gradtape.explain"): "a tape loads the answer when it is asked a question",
    ("gradtape.explain", "gradtape"): "the callback of Keras is made when it is asked for",
    ("gradtape.api", "gradtape.data"): "tf.data is loaded by its first use",
    ("gradtape.api", "gradtape.summary"): "tf.summary is loaded by its first use",
    ("gradtape.api", "gradtape.profiler"): "tf.profiler is loaded by its first use",
    ("gradtape.api", "gradtape.train"): "tf.train is loaded by its first use",
    ("gradtape.api", "gradtape.saved_model"): "tf.saved_model is loaded by its first use",
    ("gradtape.api", "gradtape.distribute"): "tf.distribute is loaded by its first use",
    ("gradtape.api", "gradtape.exporting"): "tf.export is loaded by its first use",
    ("gradtape.exporting", "gradtape"): "a file says which version has written it",
    ("gradtape.api", "gradtape"): "the table of names looks into the package that it fills",
    ("gradtape.graph", "gradtape.api"): "lookahead knows tf.function by its module's name",
    ("gradtape.graph", "gradtape.data"): "lookahead knows datasets by their module's name",
    ("gradtape", "gradtape.tensorflow"): "%load_ext gradtape is the same as importing it",
    ("gradtape.backends", "gradtape.core"): "kernels.host names the place in the user's program",
}
MAX_LINES = 450
# Catalogs: one file for each chapter of primitives, with the same names in all of them.
CATALOGS = {
    "gradtape/ops",
    "gradtape/backends/numpy",
    "gradtape/backends/xla/kernels",
    "native/kernels",
}
MAX_FILES = 24
FILES = sorted(path for path in SOURCE.rglob("*.py") if ".egg-info" not in str(path))
NATIVE_FILES = sorted(path for end in ("cpp", "h", "def") for path in SOURCE.rglob(f"*.{end}"))


def layer_of(module: str) -> str:
    """The prefix that decides the rank of a module."""
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        prefix = ".".join(parts[:end])
        if prefix in RANKS or prefix in NEUTRAL:
            return prefix
    raise AssertionError(f"{module} is in no layer")


def imported(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Absolute dotted names that one syntax node imports, seen from inside `package`."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            start = package[: len(package) - level + 1] if level else []
            origin = ".".join([*start, *([module] if module else [])])
            # `from gradtape import core` names the layer in the list, not in the module.
            yield from (f"{origin}.{alias.name}" for alias in names)


def lazily_named(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Modules that a string names, as for `import_module` and for public names loaded later."""
    match node:
        case ast.Constant(value=str(text)) if re.fullmatch(r"gradtape(\.[a-z_]\w*)+", text):
            if is_module(text):
                yield text
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ) if name.startswith("."):
            yield ".".join([*package, name.lstrip(".")])


def is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def violations(source: str, path: Path) -> list[str]:
    """Imports of a higher layer that are not both lazy and listed."""
    module = list(path.with_suffix("").parts)
    package = module[:-1]
    if module[-1] == "__init__":
        module = package
    here = layer_of(".".join(module))
    result = []

    def look(node: ast.AST, lazy: bool) -> None:
        lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        lazy = lazy or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        names = [(name, lazy) for name in imported(node, package)]
        names += [(name, True) for name in lazily_named(node, package)]
        for name, is_lazy in names:
            if name.split(".")[0] not in ("gradtape", "keras_gradtape"):
                continue
            there = layer_of(name)
            upward = there not in NEUTRAL and RANKS[there] > RANKS.get(here, len(LAYERS))
            listed = (here, there) in UPWARD or (".".join(module), name) in UPWARD
            if upward and not (is_lazy and listed):
                result.append(f"line {getattr(node, 'lineno', 0)}: {name}")
        for child in ast.iter_child_nodes(node):
            look(child, lazy)

    look(ast.parse(source), False)
    return result


def relative(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_no_file_imports_a_higher_layer(path):
    assert not violations(path.read_text(encoding="utf-8"), path.relative_to(SOURCE))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/tensor.py", "import gradtape.ops.elementwise"),
        ("core/tensor.py", "from gradtape import ops"),
        ("core/tensor.py", "from gradtape import GradientTape"),
        ("core/tensor.py", "import gradtape"),
        ("core/tensor.py", "from ..engine.tape import Tape"),
        ("core/tensor.py", "from .. import api"),
        ("core/__init__.py", "from ..ops import add"),
        ("ops/linalg.py", "def solve():\n    from gradtape.engine import tape"),
        ("ops/linalg.py", "importlib.import_module('gradtape.api.linalg')"),
        ("ops/linalg.py", "NAME = 'gradtape.engine.tape'"),
        ("backends/numpy/linalg.py", "from ...core import dtypes"),
        ("engine/tape.py", "if TYPE_CHECKING:\n    from gradtape.keras import backend"),
        ("engine/tape.py", "from gradtape.graph import routine"),
        ("engine/tape.py", "from gradtape.explain import why_none"),  # listed, but not lazy
        ("graph/routine.py", "from gradtape.backends.xla.runtime import device"),
        ("data/dataset.py", "from gradtape.distribute.strategy import strategies"),
        ("train/checkpoint.py", "from gradtape.cli import run"),
        ("api/math.py", "from gradtape.testing import check_gradients"),
    ],
)
def test_an_import_of_a_higher_layer_is_found(path, source):
    assert len(violations(source, Path("gradtape", path))) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/tensor.py", "import numpy\nfrom .shape import TensorShape"),
        ("core/tensor.py", "from gradtape.backends import numpy"),
        ("core/tensor.py", "from . import dtypes"),
        ("core/__init__.py", "from .tensor import Tensor"),
        ("ops/linalg.py", "from ..core.bind import bind"),
        ("api/math.py", "from gradtape import engine, ops"),
        ("engine/tape.py", "def why():\n    from gradtape.explain import why_none"),
        ("api/pipelines.py", "NAME = 'gradtape.data.dataset'"),
        ("backends/xla/runtime/mesh.py", "from gradtape.graph import routine"),
        ("__init__.py", "from .api import math\nfrom . import keras"),
        ("testing.py", "import gradtape as tf"),
    ],
)
def test_an_import_of_the_same_or_a_lower_layer_is_allowed(path, source):
    assert not violations(source, Path("gradtape", path))


def test_nothing_of_jax_is_in_the_engine_or_below():
    lower = ("prng", "core", "ops", "engine", "graph")
    names = [
        f"{relative(path)}: {name}"
        for path in FILES
        if relative(path).startswith(tuple(f"gradtape/{folder}/" for folder in lower))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imported(node, [])
        if name.split(".")[0] == "jax" or name.startswith("gradtape.backends.xla")
    ]
    assert not names


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_what_another_module_imports_has_a_public_name(path):
    package = list(path.relative_to(SOURCE).parts[:-1])
    private = [
        name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in imported(node, package)
        if name.startswith(("gradtape.", "keras_gradtape."))
        and re.fullmatch("_[a-zA-Z].*", name.rpartition(".")[2])
        and name != "gradtape._native"
    ]
    assert not private


@pytest.mark.parametrize("path", [*FILES, *NATIVE_FILES], ids=relative)
def test_files_stay_readable_in_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_folders_can_be_overlooked():
    # A header and its source are one subject.
    subjects = {(relative(path.parent), path.stem) for path in [*FILES, *NATIVE_FILES]}
    counts = Counter(folder for folder, _ in subjects)
    assert not {
        name: count for name, count in counts.items() if count > MAX_FILES and name not in CATALOGS
    }
