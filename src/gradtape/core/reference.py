"""`TensorRef`: tensors and variables as keys, compared by identity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike


class TensorRef:
    """A hashable reference to a tensor or variable, compared by identity: `tensor.ref()`."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: TensorLike) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorRef) and self._wrapped is other._wrapped

    def __lt__(self, other: TensorRef) -> bool:
        if not isinstance(other, TensorRef):
            return NotImplemented
        return id(self._wrapped) < id(other._wrapped)

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"
