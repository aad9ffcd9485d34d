# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def conjugate_gradient(
    operator: Any,
    rhs: TensorLike,
    preconditioner: Any = None,
    x: TensorLike | None = None,
    tol: TensorLike = 1e-05,
    max_iter: IntLike = 20,
    name: str = 'conjugate_gradient',
) -> Any:
    """Return x with A x = rhs, for a self-adjoint positive definite operator; with the last
    state.

    Args:
        operator: a linear operator.
        rhs: the right-hand side, or sides.
        preconditioner: a linear operator close to the inverse.
        x: a tensor, or what converts to one.
        tol: how close to 0 counts as 0.
        max_iter: how many steps at most.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `rhs` or `x` has a dtype that it does not take, or the dtypes of `rhs` and `x`
            differ.
        ValueError if the shape of `x` does not fit, or the shapes of `rhs` and `x` do not fit
            together.
        tf.errors.InvalidArgumentError if the shape of `rhs` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
