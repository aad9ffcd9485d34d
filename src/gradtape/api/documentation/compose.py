"""Completes docstrings: arguments, result, errors, derivative, example."""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from gradtape.api.documentation.elementwise import RETURNED
from gradtape.api.documentation.mistakes import sentences
from gradtape.ops.families import DEFAULT_TEXT

_WIDTH = 96
_DEFAULT = re.compile(re.escape(DEFAULT_TEXT).replace(r"\{\}", r"(\w+)"))
_RETURNED = {
    "Tensor": "A tensor.",
    "Variable": "A variable.",
    "SparseTensor": "A sparse tensor.",
    "RaggedTensor": "A ragged tensor.",
    "Dataset": "A dataset.",
    "None": "Nothing.",
    "NoReturn": "Nothing: it always raises an error.",
    "Tensor | None": "Nothing, or a tensor in place of what is checked.",
    "Iterator[str]": "An iterator over texts.",
    "bytes": "Bytes.",
    "bytes | None": "Bytes, or nothing where a file was written.",
    "dict[str, Any]": "A dict of tensors, in the structure of the variables.",
    "Sequence[Tensor]": "A list of tensors.",
    "list[SparseTensor]": "A list of sparse tensors.",
    "bool": "A truth value.",
    "str": "A text.",
    "int": "An integer.",
    "DType": "A dtype.",
    "list": "A list.",
    "dict": "A dict.",
    "tuple[Tensor, Tensor]": "A pair of tensors.",
    "tuple[Tensor, ...]": "A tuple of tensors.",
    "list[Tensor]": "A list of tensors.",
    "Callable[..., Any]": "A function.",
    "Callable[[Dataset], Dataset]": "A function of a dataset, for `dataset.apply`.",
}
_DERIVATIVES = {
    "rules": "in reverse and forward mode",
    "derived": "in reverse mode, and in forward mode by transposing that",
}


@dataclass
class Entry:
    """What is written about a function beside its docstring."""

    summary: str = ""
    arguments: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    raises: list[str] = field(default_factory=list)
    example: str = ""


def completed(name: str, value: Any, written: str) -> str:
    """Return the whole docstring of a public function or class."""
    entry = entries().get(name, Entry())
    text = entry.summary or _of_elementwise(value, written) or inspect.cleandoc(written)
    if name in entries() and entry.summary and "\n\n" in inspect.cleandoc(written):
        text += "\n\n" + inspect.cleandoc(written).partition("\n\n")[2]
    parts = [text]
    if inspect.isfunction(value):
        parts += _sections(name, value, text, entry)
    elif entry.arguments:
        parts.append(_arguments([f"{key}: {entry.arguments[key]}" for key in entry.arguments]))
    if entry.example:
        parts.append(f"Example:\n{textwrap.indent(entry.example, '    ')}")
    return "\n\n".join(part for part in parts if part)


def _of_elementwise(value: Any, own: str) -> str:
    """Return what an op of a family returns, also where a function has taken over its text."""
    op = _DEFAULT.match(own)
    returned = RETURNED.get(op[1] if op else getattr(getattr(value, "primitive", None), "name", ""))
    return f"Return {returned}." if returned else ""


def _sections(name: str, function: Any, text: str, entry: Entry) -> list[str]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    lines = []
    for parameter in signature.parameters.values():
        meaning = entry.arguments.get(parameter.name) or _meaning(name, parameter.name)
        if meaning is None:
            continue
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        lines.append(f"{stars.get(parameter.kind, '')}{parameter.name}: {meaning}")
    returned = str(signature.return_annotation)
    raises = entry.raises or _raised(name, function, len(signature.parameters))
    returns = entry.returns or _meaning(name, "return")
    if returns is None and not text.startswith("Return "):
        returns = _described(returned)
    return [
        _arguments(lines) if lines else "",
        f"Returns:\n{_item(returns)}" if returns else "",
        "Raises:\n" + "\n".join(map(_item, raises)) if raises else "",
        _derivative(name, function),
    ]


def _arguments(lines: list[str]) -> str:
    return "Args:\n" + "\n".join(map(_item, lines))


def _described(returned: str) -> str:
    """Return what a return annotation says, in words."""
    if returned in _RETURNED:
        return _RETURNED[returned]
    if returned.startswith("Generator["):
        return "A context manager."
    return f"`{returned}`."


def _raised(name: str, function: Any, parameters: int) -> list[str]:
    """Return the errors of an op: an elementwise one takes tensors and a name."""
    if not hasattr(function, "primitive"):
        return sentences(errors().get(name, []))
    if parameters == 2:
        return ["tf.errors.InvalidArgumentError if it does not take the dtype."]
    return ["tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ."]


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="    ", subsequent_indent="        ")


def _meaning(function: str, parameter: str) -> str | None:
    """Return what a parameter means: in this function, in its namespace, or anywhere."""
    table = parameters()
    path = function.split(".")
    for length in range(len(path), -1, -1):
        meaning = table.get(".".join([*path[:length], parameter]))
        if meaning is not None:
            return meaning
    return None


def _derivative(name: str, function: Any) -> str:
    """Return the sentence about a function's derivative; nothing where no case or rule shows it."""
    prim = getattr(function, "primitive", None)
    if prim is not None and prim.no_derivative is not None:
        return _item(f"Derivative: none: {prim.no_derivative}.").lstrip()
    modes = derivatives().get(name)
    if modes is None and prim is not None:  # made by a family, which gives it all its rules
        modes = "rules rules"
    if modes is None:
        return ""
    if modes == "discrete":
        return "Derivative: none; the result consists of integers, truth values or strings."
    forward, batched = modes.split()
    batches = "by rules" if batched == "rules" else "one example after another"
    return textwrap.fill(
        f"Derivative: {_DERIVATIVES[forward]}, of any order; under `tf.vectorized_map` and in "
        f"Jacobians batched {batches}.",
        _WIDTH,
        subsequent_indent="    ",
    )


# --- the tables ----------------------------------------------------------------------------------


def _lines(*path: str) -> list[str]:
    file = resources.files("gradtape.api.documentation").joinpath(*path)
    text = file.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("# ")]


def _pairs(file: str) -> dict[str, str]:
    split = (line.partition(": ") for line in _lines(file) if line.strip())
    return {name: text for name, _, text in split}


@functools.cache
def parameters() -> dict[str, str]:
    """Return what parameters mean, by name, and by function or namespace and name."""
    return _pairs("parameters.txt")


@functools.cache
def derivatives() -> dict[str, str]:
    """Return how forward mode and batching work, or "discrete", by function."""
    return _pairs("derivatives.txt")


@functools.cache
def errors() -> dict[str, list[str]]:
    """Return what wrong calls raise, by function: rows of class, mistake and parameters."""
    rows: dict[str, list[str]] = {}
    for line in _lines("errors.txt"):
        name, _, row = line.partition(": ")
        rows.setdefault(name, []).append(row)
    return rows


@functools.cache
def entries() -> dict[str, Entry]:
    """Return what the chapters in `examples` have, by function."""
    folder = resources.files("gradtape.api.documentation").joinpath("examples")
    result: dict[str, Entry] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".txt"):
            for block in re.split(r"(?m)^## ", "\n".join(_lines("examples", file.name)))[1:]:
                name, _, text = block.partition("\n")
                result[name.strip()] = _entry(text)
    return result


def _entry(text: str) -> Entry:
    """Read a block: a summary, lines `parameter: meaning`, Returns, Raises, and an example."""
    before, prompt, example = text.partition(">>> ")
    entry = Entry(example=(prompt + example).strip())
    for line in before.strip().splitlines():
        name, colon, rest = line.partition(": ")
        if name == "Returns":
            entry.returns = rest
        elif name == "Raises":
            entry.raises.append(rest)
        elif colon and re.fullmatch(r"\w+", name):
            entry.arguments[name] = rest
        else:
            entry.summary = f"{entry.summary}\n{line}".strip()
    return entry
