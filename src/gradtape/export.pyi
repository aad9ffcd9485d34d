# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from typing import Any

def onnx(
    function: Callable[..., Any],
    signature: Any = None,
    path: Any = None,
    *,
    opset: int | None = None,
) -> bytes | None:
    """Write a function as an ONNX model; return its bytes, or None where they are in a file.

    `function` is a `tf.function`, a concrete function, a Keras model or any callable; `signature`
    has a `tf.TensorSpec` (or an example, or a nest of them) for each argument, unless the function
    has an input signature. A size of None is open: the model takes every size. Variables become
    weights. Where an op has no form in ONNX, or a size cannot be open, `NotImplementedError` names
    the op and the line, and nothing is written.

    Args:
        function: a function.
        signature: specs of the arguments.
        path: a path, as text or as a path object.
        opset: ONNX's version of the ops.

    Returns:
        Bytes, or nothing where a file was written.

    Raises:
        TypeError if it is no function.
    """

def stablehlo(
    function: Callable[..., Any],
    signature: Any = None,
    path: Any = None,
    *,
    platforms: Any = ...,
) -> bytes | None:
    """Return a function as StableHLO, serialized by `jax.export`; or write it to a file.

    `jax.export.deserialize(data).call(*arrays)` runs it, and returns a tuple of results, with
    values of variables as they are now. The program is compiled for `platforms` ("cpu", "cuda",
    "rocm", "tpu"). All sizes have to be given: XLA compiles a program for one shape.

    Args:
        function: a function.
        signature: specs of the arguments.
        path: a path, as text or as a path object.
        platforms: what the program is for: "cpu", "cuda", "tpu".

    Raises:
        TypeError if `function` is no function; ImportError without JAX.
    """
