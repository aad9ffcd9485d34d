"""Runs random programs with both modules, and finds and minimizes their differences."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.differential.catalog import OPS
from tests.fuzz.differential.compare import class_difference, difference, magnitude
from tests.fuzz.differential.generator import Generator
from tests.fuzz.differential.known import known
from tests.fuzz.differential.minimize import minimized
from tests.fuzz.differential.programs import Statement, program_text
from tests.fuzz.differential.workers import Pair


@dataclass
class Difference:
    """A difference with the smallest program that was found for it."""

    text: str
    statements: list[Statement]

    @property
    def program(self) -> str:
        return program_text(self.statements)


class Search:
    """Differences of programs that a seed means."""

    def __init__(self, pair: Pair, seed: int, classes: bool = False, ops=OPS) -> None:
        self.pair = pair
        self.generator = Generator(seed, ops, mistakes=0.2 if classes else 0.02)
        self.programs = self.run_count = 0
        self._classes = classes
        self._seen: set[str] = set()

    def differences(self, seconds: float, programs: int | None = None) -> Iterator[Difference]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and (programs is None or self.programs < programs):
            self.programs += 1
            yield from self._one_program()

    def _one_program(self) -> Iterator[Difference]:
        generator = self.generator
        generator.begin()
        self.pair.begin()
        sent, scale, result = 0, 1.0, []
        rounds = generator.random.randint(2, 5)
        for number in range(2 * rounds):
            proposed = [generator.op()] if number % 2 == 0 else generator.modes()
            # What a proposal needs stands before it among the generator's statements.
            for statement in generator.statements[sent:]:
                self.pair.run(statement)
            for statement in proposed:
                self.run_count += 1
                ours, theirs = self.pair.run(statement)
                text = self._compared(ours, theirs, scale)
                if text is None and ours[0] not in ("error", "died") and theirs[0] != "error":
                    generator.learn(statement, ours)
                    scale = max(scale, magnitude(theirs))
                elif text is not None:
                    result.append((text, [*generator.statements, statement]))
                if "died" in (ours[0], theirs[0]):
                    yield from self._reported(result)
                    return
            sent = len(generator.statements)
        yield from self._reported(result)

    def _compared(self, ours, theirs, scale: float) -> str | None:
        text = difference(ours, theirs, scale)
        if text is None and self._classes:
            text = class_difference(ours, theirs)
        return text

    def _reported(self, result) -> Iterator[Difference]:
        for text, statements in result:
            if known(text, statements):
                continue
            kind = text.partition(":")[0]
            rough = f"{kind} {shape_of(statements[-1:])}"
            if rough in self._seen:
                continue
            small = minimized(statements, functools.partial(self._has, kind))
            text = self._text(small) or text
            key = f"{kind} {shape_of(small)}"
            if key in self._seen or known(text, small):
                continue
            self._seen |= {key, rough}
            yield Difference(text, small)

    def _has(self, kind: str, statements: list[Statement]) -> bool:
        text = self._text(statements)
        return text is not None and text.partition(":")[0] == kind and not known(text, statements)

    def _text(self, statements: list[Statement]) -> str | None:
        """The difference that the last statement shows, if no earlier one does."""
        self.pair.begin()
        scale = 1.0
        for statement in statements[:-1]:
            ours, theirs = self.pair.run(statement)
            failed = "error" in (ours[0], theirs[0]) or "died" in (ours[0], theirs[0])
            if failed or self._compared(ours, theirs, scale) is not None:
                return None
            scale = max(scale, magnitude(theirs))
        return self._compared(*self.pair.run(statements[-1]), scale)


def shape_of(statements: list[Statement]) -> str:
    """A program without names and numbers: two that look alike are the same finding."""
    texts = [s.render() for s in statements if "np.resize" not in s.render()]
    text = "\n".join(t for t in texts if not re.match(r"a\d+ = ", t))
    return re.sub(r"[atrf]\d+", "_", re.sub(r"-?\b\d+\b", "0", text))
