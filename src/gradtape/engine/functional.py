"""Derivatives of functions, as functions: `grad`, `vjp`, `jvp`, `hvp`, `jacobian`, `hessian`…

df = gradtape.grad(lambda x: x**3)
df(2.0)                    # 12.0
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.vmap import vmap


def _fresh(structure):
    """Arguments as tensors of their own, so that no other use of them is seen."""
    return nest.map_structure(lambda x: ops.identity(ops.to_tensor(x)), structure)


def _arguments(argnums) -> tuple[int, ...]:
    return (argnums,) if isinstance(argnums, int) else tuple(argnums)


def _taped(function, argnums, args, kwargs):
    """Run `function` on a tape that watches the arguments named; (tape, value, those)."""
    picked = [_fresh(args[i]) for i in argnums]
    full = list(args)
    for i, x in zip(argnums, picked, strict=True):
        full[i] = x
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(picked)
        value = function(*full, **kwargs)
    return tape, value, picked


def _scalar(value, what: str) -> Tensor:
    value = ops.to_tensor(value)
    if value.shape.num_elements() != 1:
        raise ValueError(
            f"{what}: the function must give a scalar, it gave a tensor of shape {value.shape}. "
            "For all derivatives of a tensor use jacobian."
        )
    return value


def value_and_grad(function, argnums: Any = 0, has_aux: bool = False):
    """A function that gives the value of `function` and its gradient by the arguments named.

    With `has_aux`, `function` gives a pair (value, anything) and so does the first part.
    """
    numbers = _arguments(argnums)

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        tape, result, picked = _taped(function, numbers, args, kwargs)
        value, aux = result if has_aux else (result, None)
        value = _scalar(value, "value_and_grad")
        found = tape.gradient(value, picked, unconnected_gradients=UnconnectedGradients.ZERO)
        gradients = found[0] if isinstance(argnums, int) else tuple(found)
        return ((value, aux) if has_aux else value), gradients

    return wrapped


def grad(function, argnums: Any = 0, has_aux: bool = False):
    """The gradient of a scalar function, as a function."""
    both = value_and_grad(function, argnums, has_aux)

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        value, gradients = both(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return wrapped


def vjp(function, *args):
    """(value, pull): `pull(cotangent)` gives a cotangent for each argument, any number of times."""
    numbers = tuple(range(len(args)))
    tape, value, picked = _taped(function, numbers, args, {})

    def pull(cotangent):
        return tuple(
            tape.gradient(
                value,
                picked,
                output_gradients=cotangent,
                unconnected_gradients=UnconnectedGradients.ZERO,
            )
        )

    return value, pull


def jvp(function, primals, tangents):
    """(value, tangent of the value) of `function` at `primals`, moving along `tangents`."""
    primals = [_fresh(p) for p in primals]
    with ForwardAccumulator(primals, list(tangents)) as accumulator:
        value = function(*primals)
    return value, accumulator.jvp(value, UnconnectedGradients.ZERO)


def hvp(function, primals, vectors):
    """The Hessian of a scalar function times vectors, without the Hessian: forward over reverse."""
    numbers = tuple(range(len(primals)))
    gradient = grad(function, numbers)
    primals = [_fresh(p) for p in primals]
    with ForwardAccumulator(primals, list(vectors)) as accumulator:
        gradients = gradient(*primals)
    return accumulator.jvp(gradients, UnconnectedGradients.ZERO)


def jacobian(function, argnums: Any = 0, mode: str = "auto"):
    """All derivatives of a tensor-valued function, as a function.

    The result has the value's shape followed by the argument's. `mode` is "reverse" (a backward
    pass per element of the value), "forward" (a forward pass per element of the argument), both
    vectorised, or "auto": the cheaper one.
    """
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f"jacobian: mode is 'auto', 'forward' or 'reverse', not {mode!r}")

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        found = [_jacobian(function, i, mode, args, kwargs) for i in _arguments(argnums)]
        return found[0] if isinstance(argnums, int) else tuple(found)

    return wrapped


def _jacobian(function, argnum: int, mode: str, args, kwargs):
    x = ops.to_tensor(args[argnum])
    if mode != "forward":
        tape, value, (picked,) = _taped(function, (argnum,), args, kwargs)
        value = ops.to_tensor(value)
        narrow = x.shape.num_elements() < value.shape.num_elements()
        if mode == "reverse" or not narrow:
            return tape.jacobian(value, picked, unconnected_gradients=UnconnectedGradients.ZERO)

    def moved(direction):
        full = list(args)
        full[argnum] = ops.identity(x)
        with ForwardAccumulator(full[argnum], direction) as accumulator:
            result = ops.to_tensor(function(*full, **kwargs))
        return accumulator.jvp(result, UnconnectedGradients.ZERO)

    size = x.shape.num_elements() or 0
    basis = np.eye(size, dtype=x.dtype.as_numpy_dtype).reshape(size, *x.shape)
    columns = vmap(moved)(Tensor(basis))
    columns = ops.moveaxis(columns, 0, -1)
    return ops.reshape(columns, (*columns.shape[:-1], *x.shape))


def hessian(function, argnum: int = 0):
    """The second derivatives of a scalar function, as a function: the Jacobian of its gradient."""
    return jacobian(grad(function, argnum), argnum, mode="reverse")


def per_example_gradients(function, variables, *batches):
    """The gradient of `function(example, …)` by each variable, for every example of a batch.

    Each result has the batch in front of the variable's shape.
    """
    variables_flat = nest.flatten(variables)

    def one(*example):
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(variables_flat)
            loss = _scalar_example(function(*example))
        found = tape.gradient(loss, variables_flat, unconnected_gradients=UnconnectedGradients.ZERO)
        return [ops.to_tensor(g) for g in found]

    return nest.pack_sequence_as(variables, list(vmap(one)(*batches)))


def _scalar_example(value) -> Tensor:
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
