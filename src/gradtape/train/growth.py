"""Lists and dictionaries of objects report their changes while saved values wait for what they get.

TensorFlow has wrappers of its own in place of all lists and dictionaries of modules. Here there is
one only as long as a checkpoint waits; the program's own container stays as up to date as it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from gradtape.train.trackables import is_keras

_LIST_CHANGES = (
    "append extend insert pop remove clear sort reverse __setitem__ __delitem__ __iadd__ __imul__"
)
_DICT_CHANGES = "update setdefault pop popitem clear __setitem__ __delitem__ __ior__"


def _assign_list(to: list, items: list) -> None:
    list.__setitem__(to, slice(None), items)


def _assign_dict(to: dict, items: dict) -> None:
    dict.clear(to)
    dict.update(to, items)


def _reporting(kind: Any, changes: str, assign: Callable[[Any, Any], None]) -> Any:
    """Return a subclass of `list` or `dict` whose objects stand for another and report changes."""

    def reports(name: str) -> Callable[..., Any]:
        change = getattr(kind, name)

        @functools.wraps(change)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self._original is None:  # a structure of others' items: it stands for nothing
                return change(self, *args, **kwargs)
            assign(self, self._original)  # which the program may have changed by another name
            try:
                result = change(self, *args, **kwargs)
            finally:
                assign(self._original, self)
            if self._report is not None:
                self._report(self)
            # `x += y` assigns the result: the program's own container, if nothing waits any more.
            return self._original if result is self and self._report is None else result

        return method

    def __init__(self: Any, items: Any, original: Any = None, put: Any = None, report: Any = None):
        kind.__init__(self, items)
        self._original, self._put, self._report = original, put, report

    def reduce(self: Any, protocol: Any) -> Any:
        return kind, (kind(self),)  # copies are of the program's own kind

    members: dict[str, Any] = {name: reports(name) for name in changes.split()}
    members |= {"__slots__": ("_original", "_put", "_report")}
    members |= {"__init__": __init__, "__reduce_ex__": reduce}
    return type(kind.__name__, (kind,), members)


_STANDS_FOR = {
    list: _reporting(list, _LIST_CHANGES, _assign_list),
    dict: _reporting(dict, _DICT_CHANGES, _assign_dict),
}
_STAND_INS: Any = tuple(_STANDS_FOR.values())


def containers(thing: Any) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Yield the lists and dictionaries right inside of an object, and how to replace each."""
    if isinstance(thing, (list, dict)):
        items = enumerate(thing) if isinstance(thing, list) else thing.items()
        for key, value in list(items):
            if type(value) in _STANDS_FOR:
                yield value, functools.partial(_put_into, thing, key)
    elif hasattr(thing, "__dict__") and not is_keras(thing):  # Keras has lists of its own
        own = vars(thing)
        for name, value in list(own.items()):
            if type(value) in _STANDS_FOR:
                yield value, functools.partial(own.__setitem__, name)


def _put_into(container: Any, key: Any, value: Any) -> None:
    stand_in: Any = container
    kind: Any = list if isinstance(container, list) else dict
    kind.__setitem__(container, key, value)
    if isinstance(stand_in, _STAND_INS) and stand_in._original is not None:
        _put_into(stand_in._original, key, value)


def watch(container: Any, put: Callable[[Any], None], report: Callable[[Any], None]) -> None:
    """Put a container that reports its changes in the place of another."""
    put(_STANDS_FOR[type(container)](container, container, put, report))


def end_watch(thing: Any) -> None:
    """Put the program's own container back, if another stands for it."""
    if isinstance(thing, _STAND_INS) and thing._report is not None:
        thing._report = None  # somebody may still have it
        thing._put(thing._original)
