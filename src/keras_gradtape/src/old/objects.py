"""Classes and functions of Keras 2 that have no counterpart of the same form in Keras 3."""

from __future__ import annotations

from typing import Any

from keras.src import ops
from keras.src.layers.layer import Layer
from keras.src.layers.normalization.batch_normalization import BatchNormalization


class AbstractRNNCell(Layer):
    """The base of a cell: it has `call(inputs, states)`, `state_size` and `output_size`."""

    def call(self, inputs, states):
        """Compute (output, new states) of one step."""
        raise NotImplementedError("A cell must implement `call(self, inputs, states)`.")

    @property
    def state_size(self) -> Any:
        """The size of the state, or a list of sizes."""
        raise NotImplementedError("A cell must have a `state_size`.")

    @property
    def output_size(self) -> Any:
        """The size of the output."""
        raise NotImplementedError("A cell must have an `output_size`.")

    def get_initial_state(self, batch_size=None) -> Any:
        """Return zeros for each state."""
        sizes = self.state_size
        many = isinstance(sizes, (list, tuple))
        states = [
            ops.zeros((batch_size, size), self.compute_dtype)
            for size in (sizes if many else [sizes])
        ]
        return states if many else states[0]


class SyncBatchNormalization(BatchNormalization):
    """Batch normalization with the statistics of all replicas."""

    def __init__(self, **options) -> None:
        super().__init__(**{**options, "synchronized": True})


def learning_phase() -> int:
    """Return 0: layers are not in training, unless a call says so."""
    return 0


def set_learning_phase(value) -> None:
    """Take 0, which is so from the start."""
    if value not in (0, False):
        raise NotImplementedError(
            f"tf.keras.backend.set_learning_phase({value!r}): pass training=True to the call of "
            "the layer or model instead."
        )


def multi_gpu_model(model, gpus=None, cpu_merge=True, cpu_relocation=False):
    """Raise: models are replicated by a strategy."""
    raise ValueError(
        "tf.keras.utils.multi_gpu_model ended with TensorFlow 2.3. Make the model inside of "
        "`with tf.distribute.MirroredStrategy().scope():`."
    )
