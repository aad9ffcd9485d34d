"""What an optimizer gets from the backend: its step in one pass, and gradients of rows."""

from __future__ import annotations

import functools

from keras.src.backend.common.stateless_scope import in_stateless_scope
from keras.src.optimizers import base_optimizer

from gradtape.engine.indexed_slices import IndexedSlices
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.variable import assignments


class GradtapeOptimizer(base_optimizer.BaseOptimizer):
    """The first base of `keras.Optimizer`."""

    def apply(self, grads, trainable_variables=None):
        grads = list(grads)
        if any(isinstance(g, IndexedSlices) for g in grads) and not self._takes_rows():
            grads = [_dense(g) for g in grads]
        if grads and all(g is None for g in grads):
            return self._explained(grads, trainable_variables)
        return super().apply(grads, trainable_variables)

    def _explained(self, grads, trainable_variables):
        """Keras's error for gradients that are all None, with why they are."""
        try:
            return super().apply(grads, trainable_variables)
        except ValueError as error:
            from gradtape.explain.why_none import note_for_optimizer

            note = note_for_optimizer(trainable_variables or self._trainable_variables)
            if not note:
                raise
            raise ValueError(f"{error}\n{note}") from None

    def _takes_rows(self) -> bool:
        """Whether a gradient of rows can stay one: only where nothing else looks at it."""
        fused = _fused_step(type(self))
        return (
            fused is not None
            and fused.takes_rows(self)
            and not in_stateless_scope()
            and self.clipnorm is None
            and self.clipvalue is None
            and self.global_clipnorm is None
            and self.loss_scale_factor is None
            and not self.gradient_accumulation_steps
        )

    def _backend_update_step(self, grads, trainable_variables, learning_rate):
        fused = None
        if not in_stateless_scope() and assignments.get() is None:
            fused = _fused_step(type(self))
        if fused is None:
            for gradient, variable in zip(grads, trainable_variables, strict=True):
                self.update_step(_dense(gradient), variable, learning_rate)
            return
        step = fused(self, learning_rate)
        for gradient, variable in zip(grads, trainable_variables, strict=True):
            if not step.update(gradient, variable):
                self.update_step(_dense(gradient), variable, learning_rate)


def _dense(gradient):
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient


@functools.cache
def _fused_step(cls: type):
    """The fused form of an optimizer's `update_step`; None for one that has a step of its own."""
    from keras_gradtape.src.updates import FUSED

    if not issubclass(cls, GradtapeOptimizer) or any(
        getattr(cls, name) is not getattr(base_optimizer.BaseOptimizer, name)
        for name in ("assign", "assign_add", "assign_sub")
    ):
        return None
    return FUSED.get(cls.update_step)
