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

from gradtape.backends.extension import extension
from gradtape.backends.numpy.memory import keep_freed_memory

keep_freed_memory()
_COUNTS_ARE_EXACT = (
    sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
)

CHAPTERS = """
    attention bits collectives complexes conv creation cumulative decompositions einsum
    elementwise fft gather gelu linalg moments nn normalize padding pool random recurrent reduce
    rounding segment shape slicing solve sort special
""".split()
KERNELS: dict[str, Callable] = {}
for _chapter in CHAPTERS:
    KERNELS |= import_module(f"{__name__}.{_chapter}").KERNELS


def kernel(name: str) -> Callable:
    """The kernel of a primitive."""
    return KERNELS[name]


def add_into(total, x) -> None:
    """`total += x` in place: for arrays that nobody else holds."""
    if extension is None or not extension.add_into(total, x):
        total += x


def subtract_from(total, x) -> None:
    """`total -= x` in place: for arrays that nobody else holds."""
    if extension is None or not extension.subtract_from(total, x):
        total -= x


def descend(value, gradient, rate) -> None:
    """`value -= rate * gradient` in place: for arrays that nobody else holds."""
    if extension is None or not extension.descend(value, gradient, rate):
        value -= gradient * rate


def is_held_once(holder) -> bool:
    """Whether nothing but the attribute `holder._data` refers to that array, not even a view.

    Then writing into it cannot be seen by anyone. Reference counts tell (in builds of Python that
    have a lock on them; in others, never).
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
