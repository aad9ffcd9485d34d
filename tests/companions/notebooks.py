"""Notebooks cell by cell, here and on TensorFlow: what each prints, and which errors it raises.

    python tests/companions/notebooks.py --tensorflow PYTHON --gradtape PYTHON NOTEBOOK.ipynb ...

TensorFlow's guides (a checkout of its repository of docs) are what this is for: programs that most
people read first. Lines for the shell are left out; an error ends a cell, not the notebook. Numbers
count as equal to four digits, and times, addresses and progress bars are not compared.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import io
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")
_IGNORED = re.compile(
    r"0x[0-9a-f]+|\d+(?:\.\d+)?(?:ms|s|us)/(?:step|epoch)|\d+s \d+|[━\x08]|\x1b\[[0-9;]*m", re.I
)
_LIMIT = 600  # seconds for a notebook


def sources(notebook: Path) -> list[str]:
    """Return the code of the cells, without the lines for the shell."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [re.sub(r"^(\s*)[!%].*$", r"\1pass", source, flags=re.M) for source in code]


def run(notebook: Path, output: Path) -> None:
    """Run the cells of a notebook in this process, and write what each printed and raised."""
    names: dict[str, Any] = {"__name__": "__main__", "display": print}
    results = []
    for index, source in enumerate(sources(notebook)):
        name = f"<cell {index}>"
        # AutoGraph reads the source of functions.
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        printed, error = io.StringIO(), None
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            try:
                _run_cell(source, name, names)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        results.append({"printed": printed.getvalue(), "error": error})
        output.write_text(json.dumps(results), encoding="utf-8")


def _run_cell(source: str, name: str, names: dict[str, Any]) -> None:
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        if value is not None:
            print(repr(value))


def alike(one: str, other: str) -> bool:
    """Return whether two texts are the same, but for digits that rounding may change."""
    texts = [_IGNORED.sub("", text) for text in (one, other)]
    words = [_NUMBER.sub("#", text).split() for text in texts]
    numbers = [list(map(float, _NUMBER.findall(text))) for text in texts]
    return (
        words[0] == words[1]
        and len(numbers[0]) == len(numbers[1])
        and all(
            abs(a - b) <= 2e-4 * max(1e-3, abs(a), abs(b)) for a, b in zip(*numbers, strict=True)
        )
    )


def _results(command: list[str], notebook: Path) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "results.json")
        arguments = [str(Path(__file__).resolve()), "--run", str(notebook.resolve()), str(output)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [*command, *arguments],
                cwd=folder,
                env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "Agg"},
                capture_output=True,
                timeout=_LIMIT,
                check=False,
            )
        return json.loads(output.read_text(encoding="utf-8")) if output.exists() else []


def compare(notebook: Path, theirs: list[dict], ours: list[dict]) -> int:
    """Print the cells that differ; return how many there are."""
    different = abs(len(theirs) - len(ours))
    for index, (one, other) in enumerate(zip(theirs, ours, strict=False)):
        kinds = [(each["error"] or "").partition(":")[0] for each in (one, other)]
        if kinds[0] == kinds[1] and alike(one["printed"], other["printed"]):
            continue
        different += 1
        print(f"{notebook.name}, cell {index}: {one['error']} | {other['error']}")
        lines = [each["printed"].splitlines() for each in (one, other)]
        print(*list(difflib.unified_diff(*lines, "TensorFlow", "gradtape", n=0))[2:12], sep="\n")
    ended = sum(each["error"] is not None for each in theirs)  # such cells prove little
    counts = f"{len(theirs)} cells on TensorFlow ({ended} in an error), {len(ours)} here"
    print(f"{notebook.name}: {counts}, {different} differ")
    return different


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run", nargs=2, type=Path, metavar=("NOTEBOOK", "OUTPUT"))
    parser.add_argument("--tensorflow", metavar="PYTHON", help="path of an interpreter")
    parser.add_argument("--gradtape", metavar="PYTHON", default=sys.executable)
    parser.add_argument("notebooks", nargs="*", type=Path)
    options = parser.parse_args()
    if options.run:
        run(*options.run)
        return
    there, here = (os.path.abspath(each) for each in (options.tensorflow, options.gradtape))
    for notebook in options.notebooks:
        theirs = _results([there], notebook)
        compare(notebook, theirs, _results([here, "-m", "gradtape", "run"], notebook))


if __name__ == "__main__":
    main()
