"""The plug that gives Keras a backend named `gradtape`, and the lazy import of `gradtape.keras`.

Keras chooses its backend by name in a chain of `if`s at the top of a few modules. `install` puts a
finder in front of the import system which compiles those modules, from the source that is
installed, with one more branch in front of the chain. Nothing is written to disk, and the other
backends of the same installation stay as they are. Once Keras loads packages called
`keras_<name>` by itself, as it plans to, `keras_gradtape` works without this module.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import gradtape
from gradtape.core.tensor import Tensor

NAME = "gradtape"
PACKAGE = "keras_gradtape.src"
# What `tf.keras` is: Keras with a few names that TensorFlow programs still use.
PUBLIC = "keras._tf_keras.keras"
ALIAS = "gradtape.keras"
# What the tests run with, up to the first version that they do not.
OLDEST, NEWEST_EXCLUDED = (3, 15), (3, 16)

# The modules that choose by the backend's name, and what they do for this one.
BRANCHES = {
    "keras.src.backend": (
        f"from {PACKAGE} import *",
        f"from {PACKAGE}.variable import Variable as BackendVariable",
    ),
    "keras.src.layers.layer": (f"from {PACKAGE}.layer import GradtapeLayer as BackendLayer",),
    "keras.src.models.model": (f"from {PACKAGE}.trainer import GradtapeTrainer as Trainer",),
    "keras.src.optimizers.optimizer": (
        f"from {PACKAGE}.optimizer import GradtapeOptimizer as BackendOptimizer",
    ),
    "keras.src.export.saved_model": (
        f"from {PACKAGE}.export import GradtapeExportArchive as BackendSavedModelExportArchive",
    ),
}


# What Keras imports at once and uses only when it reads or writes such files: it is loaded then.
LAZY = "h5py"

# `if backend() == "name":` or `if module.backend() == "name":` at the top level, then an `elif`.
_CHAIN = re.compile(r'^if ((?:\w+\.)*backend\(\)) == "\w+":\n(?:(?:[ \t].*)?\n)+?(?=elif )', re.M)


def with_branch(module: str, source: str, path: str):
    """Return the code of a module whose choice of backend has one more branch, for this one."""
    chains = list(_CHAIN.finditer(source))
    if len(chains) != 1:
        raise ImportError(
            f"gradtape cannot serve as backend of this Keras: {module} chooses its backend in "
            f"{len(chains)} places instead of one. {_supported()}"
        )
    before, chain = source[: chains[0].start()], source[chains[0].start() :]
    # In place of a blank line, so that lines keep their numbers in tracebacks.
    head, blank, tail = before.rpartition("\n\n")
    statements = "; ".join(BRANCHES[module])
    branch = f"if {chains[0][1]} == {NAME!r}: {statements}\n"
    text = head + blank[:1] + tail + branch + "el" + chain
    return compile(text, path, "exec", dont_inherit=True)


class _BranchLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with the branch. (`get_code` never writes a cache that others would read.)"""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return with_branch(fullname, self.get_source(fullname) or "", path)


class _AfterLoader(importlib.machinery.SourceFileLoader):
    """Loads a module as it is and then changes an object of it."""

    def exec_module(self, module):
        super().exec_module(module)
        AFTERWARDS[module.__name__](module)


class _AliasLoader(importlib.abc.Loader):
    """`gradtape.keras.layers` is the module `keras.layers` itself, not a second one."""

    def create_module(self, spec):
        self._module = importlib.import_module(PUBLIC + spec.name.removeprefix(ALIAS))
        self._own_spec = self._module.__spec__
        return self._module

    def exec_module(self, module):
        module.__spec__ = self._own_spec


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        if fullname == LAZY:
            spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = importlib.util.LazyLoader(spec.loader)
            return spec
        if fullname.startswith(ALIAS + "."):
            return importlib.machinery.ModuleSpec(fullname, _AliasLoader(), is_package=True)
        loader = _BranchLoader if fullname in BRANCHES else _AfterLoader
        if loader is _AfterLoader and fullname not in AFTERWARDS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and fullname == "keras":
            _check_version()
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = loader(spec.loader.name, spec.loader.path)
        return spec


def _teach_dynamic_backend(module: ModuleType) -> None:
    """Teach `DynamicBackend`, which layers in data pipelines use, to choose gradtape at run
    time."""
    cls = module.DynamicBackend
    known_attribute, known_setter = cls.__getattr__, cls.set_backend

    def __getattr__(self, name):
        if self.__dict__.get("_backend") == NAME:
            return getattr(sys.modules["keras.src.backend"], name)
        return known_attribute(self, name)

    def set_backend(self, backend):
        if backend == NAME:
            self._backend = NAME
        else:
            known_setter(self, backend)

    cls.__getattr__, cls.set_backend = __getattr__, set_backend


def _keep_double_precision(module: ModuleType) -> None:
    """Keep 64-bit results: Keras narrows them to 32 bits, except on TensorFlow."""
    for name in ("float64", "complex128"):
        if name in module.BIT64_TO_BIT32_DTYPE:
            module.BIT64_TO_BIT32_DTYPE[name] = name


def _draw_seeds_exactly(module: ModuleType) -> None:
    """Compute the global generator's next seed in 64 bits; seeds have 32."""
    cls = module.SeedGenerator
    known_next = cls.next

    def next(self, ordered=True):
        state = self.state.value
        known = isinstance(state, Tensor) and state._has_value
        if ordered or self.backend is not module.backend or not known:
            return known_next(self, ordered)
        following = (state.numpy().astype("int64") + 1) * 5387 % 933199
        self.state.assign(following)
        return state

    cls.next = next


def _seed_gradtape_too(module: ModuleType) -> None:
    """Let `set_random_seed` set gradtape's seed, instead of TensorFlow's."""

    def set_seed(seed: int) -> None:
        tensorflow = sys.modules.get("tensorflow")
        for library in (gradtape, tensorflow):
            if library is not None:
                library.random.set_seed(seed)

    random = SimpleNamespace(set_seed=set_seed)
    vars(module)["tf"] = SimpleNamespace(available=True, random=random)


def _teach_datasets(module: ModuleType) -> None:
    """Let `fit`, `evaluate` and `predict` take datasets of gradtape, as they take TensorFlow's."""
    importlib.import_module(f"{PACKAGE}.dataset_adapter").install(module)


def _use_as_tensorflow(module: ModuleType) -> None:
    """Let a module that takes or makes datasets of TensorFlow do so with those of gradtape."""
    vars(module)["tf"] = gradtape


def _make_labels_here(module: ModuleType) -> None:
    """Make the labels of such datasets with gradtape, too."""

    tf: Any = gradtape

    def labels_to_dataset_tf(labels, label_mode, num_classes):
        dataset = tf.data.Dataset.from_tensor_slices(labels)
        if label_mode == "binary":
            return dataset.map(lambda x: tf.expand_dims(tf.cast(x, "float32"), -1))
        if label_mode == "categorical":
            return dataset.map(lambda x: tf.one_hot(x, num_classes))
        return dataset

    vars(module)["labels_to_dataset_tf"] = labels_to_dataset_tf


def _write_once(module: ModuleType) -> None:
    """Let one process of a job write, and not the others."""
    importlib.import_module(f"{PACKAGE}.chief_writes").install(module)


def _write_events_here(module: ModuleType) -> None:
    """Let the TensorBoard callback write event files with gradtape, instead of TensorFlow."""
    importlib.import_module(f"{PACKAGE}.tensorboard").install(module)


def _write_whole(module: ModuleType) -> None:
    """Write files as a whole: a process killed while it saves leaves the old file or the new
    one."""
    importlib.import_module(f"{PACKAGE}.saving.whole_files").install_writers(module)


def _back_up_whole(module: ModuleType) -> None:
    """Write backups as a whole, too, by one process."""
    importlib.import_module(f"{PACKAGE}.saving.whole_files").install_backups(module)
    _write_once(module)


def _export_onnx_here(module: ModuleType) -> None:
    """Export models as ONNX files from gradtape's graphs."""
    importlib.import_module(f"{PACKAGE}.saving.onnx_files").install(module)


def _add_old_names(module: ModuleType) -> None:
    """Add the names that Keras 3 dropped and programs still use."""
    importlib.import_module(f"{PACKAGE}.legacy").install()


AFTERWARDS = {
    "keras": _add_old_names,
    "keras.src.callbacks.backup_and_restore": _back_up_whole,
    "keras.src.legacy.saving.legacy_h5_format": _write_whole,
    "keras.src.saving.saving_lib": _write_whole,
    "keras.src.callbacks.model_checkpoint": _write_once,
    "keras.src.callbacks.tensorboard": _write_events_here,
    "keras.src.export.onnx": _export_onnx_here,
    "keras.src.layers.preprocessing.discretization": _use_as_tensorflow,
    "keras.src.layers.preprocessing.normalization": _use_as_tensorflow,
    "keras.src.utils.dataset_utils": _make_labels_here,
    "keras.src.utils.image_dataset_utils": _use_as_tensorflow,
    "keras.src.utils.timeseries_dataset_utils": _use_as_tensorflow,
    "keras.src.trainers.data_adapters": _teach_datasets,
    "keras.src.utils.rng_utils": _seed_gradtape_too,
    "keras.src.random.seed_generator": _draw_seeds_exactly,
    "keras.src.utils.backend_utils": _teach_dynamic_backend,
    "keras.src.backend.common.dtypes": _keep_double_precision,
}


def _supported() -> str:
    oldest, newest = (".".join(map(str, v)) for v in (OLDEST, NEWEST_EXCLUDED))
    return f"Supported are Keras versions from {oldest} up to, not including, {newest}."


def _installed_version() -> str | None:
    """Return the version of the Keras that would be imported, without importing anything of it."""
    spec = importlib.machinery.PathFinder.find_spec("keras")
    if spec is None or not spec.submodule_search_locations:
        return None
    for folder in spec.submodule_search_locations:
        for file in ("src/version.py", "__init__.py"):  # the latter in Keras 2
            try:
                text = Path(folder, file).read_text("utf-8")
            except OSError:
                continue
            match = re.search(r"""^__version__ = ["']([^"']+)""", text, re.MULTILINE)
            if match is not None:
                return match[1]
    return None


def _check_version() -> None:
    version = _installed_version()
    if version is None:
        raise ImportError(
            "gradtape.keras is Keras 3 itself, which is not installed: pip install keras. "
            + _supported()
        )
    number = tuple(int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:2])
    if not OLDEST <= number < NEWEST_EXCLUDED:
        raise ImportError(
            f"gradtape.keras does not work with Keras {version}. {_supported()} Install one of "
            'them: pip install "keras>={}.{},<{}.{}"'.format(*OLDEST, *NEWEST_EXCLUDED)
        )


def install() -> None:
    """Make gradtape the backend of the Keras that will be imported."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    loaded = sys.modules.get("keras.src.backend.config")
    if loaded is not None:
        raise ImportError(
            f"Keras has been imported already, with the backend {loaded.backend()!r}, and cannot "
            "change it. Use gradtape.keras (or import gradtape and access gradtape.keras) before "
            "anything imports keras."
        )
    sys.meta_path.insert(0, _Finder())


def load() -> ModuleType:
    """Return Keras on gradtape, under the names that `tf.keras` has."""
    install()
    if "keras" not in sys.modules:
        _check_version()
        chosen = os.environ.get("KERAS_BACKEND")
        os.environ["KERAS_BACKEND"] = NAME
        try:
            importlib.import_module("keras")
        finally:
            # Keras has read it. Programs started from this one may want another backend.
            del os.environ["KERAS_BACKEND"]
            if chosen is not None:
                os.environ["KERAS_BACKEND"] = chosen
    return importlib.import_module(PUBLIC)
