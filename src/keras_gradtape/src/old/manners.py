"""Manners of calling that Keras 2 allowed and Keras 3 does not, where nothing is ambiguous.

They work where gradtape is a program's TensorFlow, with one warning for each; elsewhere Keras's own
errors, which say what to write, stay.
"""

from __future__ import annotations

import functools
import inspect

from keras.src import backend, tree
from keras.src.backend import KerasTensor
from keras.src.layers.core.input_layer import InputLayer
from keras.src.layers.layer import Layer
from keras.src.losses.loss import Loss, reduce_weighted_values
from keras.src.losses.losses import LossFunctionWrapper

from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.core.convert import has_conversion
from gradtape.core.tracebacks import filters_tracebacks


def install() -> None:
    """Let layers and inputs take the old forms of arguments."""
    call, initialize, add = Layer.__call__, InputLayer.__init__, Layer.add_weight

    @functools.wraps(call)
    def call_layer(self, *args, **kwargs):
        if old_names_work():
            if len(args) > 1:
                args, kwargs = _by_name(self, args, kwargs)
            if "training" not in kwargs:
                _let_training_be_left_out(self, args)
        return call(self, *args, **kwargs)

    @functools.wraps(initialize)
    def initialize_input(self, shape=None, **options):
        if isinstance(shape, int) and old_names_work():
            notice(f"Input(shape={shape}) is a manner of Keras 2. Write Input(shape=({shape},)).")
            shape = (shape,)
        initialize(self, shape, **options)

    @functools.wraps(add)
    def add_weight(self, *args, **options):
        if args and isinstance(args[0], str) and old_names_work():
            notice("add_weight('name') is a manner of Keras 2. Write add_weight(name='name').")
            name, *args = args
            options = {"shape": args[0] if args else None, **options, "name": name}
            return add_weight(self, **options)
        if options.keys() & _OLD_OPTIONS and old_names_work():
            options = _without_old_options(options)
        return add(self, *args, **options)

    shape_of = Layer.compute_output_shape

    @functools.wraps(shape_of)
    def compute_output_shape(self, *args, **kwargs):
        if old_names_work() and len(args) == 1 and not kwargs and _is_shape(args[0]):
            return _shape_by_calling(self, args[0])
        return shape_of(self, *args, **kwargs)

    _pass_distributions_to_losses()
    Layer._track_trackable = _track_trackable
    Layer.compute_output_shape = filters_tracebacks(compute_output_shape)
    Layer.add_weight = filters_tracebacks(add_weight)
    Layer.__call__ = filters_tracebacks(call_layer)
    InputLayer.__init__ = filters_tracebacks(initialize_input)


def _track_trackable(self, value, name, overwrite=False):
    """Return the value: Keras 3 finds the layers and weights of a layer in its attributes."""
    return value


def _pass_distributions_to_losses() -> None:
    """Give a loss function a model's result as it is, where it only converts to a tensor: losses of
    TensorFlow Probability ask a distribution for the density of the targets."""
    call = Loss.__call__

    @functools.wraps(call)
    def call_loss(self, y_true, y_pred, sample_weight=None):
        given = isinstance(self, LossFunctionWrapper) and old_names_work()
        if not (given and has_conversion(y_pred)):
            return call(self, y_true, y_pred, sample_weight)
        y_true = tree.map_structure(
            lambda x: backend.convert_to_tensor(x, dtype=self.dtype), y_true
        )
        losses = self.fn(y_true, y_pred, **self._fn_kwargs)
        return reduce_weighted_values(
            losses, sample_weight=sample_weight, reduction=self.reduction, dtype=self.dtype
        )

    Loss.__call__ = filters_tracebacks(call_loss)


# Arguments of add_weight that Keras 3 does not have.
_OLD_OPTIONS = {"experimental_autocast", "getter", "use_resource", "partitioner"}


def _without_old_options(options: dict) -> dict:
    """Return the arguments of add_weight in Keras 3's words; a getter's variable is taken over."""
    kept = {name: value for name, value in options.items() if name not in _OLD_OPTIONS}
    kept.setdefault("autocast", options.get("experimental_autocast", True))
    if options.get("getter") is not None:
        variable = options["getter"](**kept)
        kept["initializer"] = lambda shape, dtype=None: variable
    if kept.get("name"):  # Keras 3 allows no slashes
        kept["name"] = kept["name"].rpartition("/")[2].partition(":")[0]
    return kept


def _is_shape(value) -> bool:
    return isinstance(value, (tuple, list)) and all(
        size is None or isinstance(size, int) for size in value
    )


def _shape_by_calling(layer, shape) -> tuple:
    """Return the shape of a layer's result: Keras 2 calls a layer that does not say it."""
    inputs = KerasTensor(tuple(shape), dtype=layer.compute_dtype)
    made = backend.compute_output_spec(layer.call, inputs)
    return tree.map_structure(lambda each: each.shape, made)


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


def _let_training_be_left_out(layer, args: tuple) -> None:
    """Let a call leave out a `training` that has no default: Keras 2 took it from the layer around
    this one, and False where there is none."""
    signature = getattr(layer, "_call_signature", None)  # none before Layer.__init__
    parameters = {} if signature is None else signature.parameters
    known = parameters.get("training")
    if (
        known is None
        or known.default is not known.empty
        or list(parameters).index("training") < len(args)
    ):
        return
    changed = [p.replace(default=False) if p is known else p for p in parameters.values()]
    try:
        layer._call_signature = inspect.Signature(changed)
    except ValueError:
        return  # what follows has no default either: Keras says so
    notice(
        f"To leave out training, for which {type(layer).__name__}.call has no default, is a manner "
        "of Keras 2. Write def call(self, ..., training=False)."
    )
