"""`tf.compat.v1.Dimension`: a size of a shape as an object; TensorFlow 2 has integers instead."""

from __future__ import annotations

import operator

from gradtape.api.export import export


@export("compat.v1.Dimension")
class Dimension:
    """A size, or None for one that is not known."""

    def __init__(self, value) -> None:
        if isinstance(value, Dimension):
            value = value.value
        self._value = None if value is None else operator.index(value)
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {value} must be >= 0")

    @property
    def value(self) -> int | None:
        return self._value

    def is_compatible_with(self, other) -> bool:
        """Return whether two sizes could be the same."""
        other = Dimension(other)
        return self.value is None or other.value is None or self.value == other.value

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __int__(self) -> int:
        return operator.index(self)

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("The size of this Dimension is not known.")
        return self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __eq__(self, other):
        try:
            other = Dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        known = self.value is not None and other.value is not None
        return self.value == other.value if known else None


def _operator(compute, swapped: bool = False):
    def method(self, other):
        try:
            a, b = self.value, Dimension(other).value
        except (TypeError, ValueError):
            return NotImplemented
        if a is None or b is None:
            return Dimension(None)
        return Dimension(compute(b, a) if swapped else compute(a, b))

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Dimension, f"__{_name}__", _operator(getattr(operator, _name)))
    setattr(Dimension, f"__r{_name}__", _operator(getattr(operator, _name), swapped=True))
