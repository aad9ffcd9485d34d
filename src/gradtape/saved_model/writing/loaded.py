"""Functions of a loaded model, which are traced to be saved again."""

from __future__ import annotations

import warnings
from typing import Any

from gradtape.api.function.function import Function
from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.saved_model.reading.restored import RestoredConcreteFunction


def as_function(concrete: RestoredConcreteFunction) -> Function:
    """Return a `tf.function` that takes the arguments a function of a loaded model was saved for.

    (Others would find another concrete function, or none.)
    """
    specs = nest.flatten(concrete.structured_input_signature)

    def call(*args, **kwargs) -> Any:
        given = nest.flatten((args, kwargs))
        pairs = zip(given, specs, strict=True)
        return concrete.call_flat([x for x, spec in pairs if isinstance(spec, TensorSpec)])

    call.__name__ = concrete.name
    return Function(call, autograph=False)


def warn_left_out(name: str, error: Exception) -> None:
    """Warn that a function of a loaded model is not in the file that is written."""
    warnings.warn(
        f"tf.saved_model.save: the function {name!r} of the loaded model is left out: {error}",
        stacklevel=6,  # the line that calls tf.saved_model.save
    )
