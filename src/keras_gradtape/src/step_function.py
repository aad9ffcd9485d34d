"""A step of `fit`, `evaluate` or `predict`: eager for the first batch of a shape, then a graph.

The rule is the same on every run and machine, with and without a seed. The first batch of each
shape runs eagerly, which builds the model and costs no trace for a shape that comes once; from the
second on the step is a graph; from the third shape on, one graph serves batches of all sizes. Where
eager code is costly (XLA is asked for, or the model is on a device) the first shape of a model that
is built is a graph at once. `run_eagerly` keeps all eager. Both compute the same up to rounding.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import gradtape
from gradtape.api.autograph.inner_calls import converted_in_trace
from gradtape.api.function.open_calls import note_shapes
from gradtape.core.placement import placed
from gradtape.core.recent import Recent
from gradtape.core.tensor import Tensor
from gradtape.graph.report import warn_runs_eagerly
from gradtape.graph.signature import Untraceable, key_of, relax_shapes
from keras_gradtape.src import distribution_lib
from keras_gradtape.src.replicated import ReplicatedStepFunction
from keras_gradtape.src.step_lookahead import value_needed_by_step

logger = logging.getLogger("gradtape")
_MAX_SHAPES = 4096  # of batches that are remembered
# From the third shape on (the last batch of an epoch is often smaller, and has a second one), sizes
# vary: one graph serves all.
_FIRST_SHAPES = 2


class StepFunction:
    """A step of a model (one of its methods) as a function of a batch of data."""

    def __init__(self, model, name: str) -> None:
        self._model = model
        self._name = name

        def step_with_losses(data):
            return self._step_with_losses(data)

        step_with_losses.__name__ = name  # messages name the model's method
        self._function = gradtape.function(
            step_with_losses, jit_compile=bool(model.jit_compile) or None, reduce_retracing=True
        )
        self._layers_with_losses: list = []  # those that had losses of their own in some call
        self._seen = Recent(_MAX_SHAPES)  # shapes of batches -> Execution
        self._shapes: dict = {}  # by structure of batches, the first shapes that came
        self._warned = False  # whether the user knows that batches run eagerly

    def _warn_eager(self, reason: Untraceable) -> None:
        if not self._warned:
            self._warned = True
            kind = str(reason).removeprefix("an argument is ")
            logger.warning("%s runs eagerly: a batch has %s in it.", self._name, kind)

    def __call__(self, data):
        model = self._model
        if model.run_eagerly or gradtape.config.functions_run_eagerly():
            return self._step(data)
        distribution = distribution_lib.current()
        if distribution is not None:
            data = distribution_lib.distribute_batch(distribution, data)
        tensors: list = []
        try:
            key = key_of(data, tensors)
        except Untraceable as reason:
            self._warn_eager(reason)
            return self._step(data)
        execution = self._seen.find(key)
        if execution is None:
            # Op by op, devices of a distribution would only wait for each other.
            is_graph = distribution is not None or self._starts_as_graph(tensors)
            shapes = self._shapes.setdefault(relax_shapes(key), [])
            is_graph = is_graph or len(shapes) >= _FIRST_SHAPES
            if len(shapes) < _FIRST_SHAPES:
                shapes.append(key)
                note_shapes(self._function, (key,), tensors)
            execution = Execution()
            self._seen.keep(key, execution)
            if not is_graph:
                return self._run_first(data)
        if execution.run is None:
            execution.run = self._choose(data)
        return execution.run(data)

    def _choose(self, data) -> Callable:
        """Return the function that runs batches of this shape."""
        reason = value_needed_by_step(self._model, self._name, data)
        if reason is None:
            return self._run_graph
        if not self._warned:
            self._warned = True
            warn_runs_eagerly(self._name, reason)
        return self._step

    def _starts_as_graph(self, tensors: list) -> bool:
        """Return whether the first batch of a shape is traced: eager code would be slow."""
        model = self._model
        if self._seen or not model.built:
            return False
        on_device = any(type(x) is not Tensor for x in tensors)
        return bool(model.jit_compile) or on_device or _is_on_device(model)

    def _step(self, data):
        step = getattr(self._model, self._name)
        return (converted_in_trace(step) or step)(data)

    def _run_first(self, data):
        """Run the step eagerly, and note which layers have losses of their own."""
        logs = self._step(data)
        self._losses()
        return logs

    def _step_with_losses(self, data):
        """Run the step; return its logs, and the losses of layers by their index.

        The losses are results, so that each trace has its own: which layers have losses may depend
        on the shapes.
        """
        try:
            return self._step(data), self._losses()
        except BaseException:
            self._model._clear_losses()  # of a trace that has ended
            raise

    def _losses(self) -> dict[str, list]:
        losses = {}
        for layer in self._model._flatten_layers():
            if layer._losses:
                if not any(layer is known for known in self._layers_with_losses):
                    self._layers_with_losses.append(layer)
                number = next(
                    i for i, known in enumerate(self._layers_with_losses) if known is layer
                )
                losses[str(number)] = list(layer._losses)
        return losses

    def _run_graph(self, data):
        logs, losses = self._function(data)
        # `model.losses` shows the losses of this call.
        for number, layer in enumerate(self._layers_with_losses):
            layer._losses[:] = losses.get(str(number), ())
        return logs


class Execution:
    """How batches of one shape run. `run` is None until the second batch has come."""

    __slots__ = ("run",)

    def __init__(self) -> None:
        self.run: Callable | None = None


def make_step_function(model, name: str):
    """Return a step of a model as a function of a batch, for all replicas of its strategy."""
    if model.distribute_strategy.num_replicas_in_sync > 1:
        return ReplicatedStepFunction(model, name)
    return StepFunction(model, name)


def device_of_batches(model) -> str | None:
    """Return the device to which batches for a model are copied, that of its variables.

    None: they stay on the host, or are distributed by the step itself.
    """
    if distribution_lib.current() or model.distribute_strategy.num_replicas_in_sync > 1:
        return None
    if model.built:
        return next((v.device for v in _values_on_devices(model)), None)
    new = placed(Tensor(np.zeros(1, np.float32)))  # as its variables will be
    return new.device if new._is_on_device else None


def _is_on_device(model) -> bool:
    return any(True for _ in _values_on_devices(model))


def _values_on_devices(model) -> Iterator[Any]:
    values = (getattr(v, "_value", None) for v in model.variables)
    return (v for v in values if v is not None and v._tensor_class is not Tensor)
