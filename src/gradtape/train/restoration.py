"""Restoring saved values: now, and into objects that are created later."""

from __future__ import annotations

import functools
import logging
from typing import Any

import numpy as np

from gradtape.core.state import lifted
from gradtape.train import growth
from gradtape.train.graph import Naming, ObjectGraph, walk

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

    def __init__(
        self, path: str, graph: ObjectGraph, arrays: dict[str, np.ndarray], naming: Naming
    ) -> None:
        self.report = UnusedValues(path, graph)
        self._graph = graph
        self._arrays = arrays
        self._naming = naming
        self._done: dict[int, Any] = {}  # objects that have their value, by identity
        self._matched: dict[int, Any] = {}  # objects by the number of the saved one they match
        self._parents = _parents(graph)
        with_values = {number for number, node in enumerate(graph.nodes) if node["values"]}
        # (TensorFlow also saves empty lists of Keras's, which nothing here will match.)
        self._worth_waiting_for = with_values | _above(self._parents, with_values)
        self._root: Any = None

    def begin(self, root) -> None:
        """Restore the objects that exist already."""
        self._root = root
        self.extend(root, 0)

    def extend(self, start, number: int) -> None:
        """Restore what has been created below an object, all of it or nothing."""
        pairs = self._pairs(start, number)
        assignments: dict[int, tuple] = {}
        for thing, number in pairs:
            self._matched.setdefault(number, thing)
            self.report.mark_used(number)
            value = self._naming.value_of(thing)
            key = self._graph.keys(number).get(value.kind) if value is not None else None
            if value is None or key not in self._arrays:
                continue
            if id(thing) not in self._done and id(thing) not in assignments:
                value.check(self._arrays[key], key)
                assignments[id(thing)] = (thing, value, self._arrays[key])
        with lifted():  # at once, also for objects that are made while a function is traced
            for identity, (thing, value, array) in assignments.items():
                value.write(array)
                self._done[identity] = thing
        waiting = self._waiting()
        for thing, number in pairs:
            _watch(thing, self if number in waiting else None, number)
            self._watch_containers(thing, number, waiting)
        if 0 not in waiting:
            self._arrays = {}

    def _pairs(self, start, number: int) -> list[tuple[Any, int]]:
        """Return the objects below one with the numbers of the saved ones that they match."""
        pairs = [(start, number)]
        seen = {(id(start), number)}  # (the list keeps objects made on the way alive)

        def add(matches) -> None:
            for child, number in matches:
                if (id(child), number) not in seen:
                    seen.add((id(child), number))
                    pairs.append((child, number))

        for thing, number in pairs:
            add(self._naming.matches(thing, number, self._graph))
        objects = {number: thing for thing, number in reversed(pairs)}
        for thing, number in pairs:
            if self._graph.slots(number):
                known = {**objects, **self._matched}
                add(self._naming.slot_matches(thing, number, self._graph, known))
        return pairs

    def _waiting(self) -> set[int]:
        """Return the numbers of saved objects below which something is not matched yet."""
        return _above(self._parents, self._worth_waiting_for - set(self._matched))

    def _watch_containers(self, thing, number: int, waiting: set[int]) -> None:
        """Let the lists and dictionaries of an object report changes, if values wait for those."""
        if number not in waiting:
            growth.end_watch(thing)
            return
        numbers = {
            id(child): its_number
            for child, its_number in self._naming.matches(thing, number, self._graph)
        }
        for container, put in growth.containers(thing):
            its_number = numbers.get(id(container))
            if its_number in waiting:
                growth.watch(container, put, functools.partial(self._extend_below, its_number))

    def _extend_below(self, number: int, container: Any) -> None:
        self.extend(container, number)

    def retry(self) -> None:
        """Search all objects again: not all that changes reports it (Keras's lists do not)."""
        self.extend(self._root, 0)

    def unrestored(self) -> list[str]:
        """Return the objects with a value that the file does not have."""
        return [
            ".".join(["(root)", *path])
            for path, thing, _ in walk(self._root, self._naming)
            if self._naming.value_of(thing) is not None and id(thing) not in self._done
        ]

    @property
    def count(self) -> int:
        """How many objects have got their value."""
        return len(self._done)


def _parents(graph: ObjectGraph) -> dict[int, list[int]]:
    """Return the numbers of the objects that lead to each one."""
    parents: dict[int, list[int]] = {}
    for number in range(len(graph.nodes)):
        slots = (slot for _, _, slot in graph.slots(number))
        for child in (*graph.children(number).values(), *slots):
            parents.setdefault(child, []).append(number)
    return parents


def _above(parents: dict[int, list[int]], numbers: set[int]) -> set[int]:
    """Return the numbers of all objects that lead to one of those given."""
    ancestors: set[int] = set()
    pending = list(numbers)
    while pending:
        for parent in parents.get(pending.pop(), ()):
            if parent not in ancestors:
                ancestors.add(parent)
                pending.append(parent)
    return ancestors


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
