"""Learning rates that go up and down between two bounds (Smith 2017)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


@register
class CyclicalLearningRate(keras.optimizers.schedules.LearningRateSchedule):
    """Goes up in `step_size` steps and down again; `scale_fn` scales the way up by the number of
    the cycle, or of the step for `scale_mode="step"`."""

    def __init__(
        self,
        initial_learning_rate: float,
        maximal_learning_rate: float,
        step_size: float,
        scale_fn: Callable[..., Any],
        scale_mode: str = "cycle",
        name: str = "CyclicalLearningRate",
    ) -> None:
        super().__init__()
        self.initial_learning_rate = initial_learning_rate
        self.maximal_learning_rate = maximal_learning_rate
        self.step_size, self.scale_fn, self.scale_mode = step_size, scale_fn, scale_mode
        self.name = name

    def __call__(self, step):
        low = tf.convert_to_tensor(self.initial_learning_rate)
        step = tf.cast(step, low.dtype)
        size = tf.cast(self.step_size, low.dtype)
        high = tf.cast(self.maximal_learning_rate, low.dtype)
        cycle = tf.floor(1 + step / (2 * size))
        x = tf.abs(step / size - 2 * cycle + 1)
        where = cycle if self.scale_mode == "cycle" else step
        return low + (high - low) * tf.maximum(1 - x, 0) * self.scale_fn(where)

    def get_config(self) -> dict[str, Any]:
        return {
            "initial_learning_rate": self.initial_learning_rate,
            "maximal_learning_rate": self.maximal_learning_rate,
            "step_size": self.step_size,
            "scale_fn": self.scale_fn,
            "scale_mode": self.scale_mode,
        }


class _Named(CyclicalLearningRate):
    """A cyclical rate whose scale is given by its class."""

    def __init__(
        self,
        initial_learning_rate,
        maximal_learning_rate,
        step_size,
        scale_mode: str = "cycle",
        name: str | None = None,
    ) -> None:
        super().__init__(
            initial_learning_rate,
            maximal_learning_rate,
            step_size,
            self._scale,
            scale_mode,
            name or type(self).__name__,
        )

    def _scale(self, where):
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        del config["scale_fn"]
        return config


@register
class TriangularCyclicalLearningRate(_Named):
    """Reaches the upper bound in every cycle."""

    def _scale(self, where):
        return 1.0


@register
class Triangular2CyclicalLearningRate(_Named):
    """Goes half as far up with each cycle."""

    def _scale(self, where):
        return 1 / (2.0 ** (where - 1))


@register
class ExponentialCyclicalLearningRate(_Named):
    """Goes up by a factor `gamma` less with each cycle."""

    def __init__(
        self,
        initial_learning_rate,
        maximal_learning_rate,
        step_size,
        scale_mode: str = "iterations",
        gamma: float = 1.0,
        name: str | None = None,
    ) -> None:
        self.gamma = gamma
        super().__init__(initial_learning_rate, maximal_learning_rate, step_size, scale_mode, name)

    def _scale(self, where):
        return self.gamma**where

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "gamma": self.gamma}
