"""`TensorShape`: a sequence of sizes with TensorFlow's methods."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.core.errors import AxisError
from gradtape.core.size import Size


class Dimension:
    """A size as an object, as in TensorFlow 1: `dims` of a shape has them; None is not known."""

    def __init__(self, value: Any) -> None:
        if isinstance(value, Dimension):
            value = value.value
        self._value = None if value is None else operator.index(value)
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {value} must be >= 0")

    @property
    def value(self) -> int | None:
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether two sizes could be the same."""
        other = Dimension(other)
        return self.value is None or other.value is None or self.value == other.value

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise a ValueError unless two sizes could be the same."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {Dimension(other)} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """Return the one of two sizes that is known; raise a ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other) if self.value is None else self

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return operator.index(self)

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("The size of this Dimension is not known.")
        return self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __eq__(self, other: object) -> Any:
        try:
            other = Dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        known = self.value is not None and other.value is not None
        return self.value == other.value if known else None


def _operator(compute: Any, swapped: bool = False) -> Any:
    def method(self: Dimension, other: Any) -> Any:
        try:
            a, b = self.value, Dimension(other).value
        except (TypeError, ValueError):
            return NotImplemented
        if a is None or b is None:
            return Dimension(None)
        return Dimension(compute(b, a) if swapped else compute(a, b))

    return method


def _comparison(compare: Any) -> Any:
    def method(self: Dimension, other: Any) -> Any:
        try:
            a, b = self.value, Dimension(other).value
        except (TypeError, ValueError):
            return NotImplemented
        return None if a is None or b is None else compare(a, b)

    return method


numbers.Integral.register(Dimension)  # what takes an integer takes one
for _name in ("lt", "le", "gt", "ge"):
    setattr(Dimension, f"__{_name}__", _comparison(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Dimension, f"__{_name}__", _operator(getattr(operator, _name)))
    setattr(Dimension, f"__r{_name}__", _operator(getattr(operator, _name), swapped=True))


def _dimension(value: Any) -> Any:
    if value is None or type(value) is Size:
        return value
    if isinstance(value, Dimension):
        return value.value
    try:
        size = operator.index(value)
    except TypeError:
        raise TypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value "
            f"'{value!r}' with type '{type(value)!r}'"
        ) from None
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


# To type checkers alone: libraries that take structures apart would take shapes apart.
_Base = Sequence[Any] if TYPE_CHECKING else object


class TensorShape(_Base):
    """The shape of a tensor: a sequence of sizes, in which None is an unknown one.

    `TensorShape(None)` is a shape of unknown rank. As in TensorFlow, a shape is no tuple: `"%s" %
    x.shape` is one value to Python.
    """

    __slots__ = ("_dims", "unknown_rank")

    def __init__(self, dims: Iterable[Any] | Dimension | int | None = ()) -> None:
        self._dims: tuple[Any, ...] = ()
        self.unknown_rank = dims is None
        if dims is None:
            return
        if isinstance(dims, TensorShape):
            self._dims, self.unknown_rank = dims._dims, dims.unknown_rank
            return
        if isinstance(dims, (int, np.integer, Dimension)) or (
            isinstance(dims, np.ndarray) and not dims.ndim
        ):
            dims = (dims,)
        if isinstance(dims, (str, bytes)):
            raise TypeError(f"A shape is made of integers, got {dims!r}.")
        self._dims = tuple([_dimension(d) for d in dims])

    @classmethod
    def known(cls, dims: tuple[int, ...]) -> TensorShape:
        """Return the shape of an existing array, without checks."""
        self = object.__new__(cls)
        self._dims = dims
        self.unknown_rank = False
        return self

    @property
    def rank(self) -> int | None:
        """Return the number of axes; None if it is unknown."""
        return None if self.unknown_rank else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """Return the number of axes; None if it is unknown."""
        return self.rank

    @property
    def dims(self) -> list[Any] | None:
        """Return the sizes as a list of `Dimension`; None if the rank is unknown."""
        if self.unknown_rank:
            return None
        return [d if type(d) is Size else Dimension(d) for d in self._dims]

    def as_list(self) -> list[Any]:
        """Return the sizes as a list, with None for those that are unknown."""
        if self.unknown_rank:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> Any:
        """Return the number of elements; None if a size is unknown."""
        return math.prod(self) if has_all_sizes(self) else None

    def is_fully_defined(self) -> bool:
        """Return whether all sizes are known; those that a function's signature leaves open are
        not."""
        return has_all_sizes(self) and Size not in map(type, self._dims)

    def assert_is_fully_defined(self) -> None:
        """Raise a ValueError unless all sizes are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: TensorShape | Sequence[int | None]) -> bool:
        """Return whether both can be the same shape: known sizes agree."""
        other = TensorShape(other)
        if self.unknown_rank or other.unknown_rank:
            return True
        return len(self) == len(other) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Sequence[int]) -> None:
        """Raise a ValueError unless both can be the same shape."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def assert_has_rank(self, rank: int) -> None:
        """Raise a ValueError unless the rank can be this one."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raise a ValueError unless both can have the same rank."""
        other = TensorShape(other)
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def merge_with(self, other: Sequence[int]) -> TensorShape:
        """Return the shape with all sizes that either of the two knows."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self.unknown_rank:
            return other
        if other.unknown_rank:
            return self
        pairs = zip(self._dims, other._dims, strict=True)
        return TensorShape([b if a is None else a for a, b in pairs])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Return the shape with the sizes in which both agree."""
        other = TensorShape(other)
        if self.unknown_rank or other.unknown_rank or len(self) != len(other):
            return TensorShape(None)
        pairs = zip(self._dims, other._dims, strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def is_subtype_of(self, other: Any) -> bool:
        """Return whether all shapes that this one allows are allowed by another, too."""
        if not isinstance(other, TensorShape):
            return False
        if self.unknown_rank or other.unknown_rank:
            return other.unknown_rank
        pairs = zip(self._dims, other._dims, strict=False)
        return len(self) == len(other) and all(b is None or a == b for a, b in pairs)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorShape | None:
        """Return the narrowest shape that allows what this one and others allow; None for others
        that are no shapes."""
        shape = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            shape = shape.most_specific_compatible_shape(other)
        return shape

    def with_rank(self, rank: int) -> TensorShape:
        """Return this shape; raise a ValueError if the rank is another one."""
        self.assert_has_rank(rank)
        return TensorShape([None] * rank) if self.unknown_rank else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return this shape; raise a ValueError if the rank is smaller."""
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return this shape; raise a ValueError if the rank is larger."""
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def concatenate(self, other: Sequence[int]) -> TensorShape:
        """Return this shape followed by another one."""
        other = TensorShape(other)
        if self.unknown_rank or other.unknown_rank:
            return TensorShape(None)
        return TensorShape([*self._dims, *other._dims])

    def __len__(self) -> int:
        if self.unknown_rank:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __iter__(self) -> Any:
        if self.unknown_rank:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims)

    def __bool__(self) -> bool:
        return not self.unknown_rank

    def __getitem__(self, key: int | slice) -> Any:
        if self.unknown_rank:
            return TensorShape(None) if isinstance(key, slice) else None
        try:
            item = self._dims[key]
        except IndexError:
            raise AxisError(
                f"a tensor of shape {self._dims} has no axis {key}: it has {len(self)} axes"
            ) from None
        return TensorShape(item) if isinstance(key, slice) else item

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: list[int]) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, TensorShape):
            if other is None:
                return self.unknown_rank
            try:
                other = TensorShape(other)
            except (TypeError, ValueError):
                return False
        return self.unknown_rank == other.unknown_rank and self._dims == other._dims

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.unknown_rank, self._dims))

    def __reduce__(self) -> Any:
        return TensorShape, (None if self.unknown_rank else self._dims,)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.unknown_rank else list(self._dims)})"

    def __str__(self) -> str:
        return "<unknown>" if self.unknown_rank else repr(self._dims)


def plain_sizes(value: TensorShape | Dimension) -> Any:
    """Return a shape as a list, a size as a number."""
    return value.as_list() if isinstance(value, TensorShape) else value.value


def has_all_sizes(shape: TensorShape) -> bool:
    """Return whether all sizes are known, or open ones that a trace can compute with."""
    return not shape.unknown_rank and None not in shape._dims
