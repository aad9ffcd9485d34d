"""The step of an optimizer on a device, outside of functions: one program for all variables.

An `update_step` of Keras is a dozen ops and many calls of Python, for each variable. The steps of
Keras's own optimizers are traced, so that a step is one program, which writes into the memory of
the variables; all of them change, or none. An optimizer that a program has written may do in Python
what a trace would do only once: its ops run as they are called.
"""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.core.native import fusion_is_on
from gradtape.core.recent import Recent
from gradtape.core.state import EMPTY, get_state
from gradtape.engine.variable import Variable, as_variable
from keras_gradtape.src.conversion import convert_to_tensor

_KEPT_PROGRAMS = 16  # of an optimizer
_STEPS_BEFORE = 2  # that are eager: a program would not pay for fewer steps
_PLAIN = (int, float, bool, str, type(None))
_OWN = "keras.src.optimizers."


class _Program:
    """The updates of some variables, once they were made often enough."""

    def __init__(self) -> None:
        self.steps = 0
        self.function: Any = None
        self.is_possible = True


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
        if program.steps <= _STEPS_BEFORE or not program.is_possible:
            return False
        if program.function is None:
            program.function = _traced(optimizer, list(variables))
        try:
            program.function(list(grads), convert_to_tensor(learning_rate))
        except Exception:
            # No variable has changed. The ops raise the same error where they are at fault, and
            # need less memory at once.
            program.is_possible = False
            return False
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
        for name, value in vars(optimizer).items()
    ]


def run_on_device(optimizer: Any, grads: list, variables: list, learning_rate: Any) -> bool:
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
    variable = getattr(value, "_gradtape_variable", value)
    if isinstance(variable, Variable):
        return getattr(variable._tensor_class, "_is_on_device", False)
    return getattr(type(value), "_is_on_device", False)


def _may_be_updated(gradient: Any, variable: Any) -> bool:
    """Return whether a gradient (none of rows) and its variable are whole on one device."""
    if not getattr(type(gradient), "_is_on_device", False):
        return False
    return type(as_variable(variable)) is gradient._variable_class() and not gradient._is_spread()
