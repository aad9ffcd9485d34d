"""`tf.train.ExponentialMovingAverage`: slowly following copies of variables."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.brief import brief
from gradtape.core.state import lifted, not_recording
from gradtape.core.tensor import Tensor
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

    def _rate(self):
        """Return 1 - decay, in float32 whatever the variables, as TensorFlow does."""
        decay = ops.to_tensor(self._decay, dtypes.float32)
        if self._num_updates is not None:
            count = ops.cast(self._num_updates, "float32")
            decay = ops.minimum(decay, (count + 1.0) / (count + 10.0))
        return 1.0 - decay

    def apply(self, var_list=None) -> None:
        """Update the averages of variables by one step."""
        if var_list is None:
            raise ValueError("ExponentialMovingAverage.apply: name the variables in var_list")
        with not_recording():
            rate = self._rate()
            for variable in var_list:
                if isinstance(variable, Tensor):
                    raise TypeError(
                        "tf.train.ExponentialMovingAverage does not support non-Variable tensors: "
                        f"got {brief(variable)}."
                    )
                if not variable.dtype.is_floating:
                    raise TypeError(
                        f"The variables must be half, float, or double: {variable.name}"
                    )
                self._follow(variable, rate)

    def _follow(self, variable: Variable, rate) -> None:
        entry = self._averages.get(id(variable))
        if entry is None:
            with lifted():  # from before the function, where one is traced
                average = Variable(
                    ops.to_tensor(variable),
                    trainable=False,
                    name=f"{variable._name}/{self._name}",
                )
            self._averages[id(variable)] = entry = (variable, average)
        average = entry[1]
        difference = ops.to_tensor(average) - ops.to_tensor(variable)
        average.assign_sub(difference * ops.cast(rate, average.dtype))

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
