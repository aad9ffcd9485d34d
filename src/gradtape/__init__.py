"""gradtape: automatic differentiation with TensorFlow's GradientTape API, on NumPy.

import gradtape as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
tape.gradient(y, x)      # <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

# Overflow and division by zero give inf and nan in tensors, without NumPy's warnings about them.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradtape\.")

from gradtape.api.export import missing as _missing  # noqa: E402
from gradtape.api.public import build  # noqa: E402
from gradtape.core.tracebacks import filters_tracebacks as _filters_tracebacks  # noqa: E402

__version__ = "0.1.0"

build(__name__, globals())
newaxis = None

# Keras reads the name of its backend when it is imported, which may be before `tf.keras` is used.
if os.environ.get("KERAS_BACKEND") == "gradtape" and "keras" not in sys.modules:
    from gradtape.keras_plug import install

    install()
    del install
del build, os, sys, warnings

# Keras and what TensorFlow takes from it: loaded by the first use, as Keras is large.
_FROM_KERAS = ("initializers", "keras", "losses", "metrics", "optimizers")


def load_ipython_extension(ipython: Any) -> None:
    """Make gradtape the TensorFlow of a notebook: `%load_ext gradtape`."""
    import importlib

    importlib.import_module("gradtape.tensorflow")


@_filters_tracebacks
def __getattr__(name: str) -> Any:
    if name not in _FROM_KERAS:
        value = globals()[name] = _missing(name)
        return value
    import importlib

    keras = importlib.import_module("gradtape.keras")
    value = globals()[name] = keras if name == "keras" else getattr(keras, name)
    return value
