"""Cumulative sums, products, extremes and logsumexps; linear recurrences.

The derivatives of all but the sum are first-order linear recurrences, so one primitive for those
serves them to every order, without dividing by elements that may be 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    INEXACT,
    NUMBERS,
    REALS,
    batch_axis,
    check_dtype,
    linear,
    same_shape,
)
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import IntLike, TensorLike

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "cumulative_logsumexp", "linear_recurrence"]


def _prepared(op: str, x: TensorLike, axis: int | None, allowed: frozenset[Any]) -> tuple[Any, ...]:
    x = to_tensor(x)
    check_dtype(op, allowed, x)
    return x, normalize_axis(op, axis, len(x.shape))


# --- shift ---------------------------------------------------------------------------------------


def _shift_back(g: Any, axis: int, by: int) -> Any:
    return shift(g, axis, -by)


def _shift_tangent(t: Tensor, axis: int, by: int) -> Tensor:
    return shift(t, axis, by)  # what moves in is constant


shift_p = primitive(
    "shift",
    "x",
    shape=same_shape,
    batch=batch_axis,
    vjp={"x": _shift_back},
    jvp={"x": _shift_tangent},
)


def shift(x: Any, axis: int, by: int, fill: float = 0.0) -> Any:
    """Shift x by one position along an axis, forward (by=1) or backward (-1), inserting `fill`."""
    return bind(shift_p, (x,), {"axis": axis, "by": by, "fill": fill})


# --- linear recurrences --------------------------------------------------------------------------


def _onward(reverse: bool) -> int:
    return -1 if reverse else 1


def _recurrence_shape(a: Spec, b: Spec, axis: int, reverse: bool, transposed: bool) -> Spec:
    if a.shape != b.shape:
        raise ShapeError(
            f"linear_recurrence: the factors have shape {list(a.shape)}, the terms "
            f"{list(b.shape)}; they must be alike. [Op:linear_recurrence]"
        )
    return b


def _recurrence_vjp(
    g: Tensor,
    a: Tensor,
    ans: Tensor,
    axis: int,
    reverse: bool,
    transposed: bool,
    needs_grad: tuple[bool, ...],
) -> Any:
    gb = _recurrence(ops.conj(a), g, axis, reverse, not transposed)
    if not needs_grad[0]:
        return None, gb
    onward, h = _onward(reverse), ops.conj(ans)
    ga = shift(gb, axis, onward) * h if transposed else gb * shift(h, axis, onward)
    return ga, gb


def _recurrence_jvp_a(
    t: Tensor, a: Tensor, ans: Tensor, axis: int, reverse: bool, transposed: bool
) -> Tensor:
    onward = _onward(reverse)
    source = shift(t * ans, axis, -onward) if transposed else t * shift(ans, axis, onward)
    return _recurrence(a, source, axis, reverse, transposed)


linear_recurrence_p = primitive(
    "linear_recurrence",
    "a b",
    shape=_recurrence_shape,
    batch=batch_axis,
    vjp=_recurrence_vjp,
    jvp={
        "a": _recurrence_jvp_a,
        "b": lambda t, a, axis, reverse, transposed: _recurrence(a, t, axis, reverse, transposed),
    },
)


def _recurrence(a: Any, b: Any, axis: int, reverse: bool, transposed: bool) -> Any:
    params = {"axis": axis, "reverse": reverse, "transposed": transposed}
    return bind(linear_recurrence_p, (a, b), params)


def linear_recurrence(
    a: Tensor, b: Tensor, axis: IntLike = 0, reverse: bool = False, transposed: bool = False
) -> Tensor:
    """Compute h with h[t] = b[t] + a[t] h[t-1] along `axis`; the first a is not used.

    `reverse` runs from the end. `transposed` solves with the transposed matrix instead:
    h[t] = b[t] + a[t+1] h[t+1].
    """
    a, b = operands("linear_recurrence", a, b)
    check_dtype("linear_recurrence", INEXACT, a)
    axis = normalize_axis("linear_recurrence", axis, len(b.shape))
    _recurrence_shape(a._spec(), b._spec(), axis, reverse, transposed)
    return _recurrence(a, b, axis, bool(reverse), bool(transposed))


# --- sums ----------------------------------------------------------------------------------------

cumsum_p = linear(
    "cumsum",
    shape=same_shape,
    transpose=lambda g, axis, exclusive, reverse: cumsum(g, axis, exclusive, not reverse),
    batch=batch_axis,
)


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Compute the cumulative sum along an axis; `exclusive` omits the element itself."""
    x, axis = _prepared("Cumsum", x, axis, NUMBERS)
    params = {"axis": axis, "exclusive": bool(exclusive), "reverse": bool(reverse)}
    return bind(cumsum_p, (x,), params)


# --- products ------------------------------------------------------------------------------------


def _cumprod_vjp(g: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    # The sum over all later products without x[i], times the product of all before it. Unlike
    # TensorFlow's rule, which divides by x and gives 0 where x is 0, this is right at zeros too.
    x = ops.conj(x)
    if exclusive:
        g = shift(g, axis, -_onward(reverse))
    before = cumprod(x, axis, exclusive=True, reverse=reverse)
    return before * _recurrence(x, g, axis, reverse, True)


def _cumprod_jvp(t: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    before = cumprod(x, axis, exclusive=True, reverse=reverse)
    moved = _recurrence(x, before * t, axis, reverse, False)
    return shift(moved, axis, _onward(reverse)) if exclusive else moved


cumprod_p = primitive(
    "cumprod",
    "x",
    shape=same_shape,
    batch=batch_axis,
    vjp={"x": _cumprod_vjp},
    jvp={"x": _cumprod_jvp},
)


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Compute the cumulative product along an axis; `exclusive` omits the element itself."""
    x, axis = _prepared("Cumprod", x, axis, NUMBERS)
    params = {"axis": axis, "exclusive": bool(exclusive), "reverse": bool(reverse)}
    return bind(cumprod_p, (x,), params)


# --- logarithms of sums of exponentials ----------------------------------------------------------


def _decay(ans: Any, axis: int, reverse: bool) -> Any:
    """Return exp(y[t-1] - y[t]), at most 1 since y does not decrease. The first is not used."""
    return ops.exp(ops.minimum(shift(ans, axis, _onward(reverse)) - ans, 0))


cumulative_logsumexp_p = primitive(
    "cumulative_logsumexp",
    "x",
    shape=same_shape,
    batch=batch_axis,
    vjp={
        "x": lambda g, x, ans, axis, reverse: (
            ops.exp(x - ans) * _recurrence(_decay(ans, axis, reverse), g, axis, reverse, True)
        )
    },
    jvp={
        "x": lambda t, x, ans, axis, reverse: _recurrence(
            _decay(ans, axis, reverse), ops.exp(x - ans) * t, axis, reverse, False
        )
    },
)


def cumulative_logsumexp(
    x: Tensor, axis: int = 0, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Compute log(cumsum(exp(x))) along an axis, without overflow."""
    x, axis = _prepared("CumulativeLogsumexp", x, axis, FLOATS)
    reverse = bool(reverse)
    y = bind(cumulative_logsumexp_p, (x,), {"axis": axis, "reverse": reverse})
    return shift(y, axis, _onward(reverse), float("-inf")) if exclusive else y


# --- extremes ------------------------------------------------------------------------------------


def _running(name: str, word: str) -> Callable[..., Any]:
    """Define a cumulative extreme; of equal elements, the latest has the derivative."""

    def split(x: Any, ans: Any) -> tuple[Any, ...]:
        hit = ops.cast(ops.equal(x, ans), x.dtype)
        return hit, 1 - hit

    def vjp(g: Any, x: Any, ans: Any, axis: int, reverse: bool) -> Any:
        hit, miss = split(x, ans)
        return hit * _recurrence(miss, g, axis, reverse, True)

    def jvp(t: Tensor, x: Tensor, ans: Tensor, axis: int, reverse: bool) -> Tensor:
        hit, miss = split(x, ans)
        return _recurrence(miss, hit * t, axis, reverse, False)

    prim = primitive(name, "x", shape=same_shape, batch=batch_axis, vjp={"x": vjp}, jvp={"x": jvp})

    def running(x: TensorLike, axis: int = 0, reverse: bool = False) -> Tensor:
        x, axis = _prepared(name, x, axis, REALS)
        return bind(prim, (x,), {"axis": axis, "reverse": bool(reverse)})

    running.__name__ = running.__qualname__ = name
    running.__doc__ = f"Compute the cumulative {word} along an axis."
    return running


cummax = _running("cummax", "maximum")
cummin = _running("cummin", "minimum")
