# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

def compile(computation: Callable, inputs: list | None = None) -> Any:
    """Run a function of the inputs as a graph; return a list of its results (or a dict of them).

    The graph is computed as that of a `tf.function` is: by XLA if that is chosen.

    Args:
        computation: a function of the inputs.
        inputs: a tensor, or a list of tensors, or what converts to them.

    Returns:
        `Any`.

    Raises:
        TypeError if `computation` is not callable.
    """

def jit_scope(
    compile_ops: bool = True,
    separate_compiled_gradients: bool = False,
) -> AbstractContextManager[None]:
    """Do nothing: what is compiled is a whole function.

    Args:
        compile_ops: has no effect; there for compatibility.
        separate_compiled_gradients: has no effect; there for compatibility.

    Returns:
        A context manager.
    """
