"""Names are in the words of the field: those of a dialect that once grew here do not come back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("src", "bench", "tests", "tools", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if ".egg-info" not in str(path) and path != Path(__file__)
)
# What each stood for: the name to take says which.
DIALECT = {
    "found": "result, matches, gradients, index",
    "place": "index, position, location, device, buffer",
    "places": "indices, positions, locations, devices, buffers",
    "settled": "materialized, placed on its device",
    "told": "notified, warned",
    "quick": "fast path of what",
    "twice": "float64",
}
PREFIXES = {"most": "MAX", "fewest": "MIN"}
NATIVE = sorted(
    path for path in (ROOT / "src" / "native").rglob("*") if path.suffix in (".cpp", ".h", ".def")
)
# What is no name in a file of C++: comments and texts.
NO_NAMES = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')
BRITISH = re.compile(
    r"colour|grey|behaviour|neighbour|(optim|normal|initial|serial|special|recogn|summar|vector)is[ei]"
)


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of all variables, attributes, parameters, functions and classes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def foreign_names(source: str) -> list[str]:
    """Return the names of a module that need translating, with what to call them."""
    wrong = []
    for line, name in bound_names(ast.parse(source)):
        word = name.strip("_").lower()
        if word in DIALECT:
            wrong.append(f"line {line}: {name} (rather: {DIALECT[word]})")
        for prefix, usual in PREFIXES.items():
            if name.isupper() and word.split("_")[0] == prefix:
                wrong.append(f"line {line}: {name} (rather: {usual}_…)")
        if BRITISH.search(word):
            wrong.append(f"line {line}: {name} is not American")
    return wrong


def foreign_native_names(source: str) -> list[str]:
    """Return the names in C++ that need translating, whoever binds them."""
    wrong = []
    for name in sorted(set(re.findall(r"[A-Za-z_]\w*", NO_NAMES.sub("", source)))):
        word = name.strip("_").lower()
        prefix = word.split("_")[0]
        if word in DIALECT:
            wrong.append(f"{name} (rather: {DIALECT[word]})")
        if prefix in PREFIXES and "_" in word:
            wrong.append(f"{name} (rather: {PREFIXES[prefix].lower()}_…)")
        if BRITISH.search(word):
            wrong.append(f"{name} is not American")
    return wrong


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_in_c_need_no_translation(path):
    assert not foreign_native_names(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("source", ["auto found = 1;", "Place x_;", "constexpr int MOST_ROWS = 3;"])
def test_a_name_of_the_dialect_in_c_is_noticed(source):
    assert foreign_native_names(source)
    assert not foreign_native_names(f'// {source}\nf("{source}");')


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_need_no_translation(path):
    assert not foreign_names(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "def _place(x): ...",
        "def f(places): ...",
        "self.told = True",
        "_MOST_ROWS = 3",
        "FEWEST = 3",
        "class Quick: ...",
        "colour_map = {}",
        "try: ...\nexcept ValueError as found: ...",
    ],
)
def test_a_name_of_the_dialect_is_noticed(source):
    assert foreign_names(source)
