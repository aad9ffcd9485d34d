"""`tfa.layers`: normalizations, wrappers and a few others."""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.keras import in_stateless_scope, keras, register

tf: Any = gradtape

AdaptiveAveragePooling1D = keras.layers.AdaptiveAveragePooling1D
AdaptiveAveragePooling2D = keras.layers.AdaptiveAveragePooling2D
AdaptiveAveragePooling3D = keras.layers.AdaptiveAveragePooling3D
AdaptiveMaxPooling1D = keras.layers.AdaptiveMaxPooling1D
AdaptiveMaxPooling2D = keras.layers.AdaptiveMaxPooling2D
AdaptiveMaxPooling3D = keras.layers.AdaptiveMaxPooling3D


@register
class GroupNormalization(keras.layers.GroupNormalization):
    """Normalizes groups of channels of each example (Wu and He 2018)."""


@register
class InstanceNormalization(keras.layers.GroupNormalization):
    """Normalizes each channel of each example (Ulyanov et al. 2016): groups of one channel."""

    def __init__(self, **options) -> None:
        options.pop("groups", None)  # there are as many as channels
        super().__init__(groups=-1, **options)


@register
class SpectralNormalization(keras.layers.SpectralNormalization):
    """Divides a layer's kernel by its largest singular value (Miyato et al. 2018)."""


@register
class Maxout(keras.layers.Layer):
    """Keeps the largest of each group of channels (Goodfellow et al. 2013): unit i has channels i,
    i + num_units, and so on."""

    def __init__(self, num_units: int, axis: int = -1, **options) -> None:
        super().__init__(**options)
        self.num_units, self.axis = num_units, axis

    def call(self, inputs):
        shape = list(inputs.shape)
        axis = self.axis % len(shape)
        channels = shape[axis]
        if channels is None or channels % self.num_units:
            raise ValueError(
                f"Maxout: the number of features ({channels}) is not a multiple of num_units "
                f"({self.num_units})."
            )
        sizes = [tf.shape(inputs)[i] if size is None else size for i, size in enumerate(shape)]
        sizes[axis : axis + 1] = [channels // self.num_units, self.num_units]
        return tf.reduce_max(tf.reshape(inputs, sizes), axis)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_units": self.num_units, "axis": self.axis}


@register
class StochasticDepth(keras.layers.Layer):
    """Adds a residual branch to a shortcut, [shortcut, residual], or leaves it out in training with
    a probability; it is scaled by its probability to survive otherwise (Huang et al. 2016)."""

    def __init__(self, survival_probability: float = 0.5, **options) -> None:
        super().__init__(**options)
        self.survival_probability = survival_probability

    def call(self, inputs, training=False):
        shortcut, residual = inputs
        if not training:
            return shortcut + residual * self.survival_probability
        kept = tf.random.uniform([]) < self.survival_probability
        return shortcut + residual * tf.cast(kept, residual.dtype)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "survival_probability": self.survival_probability}


@register
class WeightNormalization(keras.layers.Wrapper):
    """Trains the length and the direction of a layer's kernel apart: w = g v / ‖v‖ (Salimans and
    Kingma 2016), with a length and a direction for each output.

    With `data_init`, the first batch sets length and bias so that its outputs have mean 0 and
    variance 1, as section 3 of the paper says.
    """

    def __init__(self, layer, data_init: bool = True, **options) -> None:
        super().__init__(layer, **options)
        self.data_init = data_init

    def build(self, input_shape=None) -> None:
        super().build(input_shape)
        if not hasattr(self.layer, "kernel"):
            raise ValueError(
                "`WeightNormalization` must wrap a layer that contains a `kernel` for weights; "
                f"{type(self.layer).__name__} has none."
            )
        self.v = self.layer.kernel
        self._axes = list(range(len(self.v.shape) - 1))
        self.g = self.add_weight(shape=(self.v.shape[-1],), initializer="ones", name="g")
        self.g.assign(tf.sqrt(tf.reduce_sum(tf.square(self.v), axis=self._axes)))
        self._started = self.add_weight(
            shape=(), initializer="zeros", dtype="bool", trainable=False, name="started"
        )

    def call(self, inputs, **options):
        direction = tf.nn.l2_normalize(tf.convert_to_tensor(self.v), axis=self._axes)
        if self.data_init and not in_stateless_scope():
            tf.cond(self._started, lambda: False, lambda: self._start(direction, inputs, options))
        return self._with_kernel(direction * self.g, inputs, options)

    def _start(self, direction, inputs, options) -> bool:
        """Set length and bias by the first batch."""
        activation, self.layer.activation = self.layer.activation, keras.activations.linear
        try:
            out = self._with_kernel(direction, inputs, options)
        finally:
            self.layer.activation = activation
        mean, variance = tf.nn.moments(out, list(range(len(out.shape) - 1)))
        scale = tf.math.rsqrt(variance + 1e-10)
        self.g.assign(scale)
        if getattr(self.layer, "bias", None) is not None:
            self.layer.bias.assign((self.layer.bias - mean) * scale)
        self._started.assign(True)
        return True

    def _with_kernel(self, kernel, inputs, options):
        """Call the layer with a kernel that is computed."""
        layer, kept = self.layer, vars(self.layer)["_kernel"]
        object.__setattr__(layer, "_kernel", kernel)
        try:
            return layer(inputs, **options)
        finally:
            object.__setattr__(layer, "_kernel", kept)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_init": self.data_init}
