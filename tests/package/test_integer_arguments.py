"""Public functions do not call int() on what a program passes: static_int says what is wrong.

int() raises OverflowError for infinity, reads texts of digits, and knows no tensors.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

API = Path(__file__).parents[2] / "src/gradtape/api"
PYTHON = sorted(API.rglob("*.py"))
EXPORTS = {"export", "numpy_name"}


def is_public(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Name)
        and decorator.func.id in EXPORTS
        for decorator in function.decorator_list
    )


def bare_conversions(source: str) -> list[int]:
    """Lines of public functions that call int() on a parameter, its items, or its static value."""
    result = []
    for function in ast.walk(ast.parse(source)):
        if not (isinstance(function, ast.FunctionDef) and is_public(function)):
            continue
        given = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
        given |= items_of(given, function)
        for node in ast.walk(function):
            match node:
                case ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=name)]) if name in given:
                    result.append(node.lineno)
                case ast.Call(
                    func=ast.Name(id="int"),
                    args=[
                        ast.Call(
                            func=ast.Name(id="static_value") | ast.Attribute(attr="static_value")
                        )
                    ],
                ):
                    result.append(node.lineno)
    return result


def items_of(given: set[str], function: ast.FunctionDef) -> set[str]:
    """Names in comprehensions that stand for the items of a parameter, or of its static value."""
    result = set()
    for node in ast.walk(function):
        match node:
            case ast.comprehension(target=ast.Name(id=item), iter=ast.Name(id=name)):
                result |= {item} if name in given else set()
            case ast.comprehension(
                target=ast.Name(id=item),
                iter=ast.Call(
                    func=ast.Name(id="static_value") | ast.Attribute(attr="static_value")
                ),
            ):
                result.add(item)
    return result


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(API)))
def test_public_functions_convert_integers_with_static_int(path):
    assert not bare_conversions(path.read_text(encoding="utf-8"))


def test_a_bare_conversion_is_found():
    wrong = '@export("f")\ndef f(k):\n    n = int(k)\n    return int(static_value(k)) + n\n'
    assert bare_conversions(wrong) == [3, 4]
    assert not bare_conversions(wrong.replace("@export", "@other"))
    assert not bare_conversions('@export("f")\ndef f(k):\n    return int(len(k))\n')
    items = '@export("f")\ndef f(k):\n    return [int(n) for n in k]\n'
    assert bare_conversions(items) == [3]
    assert bare_conversions(items.replace("in k", "in ops.static_value(k)")) == [3]
    assert not bare_conversions(items.replace("in k", "in other(k)"))
