"""A Sphinx extension: links `source:path#L12` lead to a page with that file, and names to the API.

Everything is on the site itself: a reader needs neither a network nor a checkout.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from tools.site import ROOT

SCHEME = "source:"
NAME = re.compile(r"((?:tf|gradtape)(?:\.\w+)+)(?:\(.*\))?")
_needed: set[str] = set()  # files of the repository that some page links to


class Links(SphinxPostTransform):
    """Resolves links to files, and makes links of names of the API in inline code."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        here = self.env.docname
        for reference in list(self.document.findall(nodes.reference)):
            target = reference.get("refuri", "")
            if target.startswith(SCHEME):
                path, _, anchor = target.removeprefix(SCHEME).partition("#")
                _needed.add(path)
                uri = self.app.builder.get_relative_uri(here, _page(path))
                reference["refuri"] = uri + (f"#{anchor}" if anchor else "")
        for literal in list(self.document.findall(nodes.literal)):
            known = _known(self.app, literal.astext())
            if known and not _is_linked(literal):
                page, anchor = known
                uri = self.app.builder.get_relative_uri(here, page)
                link = nodes.reference("", "", internal=True, refuri=f"{uri}#{anchor}")
                link["classes"].append("api-name")
                literal.replace_self(link)
                link += literal


def _is_linked(node: nodes.Node) -> bool:
    around = node.parent
    while around is not None:
        if isinstance(around, nodes.reference | nodes.title):
            return True
        around = around.parent
    return False


def _known(app: Sphinx, text: str) -> tuple[str, str] | None:
    """Return page and anchor of a name such as `tf.math.sin(x)`."""
    names = app.config.api_names
    match = NAME.fullmatch(text)
    if not match:
        return None
    position = names.get(match[1].partition(".")[2])
    return (position[0], position[1]) if position else None


def _page(path: str) -> str:
    return f"files/{path.rstrip('/')}"


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for every file that is linked to."""
    for path in sorted(_needed):
        file = ROOT / path
        body = _listing(file) if file.is_dir() else _code(file)
        title = html.escape(path)
        context = {"title": path, "parents": [], "body": f"<h1>{title}</h1>{body}"}
        yield _page(path), context, "page.html"


def _listing(folder: Path) -> str:
    names = sorted(p.name + "/" * p.is_dir() for p in folder.iterdir() if p.name[0] not in "._")
    return "<ul>" + "".join(f"<li><code>{html.escape(n)}</code></li>" for n in names) + "</ul>"


def _code(file: Path) -> str:
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = TextLexer()
    formatter = HtmlFormatter(linenos="inline", lineanchors="L", linespans="line")
    text = highlight(file.read_text(encoding="utf-8"), lexer, formatter)
    return f'<div class="highlight-source notranslate">{text}</div>'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.add_config_value("api_names", {}, "env")
    app.add_post_transform(Links)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def read_names(source: Path) -> dict[str, list[str]]:
    """Return page and anchor of each public name, as the reference has written them."""
    return json.loads((source / posixpath.join("reference", "names.json")).read_text("utf-8"))
