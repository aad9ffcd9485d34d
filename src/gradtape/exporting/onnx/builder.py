"""`Builder`: the nodes of an ONNX graph as they are made, with constants and sizes by name."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape.exporting import sizes
from gradtape.exporting.sizes import Linear, Series, constant
from gradtape.formats import onnx

# Ops, and values of their attribute `reduction`, that older opsets do not have.
_SINCE = {"BitwiseAnd": 18, "BitwiseOr": 18, "BitwiseXor": 18, "BitwiseNot": 18}
_SINCE |= {"max": 18, "min": 18}


class Names:
    """Names that are unique in a whole model, and the constants in it."""

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self._counts: dict[str, itertools.count] = {}
        self._taken: set[str] = set()
        self.constants: dict[str, np.ndarray] = {}
        self._by_content: dict[tuple, str] = {}
        self.graphs: list = []  # kept alive: values are known by their ids
        self.used: dict[str, None] = {}  # constants that nodes refer to, in order

    def fresh(self, stem: str) -> str:
        """Return a name that begins with the stem."""
        if stem not in self._taken:
            self._taken.add(stem)
            return stem
        count = self._counts.setdefault(stem, itertools.count(1))
        name = next(n for i in count if (n := f"{stem}_{i}") not in self._taken)
        self._taken.add(name)
        return name

    def constant(self, array: np.ndarray, stem: str = "constant") -> str:
        """Return the name of a constant; small ones with equal values share theirs."""
        array = np.asarray(array)
        key = None
        if array.nbytes <= 256 and array.dtype != object:
            key = (array.dtype, array.shape, array.tobytes())
            if key in self._by_content:
                return self._by_content[key]
        name = self.fresh(stem)
        self.constants[name] = array
        if key is not None:
            self._by_content[key] = name
        return name


class Builder:
    """A graph, or a graph inside an op (with `outer`), which sees the values around it."""

    def __init__(self, names: Names, outer: Builder | None = None) -> None:
        self.names = names
        self.outer = outer
        self.nodes: list[bytes] = []
        self.values: dict[int, str] = {} if outer is None else dict(outer.values)
        # For each varying size, its name as a tensor [1], or a value and an axis that have it.
        self._sizes: dict[Series, str] = {} if outer is None else dict(outer._sizes)
        self._axes: dict[Series, tuple[str, int]] = {} if outer is None else dict(outer._axes)

    # --- nodes -----------------------------------------------------------------------------------

    def several(self, op: str, inputs: Sequence[str], outputs: int, **attributes: Any) -> list[str]:
        """Add a node, and return the names of its results."""
        since = max(_SINCE.get(op, 0), _SINCE.get(attributes.get("reduction", ""), 0))
        if since > self.names.opset:
            raise NotImplementedError(f"ONNX has {op} as needed here from opset {since} on.")
        made = [self.names.fresh(op.lower()) for _ in range(outputs)]
        for name in inputs:
            if name in self.names.constants:
                self.names.used[name] = None
        self.nodes.append(onnx.node(op, inputs, made, made[0], attributes))
        return made

    def __call__(self, op: str, *inputs: Any, **attributes: Any) -> str:
        """Add a node with one result, and return its name. Arrays become constants."""
        given = [x if isinstance(x, str) else self.constant(x) for x in inputs]
        return self.several(op, given, 1, **attributes)[0]

    def constant(self, array: Any, dtype: Any = None) -> str:
        return self.names.constant(np.asarray(array, dtype))

    def known(self, name: str) -> np.ndarray | None:
        """Return the values of a constant or variable."""
        return self.names.constants.get(name)

    def integers(self, values: Sequence[int]) -> str:
        """Return a vector of fixed integers."""
        return self.constant(list(values), np.int64)

    # --- common combinations ---------------------------------------------------------------------

    def transpose(self, name: str, permutation: Sequence[int]) -> str:
        """Transpose a value; a constant is transposed now."""
        if list(permutation) == list(range(len(permutation))):
            return name
        known = self.known(name)
        if known is not None:
            return self.names.constant(np.ascontiguousarray(known.transpose(permutation)), name)
        return self("Transpose", name, perm=list(permutation))

    def cast(self, name: str, dtype: Any) -> str:
        return self("Cast", name, to=onnx.data_type(np.dtype(dtype)))

    def unsqueeze(self, name: str, *axes: int) -> str:
        return self("Unsqueeze", name, self.integers(axes))

    def squeeze(self, name: str, *axes: int) -> str:
        return self("Squeeze", name, self.integers(axes))

    def reduce(self, op: str, name: str, axes: Sequence[int], keepdims: bool) -> str:
        """Reduce over axes; over none it is the value itself."""
        if not len(axes):
            return name
        if self.names.opset < 18 and op != "ReduceSum":
            return self(op, name, axes=list(axes), keepdims=int(keepdims))
        return self(op, name, self.integers(axes), keepdims=int(keepdims))

    def slice(self, name: str, axis: int, start: Any, stop: Any, step: int = 1) -> str:
        """Take a part along an axis; start and stop are integers, series or None."""
        last = np.iinfo(np.int64)
        first = self.bound(start, 0 if step > 0 else last.max)
        end = self.bound(stop, last.max if step > 0 else last.min)
        return self("Slice", name, first, end, self.integers([axis]), self.integers([step]))

    def bound(self, value: Any, missing: int) -> str:
        """Return a bound of a slice as a vector of one integer."""
        if value is None:
            return self.integers([missing])
        return self.integers([value]) if isinstance(value, int) else self.size(value)

    # --- sizes -----------------------------------------------------------------------------------

    def note_sizes(self, name: str, shape: Sequence[Series]) -> None:
        """Remember where the varying sizes of a new value can be read."""
        for axis, series in enumerate(shape):
            if constant(series) is None:
                self._axes.setdefault(series, (name, axis))

    def size(self, series: Series) -> str:
        """Return a size as a vector of one integer."""
        fixed = constant(series)
        if fixed is not None:
            return self.integers([fixed])
        known = self._sizes.get(series)
        if known is None:
            known = self._sizes[series] = self._compute(series)
        return known

    def _compute(self, series: Series) -> str:
        axis = self._axes.get(series)
        if axis is not None:
            return self("Shape", axis[0], start=axis[1], end=axis[1] + 1)
        expression = sizes.find(series, self._axes)
        if expression is None:
            raise UnknownSize(series)
        if isinstance(expression, Linear):
            size = self.size(expression.first)
            if expression.second is not None:
                size = self("Mul", size, self.size(expression.second))
            size = self._scaled("Mul", size, expression.factor, 1)
            size = self._scaled("Add", size, expression.shift, 0)
            size = self._scaled("Div", size, expression.divisor, 1)
        else:
            op = "Add" if expression.sign > 0 else "Sub"
            size = self(op, self.size(expression.first), self.size(expression.second))
        return self._scaled("Add", size, expression.offset, 0)

    def _scaled(self, op: str, size: str, by: int, neutral: int) -> str:
        return size if by == neutral else self(op, size, self.integers([by]))

    def scalar(self, series: Series) -> str:
        """Return a size as a single integer."""
        fixed = constant(series)
        return self.constant(fixed, np.int64) if fixed is not None else self._single(series)

    def _single(self, series: Series) -> str:
        return self("Reshape", self.size(series), self.integers([]))

    def shape(self, series: Sequence[Series]) -> str:
        """Return sizes as a vector."""
        fixed = [constant(size) for size in series]
        if None not in fixed:
            return self.integers([size for size in fixed if size is not None])
        parts = [self.size(size) for size in series]
        return parts[0] if len(parts) == 1 else self("Concat", *parts, axis=0)

    def reshape(self, name: str, series: Sequence[Series]) -> str:
        """Reshape a value; one size that varies follows from the others."""
        fixed = [constant(size) for size in series]
        if fixed.count(None) == 1 and 0 not in fixed:
            return self("Reshape", name, self.integers([-1 if n is None else n for n in fixed]))
        # Without allowzero, 0 would mean the size that the input has.
        return self("Reshape", name, self.shape(series), allowzero=1)

    def expand(self, name: str, series: Sequence[Series]) -> str:
        return self("Expand", name, self.shape(series))


class UnknownSize(Exception):
    """Raised for a size that is no expression of known ones."""

    def __init__(self, series: Series) -> None:
        super().__init__(
            "a size depends on the open sizes of the signature in a way that ONNX cannot express "
            f"(it is {', '.join(map(str, series))} in the traces). Give these sizes in the "
            "signature."
        )
