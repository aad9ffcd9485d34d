"""Runs the cells of a notebook, and writes the notebook again with what they print and show."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import traceback
import uuid
from collections.abc import Callable
from types import ModuleType

from gradtape.cli import outputs as kept
from gradtape.cli.errors import program_frames
from gradtape.cli.notebook import Cell, NotebookError, compile_cell, read_cells, read_notebook
from gradtape.cli.outputs import CellOutputs


def run_notebook(path: str, main: ModuleType, output: str | None) -> None:
    """Execute the code cells in order; write the notebook to `output`, if given, as it is then."""
    notebook = read_notebook(path)
    cells = read_cells(notebook, path)
    if output is None:
        # Notebooks draw into the page: there is none, and no window is to wait for a click.
        os.environ.setdefault("MPLBACKEND", "Agg")
        main.__dict__["display"] = _print
        for cell in cells:
            _run(cell, main, _print)
        return
    targets = _prepare(notebook, path)
    os.environ.setdefault("MPLBACKEND", "module://gradtape.cli.figures")
    try:
        for count, (cell, target) in enumerate(zip(cells, targets, strict=True), 1):
            outputs = CellOutputs(count)
            target["execution_count"], target["outputs"] = count, outputs.items
            _run_kept(cell, main, outputs)
    finally:
        with open(output, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")


def _prepare(notebook: dict, path: str) -> list[dict]:
    """Return the code cells of the file itself, without outputs; the rest stays as it is."""
    if notebook.get("nbformat") != 4:
        raise NotebookError(
            f"{path} is in an old format (before 2015), whose outputs cannot be kept. Open and "
            "save it in Jupyter once, or leave out --output."
        )
    notebook.setdefault("metadata", {})
    minor = notebook.setdefault("nbformat_minor", 4)
    targets = []
    for cell in notebook["cells"]:
        cell.setdefault("metadata", {})
        if minor >= 5:
            cell.setdefault("id", uuid.uuid4().hex[:8])
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = None, []
            targets.append(cell)
    return targets


def _run_kept(cell: Cell, main: ModuleType, outputs: CellOutputs) -> None:
    """Run a cell whose outputs are kept, also those of a cell that fails."""
    main.__dict__["display"] = outputs.display
    if "IPython" in cell.source:
        _displaying(_display_running)
    kept.running = outputs
    try:
        with outputs.capturing():
            _run(cell, main, outputs.result)
            outputs.show_figures()
    except Exception as error:
        frames = program_frames(error.__traceback__)
        outputs.error(error, traceback.format_exception(type(error), error, frames))
        raise


def _run(cell: Cell, main: ModuleType, show) -> None:
    def report_line(line: int, text: str) -> None:
        if text.split() != ["%load_ext", "gradtape"]:  # which is what this command does
            print(f"gradtape run: {cell.name}:{line}: left out: {text}", file=sys.stderr)

    try:
        for code, shown in compile_cell(cell, report_line):
            value = eval(code, main.__dict__)
            if shown and value is not None:
                show(value)
    except ModuleNotFoundError as error:
        if error.name == "IPython":
            text = "the notebook asks for a part of Jupyter: pip install ipython"
            print(f"gradtape run: {cell.name}: {text}", file=sys.stderr)
        raise


def _displaying(display: Callable[..., None]) -> None:
    """Let IPython's `display` show values as this command does: there is no kernel."""
    with contextlib.suppress(ImportError):
        for name in ("IPython.display", "IPython.core.display_functions"):
            importlib.import_module(name).__dict__["display"] = display


def _display_running(*values, **options) -> None:
    """Show values in the cell that is running: a function that was imported once serves all."""
    if kept.running is not None:
        kept.running.display(*values, **options)


def _print(*values, **options) -> None:
    """Print values, as a notebook without pictures does."""
    for value in values:
        print(repr(value))
