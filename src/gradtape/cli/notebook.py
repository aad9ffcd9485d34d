"""Notebooks: their code cells as pieces of Python, without the lines that only IPython knows."""

from __future__ import annotations

import ast
import json
import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType

# Cell magics that leave the rest of the cell what it was: Python.
TRANSPARENT = frozenset("capture prun time".split())
# `%time statement` runs the statement.
TIMED = re.compile(r"^(\s*)%time\s+(?=\S)")
SPECIAL = re.compile(r"^\s*([%!?]|[\w.]+\?{1,2}\s*$)|^\s*[\w, ]+=\s*[!%]")


class NotebookError(Exception):
    """A file that is not a notebook."""


@dataclass
class Cell:
    """One code cell. Messages show its name as that of a file."""

    name: str
    source: str


def read_notebook(path: str) -> dict:
    """Return the contents of a notebook file."""
    try:
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
    except UnicodeDecodeError:
        raise NotebookError(f"{path} is not a notebook: it is not text.") from None
    except ValueError as error:
        raise NotebookError(f"{path} is not a notebook: it is not JSON ({error}).") from None
    return notebook


def read_cells(notebook: dict, path: str) -> list[Cell]:
    """Return the code cells of a notebook, in order."""
    try:
        if "worksheets" in notebook:  # the format before 2015
            cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        else:
            cells = notebook["cells"]
        sources = [
            cell["source"] if "source" in cell else cell["input"]
            for cell in cells
            if cell["cell_type"] == "code"
        ]
    except (KeyError, TypeError):
        raise NotebookError(f"{path} is not a notebook: it has no cells.") from None
    return [
        Cell(f"{path}[cell {number}]", source if isinstance(source, str) else "".join(source))
        for number, source in enumerate(sources, 1)
    ]


def python_of(source: str, report: Callable[[int, str], None]) -> str:
    """Return a cell's Python. What is left out becomes `pass`, so that lines keep their numbers.

    `report` is called with the number and the text of each line left out.

    `%` begins a line of ordinary Python as well, in the middle of an expression; so lines are left
    out only if the cell cannot be compiled with them.
    """
    lines = source.splitlines()
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines and lines[first].startswith("%%"):
        magic = lines[first][2:].split()[:1]
        report(first + 1, lines[first])
        if not magic or magic[0] not in TRANSPARENT:
            return ""
        lines[first] = ""
    while True:
        text = "\n".join(lines) + "\n"
        try:
            ast.parse(text)
        except SyntaxError as error:
            at = _special_line(lines, (error.lineno or 1) - 1)
            if at is None:
                return text  # an error of the program's: compiling will say which
            _leave_out(lines, at, report)
        else:
            return text


def _special_line(lines: list[str], reported: int) -> int | None:
    """Return the line to leave out: where Python stopped, or the first that is not Python."""
    if reported < len(lines) and SPECIAL.match(lines[reported]):
        return reported
    return next((i for i, line in enumerate(lines) if SPECIAL.match(line)), None)


def _leave_out(lines: list[str], at: int, report: Callable[[int, str], None]) -> None:
    timed = TIMED.match(lines[at])
    if timed:
        lines[at] = timed.group(1) + lines[at][timed.end() :]
        return
    report(at + 1, lines[at].strip())
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    continued = lines[at].endswith("\\")
    lines[at] = indent + "pass"
    while continued and at + 1 < len(lines):
        at += 1
        continued = lines[at].endswith("\\")
        lines[at] = ""


def compile_cell(cell: Cell, report: Callable[[int, str], None]) -> Iterator[tuple[CodeType, bool]]:
    """Yield the code of a cell, and whether it is its last expression, whose value is shown."""
    text = python_of(cell.source, report)
    # For tracebacks, which show lines of source.
    linecache.cache[cell.name] = (len(text), None, text.splitlines(True), cell.name)
    syntax = ast.parse(text, cell.name)
    last = syntax.body[-1] if syntax.body else None
    last_value = None
    if isinstance(last, ast.Expr) and not text.rstrip().endswith(";"):
        last_value = ast.Expression(last.value)
        syntax.body.pop()
    yield compile(syntax, cell.name, "exec", dont_inherit=True), False
    if last_value is not None:
        yield compile(last_value, cell.name, "eval", dont_inherit=True), True
