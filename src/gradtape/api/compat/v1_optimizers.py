"""`tf.compat.v1.train`'s optimizers, which TensorFlow 2 still runs eagerly, with their formulas."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.export import export, lookup
from gradtape.core import nest
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.tape import GradientTape
from gradtape.engine.variable import Variable


def _value(setting: Any) -> Any:
    """Return a setting, which may be a function, as TensorFlow's decays are."""
    return setting() if callable(setting) else setting


@export("compat.v1.train.Optimizer")
class Optimizer:
    """Applies gradients to variables. A subclass says how, in `_step`."""

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2
    # Rows that a sparse gradient does not have keep their value and what is stored for them.
    _rows_only = False

    def __init__(self, use_locking=False, name="Optimizer") -> None:
        self._name = name
        self._slots: dict[str, dict[int, Variable]] = {}

    def get_name(self) -> str:
        """Return the name."""
        return self._name

    def get_slot_names(self) -> list[str]:
        """Return the names of what is stored for each variable."""
        return sorted(self._slots)

    def get_slot(self, var, name) -> Variable | None:
        """Return what is stored for a variable under a name, or None."""
        return self._slots.get(name, {}).get(id(var))

    def variables(self) -> list:
        """Return what is stored for the variables, as variables."""
        return [slot for slots in self._slots.values() for slot in slots.values()]

    def _slot(self, variable, name: str, start: float = 0.0) -> Variable:
        slots = self._slots.setdefault(name, {})
        if id(variable) not in slots:
            title = f"{variable.name.partition(':')[0]}/{self._name}"
            value = ops.zeros_like(ops.to_tensor(variable)) + start
            slots[id(variable)] = Variable(value, trainable=False, name=title)
        return slots[id(variable)]

    def minimize(
        self,
        loss,
        global_step=None,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        name=None,
        grad_loss=None,
    ) -> None:
        """Take one step down a loss, which is a function of no arguments."""
        pairs = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        if all(gradient is None for gradient, _ in pairs):
            names = [variable.name for _, variable in pairs]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        self.apply_gradients(pairs, global_step)

    def compute_gradients(
        self,
        loss,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ) -> list[tuple[Any, Any]]:
        """Return pairs of gradient and variable of a loss: a function of no arguments."""
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled. Write lambda: loss, with the computation inside, or use "
                "tf.GradientTape and apply_gradients."
            )
        with GradientTape() as tape:
            if var_list is not None:
                tape.watch(nest.flatten(var_list))
            value: Any = loss()
            if var_list is None:
                var_list = tape.watched_variables()
        variables = nest.flatten(var_list)
        return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None) -> None:
        """Apply gradients to variables, and count the step."""
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        given = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not given:
            names = [variable.name for _, variable in pairs]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        self._prepare()
        for gradient, variable in given:
            self._apply(gradient, variable)
        self._finish()
        if global_step is not None:
            global_step.assign_add(1)

    def _apply(self, gradient, variable) -> None:
        if not (isinstance(gradient, IndexedSlices) and self._rows_only):
            dense = ops.to_tensor(gradient)
            self._step(dense, variable, lambda target, value: target.assign(value))
            return
        rows = ops.to_tensor(gradient.indices)
        hit = lookup("scatter_nd")(rows[:, None], ops.ones_like(rows), [variable.shape[0]]) > 0
        hit = ops.reshape(hit, [-1] + [1] * (len(variable.shape) - 1))
        self._step(
            ops.to_tensor(gradient),
            variable,
            lambda target, value: target.assign(ops.where(hit, value, ops.to_tensor(target))),
        )

    def _prepare(self) -> None:
        """Prepare one step, for all variables."""

    def _finish(self) -> None:
        """End one step, after all variables."""

    def _step(self, g, v, put) -> None:
        """Change a variable by a gradient, with `put(variable, value)`."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to apply gradients.")


class _WithRate(Optimizer):
    def __init__(self, learning_rate, use_locking, name) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate

    def _rate(self, v):
        return ops.cast(ops.to_tensor(_value(self._lr)), v.dtype)


@export("compat.v1.train.GradientDescentOptimizer")
class GradientDescentOptimizer(_WithRate):
    """v -= rate · g"""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent") -> None:
        super().__init__(learning_rate, use_locking, name)

    def _step(self, g, v, put) -> None:
        put(v, v - self._rate(v) * g)


@export("compat.v1.train.MomentumOptimizer")
class MomentumOptimizer(_WithRate):
    """a = momentum · a + g; v -= rate · a"""

    _rows_only = True

    def __init__(
        self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._momentum, self._nesterov = momentum, use_nesterov

    def _step(self, g, v, put) -> None:
        a, momentum = self._slot(v, "momentum"), ops.cast(_value(self._momentum), v.dtype)
        put(a, momentum * a + g)
        put(v, v - self._rate(v) * (g + momentum * a if self._nesterov else a))


@export("compat.v1.train.AdamOptimizer")
class AdamOptimizer(_WithRate):
    """Adam as its authors write it in their efficient form: epsilon is added to the root of v."""

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="Adam",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._settings = (beta1, beta2, epsilon)
        self._powers: tuple[Variable, Variable] | None = None

    def _prepare(self) -> None:
        if self._powers is None:
            beta1, beta2 = (float(_value(beta)) for beta in self._settings[:2])
            self._powers = Variable(beta1, trainable=False), Variable(beta2, trainable=False)

    def _finish(self) -> None:
        assert self._powers is not None
        for power, beta in zip(self._powers, self._settings, strict=False):
            power.assign(power * _value(beta))

    def _step(self, g, v, put) -> None:
        assert self._powers is not None
        beta1, beta2, epsilon = (ops.cast(_value(x), v.dtype) for x in self._settings)
        power1, power2 = (ops.cast(ops.to_tensor(power), v.dtype) for power in self._powers)
        m, s = self._slot(v, "m"), self._slot(v, "v")
        put(m, beta1 * m + (1 - beta1) * g)
        put(s, beta2 * s + (1 - beta2) * g * g)
        rate = self._rate(v) * ops.sqrt(1 - power2) / (1 - power1)
        put(v, v - rate * m / (ops.sqrt(ops.to_tensor(s)) + epsilon))


@export("compat.v1.train.RMSPropOptimizer")
class RMSPropOptimizer(_WithRate):
    """s = decay · s + (1 - decay) · g²; v -= rate · g / √(s + epsilon), with momentum"""

    _rows_only = True

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._settings, self._centered = (decay, momentum, epsilon), centered

    def _step(self, g, v, put) -> None:
        decay, momentum, epsilon = (ops.cast(_value(x), v.dtype) for x in self._settings)
        s, moved = self._slot(v, "rms", 1.0), self._slot(v, "momentum")
        put(s, decay * s + (1 - decay) * g * g)
        spread = ops.to_tensor(s)
        if self._centered:
            mean = self._slot(v, "mg")
            put(mean, decay * mean + (1 - decay) * g)
            spread = spread - ops.square(ops.to_tensor(mean))
        put(moved, momentum * moved + self._rate(v) * g / ops.sqrt(spread + epsilon))
        put(v, v - moved)


@export("compat.v1.train.AdagradOptimizer")
class AdagradOptimizer(_WithRate):
    """a += g²; v -= rate · g / √a"""

    def __init__(
        self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(learning_rate, use_locking, name)
        self._start = initial_accumulator_value

    def _step(self, g, v, put) -> None:
        a = self._slot(v, "accumulator", self._start)
        put(a, a + g * g)
        put(v, v - self._rate(v) * g / ops.sqrt(ops.to_tensor(a)))


@export("compat.v1.train.AdadeltaOptimizer")
class AdadeltaOptimizer(_WithRate):
    """Steps in proportion to the steps before, over the gradients before."""

    _rows_only = True

    def __init__(
        self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._settings = (rho, epsilon)

    def _step(self, g, v, put) -> None:
        rho, epsilon = (ops.cast(_value(x), v.dtype) for x in self._settings)
        a, moved = self._slot(v, "accum"), self._slot(v, "accum_update")
        put(a, rho * a + (1 - rho) * g * g)
        step = ops.sqrt(moved + epsilon) / ops.sqrt(a + epsilon) * g
        put(moved, rho * moved + (1 - rho) * step * step)
        put(v, v - self._rate(v) * step)


@export("compat.v1.train.FtrlOptimizer")
class FtrlOptimizer(_WithRate):
    """Follows the regularized leader: weights whose sum of gradients stays within l1 are 0."""

    _rows_only = True

    def __init__(
        self,
        learning_rate,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="Ftrl",
        accum_name=None,
        linear_name=None,
        l2_shrinkage_regularization_strength=0.0,
        beta=None,
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        settings = {
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
        }
        for setting, value in settings.items():
            if value < 0.0:
                raise ValueError(f"{setting} {value} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power} needs to be <= 0")
        self._start = initial_accumulator_value
        self._settings = (
            learning_rate_power,
            l1_regularization_strength,
            l2_regularization_strength,
            l2_shrinkage_regularization_strength,
            beta or 0.0,
        )

    def _step(self, g, v, put) -> None:
        power, l1, l2, shrinkage, beta = (ops.cast(x, v.dtype) for x in self._settings)
        rate, before = self._rate(v), ops.to_tensor(v)
        squares, linear = self._slot(v, "accum", self._start), self._slot(v, "linear")
        summed = squares + g * g
        root = summed**-power
        moved = (root - squares**-power) / rate * before
        put(linear, linear + g + 2 * shrinkage * before - moved)
        put(squares, summed)
        pull = ops.to_tensor(linear)
        bent = root / rate + 2 * l2 + beta / rate
        put(v, ops.where(ops.abs(pull) > l1, (ops.sign(pull) * l1 - pull) / bent, 0))
