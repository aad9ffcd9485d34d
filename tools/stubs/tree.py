"""The export table as files: one stub for each namespace."""

from __future__ import annotations

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradtape
from gradtape.api.export import PUBLIC, lookup
from tools.stubs.overloads import OVERLOADS, RETURNED
from tools.stubs.rendering import Stub

PACKAGE = Path(gradtape.__file__).parent
FIRST_LINE = "# Written by `python -m tools.stubs`: change the source, and run it again.\n"
# What gradtape/__init__.py gives beside the table: Keras and the parts of it that TensorFlow has.
TOP = '''
import keras as keras
from keras import initializers as initializers
from keras import losses as losses
from keras import metrics as metrics
from keras import optimizers as optimizers

__version__: str
newaxis: None

def load_ipython_extension(ipython: Any) -> None:
    """Make gradtape the TensorFlow of a notebook: `%load_ext gradtape`."""
'''
# Namespaces that answer for names beside those in the table.
OPEN = {
    "compat.v1": "def __getattr__(name: str) -> Any: ...  "
    "# pyright: ignore[reportIncompleteStub] (most names of TensorFlow 2 are there, too)\n"
}


def stubs() -> dict[Path, str]:
    """Return the text of every stub, by its path below the package."""
    values = {name: lookup(name) for name in sorted(PUBLIC)}
    homes = _homes(values)
    namespaces = sorted({"", *_prefixes(values)})
    children = {
        space: [n for n in namespaces if n and n.rpartition(".")[0] == space]
        for space in namespaces
    }
    result = {Path("keras.pyi"): f"{FIRST_LINE}from keras import *\n"}
    for space in namespaces:
        stub = Stub(space, reserved=[child.rpartition(".")[2] for child in children[space]])
        for child in children[space]:
            stub.add_namespace(child.rpartition(".")[2])
        for name, value in values.items():
            path, _, last = name.rpartition(".")
            if path != space:
                continue
            if name in OVERLOADS:
                stub.add_written(last, OVERLOADS[name], value)
            elif _is_made(value) and homes[id(value)] != name:
                stub.add_alias(last, homes[id(value)])
            else:
                stub.add(last, value, RETURNED.get(name))
        extra = TOP if not space else OPEN.get(space, "")
        result[_file(space, bool(children[space]))] = FIRST_LINE + stub.text(extra)
    return result


def _is_made(value: Any) -> bool:
    return isinstance(value, types.FunctionType)


def _homes(values: dict[str, Any]) -> dict[int, str]:
    """Return the name under which each function is written out; its other names are aliases."""
    homes: dict[int, str] = {}
    for name in PUBLIC:  # in the order in which they were exported
        if _is_made(values[name]):
            homes.setdefault(id(values[name]), name)
    return homes


def _prefixes(names: Any) -> Iterator[str]:
    for name in names:
        parts = name.split(".")[:-1]
        yield from (".".join(parts[: i + 1]) for i in range(len(parts)))


def _file(space: str, has_children: bool) -> Path:
    path = Path(*space.split(".")) if space else Path()
    if not space or has_children or ((PACKAGE / path).is_dir() and not _is_stub_folder(path)):
        return path / "__init__.pyi"
    return path.with_suffix(".pyi")


def _is_stub_folder(path: Path) -> bool:
    """Whether a folder is one that an earlier run has made, for stubs alone."""
    return not any((PACKAGE / path).rglob("*.py"))
