"""`tfa.activations`: functions of each element, and sparsemax."""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


@register
def gelu(x, approximate: bool = True):
    """Compute x Φ(x) (Hendrycks and Gimpel 2016); by default with tanh, as addons did."""
    return tf.nn.gelu(tf.convert_to_tensor(x), approximate)


@register
def hardshrink(x, lower: float = -0.5, upper: float = 0.5):
    """Set to zero what lies between two bounds."""
    _check_bounds("hardshrink", lower, upper)
    x = tf.convert_to_tensor(x)
    return tf.where((x < lower) | (x > upper), x, tf.zeros_like(x))


@register
def softshrink(x, lower: float = -0.5, upper: float = 0.5):
    """Set to zero what lies between two bounds, and move the rest toward zero by the nearer one."""
    _check_bounds("softshrink", lower, upper)
    x = tf.convert_to_tensor(x)
    return tf.where(x < lower, x - lower, tf.where(x > upper, x - upper, tf.zeros_like(x)))


def _check_bounds(name: str, lower: float, upper: float) -> None:
    if lower > upper:
        raise ValueError(
            f"{name}: the value of lower is {lower} and should not be higher than the value of "
            f"upper, which is {upper}."
        )


@register
def tanhshrink(x):
    """Compute x - tanh(x)."""
    x = tf.convert_to_tensor(x)
    return x - tf.tanh(x)


@register
def lisht(x):
    """Compute x tanh(x) (Roy et al. 2019)."""
    x = tf.convert_to_tensor(x)
    return x * tf.tanh(x)


@register
def mish(x):
    """Compute x tanh(softplus(x)) (Misra 2019)."""
    x = tf.convert_to_tensor(x)
    return x * tf.tanh(tf.math.softplus(x))


@register
def snake(x, frequency: float = 1):
    """Compute x + (1 - cos(2ax)) / 2a for the frequency a (Liu et al. 2020)."""
    x = tf.convert_to_tensor(x)
    a = tf.cast(frequency, x.dtype)
    return x + (1 - tf.cos(2 * a * x)) / (2 * a)


@register
def rrelu(x, lower: float = 0.125, upper: float = 1 / 3, training: bool = False, seed=None):
    """Compute ReLU with a slope for x < 0 that is drawn uniformly in training, and the mean of the
    bounds otherwise (Xu et al. 2015)."""
    x = tf.convert_to_tensor(x)
    if training:
        slope = tf.random.uniform(tf.shape(x), lower, upper, x.dtype, seed)
    else:
        slope = tf.cast((lower + upper) / 2, x.dtype)
    return tf.where(x >= 0, x, slope * x)


@register
def sparsemax(logits, axis: int = -1):
    """Project onto the simplex of probabilities (Martins and Astudillo 2016, algorithm 1)."""
    return keras.activations.sparsemax(tf.convert_to_tensor(logits), axis)
