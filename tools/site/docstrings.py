"""Docstrings as Markdown: paragraphs, lists, `code`, sections such as `Args:`, and examples.

Docstrings are written for `help()`. Whatever else Markdown would read into them (a star, a bracket)
is escaped, so that a docstring cannot break the site.
"""

from __future__ import annotations

import inspect
import re

SECTION = re.compile(r"(Args|Arguments|Returns|Raises|Yields|Attributes|Example|Examples|Notes?):")
ITEM = re.compile(r"(\*{0,2}\w[\w, *.]*?)(?: \([^)]*\))?: (.*)", re.DOTALL)
CODE = re.compile(r"(``[^`]+``|`[^`\n]+(?:\n[^`\n]+)?`|\*\*\w[^*\n]*\*\*)")
SPECIAL = re.compile(r"([\\*_\[\]<>{}|~$#])")


def markdown(text: str | None) -> str:
    """Return a docstring as Markdown."""
    parts: list[str] = []
    for block in _blocks(inspect.cleandoc(text or "")):
        parts += _block(block)
    return "\n\n".join(part for part in parts if part)


def summary(text: str | None) -> str:
    """Return the first sentence of a docstring as one line of Markdown."""
    first = inspect.cleandoc(text or "").split("\n\n")[0].replace("\n", " ")
    sentence = re.match(r".*?(?<!\d)[.](?=\s|$)", first)
    return inline((sentence[0] if sentence else first).rstrip(":"))


def inline(text: str) -> str:
    """Escape what Markdown would take for marks, except for `code` and **bold** words."""
    parts = CODE.split(text)
    return "".join(p if i % 2 else SPECIAL.sub(r"\\\1", p) for i, p in enumerate(parts))


def _blocks(text: str) -> list[str]:
    """Split at empty lines; indented code and an example with its output stay whole."""
    return [block.strip("\n") for block in re.split(r"\n[ \t]*\n", text) if block.strip()]


def _block(block: str) -> list[str]:
    lines = block.splitlines()
    heading = SECTION.fullmatch(lines[0].strip())
    if heading:
        return [f"**{heading[1]}**", *(_section(lines[1:]) if lines[1:] else [])]
    if lines[0].lstrip().startswith(">>> "):
        return [_fence("pycon", block)]
    if all(line.startswith("    ") or not line for line in lines):
        items = [line for line in lines if ITEM.match(line.strip())]
        return _section(lines) if items and lines[0] in items else [_fence("text", block)]
    for number, line in enumerate(lines):
        if line.lstrip().startswith(">>> "):  # an example right after a sentence
            return [*_block("\n".join(lines[:number])), _fence("pycon", "\n".join(lines[number:]))]
    if re.match(r"(?:[*-]|\d+\.) ", lines[0]):
        return [_list(lines)]
    return [_quiet("\n".join(lines))]


def _section(lines: list[str]) -> list[str]:
    """Return the items of a section as a list, or its sentences as a paragraph."""
    text = inspect.cleandoc("\n".join(lines))
    if text.startswith(">>> "):
        return [_fence("pycon", text)]
    items: list[str] = re.split(r"\n(?=\S)", text)
    matches = [ITEM.fullmatch(item) for item in items]
    if not all(matches):
        return [_quiet(text)]
    rows = []
    for match in matches:
        assert match is not None
        words = " ".join(match[2].split())
        rows.append(f"* `{match[1].strip()}`: {inline(words)}")
    return ["\n".join(rows)]


def _list(lines: list[str]) -> str:
    items: list[str] = []
    for line in lines:
        mark = re.match(r"(?:[*-]|\d+\.) ", line)
        if mark:
            items.append(line[mark.end() :])
        else:
            items[-1] += " " + line.strip()
    return "\n".join(f"* {inline(item)}" for item in items)


def _quiet(text: str) -> str:
    """Return a paragraph, none of whose lines begins a list or underlines a heading."""
    lines = [inline(line.strip()) for line in text.splitlines()]
    return "\n".join(re.sub(r"^(\d*)([-+=.)])", r"\1\\\2", line) for line in lines)


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{inspect.cleandoc(text)}\n```"
