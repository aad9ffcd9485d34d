"""The import functions that serve TensorFlow's own tests, and where private names are looked up."""

from __future__ import annotations

import contextlib
import functools
import re
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

from gradtape.serving import private
from gradtape.serving.hooks import ImportHooks
from gradtape.serving.private import PREFIX, PrivateModule
from stand_ins.checkout import PYTHON, Shared, modules

# Where names are looked up at last.
PUBLIC = """
    tf tf.math tf.linalg tf.nn tf.image tf.strings tf.random tf.sparse tf.ragged tf.io tf.debugging
    tf.signal tf.data tf.data.experimental tf.lookup tf.sets tf.quantization tf.train tf.config
    tf.errors tf.types.experimental tf.autodiff tf.autograph tf.compat.v1 tf.compat.v1.train
    tf.saved_model tf.summary tf.distribute tf.test tf.experimental tf.__internal__
"""
# And where those of TensorFlow 1.
OLD = " ".join(
    f"tf.compat.v1{part}" for part in ("", ".math", ".nn", ".image", ".strings", ".random", ".io")
)
# Where names are looked up first. A row that ends in a dot or "_" is for all modules that begin so.
FIRST = {
    "data.": "stand_ins.datasets",
    "data.experimental.ops.": "tf.data.experimental",
    "data.ops.": "tf.data",
    "data.util.nest": "stand_ins.dataset_nest",
    "eager.": "stand_ins.graphs stand_ins.gradients stand_ins.names",
    "eager.test": "stand_ins.testing",
    "framework.": "stand_ins.graphs stand_ins.names",
    "framework.test_util": "stand_ins.testing",
    "ops.": "stand_ins.graphs stand_ins.names",
    "ops.gen_": "stand_ins.raw",
    "ops.gradient_checker": "stand_ins.gradients",
    "ops.gradient_checker_v2": "tf.test stand_ins.gradients",
    "ops.numpy_ops.": "tf.experimental.numpy tf.experimental.numpy.random",
    "ops.ragged.": "stand_ins.ragged tf.ragged tf.compat.v1.ragged",
    "platform.test": "stand_ins.testing",
    "tf2": "stand_ins.names",
}
# TensorFlow's protocol buffers, its compiler, and what its tests use of its inner parts.
INNER = (
    "tensorflow.core",
    "tensorflow.compiler",
    f"{PREFIX}.client.session",
    f"{PREFIX}.framework.memory_checker",
    f"{PREFIX}.framework.test_ops",
    f"{PREFIX}.platform.benchmark",
    f"{PREFIX}.profiler",
    f"{PREFIX}.pywrap",
)


class Inner(ModuleType):
    """A part of TensorFlow that gradtape does not have: a test that uses it is skipped."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Inner:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inner(f"{self.__name__}.{name}")

    def __call__(self, *args, **options):
        raise unittest.SkipTest(f"uses {self.__name__}")

    def __mro_entries__(self, bases) -> tuple[type, ...]:
        return (object,)


class Module(PrivateModule):
    """A private module. Where the checkout has a function of two versions, the plain name is that
    of TensorFlow 1."""

    def __init__(self, row: str, file: Path) -> None:
        super().__init__(row, tuple(namespaces(row).split()))
        self._file = file

    @functools.cached_property
    def _old(self) -> set[str]:
        text = self._file.read_text("utf-8") if self._file.exists() else ""
        return set(re.findall(r"^def (\w+)_v2\(", text, re.MULTILINE))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._old:
            ours = (path for path in self._namespaces if path.startswith("stand_ins."))
            for path in (*ours, *OLD.split()):
                with contextlib.suppress(AttributeError, ImportError):
                    return private._look_up(path, name)
        return super().__getattr__(name)


class Hooks(ImportHooks):
    """The import functions for TensorFlow's own tests."""

    def module(self, name: str) -> Any:
        return Inner(name) if name.startswith(INNER) else super().module(name)


def namespaces(row: str) -> str:
    """Return where the names of a private module are looked up."""
    beginnings = [key for key in FIRST if key.endswith((".", "_")) and row.startswith(key)]
    keys = [row] if row in FIRST else []
    first = [FIRST[key] for key in keys + sorted(beginnings, key=len, reverse=True)]
    return " ".join([*first, private.TABLE.get(row, ""), PUBLIC])


def install(checkout: Path) -> None:
    """Have the modules of a checkout answered here; those that tests share are its own."""
    inner = {name.removeprefix(f"{PREFIX}.") for name in INNER if name.startswith(PREFIX)}
    private._loaded.update({row: Inner(f"{PREFIX}.{row}") for row in inner})
    shared = Shared(checkout)
    shared.install(lambda row: "shared_" + row.replace(".", "_"))
    for row in modules(checkout) - inner:
        if row in shared.rows:
            names = ("shared_" + row.replace(".", "_"),)
            private._loaded[row] = PrivateModule(row, names)
        elif not row.startswith(("keras", "autograph")) or row.startswith("autograph.tests"):
            private._loaded[row] = Module(row, checkout / PYTHON / f"{row.replace('.', '/')}.py")
