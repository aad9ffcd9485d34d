"""The table of the XLA backend is complete. This needs no JAX: the tables are read as text."""

from __future__ import annotations

import ast
from pathlib import Path

import gradtape.backends
from gradtape.core.primitive import PRIMITIVES

FOLDER = Path(gradtape.backends.__file__).parent / "xla" / "kernels"


def names_in(path: Path) -> list[str]:
    """The keys of the module's dict `KERNELS`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KERNELS":
            assert isinstance(node.value, ast.Dict), path
            return [ast.literal_eval(key) for key in node.value.keys if key is not None]
    return []


def test_every_primitive_has_one_kernel():
    names = [name for path in sorted(FOLDER.glob("*.py")) for name in names_in(path)]
    assert len(names) == len(set(names)), {n for n in names if names.count(n) > 1}
    missing, unknown = sorted(set(PRIMITIVES) - set(names)), sorted(set(names) - set(PRIMITIVES))
    assert not missing, f"add a kernel for each to backends/xla/kernels/<chapter>.py: {missing}"
    assert not unknown, f"kernels of no primitive in backends/xla/kernels: {unknown}"


def test_modules_have_the_names_of_the_numpy_backend():
    for path in (FOLDER.parents[1] / "numpy").glob("*.py"):
        helpers = ("memory", "updates")  # of arrays in memory
        if path.stem not in helpers and not path.stem.startswith("random_"):
            assert (FOLDER / path.name).exists(), path.name
