"""Functions that the engine cannot trace: NumPy code, and its numerical derivatives."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NoReturn

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import as_dtype
from gradtape.core.state import (
    get_state,
    not_recording,
    only_outside_of_functions,
    outside,
    setting,
)
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.core.user_memory import copy_or_scalar, writable_copy
from gradtape.engine.custom_gradient import record_custom
from gradtape.engine.references import refers_to_variables


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: Any = True,
    name: str | None = None,
) -> Any:
    """Call a NumPy function on tensors. No gradient flows through it. It is given None as an array.

    Without `func` it is a decorator: `@tf.numpy_function(Tout=tf.float32)`.
    """
    if func is None:
        return functools.partial(_decorated, numpy_function, Tout)
    _check_given("tf.numpy_function", inp, Tout)
    given = list(inp)

    def call(*tensors: Tensor) -> list[Tensor]:
        arrays = (writable_copy(x._data) for x in tensors)
        with not_recording(), outside():
            return _typed(func(*[np.array(x) if x is None else next(arrays) for x in given]), Tout)

    present = [x for x in given if x is not None]
    return _call("tf.numpy_function", func, call, present, Tout, is_recorded=False)


def _decorated(op: Any, Tout: Any, func: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that calls `func` by way of numpy_function or py_function."""

    def python_function_call(*args: Any) -> Any:
        return op(func, args, Tout)

    return python_function_call


def _check_given(what: str, inp: Any, Tout: Any) -> None:
    for name, value, meaning in (
        ("inp", inp, "the list of the function's arguments"),
        ("Tout", Tout, "the dtype of its result, or the list of their dtypes ([] for none)"),
    ):
        if value is None:
            raise TypeError(f"{what}: Missing argument `{name}`, {meaning}.")


def py_function(
    func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Call a Python function on tensors; what it computes with ops is differentiable.

    Without `func` it is a decorator: `@tf.py_function(Tout=tf.float32)`.
    """
    if func is None:
        return functools.partial(_decorated, py_function, Tout)
    _check_given("tf.py_function", inp, Tout)

    def call(*tensors: Tensor) -> list[Tensor]:
        with outside():
            return _typed(func(*tensors), Tout)

    return _call("tf.py_function", func, call, inp, Tout, is_recorded=True)


# What NumPy functions have returned in a trace that failed: eager code does not call them again.
_called: ContextVar[list[tuple[Any, list[Tensor]]] | None] = ContextVar(
    "gradtape_called", default=None
)


def repeating(called: list[tuple[Any, list[Tensor]]]) -> Any:
    """Give the results of calls that have been made in place of calling, in the same order."""
    return setting(_called, list(called))


def _call(what: str, func: Any, call: Any, inp: Any, Tout: Any, is_recorded: bool) -> Any:
    """Call the function now, or record the call in the function being traced."""
    inputs = [ops.to_tensor(x) for x in inp]
    trace = get_state().trace
    if trace is not None:
        if refers_to_variables(func):  # a graph reads and writes variables at its ends
            only_outside_of_functions(f"the function of {what} refers to variables")
        results = trace.callback(what, call, inputs, _key(func, inputs, Tout), is_recorded)
    elif (called := _called.get()) and called[0][0] == _key(func, inputs, Tout)[1]:
        results = called.pop(0)[1]
    else:
        results = call(*inputs)
    return results if Tout is None or isinstance(Tout, (list, tuple)) else results[0]


def _key(func: Any, inputs: list[Tensor], Tout: Any) -> tuple[int, Any]:
    """Return the first line of a function, and what else a call of it is known by.

    Not the function itself: tf.autograph makes another one of the same source.
    """
    function = func.__func__ if isinstance(func, types.MethodType) else func
    specs = tuple([(tuple(x.shape), x.dtype.name) for x in inputs])
    if not isinstance(function, types.FunctionType):
        return 0, (function, specs, str(Tout))
    code = function.__code__
    return code.co_firstlineno, (code.co_filename, code.co_name, specs, str(Tout))


def _typed(result: Any, Tout: Any) -> list[Tensor]:
    """Convert results to tensors of the dtypes in `Tout`."""
    several = isinstance(Tout, (list, tuple))
    dtypes = [as_dtype(t) for t in (Tout if several else [Tout])] if Tout is not None else []
    if not dtypes:
        return []
    values = list(result) if several else [result]
    if len(values) != len(dtypes):
        raise ValueError(f"the function gave {len(values)} results, Tout promises {len(dtypes)}")
    typed = []
    for value, dtype in zip(values, dtypes, strict=True):
        tensor = ops.to_tensor(value, None if ops.is_tensor_like(value) else dtype)
        if tensor.dtype is not dtype:
            raise ops.InvalidArgumentError(
                f"the function gave a result of dtype {tensor.dtype.name}, Tout promises "
                f"{dtype.name}"
            )
        typed.append(tensor)
    return typed


def numerical_gradient(
    function: Callable[..., Any] | None = None,
    *,
    method: str = "richardson",
    step: float | None = None,
) -> Any:
    """Return a function of NumPy arrays as one of tensors, with a numerical gradient.

        @gradtape.numerical_gradient
        def energy(x):                     # plain NumPy, SciPy, a simulator…
            return scipy.special.airy(x)[0].sum()

    The decorated function takes and returns tensors; on a tape, its derivative is computed by
    evaluating the function near the point, in float64:

    * "richardson": central differences at two steps, extrapolated; error of order step**4;
    * "central": central differences;
    * "complex": the imaginary part at x + ih: exact to rounding, for functions that compute
      analytically with complex numbers.

    It costs 4, 2 or 1 evaluations per element of the arguments, and can be differentiated once.
    """
    if method not in ("richardson", "central", "complex"):
        raise ValueError(
            f"numerical_gradient: method is 'richardson', 'central' or 'complex', not {method!r}"
        )
    if function is None:
        return functools.partial(numerical_gradient, method=method, step=step)

    @functools.wraps(function)
    @filters_tracebacks
    def wrapped(*args: Any) -> Any:
        tensors = [ops.to_tensor(a) for a in args]
        arrays = [t.numpy() for t in tensors]
        with not_recording():
            result = function(*map(copy_or_scalar, arrays))
        structure = nest.map_structure(ops.to_tensor, result)
        results = nest.flatten(structure)

        def pull(*cotangents: Any) -> Any:
            with not_recording():
                weights = [np.asarray(g.numpy(), np.float64) for g in cotangents]
                slopes = [
                    _slopes(function, arrays, i, weights, method, step)
                    if t.dtype.is_floating
                    else None
                    for i, t in enumerate(tensors)
                ]
            values = [
                None if f is None else Tensor(f.astype(t.dtype.as_numpy_dtype)[()])
                for f, t in zip(slopes, tensors, strict=True)
            ]
            present = [v for v in values if v is not None]
            # Recorded as depending on the arguments, so that a second derivative is an error rather
            # than silently missing.
            marked = iter(record_custom(present, [*tensors, *cotangents], _refuse))
            return [None if v is None else next(marked) for v in values]

        return nest.pack_sequence_as(structure, record_custom(results, tensors, pull))

    return wrapped


def _refuse(*cotangents: Any) -> NoReturn:
    raise LookupError(
        "A numerical gradient has no derivative of its own: a second difference would have few "
        "correct digits. Give the function an exact gradient with tf.custom_gradient."
    )


def _slopes(
    function: Callable[..., Any], arrays: Any, index: int, weights: Any, method: str, step: Any
) -> np.ndarray:
    """Return the derivative of <weights, function> with respect to each element of one argument."""
    x = np.asarray(arrays[index])
    kind = np.complex128 if method == "complex" else np.float64
    wide = [np.asarray(a, kind if i == index else None) for i, a in enumerate(arrays)]

    def weighted(value: Any) -> complex:
        moved = [*wide[:index], value, *wide[index + 1 :]]
        results = nest.flatten(function(*map(np.copy, moved)))
        return sum(np.sum(w * np.asarray(y)) for w, y in zip(weights, results, strict=True))

    base = np.array(wide[index], copy=True)
    slopes = np.empty(x.shape)
    for position in np.ndindex(*x.shape):
        slopes[position] = _slope(weighted, base, position, method, step)
    return slopes


def _slope(
    weighted: Any, base: np.ndarray, position: tuple[Any, ...], method: str, step: Any
) -> float:
    at = float(np.real(base[position]))

    def moved(distance: Any) -> Any:
        shifted = base.copy()
        shifted[position] = at + distance
        return weighted(shifted)

    if method == "complex":
        h = 1e-30 if step is None else step
        return float(np.imag(moved(1j * h)) / h)
    # The step that balances rounding against truncation, for a formula of order 2 or 4.
    power = 1 / 3 if method == "central" else 1 / 5
    h = np.finfo(np.float64).eps ** power * max(1.0, abs(at)) if step is None else step
    central = (moved(h) - moved(-h)) / (2 * h)
    if method == "central":
        return float(np.real(central))
    wide = (moved(2 * h) - moved(-2 * h)) / (4 * h)
    return float(np.real((4 * central - wide) / 3))
