"""The names of tensorflow_addons, which ended with TensorFlow 2.15, on Keras 3.

`gradtape run` and `import gradtape.tensorflow` answer `import tensorflow_addons` with this package;
`import gradtape.addons as tfa` works everywhere. Each function is written from the paper or the
definition that its docstring names.
"""

from __future__ import annotations

import importlib
from types import ModuleType

# The last version of tensorflow_addons, whose names these are.
__version__ = "0.23.0"
_PARTS = ("activations", "image", "layers", "losses", "metrics", "optimizers", "text")


def __getattr__(name: str) -> ModuleType:
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(
        f"tfa.{name} is not among the parts of tensorflow_addons that gradtape has: "
        f"{', '.join(_PARTS)}."
    )


def __dir__() -> list[str]:
    return [*_PARTS, "__version__"]
