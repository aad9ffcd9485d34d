"""Makes a program that shows a difference as small as it gets, by trying what can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.differential.programs import (
    Array,
    Function,
    Statement,
    is_well_formed,
    renamed,
    slice_of,
)


def minimized(
    statements: list[Statement], differs: Callable[[list[Statement]], bool], tries: int = 400
) -> list[Statement]:
    """The smallest program found for which `differs` still holds; its last statement stays."""
    seen: set[str] = set()
    current = slice_of(statements, [statements[-1].name]) or statements
    if not differs(current):
        current = statements
    progress = True
    while progress:
        progress = False
        for candidate in _simpler(current):
            candidate = slice_of(candidate, [candidate[-1].name]) or candidate
            text = "\n".join(statement.render() for statement in candidate)
            if text in seen or not is_well_formed(candidate):
                continue
            seen.add(text)
            if len(seen) > tries:
                return current
            if differs(candidate):
                current, progress = candidate, True
                break
    return current


def _simpler(statements: list[Statement]) -> Iterator[list[Statement]]:
    """Programs that are one change simpler, those that leave out most first."""
    for index, statement in enumerate(statements[:-1]):
        before, after = statements[:index], statements[index + 1 :]
        yield [*before, *after]
        if isinstance(statement, Function):
            for body in _simpler_bodies(statement):
                yield [*before, body, *after]
        elif not isinstance(statement, Array):
            for use in statement.uses:  # leave the op out: its argument in place of its result
                yield [*before, *(_substituted(s, statement.name, use) for s in after)]
    yield from _simpler_arrays(statements)


def _substituted(statement: Statement, old: str, new: str) -> Statement:
    if isinstance(statement, Function):
        body = tuple(renamed(each, old, new) for each in statement.body)
        returns = new if statement.returns == old else statement.returns
        return replace(statement, body=body, returns=returns)
    return statement if isinstance(statement, Array) else renamed(statement, old, new)


def _simpler_bodies(function: Function) -> Iterator[Function]:
    """Functions with one op less: an argument of it stands in place of its result."""
    body = function.body
    for index, statement in enumerate(body):
        for use in statement.uses:
            rest = tuple(renamed(each, statement.name, use) for each in body[index + 1 :])
            returns = use if function.returns == statement.name else function.returns
            kept = slice_of([*body[:index], *rest], [returns]) or []
            yield replace(function, body=tuple(kept), returns=returns)
    for name in {use for each in body for use in each.uses} - set(function.parameters):
        kept = slice_of(body, [name]) or []
        if len(kept) < len(body):
            yield replace(function, body=tuple(kept), returns=name)


def _simpler_arrays(statements: list[Statement]) -> Iterator[list[Statement]]:
    arrays = [(i, s) for i, s in enumerate(statements) if isinstance(s, Array)]
    # A length wherever it occurs, since shapes have to go with each other; then one array alone.
    for length in sorted({n for _, array in arrays for n in array.shape}, reverse=True):
        for smaller in sorted({1, 2, length // 2}):
            if smaller < length:
                yield [
                    replace(s, shape=tuple(smaller if n == length else n for n in s.shape))
                    if isinstance(s, Array)
                    else s
                    for s in statements
                ]
    for index, array in arrays:
        changes: list[dict] = [{"shape": array.shape[1:]}, {"shape": array.shape[:-1]}]
        changes = changes if array.shape else []
        for position, length in enumerate(array.shape):
            for smaller in sorted({1, 2, length // 2}):
                if smaller < length:
                    shape = (*array.shape[:position], smaller, *array.shape[position + 1 :])
                    changes.append({"shape": shape})
        changes += [{"style": style} for style in ("ones", "integers") if _rougher(array, style)]
        for change in changes:
            yield [*statements[:index], replace(array, **change), *statements[index + 1 :]]


def _rougher(array: Array, style: str) -> bool:
    order = ("ones", "naturals", "integers", "inside", "positive", "uniform", "special")
    return order.index(style) < order.index(array.style)
