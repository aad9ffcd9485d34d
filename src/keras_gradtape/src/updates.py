"""The steps of Keras's most used optimizers in one pass over the arrays.

They compute what the optimizers' own `update_step` does, in the same order, without a dozen ops and
as many temporary arrays for each variable.
"""

from __future__ import annotations

import numpy as np
from keras.src.optimizers.adagrad import Adagrad
from keras.src.optimizers.adam import Adam
from keras.src.optimizers.rmsprop import RMSprop
from keras.src.optimizers.sgd import SGD

from gradtape.backends.numpy import is_held_once, updates
from gradtape.core.tensor import Tensor
from gradtape.engine import variable as engine
from gradtape.engine.indexed_slices import IndexedSlices
from keras_gradtape.src.conversion import convert_to_numpy

_FLOATS = frozenset(map(np.dtype, ("float32", "float64")))


def _own_array(variable: engine.Variable) -> np.ndarray:
    """The array of a variable, to write into: a copy, if somebody else holds it."""
    variable._forget_snapshot()
    if not is_held_once(variable):
        variable._data = np.array(variable._data)
    return variable._data  # type: ignore[return-value]


class Step:
    """One step of an optimizer, for all its variables."""

    def __init__(self, optimizer, learning_rate) -> None:
        self.optimizer = optimizer
        self.rate = convert_to_numpy(learning_rate)

    @staticmethod
    def takes_rows(optimizer) -> bool:
        return False

    def update(self, gradient, variable) -> bool:
        """Update a variable; False if it is of a kind that has to be left to the optimizer."""
        value = getattr(variable, "_gradtape_variable", variable)
        if not isinstance(value, engine.Variable):
            return False
        dtype = value._data.dtype
        if dtype not in _FLOATS or not value._data.shape:
            return False
        if type(gradient) is Tensor:
            array = gradient._data
            if array.dtype != dtype or array.shape != value._data.shape:
                return False
        elif not isinstance(gradient, IndexedSlices) or not self.takes_rows(self.optimizer):
            return False
        place = self.optimizer._get_variable_index(variable)
        self.apply(_own_array(value), gradient, place, dtype.type)
        return True

    def apply(self, value, gradient, place: int, number) -> None:
        raise NotImplementedError

    def state(self, variables: list, place: int) -> np.ndarray:
        return _own_array(variables[place]._gradtape_variable)


class SgdStep(Step):
    @staticmethod
    def takes_rows(optimizer) -> bool:
        return optimizer.momentum == 0

    def apply(self, value, gradient, place, number):
        optimizer, rate = self.optimizer, number(self.rate)
        if isinstance(gradient, IndexedSlices):
            updates.sgd_rows(value, gradient.values._data, gradient.indices._data, rate)
        elif optimizer.momentum == 0:
            updates.sgd(value, gradient._data, rate)
        else:
            moving = self.state(optimizer.momentums, place)
            decay = number(optimizer.momentum)
            updates.momentum(value, moving, gradient._data, rate, decay, optimizer.nesterov)


class AdamStep(Step):
    def apply(self, value, gradient, place, number):
        optimizer = self.optimizer
        step = number(int(optimizer.iterations) + 1)
        beta_1, beta_2 = optimizer.beta_1, optimizer.beta_2
        one = number(1)
        correction = np.sqrt(one - number(beta_2) ** step) / (one - number(beta_1) ** step)
        highest = None
        if optimizer.amsgrad:
            highest = self.state(optimizer._velocity_hats, place)
        updates.adam(
            value,
            self.state(optimizer._momentums, place),
            self.state(optimizer._velocities, place),
            gradient._data,
            number(self.rate) * correction,
            beta_1,
            beta_2,
            number(optimizer.epsilon),
            highest,
        )


class RmspropStep(Step):
    def update(self, gradient, variable):
        if self.optimizer.momentum > 0 or self.optimizer.centered:
            return False
        return super().update(gradient, variable)

    def apply(self, value, gradient, place, number):
        optimizer = self.optimizer
        second = self.state(optimizer._velocities, place)
        updates.rmsprop(
            value, second, gradient._data, number(self.rate), optimizer.rho,
            number(optimizer.epsilon),
        )  # fmt: skip


class AdagradStep(Step):
    def apply(self, value, gradient, place, number):
        optimizer = self.optimizer
        total = self.state(optimizer._accumulators, place)
        updates.adagrad(value, total, gradient._data, number(self.rate), number(optimizer.epsilon))


FUSED = {
    SGD.update_step: SgdStep,
    Adam.update_step: AdamStep,
    RMSprop.update_step: RmspropStep,
    Adagrad.update_step: AdagradStep,
}
