"""The tables of equivalents: what stands in the column of gradtape runs."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import ROOT, Page

PAGES = [ROOT / "docs" / "migration" / f"{name}.md" for name in ("pytorch", "jax")]


def cells(text: str) -> list[str]:
    """The code in the second column of every table whose second heading is gradtape."""
    result: list[str] = []
    inside = False
    for line in text.splitlines():
        columns = [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not columns:
            inside = False
        elif inside and not set(line) <= set("|-"):
            result += re.findall(r"`([^`]+)`", columns[1])
        inside |= len(columns) > 1 and columns[1] == "gradtape"
    return result


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_equivalents_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = Page(path, tmp_path)
    page.run()
    page.names["gradtape"] = __import__("gradtape.testing")
    codes = cells(path.read_text(encoding="utf-8"))
    assert len(codes) > 30
    failed = []
    for code in codes:
        try:
            exec(code, dict(page.names))
        except Exception as error:
            failed.append(f"{code}: {type(error).__name__}: {error}")
    assert not failed, "\n".join(failed)
