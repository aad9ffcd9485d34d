"""The objects that a SavedModel holds: found from the root, numbered, each with its kind."""

from __future__ import annotations

from typing import Any

from gradtape.api.function.function import Function
from gradtape.api.lookup.mutable_tables import MutableTable
from gradtape.api.lookup.static_tables import StaticTable
from gradtape.engine.variable import Variable
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.reading.restored import RestoredFunction
from gradtape.saved_model.structures import encode_shape
from gradtape.train.trackables import children, is_trackable, variable_of

# What has no attributes that are saved.
_LEAVES = (Function, RestoredFunction, StaticTable, MutableTable)
_VERSION = messages.VERSIONS(producer=1, min_consumer=1)


class Objects:
    """Objects by number, from the root; the children of each by name."""

    def __init__(self, root: Any) -> None:
        self.things: list[Any] = []
        self.children: list[dict[str, int]] = []
        self.numbers: dict[int, int] = {}  # by id
        self._add(root)
        for number, thing in enumerate(self.things):  # grows while it is walked
            for name, child in _children(thing):
                self.children[number][name] = self._add(child)

    def _add(self, thing: Any) -> int:
        variable = variable_of(thing)
        thing = thing if variable is None else variable
        known = self.numbers.get(id(thing))
        if known is None:
            known = self.numbers[id(thing)] = self.append(thing)
        return known

    def append(self, thing: Any) -> int:
        """Give an object that is no child of any a number."""
        self.things.append(thing)
        self.children.append({})
        return len(self.things) - 1


def _children(thing: Any) -> list[tuple[str, Any]]:
    """Return the objects in one: those of a checkpoint, functions, and tables."""
    if isinstance(thing, (Variable, *_LEAVES)):
        return []
    by_name = dict(children(thing)) if is_trackable(thing) else {}
    own = dict(getattr(thing, "__dict__", {}))
    by_name |= {name: x for name, x in own.items() if isinstance(x, _LEAVES)}
    for kind in reversed(type(thing).__mro__):
        for name, value in vars(kind).items():
            if isinstance(value, Function):
                by_name[name] = getattr(thing, name) if name != "__call__" else value.__get__(thing)
    return list(by_name.items())


def variable_proto(variable: Variable) -> Record:
    """Return what the file says of a variable."""
    proto = messages.VARIABLE(
        dtype=variable.dtype.as_datatype_enum,
        shape=encode_shape(variable.shape),
        name=variable.name.split(":")[0],
    )
    if variable.trainable:
        proto.trainable = True
    return proto


def user_object(thing: Any) -> Record:
    """Return what the file says of an object that leads to others."""
    kinds = {list: "trackable_list_wrapper", tuple: "trackable_tuple_wrapper"}
    kind = kinds.get(type(thing), "_generic_user_object")
    if isinstance(thing, dict):
        kind = "trackable_dict_wrapper"
    return messages.USER_OBJECT(identifier=kind, version=_VERSION)
