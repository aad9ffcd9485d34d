"""The examples in the README run and print what it says."""

import doctest
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"^```pycon\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_readme_has_examples():
    assert len(BLOCKS) >= 5


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example(number):
    # Each block stands on its own, but for the import in the first.
    source = "\n".join([">>> import gradtape as tf", BLOCKS[number]])
    example = doctest.DocTestParser().get_doctest(source, {}, f"README {number}", None, None)
    report: list[str] = []
    results = doctest.DocTestRunner().run(example, out=report.append)
    assert results.attempted > 1
    assert results.failed == 0, "".join(report)
