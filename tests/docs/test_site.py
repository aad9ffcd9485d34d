"""The parts of the site's builder that need no generator: docstrings, links, contents, checks."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT
from tools.site import pages, result
from tools.site.docstrings import markdown, summary

DOCSTRING = """Compute a*b of x_1 and `y_2`, [not a link](x).

    More in **bold** words; 3 < 4.

    Args:
      x: A tensor,
        on two lines.
      *rest: More of them.

    Returns:
      A tensor.

    >>> f(1)
    2

    * one
    * two
      lines
    """


def test_docstrings_become_markdown():
    parts = markdown(DOCSTRING).split("\n\n")
    assert parts == [
        r"Compute a\*b of x\_1 and `y_2`, \[not a link\](x).",
        r"More in **bold** words; 3 \< 4.",
        "**Args**",
        "* `x`: A tensor, on two lines.\n* `*rest`: More of them.",
        "**Returns**",
        "A tensor.",
        "```pycon\n>>> f(1)\n2\n```",
        "* one\n* two lines",
    ]


@pytest.mark.parametrize(
    ("line", "escaped"), [("- x", r"\- x"), ("1. x", r"1\. x"), ("=== x", r"\=== x")]
)
def test_a_paragraph_does_not_become_something_else(line, escaped):
    assert markdown(f"Words\n{line}") == f"Words\n{escaped}"


def test_summaries_are_the_first_sentence():
    assert summary("Return x (0.5 of it). More.") == "Return x (0.5 of it)."
    assert summary("No dot\nover lines\n\nMore.") == "No dot over lines"
    assert summary(None) == ""


def test_links_lead_to_pages_of_the_site(tmp_path):
    root, source = tmp_path / "root", tmp_path / "source"
    for name, text in {
        "docs/README.md": "# Home\n\n## Guides\n\n* [One](one.md): first\n",
        "docs/one.md": (
            "[home](README.md) [code](../src/a.py#L-3) [notes](../bench/README.md#x)\n"
            "[folder](../bench) [far](https://x.org)\nIn words. <!-- site: plot -->\n"
            "```text\n[no link](../nowhere.md)\n```\n"
        ),
        "src/a.py": "",
        "bench/README.md": "# Notes",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    pages.write(root, source, {"plot": "A PLOT"})
    one = (source / "one.md").read_text(encoding="utf-8")
    assert "[home](index.md) [code](source:src/a.py#L-3)" in one
    assert "[notes](repository/bench/README.md#x)\n[folder](repository/bench/README.md)" in one
    assert "[far](https://x.org)\nA PLOT\n" in one
    assert "[no link](../nowhere.md)" in one
    home = (source / "index.md").read_text(encoding="utf-8")
    assert home.endswith("```{toctree}\n:hidden:\n:caption: Guides\n\nOne <one>\n```\n")
    (root / "docs" / "one.md").write_text("[gone](gone.md)", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"docs/one\.md links to gone\.md, which does not"):
        pages.write(root, source, {})


def test_inserts_of_pages_are_known():
    actual = {
        name
        for path in (ROOT / "docs").rglob("*.md")
        for name in pages.INSERT.findall(path.read_text(encoding="utf-8"))
    }
    charts = {"chart-steps", "chart-start", "chart-memory", "chart-keras"}
    assert actual == {"reference", "gallery", *charts}


def test_faults_of_a_site_are_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="other.html#here">x</a><a href="other.html#gone">x</a><a href="none.html">x</a>'
        '<script src="https://x.org/a.js"></script><a href="https://x.org">far</a>'
    )
    (tmp_path / "other.html").write_text('<p id="here"></p><a href="./">home</a>')
    (tmp_path / "a.css").write_text("@import url(https://x.org/a.css)")
    assert sorted(result.faults(tmp_path)) == [
        "a.css loads something from the network",
        "index.html links to none.html, which does not exist",
        "index.html links to other.html#gone, where there is no such anchor",
        "index.html loads https://x.org/a.js from the network",
    ]
