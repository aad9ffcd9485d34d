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

from gradtape import ops
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


def _summed(rows: IndexedSlices) -> tuple[np.ndarray, np.ndarray | None]:
    """A gradient of rows as a dense array, and its squares where they are not the array's.

    Keras squares the rows that belong to one before they are summed.
    """
    indices, values = rows.indices, rows.values
    count = rows.shape[0]
    total = ops.unsorted_segment_sum(values, indices, count)._data
    if len(np.unique(indices._data)) == indices._data.size:
        return total, None
    return total, ops.unsorted_segment_sum(ops.square(values), indices, count)._data


class Step:
    """One step of an optimizer, for all its variables."""

    def __init__(self, optimizer, learning_rate) -> None:
        self.optimizer = optimizer
        self.rate = convert_to_numpy(learning_rate)

    def update(self, gradient, variable) -> bool:
        """Update a variable; False if it is of a kind that has to be left to the optimizer."""
        value = getattr(variable, "_gradtape_variable", variable)
        if type(value) is not engine.Variable:  # on a device, for instance
            return False
        dtype, shape = value._data.dtype, value._data.shape
        if dtype not in _FLOATS or not shape:
            return False
        if type(gradient) is Tensor:
            array, squares = gradient._data, None
        elif isinstance(gradient, IndexedSlices) and tuple(gradient.shape) == shape:
            if gradient.values._data.dtype == dtype and self.apply_rows(value, gradient):
                return True
            array, squares = _summed(gradient)
        else:
            return False
        if array.dtype != dtype or array.shape != shape:
            return False
        place = self.optimizer._get_variable_index(variable)
        self.apply(_own_array(value), array, squares, place, dtype.type)
        return True

    def apply_rows(self, value: engine.Variable, rows: IndexedSlices) -> bool:
        """Update only some rows, if that is all that the step changes."""
        return False

    def apply(self, value, gradient, squares, place: int, number) -> None:
        """Update an array. `squares` are those of the gradient, where it is not None."""
        raise NotImplementedError

    def state(self, variables: list, place: int) -> np.ndarray:
        return _own_array(variables[place]._gradtape_variable)


class SgdStep(Step):
    def apply_rows(self, value, rows):
        if self.optimizer.momentum != 0:
            return False
        array = _own_array(value)
        rate = array.dtype.type(self.rate)
        updates.sgd_rows(array, rows.values._data, rows.indices._data, rate)
        return True

    def apply(self, value, gradient, squares, place, number):
        optimizer, rate = self.optimizer, number(self.rate)
        if optimizer.momentum == 0:
            updates.sgd(value, gradient, rate)
        else:
            moving = self.state(optimizer.momentums, place)
            decay = number(optimizer.momentum)
            updates.momentum(value, moving, gradient, rate, decay, optimizer.nesterov)


class AdamStep(Step):
    def __init__(self, optimizer, learning_rate) -> None:
        super().__init__(optimizer, learning_rate)
        self.number_of_step = int(optimizer.iterations) + 1
        self.rates: dict = {}

    def corrected_rate(self, number):
        """The rate with the correction for the beginning, computed once for each dtype."""
        rate = self.rates.get(number)
        if rate is None:
            one, step = number(1), number(self.number_of_step)
            of_first = one - number(self.optimizer.beta_1) ** step
            of_second = one - number(self.optimizer.beta_2) ** step
            rate = self.rates[number] = number(self.rate) * (np.sqrt(of_second) / of_first)
        return rate

    def apply(self, value, gradient, squares, place, number):
        optimizer = self.optimizer
        highest = None
        if optimizer.amsgrad:
            highest = self.state(optimizer._velocity_hats, place)
        updates.adam(
            value,
            self.state(optimizer._momentums, place),
            self.state(optimizer._velocities, place),
            gradient,
            self.corrected_rate(number),
            optimizer.beta_1,
            optimizer.beta_2,
            number(optimizer.epsilon),
            highest,
            squares,
        )


class RmspropStep(Step):
    def update(self, gradient, variable):
        if self.optimizer.momentum > 0 or self.optimizer.centered:
            return False
        return super().update(gradient, variable)

    def apply(self, value, gradient, squares, place, number):
        optimizer = self.optimizer
        second = self.state(optimizer._velocities, place)
        updates.rmsprop(
            value, second, gradient, number(self.rate), optimizer.rho, number(optimizer.epsilon),
            squares,
        )  # fmt: skip


class AdagradStep(Step):
    def apply(self, value, gradient, squares, place, number):
        optimizer = self.optimizer
        total = self.state(optimizer._accumulators, place)
        rate, epsilon = number(self.rate), number(optimizer.epsilon)
        updates.adagrad(value, total, gradient, rate, epsilon, squares)


FUSED = {
    SGD.update_step: SgdStep,
    Adam.update_step: AdamStep,
    RMSprop.update_step: RmspropStep,
    Adagrad.update_step: AdagradStep,
}
