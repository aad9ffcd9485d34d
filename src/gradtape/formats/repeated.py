"""Repeated fields of a message: numbers, bytes and messages, which behave as lists do."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable, Iterable, MutableMapping, MutableSequence
from typing import Any

import numpy as np


class Repeated(MutableSequence):
    """A list that tells its message when it changes: then the message is there, too."""

    __slots__ = ("_items", "_owner")
    _items: Any

    def __init__(self, owner) -> None:
        self._owner = owner
        self._items = self._empty()

    def _empty(self) -> Any:
        return []

    def _checked(self, value) -> Any:
        """Return a value as it is kept."""
        raise NotImplementedError

    def _checked_all(self, values: Iterable) -> Any:
        made = self._empty()
        made.extend(map(self._checked, values))
        return made

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index):
        items = self._items[index]
        return list(items) if isinstance(index, slice) else items

    def __setitem__(self, index, value) -> None:
        if isinstance(index, slice):
            self._items[index] = self._checked_all(value)
        else:
            self._items[index] = self._checked(value)
        self._owner._touch()

    def __delitem__(self, index) -> None:
        del self._items[index]
        self._owner._touch()

    def insert(self, index: int, value) -> None:
        self._items.insert(index, self._checked(value))
        self._owner._touch()

    def append(self, value) -> None:
        self._items.append(self._checked(value))
        self._owner._touch()

    def extend(self, values) -> None:
        if values is None:
            return
        if not hasattr(values, "__iter__") and not hasattr(values, "__getitem__"):
            raise TypeError("must assign iterable")
        self._items.extend(self._checked_all(values))
        self._owner._touch()

    def MergeFrom(self, other) -> None:
        """Append the items of another one."""
        self.extend(other)

    def sort(self, key: Callable | None = None, reverse: bool = False) -> None:
        self[:] = sorted(self, key=key, reverse=reverse)

    def __eq__(self, other) -> bool:
        if isinstance(other, Repeated):
            return self._items == other._items
        return isinstance(other, list) and list(self) == other

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __repr__(self) -> str:
        return repr(list(self))


class _Numbers(Repeated):
    """Numbers, kept in an array of C's."""

    __slots__ = ()
    _code = ""
    _dtype: Any = None
    _kinds = ""  # of NumPy's dtypes that need no look at each value

    def _empty(self) -> Any:
        return array(self._code)

    def _checked_all(self, values):
        if isinstance(values, array) and values.typecode == self._code:
            return values
        if isinstance(values, np.ndarray) and values.dtype.kind in self._kinds and values.ndim == 1:
            made = self._empty()
            made.frombytes(np.ascontiguousarray(values, self._dtype).tobytes())
            return made
        return super()._checked_all(values)

    def numpy(self) -> np.ndarray:
        """Return the numbers as an array that shares their memory."""
        return np.frombuffer(self._items, self._dtype) if self._items else np.empty(0, self._dtype)

    def take(self, values: np.ndarray) -> None:
        """Append the numbers of an array of the right dtype."""
        self._items.frombytes(values.tobytes())


class Integers(_Numbers):
    """Integers of 64 bits."""

    __slots__ = ()
    _code, _dtype, _kinds = "q", np.int64, "i"

    def _checked(self, value) -> int:
        if type(value) is not int:
            if isinstance(value, (bool, np.bool_)):
                raise TypeError("Expected an int, got a boolean.")
            value = operator.index(value)
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"Value out of range: {value}")
        return value


class Unsigned(Integers):
    """Integers of 64 bits without a sign."""

    __slots__ = ()
    _code, _dtype, _kinds = "Q", np.uint64, "u"

    def _checked(self, value) -> int:
        value = operator.index(value)
        if not 0 <= value < 2**64:
            raise ValueError(f"Value out of range: {value}")
        return value


class Floats(_Numbers):
    """Floats of 32 bits."""

    __slots__ = ()
    _code, _dtype, _kinds = "f", np.float32, "f"

    def _checked(self, value) -> float:
        if type(value) is float:
            return value
        if isinstance(value, (str, bytes)):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")


class Doubles(Floats):
    """Floats of 64 bits."""

    __slots__ = ()
    _code, _dtype = "d", np.float64


class Strings(Repeated):
    """Pieces of bytes."""

    __slots__ = ()

    def _checked(self, value) -> bytes:
        if not isinstance(value, bytes):
            raise TypeError(f"expected bytes, {type(value).__name__} found")
        return bytes(value)


class Messages(Repeated):
    """Messages of one class. Those that are given are copied."""

    __slots__ = ("_class",)

    def __init__(self, owner, message_class) -> None:
        self._class = message_class
        super().__init__(owner)

    def _checked(self, value):
        made = self._class()
        made._assign(value)
        return made

    def add(self, **values):
        """Append a new message and return it."""
        self.append(values)
        return self._items[-1]

    def __setitem__(self, index, value):
        raise TypeError("messages of a repeated field are not assigned: change them, or use add")


class MessageMap(MutableMapping):
    """Messages by their names. One that is asked for is there from then on."""

    __slots__ = ("_class", "_items", "_owner")

    def __init__(self, owner, message_class) -> None:
        self._owner, self._class = owner, message_class
        self._items: dict[str, Any] = {}

    @staticmethod
    def _name(key) -> str:
        if isinstance(key, bytes):
            key = key.decode()
        if not isinstance(key, str):
            raise TypeError(f"bad argument type for built-in operation: a key is {key!r}")
        return key

    def __getitem__(self, key):
        key = self._name(key)
        message = self._items.get(key)
        if message is None:
            message = self._items[key] = self._class()
            self._owner._touch()
        return message

    get_or_create = __getitem__

    def __setitem__(self, key, value):
        raise ValueError("Message objects may not be assigned: use map[key].CopyFrom(message)")

    def __delitem__(self, key) -> None:
        del self._items[self._name(key)]
        self._owner._touch()

    def __contains__(self, key) -> bool:
        return self._name(key) in self._items

    def get(self, key, default=None):
        """Return the message of a name, or else the default; nothing is made."""
        return self._items.get(self._name(key), default)

    def __iter__(self):
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def MergeFrom(self, other) -> None:
        """Take over the messages of another map."""
        for key in other:
            self[key].CopyFrom(other[key])

    def __eq__(self, other) -> bool:
        return isinstance(other, (MessageMap, dict)) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def checked_int32(value) -> int:
    """Return an integer of 32 bits."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError("Expected an int, got a boolean.")
    value = operator.index(value)
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"Value out of range: {value}")
    return value


def checked_text(value) -> str:
    """Return a text, which may be given as UTF-8."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"bad argument type for built-in operation: expected str, got {value!r}")
    return value


class NumberedTexts(MutableMapping):
    """Texts by integers of 32 bits. One that is asked for is there from then on."""

    __slots__ = ("_items", "_owner")

    def __init__(self, owner) -> None:
        self._owner = owner
        self._items: dict[int, str] = {}

    def __getitem__(self, key) -> str:
        key = checked_int32(key)
        if key not in self._items:
            self[key] = ""
        return self._items[key]

    def __setitem__(self, key, value) -> None:
        self._items[checked_int32(key)] = checked_text(value)
        self._owner._touch()

    def __delitem__(self, key) -> None:
        del self._items[checked_int32(key)]
        self._owner._touch()

    def __contains__(self, key) -> bool:
        return checked_int32(key) in self._items

    def get(self, key, default=None):
        """Return the text of a number, or else the default; nothing is made."""
        return self._items.get(checked_int32(key), default)

    def __iter__(self):
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __eq__(self, other) -> bool:
        return isinstance(other, (NumberedTexts, dict)) and self._items == dict(other)

    def __repr__(self) -> str:
        return repr(self._items)
