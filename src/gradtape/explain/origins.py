"""Where values are made and where they leave the engine, also outside of tapes; off by default.

While this is on, making a tensor notes the line of the user's program and the op. It is done by
putting other methods in place of `Tensor`'s and `Variable`'s, so that it costs nothing while off.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from gradtape.core.native import REFERENCES
from gradtape.core.scope import op_scope
from gradtape.core.source_location import here
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.variable import Variable
from gradtape.explain.source import SourceLocation
from gradtape.graph.apply import settings

# A chain of origins is cut here: a value that a program updates for ever must not keep its history.
_LONGEST_CHAIN = 100


class Origin:
    """How a tensor or a variable came to be."""

    __slots__ = ("_location", "depth", "kind", "op", "parents", "tapes", "variable")

    def __init__(self, kind: str, op: str = "", parents: tuple = (), variable=None) -> None:
        # "op", "value" (from Python or NumPy), "read" (of a variable) or "variable"
        self.kind = kind
        self.op = op
        self._location = (*here(), op_scope())
        self.tapes = tuple(tape.key for tape in get_state().tapes)
        self.depth = 1 + max((p.depth for p in parents), default=0)
        self.parents = parents if self.depth < _LONGEST_CHAIN else ()
        self.variable = None if variable is None else weakref.ref(variable)

    @property
    def location(self) -> SourceLocation:
        return SourceLocation(*self._location)

    def ancestors(self):
        """Return this origin and those of the values it was computed from, nearest first."""
        queue, seen = [self], set()
        for origin in queue:
            if id(origin) not in seen:
                seen.add(id(origin))
                yield origin
                queue += origin.parents

    @property
    def is_from_variable(self) -> bool:
        """Whether the value was computed from a variable, which may be gone by now."""
        return any(origin.kind == "read" for origin in self.ancestors())

    def variables(self) -> list[Variable]:
        """Return the variables that the value was computed from and that still exist."""
        read = [o.variable() for o in self.ancestors() if o.kind == "read" and o.variable]
        return list({id(v): v for v in read if v is not None}.values())


class Notes:
    """Something known of live objects, by identity. What is known of an object dies with it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple] = {}

    def put(self, x, note) -> None:
        key = id(x)
        self._known[key] = (weakref.ref(x, lambda _: self._known.pop(key, None)), note)

    def get(self, x) -> Any:
        note = self._known.get(id(x))
        return note[1] if note is not None and note[0]() is x else None

    def clear(self) -> None:
        self._known.clear()


_made, _left, _read = Notes(), Notes(), Notes()
_originals: dict[tuple[type, str], Any] = {}
_functions_ran_eagerly: list[bool] = []  # as it was before tracking


def origin_of(x) -> Origin | None:
    """Return how a value came to be, if tracking was on then."""
    return _made.get(x)


def left_at(x) -> tuple[str, SourceLocation] | None:
    """Return how and where a value (or one computed from it) left the engine last."""
    return _left.get(x)


def read_at(variable) -> Origin | None:
    """Return where a variable was read last."""
    return _read.get(variable)


def is_tracking() -> bool:
    return bool(_originals)


def track_origins(enabled: bool = True) -> None:
    """Record where values are created and where they leave gradtape, for better explanations.

    Costs time for every op, and every `tf.function` runs eagerly meanwhile. The environment
    variable GRADTAPE_TRACK_ORIGINS=1 turns it on from the start; `gradtape explain` does, too.
    """
    if not isinstance(enabled, bool):
        raise TypeError(f"track_origins takes True or False, got {enabled!r}")
    if enabled == is_tracking():
        return
    if enabled:
        for owner, name, make in _REPLACEMENTS:
            original = _originals[owner, name] = vars(owner)[name]
            setattr(owner, name, make(original))
        _functions_ran_eagerly[:] = [settings["run_eagerly"]]
        settings["run_eagerly"] = True
        return
    for (owner, name), original in _originals.items():
        setattr(owner, name, original)
    _originals.clear()
    settings["run_eagerly"] = _functions_ran_eagerly.pop()
    for notes in (_made, _left, _read):
        notes.clear()


def _tracked_tensor(original):
    def __init__(self, data, marks=None) -> None:
        original(self, data, marks)
        maker = sys._getframe(1)
        if maker.f_code is REFERENCES["bind"].__code__:
            values = maker.f_locals
            parents = [_made.get(x) for x in values["inputs"]]
            origin = Origin("op", values["prim"].name, tuple(p for p in parents if p))
        elif maker.f_code is Variable.__tf_tensor__.__code__:
            variable = maker.f_locals["self"]
            origin = Origin("read", variable=variable)
            _read.put(variable, origin)
        else:
            origin = Origin("value")
        _made.put(self, origin)

    return __init__


def _tracked_variable(original):
    def __init__(self, *args, **kwargs) -> None:
        original(self, *args, **kwargs)
        _made.put(self, Origin("variable"))

    return __init__


def _leaving(how):
    def make(original):
        def method(self, *args, **kwargs):
            how_left = how or f"{args[0]}()"
            if how_left != "bool()":
                note = (how_left, SourceLocation(*here(), op_scope()))
                origin = _made.get(self)
                for x in (self, *(origin.variables() if origin else ())):
                    _left.put(x, note)
            return original(self, *args, **kwargs)

        return method

    return make


_REPLACEMENTS = [
    (Tensor, "__init__", _tracked_tensor),
    (Variable, "__init__", _tracked_variable),
    (TensorBase, "numpy", _leaving(".numpy()")),
    (TensorBase, "__array__", _leaving("a NumPy function")),
    (TensorBase, "_single", _leaving("")),
]
