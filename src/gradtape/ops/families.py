"""Families of primitives: what is alike in many of them, written once.

`unary` and `binary` give the op itself, ready to call; the others give a `Primitive` for an op
function to bind. Rules name ops as `ops.…`, looked up when they run.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.bind import bind
from gradtape.core.convert import ON_VALUES, check_same_dtype, operands, to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import PRIMITIVES, NoDerivative, Primitive, primitive
from gradtape.core.tensor import Spec, Tensor

FLOATS = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_floating)
COMPLEX = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_complex)
INTEGERS = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_integer)
BOOL = frozenset([np.dtype(bool)])
STRING = frozenset([np.dtype(object)])
REALS = FLOATS | INTEGERS
INEXACT = FLOATS | COMPLEX
NUMBERS = INEXACT | INTEGERS
ANY = NUMBERS | BOOL | STRING


def check_dtype(op: str, allowed: frozenset, x) -> None:
    """Raise the error that names the op, the dtype it was given and those it takes."""
    if x._data.dtype not in allowed:
        names = sorted(dtypes.BY_NUMPY[d].name for d in allowed)
        raise DTypeError(
            f"{op} does not take a tensor of dtype {x.dtype.name} (shape {x.shape}); it takes "
            f"{', '.join(names)}. Convert it with tf.cast. [Op:{op}]"
        )


def scalar_types(allowed: frozenset) -> frozenset:
    """The NumPy scalar types of dtypes: for rank 0, where to ask for the dtype costs too much."""
    return frozenset(d.type for d in allowed)


REAL_SCALARS = scalar_types(REALS)

# --- shape rules -------------------------------------------------------------------------------


def same_shape(x: Spec, **params) -> Spec:
    return x


def broadcast_shapes(op: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that shapes broadcast to; the error names the op and the shapes."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(
            f"{op}: Incompatible shapes: {' vs. '.join(str(list(s)) for s in shapes)}. Two sizes "
            f"fit if they are equal or one of them is 1, counted from the last axis. [Op:{op}]"
        ) from None


def broadcasting(op: str, result: np.dtype | None = None) -> Callable[..., Spec]:
    """The shape rule of an elementwise op whose result has its inputs' dtype (or the one given)."""

    def shape(*specs: Spec, **params) -> Spec:
        return Spec(broadcast_shapes(op, *[s.shape for s in specs]), result or specs[-1].dtype)

    return shape


# --- batching rules ----------------------------------------------------------------------------


def batch_elementwise(prim: Primitive, size, batched, inputs, params):
    """Put the batch in front of the longest example, so that the rest broadcasts as before."""
    rank = max(len(x.shape) - b for x, b in zip(inputs, batched, strict=True))
    aligned = []
    for x, is_batched in zip(inputs, batched, strict=True):
        missing = rank - (len(x.shape) - 1)
        if is_batched and missing:
            x = ops.reshape(x, (size, *(1,) * missing, *x.shape[1:]))
        aligned.append(x)
    return bind(prim, tuple(aligned), params)


def batch_leading(prim: Primitive, size, batched, inputs, params):
    """For ops that work on the last axes and treat all before them as a stack of problems."""
    stacked = tuple(
        x if is_batched else ops.broadcast_to(x, (size, *x.shape))
        for x, is_batched in zip(inputs, batched, strict=True)
    )
    return bind(prim, stacked, params)


def batch_axis(prim: Primitive, size, batched, inputs, params):
    """For ops with one input whose `axis` parameter is a non-negative axis or a tuple of them."""
    axis = params["axis"]
    shifted = tuple(a + 1 for a in axis) if isinstance(axis, tuple) else axis + 1
    return bind(prim, inputs, {**params, "axis": shifted})


# --- elementwise -------------------------------------------------------------------------------


def through_factor(g: Tensor, d: Tensor) -> Tensor:
    """The cotangent through a factor: conjugated for complex numbers, as TensorFlow's is."""
    kind = type(d._data)
    if kind in REAL_SCALARS and kind is type(g._data):  # nothing to look at: the shortest way
        return bind(PRIMITIVES["multiply"], (g, d))
    return ops.multiply(g, ops.conj(d))


def _scaled_by(d: Callable, times: Callable) -> Callable:
    """A rule that scales g (or t) by `d`, asking the tape for just what `d` asks for."""
    names = d.__code__.co_varnames[: d.__code__.co_argcount]
    if names == ("x",):
        return lambda g, x: times(g, d(x))
    if names == ("ans",):
        return lambda g, ans: times(g, d(ans))
    if names == ("x", "ans"):
        return lambda g, x, ans: times(g, d(x, ans))
    raise TypeError(f"a derivative is a function of x, ans, or x and ans, not of {names}")


def unary(
    name: str,
    d: Callable | NoDerivative,
    allowed: frozenset = INEXACT,
    result: np.dtype | None = None,
) -> Callable:
    """An op y = f(x) on each element, with derivative `d` of x, of ans (that is y), or of both.

    A `NoDerivative` says why there is none. `result` is the dtype of y where it is not that of x.
    """
    rules: dict = {"no_derivative": d.reason} if isinstance(d, NoDerivative) else {
        "vjp": {"x": _scaled_by(d, through_factor)},
        "jvp": {"x": _scaled_by(d, lambda t, d: t * d)},
    }  # fmt: skip
    prim = primitive(name, "x", shape=broadcasting(name, result), batch=batch_elementwise, **rules)
    return unary_op(prim, allowed)


def unary_op(prim: Primitive, allowed: frozenset) -> Callable:
    """The function that users call for a primitive with one input and no parameters."""
    quick = scalar_types(allowed)

    def op(x, name=None):
        if type(x) is not Tensor:
            if type(x) in ON_VALUES:
                return ON_VALUES[type(x)](x, prim.name, op)
            x = to_tensor(x)
        if type(x._data) not in quick and x._data.dtype not in allowed:
            check_dtype(prim.name, allowed, x)
        return bind(prim, (x,))

    return _named(op, prim)


def binary(
    name: str,
    vjp: tuple[Callable, Callable] | NoDerivative,
    jvp: tuple[Callable, Callable] | str | None = None,
    allowed: frozenset = NUMBERS,
    result: np.dtype | None = None,
) -> Callable:
    """An op on pairs of elements, broadcasting. The rules are those of x and of y."""
    rules: dict = {}
    if isinstance(vjp, NoDerivative):
        rules["no_derivative"] = vjp.reason
    else:
        rules["vjp"] = dict(zip("xy", vjp, strict=True))
        rules["jvp"] = dict(zip("xy", jvp, strict=True)) if isinstance(jvp, tuple) else jvp
    prim = primitive(
        name,
        "x y",
        shape=broadcasting(name, result),
        batch=batch_elementwise,
        broadcasts=True,
        **rules,
    )
    return binary_op(prim, allowed)


def binary_op(prim: Primitive, allowed: frozenset) -> Callable:
    """The function that users call for a primitive with two inputs and no parameters."""
    quick = scalar_types(allowed)

    def op(x, y, name=None):
        if type(x) is not Tensor or type(y) is not Tensor:
            x, y = operands(prim.name, x, y)
        kind = type(x._data)
        if kind is not type(y._data) or kind not in quick:
            if x._data.dtype is not y._data.dtype:
                check_same_dtype(prim.name, x, y)
            if x._data.dtype not in allowed:
                check_dtype(prim.name, allowed, x)
        return bind(prim, (x, y))

    return _named(op, prim)


def _named(op: Callable, prim: Primitive) -> Callable:
    op.__name__ = op.__qualname__ = prim.name
    op.__doc__ = f"The op `{prim.name}`, on each element."
    op.primitive = prim  # type: ignore[attr-defined]
    return op


# --- linear ------------------------------------------------------------------------------------


def linear(name: str, *, shape: Callable, transpose: Callable, batch: Callable) -> Primitive:
    """A primitive that is linear in its one input: its transpose is all its calculus."""
    return primitive(name, "x", shape=shape, vjp={"x": transpose}, jvp="linear", batch=batch)
