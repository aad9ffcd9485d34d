"""Whether functions run as graphs or eagerly, and whether the program is inside one."""

from __future__ import annotations

from gradtape.api.export import export
from gradtape.core.state import inside
from gradtape.graph.apply import settings


@export("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly) -> None:
    """Set whether `tf.function` does nothing: no conversion of arguments and results either."""
    settings["run_eagerly"] = bool(run_eagerly)


@export("config.functions_run_eagerly", "config.experimental_functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """Return whether `run_functions_eagerly(True)` is in effect."""
    return settings["run_eagerly"]


@export("executing_eagerly")
def executing_eagerly() -> bool:
    """Return whether the program is outside of all `tf.function`s and functions of datasets, as in
    TensorFlow."""
    return not inside.get()


@export("inside_function")
def inside_function() -> bool:
    """Return whether the program is inside a `tf.function` or a function of a dataset."""
    return inside.get()
