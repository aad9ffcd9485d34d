# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape.api.debugging.test_tools import Benchmark as Benchmark
from gradtape.api.debugging.test_tools import TestCase as TestCase
from gradtape.core.typing import TensorLike
from typing import Any

def compute_gradient(
    f: Callable[..., Any],
    x: TensorLike,
    delta: TensorLike | None = None,
) -> tuple:
    """Return (Jacobians by the tape, Jacobians by central differences), one for each argument.

    A complex number counts as two real ones: its real and its imaginary part.

    Args:
        f: a function.
        x: a tensor, or what converts to one.
        delta: the step from one number to the next.

    Raises:
        TypeError if `f` is not callable.
    """

def disable_with_predicate(pred: TensorLike, skip_message: Any) -> Any:
    """Skip a test while a predicate holds.

    Args:
        pred: a truth value.
        skip_message: what is said of a test that is left out.

    Returns:
        A decorator.
    """

def gpu_device_name() -> str:
    """Return the empty string: there is no GPU."""

def is_built_with_cuda() -> bool:
    """Return False."""

def is_built_with_gpu_support() -> bool:
    """Return False."""

def is_built_with_rocm() -> bool:
    """Return False."""

def is_built_with_xla() -> bool:
    """Return False."""

def is_cpu_target_available(target: Any) -> bool:
    """Return False for every special target: kernels are NumPy's.

    Args:
        target: the name of a processor.
    """

def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Return False: there is no GPU.

    Args:
        cuda_only: whether only CUDA counts.
        min_cuda_compute_capability: has no effect; there for compatibility.
    """

def main(argv: Any = None) -> None:
    """Run the tests of the program.

    Args:
        argv: the arguments of the command line.

    Returns:
        Nothing.
    """

def with_eager_op_as_function(cls: Any = None, only_as_function: bool = False) -> Any:
    """Return the class itself: graph and eager mode do not differ.

    Args:
        cls: a class.
        only_as_function: has no effect; there for compatibility.
    """
