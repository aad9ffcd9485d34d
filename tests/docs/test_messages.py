"""Messages that docs/faq.md quotes from the log are those of the source."""

from __future__ import annotations

import re

from tests.docs.blocks import ROOT


def test_messages_in_the_log_exist():
    page = (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")
    table = page.partition("## Messages in the log")[2].partition("\n## ")[0]
    quoted = re.findall(r"^\| \*([^*]+)\* \|", table, re.MULTILINE)
    assert len(quoted) >= 4
    source = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "src").rglob("*.py"))
    source = re.sub(r'"\s*f?"', "", source)  # texts over several lines
    source = re.sub(r"%[sd]|\{[^{}]*\}", " ", source)
    words = " ".join(source.split())
    parts = [part.strip(" /:GPU0") for text in quoted for part in text.split("…")]
    assert not [part for part in parts if part not in words]
