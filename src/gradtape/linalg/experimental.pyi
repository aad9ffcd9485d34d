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
    """
