"""The graph of objects that a checkpoint saves: numbered objects, their children, their keys."""

from __future__ import annotations

import json
from typing import Any, Protocol

import numpy as np

from gradtape.core.errors import DataLossError
from gradtape.train.trackables import TrackedValue, children, full_name, value_of

ATTRIBUTES = ".ATTRIBUTES"


def escape(name: str) -> str:
    """Return a name as a part of a key: in a key, a slash separates parts."""
    return name.replace(".", "..").replace("/", ".S")


class ObjectGraph:
    """What a file says of the objects in it: for each, its children's numbers and its keys.

    One of TensorFlow also has slots: (number of a variable, name, number of what an optimizer
    keeps for it).
    """

    def __init__(self, nodes: list[dict], full_names: dict[str, str] | None = None) -> None:
        self.nodes = nodes
        self.full_names = full_names or {}  # of variables that are saved, by key

    def children(self, number: int) -> dict[str, int]:
        return self.nodes[number]["children"]

    def keys(self, number: int) -> dict[str, str]:
        """Return the keys of an object's values, by their kind."""
        return self.nodes[number]["values"]

    def slots(self, number: int) -> list[tuple[int, str, int]]:
        return self.nodes[number].get("slots", [])

    def encode(self) -> str:
        return json.dumps(self.nodes, separators=(",", ":"))

    @classmethod
    def decode(cls, text: str | None, path: str) -> ObjectGraph:
        try:
            nodes = json.loads(text or "")
            for node in nodes:
                if any(not 0 <= child < len(nodes) for child in node["children"].values()):
                    raise ValueError("a child that does not exist")
                node["values"].items()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataLossError(
                f"{path} is not a checkpoint, or is damaged: it does not say which objects it "
                "holds."
            ) from error
        return cls(nodes)


class Naming(Protocol):
    """How a checkpoint finds objects in others, and what it saves of them."""

    def children(self, thing, /) -> list[tuple[str, Any]]:
        """Return the objects in one, by name."""
        ...

    def value_of(self, thing, /) -> TrackedValue | None:
        """Return the state that an object holds itself."""
        ...

    def matches(self, thing, number: int, graph: ObjectGraph, /) -> list[tuple[Any, int]]:
        """Return the objects in one that a saved one has children for, with their numbers."""
        ...

    def slot_matches(
        self, optimizer, number: int, graph: ObjectGraph, variables: dict[int, Any], /
    ) -> list[tuple[Any, int]]:
        """Return what an optimizer keeps for the variables of saved objects, given by number."""
        ...


class OwnNames:
    """How a checkpoint of ours finds objects: by the names of attributes, keys and indices."""

    children = staticmethod(children)
    value_of = staticmethod(value_of)

    @staticmethod
    def matches(thing, number: int, graph: ObjectGraph) -> list[tuple[Any, int]]:
        expected = graph.children(number)
        return [(child, expected[name]) for name, child in children(thing) if name in expected]

    @staticmethod
    def slot_matches(optimizer, number: int, graph: ObjectGraph, variables: dict[int, Any]) -> list:
        return []


def walk(root, naming: Naming):
    """Yield all objects reachable from one, each once, nearest first: (path, object, its
    children)."""
    numbers = {id(root): 0}
    queue: list[tuple[tuple[str, ...], Any]] = [((), root)]
    held = [root]  # keeps lists made on the way alive, so that their identity stays theirs
    for path, thing in queue:
        children_numbers = {}
        for name, child in naming.children(thing):
            if id(child) not in numbers:
                numbers[id(child)] = len(queue)
                queue.append(((*path, name), child))
                held.append(child)
            children_numbers[name] = numbers[id(child)]
        yield path, thing, children_numbers


def capture(root, keep: bool, naming: Naming) -> tuple[ObjectGraph, dict[str, np.ndarray]]:
    """Return the graph of an object, and the values in it by key.

    A process that does not `keep` the values takes part in reading them, where they lie in parts
    with several processes.
    """
    nodes, arrays, full_names = [], {}, {}
    for path, thing, children_numbers in walk(root, naming):
        value = naming.value_of(thing)
        keys = {}
        if value is not None:
            parts = [*(escape(name) for name in path), ATTRIBUTES, value.kind]
            key = "/".join(parts)
            keys[value.kind] = key
            array = value.read()
            if keep:
                arrays[key] = array
            full_names[key] = full_name(thing)
        nodes.append({"children": children_numbers, "values": keys})
    return ObjectGraph(nodes, full_names), arrays
