"""Names of Keras 2 that Keras 3 does not have, by the rule of TensorFlow 1's names.

Where gradtape is a program's TensorFlow they work, and a warning says what to write today;
elsewhere, the AttributeError says it (`gradtape/api/compat/old_names.py`).
"""

from __future__ import annotations

import importlib
import types
from typing import Any

from gradtape.api.compat.old_names import allow

_ROOT = "keras._tf_keras.keras"
# Old name -> the present one, both below `tf.keras`.
MOVED = {
    "experimental.CosineDecay": "optimizers.schedules.CosineDecay",
    "experimental.CosineDecayRestarts": "optimizers.schedules.CosineDecayRestarts",
    "mixed_precision.experimental.LossScaleOptimizer": "mixed_precision.LossScaleOptimizer",
    "mixed_precision.experimental.Policy": "mixed_precision.Policy",
    "mixed_precision.experimental.global_policy": "mixed_precision.global_policy",
    "mixed_precision.experimental.set_policy": "mixed_precision.set_global_policy",
    "optimizers.experimental": "optimizers",
    "utils.np_utils": "utils",
}
# Names with a class or function of their own in `old/objects.py` -> what to write.
MADE = {
    "backend.learning_phase": "the argument training of a layer or model",
    "backend.set_learning_phase": "the argument training of a layer or model",
    "layers.AbstractRNNCell": "tf.keras.layers.Layer with call and state_size",
    "layers.SyncBatchNormalization": "tf.keras.layers.BatchNormalization(synchronized=True)",
    "utils.multi_gpu_model": "tf.distribute.MirroredStrategy",
}
_NAMESPACES = {"experimental", "mixed_precision.experimental"}


def find(path: str) -> Any:
    """Return what stands at a path of `tf.keras`."""
    value = importlib.import_module(_ROOT)
    for part in path.split("."):
        value = getattr(value, part)
    return value


def _old_name(path: str) -> Any:
    """Return the object of an old name, if such names work here; None if it is no old name."""
    if path in _NAMESPACES:
        module = types.ModuleType(f"{_ROOT}.{path}")
        _answer_for_missing(module, path)
        return module
    if path in MOVED:
        allow(f"tf.keras.{path}", "Keras 2", f"tf.keras.{MOVED[path]}")
        return find(MOVED[path])
    if path in MADE:
        allow(f"tf.keras.{path}", "Keras 2", MADE[path])
        objects = importlib.import_module("keras_gradtape.src.old.objects")
        return getattr(objects, path.rpartition(".")[2])
    return None


def _answer_for_missing(module: types.ModuleType, path: str) -> None:
    def __getattr__(name: str) -> Any:
        value = _old_name(f"{path}.{name}".lstrip("."))
        if value is None:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        setattr(module, name, value)
        return value

    vars(module)["__getattr__"] = __getattr__


def install() -> None:
    """Let the modules of `tf.keras` know the old names."""
    paths = {name.rpartition(".")[0] for name in (*MOVED, *MADE, *_NAMESPACES)}
    for path in sorted(paths - _NAMESPACES):
        _answer_for_missing(find(path) if path else importlib.import_module(_ROOT), path)
