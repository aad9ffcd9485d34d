"""Families of primitives: what many of them have in common, written once.

`unary` and `binary` return the op itself, ready to call; the others return a `Primitive` for an op
function to bind. Rules refer to ops as `ops.…`, looked up when they run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_shapes as common_shape
from gradtape.core import dtypes
from gradtape.core.bind import bind
from gradtape.core.composites import APPLIERS, apply_to_composites
from gradtape.core.convert import check_same_dtype, operands, to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import (
    PRIMITIVES,
    NoDerivative,
    Primitive,
    parameters_of,
    primitive,
)
from gradtape.core.tensor import Spec, Tensor

if TYPE_CHECKING:
    from gradtape.core.typing import Params, TensorLike, Tensors

FLOATS = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_floating)
COMPLEX = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_complex)
INTEGERS = frozenset(d.dtype for d in dtypes.BY_NAME.values() if d.is_integer)
BOOL = frozenset([np.dtype(bool)])
STRING = frozenset([np.dtype(object)])
REALS = FLOATS | INTEGERS
INEXACT = FLOATS | COMPLEX
NUMBERS = INEXACT | INTEGERS
ANY = NUMBERS | BOOL | STRING


def check_dtype(op: str, allowed: frozenset[Any], x: Any) -> None:
    """Raise an error that names the op, the dtype and those allowed, unless x has one of them."""
    if x._data.dtype not in allowed:
        names = sorted(dtypes.BY_NUMPY[d].name for d in allowed)
        raise DTypeError(
            f"{op} does not take a tensor of dtype {x.dtype.name} (shape {x.shape}); it takes "
            f"{', '.join(names)}. Convert it with tf.cast. [Op:{op}]"
        )


def _is_empty(value: Any) -> bool:
    return type(value) in (list, tuple) and all(map(_is_empty, value))


def empty_as(value: Any, dtype: dtypes.DType) -> Any:
    """Return a value; a list or tuple of nothing, which has no dtype of its own, as a tensor of
    the dtype that an op takes."""
    return to_tensor(value, dtype) if _is_empty(value) else value


def scalar_types(allowed: frozenset[Any]) -> frozenset[Any]:
    """Return the NumPy scalar types of dtypes. For rank 0, asking for the dtype is too slow."""
    return frozenset(d.type for d in allowed)


REAL_SCALARS = scalar_types(REALS)

# --- shape rules -------------------------------------------------------------------------------


def same_shape(x: Spec, **params: Any) -> Spec:
    return x


def broadcast_shapes(op: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that shapes broadcast to; raise an error that names op and shapes."""
    try:
        return common_shape(*shapes)
    except RuntimeError:  # more than 32 axes, which is NumPy's limit here
        raise ShapeError(
            f"{op}: shapes {' and '.join(str(list(s)) for s in shapes)} have more than 32 axes, "
            f"which cannot be broadcast. [Op:{op}]"
        ) from None
    except ValueError:
        raise ShapeError(
            f"{op}: Incompatible shapes: {' vs. '.join(str(list(s)) for s in shapes)}. Two sizes "
            f"fit if they are equal or one of them is 1, counted from the last axis. [Op:{op}]"
        ) from None


def broadcasting(op: str, result: np.dtype | None = None) -> Callable[..., Spec]:
    """Return the shape rule of an elementwise op; the dtype is `result`, or that of the inputs."""

    def shape(*specs: Spec, **params: Any) -> Spec:
        return Spec(broadcast_shapes(op, *[s.shape for s in specs]), result or specs[-1].dtype)

    return shape


# --- batching rules ----------------------------------------------------------------------------


def batch_elementwise(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    """Insert the batch axis before the axes of the longest example, so that the rest broadcasts."""
    rank = max(len(x.shape) - b for x, b in zip(inputs, batched, strict=True))
    aligned = []
    for x, is_batched in zip(inputs, batched, strict=True):
        missing = rank - (len(x.shape) - 1)
        if is_batched and missing:
            x = ops.reshape(x, (size, *(1,) * missing, *x.shape[1:]))
        aligned.append(x)
    return bind(prim, tuple(aligned), params)


def all_batched(size: int, batched: Sequence[bool], inputs: Tensors) -> Tensors:
    """Return the inputs, all of them with a batch axis: those without one are repeated."""
    if all(batched):
        return inputs
    return tuple(
        [
            x if is_batched else ops.broadcast_to(x, (size, *x.shape))
            for x, is_batched in zip(inputs, batched, strict=True)
        ]
    )


def batch_leading(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor | tuple[Tensor, ...]:
    """Batch an op that works on the last axes and treats all others as batch axes."""
    return bind(prim, all_batched(size, batched, inputs), params)


def batch_axis(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor | tuple[Tensor, ...]:
    """Batch an op along `axis`, a parameter: a non-negative axis or a tuple of them."""
    axis = params["axis"]
    shifted = tuple(a + 1 for a in axis) if isinstance(axis, tuple) else axis + 1
    return bind(prim, all_batched(size, batched, inputs), {**params, "axis": shifted})


# --- elementwise -------------------------------------------------------------------------------


def _reverse_rule(d: Callable[..., Any]) -> Callable[..., Any]:
    """Return the rule that multiplies a cotangent by the factor `d`."""

    def through_factor(g: Tensor, *values: Any) -> Tensor:
        factor = d(*values)
        kind = type(factor._data)
        if kind in REAL_SCALARS and kind is type(g._data):  # real scalars: the fast path
            return bind(PRIMITIVES["multiply"], (g, factor))
        # Conjugated if complex, as in TensorFlow.
        return ops.multiply(g, ops.conj(factor))

    return _with_parameters_of(d, through_factor)


def _forward_rule(d: Callable[..., Any]) -> Callable[..., Any]:
    """Return the rule that multiplies a tangent by the factor `d`."""
    return _with_parameters_of(d, lambda t, *values: t * d(*values))


def _with_parameters_of(d: Callable[..., Any], rule: Any) -> Callable[..., Any]:
    """Return a rule made of `d`, for which just what `d` names is kept on the tape."""
    rule.parameters = ("g", *parameters_of(d))
    return rule


def _at_conjugates(d: Callable[..., Any]) -> Callable[..., Any]:
    """Return the transpose of a derivative `d(t, …)`, a complex factor: d(g, …) at conjugates."""

    def rule(g: Any, *values: Any) -> Any:
        return d(g, *[ops.conj(x) for x in values])

    rule.parameters = parameters_of(d)  # pyright: ignore[reportFunctionMemberAccess] (read by core.primitive.parameters_of)
    return rule


def _both_modes(d: Callable[..., Any] | NoDerivative, holomorphic: bool) -> tuple[Any, ...]:
    """Return the reverse and the forward rule for a derivative as `elementwise` takes it."""
    if isinstance(d, NoDerivative):
        return d, d
    if parameters_of(d)[0] == "t":
        return (_at_conjugates(d) if holomorphic else d), d
    return _reverse_rule(d), _forward_rule(d)


def elementwise(
    name: str,
    inputs: str = "x",
    d: Mapping[str, Callable[..., Any] | NoDerivative] | NoDerivative | None = None,
    *,
    holomorphic: bool = False,
    shape: Callable[..., Any] | None = None,
    family: str = "elementwise",
    **rules: Any,
) -> Primitive:
    """Define an elementwise primitive, with each derivative stated once, for both modes.

    A derivative is either a factor, as a function of what it is computed from (`lambda y: y`), or,
    where a product would lose accuracy or time, a function of a tangent (`lambda t, y: t / y`).
    `holomorphic`: the op takes complex numbers, so that the transpose of such a function takes
    conjugates. If the two modes differ in more than this, give `vjp` and `jvp` in place of `d`.
    """
    if isinstance(d, NoDerivative):
        rules["no_derivative"], rules["remedy"] = d.reason, d.remedy
    elif d is not None:
        both = {x: _both_modes(each, holomorphic) for x, each in d.items()}
        rules["vjp"] = {x: reverse for x, (reverse, _) in both.items()}
        rules["jvp"] = {x: forward for x, (_, forward) in both.items()}
    several = " " in inputs
    if shape is None:
        shape = broadcasting(name) if several else same_shape
    return primitive(
        name,
        inputs,
        shape=shape,
        batch=batch_elementwise,
        broadcasts=several,
        family=family,
        **rules,
    )


def unary(
    name: str,
    d: Callable[..., Any] | NoDerivative,
    allowed: frozenset[Any] = INEXACT,
    result: np.dtype | None = None,
) -> Callable[..., Any]:
    """Define an elementwise op y = f(x), with derivative `d` of x, of ans (that is y), or of both.

    A `NoDerivative` says why there is none. `result` is the dtype of y if it is not that of x.
    """
    by_x = d if isinstance(d, NoDerivative) else {"x": d}
    shape = None if result is None else broadcasting(name, result)
    return unary_op(elementwise(name, "x", by_x, shape=shape), allowed)


def unary_op(prim: Primitive, allowed: frozenset[Any]) -> Callable[..., Any]:
    """Return the function that users call for a primitive with one input and no parameters."""
    scalars = scalar_types(allowed)
    truth = allowed == BOOL

    def op(x: TensorLike, name: str | None = None) -> Tensor:
        if type(x) is not Tensor:
            if type(x) in APPLIERS:
                return apply_to_composites(prim.name, op, (x,), {})
            x = to_tensor(empty_as(x, dtypes.bool_) if truth else x)
        if type(x._data) not in scalars and x._data.dtype not in allowed:
            check_dtype(prim.name, allowed, x)
        return bind(prim, (x,))

    return _named(op, prim)


def binary(
    name: str,
    d: tuple[Callable[..., Any] | NoDerivative, Callable[..., Any] | NoDerivative] | NoDerivative,
    allowed: frozenset[Any] = NUMBERS,
    result: np.dtype | None = None,
) -> Callable[..., Any]:
    """Define a broadcasting op on two tensors, with the derivatives with respect to x and y."""
    by_each = d if isinstance(d, NoDerivative) else dict(zip("xy", d, strict=True))
    prim = elementwise(
        name,
        "x y",
        by_each,
        holomorphic=not allowed.isdisjoint(COMPLEX),
        shape=broadcasting(name, result),
    )
    return binary_op(prim, allowed)


def binary_op(prim: Primitive, allowed: frozenset[Any]) -> Callable[..., Any]:
    """Return the function that users call for a primitive with two inputs and no parameters."""
    scalars = scalar_types(allowed)
    truth = allowed == BOOL

    def op(x: Any, y: Any, name: str | None = None) -> Tensor:
        if type(x) is not Tensor or type(y) is not Tensor:
            if truth:
                x, y = empty_as(x, dtypes.bool_), empty_as(y, dtypes.bool_)
            try:
                x, y = operands(prim.name, x, y)
            except ValueError:
                if type(x) in APPLIERS or type(y) in APPLIERS:
                    return apply_to_composites(prim.name, op, (x, y), {})
                raise
        kind = type(x._data)
        if kind is not type(y._data) or kind not in scalars:
            if x._data.dtype is not y._data.dtype:
                check_same_dtype(prim.name, x, y)
            if x._data.dtype not in allowed:
                check_dtype(prim.name, allowed, x)
        return bind(prim, (x, y))

    return _named(op, prim)


DEFAULT_TEXT = "Return `{}` of each element."  # public names say more: api/documentation


def _named(op: Callable[..., Any], prim: Primitive) -> Callable[..., Any]:
    op.__name__ = op.__qualname__ = prim.name
    op.__doc__ = DEFAULT_TEXT.format(prim.name)
    op.primitive = prim  # pyright: ignore[reportFunctionMemberAccess] (read by tests and tools)
    return op


# --- linear ------------------------------------------------------------------------------------


def linear(
    name: str,
    *,
    shape: Callable[..., Any],
    transpose: Callable[..., Any],
    batch: Callable[..., Any],
    family: str | None = None,
) -> Primitive:
    """Define a primitive that is linear in its one input: its transpose gives all rules."""
    return primitive(
        name,
        "x",
        shape=shape,
        vjp={"x": transpose},
        jvp="linear",
        batch=batch,
        family=family,
    )
