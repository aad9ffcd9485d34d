"""Optimizers around an optimizer: Lookahead, and averages of the weights."""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


class _Wrapper(keras.optimizers.Optimizer):
    """Lets another optimizer make the step, and keeps a second value of each variable."""

    def __init__(self, optimizer, name: str, **options) -> None:
        inner = keras.optimizers.get(optimizer)
        super().__init__(learning_rate=0.0, name=name, **options)
        self.inner = inner

    @property
    def learning_rate(self):
        """The learning rate of the optimizer inside."""
        return self.inner.learning_rate

    @learning_rate.setter
    def learning_rate(self, value) -> None:
        if hasattr(self, "inner"):
            self.inner.learning_rate = value

    def build(self, var_list) -> None:
        if self.built:
            return
        super().build(var_list)
        self.inner.build(var_list)
        self.kept = [self.add_variable_from_reference(v, "kept") for v in var_list]
        for kept, variable in zip(self.kept, var_list, strict=True):
            kept.assign(variable)

    def apply(self, grads, trainable_variables=None):
        if trainable_variables is not None:
            trainable_variables = list(trainable_variables)
            if not self.built:
                self.build(trainable_variables)
        self.inner.apply(grads, trainable_variables)
        self.iterations.assign_add(1)
        for variable in trainable_variables or self._trainable_variables:
            self._afterwards(variable, self.kept[self._get_variable_index(variable)])
        return self.iterations

    def _afterwards(self, variable, kept) -> None:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {"optimizer": keras.optimizers.serialize(self.inner), "name": self.name}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Make the optimizer of a configuration again."""
        optimizer = keras.optimizers.deserialize(config["optimizer"], custom_objects)
        return cls(**{**config, "optimizer": optimizer})


@register
class Lookahead(_Wrapper):
    """Moves slow weights toward those of the optimizer every few steps, and the optimizer's to them
    (Zhang et al. 2019, algorithm 1)."""

    def __init__(
        self,
        optimizer,
        sync_period: int = 6,
        slow_step_size: float = 0.5,
        name: str = "Lookahead",
        **options,
    ) -> None:
        super().__init__(optimizer, name, **options)
        self.sync_period, self.slow_step_size = sync_period, slow_step_size

    def _afterwards(self, variable, kept) -> None:
        now = self.iterations % self.sync_period == 0
        moved = kept + self.slow_step_size * (variable - kept)
        kept.assign(tf.where(now, moved, kept))
        variable.assign(tf.where(now, moved, variable))

    def get_config(self) -> dict[str, Any]:
        config = {"sync_period": self.sync_period, "slow_step_size": self.slow_step_size}
        return {**super().get_config(), **config}


class _Averaging(_Wrapper):
    """Keeps averages of the weights, which a program can assign to them."""

    @property
    def _steps_before(self):
        """How many steps there were before the present one, by which averages count."""
        return self.iterations - 1

    def assign_average_vars(self, var_list) -> None:
        """Assign the averages to the variables."""
        for variable in var_list:
            variable.assign(self.kept[self._get_variable_index(variable)])

    def get_average(self, variable):
        """Return the average of a variable."""
        return self.kept[self._get_variable_index(variable)]


@register
class MovingAverage(_Averaging):
    """Keeps moving averages of the weights (Polyak and Juditsky 1992), from a step on; with
    `dynamic_decay`, the decay is at most (1 + n) / (10 + n) in a step after n others."""

    def __init__(
        self,
        optimizer,
        average_decay: float = 0.99,
        num_updates=None,
        start_step: int = 0,
        dynamic_decay: bool = False,
        name: str = "MovingAverage",
        **options,
    ) -> None:
        super().__init__(optimizer, name, **options)
        self.average_decay, self.start_step = average_decay, start_step
        self.dynamic_decay = dynamic_decay or num_updates is not None

    def _afterwards(self, variable, kept) -> None:
        steps = self._steps_before - self.start_step
        decay = tf.constant(self.average_decay, kept.dtype)
        if self.dynamic_decay:
            n = tf.cast(tf.maximum(steps, 0), kept.dtype)
            decay = tf.minimum(decay, (1 + n) / (10 + n))
        moved = decay * kept + (1 - decay) * variable
        kept.assign(tf.where(steps >= 0, moved, variable))

    def get_config(self) -> dict[str, Any]:
        config = {"average_decay": self.average_decay, "start_step": self.start_step}
        return {**super().get_config(), **config, "dynamic_decay": self.dynamic_decay}


@register
class SWA(_Averaging):
    """Keeps the mean of the weights at every few steps, from a step on (Izmailov et al. 2018); the
    first step is step 0, and the weights before it are not in the mean."""

    def __init__(
        self,
        optimizer,
        start_averaging: int = 0,
        average_period: int = 10,
        name: str = "SWA",
        **options,
    ) -> None:
        super().__init__(optimizer, name, **options)
        if average_period < 1 or start_averaging < 0:
            raise ValueError(
                "SWA: average_period must be at least 1 and start_averaging at least 0, got "
                f"{average_period} and {start_averaging}."
            )
        self.start_averaging, self.average_period = start_averaging, average_period

    def _afterwards(self, variable, kept) -> None:
        steps = self._steps_before - self.start_averaging
        count = tf.cast(tf.maximum(steps, 0) // self.average_period, kept.dtype)
        now = (steps >= 0) & (steps % self.average_period == 0)
        mean = (kept * count + variable) / (count + 1)
        kept.assign(tf.where(now, mean, kept))

    def get_config(self) -> dict[str, Any]:
        config = {"start_averaging": self.start_averaging, "average_period": self.average_period}
        return {**super().get_config(), **config}
