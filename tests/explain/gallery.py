"""Galleries of broken programs: each is a function whose guilty line ends in `# HERE`."""

import dataclasses
import inspect
import linecache
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Broken:
    """A program that goes wrong, and what is to be said about it."""

    program: Callable
    kind: str
    words: str
    needs_tracking: bool = False

    @property
    def name(self) -> str:
        return self.program.__name__

    @property
    def line(self) -> int | None:
        """The number of the guilty line, if the program has one."""
        lines, first = inspect.getsourcelines(self.program)
        result = [first + i for i, text in enumerate(lines) if text.rstrip().endswith("# HERE")]
        assert len(result) <= 1
        return result[0] if result else None

    @property
    def file(self) -> str:
        return inspect.getsourcefile(self.program) or ""

    @property
    def code(self) -> str:
        return linecache.getline(self.file, self.line).split("#")[0].strip() if self.line else ""


class Gallery(list):
    """Programs, gathered by a decorator."""

    def broken(self, kind: str, words: str, needs_tracking: bool = False):
        def add(program: Callable) -> Callable:
            self.append(Broken(program, kind, words, needs_tracking))
            return program

        return add
