"""Symbolic tensors that hold sizes of others, as `tf.shape(x)[0]` does while a model is built.

What they will hold is known for each of the two sizes that `output_spec` tries in place of an
unknown one. So a shape that is computed from them, as in `tf.reshape(x, [tf.shape(x)[0], -1])`, is
known as far as it does not depend on the unknown sizes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from keras.src.backend.common.keras_tensor import KerasTensor

# More numbers than that are no sizes.
_MAX_NUMBERS = 64
# Operators that compute sizes from sizes; Keras's own would lose what is known.
OPERATORS = {
    "getitem": operator.getitem,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "truediv": operator.truediv,
    "neg": operator.neg,
}


class SizesTensor(KerasTensor):
    """A symbolic tensor of integers, with its values for both sizes that are tried."""

    def __init__(self, values: tuple[np.ndarray, np.ndarray]) -> None:
        super().__init__(values[0].shape, values[0].dtype.name)
        self.values = values

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self.values[0])))

    def __len__(self) -> int:
        return len(self.values[0])


def _operator(name: str, reflected: bool):
    def operate(self, *others):
        from keras_gradtape.src.symbolic.functions import Function

        args = (*others, self) if reflected else (self, *others)
        return Function(f"operator.{name}")(*args)

    return operate


for _name in OPERATORS:
    setattr(SizesTensor, f"__{_name}__", _operator(_name, False))
    if _name not in ("getitem", "neg"):
        setattr(SizesTensor, f"__r{_name}__", _operator(_name, True))


def as_sizes(first: Any, second: Any) -> SizesTensor | None:
    """Return what two tensors mean that were computed for different sizes; None if no sizes."""
    values = first.numpy(), second.numpy()
    if (
        values[0].dtype.kind != "i"
        or values[0].size > _MAX_NUMBERS
        or values[0].shape != values[1].shape
    ):
        return None
    return SizesTensor((np.asarray(values[0]), np.asarray(values[1])))
