"""Runs the examples of the gallery, with their pictures, and writes a page for each."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import re
import sys
from pathlib import Path

from tools.site import drawing

HELPER = "picture"
SIZE = (8, 3.6)


def write(root: Path, source: Path) -> str:
    """Write the pages and pictures; return the cards for the page of the gallery."""
    listed = (root / "docs" / "gallery.md").read_text(encoding="utf-8")
    names = re.findall(r"^\| \[(\w+)\.py\]", listed, re.MULTILINE)
    folder = root / "examples" / "gallery"
    sys.path.insert(0, str(folder))
    (source / "gallery").mkdir(parents=True)
    titles = {name: _page(folder / f"{name}.py", source / "gallery") for name in names}
    cards = [
        f'<a class="card" href="gallery/{name}.html">'
        f"{drawing.tags(f'gallery/{name}', title)}<span><b>{title}:</b> {rest}</span></a>"
        for name, (title, rest) in titles.items()
    ]
    tree = ["```{toctree}", ":hidden:", "", *(f"gallery/{name}" for name in names), "```"]
    return "\n".join(['<div class="cards">', *cards, "</div>", "", *tree, ""])


def _page(file: Path, folder: Path) -> tuple[str, str]:
    """Run an example, write its page, and return its title, and what it is about."""
    module = importlib.import_module(file.stem)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = module.main()
    picture = f"gallery/{file.stem}"
    drawing.save(picture, lambda figure: module.draw(figure, result), SIZE)
    source = file.read_text(encoding="utf-8")
    first, _, text = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
    title, _, rest = first.replace("`", "").rstrip(".").partition(": ")
    code = source.partition('"""\n\n')[2]
    # What is copied from the page runs without the helper.
    code = code.replace(f"from {HELPER} import run\n", "").replace("run(main, draw)", "main()")
    parts = [
        f"# {title}",
        f"{rest[0].upper()}{rest[1:]}. {text}",
        drawing.tags(picture, title, "../"),
        f"```text\n{printed.getvalue()}```",
        f"```python\n{code}```",
        f"The program: [{file.name}](source:examples/gallery/{file.name}). There, "
        f"[{HELPER}.py](source:examples/gallery/{HELPER}.py) runs it and draws the picture.",
    ]
    (folder / f"{file.stem}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return title, rest
