"""Weight decay that is not part of the gradient (Loshchilov and Hutter 2019).

As in addons, and unlike in Keras, the decay is not multiplied by the learning rate: w ← w - λ w
before each step. A schedule for the decay is a function of the step, or a function of nothing.
"""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


class DecoupledWeightDecayExtension:
    """What an optimizer of Keras is extended with: the first of two bases."""

    iterations: Any  # of the other base

    def __init__(
        self, weight_decay, *args, exclude_from_weight_decay: list[str] | None = None, **options
    ) -> None:
        super().__init__(*args, **options)
        self.decoupled_decay = weight_decay
        self.excluded = list(exclude_from_weight_decay or ())
        # Keras decays a variable only if this is set.
        vars(self)["weight_decay"] = 0.0

    def _apply_weight_decay(self, variables) -> None:
        decay = self.decoupled_decay
        if isinstance(decay, keras.optimizers.schedules.LearningRateSchedule):
            decay = decay(self.iterations)
        elif callable(decay):
            decay = decay()
        for variable in variables:
            if not any(part in variable.path for part in self.excluded):
                variable.assign(variable - variable * tf.cast(decay, variable.dtype))

    def get_config(self) -> dict[str, Any]:
        decay = self.decoupled_decay
        if isinstance(decay, keras.optimizers.schedules.LearningRateSchedule):
            decay = keras.optimizers.schedules.serialize(decay)
        config = {"weight_decay": decay, "exclude_from_weight_decay": self.excluded}
        return {**super().get_config(), **config}  # pyright: ignore[reportAttributeAccessIssue] (of the other base)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Make the optimizer of a configuration again."""
        config = dict(config)
        for name in ("weight_decay", "learning_rate"):
            if isinstance(config.get(name), dict):
                config[name] = keras.optimizers.schedules.deserialize(config[name])
        return cls(**config)


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """Return a class of optimizers with weight decay: (weight_decay, …)."""

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """An optimizer with weight decay as its first argument."""

    return OptimizerWithDecoupledWeightDecay


@register
class AdamW(DecoupledWeightDecayExtension, keras.optimizers.Adam):
    """Adam with weight decay."""

    def __init__(
        self,
        weight_decay,
        learning_rate=0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-07,
        amsgrad: bool = False,
        name: str = "AdamW",
        **options,
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta_1=beta_1,
            beta_2=beta_2,
            epsilon=epsilon,
            amsgrad=amsgrad,
            name=name,
            **options,
        )


@register
class SGDW(DecoupledWeightDecayExtension, keras.optimizers.SGD):
    """Gradient descent with momentum and weight decay."""

    def __init__(
        self,
        weight_decay,
        learning_rate=0.001,
        momentum: float = 0.0,
        nesterov: bool = False,
        name: str = "SGDW",
        **options,
    ) -> None:
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            nesterov=nesterov,
            name=name,
            **options,
        )


@register
class LazyAdam(keras.optimizers.Adam):
    """Adam. (Addons updated the averages of the rows of a sparse gradient alone.)"""
