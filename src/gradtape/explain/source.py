"""Source locations in the user's program: file and line, the code there, and names in it."""

from __future__ import annotations

import ast
import functools
import itertools
import linecache
import os
import sys
from types import CodeType, FrameType

from gradtape.core.source_location import parse, user_frame


class SourceLocation:
    """An instruction of the user's program. The source is read when it is asked for."""

    __slots__ = ("_code", "_lasti", "layer")

    def __init__(self, code: CodeType, lasti: int, layer: str = "") -> None:
        self._code = code
        self._lasti = lasti
        # The layers that were being called, as "model/encoder/dense"; empty outside of all.
        self.layer = layer

    @property
    def file(self) -> str:
        """The file as the user would write it from here."""
        return short_path(self._code.co_filename)

    @property
    def function(self) -> str:
        return self._code.co_qualname

    @property
    def span(self) -> tuple[int, int, int | None, int | None]:
        """First line, last line, first column, column after the last."""
        return _span(self._code, self._lasti)

    @property
    def line(self) -> int:
        return self.span[0]

    @property
    def text(self) -> str:
        """The line of code, without its indentation; empty without source."""
        return linecache.getline(self._code.co_filename, self.line).strip()

    @property
    def expression(self) -> str:
        """The part of the line that was being computed, on one line."""
        first, last, start, stop = self.span
        if start is None or stop is None:
            return self.text
        lines = [linecache.getline(self._code.co_filename, n) for n in range(first, last + 1)]
        if not lines or not lines[0]:
            return ""
        if first == last:
            return _cut(lines[0], start, stop)
        parts = [_cut(lines[0], start, None), *lines[1:-1], _cut(lines[-1], 0, stop)]
        return " ".join(part.strip() for part in parts)

    def quote(self, indent: str = "    ") -> str:
        """Return the line of code with the computed part underlined; empty without source."""
        line = linecache.getline(self._code.co_filename, self.line).rstrip("\n")
        if not line.strip():
            return ""
        first, last, start, stop = self.span
        text = line.strip()
        skipped = len(line) - len(line.lstrip())
        quoted = f"{indent}{text}"
        if start is None or stop is None:
            return quoted
        begin = len(line.encode()[:start].decode(errors="replace")) - skipped
        end = len(line.encode()[:stop].decode(errors="replace")) - skipped
        if last != first:
            end = len(text)
        if (begin, end) == (0, len(text)) or end <= begin:
            return quoted
        return f"{quoted}\n{indent}{' ' * begin}{'^' * (end - begin)}"

    @property
    def description(self) -> str:
        """File, line, function and layer, as sentences name them."""
        function = "" if self.function == "<module>" else f" in {self.function}"
        return f"{self}{function}" + (f", layer {self.layer}" if self.layer else "")

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def __repr__(self) -> str:
        return f"<SourceLocation {self} in {self.function}>"

    def __eq__(self, other) -> bool:
        return isinstance(other, SourceLocation) and (str(self), self.span) == (
            str(other),
            other.span,
        )

    def __hash__(self) -> int:
        return hash((self._code.co_filename, self._lasti))


def _cut(line: str, start: int, stop: int | None) -> str:
    """Return a part of a line, given the columns as Python counts them: in bytes of UTF-8."""
    return line.encode()[start:stop].decode(errors="replace").strip()


@functools.lru_cache(4096)
def _span(code: CodeType, lasti: int) -> tuple:
    positions = next(itertools.islice(code.co_positions(), lasti // 2, None), None)
    first, last, start, stop = positions or (None, None, None, None)
    if first is None:
        return code.co_firstlineno, code.co_firstlineno, None, None
    return first, last or first, start, stop


def short_path(file: str) -> str:
    """Return a file as the user would write it from here; a cell of a notebook as In[3]."""
    if file.startswith("<"):
        return file
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cell = None if shell is None else shell.compile.format_code_name(file)
    if cell is not None:
        return cell[1]
    try:
        relative = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if relative.startswith("..") else relative


def calling_frame() -> FrameType:
    """Return the innermost frame of the user's program."""
    return user_frame(sys._getframe(1))


def argument_names(frame: FrameType, count: int) -> list[str | None]:
    """Return the source of the first arguments of the call that is running in a frame."""
    call = running_call(frame)
    if call is None:
        return [None] * count
    written = [ast.unparse(a) for a in call.args if not isinstance(a, ast.Starred)]
    keywords = {k.arg: ast.unparse(k.value) for k in call.keywords if k.arg}
    names: list[str | None] = list(written[:count])
    names += [keywords.get(keyword) for keyword in ("target", "sources")[len(names) : count]]
    return names + [None] * (count - len(names))


def asked_target(frame: FrameType) -> str | None:
    """Return how the program writes the target of the gradient that it takes or shows in a frame.

    Where it is taken for the program, as by `model.fit`, that call is the answer.
    """
    call = running_call(frame)
    if call is None:
        return None
    asked = ast.unparse(call.func)
    position = {"gradient": 0, "jacobian": 0, "to_html": 1}.get(asked.rpartition(".")[2])
    if position is None:
        return f"the loss in {asked}"
    return argument_names(frame, 2)[position]


def running_call(frame: FrameType) -> ast.Call | None:
    """Return the syntax of the call that is running in a frame."""
    text = SourceLocation(frame.f_code, frame.f_lasti).expression
    try:
        expression = parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return expression if isinstance(expression, ast.Call) else None


def element_names(written: str | None, count: int, structure) -> list[str | None]:
    """Return names for the elements of an argument: a list, a tuple or one value."""
    if written is None:
        return [None] * count
    if not isinstance(structure, (list, tuple, dict)):
        return [written] * count
    try:
        syntax = parse(written, mode="eval").body
    except SyntaxError:
        return [None] * count
    if isinstance(syntax, (ast.List, ast.Tuple)) and len(syntax.elts) == count:
        return [ast.unparse(e) for e in syntax.elts]
    if isinstance(syntax, (ast.Name, ast.Attribute)) and isinstance(structure, (list, tuple)):
        return [f"{written}[{i}]" for i in range(count)]
    return [None] * count


@functools.lru_cache(64)
def _syntax(file: str) -> ast.Module | None:
    try:
        return parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


def self_assignments(frame: FrameType, name: str) -> list[int]:
    """Return the lines of a frame's function that compute a name from itself: `x = x + 1`."""
    body = _function(frame.f_code)
    lines = []
    for node in ast.walk(body) if body is not None else ():
        if isinstance(node, ast.Assign):
            targets = [t.id for t in node.targets if isinstance(t, ast.Name)]
            used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            if name in targets and name in used:
                lines.append(node.lineno)
        elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", None) == name:
            lines.append(node.lineno)
    return sorted(lines)


def _function(code: CodeType) -> ast.AST | None:
    """Return the syntax of the function or module that a code object was compiled from."""
    tree = _syntax(code.co_filename)
    if tree is None or code.co_name == "<module>":
        return tree
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *[d.lineno for d in node.decorator_list]])
            if node.name == code.co_name and code.co_firstlineno in (first, node.lineno):
                return node
    return None


class Line:
    """A line of a file, without an instruction."""

    layer = ""

    def __init__(self, file: str, line: int) -> None:
        self._file = file
        self.line = line

    @property
    def file(self) -> str:
        return short_path(self._file)

    @property
    def text(self) -> str:
        return linecache.getline(self._file, self.line).strip()

    def quote(self, indent: str = "    ") -> str:
        return f"{indent}{self.text}" if self.text else ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    description = property(__str__)
    __repr__ = __str__
