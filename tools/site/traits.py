"""What the derivative rules of a public function can do, and where they are written."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from gradtape.backends.native.extension import extension
from gradtape.backends.xla.kernels import REASONS
from gradtape.core.primitive import PRIMITIVES
from tools.evidence import Evidence
from tools.site.docstrings import inline

HEADING = "| reverse | forward | batched | XLA | native | rules |\n|---|---|---|---|---|---|\n"
MANY = 8  # rules that are named one by one


class Traits:
    """By public function, from the primitives that it goes through."""

    def __init__(self, root: Path, evidence: Evidence) -> None:
        self._evidence = evidence
        self._native = set(extension.kernel_names()) if extension is not None else set()
        self._locations = _locations(root)

    def table(self, name: str, function: Any) -> str:
        """Return the columns of a function as a table; nothing where no case shows them."""
        _, reverse, forward, batched, _ = self._evidence.cells(function)
        if reverse != "yes":
            return _no_derivative(name.rpartition(".")[2])
        names = sorted(self._evidence.primitives(function))
        on_host = [name for name in names if name in REASONS]
        native = [name for name in names if name in self._native]
        xla = f"host: {', '.join(f'`{n}`' for n in on_host)}" if on_host else "yes"
        counted = f"{len(native)} of {len(names)}"
        cells = [reverse, forward, batched, xla, counted, self._rules(names)]
        return f"{HEADING}| {' | '.join(cells)} |"

    def _rules(self, names: list[str]) -> str:
        known = [f"[{n}](source:{self._locations[n]})" for n in names if n in self._locations]
        more = f" and {len(known) - MANY} others" if len(known) > MANY else ""
        return ", ".join(known[:MANY]) + more


def _no_derivative(name: str) -> str:
    """Return why a primitive of that name has no derivative, and what to use instead."""
    primitive = PRIMITIVES.get(name)
    if primitive is None or primitive.no_derivative is None:
        return ""
    remedy = f" {primitive.remedy}" if primitive.remedy else ""
    return inline(f"No derivative: {primitive.no_derivative}.{remedy}")


def _locations(root: Path) -> dict[str, str]:
    """Return file and line of the block of each primitive: `sin = unary("sin", …)`."""
    locations: dict[str, str] = {}
    folder = root / "src" / "gradtape"
    for file in sorted([*folder.glob("ops/*.py"), *folder.glob("graph/**/*.py")]):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            call = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                name = call.args[0].value
                if isinstance(name, str):
                    position = f"{file.relative_to(root).as_posix()}#L-{node.lineno}"
                    locations.setdefault(name, position)
    return locations
