"""What an optimizer gets from the backend: its step in one pass, and gradients of rows.

An `update_step` of Keras is a dozen ops and many calls of Python, for each variable. On a device,
outside of functions, the steps of Keras's own optimizers are traced: a step is one program, which
writes into the memory of the variables; all of them change, or none. An optimizer that a program
has written may do in Python what a trace would do only once: its ops run as they are called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from keras.src.backend.common.stateless_scope import in_stateless_scope
from keras.src.optimizers import base_optimizer

import gradtape
from gradtape import ops
from gradtape.core.native import fusion_is_on
from gradtape.core.recent import Recent
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.distribute.strategy.contexts import get_replica_context, updating
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.transaction import exclusively, write_one
from gradtape.engine.variable import Variable, as_variable
from gradtape.graph.replicas import current_replica
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.sparse import cast, with_values
from keras_gradtape.src.variable import assignments

_KEPT_PROGRAMS = 16  # of an optimizer
_STEPS_BEFORE = 2  # that are eager: a program would not pay for fewer steps
_PLAIN = (int, float, bool, str, type(None))
_OWN = "keras.src.optimizers."


@filters_tracebacks
class GradtapeOptimizer(base_optimizer.BaseOptimizer):
    """The first base of `keras.Optimizer`."""

    def apply(self, grads, trainable_variables=None):
        grads = list(grads)
        if grads and all(g is None for g in grads):
            return self._apply_explaining_none(grads, trainable_variables)
        grads = _with_shapes(grads, trainable_variables or self._trainable_variables)
        if self.loss_scale_factor is not None:
            # Keras divides them by a number, which rows do not take.
            grads = [_dense(g) for g in grads]
        return super().apply(grads, trainable_variables)

    def assign(self, variable, value):
        if not _assigned_rows("Update", variable, value):
            super().assign(variable, value)

    def assign_add(self, variable, value):
        if not _assigned_rows("Add", variable, value):
            super().assign_add(variable, value)

    def assign_sub(self, variable, value):
        if not _assigned_rows("Sub", variable, value):
            super().assign_sub(variable, value)

    def _clip_by_norm(self, values, axes=None):
        if isinstance(values, IndexedSlices):
            return with_values(values, super()._clip_by_norm(values.values, axes))
        return super()._clip_by_norm(values, axes)

    def _apply_explaining_none(self, grads, trainable_variables):
        """Apply the gradients; if all are None, add to Keras's error why they are."""
        try:
            return super().apply(grads, trainable_variables)
        except ValueError as error:
            from gradtape.explain.why_none import note_for_optimizer

            note = note_for_optimizer(trainable_variables or self._trainable_variables)
            if not note:
                raise
            raise ValueError(f"{error}\n{note}") from None

    def _backend_update_step(self, grads, trainable_variables, learning_rate):
        replica: Any = get_replica_context() if current_replica() is not None else None
        if replica is not None:
            # The gradients of all replicas, in one exchange; then all make the same step.
            grads = replica.all_reduce("SUM", list(grads))
            with updating():
                for gradient, variable in zip(grads, trainable_variables, strict=True):
                    self.update_step(gradient, variable, learning_rate)
            return
        cls: Any = type(self)
        fused = None
        # A fused update writes into arrays, which a function being traced does not have.
        eager = assignments.get() is None and get_state().trace is None and not in_stateless_scope()
        if eager:
            plain = not _ASSIGN & vars(self).keys() and _assigns_as_here(cls)
            if plain and _run_on_device(self, grads, trainable_variables, learning_rate):
                return
            fused = None if _ASSIGN & vars(self).keys() else _fused_update(cls)
        update = None if fused is None else fused(self, learning_rate)
        sparse_update = None if _ASSIGN & vars(self).keys() else _sparse_update(cls)
        for gradient, variable in zip(grads, trainable_variables, strict=True):
            if (
                update is not None
                and type(gradient) is Tensor
                and update.update(gradient, variable)
            ):
                continue
            step = (gradient, variable, learning_rate, update, sparse_update)
            if eager:
                _whole_update(variable, self._update, *step)
            else:
                self._update(*step)

    def _update(self, gradient, variable, learning_rate, update, sparse_update) -> None:
        """Update a variable in the cheapest way that there is for its gradient."""
        if isinstance(gradient, IndexedSlices):
            if sparse_update is not None and sparse_update(self, gradient, variable, learning_rate):
                return
            if update is not None and update.update(gradient, variable):
                return
        self.update_step(gradient, variable, learning_rate)


class _Changes:
    """What variables held before an update assigned to them.

    Keras's `update_step` assigns to a variable and its state one after the other. Where an
    exception ends it in between, what it has assigned is undone. Fused updates (updates.py) need no
    undoing: they change all in one call.
    """

    __slots__ = ("_arrays", "_before")

    def __init__(self) -> None:
        self._before: list = []
        self._arrays: set[int] = set()  # of variables of which the whole array is kept

    def record(self, variable: Any, value: Any) -> None:
        """Keep what assigning `value` changes: for rows, only these."""
        if id(variable) in self._arrays:
            return
        if isinstance(value, IndexedSlices):
            # To hold the array would make the update copy all of it.
            rows = ops.gather(variable._now(), value.indices)
            self._before.append((variable, IndexedSlices(rows, value.indices)))
        else:
            self._before.append((variable, variable._data))
            self._arrays.add(id(variable))

    def undo(self) -> None:
        for variable, value in reversed(self._before):
            if isinstance(value, IndexedSlices):
                variable._scatter("Update", value)
            else:
                write_one(variable, value)


_changes: ContextVar[_Changes | None] = ContextVar("keras_gradtape_changes", default=None)


def _assigned_rows(kind: str, variable: Any, value: Any) -> bool:
    """Assign a value that is rows of a variable; return False, with nothing done, for another.

    Where the update may be undone, note that either is going to be assigned.
    """
    changes = _changes.get()
    if changes is not None:
        changes.record(as_variable(variable), value)
    if not isinstance(value, IndexedSlices):
        return False
    _scatter(kind, variable, value)
    return True


def _whole_update(variable: Any, update: Callable[..., None], *arguments: Any) -> None:
    """Call an eager update of a variable and its state, and undo what it did where it fails."""
    exclusively((as_variable(variable),), _undone_if_it_fails, update, arguments)


def _undone_if_it_fails(update: Callable[..., None], arguments: tuple) -> None:
    changes, before = _Changes(), _changes.get()
    try:
        _changes.set(changes)  # in the `try`: an interrupt may follow at once
        update(*arguments)
    except BaseException:
        changes.undo()
        raise
    finally:
        _changes.set(before)


_ASSIGN = frozenset(("assign", "assign_add", "assign_sub"))


def _dense(gradient):
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient


def _with_shapes(grads: list, variables) -> list:
    """Return the gradients, with dense shapes in sparse ones that came without."""
    return (
        [
            IndexedSlices(g.values, g.indices, tuple(variable.shape))
            if isinstance(g, IndexedSlices) and g._dense_shape is None
            else g
            for g, variable in zip(grads, variables, strict=False)  # Keras says if numbers differ
        ]
        + grads[len(variables) :]
    )


def _scatter(kind: str, variable, rows) -> None:
    """Update some rows of a variable."""
    rows = cast(rows, variable.dtype)
    if in_stateless_scope() or assignments.get() is not None:
        shape = tuple(variable.shape)
        update = ops.rows_update(kind, f"ResourceScatter{kind}", shape, rows.indices, rows.values)
        variable.assign(update.of(convert_to_tensor(variable)))
    else:
        as_variable(variable)._scatter(kind, rows)


def _assigns_as_here(cls: type) -> bool:
    return issubclass(cls, GradtapeOptimizer) and all(
        getattr(cls, name) is getattr(GradtapeOptimizer, name) for name in _ASSIGN
    )


@functools.cache
def _fused_update(cls: Any) -> Any:
    """Return the fused form of an optimizer's `update_step`; None for one that has a step of its
    own."""
    from keras_gradtape.src.updates import FUSED_UPDATES

    return FUSED_UPDATES.get(cls.update_step) if _assigns_as_here(cls) else None


@functools.cache
def _sparse_update(cls: Any) -> Any:
    """Return the form of an optimizer's `update_step` for a gradient of rows, if it has one."""
    from keras_gradtape.src.updates import SPARSE_UPDATES

    return SPARSE_UPDATES.get(cls.update_step) if _assigns_as_here(cls) else None


# --- on a device ---------------------------------------------------------------------------------


class _Program:
    """The updates of some variables, once they were made often enough."""

    def __init__(self) -> None:
        self.steps = 0
        self.function: Any = None


class DeviceUpdates:
    """The programs of an optimizer: each for some variables and for its settings."""

    def __init__(self) -> None:
        self._programs = Recent(_KEPT_PROGRAMS)

    def __reduce__(self) -> tuple:
        """Copies of the optimizer trace their own variables."""
        return DeviceUpdates, ()

    def run(self, optimizer: Any, grads: list, variables: list, learning_rate: Any) -> bool:
        """Update variables; return False, with nothing done, where ops have to do it."""
        key = (*map(id, variables), *_settings(optimizer))
        program = self._programs.find(key)
        if program is None:
            program = _Program()
            self._programs.keep(key, program)
        program.steps += 1
        if program.steps <= _STEPS_BEFORE:
            return False
        if program.function is None:
            program.function = _traced(optimizer, list(variables))
        program.function(list(grads), convert_to_tensor(learning_rate))
        return True


def _traced(optimizer: Any, variables: list) -> Any:
    def update_step(grads, learning_rate):
        for gradient, variable in zip(grads, variables, strict=True):
            optimizer.update_step(gradient, variable, learning_rate)

    return gradtape.function(update_step, autograph=False)


def _settings(optimizer: Any) -> list:
    """Return what a trace takes as it is: numbers and flags, and which objects there are."""
    return [
        (name, value) if type(value) in _PLAIN else (name, id(value))
        for name, value in list(vars(optimizer).items())  # of this moment: another thread may train
    ]


def _run_on_device(optimizer: Any, grads: list, variables: list, learning_rate: Any) -> bool:
    """Update variables by one program if that is right; return False, with nothing done, if not."""
    cls = type(optimizer)
    if not (
        grads
        and cls.__module__.startswith(_OWN)
        and get_state() is EMPTY  # no tape is to see the ops
        and _is_on_device(learning_rate)
        and all(map(_may_be_updated, grads, variables))
        and fusion_is_on()
        and not gradtape.config.functions_run_eagerly()
    ):
        return False
    updates = vars(optimizer).setdefault("_device_updates", DeviceUpdates())
    return updates.run(optimizer, grads, variables, learning_rate)


def _is_on_device(value: Any) -> bool:
    """Return whether a value, or a variable, is on one device."""
    value = as_variable(value)
    if isinstance(value, Variable):
        return value._tensor_class._is_on_device
    return isinstance(value, Tensor) and value._is_on_device


def _may_be_updated(gradient: Any, variable: Any) -> bool:
    """Return whether a gradient (none of rows) and its variable are whole on one device."""
    if not isinstance(gradient, Tensor) or not gradient._is_on_device:
        return False
    is_spread = gradient._is_spread()  # pyright: ignore[reportAttributeAccessIssue] (of tensors on devices)
    return type(as_variable(variable)) is gradient._variable_class() and not is_spread
