"""`Observer`: stands among the active tapes, sees every op, and computes no gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive


class Observer:
    """A `TapeListener` that ignores all there is to see but ops; a subclass has `record`."""

    __slots__ = ("key",)

    def __init__(self) -> None:
        self.key = object()  # no tensor carries a mark with this key

    def record(
        self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], out: Any
    ) -> None:
        raise NotImplementedError

    def end_path(self, kind: str, prim: Primitive, inputs: tuple[Any, ...], out: Any) -> None:
        """Ignore an op without a derivative."""

    def slot_of(self, x: Any) -> None:
        """Return None: no gradient is computed from here."""

    def read_mark(self, variable: Any, marks: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """Return the marks as they are."""
        return marks

    def leaves_engine(self, x: Any, how: str) -> None:
        """Ignore a value that is passed to Python or NumPy."""

    def write(self, variable: Any, value: Any, how: str, adds: bool = False) -> None:
        """Ignore an assignment: no gradient flows through it."""

    def enter_scope(self, path: str) -> None:
        """Ignore a scope."""
