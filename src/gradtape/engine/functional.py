"""Derivatives of functions, as functions: `grad`, `vjp`, `jvp`, `hvp`, `jacobian`, `hessian`…

df = gradtape.grad(lambda x: x**3)
df(2.0)                    # 12.0
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.inspection import warn_of_left_values
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.vmap import vectorized, vmap

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike


def _fresh(structure: TensorLike) -> Tensor | dict[str, Any]:
    """Return the arguments as new tensors, so that no other use of them is seen."""
    return nest.map_structure(lambda x: ops.identity(ops.to_tensor(x)), structure)


def _arguments(argnums: int | tuple[int, ...]) -> tuple[int, ...]:
    return (argnums,) if isinstance(argnums, int) else tuple(argnums)


def _taped(
    function: Callable[..., Any],
    argnums: tuple[int, ...],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, ...]:
    """Run `function` on a tape that watches the numbered arguments; return (tape, value, those)."""
    picked = [_fresh(args[i]) for i in argnums]
    full = list(args)
    for i, x in zip(argnums, picked, strict=True):
        full[i] = x
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(picked)
        value = function(*full, **kwargs)
    warn_of_left_values(tape, value, picked)
    return tape, value, picked


def _check_dtypes(argnums: tuple[int, ...], picked: list[Any]) -> None:
    """Raise if a derivative by an integer is asked for: it would be 0."""
    for i, x in zip(argnums, picked, strict=True):
        if isinstance(x, Tensor) and not (x.dtype.is_floating or x.dtype.is_complex):
            raise TypeError(
                f"Derivatives are by floating-point or complex arguments; argument {i} is "
                f"{x.dtype.name}. Write 3.0 for 3, or use tf.cast."
            )


def _scalar(value: Tensor | None, what: str) -> Tensor:
    if value is None:
        raise TypeError(f"{what}: the function returned None; it must return a scalar.")
    value = ops.to_tensor(value)
    if value.shape.num_elements() != 1:
        raise ValueError(
            f"{what}: the function must give a scalar, it gave a tensor of shape {value.shape}. "
            "For all derivatives of a tensor use jacobian."
        )
    return value


def value_and_grad(
    function: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the value of `function` and its gradient.

    The gradient is with respect to the arguments at `argnums`. With `has_aux`, `function` returns a
    pair (value, anything), and so does the new function in place of the value.
    """
    numbers = _arguments(argnums)

    @functools.wraps(function)
    @filters_tracebacks
    def wrapped(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
        tape, result, picked = _taped(function, numbers, args, kwargs)
        _check_dtypes(numbers, picked)
        value, aux = result if has_aux else (result, None)
        value = _scalar(value, "grad, value_and_grad")
        results = tape.gradient(value, picked, unconnected_gradients=UnconnectedGradients.ZERO)
        gradients = results[0] if isinstance(argnums, int) else tuple(results)
        return ((value, aux) if has_aux else value), gradients

    return wrapped


def grad(
    function: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the gradient of a scalar function."""
    both = value_and_grad(function, argnums, has_aux)

    @functools.wraps(function)
    @filters_tracebacks
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradients = both(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return wrapped


def vjp(function: Callable[..., Any], *args: Tensor) -> tuple[Any, ...]:
    """Return (value, pull): `pull(cotangent)` computes a cotangent for each argument.

    It can be called any number of times.
    """
    numbers = tuple(range(len(args)))
    tape, value, picked = _taped(function, numbers, args, {})

    @filters_tracebacks
    def pull(cotangent: Tensor) -> tuple[Tensor, ...]:
        return tuple(
            tape.gradient(
                value,
                picked,
                output_gradients=cotangent,
                unconnected_gradients=UnconnectedGradients.ZERO,
            )
        )

    return value, pull


def jvp(
    function: Callable[..., Any], primals: Any, tangents: Sequence[Tensor]
) -> tuple[Tensor, ...]:
    """Return (value, tangent) of `function` at `primals`, in the direction of `tangents`."""
    primals = [_fresh(p) for p in primals]
    with ForwardAccumulator(primals, list(tangents)) as accumulator:
        value = function(*primals)
    return value, accumulator.jvp(value, UnconnectedGradients.ZERO)


def hvp(
    function: Callable[..., Any], primals: Any, vectors: tuple[Tensor, ...]
) -> tuple[Tensor, ...]:
    """Compute Hessian-vector products of a scalar function, forward over reverse."""
    numbers = tuple(range(len(primals)))
    gradient = grad(function, numbers)
    primals = [_fresh(p) for p in primals]
    with ForwardAccumulator(primals, list(vectors)) as accumulator:
        gradients = gradient(*primals)
    return accumulator.jvp(gradients, UnconnectedGradients.ZERO)


def jacobian(
    function: Callable[..., Any], argnums: Any = 0, mode: str = "auto"
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a tensor-valued function.

    The result has the value's shape followed by the argument's. `mode` is "reverse" (a backward
    pass per element of the value), "forward" (a forward pass per element of the argument), both
    vectorized, or "auto": the cheaper one.
    """
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f"jacobian: mode is 'auto', 'forward' or 'reverse', not {mode!r}")

    @functools.wraps(function)
    @filters_tracebacks
    def wrapped(*args: Tensor, **kwargs: Any) -> Any:
        results = [_jacobian(function, i, mode, args, kwargs) for i in _arguments(argnums)]
        return results[0] if isinstance(argnums, int) else tuple(results)

    return wrapped


def _jacobian(
    function: Callable[..., Any],
    argnum: int,
    mode: str,
    args: tuple[Tensor, ...],
    kwargs: dict[str, Any],
) -> Tensor:
    if isinstance(args[argnum], dict):
        raise TypeError(
            f"jacobian, hessian: argument {argnum} is a dictionary. Differentiate by one tensor; "
            "tf.grad takes nested structures."
        )
    x = ops.to_tensor(args[argnum])
    _check_dtypes((argnum,), [x])
    if mode != "forward":
        tape, value, (picked,) = _taped(function, (argnum,), args, kwargs)
        value = ops.to_tensor(value)
        narrow = x.shape.num_elements() < value.shape.num_elements()
        if mode == "reverse" or not narrow:
            return tape.jacobian(value, picked, unconnected_gradients=UnconnectedGradients.ZERO)

    def moved(direction: Tensor) -> Tensor:
        full = list(args)
        full[argnum] = ops.identity(x)
        with ForwardAccumulator(full[argnum], direction) as accumulator:
            result = ops.to_tensor(function(*full, **kwargs))
        return accumulator.jvp(result, UnconnectedGradients.ZERO)

    size = x.shape.num_elements() or 0
    basis = np.eye(size, dtype=x.dtype.as_numpy_dtype).reshape(size, *x.shape)
    columns = vectorized(moved)(Tensor(basis))
    columns = ops.moveaxis(columns, 0, -1)
    return ops.reshape(columns, (*columns.shape[:-1], *x.shape))


def hessian(function: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """Return a function that computes the Hessian of a scalar function.

    It is the Jacobian of the gradient.
    """
    return jacobian(grad(function, argnum), argnum, mode="reverse")


def per_example_gradients(function: Callable[..., Any], variables: Any, *batches: Tensor) -> Any:
    """Compute the gradient of `function(example, …)` for each example of a batch.

    The gradients are with respect to `variables`; each has the batch as its first axis, before the
    axes of the variable.
    """
    variables_flat = nest.flatten(variables)

    def one(*example: Tensor) -> list[Tensor]:
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(variables_flat)
            loss = _scalar_example(function(*example))
        gradients = tape.gradient(
            loss, variables_flat, unconnected_gradients=UnconnectedGradients.ZERO
        )
        return [ops.to_tensor(g) for g in gradients]

    return nest.pack_sequence_as(variables, list(vmap(one)(*batches)))


def _scalar_example(value: Tensor) -> Tensor:
    return _scalar(value, "per_example_gradients")


__all__ = [
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "per_example_gradients",
    "value_and_grad",
    "vjp",
    "vmap",
]
