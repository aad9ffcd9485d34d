"""The graph of objects that a checkpoint saves: numbered objects, their children, their keys."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from gradtape.core.errors import DataLossError
from gradtape.train.trackables import children, value_of

ATTRIBUTES = ".ATTRIBUTES"


def escape(name: str) -> str:
    """Return a name as a part of a key: in a key, a slash separates parts."""
    return name.replace(".", "..").replace("/", ".S")


class ObjectGraph:
    """What a file says of the objects in it: for each, its children's numbers and its keys."""

    def __init__(self, nodes: list[dict]) -> None:
        self.nodes = nodes

    def children(self, number: int) -> dict[str, int]:
        return self.nodes[number]["children"]

    def keys(self, number: int) -> dict[str, str]:
        """Return the keys of an object's values, by their kind."""
        return self.nodes[number]["values"]

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


def walk(root):
    """Yield all objects reachable from one, each once, nearest first: (path, object, its
    children)."""
    numbers = {id(root): 0}
    queue: list[tuple[tuple[str, ...], Any]] = [((), root)]
    held = [root]  # keeps lists made on the way alive, so that their identity stays theirs
    for path, thing in queue:
        children_numbers = {}
        for name, child in children(thing):
            if id(child) not in numbers:
                numbers[id(child)] = len(queue)
                queue.append(((*path, name), child))
                held.append(child)
            children_numbers[name] = numbers[id(child)]
        yield path, thing, children_numbers


def capture(root, keep: bool = True) -> tuple[ObjectGraph, dict[str, np.ndarray]]:
    """Return the graph of an object, and the values in it by key.

    A process that does not `keep` the values takes part in reading them, where they lie in parts
    with several processes.
    """
    nodes, arrays = [], {}
    for path, thing, children_numbers in walk(root):
        value = value_of(thing)
        keys = {}
        if value is not None:
            parts = [*(escape(name) for name in path), ATTRIBUTES, value.kind]
            key = "/".join(parts)
            keys[value.kind] = key
            array = value.read()
            if keep:
                arrays[key] = array
        nodes.append({"children": children_numbers, "values": keys})
    return ObjectGraph(nodes), arrays
