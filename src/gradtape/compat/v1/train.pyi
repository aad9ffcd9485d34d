# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.v1_optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from gradtape.api.compat.v1_optimizers import AdagradOptimizer as AdagradOptimizer
from gradtape.api.compat.v1_optimizers import AdamOptimizer as AdamOptimizer
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
    """Return the rate on its way to alpha · rate, along half a period of the cosine."""

def create_global_step(graph: Any = None) -> Any:
    """Make the global step of this process."""

def exponential_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate · decay_rate^(step / decay_steps)."""

def get_global_step(graph: Any = None) -> Variable | None:
    """Return the global step of this process; None if there is none yet."""

def get_or_create_global_step(graph: Any = None) -> Variable:
    """Return the global step of this process, which is made by the first call."""

def global_step(sess: Any, global_step_tensor: Any) -> int:
    """Return the value of a step's variable."""

def inverse_time_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate / (1 + decay_rate · step / decay_steps)."""

def natural_exp_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """Return rate · exp(-decay_rate · step / decay_steps)."""

def piecewise_constant(x: TensorLike, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """Return the value of the interval that x is in; a boundary belongs to the one before it."""

def polynomial_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: Any,
    end_learning_rate: TensorLike = 0.0001,
    power: TensorLike = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """Return the rate on its way to `end_learning_rate`, along a power."""

piecewise_constant_decay = piecewise_constant
