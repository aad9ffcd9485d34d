"""Scripts beside the package import names that exist: no test runs all of them."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("gradtape", "keras_gradtape")
SCRIPTS = sorted(path for folder in ("bench", "tools") for path in (ROOT / folder).rglob("*.py"))


def imported_names(path: Path) -> set[tuple[str, str]]:
    """Return the modules of gradtape, and their names, that a script imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module.partition(".")[0] in PACKAGES:
                names |= {(node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in PACKAGES:
                    names.add((alias.name, ""))
    return names


def exists(module: str, name: str) -> bool:
    if not name or hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_script_imports_exists(path):
    missing = []
    for module, name in imported_names(path):
        try:
            if not exists(module, name):
                missing.append(f"{module}.{name}")
        except ImportError as error:  # it may need an extra that is not installed
            if (error.name or "").startswith(PACKAGES):
                missing.append(module)
    assert not missing
