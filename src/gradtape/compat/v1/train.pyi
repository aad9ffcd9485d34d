# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.v1_optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from gradtape.api.compat.v1_optimizers import AdagradOptimizer as AdagradOptimizer
from gradtape.api.compat.v1_optimizers import AdamOptimizer as AdamOptimizer
from gradtape.api.compat.v1_optimizers import FtrlOptimizer as FtrlOptimizer
from gradtape.api.compat.v1_optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from gradtape.api.compat.v1_optimizers import MomentumOptimizer as MomentumOptimizer
from gradtape.api.compat.v1_optimizers import Optimizer as Optimizer
from gradtape.api.compat.v1_optimizers import RMSPropOptimizer as RMSPropOptimizer
from gradtape.core.typing import TensorLike
from gradtape.engine.variable import Variable
from typing import Any

def cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    alpha: TensorLike = 0.0,
    name: str | None = None,
) -> Any:
    """Return the rate on its way to alpha · rate, along half a period of the cosine.

    Args:
        learning_rate: the first learning rate.
        global_step: the step that training has come to.
        decay_steps: after how many steps.
        alpha: a factor: see above.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError, when the result is called, if a number is a text.
    """

def create_global_step(graph: Any = None) -> Any:
    """Make the global step of this process.

    Args:
        graph: has no effect; there for compatibility.

    Returns:
        A variable.

    Raises:
        ValueError if there is one already.
    """

def exponential_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate · decay_rate^(step / decay_steps).

    Args:
        learning_rate: the first learning rate.
        global_step: the step that training has come to.
        decay_steps: after how many steps.
        decay_rate: the factor.
        staircase: whether the rate changes at whole steps only.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError, when the result is called, if a number is a text.
    """

def get_global_step(graph: Any = None) -> Variable | None:
    """Return the global step of this process; None if there is none yet.

    Args:
        graph: has no effect; there for compatibility.
    """

def get_or_create_global_step(graph: Any = None) -> Variable:
    """Return the global step of this process, which is made by the first call.

    Args:
        graph: has no effect; there for compatibility.
    """

def global_step(sess: Any, global_step_tensor: Any) -> int:
    """Return the value of a step's variable.

    Args:
        sess: has no effect; there for compatibility.
        global_step_tensor: the global step.

    Raises:
        TypeError if `global_step_tensor` has a type that it does not take.
    """

def inverse_time_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate / (1 + decay_rate · step / decay_steps).

    Args:
        learning_rate: the first learning rate.
        global_step: the step that training has come to.
        decay_steps: after how many steps.
        decay_rate: the factor.
        staircase: whether the rate changes at whole steps only.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError, when the result is called, if a number is a text.
    """

def natural_exp_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate · exp(-decay_rate · step / decay_steps).

    Args:
        learning_rate: the first learning rate.
        global_step: the step that training has come to.
        decay_steps: after how many steps.
        decay_rate: the factor.
        staircase: whether the rate changes at whole steps only.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError, when the result is called, if a number is a text.
    """

def piecewise_constant(x: TensorLike, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """Return the value of the interval that x is in; a boundary belongs to the one before it.

    Args:
        x: a tensor, or what converts to one.
        boundaries: the steps at which the value changes.
        values: a list of tensors, or one tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError, when the result is called, if there is not one value more than boundaries.
    """

def polynomial_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    end_learning_rate: TensorLike = 0.0001,
    power: TensorLike = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """Return the rate on its way to `end_learning_rate`, along a power.

    Args:
        learning_rate: the first learning rate.
        global_step: the step that training has come to.
        decay_steps: after how many steps.
        end_learning_rate: the last learning rate.
        power: the exponent.
        cycle: whether to begin again at the end.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError, when the result is called, if a number is a text.
    """

piecewise_constant_decay = piecewise_constant
