"""Sizes that vary: which expression of known sizes gives another one.

A function is traced for several sizes of each open axis (see samples.py). What was an integer is
then a *series*: its value in each of these traces. A series that is not constant must be computed
when the model runs. Here the expression is found: another known size, or a product, sum or rounded
quotient of known sizes. An expression counts only if it is the only one of its kind that fits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Series = tuple[int, ...]
# Sizes of an open axis in the traces. They are larger than the loops that are unrolled (64), and
# both parities and all remainders by 3 and 4 occur, so that what depends on them varies.
SAMPLES = (67, 72, 78, 85, 98)
_LARGEST_DIVISOR = 4  # those by which all remainders occur


def samples_of(index: int) -> Series:
    """Return the sizes of the open axis with this index: no two axes have proportional ones."""
    turned = SAMPLES[index % len(SAMPLES) :] + SAMPLES[: index % len(SAMPLES)]
    return tuple([size + 48 * (index // len(SAMPLES)) for size in turned])


class Linear(NamedTuple):
    """The size (first · second · factor) // divisor + offset; without `second`, that is 1."""

    first: Series
    second: Series | None
    factor: int
    divisor: int
    offset: int
    shift: int = 0  # added before the division


class Sum(NamedTuple):
    """The size first ± second + offset."""

    first: Series
    second: Series
    sign: int
    offset: int


def constant(series: Series) -> int | None:
    """Return the value of a size that is the same in all traces."""
    return series[0] if len(set(series)) == 1 else None


def find(wanted: Series, known: Iterable[Series]) -> Linear | Sum | None:
    """Return an expression of known (varying) sizes that gives the wanted one."""
    known = list(dict.fromkeys(known))
    for size in known:
        expression = _affine(wanted, size)
        if expression is not None:
            return expression
    for first, second in itertools.combinations_with_replacement(known, 2):
        product = tuple([a * b for a, b in zip(first, second, strict=True)])
        expression = _affine(wanted, product)
        if expression is not None:
            return expression._replace(first=first, second=second)
    for first, second in itertools.permutations(known, 2):
        for sign in (1, -1):
            rest = _differences(wanted, first, second, sign)
            if len(rest) == 1:
                return Sum(first, second, sign, rest.pop())
    for size in known:
        expression = _quotient(wanted, size)
        if expression is not None:
            return expression
    return None


def _differences(wanted: Series, first: Series, second: Series, sign: int) -> set[int]:
    return {w - a - sign * b for w, a, b in zip(wanted, first, second, strict=True)}


def _affine(wanted: Series, size: Series) -> Linear | None:
    """Return wanted = size · factor + offset, with a whole factor."""
    rise, run = wanted[1] - wanted[0], size[1] - size[0]
    if not run or rise % run:
        return None
    factor = rise // run
    offset = wanted[0] - factor * size[0]
    if factor and all(w == factor * s + offset for w, s in zip(wanted, size, strict=True)):
        return Linear(size, None, factor, 1, offset)
    return None


def _quotient(wanted: Series, size: Series) -> Linear | None:
    """Return wanted = (size + shift) // divisor + offset, if only one shift does."""
    for divisor in range(2, _LARGEST_DIVISOR + 1):
        shifts = [s for s in range(divisor) if _offset(wanted, size, divisor, s) is not None]
        if len(shifts) == 1:
            offset = _offset(wanted, size, divisor, shifts[0])
            assert offset is not None
            return Linear(size, None, 1, divisor, offset, shifts[0])
    return None


def _offset(wanted: Sequence[int], size: Series, divisor: int, shift: int) -> int | None:
    rest = {w - (s + shift) // divisor for w, s in zip(wanted, size, strict=True)}
    return rest.pop() if len(rest) == 1 else None
