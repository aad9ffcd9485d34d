"""Writes docs/api_coverage.md: every public name of TensorFlow, and what gradtape has of it.

The derivatives that it finds are also what `help` says (`api/documentation/derivatives.txt`).

    python -m tools.coverage           write the page
    python -m tools.coverage --check   fail if the page is out of date

Run in the root of the repository: TensorFlow's names are in docs/data/tensorflow_names.txt, and
what is compared with TensorFlow's own values is read off tests/tf_parity and the folders of
tests/recorded/record.py.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from gradtape.api import left_out
from gradtape.api.export import PUBLIC, lookup
from tools.evidence import Evidence, collect

NAMES = Path("docs/data/tensorflow_names.txt")
PAGE = Path("docs/api_coverage.md")
DERIVATIVES = Path("src/gradtape/api/documentation/derivatives.txt")


@dataclass
class Name:
    """A line of the list: a public name of TensorFlow, and its parameters if it is a function."""

    namespace: str  # "tf.math"
    last: str
    parameters: list[str] | None
    is_class: bool

    @property
    def path(self) -> str:
        """The name inside gradtape, such as "math.sin"."""
        inner = self.namespace.partition(".")[2]
        return f"{inner}.{self.last}" if inner else self.last


def read_names(path: Path = NAMES) -> list[Name]:
    """The committed list of TensorFlow's public names."""
    names, namespace = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"## (\S+) ", line)
        if heading:
            namespace = heading[1]
        elif namespace and line.strip():
            match = re.match(r"(class )?(\w+)(\(.*\)$)?", line)
            if match:
                parameters = _parameters(match[3]) if match[3] else None
                names.append(Name(namespace, match[2], parameters, bool(match[1])))
    return names


def _parameters(text: str) -> list[str]:
    """The names of the parameters in "(x, axis=None, *rest)"."""
    depth, parts, current = 0, [], ""
    text = re.sub(r"'[^']*'", "''", text)  # a default may be a comma
    for letter in text[1:-1]:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
    parts.append(current)
    return [part.split("=")[0].strip() for part in parts if part.strip()]


def find(name: Name):
    """What gradtape has under the name; None if nothing."""
    here = importlib.import_module("gradtape")
    for part in name.path.split("."):
        try:
            here = getattr(here, part)
        except AttributeError:
            return _NOTHING
    return here


_NOTHING = object()


def signature_difference(name: Name, value) -> str | None:
    """gradtape's parameters, where they are not TensorFlow's."""
    if name.parameters is None or inspect.isclass(value):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    prefix = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    own = [prefix.get(p.kind, "") + p.name for p in signature.parameters.values()]
    return None if own == name.parameters else ", ".join(own)


def _row(name: Name, value, evidence: Evidence) -> str:
    if value is _NOTHING:
        reason = left_out.entry(name.path)
        if reason is None:
            return f"| `{name.last}` | **missing** | | | | | |"
        return f"| `{name.last}` | left out: {reason[0]}. Instead: {reason[1]}. | | | | | |"
    return f"| `{name.last}` | present | {' | '.join(_cells(name, value, evidence))} |"


def page(names: list[Name], evidence: Evidence) -> str:
    """The page's text."""
    values = {id(name): find(name) for name in names}
    spaces = list(dict.fromkeys(name.namespace for name in names))
    lines = [
        _INTRODUCTION,
        "",
        "| Namespace | Functions | Classes and values | Compared | Left out | Missing |",
    ]
    lines.append("|---|---|---|---|---|---|")
    lines += [_summary(s, [n for n in names if n.namespace == s], values, evidence) for s in spaces]
    lines += ["", *_differences(names, values)]
    for space in spaces:
        lines += ["", f"## {space}", ""]
        lines.append("| Name | | Golden | Derivative | Forward mode | Batched | Second order |")
        lines.append("|---|---|---|---|---|---|---|")
        lines += [_row(n, values[id(n)], evidence) for n in names if n.namespace == space]
    return "\n".join(lines) + "\n"


def _cells(name: Name, value, evidence: Evidence) -> list[str]:
    is_function = name.parameters is not None
    return evidence.cells(value) if is_function else evidence.golden(name.path)


def _summary(space: str, names: list[Name], values: dict, evidence: Evidence) -> str:
    present = [n for n in names if values[id(n)] is not _NOTHING]
    absent = [n for n in names if values[id(n)] is _NOTHING]
    functions = [n for n in names if n.parameters is not None]
    others = [n for n in names if n.parameters is None]
    compared = [n for n in present if _cells(n, values[id(n)], evidence)[0]]
    explained = [n for n in absent if left_out.entry(n.path) is not None]

    def share(group: list[Name]) -> str:
        return f"{sum(n in present for n in group)} of {len(group)}" if group else "–"

    return (
        f"| [{space}](#{space.replace('.', '')}) | {share(functions)} | {share(others)} | "
        f"{len(compared)} of {len(names)} | {len(explained)} | {len(absent) - len(explained)} |"
    )


def _differences(names: list[Name], values: dict) -> list[str]:
    rows = []
    for name in names:
        value = values[id(name)]
        own = None if value is _NOTHING else signature_difference(name, value)
        if own is not None and name.parameters is not None:
            rows.append(
                f"| `{name.namespace}.{name.last}` | `{', '.join(name.parameters)}` | `{own}` |"
            )
    heading = ["## Parameters that differ", ""]
    if not rows:
        return [*heading, "None: every function has TensorFlow's parameters, in their order."]
    return [*heading, "| Function | TensorFlow | gradtape |", "|---|---|---|", *rows]


_INTRODUCTION = """\
# What gradtape has of TensorFlow

Every public name of TensorFlow 2.21 (without `tf.keras`, which is Keras itself), by namespace.
This page is written by `python -m tools.coverage`; `make api-coverage` fails when it is
out of date.

* **Golden**: compared with values that the real TensorFlow gave, and whether gradients too.
* **Derivative**: whether gradients flow; *none* for functions that are constant where they are
  differentiable, or whose results are integers, truth values or strings.
* **Forward mode**: by rules of its own, or *derived*: the reverse rule, transposed.
* **Batched** (`tf.vectorized_map`, Jacobians): by rules, or *loop* where an op runs once for each
  example.
* **Second order**: *golden* where it is compared with TensorFlow; *yes* elsewhere, for derivative
  rules are written with differentiable ops.

An empty cell means that no case uses the name."""


def derivatives(evidence: Evidence) -> str:
    """What `help` says of derivatives: by function, how forward mode and batching work, or that
    results are "discrete"."""
    lines = ["# Written by `python -m tools.coverage`."]
    for name in sorted(PUBLIC):
        value = lookup(name)
        # The first name of a function stands for all.
        if getattr(value.__doc__, "name", None) != name:
            continue
        _, derivative, forward, batched, _ = evidence.cells(value)
        if derivative == "yes":
            lines.append(f"{name}: {forward} {batched}")
        elif evidence.is_discrete(value):
            lines.append(f"{name}: discrete")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the page about TensorFlow's names.")
    parser.add_argument("--check", action="store_true", help="only compare with the files")
    options = parser.parse_args(arguments)
    evidence = collect()
    wanted = {PAGE: page(read_names(), evidence), DERIVATIVES: derivatives(evidence)}
    if not options.check:
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
        return 0
    old = [
        path
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in old:
        print(f"{path} is out of date: run python -m tools.coverage", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
