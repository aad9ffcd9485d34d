"""Derivative rules as straight-line programs, which the core in C runs without calling Python.

A rule is traced once, on stand-ins that have nothing but a dtype, and every op that it binds is
recorded. Numbers in it become constants of the dtype; `conj` of real numbers leaves no trace,
because it binds nothing. A rule that reads a shape is traced for each combination of shapes, on
stand-ins that have one. A rule that reads a value is no straight line: Python runs it.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from gradtape.core.errors import OpError
from gradtape.core.primitive import Primitive, Rule
from gradtape.core.state import get_state, using
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Spec, Tensor

__all__ = ["record_rule"]


class _NotStraight(Exception):
    """The rule read a shape or a value."""


# A larger constant (the mask of a triangle, say) is not kept: Python makes it anew.
_MAX_BYTES = 1 << 15


class _Unknown:
    """The data of a stand-in without a shape: a dtype, and nothing else."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype

    def __getattr__(self, name: str) -> NoReturn:
        raise _NotStraight(name)


class _StandIn(SymbolicTensor):
    """An operand of a rule, or the result of one of its ops; `text` is its source form."""

    __slots__ = ("text",)

    def __init__(self, data: _Unknown | Spec, text: str, recorder: _Recorder) -> None:
        super().__init__(data, recorder)
        self.text = text

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise _NotStraight(self.text)

    numpy = _values = _single = _unmarked = _refuse
    __array__ = __deepcopy__ = __iter__ = __len__ = __reduce__ = _refuse

    def _leaked(self) -> Exception:
        return _NotStraight(self.text)

    def __repr__(self) -> str:
        return f"<{self.text}>"

    __str__ = __repr__


class _Recorder:
    """The interpreter of the ops on stand-ins: it records each of them."""

    def __init__(self, depth: int, has_shapes: bool) -> None:
        self.depth = depth
        self.has_shapes = has_shapes
        self.constants: list[Any] = []
        self.steps: list[tuple[Primitive, list[Any], dict[Any, Any] | None, _StandIn]] = []

    def process(self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any]) -> _StandIn:
        if prim.outputs != 1 or any(isinstance(value, Tensor) for value in params.values()):
            raise _NotStraight(prim.name)
        operands = [x if type(x) is _StandIn else self._constant(x) for x in inputs]
        specs = [x._spec() if self.has_shapes else Spec((), x._data.dtype) for x in operands]
        try:
            spec = prim.shape(*specs, **params)
        except (IndexError, ValueError):
            raise _NotStraight("an op that needs axes") from None
        assert isinstance(spec, Spec)
        words = [x.text if type(x) is _StandIn else _text(x) for x in operands]
        words += [f"{name}={value}" for name, value in params.items()]
        data = spec if self.has_shapes else _Unknown(spec.dtype)
        result = _StandIn(data, f"{prim.name}({', '.join(words)})", self)
        self.steps.append((prim, operands, params or None, result))
        return result

    def _constant(self, x: Tensor) -> Tensor:
        if type(x) is not Tensor or (
            x._data.shape and not (self.has_shapes and x._spec().nbytes <= _MAX_BYTES)
        ):
            raise _NotStraight("a constant that is neither a number nor, beside shapes, small")
        if all(x is not known for known in self.constants):
            self.constants.append(x)
        return x


def _text(x: Tensor) -> str:
    """Return a constant in source form, an array by its shape."""
    return str(x._spec()) if x._data.shape else repr(x._data.item())


def record_rule(
    prim: Primitive,
    rule: Rule,
    dtypes: tuple[Any, ...],
    params: dict[Any, Any],
    shapes: tuple[tuple[int, ...], ...] | None = None,
    needs_grad: tuple[bool, ...] | None = None,
) -> tuple[Any, ...] | None:
    """Return a rule as (steps, constants, indices of results, text), or None.

    There is one result, or of a joint rule, which is given `needs_grad`, one for each input (-1
    where it gives none).

    `dtypes` are those of g (of t, if it is a forward rule), of the inputs that the rule names, and
    of the result if it names that, then those of the inputs that it names only the shape or dtype
    of; `shapes` are theirs, where the rule asks for any. Steps are (primitive, indices of operands,
    params): an index counts operands, then constants, then results of steps.
    """
    recorder = _Recorder(get_state().depth + 1, shapes is not None)
    named = [i for i in range(len(prim.inputs)) if rule.values.get(i) == "value"]
    described = [i for i in range(len(prim.inputs)) if rule.values.get(i) == "spec"]
    first = "t" if prim.jvps is not None and rule in prim.jvps else "g"
    names = [first, *[prim.inputs[i] for i in named], *["ans"] * rule.needs_ans]
    data: list[Any] = [_Unknown(dtype) for dtype in dtypes]
    if shapes is not None:
        data = [Spec(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    operands = [_StandIn(x, name, recorder) for x, name in zip(data, names, strict=False)]
    kept: list[Any] = [None] * len(prim.inputs)
    for i, operand in zip(named, operands[1:], strict=False):
        kept[i] = operand
    for i, spec in zip(described, data[len(operands) :], strict=True):
        kept[i] = spec
    try:
        with using(depth=recorder.depth):
            given = rule.call(operands[0], tuple(kept), operands[-1], params, needs_grad)
    except (_NotStraight, OpError):
        return None
    known = [*operands, *recorder.constants, *[step[-1] for step in recorder.steps]]
    index = {id(x): i for i, x in enumerate(known)}
    results = (given,) if needs_grad is None else tuple(given)
    if any(type(x) is not _StandIn and (x is not None or needs_grad is None) for x in results):
        return None
    steps = tuple(
        (step, tuple(index[id(x)] for x in inputs), params)
        for step, inputs, params, _ in recorder.steps
    )
    constants = tuple(np.asarray(x._data)[()] for x in recorder.constants)
    text = ", ".join(["None" if x is None else x.text for x in results])
    return steps, constants, tuple(-1 if x is None else index[id(x)] for x in results), text
