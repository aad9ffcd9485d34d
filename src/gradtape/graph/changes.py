"""The differences between two calls of a function: each argument, or part of one, that changed."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradtape.core.tensor import Tensor
from gradtape.graph.signature import ByIdentity, describe, is_keyword


class Change(NamedTuple):
    """`text` says what changed, from what to what; `kind` decides on the advice."""

    kind: str  # "shape", "dtype", "value", "object" or "structure"
    text: str


def find_changes(before: tuple, now: tuple, parameters: list[str]) -> list[Change]:
    """Return the differences between the keys of two calls."""
    old, new = _by_name(before, parameters), _by_name(now, parameters)
    differences = []
    for name, key in new.items():
        if name not in old:
            differences.append(Change("structure", f"{name} is new"))
        else:
            differences += _compare(name, old[name], key)
    return [
        *differences,
        *[Change("structure", f"{name} is gone") for name in old if name not in new],
    ]


def advice_for(kinds: set[str]) -> str:
    """Return advice on how to avoid such changes."""
    remedies = {
        "shape": "pad tensors to few shapes",
        "dtype": "cast tensors to one dtype",
        "value": "pass Python numbers that change as tensors",
        "object": "make an object that a function is called with once, and keep it",
    }
    known = [text for kind, text in remedies.items() if kind in kinds]
    return ", and ".join(known) or "call it with the same structure of arguments"


def _by_name(key: tuple, parameters: list[str]) -> dict[str, Any]:
    named = {}
    for index, each in enumerate(key):
        if is_keyword(each):
            named[each[0]] = each[1]
        else:
            label = parameters[index] if index < len(parameters) else f"argument {index}"
            named[label] = each
    return named


def _compare(name: str, old: Any, new: Any) -> list[Change]:
    if old == new:
        return []
    if isinstance(new, ByIdentity) and isinstance(old, ByIdentity):
        was, is_now = describe(old), describe(new)
        if old.is_gone or was == is_now:
            return [Change("object", f"{name} is another {is_now}")]
        return [Change("object", f"{name} changed from {was} to {is_now}")]
    if (
        isinstance(old, tuple)
        and isinstance(new, tuple)
        and old[0] is new[0]
        and (len(old) == len(new))
    ):
        kind = new[0]
        if kind is tuple or kind is list:
            pairs = enumerate(zip(old[1:], new[1:], strict=True))
            return [c for i, (a, b) in pairs for c in _compare(f"{name}[{i}]", a, b)]
        if kind is dict and old[1] == new[1]:
            triples = zip(new[1], old[2:], new[2:], strict=True)
            return [c for n, a, b in triples for c in _compare(f"{name}[{n!r}]", a, b)]
    text = f"{name} changed from {describe(old)} to {describe(new)}"
    return [Change(_kind_of(old, new), text)]


def _kind_of(old: Any, new: Any) -> str:
    if type(old) is not tuple or type(new) is not tuple:
        return "object"
    if old[0] is Tensor and new[0] is Tensor:
        return "shape" if old[2] == new[2] else "dtype"
    containers = (tuple, list, dict)
    return "structure" if old[0] in containers or new[0] in containers else "value"
