"""Finds the syntax tree of a function of the program."""

from __future__ import annotations

import ast
import functools
import linecache
import types

from gradtape.core.source_location import is_users_file, parse

FunctionNode = ast.FunctionDef | ast.Lambda


def is_users(code: types.CodeType) -> bool:
    """Return whether code is the user's, not that of a library."""
    return is_users_file(code.co_filename)


def tree_of(function: types.FunctionType) -> FunctionNode | None:
    """Return the syntax tree of a function, or None without source that matches its code."""
    code = function.__code__
    candidates = [
        node
        for node in _functions_in(code.co_filename).get(code.co_firstlineno, ())
        if _matches(node, code)
    ]
    if len(candidates) == 1:
        return candidates[0]
    columns = [
        (line, column)
        for line, _, column, _ in code.co_positions()
        if line is not None and column is not None and (line, column) != (code.co_firstlineno, 0)
    ]
    if not columns:
        return None
    for node in candidates:  # several lambdas on a line
        body = node.body if isinstance(node, ast.Lambda) else node
        end = (body.end_lineno, body.end_col_offset)
        if all((body.lineno, body.col_offset) <= position < end for position in columns):
            return node
    return None


def _matches(node: FunctionNode, code: types.CodeType) -> bool:
    arguments = node.args
    given = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    count = code.co_argcount + code.co_kwonlyargcount
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    return name == code.co_name and tuple(given) == code.co_varnames[:count]


@functools.lru_cache(maxsize=256)
def _parse(file: str, text: str) -> dict[int, list[FunctionNode]]:
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):  # not Python, or another Python's
        return {}
    functions: dict[int, list[FunctionNode]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *[each.lineno for each in node.decorator_list]])
            functions.setdefault(first, []).append(node)
        elif isinstance(node, ast.Lambda):
            functions.setdefault(node.lineno, []).append(node)
    return functions


def _functions_in(file: str) -> dict[int, list[FunctionNode]]:
    return _parse(file, "".join(linecache.getlines(file)))
