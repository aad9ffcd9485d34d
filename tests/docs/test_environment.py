"""docs/environment.md lists all environment variables that the source reads or sets."""

from __future__ import annotations

import ast
import re

from tests.docs.blocks import ROOT

SOURCE = ROOT / "src"
PAGE = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{7,}(?<!_)|OMPI_\w+")
# Statuses and options in modules that also know the environment.
OTHER_WORDS = {"DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"}


def in_python() -> set[str]:
    """The words in capitals of the modules that know of the environment."""
    result: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        result |= set(re.findall(r'"(GRADTAPE_[A-Z_]+[A-Z])"', text))
        if not re.search(r"\benviron(ment)?\b[.\[:]|os\.environ|[vV]ariable: str", text):
            continue
        constants = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
        result |= {c for c in constants if isinstance(c, str) and VARIABLE.fullmatch(c)}
    return result - OTHER_WORDS


def in_cpp() -> set[str]:
    """The words in capitals near a call of getenv."""
    result: set[str] = set()
    for file in SOURCE.rglob("*.cpp"):
        for part in re.findall(r"(?:[^\n]*\n){3}[^\n]*getenv[^\n]*", file.read_text("utf-8")):
            result |= set(re.findall(r'"([A-Z][A-Z0-9_]{7,})"', part))
    return result


def test_the_page_lists_what_the_source_reads():
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert listed == in_python() | in_cpp()
