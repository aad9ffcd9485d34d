"""Optimizers with a step size for each weight or layer: LAMB, NovoGrad, RectifiedAdam, Yogi."""

from __future__ import annotations

import re
from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


class _Adaptive(keras.optimizers.Optimizer):
    """An optimizer with a step count, and one or more averages for each variable."""

    averages: tuple[str, ...] = ("m", "v")
    settings: tuple[str, ...] = ()

    def build(self, var_list) -> None:
        if self.built:
            return
        super().build(var_list)
        self._averages = [
            {each: self._average(each, variable) for each in self.averages} for variable in var_list
        ]

    def _average(self, kind: str, variable):
        return self.add_variable_from_reference(variable, kind)

    def update_step(self, gradient, variable, learning_rate) -> None:
        dtype = variable.dtype
        g = tf.cast(tf.convert_to_tensor(gradient), dtype)
        step = tf.cast(self.iterations + 1, dtype)
        averages = self._averages[self._get_variable_index(variable)]
        change = self._change(g, variable, averages, step)
        if change is not None:
            self.assign_sub(variable, tf.cast(learning_rate, dtype) * change)

    def _change(self, g, variable, averages, step):
        """Update the averages, and return what the learning rate is multiplied by."""
        raise NotImplementedError

    def _moments(self, g, averages):
        """Update Adam's averages of gradients and of their squares, and return both."""
        m = self.beta_1 * averages["m"] + (1 - self.beta_1) * g
        v = self.beta_2 * averages["v"] + (1 - self.beta_2) * tf.square(g)
        self.assign(averages["m"], m)
        self.assign(averages["v"], v)
        return m, v

    def get_config(self) -> dict[str, Any]:
        config = {name: getattr(self, name) for name in self.settings}
        return {**super().get_config(), **config}


def _matches(patterns, variable) -> bool:
    return any(re.search(pattern, variable.path) for pattern in patterns or ())


@register
class LAMB(_Adaptive):
    """Adam with a step that is proportional to the norm of each layer's weights (You et al. 2020,
    algorithm 2)."""

    settings = (
        "beta_1",
        "beta_2",
        "epsilon",
        "weight_decay_rate",
        "exclude_from_weight_decay",
        "exclude_from_layer_adaptation",
    )

    def __init__(
        self,
        learning_rate=0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-6,
        weight_decay: float = 0.0,
        exclude_from_weight_decay: list[str] | None = None,
        exclude_from_layer_adaptation: list[str] | None = None,
        name: str = "LAMB",
        **options,
    ) -> None:
        decay = options.pop("weight_decay_rate", weight_decay)
        super().__init__(learning_rate=learning_rate, name=name, **options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.weight_decay_rate = decay
        self.exclude_from_weight_decay = exclude_from_weight_decay
        self.exclude_from_layer_adaptation = (
            exclude_from_layer_adaptation or exclude_from_weight_decay
        )

    def _change(self, g, variable, averages, step):
        m, v = self._moments(g, averages)
        m /= 1 - self.beta_1**step
        v /= 1 - self.beta_2**step
        r = m / (tf.sqrt(v) + self.epsilon)
        if not _matches(self.exclude_from_weight_decay, variable):
            r += self.weight_decay_rate * variable
        if _matches(self.exclude_from_layer_adaptation, variable):
            return r
        size, length = tf.norm(tf.convert_to_tensor(variable)), tf.norm(r)
        safe = tf.where(length > 0, length, tf.ones_like(length))
        return tf.where((size > 0) & (length > 0), size / safe, tf.ones_like(size)) * r


@register
class NovoGrad(_Adaptive):
    """Gradients normalized by a layer's average norm, with momentum (Ginsburg et al. 2019)."""

    settings = ("beta_1", "beta_2", "epsilon", "decay_rate", "grad_averaging")

    def __init__(
        self,
        learning_rate=0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        weight_decay: float = 0.0,
        grad_averaging: bool = False,
        amsgrad: bool = False,
        name: str = "NovoGrad",
        **options,
    ) -> None:
        if amsgrad:
            raise NotImplementedError("NovoGrad: amsgrad=True is left out. Use the default.")
        decay = options.pop("decay_rate", weight_decay)
        super().__init__(learning_rate=learning_rate, name=name, **options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.decay_rate, self.grad_averaging = decay, grad_averaging

    def _average(self, kind: str, variable):
        if kind == "m":
            return super()._average(kind, variable)
        return self.add_variable(shape=(), dtype=variable.dtype, initializer="zeros", name="v")

    def _change(self, g, variable, averages, step):
        square = tf.reduce_sum(tf.square(g))
        later = self.beta_2 * averages["v"] + (1 - self.beta_2) * square
        v = tf.where(step == 1, square, later)
        self.assign(averages["v"], v)
        g = g / (tf.sqrt(v) + self.epsilon) + self.decay_rate * variable
        if self.grad_averaging:
            g *= 1 - self.beta_1
        m = self.beta_1 * averages["m"] + g
        self.assign(averages["m"], m)
        return m


@register
class RectifiedAdam(_Adaptive):
    """Adam whose step is corrected for the variance of its early estimates (Liu et al. 2020,
    algorithm 2), with an optional linear warm-up and decay of the learning rate."""

    settings = (
        "beta_1",
        "beta_2",
        "epsilon",
        "decay_rate",
        "sma_threshold",
        "total_steps",
        "warmup_proportion",
        "min_lr",
    )

    def __init__(
        self,
        learning_rate=0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        sma_threshold: float = 5.0,
        total_steps: int = 0,
        warmup_proportion: float = 0.1,
        min_lr: float = 0.0,
        name: str = "RectifiedAdam",
        **options,
    ) -> None:
        if amsgrad:
            raise NotImplementedError("RectifiedAdam: amsgrad=True is left out. Use the default.")
        decay = options.pop("decay_rate", weight_decay)
        super().__init__(learning_rate=learning_rate, name=name, **options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.decay_rate, self.sma_threshold = decay, sma_threshold
        self.total_steps, self.warmup_proportion = total_steps, warmup_proportion
        self.min_lr = min_lr

    def update_step(self, gradient, variable, learning_rate) -> None:
        rate = tf.cast(learning_rate, variable.dtype)
        if self.total_steps:
            step = tf.cast(self.iterations + 1, variable.dtype)
            warmup = self.total_steps * self.warmup_proportion
            down = (self.min_lr - rate) / max(self.total_steps - warmup, 1)
            later = rate + down * tf.minimum(step - warmup, self.total_steps - warmup)
            rate = tf.where(step <= warmup, rate * (step / warmup), later)
        super().update_step(gradient, variable, rate)

    def _change(self, g, variable, averages, step):
        m, v = self._moments(g, averages)
        power = self.beta_2**step
        longest = 2 / (1 - self.beta_2) - 1
        length = longest - 2 * step * power / (1 - power)
        m /= 1 - self.beta_1**step
        root = tf.sqrt(v / (1 - power))
        factor = (length - 4) * (length - 2) * longest
        factor /= (longest - 4) * (longest - 2) * length
        corrected = tf.sqrt(tf.maximum(factor, 0)) * m / (root + self.epsilon)
        change = tf.where(length >= self.sma_threshold, corrected, m)
        return change + self.decay_rate * variable if self.decay_rate else change


@register
class Yogi(_Adaptive):
    """Adam whose second average grows additively (Zaheer et al. 2018, algorithm 2)."""

    settings = ("beta1", "beta2", "epsilon", "initial_accumulator_value")

    def __init__(
        self,
        learning_rate=0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-3,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        initial_accumulator_value: float = 1e-6,
        activation: str = "sign",
        name: str = "Yogi",
        **options,
    ) -> None:
        if l1_regularization_strength or l2_regularization_strength or activation != "sign":
            raise NotImplementedError(
                "Yogi: regularization and activations other than 'sign' are left out. Use the "
                "regularizers of layers."
            )
        super().__init__(learning_rate=learning_rate, name=name, **options)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.initial_accumulator_value = initial_accumulator_value

    def _average(self, kind: str, variable):
        made = super()._average(kind, variable)
        made.assign(tf.fill(variable.shape, tf.cast(self.initial_accumulator_value, made.dtype)))
        return made

    def _change(self, g, variable, averages, step):
        square = tf.square(g)
        m = self.beta1 * averages["m"] + (1 - self.beta1) * g
        v = averages["v"] - (1 - self.beta2) * tf.sign(averages["v"] - square) * square
        self.assign(averages["m"], m)
        self.assign(averages["v"], v)
        rate = tf.sqrt(1 - self.beta2**step) / (1 - self.beta1**step)
        return rate * m / (tf.sqrt(v) + self.epsilon)
