"""Runs the code blocks of a page, from its top to its end, as a reader would.

* `pycon` blocks are doctests; `python` blocks are run. All blocks of a page share their names.
* A `text` block right after a `python` block is what that prints, or the error that it ends with.
* `<!-- name.py -->` before a `python` block makes it a file of that name instead.
* A `console` block is a command (`$ gradtape …`, `$ python …`) and what it prints.
* `<!-- setup` … `-->` is code that readers do not see. `<!-- needs: jax -->` before a block
  leaves it out where that module is not installed.
* `sh` blocks are for readers to type, `html`, `toml` and those without a language to look at.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RUN = {"python", "pycon", "console", "text"}
SHOWN = {"sh", "html", "toml", ""}
PART = re.compile(
    r"^<!-- setup\n(?P<setup>.*?)^-->$"
    r"|^<!-- (?P<file>\w+\.py) -->$"
    r"|^<!-- needs: (?P<needs>\w+) -->$"
    r"|^(?P<fence>```+)(?P<language>\w*)\n(?P<code>.*?)^(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)


@dataclass
class Block:
    """A code block, or hidden code."""

    kind: str  # its language, or "setup"
    code: str
    line: int
    file: str | None = None
    needs: str | None = None
    directly: bool = False  # nothing but empty lines between it and the block before


@dataclass
class Page:
    """A page, and the names that its blocks have defined so far."""

    path: Path
    folder: Path  # in which commands run
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self) -> None:
        """Run all blocks."""
        result = blocks(self.path.read_text(encoding="utf-8"))
        for number, block in enumerate(result):
            if block.needs and not importlib.util.find_spec(block.needs):
                continue
            after = result[number + 1] if number + 1 < len(result) else None
            says = after.code if after and after.kind == "text" and after.directly else None
            if block.file:
                (self.folder / block.file).write_text(block.code, encoding="utf-8")
            elif block.kind in ("python", "setup"):
                self._python(block, says)
            elif block.kind == "pycon":
                self._doctest(block)
            elif block.kind == "console":
                self._command(block)
            else:
                assert block.kind in RUN | SHOWN, f"{self.location(block)}: what is {block.kind}?"

    def location(self, block: Block) -> str:
        return f"{self.path.relative_to(ROOT)}:{block.line}"

    def _python(self, block: Block, says: str | None) -> None:
        # As many empty lines before it as the page has, so that tracebacks name the page's lines.
        code = compile("\n" * block.line + block.code, str(self.path), "exec")
        printed = io.StringIO()
        error = None
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, self.names)
        except Exception as raised:
            if says is None:
                raise
            error = raised
        if says is not None:
            shown = printed.getvalue() + (_last_line(error) if error is not None else "")
            assert compared(shown) == compared(says), f"{self.location(block)} gives:\n{shown}"

    def _doctest(self, block: Block) -> None:
        location = self.location(block)
        parser = doctest.DocTestParser()
        example = parser.get_doctest(block.code, self.names, location, str(self.path), block.line)
        example.globs = self.names
        report: list[str] = []
        results = doctest.DocTestRunner().run(example, out=report.append, clear_globs=False)
        assert results.attempted, f"{location}: no example"
        assert not results.failed, "".join(report)

    def _command(self, block: Block) -> None:
        first, _, printed = block.code.partition("\n")
        words = first.removeprefix("$ ").split()
        command = {"gradtape": ["-m", "gradtape"], "python": []}[words[0]] + words[1:]
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        shown = compared(done.stdout.replace(f"{self.folder}{os.sep}", ""))
        expected = compared(printed)
        if " µs" in printed:  # lines are in the order of their times
            shown, expected = sorted(shown), sorted(expected)
        assert shown == expected, f"{self.location(block)} prints:\n{done.stdout}"


def blocks(text: str) -> list[Block]:
    """Return the blocks of a page in order."""
    result: list[Block] = []
    file = needs = None
    end = 0
    for part in PART.finditer(text):
        between, end = text[end : part.start()], part.end()
        if part["file"]:
            file = part["file"]
        elif part["needs"]:
            needs = part["needs"]
        else:
            line = text.count("\n", 0, part.start()) + 1
            hidden = part["setup"] is not None
            kind = "setup" if hidden else part["language"]
            code = part["setup"] if hidden else part["code"]
            result.append(Block(kind, code, line, file, needs, not between.strip()))
            file = needs = None
    return result


def compared(text: str) -> list[list[str]]:
    """The words of each line: without times (and so the widths of columns), with four digits."""
    text = re.sub(r"[\d.]+ (µs|ms|s)\b", "TIME", text)
    text = re.sub(r"\d+\.\d{4,}", lambda number: f"{float(number[0]):.4g}", text)
    lines = [[w for w in line.split() if set(w) != {"-"}] for line in text.splitlines()]
    return [line for line in lines if line]


def _last_line(error: Exception) -> str:
    """How a traceback ends: the name of the error, with its module, and its text."""
    kind = type(error)
    module = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}: {error}"
