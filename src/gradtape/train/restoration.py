"""Restoring saved values: now, and into objects that are created later."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from gradtape.train.graph import ObjectGraph, walk
from gradtape.train.trackables import children, value_of

_SHOWN = 10


class UnusedValues:
    """Which saved values are still unused. It outlives the objects, and so refers to none."""

    def __init__(self, path: str, graph: ObjectGraph) -> None:
        self.path = path
        self.partial_is_fine = False
        self._keys = {
            number: list(node["values"].values())
            for number, node in enumerate(graph.nodes)
            if node["values"]
        }

    def mark_used(self, number: int) -> None:
        """Note that a saved object has been matched."""
        self._keys.pop(number, None)

    @property
    def unused(self) -> list[str]:
        return [key for keys in self._keys.values() for key in keys]

    def warn(self) -> None:
        """Warn of values that were not used, when the program can no longer use them."""
        unused = [] if self.partial_is_fine else self.unused
        if unused:
            logging.getLogger("gradtape").warning(
                "A checkpoint was restored (%s) but not all its values were used. Call "
                "`expect_partial()` on what `restore` returns to silence this, or "
                "`assert_consumed()` to make it an error. Unused: %s%s",
                self.path,
                ", ".join(unused[:_SHOWN]),
                ", …" if len(unused) > _SHOWN else "",
            )


class Restoration:
    """One reading of a checkpoint: which objects its values belong to, and which are matched."""

    def __init__(self, path: str, graph: ObjectGraph, arrays: dict[str, np.ndarray]) -> None:
        self.report = UnusedValues(path, graph)
        self._graph = graph
        self._arrays = arrays
        self._done: dict[int, Any] = {}  # objects that have their value, by identity
        self._matched: set[int] = set()  # numbers of saved objects that were matched
        self._root: Any = None

    def begin(self, root) -> None:
        """Restore the objects that exist already."""
        self._root = root
        self.extend(root, 0)

    def extend(self, start, number: int) -> None:
        """Restore what has been created below an object, all of it or nothing."""
        assignments = []
        waiting = []
        seen = {(id(start), number)}
        queue = [(start, number)]
        held: list = [start]
        for thing, number in queue:
            self._matched.add(number)
            self.report.mark_used(number)
            value = value_of(thing)
            keys = self._graph.keys(number)
            key = keys.get(value.kind) if value is not None else None
            if value is not None and id(thing) not in self._done and key in self._arrays:
                value.check(self._arrays[key], key)
                assignments.append((thing, value, self._arrays[key]))
            expected = self._graph.children(number)
            for name, child in children(thing):
                pair = (id(child), expected.get(name, -1))
                if name in expected and pair not in seen:
                    seen.add(pair)
                    held.append(child)
                    queue.append((child, expected[name]))
            waiting.append((thing, number))
        for thing, value, array in assignments:
            value.write(array)
            self._done[id(thing)] = thing
        for thing, number in waiting:
            _watch(thing, self if self._is_waiting(number) else None, number)
        if not self._is_waiting(0):
            self._arrays = {}

    def _is_waiting(self, number: int) -> bool:
        """Return whether something below a saved object is not matched yet."""
        pending, seen = [number], {number}
        while pending:
            for child in self._graph.children(pending.pop()).values():
                if child not in self._matched:
                    return True
                if child not in seen:
                    seen.add(child)
                    pending.append(child)
        return False

    def retry(self) -> None:
        """Search all objects again: nothing reports that a list has grown."""
        self.extend(self._root, 0)

    def unrestored(self) -> list[str]:
        """Return the objects with a value that the file does not have."""
        return [
            ".".join(["(root)", *path])
            for path, thing, _ in walk(self._root)
            if value_of(thing) is not None and id(thing) not in self._done
        ]

    @property
    def count(self) -> int:
        """How many objects have got their value."""
        return len(self._done)


def _watch(thing, restoration: Restoration | None, number: int) -> None:
    """Notify a restoration when an object gets new attributes; None ends that.

    The object's class becomes a subclass that does nothing else, for as long as values wait for
    the object: neither modules nor Keras's classes need to know of checkpoints.
    """
    if not hasattr(thing, "__dict__"):
        return
    cls = type(thing)
    original = cls.__dict__.get("_watched_class", cls)
    if restoration is None:
        if original is not cls:
            object.__setattr__(thing, "__class__", original)
        return

    def __setattr__(self, name, value):
        original.__setattr__(self, name, value)
        restoration.extend(self, number)

    names = {
        "__setattr__": __setattr__,
        "__module__": original.__module__,
        "__qualname__": original.__qualname__,
        "__doc__": original.__doc__,
        "_watched_class": original,
    }
    try:
        watched = type(original)(original.__name__, (original,), names)
        object.__setattr__(thing, "__class__", watched)
    except TypeError:
        return  # a class that cannot be extended keeps its objects' attributes to itself
