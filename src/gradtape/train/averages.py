"""`tf.train.ExponentialMovingAverage`: averages that follow variables."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.state import not_recording
from gradtape.engine.variable import Variable, as_variable


class ExponentialMovingAverage:
    """Averages of variables that forget: average = decay · average + (1 − decay) · variable."""

    def __init__(
        self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[int, tuple[Variable, Variable]] = {}
        self._weights: dict[int, float] = {}

    @property
    def name(self) -> str:
        return self._name

    def _trackable_children(self) -> dict:
        return {
            f"average_{index}": average
            for index, (_, average) in enumerate(self._averages.values())
        }

    def apply(self, var_list=None) -> None:
        """Move the averages of these variables on; the first time, start them."""
        if var_list is None:
            raise ValueError(
                "ExponentialMovingAverage.apply: give the variables, as in ema.apply([v, w])."
            )
        with not_recording():
            decay = float(ops.to_tensor(self._decay))
            if self._num_updates is not None:
                updates = float(ops.to_tensor(self._num_updates))
                decay = min(decay, (1.0 + updates) / (10.0 + updates))
            for each in var_list:
                self._move(as_variable(each), decay)

    def _move(self, variable: Variable, decay: float) -> None:
        if not isinstance(variable, Variable):
            raise TypeError(f"Only variables have moving averages, not {variable!r}.")
        if not variable.dtype.is_floating:
            raise TypeError(f"The variables must be half, float, or double: {variable.name}")
        value = ops.to_tensor(variable)
        if id(variable) not in self._averages:
            start = ops.zeros_like(value) if self._zero_debias else value
            name = f"{variable._name}/{self._name}"
            average = Variable(start, trainable=False, name=name)
            self._averages[id(variable)] = (variable, average)
            self._weights[id(variable)] = 0.0
        average = self._averages[id(variable)][1]
        if not self._zero_debias:
            average.assign_sub((ops.to_tensor(average) - value) * (1.0 - decay))
            return
        # The average kept is the unbiased one: what was not yet averaged is divided out.
        before = self._weights[id(variable)]
        weight = before * decay + (1.0 - decay)
        self._weights[id(variable)] = weight
        biased = ops.to_tensor(average) * (before * decay) + value * (1.0 - decay)
        average.assign(biased / weight)

    def average(self, var) -> Variable | None:
        """The average of a variable; None if it has none."""
        found = self._averages.get(id(as_variable(var)))
        return None if found is None else found[1]

    def average_name(self, var) -> str:
        """The name that the average of a variable has."""
        found = self.average(var)
        if found is not None:
            return found._name
        return f"{as_variable(var)._name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables=None) -> dict:
        """Variables by the names of their averages."""
        known = [variable for variable, _ in self._averages.values()]
        chosen = known if moving_avg_variables is None else moving_avg_variables
        return {self.average_name(variable): variable for variable in chosen}
