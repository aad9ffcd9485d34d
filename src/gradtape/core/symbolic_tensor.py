"""`SymbolicTensor`: the tensors of vmaps, traces and other interpreters."""

from __future__ import annotations

from typing import Any, Self

from gradtape.core.tensor import Tensor


class SymbolicTensor(Tensor):
    """A tensor without a value of its own: `_data` only describes it.

    Its interpreter (see `core.protocols.Interpreter`) processes the ops on it.
    """

    __slots__ = ("_interpreter",)

    _has_value = False

    def __init__(self, description: Any, interpreter: Any, marks: Any = None) -> None:
        super().__init__(description, marks)
        self._interpreter = interpreter

    def _leaked(self) -> Exception:
        """Return the error for a use outside of the vmap, trace or call that it belongs to."""
        raise NotImplementedError

    def _host_data(self) -> Any:
        raise self._leaked()

    def _offset(self) -> tuple[Any, int]:
        """Return (what an integer was computed from, what was added to it), as far as known."""
        return self, 0

    def _single(self, kind: str) -> Any:
        return self.numpy()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.numpy()

    def __deepcopy__(self, memo: Any) -> Self:
        return self
