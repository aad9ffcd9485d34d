"""The default backend: NumPy, and SciPy (imported on first use) for special functions.

Each module has a table `KERNELS`: primitive name -> function of arrays (and keyword parameters).
Kernels never change their inputs; they may return views of them. Modules have the names of the
modules of `gradtape.ops` that define the primitives.
"""

from __future__ import annotations

from collections.abc import Callable

from gradtape.backends.numpy import (
    bits,
    complexes,
    conv,
    creation,
    cumulative,
    decompositions,
    einsum,
    elementwise,
    fft,
    gather,
    linalg,
    nn,
    padding,
    pool,
    random,
    reduce,
    rounding,
    segment,
    shape,
    slicing,
    solve,
    sort,
    special,
)

KERNELS: dict[str, Callable] = {}
for _module in (
    bits,
    complexes,
    conv,
    creation,
    cumulative,
    decompositions,
    einsum,
    elementwise,
    fft,
    gather,
    linalg,
    nn,
    padding,
    pool,
    random,
    reduce,
    rounding,
    segment,
    shape,
    slicing,
    solve,
    sort,
    special,
):
    KERNELS |= _module.KERNELS


def kernel(name: str) -> Callable:
    """The kernel of a primitive."""
    return KERNELS[name]


def add_into(total, x) -> None:
    """`total += x` in place: for the engine's own sums, which nobody else holds."""
    total += x
