"""The product of two tensors with named axes, as a (stacked) matrix product."""

from __future__ import annotations

import functools
import math

import numpy as np

from gradtape.backends.numpy.linalg import product
from gradtape.backends.precision import is_half


@functools.lru_cache(maxsize=4096)
def _plan(equation: str) -> tuple:
    """Return the layout of a product: (axes of x, of y, of the result, numbers of axes by kind).

    x becomes (stack, free in x, summed), y becomes (stack, summed, free in y). The orders follow
    x, so that x is copied only if its axes are interleaved. Axes are None if they are in order.
    """
    operands, result = equation.split("->")
    a, b = operands.split(",")
    stack = [n for n in a if n in b and n in result]
    summed = [n for n in a if n in b and n not in result]
    free_a = [n for n in a if n not in b]
    free_b = [n for n in b if n not in a]
    natural = stack + free_a + free_b
    return (
        _order(a, stack + free_a + summed),
        _order(b, stack + summed + free_b),
        _order(natural, result),
        len(stack),
        len(summed),
    )


def _order(names, wanted) -> tuple[int, ...] | None:
    axes = tuple(names.index(n) for n in wanted)
    return None if axes == tuple(range(len(axes))) else axes


def einsum(x, y, equation):
    axes_x, axes_y, axes_result, stacked, summed = _plan(equation)
    if axes_x is not None:
        x = x.transpose(axes_x)
    if axes_y is not None:
        y = y.transpose(axes_y)
    stack, end = x.shape[:stacked], x.ndim - summed
    free_x, sums, free_y = x.shape[stacked:end], x.shape[end:], y.shape[stacked + summed :]
    count = math.prod(sums)
    x = x.reshape((*stack, math.prod(free_x), count))
    y = y.reshape((*stack, count, math.prod(free_y)))
    dtype = x.dtype
    if is_half(dtype):
        result = product(x.astype(np.float32), y.astype(np.float32)).astype(dtype)
    elif summed:
        result = product(x, y)
    else:
        result = x * y
    result = result.reshape((*stack, *free_x, *free_y))
    return (result if axes_result is None else result.transpose(axes_result))[()]


KERNELS = {"einsum": einsum}
