"""Copies the pages of `docs/` for Sphinx: links lead to pages of the site, inserts are filled in.

A link to a Markdown file elsewhere in the repository makes it a page, too; one to any other file
leads to a page with its text (`source:`, see `source_pages`).
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

LINK = re.compile(r"(?P<before>!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()(?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(`{3,})", re.MULTILINE)
INSERT = re.compile(r"^.*<!-- site: (\S+) -->$", re.MULTILINE)
FAR = ("http://", "https://", "mailto:", "#")
HOME = "README.md"  # of docs/: a code host shows it as the page of the folder


def write(root: Path, source: Path, inserts: dict[str, str]) -> None:
    """Write every page that can be reached."""
    waiting = [str(path.relative_to(root)) for path in sorted((root / "docs").rglob("*.md"))]
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        text, result = _linked(root, name, (root / name).read_text(encoding="utf-8"))
        waiting += result
        text = INSERT.sub(lambda insert: inserts[insert[1]], text)
        if name == f"docs/{HOME}":
            text += _contents(root)
        elif not name.startswith("docs/"):
            text = f"---\norphan: true\n---\n\n{text}"
        target = source / page(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def page(name: str) -> str:
    """Return where in Sphinx's folder a Markdown file of the repository goes."""
    if name == f"docs/{HOME}":
        return "index.md"
    return name.removeprefix("docs/") if name.startswith("docs/") else f"repository/{name}"


def prose(text: str) -> list[tuple[bool, str]]:
    """Return the parts of a page in order, each with whether it is prose (or else a code block)."""
    parts, at, closing = [], 0, None
    for fence in FENCE.finditer(text):
        if closing is None:
            parts.append((True, text[at : fence.start()]))
            at, closing = fence.start(), fence[1]
        elif fence[1] == closing and text[fence.end() : fence.end() + 1] in ("\n", ""):
            parts.append((False, text[at : fence.end()]))
            at, closing = fence.end(), None
    return [*parts, (closing is None, text[at:])]


def _linked(root: Path, name: str, text: str) -> tuple[str, list[str]]:
    """Return the text with links as the site has them, and the Markdown files they lead to."""
    result: list[str] = []

    def changed(link: re.Match[str]) -> str:
        if link["target"].startswith(FAR):
            return link[0]
        path, hash_, anchor = link["target"].partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if (root / target / HOME).exists():
            target = f"{target}/{HOME}"
        if not (root / target).exists():
            raise FileNotFoundError(f"{name} links to {link['target']}, which does not exist")
        example = re.fullmatch(r"examples/gallery/(\w+)\.py", target)
        if example:
            goal = f"gallery/{example[1]}.md"
        elif target.endswith(".md"):
            result.append(target)
            goal = page(target)
        else:
            return f"{link['before']}source:{target}{hash_}{anchor})"
        start = posixpath.dirname(page(name)) or "."
        return f"{link['before']}{posixpath.relpath(goal, start)}{hash_}{anchor})"

    parts = prose(text)
    return "".join(
        LINK.sub(changed, part) if is_prose else part for is_prose, part in parts
    ), result


def _contents(root: Path) -> str:
    """Return the site's table of contents: the sections of the home page, and what they link to."""
    text = (root / "docs" / HOME).read_text(encoding="utf-8")
    lines = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        caption, _, body = section.partition("\n")
        linked = re.findall(r"^\* \[([^\]]+)\]\(([\w/]+)\.md\)", body, re.MULTILINE)
        inside = [f"{title} <{name}>" for title, name in linked]
        if "<!-- site: reference -->" in body:
            inside.insert(0, "reference/index")
        if inside:
            lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *inside, "```"]
    return "\n".join(lines) + "\n"
