"""Imports inside the package point one way: backends ← core ← ops ← engine ← api ← the rest."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
PACKAGE = "gradtape"
TOP = 5
RANKS = {
    "_native": 0,  # the extension, written in C++
    "backends": 0,
    "core": 1,
    "ops": 2,
    "engine": 3,
    "explain": 3,  # beside the engine, whose tapes load it when they are asked a question
    "api": 4,
    "keras": TOP,
    "tools": TOP,
    "cli": TOP,
    "data": TOP,
    "distribute": TOP,
    "train": TOP,
    "summary": TOP,
    "formats": 2,
}
LONGEST_FILE = 700
FILES = sorted(SOURCE.rglob("*.py"))


def rank(module: str) -> int:
    """The layer of a dotted name; the package itself and its loose modules lie on top."""
    parts = module.split(".")
    return RANKS.get(parts[1], TOP) if len(parts) > 1 else TOP


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
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield ".".join([*package, name.lstrip(".")]) if name.startswith(".") else name


def violations(source: str, path: Path) -> list[str]:
    """Imports of a higher layer anywhere in the file, also inside functions and type checks."""
    module = list(path.with_suffix("").parts)
    package = module[:-1]
    if module[-1] == "__init__":
        module = package
    layer = rank(".".join(module))
    return [
        f"line {node.lineno}: {name}"
        for node in ast.walk(ast.parse(source))
        for name in imported(node, package)
        if name.split(".")[0] == PACKAGE and rank(name) > layer
    ]


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
        ("backends/numpy/linalg.py", "from ...core import dtypes"),
        ("engine/tape.py", "if TYPE_CHECKING:\n    from gradtape.keras import backend"),
        ("api/math.py", "from gradtape.testing import check_gradients"),
    ],
)
def test_an_import_of_a_higher_layer_is_found(path, source):
    assert len(violations(source, Path(PACKAGE, path))) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/tensor.py", "import numpy\nfrom .shape import TensorShape"),
        ("core/tensor.py", "from gradtape.backends import numpy"),
        ("core/tensor.py", "from . import dtypes"),
        ("core/__init__.py", "from .tensor import Tensor"),
        ("ops/linalg.py", "from ..core.bind import bind"),
        ("api/math.py", "from gradtape import engine, ops"),
        ("keras/backend.py", "from gradtape.tools import explain"),
        ("__init__.py", "from .api import math\nfrom . import keras"),
        ("testing.py", "import gradtape as tf"),
    ],
)
def test_an_import_of_the_same_or_a_lower_layer_is_allowed(path, source):
    assert not violations(source, Path(PACKAGE, path))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_files_stay_readable_in_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
