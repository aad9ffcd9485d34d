"""Every page: its code runs and prints what it says, its names exist, its links lead somewhere."""

from __future__ import annotations

import importlib
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import gradtape
from gradtape.cli import parser
from tests.docs.blocks import ROOT, SHOWN, Page, blocks

DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", *DOCS]
# Run on eight devices, by tests/distribute/devices.
ON_DEVICES = {"docs/distribute.md"}
GENERATED = {"docs/api_coverage.md"}  # names left-out functions, too
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
NAME = re.compile(r"(?<![\w./-])(?:tf|gradtape)((?:\.[A-Za-z_]\w*+)++)(?![/…-])")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_page = pytest.mark.parametrize("path", PAGES, ids=name_of)


@every_page
def test_the_code_runs(path, tmp_path, monkeypatch):
    if name_of(path) in ON_DEVICES:
        pytest.skip("tests/distribute/devices runs it, on eight devices")
    monkeypatch.chdir(tmp_path)
    Page(path, tmp_path).run()


def without_code(text: str) -> str:
    return re.sub(r"^(```+).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor that code hosts and the site give a heading."""
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return words.replace(" ", "-")


def anchors(path: Path) -> set[str]:
    text = without_code(path.read_text(encoding="utf-8"))
    return {slug(h) for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@every_page
def test_links_lead_somewhere(path):
    text = without_code(path.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        goal = (path.parent / file).resolve() if file else path
        assert goal.exists(), target
        if anchor:
            assert anchor in anchors(goal), target


def reached() -> set[Path]:
    """The pages that links from docs/README.md lead to, over any number of pages."""
    waiting, result = [ROOT / "docs" / "README.md"], set()
    while waiting:
        page = waiting.pop()
        if page in result or page.suffix != ".md" or ROOT / "docs" not in page.parents:
            continue
        result.add(page)
        text = without_code(page.read_text(encoding="utf-8"))
        waiting += [(page.parent / t.partition("#")[0]).resolve() for t in LINK.findall(text)]
    return result


def test_every_page_can_be_reached():
    assert reached() == set(DOCS)
    home = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert {name_of(p)[5:] for p in DOCS} <= {*LINK.findall(home), "README.md"}
    assert "(docs/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def resolves(path: str) -> bool:
    """Whether a dotted name leads to something: names, attributes of objects, modules."""
    here = gradtape
    done = "gradtape"
    *others, last = path.strip(".").split(".")
    for part in others:
        try:
            here = getattr(here, part)
        except AttributeError:
            try:
                here = importlib.import_module(f"{done}.{part}")
            except ImportError:
                return False
        done = f"{done}.{part}"
    if hasattr(here, last):
        return True
    # Not imported: importing `gradtape.tensorflow` changes the process.
    is_package = hasattr(here, "__path__")
    return is_package and importlib.util.find_spec(f"{done}.{last}") is not None


def mentioned(path: Path) -> set[str]:
    """The names of the package on a page, except in code that shows an error."""
    text = path.read_text(encoding="utf-8")
    result = blocks(text)
    shown = without_code(text)
    for number, block in enumerate(result):
        after = result[number + 1] if number + 1 < len(result) else None
        errs = after is not None and after.directly and re.match(r"[\w.]*Error: ", after.code)
        if block.kind not in SHOWN and not errs and not re.match(r"[\w.]*Error: ", block.code):
            shown += block.code
    return {name.rstrip(".") for name in NAME.findall(shown)}


@pytest.mark.parametrize("path", [p for p in PAGES if name_of(p) not in GENERATED], ids=name_of)
def test_every_name_exists(path):
    assert not sorted(name for name in mentioned(path) if not resolves(name))


def shell_lines(path: Path) -> list[str]:
    result = [b.code for b in blocks(path.read_text(encoding="utf-8")) if b.kind == "sh"]
    return [
        line.partition(" #")[0] for code in result for line in code.splitlines() if line.strip()
    ]


@every_page
def test_shell_commands_name_what_exists(path):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = set(settings["project"]["optional-dependencies"])
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    help_text = parser().format_help()
    for line in shell_lines(path):
        for asked in re.findall(r"(?:\.|gradtape)\[([\w,]+)\]", line):
            assert set(asked.split(",")) <= extras, line
        words = [w for w in line.split() if not re.match(r"[A-Z_]+=", w)]
        if words[0] == "make":
            assert words[1] in targets, line
        if words[0] == "gradtape":
            assert re.search(rf"^    {words[1]}\b", help_text, re.MULTILINE), line
