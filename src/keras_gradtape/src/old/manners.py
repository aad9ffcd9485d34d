"""Manners of calling that Keras 2 allowed and Keras 3 does not, where nothing is ambiguous.

They work where gradtape is a program's TensorFlow, with one warning for each; elsewhere Keras's own
errors, which say what to write, stay.
"""

from __future__ import annotations

import functools
import inspect

from keras.src.layers.core.input_layer import InputLayer
from keras.src.layers.layer import Layer

from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.core.tracebacks import filters_tracebacks


def install() -> None:
    """Let layers and inputs take the old forms of arguments."""
    call, initialize = Layer.__call__, InputLayer.__init__

    @functools.wraps(call)
    def call_layer(self, *args, **kwargs):
        if len(args) > 1 and old_names_work():
            args, kwargs = _by_name(self, args, kwargs)
        return call(self, *args, **kwargs)

    @functools.wraps(initialize)
    def initialize_input(self, shape=None, **options):
        if isinstance(shape, int) and old_names_work():
            notice(f"Input(shape={shape}) is a manner of Keras 2. Write Input(shape=({shape},)).")
            shape = (shape,)
        initialize(self, shape, **options)

    Layer.__call__ = filters_tracebacks(call_layer)
    InputLayer.__init__ = filters_tracebacks(initialize_input)


def _by_name(layer, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Return the arguments of a call with those by name that are numbers, as `training` is."""
    names = [
        name
        for name, parameter in inspect.signature(layer.call).parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    first = next((i for i, x in enumerate(args) if i and isinstance(x, (bool, int, float))), None)
    if first is None or len(args) > len(names):
        return args, kwargs
    named = dict(zip(names[first:], args[first:], strict=False))
    if named.keys() & kwargs.keys():
        return args, kwargs  # given twice: Keras says so
    notice(
        f"A layer's argument {names[first]!r} by position is a manner of Keras 2. Write "
        f"{names[first]}={args[first]!r}."
    )
    return args[:first], {**named, **kwargs}
