"""Assignment of a variable's whole value: `assign`, `assign_add`, `assign_sub`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self

import numpy as np

from gradtape import ops
from gradtape.core.convert import to_array
from gradtape.core.errors import ShapeError
from gradtape.core.native import extension, materialize
from gradtape.core.state import get_state, not_recording
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.transaction import exclusively, in_place, rewrite, write_one

if TYPE_CHECKING:
    from gradtape.core.typing import Array, TensorLike

UPDATE_METHODS = {"added value": "assign_add", "subtracted value": "assign_sub"}


class InPlace(NamedTuple):
    """An addition or subtraction in place: the native kernel, if there is one, and the ufunc."""

    native: Callable[..., Any] | None
    ufunc: np.ufunc


def _into(array: np.ndarray, ufunc: np.ufunc, operand: Array) -> None:
    ufunc(array, operand, out=array)


_ADD = InPlace(getattr(extension, "add_into", None), np.add)
_SUBTRACT = InPlace(getattr(extension, "subtract_from", None), np.subtract)


class Assignable(TensorBase):
    """Methods of a variable that change its whole value."""

    __slots__ = ()

    if TYPE_CHECKING:  # of Variable

        @property
        def name(self: Any) -> str: ...
        def _now(self: Any) -> Tensor: ...
        def _notify_tapes(self, value: Any, how: str, adds: bool = False) -> None: ...

    def _check_shape(self, value: Tensor, what: str) -> None:
        if not self.shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable "
                f"shape {self.shape}, and the {what} shape {value.shape} are incompatible."
            )

    def _assign(self, value: Tensor, what: str) -> Self:
        self._check_shape(value, what)
        trace = get_state().trace
        if trace is not None:
            trace.write(self, value)
            return self
        write_one(self, self._array_for(value))
        return self

    def _modify(self, what: str, op: Callable[..., Any], *operands: Tensor) -> Any:
        """Replace the value by the result of an op on it and other tensors, in one transaction."""
        if get_state().trace is not None:
            return self._assign(op(self._now(), *operands), what)
        return exclusively((self,), self._assign_result, what, op, operands)

    def _assign_result(self, what: str, op: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        return self._assign(op(self._now(), *operands), what)

    def _is_unshared(self) -> bool:
        """Return whether a program on several devices may overwrite the array: not on the host."""
        return False

    def _array_for(self, value: Tensor) -> Any:
        """Return the array to store for a value: here, one on the host."""
        return value._host_data()

    def _update(self, op: Callable[..., Any], kernel: InPlace, delta: Any, what: str) -> None:
        """Add to the value or subtract from it: in place, if the array is not shared."""
        if get_state().tapes:
            self._notify_tapes(delta, f".{UPDATE_METHODS[what]}()", adds=True)
        with not_recording():
            delta = self._operand(delta)
            if delta._data.shape != self._data.shape:
                raise self._update_error(delta, what)
            trace = get_state().trace
            if trace is not None:
                delta = trace.reduce_update(delta)
            elif type(delta) is Tensor and self._add_in_place(kernel, delta._data):
                return
            self._modify(what, op, delta)

    def _update_error(self, delta: Tensor, what: str) -> ShapeError:
        return ShapeError(
            f"Cannot update variable '{self.name}' of shape {self.shape} with a {what} of shape "
            f"{delta.shape}: the shapes must be the same."
        )

    def _add_in_place(self, kernel: InPlace, delta: Array) -> bool:
        """Add into the array, or into a copy if it is shared; return False if that needs an op."""
        data = self._data
        if type(data) is not np.ndarray or delta.dtype != data.dtype:
            return False
        del data
        if kernel.native is not None and in_place(kernel.native, self, delta):
            return True
        rewrite(self, _into, kernel.ufunc, materialize(delta))
        return True

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replace the value. Gradients do not flow through assignment: no tape records it."""
        if get_state().tapes:
            self._notify_tapes(value, ".assign()")
        with not_recording():
            self._assign(self._operand(value), "assigned value")
        return self if read_value else None

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add to the value."""
        self._update(ops.add, _ADD, delta, "added value")
        return self if read_value else None

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract from the value."""
        self._update(ops.subtract, _SUBTRACT, delta, "subtracted value")
        return self if read_value else None

    def __iadd__(self, delta: Any) -> NoReturn:
        raise RuntimeError(
            "Variable += value not supported. Use `variable.assign_add(value)` to modify the "
            "variable value and `variable = variable + value` to get a new Tensor object."
        )

    def __isub__(self, delta: Any) -> NoReturn:
        raise RuntimeError(
            "Variable -= value not supported. Use `variable.assign_sub(value)` to modify the "
            "variable value and `variable = variable - value` to get a new Tensor object."
        )

    def _operand(self, value: TensorLike) -> Tensor:
        """Convert a value to be assigned to a tensor of the variable's dtype."""
        if type(value) is Tensor and value._data.dtype is self._data.dtype:
            return value
        if ops.is_tensor_like(value):
            return ops.to_tensor(ops.to_tensor(value), self.dtype)
        return Tensor(to_array(value, self._data.dtype))
