"""The mapping that fields of an extension type hold."""

from __future__ import annotations

from typing import Any, NoReturn


class ImmutableDict(dict):
    """A dictionary that is never changed. It is a dict, so that everything nested takes it."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("'ImmutableDict' object does not support item assignment or deletion")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = _refuse
    setdefault: Any = _refuse
    update: Any = _refuse

    def __reduce__(self) -> tuple:
        return ImmutableDict, (dict(self),)

    def __repr__(self) -> str:
        return f"ImmutableDict({super().__repr__()})"
