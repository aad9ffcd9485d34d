"""`tf.gradients` and `tf.hessians`, and finding out whether a `tf.function` uses them."""

from __future__ import annotations

import functools
import types

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.function.function import Function
from gradtape.api.function.mode import inside_function
from gradtape.core import nest
from gradtape.engine import function_tape
from gradtape.engine.references import names_in
from gradtape.engine.tape import UnconnectedGradients
from gradtape.graph.signature import closure_values

_NAMES = frozenset({"gradients", "hessians"})
_MAX_CALL_DEPTH = 4


def mentions_gradients(function) -> bool:
    """Return whether a function's code, or that of functions it refers to, names tf.gradients."""
    return _mentions(function, _MAX_CALL_DEPTH, set())


def _mentions(function, depth: int, seen: set[int]) -> bool:
    owner = getattr(function, "__self__", None)
    while isinstance(function, (Function, functools.partial, types.MethodType)):
        if isinstance(function, Function):
            function = function.python_function
        elif isinstance(function, functools.partial):
            function = function.func
        else:
            function = function.__func__
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType) or id(code) in seen:
        return False
    seen.add(id(code))
    names = names_in(code)
    if _NAMES & names:
        return True
    if depth == 0:
        return False
    referred = [function.__globals__.get(name) for name in names]
    referred += closure_values(function)
    if owner is not None:
        methods = vars(type(owner))
        referred += [methods.get(name) for name in names]
    return any(
        _mentions(each, depth - 1, seen)
        for each in referred
        if isinstance(each, (types.FunctionType, types.MethodType, Function, functools.partial))
    )


def _gradients(ys, xs, grad_ys, stop_gradients, unconnected, what: str) -> list:
    gradients = function_tape.gradients(ys, xs, grad_ys, stop_gradients, unconnected)
    if gradients is not None:
        return gradients
    if inside_function():
        raise RuntimeError(
            f"tf.{what}: this tf.function was not recorded for it, because neither its code nor "
            f"that of the functions it refers to names tf.{what}. Call tf.{what} by that name in "
            "the function itself, or use tf.GradientTape."
        )
    raise RuntimeError(
        f"tf.{what} is not supported when eager execution is enabled. Use tf.GradientTape instead."
    )


@export("gradients")
def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
) -> list:
    """Return the gradient of the sum of `ys` by each of `xs`, inside a `tf.function`."""
    unconnected = UnconnectedGradients(unconnected_gradients)
    return _gradients(ys, xs, grad_ys, stop_gradients, unconnected, "gradients")


@export("hessians")
def hessians(ys, xs, gate_gradients=False, aggregation_method=None, name="hessians") -> list:
    """Return the Hessian of the sum of `ys` by each of `xs`, inside a `tf.function`."""
    zero = UnconnectedGradients.ZERO
    results = []
    for x in nest.flatten(xs):
        (gradient,) = _gradients(ys, x, None, None, zero, "hessians")
        flat = ops.unstack(ops.reshape(gradient, (-1,)))
        rows = [_gradients(g, x, None, None, zero, "hessians")[0] for g in flat]
        shape = tuple(ops.to_tensor(x).shape)
        results.append(ops.reshape(ops.stack(rows), (*shape, *shape)))
    return results
