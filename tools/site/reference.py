"""Writes the API reference from the table of public names: a page for each namespace."""

from __future__ import annotations

import inspect
import json
import re
import types
from collections import defaultdict
from pathlib import Path
from typing import Any

from gradtape.api.export import PUBLIC, lookup
from gradtape.core.dtypes import DType
from tools.evidence import collect
from tools.site.docstrings import markdown, summary
from tools.site.traits import Traits

SECOND_CHOICE = ("compat", "raw_ops", "experimental", "__internal__")
INTRODUCTION = """\
# API reference

`import gradtape as tf`: every public name, by namespace, with its signature, its text and what its
derivative rules can do. The page is made from the package itself. What of TensorFlow's names is
there, and what is left out and why, is in [the list of names](../api_coverage.md). `tf.keras` is
Keras 3 itself, whose reference is at [keras.io](https://keras.io/api/).

Rules belong to *primitives*; other functions are made of these. A function's columns are those of
the primitives that its calls go through in the tests that compare it with TensorFlow:

* **reverse**: gradients flow. Where a primitive has no derivative, its entry says why.
* **forward**: *rules* of its own, or *derived* from the reverse rule.
* **batched** (`tf.vectorized_map`, Jacobians): *rules*, or *loop* where an op runs once for each
  example.
* **XLA**: *yes*, or *host* where an op of a compiled program is computed by NumPy.
* **native**: how many of the primitives have a kernel in the native extension.
"""


def write(root: Path, source: Path) -> str:
    """Write all pages; return what the home page says of them."""
    traits = Traits(root, collect())
    names = sorted(name for name in PUBLIC if not re.search(r"(^|\.)_", name))
    values = {name: lookup(name) for name in names}
    homes = _homes(values)
    spaces: dict[str, list[str]] = defaultdict(list)
    for name in names:
        spaces[name.rpartition(".")[0]].append(name)
    folder = source / "reference"
    folder.mkdir(parents=True)
    positions = {n: [f"reference/{_file(homes[n])}", f"tf.{homes[n]}"] for n in names}
    (folder / "names.json").write_text(json.dumps(positions), encoding="utf-8")
    for space, inside in spaces.items():
        text = _page(space, inside, values, homes, traits)
        (folder / f"{_full(space)}.md").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text(_index(spaces), encoding="utf-8")
    return "* [API reference](reference/index.md): every public name, with its derivative rules"


def _homes(values: dict[str, Any]) -> dict[str, str]:
    """Return the name under which each object is described, which is no old or experimental one.

    `tf.math.sin` for the function `tf.sin`, but `tf.GradientTape` for a class.
    """
    names: dict[int, list[str]] = defaultdict(list)
    for name, value in values.items():
        names[id(value)].append(name)

    def rank(name: str) -> tuple[bool, int, str]:
        depth = name.count(".")
        is_class = isinstance(values[name], type)
        return name.split(".", 1)[0] in SECOND_CHOICE, depth if is_class else -depth, name

    homes = {}
    for name, value in values.items():
        one_of_its_kind = isinstance(value, types.FunctionType | type)
        homes[name] = min(names[id(value)], key=rank) if one_of_its_kind else name
    return homes


def _file(name: str) -> str:
    """Return the page that a name is described on."""
    return f"tf.{name}".rpartition(".")[0]


def _full(space: str) -> str:
    return f"tf.{space}" if space else "tf"


def _index(spaces: dict[str, list[str]]) -> str:
    rows = [f"| [{_full(s)}]({_full(s)}.md) | {len(n)} |" for s, n in sorted(spaces.items())]
    pages = sorted(map(_full, spaces))
    tree = ["```{toctree}", ":hidden:", "", *pages, "```"]
    return "\n".join([INTRODUCTION, "| namespace | names |", "|---|---|", *rows, "", *tree, ""])


def _page(space: str, names: list[str], values: dict, homes: dict, traits: Traits) -> str:
    rows = [f"| `tf.{name}` | {_short(values[name])} |" for name in names]
    lines = [f"# {_full(space)}", "", "| name | |", "|---|---|", *rows]
    others: dict[str, list[str]] = defaultdict(list)
    for name, home in homes.items():
        if name != home:
            others[home].append(name)
    for name in names:
        if homes[name] == name:
            lines += ["", *_entry(name, values[name], others[name], traits)]
    return "\n".join(lines) + "\n"


def _short(value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return "a namespace"
    described = inspect.isclass(value) or callable(value)
    return summary(inspect.getdoc(value)) if described else _value(value)


def _value(value: Any) -> str:
    text = repr(value)
    return f"`{text}`" if "`" not in text and "\n" not in text and len(text) < 80 else ""


def _entry(name: str, value: Any, others: list[str], traits: Traits) -> list[str]:
    body = [markdown(inspect.getdoc(value))] if callable(value) else [_value(value)]
    kind, head = "data", f"tf.{name}"
    if inspect.isclass(value):
        kind, head = "class", head + _signature(value)
        if issubclass(value, BaseException):
            kind = "exception"
        body += _members(name, value)
    elif callable(value):
        kind, head = "function", head + _signature(value)
        body.append(traits.table(name, value))
    if others:
        body.append("Also: " + ", ".join(f"`tf.{other}`" for other in others) + ".")
    inner = "\n\n".join(part for part in body if part)
    return [f"`````{{py:{kind}}} {head}", "", inner, "`````"]


def _members(name: str, value: type) -> list[str]:
    entries = []
    for attribute, member in sorted(vars(value).items()):
        if attribute.startswith("_"):
            continue
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if isinstance(function, property):
            kind, head = "property", attribute
        elif isinstance(function, types.FunctionType):
            skip = not isinstance(member, staticmethod)
            kind, head = "method", attribute + _signature(function, skip_first=skip)
        else:
            continue
        text = markdown(inspect.getdoc(function))
        entries.append(f"````{{py:{kind}}} tf.{name}.{head}\n\n{text}\n````")
    return entries


def _signature(function: Any, skip_first: bool = False) -> str:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    parameters = list(signature.parameters.values())[int(skip_first) :]
    shown = [p.replace(annotation=p.empty, default=_default(p.default)) for p in parameters]
    return str(signature.replace(parameters=shown, return_annotation=signature.empty))


class _Text:
    """A default as it is written in a signature."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty:
        return value
    if isinstance(value, DType):
        return _Text(f"tf.{value.name}")
    text = repr(value)
    plain = isinstance(value, type | types.FunctionType)
    return _Text(value.__name__ if plain else "..." if re.search(r"[<\n]", text) else text)
