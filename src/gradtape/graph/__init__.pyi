# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from typing import Any

def print(function: Callable[..., Any], *args: Any, optimized: bool = True, **kwargs: Any) -> None:
    """Print the graph of a `tf.function` (see `graph.text`).

    Args:
        function: a function.
        *args: positional arguments.
        optimized: whether to show the graph after its optimizations.
        **kwargs: keyword arguments.

    Returns:
        Nothing.

    Raises:
        TypeError if it is no tf.function.
    """

def text(function: Callable[..., Any], *args: Any, optimized: bool = True, **kwargs: Any) -> str:
    """Return the graph of a `tf.function` as text: one line for each op.

    With arguments (tensors or specs), the graph for these; without, all graphs traced so far.
    `optimized=False` shows the ops as the program called them.

    Args:
        function: a function.
        *args: positional arguments.
        optimized: whether to show the graph after its optimizations.
        **kwargs: keyword arguments.

    Raises:
        TypeError if it is no tf.function.
    """
