"""Names that programs written for older versions of `tf.keras` use, and Keras 3 dropped.

`install` adds them to Keras; nothing else of this backend needs them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import gradtape
from keras_gradtape.src.replicated import allow_synchronized

_LOSSES = (
    "mean_squared_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_logarithmic_error",
    "kl_divergence",
    "log_cosh",
)


def install() -> None:
    """Add the names to Keras."""
    _add_functions()
    _add_methods()
    _add_constructor_arguments()
    _add_namespaces()
    allow_synchronized()
    for module in (
        "symbolic.functions",
        "old.names",
        "old.manners",
        "old.arguments",
        "old.optimizers",
        "old.weights",
    ):
        importlib.import_module(f"keras_gradtape.src.{module}").install()
    old_backend: Any = importlib.import_module("keras.src.legacy.backend")
    old_backend.tf = _TensorFlow()


def _public(name: str) -> list:
    """Return a public module of Keras, as `keras` and as `tf.keras` has it."""
    return [
        importlib.import_module(f"{root}.{name}") for root in ("keras", "keras._tf_keras.keras")
    ]


def _add_functions() -> None:
    from keras.src.losses import losses

    for module in (*_public("losses"), *_public("metrics")):
        for name in _LOSSES:
            if not hasattr(module, name):
                setattr(module, name, getattr(losses, name))
    old_backend = _public("backend")[1]
    old_backend.set_value, old_backend.batch_set_value = set_value, batch_set_value


def set_value(x, value) -> None:
    """Assign to a variable, of TensorFlow's kind or Keras's."""
    x.assign(np.asarray(value))


def batch_set_value(tuples) -> None:
    """Assign to many variables: pairs of variable and value."""
    for x, value in tuples:
        set_value(x, value)


# --- methods -------------------------------------------------------------------------------------


def _add_methods() -> None:
    from keras.src.layers.layer import Layer
    from keras.src.metrics.metric import Metric
    from keras.src.models.model import Model
    from keras.src.models.sequential import Sequential
    from keras.src.optimizers.base_optimizer import BaseOptimizer

    for cls, methods in {
        Metric: [reset_states],
        BaseOptimizer: [minimize, compute_gradients],
        Model: [fit_generator, evaluate_generator, predict_generator, compiled_loss],
        Sequential: [predict_classes, predict_proba],
    }.items():
        for method in methods:
            if not hasattr(cls, method.__name__):
                setattr(cls, method.__name__, method)
    BaseOptimizer.lr = property(_learning_rate, _set_learning_rate)
    Model.compiled_metrics = property(_CompiledMetrics)
    Model.reset_states = _reset_model_states
    Layer.add_variable = _name_first(Layer.add_variable)


def reset_states(self) -> None:
    """Set the metric back to its beginning."""
    self.reset_state()


def minimize(self, loss, var_list, tape=None):
    """Take one step down a loss: a function of no arguments, or a tensor and the tape it is on."""
    if tape is None and callable(loss):
        tape = gradtape.GradientTape()  # held here: it says why, if all gradients are None
    return self.apply_gradients(self.compute_gradients(loss, var_list, tape))


def compute_gradients(self, loss, var_list, tape=None) -> list:
    """Return pairs of gradient and variable of a loss, given as for `minimize`."""
    if not callable(loss) and tape is None:
        raise ValueError("`tape` is required when a `Tensor` loss is passed.")
    if tape is None:
        tape = gradtape.GradientTape()
    if callable(loss):
        with tape:
            loss = loss()
            if callable(var_list):
                var_list = var_list()
    elif callable(var_list):
        var_list = var_list()
    variables = gradtape.nest.flatten(var_list)
    with tape:
        loss = self.scale_loss(loss)
    return list(zip(tape.gradient(loss, variables), variables, strict=True))


def _learning_rate(self):
    return self.learning_rate


def _set_learning_rate(self, value) -> None:
    self.learning_rate = value


def fit_generator(self, generator, **options):
    """Call `fit`, which takes generators itself."""
    return self.fit(generator, **options)


def evaluate_generator(self, generator, **options):
    """Call `evaluate`, which takes generators itself."""
    return self.evaluate(generator, **options)


def predict_generator(self, generator, **options):
    """Call `predict`, which takes generators itself."""
    return self.predict(generator, **options)


def predict_proba(self, x, batch_size=32, verbose=0):
    """Return the outputs, which are probabilities if the model's last activation makes them so."""
    return self.predict(x, batch_size=batch_size, verbose=verbose)


def predict_classes(self, x, batch_size=32, verbose=0):
    """Return the number of the likeliest class; for a single output, whether it is over a half."""
    probabilities = self.predict(x, batch_size=batch_size, verbose=verbose)
    return (
        probabilities.argmax(-1)
        if probabilities.shape[-1] > 1
        else (probabilities > 0.5).astype(np.int32)
    )


def compiled_loss(self, y, y_pred, sample_weight=None, regularization_losses=None):
    """Return the loss that the model was compiled with; it includes the layers' own losses."""
    return self.compute_loss(x=None, y=y, y_pred=y_pred, sample_weight=sample_weight)


class _CompiledMetrics:
    """The metrics that the model was compiled with."""

    def __init__(self, model) -> None:
        self._model = model

    @property
    def metrics(self) -> list:
        return [m for m in self._model.metrics if m is not self._model._loss_tracker]

    def update_state(self, y, y_pred, sample_weight=None) -> None:
        for metric in self.metrics:
            metric.update_state(y, y_pred, sample_weight=sample_weight)


def _reset_model_states(self) -> None:
    for layer in self._flatten_layers(include_self=False):
        if hasattr(layer, "reset_state"):
            layer.reset_state()


def _name_first(add_variable):
    """Wrap `add_variable`: it also takes the name as first argument, as it once did."""

    @functools.wraps(add_variable)
    def wrapper(self, *args, **options):
        if args and isinstance(args[0], str):
            options = dict(zip(("name", "shape", "dtype", "initializer"), args, strict=False)) | (
                options
            )
            options.setdefault("shape", ())
            return self.add_weight(**options)
        if "initializer" not in options and len(args) < 2:
            return self.add_weight(*args, **options)
        return add_variable(self, *args, **options)

    return wrapper


# --- constructor arguments -----------------------------------------------------------------------


def _silence() -> None:
    """Silence a warning: an `input_shape` of the first layer is right, it has the same effect."""
    warnings.filterwarnings("ignore", r"Do not pass an `input_shape`/`input_dim` argument")


def _add_constructor_arguments() -> None:
    from keras.src.layers.core.input_layer import InputLayer
    from keras.src.layers.layer import Layer
    from keras.src.models.sequential import Sequential
    from keras.src.optimizers.base_optimizer import BaseOptimizer

    _silence()
    initialize_layer, initialize_optimizer = Layer.__init__, BaseOptimizer.__init__
    add = Sequential.add

    # The signature matters: Keras reads from it what a layer's configuration must hold.
    @functools.wraps(initialize_layer)
    def layer_init(
        self,
        *,
        activity_regularizer=None,
        trainable=True,
        dtype=None,
        autocast=True,
        name=None,
        **kwargs,
    ):
        batch_shape = kwargs.pop("batch_input_shape", None)
        initialize_layer(
            self,
            activity_regularizer=activity_regularizer,
            trainable=trainable,
            dtype=dtype,
            autocast=autocast,
            name=name,
            **kwargs,
        )
        if batch_shape is not None:
            self._batch_input_shape_arg = tuple(batch_shape)

    @functools.wraps(add)
    def sequential_add(self, layer, rebuild=True):
        batch_shape = getattr(layer, "_batch_input_shape_arg", None)
        if batch_shape is not None and not self._layers:
            add(self, InputLayer(batch_shape=batch_shape), rebuild=rebuild)
        add(self, layer, rebuild=rebuild)

    @functools.wraps(initialize_optimizer)
    def optimizer_init(self, learning_rate, *args, lr=None, **options):
        if isinstance(learning_rate, (list, tuple, Iterator)):
            kind = type(self).__name__
            raise TypeError(
                f"{kind}: the first argument is the learning rate, a number or a schedule, got a "
                f"{type(learning_rate).__name__}. Variables are not given to the optimizer (as in "
                f"PyTorch) but to its step: optimizer = {kind}(0.001), then "
                "optimizer.apply(gradients, variables)."
            )
        initialize_optimizer(self, learning_rate if lr is None else lr, *args, **options)

    Layer.__init__ = layer_init
    Sequential.add = sequential_add
    BaseOptimizer.__init__ = optimizer_init


# --- namespaces ----------------------------------------------------------------------------------


def _add_namespaces() -> None:
    layers, optimizers = _public("layers")[1], _public("optimizers")[1]
    preprocessing = types.ModuleType("gradtape.keras.layers.experimental.preprocessing")
    preprocessing.__dict__.update(
        {name: value for name, value in vars(layers).items() if not name.startswith("_")}
    )
    experimental: Any = types.ModuleType("gradtape.keras.layers.experimental")
    experimental.preprocessing = preprocessing
    layers.experimental = experimental
    for module in (experimental, preprocessing):
        module.__path__ = []
        sys.modules[module.__name__] = module
        sys.modules[module.__name__.replace("gradtape.keras", "keras._tf_keras.keras")] = module
    for name, value in vars(optimizers).items():
        if isinstance(value, type):
            setattr(optimizers.legacy, name, value)


class _Version1:
    """`tf.compat.v1`, as far as Keras's old backend functions use it."""

    def __getattr__(self, name):
        return (
            self
            if name in ("nn", "math")
            else getattr(gradtape, name, None) or getattr(gradtape.nn, name)
        )

    @staticmethod
    def assign(x, value):
        return x.assign(value)

    @staticmethod
    def assign_add(x, value):
        return x.assign_add(value)

    @staticmethod
    def assign_sub(x, value):
        return x.assign_sub(value)

    @staticmethod
    def in_top_k(predictions, targets, k):
        return gradtape.math.in_top_k(targets, predictions, k)

    @staticmethod
    def gradients(ys, xs, *args, **options):
        raise RuntimeError(
            "gradients is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead."
        )


class _TensorFlow:
    """What functions of `keras.backend` that call TensorFlow get instead of it."""

    compat = types.SimpleNamespace(v1=_Version1())
    # Kinds of tensors that do not exist here, so nothing is an instance of them.
    SparseTensor = RaggedTensor = type("NotHere", (), {})
    __internal__ = types.SimpleNamespace(
        EagerTensor=gradtape.Tensor, tf2=types.SimpleNamespace(enabled=lambda: True)
    )

    def __getattr__(self, name):
        return getattr(gradtape, name)

    @staticmethod
    def executing_eagerly() -> bool:
        return True

    @staticmethod
    def inside_function() -> bool:
        return False

    init_scope = contextlib.nullcontext
    name_scope = staticmethod(lambda name: contextlib.nullcontext())
