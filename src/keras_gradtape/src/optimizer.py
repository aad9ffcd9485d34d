"""What an optimizer gets from the backend: its step in one pass, and gradients of rows."""

from __future__ import annotations

import functools

from keras.src.backend.common.stateless_scope import in_stateless_scope
from keras.src.optimizers import base_optimizer

from gradtape import ops
from gradtape.core.state import get_state
from gradtape.distribute.contexts import get_replica_context, updating
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.trace.replicas import current_replica
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.sparse import cast, with_values
from keras_gradtape.src.variable import assignments


class GradtapeOptimizer(base_optimizer.BaseOptimizer):
    """The first base of `keras.Optimizer`."""

    def apply(self, grads, trainable_variables=None):
        grads = list(grads)
        if grads and all(g is None for g in grads):
            return self._explained(grads, trainable_variables)
        if self.loss_scale_factor is not None:
            # Keras divides them by a number, which rows do not take.
            grads = [_dense(g) for g in grads]
        return super().apply(grads, trainable_variables)

    def assign(self, variable, value):
        if isinstance(value, IndexedSlices):
            _scatter(ops.tensor_scatter_nd_update, variable, value)
        else:
            super().assign(variable, value)

    def assign_add(self, variable, value):
        if isinstance(value, IndexedSlices):
            _scatter(ops.tensor_scatter_nd_add, variable, value)
        else:
            super().assign_add(variable, value)

    def assign_sub(self, variable, value):
        if isinstance(value, IndexedSlices):
            _scatter(ops.tensor_scatter_nd_sub, variable, value)
        else:
            super().assign_sub(variable, value)

    def _clip_by_norm(self, values, axes=None):
        if isinstance(values, IndexedSlices):
            return with_values(values, super()._clip_by_norm(values.values, axes))
        return super()._clip_by_norm(values, axes)

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

    def _backend_update_step(self, grads, trainable_variables, learning_rate):
        replica = get_replica_context() if current_replica() is not None else None
        if replica is not None:
            # The gradients of all replicas, in one exchange; then all make the same step.
            grads = replica.all_reduce("SUM", list(grads))
            with updating():
                for gradient, variable in zip(grads, trainable_variables, strict=True):
                    self.update_step(gradient, variable, learning_rate)
            return
        fused = None
        # A fused step writes into arrays, which a function being traced does not have.
        eager = assignments.get() is None and get_state().trace is None
        if eager and not in_stateless_scope():
            fused = None if _ASSIGN & vars(self).keys() else _fused_step(type(self))
        step = None if fused is None else fused(self, learning_rate)
        for gradient, variable in zip(grads, trainable_variables, strict=True):
            if step is None or not step.update(gradient, variable):
                self.update_step(gradient, variable, learning_rate)


_ASSIGN = frozenset(("assign", "assign_add", "assign_sub"))


def _dense(gradient):
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient


def _scatter(update, variable, rows) -> None:
    """Update some rows of a variable."""
    rows = cast(rows, variable.dtype)
    indices = ops.expand_dims(rows.indices, 1)
    variable.assign(update(convert_to_tensor(variable), indices, rows.values))


@functools.cache
def _fused_step(cls: type):
    """The fused form of an optimizer's `update_step`; None for one that has a step of its own."""
    from keras_gradtape.src.updates import FUSED

    if not issubclass(cls, GradtapeOptimizer) or any(
        getattr(cls, name) is not getattr(GradtapeOptimizer, name) for name in _ASSIGN
    ):
        return None
    return FUSED.get(cls.update_step)
