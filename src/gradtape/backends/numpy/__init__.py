"""The default backend: NumPy, and SciPy (imported on first use) for special functions.

Each module has a table `KERNELS`: primitive name -> function of arrays (and keyword parameters).
Kernels never change their inputs; they may return views of them. Modules have the names of the
modules of `gradtape.ops` that define the primitives.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from sys import getrefcount

from numpy import ndarray

from gradtape.backends.native.extension import extension
from gradtape.backends.numpy.memory import keep_freed_memory
from gradtape.backends.numpy.rows import Write

keep_freed_memory()
_COUNTS_ARE_EXACT = (
    sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
)

CHAPTERS = """
    activations attention bits collectives complexes conv creation cumulative decompositions
    einsum elementwise fft gather gelu joining linalg moments nn normalize pool random recurrent
    reduce rounding rows segment shape slicing solve sort special
""".split()
KERNELS: dict[str, Callable] = {}
# For primitives that change a part of their first input: the function that writes it in place.
WRITERS: dict[str, Callable[..., Write]] = {}
for _chapter in CHAPTERS:
    _module = import_module(f"{__name__}.{_chapter}")
    KERNELS |= _module.KERNELS
    WRITERS |= getattr(_module, "WRITERS", {})


def kernel(name: str) -> Callable:
    """Return the kernel of a primitive."""
    if name not in KERNELS:
        raise LookupError(
            f"primitive {name!r} has no kernel: add a row to KERNELS in "
            "backends/numpy/<chapter>.py, where the kernel is"
        )
    return KERNELS[name]


def add_into(total, x) -> None:
    """Compute `total += x` in place, for an array without other references."""
    if extension is None or not extension.add_into(total, x):
        total += x


def subtract_from(total, x) -> None:
    """Compute `total -= x` in place, for an array without other references."""
    if extension is None or not extension.subtract_from(total, x):
        total -= x


def descend(value, gradient, rate) -> None:
    """Compute `value -= rate * gradient` in place, for an array without other references."""
    if extension is None or not extension.descend(value, gradient, rate):
        value -= gradient * rate


def is_unshared(holder) -> bool:
    """Return whether the attribute `holder._data` has the only reference to that array.

    A view would be another. If so, nobody can see a write to it. Reference counts tell (in builds
    of Python with the GIL; in others, the answer is always False).
    """
    data = holder._data
    if type(data) is not ndarray or not data.flags.owndata or not _COUNTS_ARE_EXACT:
        return False
    del data
    if getrefcount(holder._data) == 2:  # the attribute, and the argument of this call
        return True
    if extension is None:
        return False
    extension.release(holder._data)
    return getrefcount(holder._data) == 2


# A part that is at most 1/8 of an array of more than 64 kB costs little to copy.
_PARTS, _LARGE = 8, 1 << 16


def is_small_part(part_bytes: int, whole_bytes: int) -> bool:
    """Return whether to copy a part of a variable's array, rather than return a view.

    A view would keep the whole array from being updated in place: that needs the only reference.
    """
    return whole_bytes > _LARGE and part_bytes * _PARTS <= whole_bytes
