"""Fused updates: the steps of Keras's most used optimizers in one pass over the arrays.

They compute what the optimizers' own `update_step` does, in the same order, without a dozen ops and
as many temporary arrays for each variable.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from keras.src.optimizers.adagrad import Adagrad
from keras.src.optimizers.adam import Adam
from keras.src.optimizers.rmsprop import RMSprop
from keras.src.optimizers.sgd import SGD

from gradtape import ops
from gradtape.backends.numpy import updates
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine import variable as engine
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.transaction import exclusively, update
from keras_gradtape.src import conversion
from keras_gradtape.src.conversion import convert_to_numpy
from keras_gradtape.src.sparse import cast, with_values

_FLOATS = frozenset(map(np.dtype, ("float32", "float64")))


def _to_dense(rows: IndexedSlices) -> tuple[np.ndarray, np.ndarray | None]:
    """Return a sparse gradient as a dense array, and its squares where indices repeat.

    Keras squares the rows of an index before it sums them.
    """
    indices, values = rows.indices, rows.values
    count = rows.shape[0]
    total = ops.unsorted_segment_sum(values, indices, count)._data
    if len(np.unique(indices._data)) == indices._data.size:
        return total, None
    return total, ops.unsorted_segment_sum(ops.square(values), indices, count)._data


class FusedUpdate:
    """Updates the variables of one optimizer step in fused kernels."""

    def __init__(self, optimizer, learning_rate) -> None:
        self.optimizer = optimizer
        self._rate = learning_rate

    @functools.cached_property
    def rate(self) -> Any:
        """The learning rate; to read one that is on a device takes long."""
        return convert_to_numpy(self._rate)

    def update(self, gradient, variable) -> bool:
        """Update a variable; return False if the optimizer's own ops have to do it."""
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
            array, squares = _to_dense(gradient)
        else:
            return False
        if array.dtype != dtype or array.shape != shape:
            return False
        index = self.optimizer._get_variable_index(variable)
        self.apply(value, array, squares, index, dtype.type)
        return True

    def apply_rows(self, value: engine.Variable, rows: IndexedSlices) -> bool:
        """Update only the rows of a sparse gradient; return False if the rest changes, too."""
        return False

    def apply(self, value, gradient, squares, index: int, number) -> None:
        """Update a variable. `squares`: those of the gradient, unless it is to be squared."""
        raise NotImplementedError

    def state(self, variables: list, index: int) -> engine.Variable:
        return variables[index]._gradtape_variable


class SgdUpdate(FusedUpdate):
    def apply_rows(self, value, rows):
        if self.optimizer.momentum != 0:
            return False
        rate = Tensor(value._data.dtype.type(self.rate))
        value.scatter_sub(IndexedSlices(ops.multiply(rows.values, rate), rows.indices))
        return True

    def apply(self, value, gradient, squares, index, number):
        optimizer, rate = self.optimizer, number(self.rate)
        if optimizer.momentum == 0:
            update(updates.sgd, value, gradient, rate)
        else:
            moving = self.state(optimizer.momentums, index)
            decay = number(optimizer.momentum)
            update(updates.momentum, value, moving, gradient, rate, decay, optimizer.nesterov)


class AdamUpdate(FusedUpdate):
    def __init__(self, optimizer, learning_rate) -> None:
        super().__init__(optimizer, learning_rate)
        self.rates: dict = {}

    def corrected_rate(self, number):
        """Return the bias-corrected learning rate, computed once for each dtype."""
        rate = self.rates.get(number)
        if rate is None:
            one, step = number(1), number(int(self.optimizer.iterations) + 1)
            first_correction = one - number(self.optimizer.beta_1) ** step
            second_correction = one - number(self.optimizer.beta_2) ** step
            rate = self.rates[number] = number(self.rate) * (
                np.sqrt(second_correction) / first_correction
            )
        return rate

    def apply(self, value, gradient, squares, index, number):
        optimizer = self.optimizer
        highest = None
        if optimizer.amsgrad:
            highest = self.state(optimizer._velocity_hats, index)
        update(
            updates.adam,
            value,
            self.state(optimizer._momentums, index),
            self.state(optimizer._velocities, index),
            gradient,
            self.corrected_rate(number),
            optimizer.beta_1,
            optimizer.beta_2,
            number(optimizer.epsilon),
            highest,
            squares,
        )


class RmspropUpdate(FusedUpdate):
    def update(self, gradient, variable):
        if self.optimizer.momentum > 0 or self.optimizer.centered:
            return False
        return super().update(gradient, variable)

    def apply(self, value, gradient, squares, index, number):
        optimizer = self.optimizer
        second = self.state(optimizer._velocities, index)
        update(
            updates.rmsprop,
            value,
            second,
            gradient,
            number(self.rate),
            optimizer.rho,
            number(optimizer.epsilon),
            squares,
        )


class AdagradUpdate(FusedUpdate):
    def apply(self, value, gradient, squares, index, number):
        optimizer = self.optimizer
        total = self.state(optimizer._accumulators, index)
        rate, epsilon = number(self.rate), number(optimizer.epsilon)
        update(updates.adagrad, value, total, gradient, rate, epsilon, squares)


def adagrad_rows(optimizer, rows: IndexedSlices, variable, learning_rate) -> bool:
    """Run Adagrad's update for a sparse gradient on its rows alone: eagerly, or in a function.

    Keras's own takes the square root of the whole table. Return False where that matters: without
    epsilon, rows that have never had a gradient become 0/0.
    """
    if not optimizer.epsilon > 0:
        return False
    total = optimizer._accumulators[optimizer._get_variable_index(variable)]
    changed = (engine.as_variable(total), engine.as_variable(variable))
    run = (_adagrad_rows, optimizer, rows, variable, total, learning_rate)
    if get_state().trace is None:
        exclusively(changed, *run)
    else:
        run[0](*run[1:])
    return True


def _adagrad_rows(optimizer, gradient, variable, total, learning_rate) -> None:
    rows: Any = cast(gradient, variable.dtype)
    rate = conversion.cast(learning_rate, variable.dtype)
    optimizer.assign_add(total, with_values(rows, ops.square(rows.values)))
    root = ops.sqrt(ops.gather(total, rows.indices) + optimizer.epsilon)
    optimizer.assign_sub(variable, with_values(rows, rate * rows.values / root))


# `update_step` -> an update of only the rows of a sparse gradient.
SPARSE_UPDATES = {Adagrad.update_step: adagrad_rows}

# `update_step` -> its fused update.
FUSED_UPDATES = {
    SGD.update_step: SgdUpdate,
    Adam.update_step: AdamUpdate,
    RMSprop.update_step: RmspropUpdate,
    Adagrad.update_step: AdagradUpdate,
}
