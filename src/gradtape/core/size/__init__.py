"""`Size`: a size that differs from call to call of a function that is traced once.

A function whose signature leaves sizes open is traced with the sizes of its first call, but as
`Size`s: expressions of the open ones. They compute as integers do. Where a decision is taken (a
comparison, a loop over `range(n)`, a NumPy call), it is the one for this call, and a *condition*
is noted: the trace is valid for all sizes that meet its conditions.

A `Size` is no `int`: whatever reads its number as one (`__index__`) is noticed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradtape.core.size.polynomials import (
    Terms,
    constant,
    divided,
    least_of,
    plus,
    polynomial,
    source_of,
    times,
)

_INTEGERS = (int, np.integer)
_NUMBERS = (float, complex, np.number, np.ndarray)
_NAME = re.compile(r"\bs\d+\b")


class OpenSizes:
    """The open sizes of one trace: their values in its first call, and the conditions on them."""

    def __init__(self, values: Sequence[int], *, are_examples: bool = False) -> None:
        self.names: tuple[str, ...] = ()
        self.sizes: tuple[Size, ...] = ()
        self.conditions: dict[str, None] = {}  # Python expressions of the names, in order
        self.is_closed = False  # whether all is known that depends on them
        self.are_examples = are_examples  # whether the values are those of no call
        self.failure: BaseException | None = None  # an error that has nothing to do with them
        self._holds: dict[int, Callable[..., bool]] = {}  # by how many sizes are known
        for value in values:
            self.add(value)
        self._given = len(self.names)

    def add(self, value: int) -> Size:
        """Return one more open size, which is found while the function is traced."""
        name = f"s{len(self.names)}"
        size = Size((((name,), 1),), value, self)
        self.names += (name,)
        self.sizes += (size,)
        return size

    def is_found(self, size: Any) -> bool:
        """Return whether a size depends on one that was added while the function was traced."""
        names = _NAME.findall(size.source) if type(size) is Size else ()
        return any(self.names.index(name) >= self._given for name in names)

    def close(self) -> None:
        """End the time in which sizes and conditions may be added."""
        self.is_closed = True

    def hold(self, values: Sequence[int]) -> bool:
        """Return whether other sizes meet the conditions; those on the first ones, of as many."""
        count = len(values)
        holds = self._holds.get(count)
        if holds is None:
            known = set(self.names[:count])
            of_known = [c for c in self.conditions if known.issuperset(_NAME.findall(c))]
            holds = _compiled(self.names[:count], " and ".join(of_known) or "True")
            self._holds[count] = holds
        try:
            return bool(holds(*values))
        except ZeroDivisionError:
            return False

    def complete(self, values: Sequence[int]) -> tuple[int, ...]:
        """Return the first sizes with 0 for the others, which are not known yet."""
        return (*values, *[0] * (len(self.names) - len(values)))

    @property
    def values(self) -> tuple[int, ...]:
        """Return the open sizes of the first call."""
        return tuple([size._value for size in self.sizes])

    def note(self, condition: str) -> None:
        """Add a condition, which the first call meets.

        With examples for sizes, a condition that other sizes do not meet is an error, at once: what
        the program would do next, such as to make a variable, would be for these examples only.
        """
        if condition in self.conditions or self._is_settled(condition):
            return
        if self.is_closed:
            raise TypeError(
                "A size of a tf.function whose signature leaves it open (None) was used after the "
                "function was traced, and has no value there. Use tf.shape(x) inside the function."
            )
        if self.are_examples and not self._is_general(condition):
            raise TypeError(
                "A size that a signature leaves open (None) was used as a number, and no call says "
                "which. Use tf.shape(x) inside the function."
            )
        self.conditions[condition] = None

    def _is_general(self, condition: str) -> bool:
        """Return whether other sizes meet a condition, too."""
        holds = _compiled(self.names, condition)
        return all(holds(*[more * n for n in self.values]) for more in (2, 3))

    def _is_settled(self, condition: str) -> bool:
        """Return whether a condition is on sizes that are fixed already."""
        used = set(_NAME.findall(condition))
        fixed = [f"{n} == {v}" for n, v in zip(self.names, self.values, strict=True) if n in used]
        return all(each in self.conditions for each in fixed)


def _compiled(names: Sequence[str], source: str) -> Any:
    return eval(f"lambda {', '.join(names)}: {source}")


class Size:
    """A size as a polynomial of the open sizes; see above."""

    __slots__ = ("_terms", "_value", "open")

    def __init__(self, terms: Terms, value: int, open: OpenSizes) -> None:
        self._terms = terms
        self._value = value
        self.open = open

    @property
    def source(self) -> str:
        """Return the size as a Python expression of the names of the open sizes."""
        return source_of(self._terms)

    def at(self, values: Sequence[int]) -> int:
        """Return what the size is for other values of the open sizes."""
        return _compiled(self.open.names, self.source)(*values)

    def _parts(self, x: Any) -> tuple[Terms, int]:
        """Return a size or an integer as a polynomial, and its number in this call."""
        if isinstance(x, Size) and x.open is self.open:
            return x._terms, x._value
        number = x.__index__()  # also of a size of another trace, which must be fixed
        return polynomial({(): number}), number

    # --- arithmetic ------------------------------------------------------------------------------

    def _made(self, terms: Terms, value: int) -> Any:
        number = constant(terms)
        return Size(terms, value, self.open) if number is None else number

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (Size, *_INTEGERS)):
            return self._as_number(operator.add, other)
        terms, value = self._parts(other)
        return self._made(plus(self._terms, terms), self._value + value)

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, (Size, *_INTEGERS)):
            return self._as_number(operator.sub, other)
        terms, value = self._parts(other)
        return self._made(plus(self._terms, terms, -1), self._value - value)

    def __rsub__(self, other: Any) -> Any:
        return (
            other + -self if isinstance(other, _INTEGERS) else self._as_other(operator.sub, other)
        )

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (Size, *_INTEGERS)):
            return self._as_number(operator.mul, other)
        terms, value = self._parts(other)
        return self._made(times(self._terms, terms), self._value * value)

    __radd__ = __add__

    def __rmul__(self, other: Any) -> Any:
        return self * other if isinstance(other, _INTEGERS) else self._as_other(operator.mul, other)

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Size:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __floordiv__(self, other: Any) -> Any:
        return self._quotient(other, "//", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._quotient(other, "//", other, self)

    def __mod__(self, other: Any) -> Any:
        return self._quotient(other, "%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._quotient(other, "%", other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def _quotient(self, other: Any, sign: str, x: Any, y: Any) -> Any:
        both = {"//": operator.floordiv, "%": operator.mod}[sign]
        if not isinstance(other, (Size, *_INTEGERS)):
            calculate = self._as_number if x is self else self._as_other
            return calculate(both, other)
        (a, m), (b, n) = self._parts(x), self._parts(y)
        value = both(m, n)
        if isinstance(y, Size):
            bool(y)  # notes that no other size is divided by 0
        whole = divided(a, b)
        if whole is not None:
            return self._made(whole if sign == "//" else (), value)
        atom = f"({source_of(a)} {sign} {source_of(b)})"
        least = [least_of(a), least_of(b)]
        if any(n is None or n < 0 for n in least):
            atom = f"+{atom}"  # it may be negative
        return Size((((atom,), 1),), value, self.open)

    def _as_number(self, calculate: Callable[[Any, Any], Any], other: Any) -> Any:
        """Compute with the number of this call, if the other is a plain number."""
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return calculate(self.__index__(), other)

    def _as_other(self, calculate: Callable[[Any, Any], Any], other: Any) -> Any:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return calculate(other, self.__index__())

    def __truediv__(self, other: Any) -> Any:
        number = other.__index__() if isinstance(other, Size) else other
        if not isinstance(number, (int, *_NUMBERS)):
            return NotImplemented
        return self.__index__() / number

    def __rtruediv__(self, other: Any) -> Any:
        if not isinstance(other, (int, *_NUMBERS)):
            return NotImplemented
        return other / self.__index__()

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and other >= 0:
            result: Any = 1
            for _ in range(other):
                result = result * self
            return result
        return self.__index__() ** other

    def __rpow__(self, other: Any) -> Any:
        return other ** self.__index__()

    # --- decisions -------------------------------------------------------------------------------

    def _decide(self, other: Any, sign: str, compare: Callable[[int, int], bool]) -> bool:
        terms, value = self._parts(other)
        difference = plus(self._terms, terms, -1)
        number = constant(difference)
        if number is not None:
            return compare(number, 0)
        for d, swapped in ((difference, False), (times(difference, ((((), -1)),)), True)):
            least = least_of(d)
            if least is None:
                continue
            if least > 0 or (least == 0 and sign in ("<", ">=") and not swapped):
                return compare(-1 if swapped else 1, 0)
            if least == 0 and sign in (">", "<=") and swapped:
                return compare(0, 0)
        answer = compare(self._value - value, 0)
        relation = sign if answer else _OPPOSITE[sign]
        self.open.note(f"{source_of(difference)} {relation} 0")
        return answer

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Size, *_INTEGERS)):
            return self._decide(other, "==", operator.eq)
        if isinstance(other, float):
            return other.is_integer() and self._decide(int(other), "==", operator.eq)
        return NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __lt__(self, other: Any) -> bool:
        return self._ordered(other, "<", operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._ordered(other, "<=", operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._ordered(other, ">", operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._ordered(other, ">=", operator.ge)

    def _ordered(self, other: Any, sign: str, compare: Callable[[Any, Any], bool]) -> bool:
        if isinstance(other, (Size, *_INTEGERS)):
            return self._decide(other, sign, compare)
        if isinstance(other, (float, np.ndarray)):
            return compare(self.__index__(), other)
        return NotImplemented

    def __bool__(self) -> bool:
        return self != 0

    def __index__(self) -> int:
        """Return the number of this call: the trace is valid for no other."""
        self.open.note(f"{self.source} == {self._value}")
        return self._value

    __int__ = __trunc__ = __floor__ = __ceil__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())

    def __complex__(self) -> complex:
        return complex(self.__index__())

    def __round__(self, digits: int | None = None) -> Size:
        return self

    def __hash__(self) -> int:
        return hash(self.__index__())

    # --- other manners of an integer -------------------------------------------------------------

    @property
    def value(self) -> Size:
        """Return the size itself, as a TensorFlow 1 dimension does."""
        return self

    def __copy__(self) -> Size:
        return self

    def __deepcopy__(self, memo: Any) -> Size:
        return self

    def __reduce__(self) -> Any:
        return int, (self.__index__(),)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.__index__(), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Compute with an array, or by a function of NumPy's: with the number of this call."""
        calculate = _OF_INTEGERS.get(ufunc)
        if calculate is not None and all(map(_is_integer, inputs)):
            return calculate(*[x if type(x) is Size else int(x) for x in inputs])
        numbers = [x.__index__() if type(x) is Size else x for x in inputs]
        return getattr(ufunc, method)(*numbers, **options)

    def __format__(self, spec: str) -> str:
        return format(self.__index__(), spec) if spec else repr(self)

    def __repr__(self) -> str:
        return "None"  # what TensorFlow shows for a size that is not known


def _is_integer(x: Any) -> bool:
    """Return whether x is a size or one integer; NumPy compares its own as arrays."""
    is_array = isinstance(x, np.ndarray) and not x.ndim and x.dtype.kind in "iu"
    return is_array or isinstance(x, (Size, *_INTEGERS))


_OPPOSITE = {"==": "!=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
# What an integer of NumPy's on the left computes: a size stays one.
_OF_INTEGERS: dict[Any, Callable[..., Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.floor_divide: operator.floordiv,
    np.remainder: operator.mod,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
}


# --- what holds sizes ----------------------------------------------------------------------------


def is_open(value: Any) -> bool:
    """Return whether a size, or a (nested) tuple or list, has an open size in it."""
    if isinstance(value, (tuple, list)):
        for n in value:  # noqa: SIM110 (`any` is slower, and this is called for every shape)
            if type(n) is not int and is_open(n):
                return True
        return False
    return type(value) is Size


def numbers_of(value: Any) -> Any:
    """Return a value with the sizes in it, and in tuples, as those of this call; none is noted."""
    if type(value) is tuple:
        return tuple(map(numbers_of, value))
    return value._value if type(value) is Size else value


def surely_equal(a: Any, b: Any) -> bool:
    """Return whether two shapes are equal for all sizes; nothing is noted."""
    return a is b or key_of_sizes(tuple(a)) == key_of_sizes(tuple(b))


def has_negative(sizes: Any) -> bool:
    """Return whether a number is negative, of several that may be sizes: `min` compares them."""
    for n in sizes:  # noqa: SIM110 (`any` is slower, and this is called for every reshape)
        if n < 0:
            return True
    return False


def sizes_in(value: Any) -> Iterator[Size]:
    """Yield the open sizes in a size or a (nested) tuple or list."""
    if type(value) is Size:
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from sizes_in(each)


def key_of_sizes(value: Any) -> Any:
    """Return a hashable stand-in for a parameter: equal ones are the same expressions."""
    if type(value) is Size:
        return (Size, id(value.open), value._terms)
    if isinstance(value, tuple) and is_open(value):
        return tuple(map(key_of_sizes, value))
    return value
