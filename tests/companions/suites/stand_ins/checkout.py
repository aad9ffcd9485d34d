"""A checkout of TensorFlow: its test files, and the modules that several of them share."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path

PYTHON = Path("tensorflow", "python")
# Modules for tests. Those of distribution and of Keras 2 need TensorFlow's own parts.
SHARED = re.compile(
    r"(?!framework\.test_util$|distribute\.|keras\.|compiler\.|debug\.)"
    r"[\w.]*(test_base|test_util|_op_base|combinations)"
)


def modules(checkout: Path) -> set[str]:
    """Return the modules and packages of a checkout, named as below `tensorflow.python`."""
    result = set()
    for file in (checkout / PYTHON).rglob("*.py"):
        parts = file.relative_to(checkout / PYTHON).with_suffix("").parts
        if parts[-1] == "__init__" or parts[-1].endswith("_test"):
            parts = parts[:-1]
        result.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return result


def link(checkout: Path, folder: Path) -> Path:
    """Return a folder of links to the test files, by their paths below `tensorflow/python`.

    In the checkout itself a package `tensorflow` would be found before the one that is tested.
    """
    for file in (checkout / PYTHON).rglob("*_test.py"):
        linked = folder / file.relative_to(checkout / PYTHON)
        linked.parent.mkdir(parents=True, exist_ok=True)
        linked.unlink(missing_ok=True)
        linked.symlink_to(file)
    return folder


class Shared:
    """A finder of the modules that tests share, where the `tensorflow` at hand has none."""

    def __init__(self, checkout: Path) -> None:
        folder = checkout / PYTHON
        self.rows = {
            row: folder / f"{row.replace('.', '/')}.py"
            for row in modules(checkout)
            if SHARED.fullmatch(row)
        }
        self._files: dict[str, Path] = {}
        self._packages: set[str] = set()

    def install(self, name: Callable[[str], str]) -> None:
        """Let these modules be imported, each under the name that a function gives it."""
        self._files = {name(row): file for row, file in self.rows.items()}
        for module in self._files:
            parents = module.split(".")[:-1]
            self._packages.update(".".join(parents[:i]) for i in range(3, len(parents) + 1))
        sys.meta_path.append(self)

    def find_spec(self, fullname, path=None, target=None):
        if fullname in self._files:
            return importlib.util.spec_from_file_location(fullname, self._files[fullname])
        if fullname in self._packages:
            return importlib.machinery.ModuleSpec(fullname, None, is_package=True)
        return None
