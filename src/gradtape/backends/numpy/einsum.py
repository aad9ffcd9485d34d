"""The product of two tensors with named axes, as a (stacked) matrix product."""

from __future__ import annotations

import functools
import math

import numpy as np

from gradtape.backends.numpy.linalg import is_half


@functools.lru_cache(maxsize=4096)
def _plan(equation: str) -> tuple:
    """How to lay out the operands: (axes of x, of y, of the result, numbers of axes of each kind).

    x becomes (stack, free in x, summed), y becomes (stack, summed, free in y). The orders follow
    x, so that x is copied only where its axes are interleaved.
    """
    operands, result = equation.split("->")
    a, b = operands.split(",")
    stack = [n for n in a if n in b and n in result]
    summed = [n for n in a if n in b and n not in result]
    free_a = [n for n in a if n not in b]
    free_b = [n for n in b if n not in a]
    natural = stack + free_a + free_b
    return (
        tuple(a.index(n) for n in stack + free_a + summed),
        tuple(b.index(n) for n in stack + summed + free_b),
        tuple(natural.index(n) for n in result),
        len(stack),
        len(summed),
    )


def einsum(x, y, equation):
    axes_x, axes_y, axes_result, stacked, summed = _plan(equation)
    x = np.transpose(x, axes_x)
    y = np.transpose(y, axes_y)
    stack = x.shape[:stacked]
    end = x.ndim - summed
    free_x, sums, free_y = x.shape[stacked:end], x.shape[end:], y.shape[stacked + summed :]
    x = x.reshape(*stack, math.prod(free_x), math.prod(sums))
    y = y.reshape(*stack, math.prod(sums), math.prod(free_y))
    dtype = x.dtype
    if is_half(dtype):
        product = np.matmul(x.astype(np.float32), y.astype(np.float32)).astype(dtype)
    elif summed:
        product = np.matmul(x, y)
    else:
        product = x * y
    return product.reshape((*stack, *free_x, *free_y)).transpose(axes_result)[()]


KERNELS = {"einsum": einsum}
