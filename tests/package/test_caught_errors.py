"""No error is caught, or cleared, that was not expected: not an interrupt, not a lack of memory."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
PYTHON = sorted(SOURCE.rglob("*.py"))
NATIVE = sorted([*SOURCE.rglob("*.cpp"), *SOURCE.rglob("*.h")])
BROAD = {"Exception", "BaseException", "KeyboardInterrupt", "SystemExit", "MemoryError"}


def names(node: ast.expr | None) -> set[str]:
    """The classes that an `except` or a `suppress` names; all, if it names none."""
    if node is None:
        return {"BaseException"}
    return {
        each.id if isinstance(each, ast.Name) else each.attr
        for each in ast.walk(node)
        if isinstance(each, (ast.Name, ast.Attribute))
    }


def always_raises(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Raise) and body[-1].exc is None


def broad_without_reason(source: str) -> list[int]:
    """Lines that catch all errors, do not raise them again, and do not say in a comment why."""
    lines = source.splitlines()
    result = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ExceptHandler() if names(node.type) & BROAD and not always_raises(node.body):
                first, last = node.lineno, node.body[0].lineno
            case ast.Call(func=ast.Attribute(attr="suppress") | ast.Name(id="suppress")) if (
                set().union(*map(names, node.args)) & BROAD
            ):
                first = last = node.lineno
            case _:
                continue
        if not any("#" in line for line in lines[first - 1 : last]):
            result.append(first)
    return result


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(SOURCE)))
def test_python_names_the_errors_that_it_catches(path):
    assert not broad_without_reason(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_native_code_clears_errors_in_one_place(path):
    """`expected_error` of errors.h, which is told what to expect."""
    if path.name != "errors.h":
        assert not re.search(r"PyErr_Clear|PyErr_SetRaisedException", path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("try: f()\nexcept: pass", 1),
        ("try: f()\nexcept Exception:\n    pass", 1),
        ("try: f()\nexcept (ValueError, BaseException):\n    pass", 1),
        ("try: f()\nexcept MemoryError:\n    pass", 1),
        ("with contextlib.suppress(Exception): f()", 1),
        ("try: f()\nexcept Exception:  # why\n    pass", 0),
        ("try: f()\nexcept Exception:\n    # why\n    pass", 0),
        ("try: f()\nexcept BaseException:\n    g()\n    raise", 0),
        ("try: f()\nexcept ValueError:\n    pass", 0),
        ("with contextlib.suppress(TypeError): f()", 0),
    ],
)
def test_the_check_itself(source, count):
    assert len(broad_without_reason(source)) == count
