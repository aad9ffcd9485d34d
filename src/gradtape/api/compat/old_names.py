"""Names of TensorFlow 1 outside of `tf.compat.v1`: what to write today, and where they still work.

Under `import gradtape as tf` such a name raises an AttributeError with the present spelling. Where
gradtape is a program's TensorFlow (`gradtape run`, `import gradtape.tensorflow`), the name works,
and a warning says the spelling, once for each name.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from gradtape.api.export import PUBLIC, lookup, missing

# Names that ended before TensorFlow 1 did -> the present ones.
_ANCIENT: dict[str, str] = {
    pair.partition("=")[0]: pair.partition("=")[2]
    for pair in """
    mul=multiply sub=subtract neg=negative pack=stack unpack=unstack batch_matmul=matmul
    concat_v2=concat select=where complex_abs=abs batch_cholesky=linalg.cholesky
    batch_matrix_inverse=linalg.inv mat_mul=matmul
    """.split()
}
# What to write for a name of `compat.v1` that is spelled differently today, where a table of
# names does not say it.
_PRESENT = {
    **{f"assign{kind}": f"variable.assign{kind}(value)" for kind in ("", "_add", "_sub")},
    **{
        f"to_{name}": f"tf.cast(x, tf.{dtype})"
        for name, dtype in (
            ("float", "float32"),
            ("double", "float64"),
            ("int32", "int32"),
            ("int64", "int64"),
            ("bfloat16", "bfloat16"),
            ("complex64", "complex64"),
            ("complex128", "complex128"),
        )
    },
    **{
        f"train.{name}Optimizer": f"tf.keras.optimizers.{present}"
        for name, present in (
            ("Adam", "Adam"),
            ("GradientDescent", "SGD"),
            ("Momentum", "SGD"),
            ("RMSProp", "RMSprop"),
            ("Adagrad", "Adagrad"),
            ("Adadelta", "Adadelta"),
        )
    },
    **{
        f"train.{name}": f"tf.keras.optimizers.schedules.{present}"
        for name, present in (
            ("exponential_decay", "ExponentialDecay"),
            ("polynomial_decay", "PolynomialDecay"),
            ("inverse_time_decay", "InverseTimeDecay"),
            ("cosine_decay", "CosineDecay"),
            ("piecewise_constant", "PiecewiseConstantDecay"),
        )
    },
    **dict.fromkeys(
        ("placeholder", "placeholder_with_default", "sparse_placeholder"),
        "a function with a parameter in its place",
    ),
    **dict.fromkeys(
        ("Session", "InteractiveSession"), "nothing: ops run at once, and tensors have values"
    ),
    **dict.fromkeys(
        """
        enable_eager_execution enable_v2_behavior enable_resource_variables
        global_variables_initializer local_variables_initializer initialize_all_variables
        variables_initializer tables_initializer reset_default_graph
        """.split(),
        "nothing: it is so from the start",
    ),
    "get_variable": "tf.Variable",
    "variable_scope": "tf.name_scope",
    "ConfigProto": "tf.config",
    "GPUOptions": "tf.config.experimental.set_memory_growth",
}
# Namespaces that are elsewhere today.
_NAMESPACES = {
    "app": "absl.app",
    "flags": "absl.flags",
    "gfile": "tf.io.gfile",
    "logging": "absl.logging",
    "manip": "the same name in tf",
    "python_io": "tf.io",
    "spectral": "tf.signal",
}
# What ended with TensorFlow 1.
_ENDED = {
    "contrib": "tf.contrib ended with TensorFlow 1; much of it is in tf.keras and tf.linalg today.",
    "layers": "tf.layers ended with TensorFlow 1. Write tf.keras.layers.",
    "estimator": "tf.estimator ended with TensorFlow 2.15. Write tf.keras.Model.",
    "get_default_graph": "tf.get_default_graph is a name of TensorFlow 1: gradtape runs every op "
    "at once and has no graph to get. Write tf.function for a graph of a function.",
}
_noticed: set[str] = set()
_state = {"works": False}


def let_old_names_work() -> None:
    """Make the names of TensorFlow 1 work outside of `compat.v1`, too."""
    _state["works"] = True


def old_names_work() -> bool:
    """Return whether gradtape is this process's TensorFlow, where old names and manners work."""
    return _state["works"]


def allow(name: str, library: str, spelling: str) -> None:
    """Raise an AttributeError with the present spelling of an old name where such names do not
    work; say it once in a warning where they do."""
    text = f"{name} is a name of {library}. Write {spelling}."
    if not _state["works"]:
        raise AttributeError(text)
    notice(text)


def notice(text: str) -> None:
    """Warn of something old, once."""
    if text not in _noticed:
        _noticed.add(text)
        warnings.warn(text, FutureWarning, stacklevel=_user_level())


def present_spelling(name: str) -> str | None:
    """Return what to write for a name of TensorFlow 1; None if it is not one that works."""
    if name in _ANCIENT:
        return f"tf.{_ANCIENT[name]}"
    if name in _NAMESPACES:
        return _NAMESPACES[name]
    if name in _PRESENT:
        return _PRESENT[name]
    from gradtape.api.compat.v1 import present_name

    present = present_name(name)
    if present is not None and present != name:
        return f"tf.{present}"
    return f"tf.compat.v1.{name}" if f"compat.v1.{name}" in PUBLIC else None


def old_name(name: str) -> Any:
    """Return the object behind a name of TensorFlow 1 where such names work, else None; raise the
    AttributeError with the present spelling where they do not."""
    if name in _ENDED:
        raise AttributeError(_ENDED[name])
    spelling = present_spelling(name)
    if spelling is None:
        return None
    allow(f"tf.{name}", "TensorFlow 1", spelling)
    return lookup(_ANCIENT[name]) if name in _ANCIENT else missing(f"compat.v1.{name}")


_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _user_level() -> int:
    """Return which caller, counted from that of this function, is in no file of gradtape."""
    level, frame = 0, sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level + 1
