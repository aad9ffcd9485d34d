"""A step of `fit`, `evaluate` or `predict`: eager at first, then as a graph if that is quicker.

The first batches of each shape run eagerly, which builds the model and costs no trace for shapes
that hardly occur (the last batch of an epoch). Then the step is traced, and a few batches decide:
the graph is kept where it was quicker than eager code on this model and machine. Both compute the
same up to rounding. A program that has set a seed wants the same digits each time, whatever the
machine is busy with: its steps are not timed, and stay eager.
"""

from __future__ import annotations

import logging
import time

import gradtape
from gradtape import ops
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.signature import Untraceable, key_of
from keras_gradtape.src import distribution_lib
from keras_gradtape.src.replicated import ReplicatedStep

logger = logging.getLogger("gradtape")
_EAGER_FIRST = 3  # batches of a shape; the first is not timed
_TRACED_FIRST = 3


class StepFunction:
    """A step of a model, one of its methods, as a function of a batch of data."""

    def __init__(self, model, name: str) -> None:
        self._model = model
        self._name = name

        def traced(data):
            return self._with_losses(data)

        traced.__name__ = name  # what a user is told about
        self._function = gradtape.function(traced, jit_compile=bool(model.jit_compile) or None)
        self._layers: list = []  # those that have losses of their own from the call traced last
        self._trials: dict = {}  # by the shapes of the batch
        self._told = False  # whether the user knows that batches run eagerly

    def _say_eager(self, reason: Untraceable) -> None:
        if not self._told:
            self._told = True
            kind = str(reason).removeprefix("an argument is ")
            logger.warning("%s runs eagerly: a batch has %s in it.", self._name, kind)

    def _step(self, data):
        return getattr(self._model, self._name)(data)

    def __call__(self, data):
        model = self._model
        if model.run_eagerly or gradtape.config.functions_run_eagerly():
            return self._step(data)
        distribution = distribution_lib.current()
        if distribution is not None:
            data = distribution_lib.distributed(distribution, data)
        tensors: list = []
        try:
            key = key_of(data, tensors)
        except Untraceable as reason:
            self._say_eager(reason)
            return self._step(data)
        trial = self._trials.get(key)
        if trial is None:
            on_device = any(type(x) is not Tensor for x in tensors) or _is_on_device(model)
            must_trace = bool(model.jit_compile) or on_device
            # To compile takes long: at once for the first shape, for others if they come often.
            # (A model that has no variables yet makes them in an eager step.)
            first = must_trace and not self._trials
            patience = int(not model.built) if first else _EAGER_FIRST
            if distribution is not None:  # op by op, devices would only wait for each other
                patience = 0
            if not must_trace and seed_is_set():
                return self._step(data)
            trial = self._trials[key] = Trial(must_trace, patience)
        return trial.run(self._step, self._as_graph, data)

    def _with_losses(self, data):
        """The step, and the losses that it leaves with layers, which `model.losses` shows later."""
        logs = self._step(data)
        self._layers = [layer for layer in self._model._flatten_layers() if layer._losses]
        return logs, [list(layer._losses) for layer in self._layers]

    def _as_graph(self, data):
        logs, losses = self._function(data)
        for layer, values in zip(self._layers, losses, strict=True):
            layer._losses[:] = values
        return logs


def step_function(model, name: str):
    """A step of a model as a function of a batch, in as many replicas as its strategy has."""
    if model.distribute_strategy.num_replicas_in_sync > 1:
        return ReplicatedStep(model, name)
    return StepFunction(model, name)


def seed_is_set() -> bool:
    """Whether the program has asked for numbers that repeat themselves."""
    return ops.SEEDS.global_seed is not None


class Trial:
    """Which of the two ways suits batches of one shape."""

    __slots__ = ("_count", "_eager", "_must_trace", "_patience", "_run", "_traced")

    def __init__(self, must_trace: bool, patience: int) -> None:
        self._must_trace = must_trace  # compiled or on a device: then there is no question
        self._patience = patience  # how many batches are eager first
        self._count = 0
        self._eager = self._traced = float("inf")  # seconds of the quickest batch
        self._run = None

    def run(self, step, function, data):
        if self._run is not None:
            return self._run(data)
        count = self._count
        self._count += 1
        if count < self._patience:
            start = time.perf_counter()
            logs = step(data)
            if count:
                self._eager = min(self._eager, time.perf_counter() - start)
            return logs
        start = time.perf_counter()
        try:
            logs = function(data)
        except Exception as error:
            if self._traced != float("inf"):
                raise
            # Tracing failed; if the program is wrong, the eager step says so.
            logger.warning("The step runs eagerly: it cannot be traced (%s).", error)
            self._run = step
            return step(data)
        if self._must_trace:
            self._run = function
        elif count > _EAGER_FIRST:
            self._traced = min(self._traced, time.perf_counter() - start)
            if count >= _EAGER_FIRST + _TRACED_FIRST - 1:
                self._run = function if self._traced < self._eager else step
                logger.info(
                    "a step takes %.2f ms eagerly and %.2f ms as a graph",
                    self._eager * 1e3, self._traced * 1e3,
                )  # fmt: skip
        return logs


def _is_on_device(model) -> bool:
    values = (getattr(v, "_value", None) for v in model.variables)
    return any(v is not None and v._tensor_class is not Tensor for v in values)
