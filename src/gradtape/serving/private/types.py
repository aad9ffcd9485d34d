"""`tensorflow.python.types`: the bases of what acts as a tensor."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from gradtape.core.tensor import TensorBase

Tensor = TensorBase  # of variables, too, unlike tf.Tensor


@runtime_checkable
class TensorProtocol(Protocol):
    """What converts itself to a tensor."""

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Return the tensor."""
        ...
