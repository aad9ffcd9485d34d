"""`Recent`: a bounded cache that evicts the least recently used entries."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any


class Recent(dict[Any, Any]):
    """A dict that knows when its entries were last used: `find` and `keep` are uses.

    Beyond `most` entries the least recently used are evicted, unless the total weight of all is
    less than `light`: many small ones may stay.
    """

    def __init__(self, most: int, light: int = 0, weight: Callable[[Any], int] | None = None):
        super().__init__()
        self.latest: Any = None  # the entry used last, where a method call is too slow
        self._most = most
        self._light = light
        self._weight = weight
        self._total = 0
        self._ticks = itertools.count()
        self._used: dict[int, int] = {}  # id of an entry -> tick of its last use

    def find(self, key: Any) -> Any:
        """Return the entry of a key, or None."""
        entry = self.get(key)
        if entry is not self.latest and entry is not None:
            self.use(entry)
        return entry

    def use(self, entry: Any) -> None:
        """Mark an entry as used. (It takes no key, because hashing one may take long.)"""
        self._used[id(entry)] = next(self._ticks)
        self.latest = entry

    def keep(self, key: str | tuple[Any, ...], entry: Any) -> None:
        self._forget(key)
        self._total += self._weigh(entry)
        self[key] = entry
        self.use(entry)
        while len(self) > self._most and self._total >= self._light:
            # A copy, since other threads may call the function.
            oldest = min(list(self.items()), key=lambda item: self._used.get(id(item[1]), 0))
            self._forget(oldest[0])

    def _forget(self, key: str | tuple[Any, ...]) -> None:
        gone = self.pop(key, None)
        if gone is not None:
            self._total -= self._weigh(gone)
            self._used.pop(id(gone), None)

    def _weigh(self, entry: Any) -> int:
        return 0 if self._weight is None else self._weight(entry)
