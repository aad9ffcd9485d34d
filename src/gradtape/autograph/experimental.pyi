# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape.api.autograph.names import Feature as Feature
from typing import Any
from typing import ParamSpec
from typing import TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

def do_not_convert(func: Callable[_P, _R] | None = None) -> Callable[_P, _R]:
    """Mark a function whose control flow is left to Python.

    Args:
        func: a function.

    Returns:
        The function.

    Raises:
        TypeError if `func` is not callable.
    """

def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Set options of the loop whose first statement this is.

    `maximum_iterations` ends a loop that became an op of the graph; a loop that Python runs goes
    on, as in TensorFlow. The others say how TensorFlow runs a loop, and have no meaning here.

    Args:
        parallel_iterations: has no effect; there for compatibility.
        swap_memory: has no effect; there for compatibility.
        maximum_iterations: how many rounds at most.
        shape_invariants: which sizes may change from one round to the next.

    Returns:
        Nothing.
    """
