"""A comment that silences a checker says which rule it means, and why."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("src", "tests", "tools", "bench")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__) and ".egg-info" not in str(path)
)


def bad_comments(line: str, is_source: bool) -> list[str]:
    """Return what is wrong with the comments of a line that silence a checker."""
    wrong = []
    if is_source and re.search(r"#\s*type:\s*ignore", line):
        wrong.append("pyright reads `pyright: ignore[rule] (reason)` only")
    if is_source and re.search(r"#\s*fmt:\s*(skip|off)", line):
        wrong.append("the formatter is off: write it in a form that ruff keeps")
    if re.search(r"#\s*pyright:\s*ignore(?!\[report\w+(, report\w+)*\] \(\S.*\))", line):
        wrong.append("`pyright: ignore` without [rule] (reason)")
    if re.search(r"#\s*(ruff: )?noqa(?!: [A-Z]+[0-9]+)", line):
        wrong.append("`noqa` without a code")
    return wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_checkers_are_silenced_with_rule_and_reason(path):
    is_source = path.is_relative_to(ROOT / "src")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert not {
        number: wrong
        for number, line in enumerate(lines, 1)
        if (wrong := bad_comments(line, is_source))
    }


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # type: ignore[assignment]",
        "x = 1  # pyright: ignore",
        "x = 1  # pyright: ignore[reportCallIssue]",
        "x = 1  # pyright: ignore (because)",
        "x = [1, 2]  # fmt: skip",
        "x = 1  # noqa",
        "x = 1  # noqa (because)",
    ],
)
def test_a_comment_without_rule_or_reason_is_found(line):
    assert bad_comments(line, True)
