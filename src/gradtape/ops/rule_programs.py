"""Derivative rules as straight-line programs, which the core in C runs without calling Python.

A rule is traced once, on stand-ins that have nothing but a dtype, and every op that it binds is
recorded. Numbers in it become constants of the dtype; `conj` of real numbers leaves no trace,
because it binds nothing. A rule that reads a shape or a value is no straight line: Python runs it.
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


class _Unknown:
    """The data of a stand-in: a dtype, and nothing else."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype

    def __getattr__(self, name: str) -> NoReturn:
        raise _NotStraight(name)


class _StandIn(SymbolicTensor):
    """An operand of a rule, or the result of one of its ops; `text` is its source form."""

    __slots__ = ("text",)

    def __init__(self, dtype: np.dtype, text: str, recorder: _Recorder) -> None:
        super().__init__(_Unknown(dtype), recorder)
        self.text = text

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise _NotStraight(self.text)

    numpy = _values = _single = _spec = _unmarked = _refuse
    __array__ = __deepcopy__ = __iter__ = __len__ = __reduce__ = _refuse

    def _leaked(self) -> Exception:
        return _NotStraight(self.text)

    def __repr__(self) -> str:
        return f"<{self.text}>"

    __str__ = __repr__


class _Recorder:
    """The interpreter of the ops on stand-ins: it records each of them."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.constants: list[Any] = []
        self.steps: list[tuple[Primitive, list[Any], dict[Any, Any] | None, _StandIn]] = []

    def process(self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any]) -> _StandIn:
        if prim.outputs != 1 or any(isinstance(value, Tensor) for value in params.values()):
            raise _NotStraight(prim.name)
        operands = [x if type(x) is _StandIn else self._constant(x) for x in inputs]
        spec = prim.shape(*[Spec((), x._data.dtype) for x in operands], **params)
        assert isinstance(spec, Spec)
        words = [x.text if type(x) is _StandIn else repr(x._data.item()) for x in operands]
        words += [f"{name}={value}" for name, value in params.items()]
        result = _StandIn(spec.dtype, f"{prim.name}({', '.join(words)})", self)
        self.steps.append((prim, operands, params or None, result))
        return result

    def _constant(self, x: Tensor) -> Tensor:
        if type(x) is not Tensor or x._data.shape:
            raise _NotStraight("a constant that is not a number")
        if all(x is not known for known in self.constants):
            self.constants.append(x)
        return x


def record_rule(
    prim: Primitive, rule: Rule, dtypes: tuple[Any, ...], params: dict[Any, Any]
) -> tuple[Any, ...] | None:
    """Return a rule for one input as (steps, constants, index of result, text), or None.

    `dtypes` are those of g (of t, if it is a forward rule), of the inputs that the rule names, and
    of the result if it names that. Steps are (primitive, indices of operands, params): an index
    counts operands, then constants, then results of steps.
    """
    recorder = _Recorder(get_state().depth + 1)
    named = [i for i in range(len(prim.inputs)) if i in rule.values]
    first = "t" if prim.jvps is not None and rule in prim.jvps else "g"
    names = [first, *[prim.inputs[i] for i in named], *["ans"] * rule.needs_ans]
    operands = [_StandIn(dtype, name, recorder) for dtype, name in zip(dtypes, names, strict=True)]
    kept: list[Any] = [None] * len(prim.inputs)
    for i, operand in zip(named, operands[1:], strict=False):
        kept[i] = operand
    try:
        with using(depth=recorder.depth):
            result = rule.call(operands[0], tuple(kept), operands[-1], params, None)
    except (_NotStraight, OpError):
        return None
    known = [*operands, *recorder.constants, *[step[-1] for step in recorder.steps]]
    index = {id(x): i for i, x in enumerate(known)}
    if type(result) is not _StandIn or (result is not operands[0] and not recorder.steps):
        return None
    steps = tuple(
        (step, tuple(index[id(x)] for x in inputs), params)
        for step, inputs, params, _ in recorder.steps
    )
    constants = tuple(np.asarray(x._data)[()] for x in recorder.constants)
    return steps, constants, index[id(result)], result.text
