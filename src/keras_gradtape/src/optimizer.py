"""What an optimizer gets from the backend."""

from __future__ import annotations

from keras.src.optimizers import base_optimizer

from gradtape.engine.indexed_slices import IndexedSlices
from keras_gradtape.src.conversion import convert_to_tensor


class GradtapeOptimizer(base_optimizer.BaseOptimizer):
    """The first base of `keras.Optimizer`."""

    def apply(self, grads, trainable_variables=None):
        grads = [_dense(g) for g in grads]
        return super().apply(grads, trainable_variables)


def _dense(gradient):
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient
