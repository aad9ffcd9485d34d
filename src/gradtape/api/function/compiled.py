"""`tf.xla.experimental`: the older way to compile a function; `tf.function` is the newer one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from typing import Any

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.function.function import function
from gradtape.api.function.mode import executing_eagerly


@export("xla.experimental.compile")
def compile(computation: Callable, inputs: list | None = None) -> Any:
    """Run a function of the inputs as a graph; return a list of its results (or a dict of them).

    The graph is computed as that of a `tf.function` is: by XLA if that is chosen.
    """
    if inputs is not None and not isinstance(inputs, (list, tuple)):
        raise TypeError(f"tf.xla.experimental.compile: inputs must be a list, got {inputs!r}.")
    if not callable(computation):
        raise TypeError(
            f"tf.xla.experimental.compile: computation must be a function, got {computation!r}."
        )
    result = function(computation)(*map(ops.to_tensor, inputs or ()))
    if isinstance(result, dict):
        return result
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    if any(each is None for each in results) or not results:
        raise TypeError(
            "tf.xla.experimental.compile: the function must return one or more tensors; "
            f"{getattr(computation, '__name__', computation)!r} returned {result!r}."
        )
    return results


@export("xla.experimental.jit_scope")
@contextlib.contextmanager
def jit_scope(
    compile_ops: bool = True, separate_compiled_gradients: bool = False
) -> Generator[None]:
    """Do nothing: what is compiled is a whole function."""
    if executing_eagerly():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Try use "
            "it inside tf.function."
        )
    yield
