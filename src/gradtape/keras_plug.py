"""The plug that gives Keras a backend named `gradtape`, and the lazy import of `gradtape.keras`.

Keras chooses its backend by name in a chain of `if`s at the top of a few modules. `install` puts a
finder in front of the import system which compiles those modules, from the source that is
installed, with one more branch in front of the chain. Nothing is written to disk, and the other
backends of the same installation stay as they are. Once Keras loads packages called
`keras_<name>` by itself, as it plans to, `keras_gradtape` works without this module.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import gradtape
from gradtape.core import tracebacks
from gradtape.core.protocols import is_ragged
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

# The modules that are written for TensorFlow alone: text, tables, datasets, what is saved of both.
# They get gradtape for it, and nobody else does: other parts of Keras ask whether TensorFlow is
# installed, and take its own tensors and datasets where it is.
FOR_TENSORFLOW = frozenset(
    f"keras.src.{name}"
    for name in """
    layers.preprocessing.discretization layers.preprocessing.feature_space
    layers.preprocessing.hashed_crossing layers.preprocessing.hashing
    layers.preprocessing.index_lookup layers.preprocessing.integer_lookup
    layers.preprocessing.normalization layers.preprocessing.string_lookup
    layers.preprocessing.text_vectorization
    saving.serialization_lib
    utils.audio_dataset_utils utils.dataset_utils utils.grain_utils utils.image_dataset_utils
    utils.text_dataset_utils utils.tf_utils utils.timeseries_dataset_utils
    """.split()
)
# How they reach TensorFlow, and ask whether it is the backend.
REACHES = (
    (
        re.compile(r"from keras\.src\.utils\.module_utils import tensorflow as tf\b"),
        f"from keras.src.utils.module_utils import {NAME} as tf",
    ),
    (
        re.compile(r"from keras\.src\.backend import tensorflow as tf_backend\b"),
        f"from {PACKAGE} import tensorflow as tf_backend",
    ),
    (re.compile(r"^( *)import tensorflow as tf\b", re.M), r"\1import gradtape as tf"),
    (re.compile(r'\bbackend\(\) == "tensorflow"'), f'backend() in ("tensorflow", "{NAME}")'),
    (re.compile(r'\bbackend\(\) != "tensorflow"'), f'backend() not in ("tensorflow", "{NAME}")'),
)

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


def with_gradtape(module: str, source: str, path: str):
    """Return the code of a module that is written for TensorFlow, with gradtape in its place."""
    count = 0
    for pattern, replacement in REACHES:
        source, replaced = pattern.subn(replacement, source)
        count += replaced
    if not count:
        raise ImportError(
            f"gradtape cannot serve as TensorFlow of this Keras: {module} does not import "
            f"TensorFlow in a way that is known here. {_supported()}"
        )
    return compile(source, path, "exec", dont_inherit=True)


class _ChangedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with a branch more, or with gradtape for TensorFlow, and then changes objects
    of it. (`get_code` never writes a cache that others would read.)"""

    def get_code(self, fullname):
        change = with_branch if fullname in BRANCHES else with_gradtape
        if change is with_gradtape and fullname not in FOR_TENSORFLOW:
            return super().get_code(fullname)
        return change(fullname, self.get_source(fullname) or "", self.get_filename(fullname))

    def exec_module(self, module):
        super().exec_module(module)
        if module.__name__ in AFTERWARDS:
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
        if not any(fullname in changed for changed in (BRANCHES, FOR_TENSORFLOW, AFTERWARDS)):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and fullname == "keras":
            _check_version()
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _ChangedLoader(spec.loader.name, spec.loader.path)
        return spec


def _inside_tensorflow() -> bool:
    """Return whether a graph of TensorFlow itself is being made, as in a pipeline of its own."""
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and not tensorflow.executing_eagerly()


def _teach_dynamic_backend(module: ModuleType) -> None:
    """Teach layers in data pipelines, which choose their backend at run time, to choose gradtape:
    for itself, and for TensorFlow wherever that is not running."""
    cls = module.DynamicBackend
    known_attribute, known_setter = cls.__getattr__, cls.set_backend

    def __getattr__(self, name):
        if self.__dict__.get("_backend") == NAME:
            return getattr(importlib.import_module(f"{PACKAGE}.tensorflow"), name)
        return known_attribute(self, name)

    def set_backend(self, backend):
        if backend == NAME or (backend == "tensorflow" and not _inside_tensorflow()):
            self._backend = NAME
        else:
            known_setter(self, backend)

    cls.__getattr__, cls.set_backend = __getattr__, set_backend
    # What layers computed with TensorFlow is the backend's already.
    vars(module)["convert_tf_tensor"] = lambda outputs, dtype=None: outputs


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


def _add_lazy_module(module: ModuleType) -> None:
    """Add gradtape to the modules that Keras loads by their first use, beside TensorFlow."""
    vars(module)[NAME] = module.LazyModule(NAME)


def _know_datasets(module: ModuleType) -> None:
    """Let Keras know datasets of gradtape for those of `tf.data`, beside TensorFlow's own."""
    is_known, known_size = module.is_tf_dataset, module.get_batch_size
    known_is_batched = module.is_batched

    def size(dataset, otherwise):
        adapter = importlib.import_module(f"{PACKAGE}.dataset_adapter")
        is_own = adapter.is_dataset(dataset)
        return adapter.batch_size_of(dataset) if is_own else otherwise(dataset)

    def is_tf_dataset(dataset):
        adapter = importlib.import_module(f"{PACKAGE}.dataset_adapter")
        return adapter.is_dataset(dataset) or is_known(dataset)

    vars(module).update(
        is_tf_dataset=is_tf_dataset,
        is_batched=lambda dataset: bool(size(dataset, known_is_batched)),
        get_batch_size=lambda dataset: size(dataset, known_size),
    )


def _take_ragged_sequences(module: ModuleType) -> None:
    """Let the recurrent layer of a module take ragged sequences."""
    name = "Bidirectional" if module.__name__.endswith("bidirectional") else "RNN"
    importlib.import_module(f"{PACKAGE}.ragged.recurrent").take_sequences(getattr(module, name))


def _know_ragged(module: ModuleType) -> None:
    """Let Keras know ragged tensors by what they have, whosever they are."""
    vars(module)["is_ragged_tensor"] = is_ragged


def _write_once(module: ModuleType) -> None:
    """Let one process of a job write, and not the others."""
    importlib.import_module(f"{PACKAGE}.saving.chief_writes").install(module)


def _write_events_here(module: ModuleType) -> None:
    """Let the TensorBoard callback write event files with gradtape, instead of TensorFlow."""
    importlib.import_module(f"{PACKAGE}.tensorboard").install(module)


def _write_whole(module: ModuleType) -> None:
    """Write files as a whole: a process killed while it saves leaves the old file or the new
    one."""
    importlib.import_module(f"{PACKAGE}.saving.whole_files").install_writers(module)


def _read_and_write_safely(module: ModuleType) -> None:
    """Write files as a whole, and refuse those that unpack to more than memory should hold."""
    importlib.import_module(f"{PACKAGE}.saving.limits").install(module)
    _write_whole(module)


def _back_up_whole(module: ModuleType) -> None:
    """Write backups as a whole, too, by one process."""
    importlib.import_module(f"{PACKAGE}.saving.whole_files").install_backups(module)
    _write_once(module)


def _give_plain_shapes(module: ModuleType) -> None:
    """Make `keras.ops.shape` return tuples of symbolic tensors, whose `shape` is TensorFlow's."""
    original = module.shape

    @functools.wraps(original)
    def shape(x):
        sizes = original(x)
        return tuple(sizes) if isinstance(sizes, tuple) else sizes

    module.shape = shape  # pyright: ignore[reportAttributeAccessIssue] (a function of Keras's module)


def _export_onnx_here(module: ModuleType) -> None:
    """Export models as ONNX files from gradtape's graphs."""
    importlib.import_module(f"{PACKAGE}.saving.onnx_files").install(module)


def _read_saved_models_here(module: ModuleType) -> None:
    """Read the SavedModels that are layers."""
    importlib.import_module(f"{PACKAGE}.saving.saved_model_layer").install(module)


def _add_old_names(module: ModuleType) -> None:
    """Add the names that Keras 3 dropped and programs still use."""
    importlib.import_module(f"{PACKAGE}.legacy").install()


def _filter_tracebacks(module: ModuleType) -> None:
    """Let Keras leave out the frames of its backend where it leaves out its own."""
    vars(module)["_EXCLUDED_PATHS"] += tracebacks.FOLDERS
    tracebacks.follow_keras(module.is_traceback_filtering_enabled)


AFTERWARDS = {
    "keras": _add_old_names,
    "keras.src.callbacks.backup_and_restore": _back_up_whole,
    "keras.src.layers.rnn.bidirectional": _take_ragged_sequences,
    "keras.src.layers.rnn.rnn": _take_ragged_sequences,
    "keras.src.legacy.saving.legacy_h5_format": _write_whole,
    "keras.src.ops.core": _give_plain_shapes,
    "keras.src.saving.saving_lib": _read_and_write_safely,
    "keras.src.callbacks.model_checkpoint": _write_once,
    "keras.src.callbacks.tensorboard": _write_events_here,
    "keras.src.export.onnx": _export_onnx_here,
    "keras.src.export.tfsm_layer": _read_saved_models_here,
    "keras.src.utils.dataset_utils": _know_datasets,
    "keras.src.utils.module_utils": _add_lazy_module,
    "keras.src.utils.tf_utils": _know_ragged,
    "keras.src.utils.traceback_utils": _filter_tracebacks,
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
        spec = importlib.machinery.PathFinder.find_spec("keras")
        if spec is not None and spec.origin is not None:
            raise ImportError(
                f"gradtape.keras is Keras 3 itself, and `import keras` finds {spec.origin}, which "
                "is not Keras: give that file another name."
            )
        raise ImportError(
            "gradtape.keras is Keras 3 itself, which is not installed: pip install "
            '"keras>={}.{},<{}.{}"'.format(*OLDEST, *NEWEST_EXCLUDED)
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
