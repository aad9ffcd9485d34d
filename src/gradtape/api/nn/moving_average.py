"""`tf.train.ExponentialMovingAverage`: slowly following copies of variables."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_value
from gradtape.core.state import not_recording
from gradtape.engine.variable import Variable


@export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Keeps, for each variable, average ← decay · average + (1 - decay) · variable.

    With `num_updates` the decay is at most (1 + num_updates) / (10 + num_updates). An average
    starts from the value of its variable, so there is nothing for `zero_debias` to correct.
    """

    def __init__(
        self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"
    ) -> None:
        self._decay, self._num_updates = decay, num_updates
        self._name = name
        self._averages: dict[int, tuple] = {}  # id -> (variable, its average)

    @property
    def name(self) -> str:
        return self._name

    def _current_decay(self) -> float:
        decay = float(static_value(self._decay))
        if self._num_updates is None:
            return decay
        count = float(static_value(self._num_updates))
        return min(decay, (1 + count) / (10 + count))

    def apply(self, var_list=None) -> None:
        """Update the averages of variables by one step."""
        if var_list is None:
            raise ValueError("ExponentialMovingAverage.apply: name the variables in var_list")
        decay = self._current_decay()
        with not_recording():
            for variable in var_list:
                if not variable.dtype.is_floating:
                    raise TypeError(
                        f"The variables must be half, float, or double: {variable.name}"
                    )
                self._follow(variable, decay)

    def _follow(self, variable: Variable, decay: float) -> None:
        value = ops.to_tensor(variable)
        entry = self._averages.get(id(variable))
        if entry is None:
            average = Variable(value, trainable=False, name=f"{variable._name}/{self._name}")
            self._averages[id(variable)] = entry = (variable, average)
        average = entry[1]
        # In float32 whatever the variable, as TensorFlow does.
        rate = float(np.float32(1) - np.float32(decay))
        average.assign_sub((ops.to_tensor(average) - value) * rate)

    def average(self, var):
        """Return the average of a variable; None if `apply` was never called for it."""
        entry = self._averages.get(id(var))
        return None if entry is None else entry[1]

    def average_name(self, var) -> str:
        """Return the name of the average of a variable."""
        return f"{var._name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables=None) -> dict:
        """Return variables by the names of their averages, for restoring the averages into them."""
        return {self.average_name(variable): variable for variable, _ in self._averages.values()}
