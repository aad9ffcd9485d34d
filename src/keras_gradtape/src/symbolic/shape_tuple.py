"""`ShapeTuple`: the shapes of Keras's variables and symbolic tensors."""

from __future__ import annotations

from typing import Any

from gradtape.core.shape import TensorShape


class ShapeTuple(tuple[Any, ...]):
    """A tuple, which Keras's shapes are, with the methods of TensorFlow's, such as `as_list`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        item = tuple.__getitem__(self, key)
        return ShapeTuple(item) if isinstance(key, slice) else item

    def __add__(self, other: Any) -> Any:
        return ShapeTuple(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Any:
        return ShapeTuple((*other, *self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(TensorShape(self), name)
