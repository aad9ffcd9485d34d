"""Steps of `fit`, `evaluate` and `predict` in several replicas, as Keras has them on TensorFlow."""

from __future__ import annotations

import types
from typing import Any

from keras.src import tree
from keras.src.optimizers.loss_scale_optimizer import LossScaleOptimizer

import gradtape
from gradtape import ops
from gradtape.api.autograph.inner_calls import converted_in_trace
from gradtape.distribute.strategy.contexts import get_replica_context, get_strategy
from gradtape.graph.per_replica import DistributedValues
from gradtape.graph.replicas import current_replica


def install(loss_module) -> None:
    """Divide losses by the number of replicas, so that their sum is the loss of the batch.

    Keras does so where its backend is TensorFlow, by name.
    """
    loss_module.scale_loss_for_distribution = _scale
    loss_module.unscale_loss_for_distribution = _unscale
    check_finite = LossScaleOptimizer.check_finite

    def check_in_all_replicas(self, grads):
        """Return whether the gradients of all replicas are finite."""
        finite = check_finite(self, grads)
        if current_replica() is None:
            return finite
        context: Any = get_replica_context()  # there is one: we are in a replica
        failures = context.all_reduce("SUM", ops.cast(~finite, "int32"))
        return ops.equal(failures, 0)

    LossScaleOptimizer.check_finite = check_in_all_replicas


def allow_synchronized() -> None:
    """Let batch normalization have `synchronized=True`: Keras asks for TensorFlow by name."""
    from keras.src.layers.normalization.batch_normalization import BatchNormalization

    given = BatchNormalization.__init__
    # The same code, with the same signature, to which the backend has that name.
    names = {**given.__globals__, "backend": types.SimpleNamespace(backend=lambda: "tensorflow")}
    allowed = types.FunctionType(
        given.__code__, names, given.__name__, given.__defaults__, given.__closure__
    )
    allowed.__kwdefaults__ = given.__kwdefaults__
    BatchNormalization.__init__ = allowed


def _scale(value):
    count = get_strategy().num_replicas_in_sync
    return value * ops.cast(1.0 / count, value.dtype) if count > 1 else value


def _unscale(value):
    count = get_strategy().num_replicas_in_sync
    return value * ops.cast(count, value.dtype) if count > 1 else value


class ReplicatedStepFunction:
    """A step of a model on a batch that is divided among the replicas of its strategy."""

    def __init__(self, model, name: str) -> None:
        self._model = model
        self._strategy = strategy = model.distribute_strategy
        concat = name == "predict_step"

        def one_step(data):
            step = getattr(model, name)
            results = strategy.run(converted_in_trace(step) or step, (data,))
            return tree.map_structure(self._concat if concat else self._mean, results)

        one_step.__name__ = name  # messages name the model's method
        self._run = one_step
        self._function = gradtape.function(one_step)

    def __call__(self, data):
        from gradtape.distribute.strategy.datasets import divide_batch

        batch = divide_batch(self._strategy, data)
        eager = self._model.run_eagerly or gradtape.config.functions_run_eagerly()
        return self._run(batch) if eager else self._function(batch)

    def _mean(self, value):
        if not isinstance(value, DistributedValues):
            return value
        return self._strategy.reduce("MEAN", value, axis=None)

    def _concat(self, value):
        if not isinstance(value, DistributedValues):
            return value
        return self._strategy.gather(value, axis=0)
