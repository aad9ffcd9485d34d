"""Cumulative sums, products and extremes, and linear recurrences, along one axis."""

from __future__ import annotations

import numpy as np

from gradtape.backends.precision import in_float32

# Rows longer than this make the loop over steps cheaper than halving the recurrence.
_LONG_ROW = 256
_FEW_STEPS = 16


def _along(axis: int, part: slice) -> tuple:
    return (slice(None),) * axis + (part,)


def _scan(ufunc: np.ufunc, identity: int):
    @in_float32
    def scan(x, axis, exclusive, reverse):
        dtype = x.dtype
        x = np.flip(x, axis) if reverse else x
        result = np.empty(x.shape, dtype)
        if exclusive:
            result[_along(axis, slice(0, 1))] = identity
            x, into = x[_along(axis, slice(0, -1))], result[_along(axis, slice(1, None))]
        else:
            into = result
        if x.size:
            ufunc.accumulate(x, axis, dtype, into)
        return np.flip(result, axis) if reverse else result

    return scan


def _running(ufunc: np.ufunc):
    @in_float32
    def running(x, axis, reverse):
        if not x.size:
            return x
        result = ufunc.accumulate(np.flip(x, axis) if reverse else x, axis)
        return np.flip(result, axis) if reverse else result

    return running


def shift(x, axis, by, fill):
    result = np.empty(x.shape, x.dtype)
    here, there, edge = slice(1, None), slice(0, -1), slice(0, 1)
    if by < 0:
        here, there, edge = there, here, slice(-1, None)
    result[_along(axis, here)] = x[_along(axis, there)]
    result[_along(axis, edge)] = fill
    return result


@in_float32
def linear_recurrence(a, b, axis, reverse, transposed):
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    if reverse != transposed:
        a, b = a[::-1], b[::-1]
    factors = a[:-1] if transposed else a[1:]
    h = _solve(factors, b)
    if not np.isfinite(h).all():
        # A product of two factors may overflow where the steps one by one would not.
        h = _solve_by_steps(factors, b)
    if reverse != transposed:
        h = h[::-1]
    return np.moveaxis(h, 0, axis)


def _solve_by_steps(factors, b):
    h = np.empty(b.shape, b.dtype)
    h[:1] = b[:1]
    for t in range(1, len(b)):
        h[t] = b[t] + factors[t - 1] * h[t - 1]
    return h


def _solve(factors, b):
    """Solve h[0] = b[0], h[t] = b[t] + factors[t-1] h[t-1].

    Two steps are one step of the same form, so the odd positions are a recurrence of half the
    length; the even ones follow from them. That is linear work in a logarithmic number of array
    ops.
    """
    steps = len(b)
    if steps <= _FEW_STEPS or b[:1].size >= _LONG_ROW:
        return _solve_by_steps(factors, b)
    into_odd, into_even = factors[0::2], factors[1::2]
    half = steps // 2
    odd = _solve(into_odd[1:] * into_even[: half - 1], b[1::2] + into_odd * b[0::2][:half])
    h = np.empty(b.shape, b.dtype)
    h[1::2] = odd
    h[0] = b[0]
    h[2::2] = b[2::2] + into_even * odd[: len(into_even)]
    return h


KERNELS = {
    "shift": shift,
    "linear_recurrence": linear_recurrence,
    "cumsum": _scan(np.add, 0),
    "cumprod": _scan(np.multiply, 1),
    "cumulative_logsumexp": _running(np.logaddexp),
    "cummax": _running(np.maximum),
    "cummin": _running(np.minimum),
}
