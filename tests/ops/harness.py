"""What every primitive is checked for. A case is one op at one set of arguments.

Each `cases_*.py` has a list `CASES`; `test_rules.py` runs all of them, and `test_registry.py`
demands that every primitive is bound by at least one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor


@dataclass
class Case:
    """`function(*args)`, with what is to be checked of it.

    `args` are NumPy arrays; float64 ones are differentiated, others are held fixed.
    """

    name: str
    function: Callable
    args: Sequence
    order: int = 2  # how many times it is differentiated; 0 for ops without derivative
    rtol: float = 1e-6
    atol: float = 1e-6
    step: float = 1e-5
    batched: bool = True  # whether vmap is compared with a loop
    low_precision: bool = True  # whether float32 and bfloat16 are compared with float64
    low_rtol: dict = field(default_factory=lambda: {"float32": 1e-4, "bfloat16": 5e-2})

    def __repr__(self) -> str:
        return self.name


class Spy:
    """Sees every op that is bound (as an accumulator does) and holds its shape rule to account."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def record(self, prim, inputs, params, out) -> None:
        self.seen.add(prim.name)
        if any(type(x) is not Tensor for x in inputs):
            return
        promised = prim.shape(*[x._spec() for x in inputs], **params)
        actual = out._spec() if isinstance(out, Tensor) else tuple(y._spec() for y in out)
        if isinstance(actual, tuple):
            promised = tuple(promised)
        assert promised == actual, f"{prim.name}: shape rule says {promised}, result is {actual}"

    def read_mark(self, variable, marks):
        return marks


def spied(function: Callable, *args) -> tuple[list, set[str]]:
    """The results of a function and the names of the primitives it bound."""
    spy = Spy()
    with using(accumulators=(*get_state().accumulators, spy)):
        results = function(*[ops.to_tensor(a) for a in args])
    return [ops.to_tensor(y) for y in nest.flatten(results)], spy.seen


def random(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> np.ndarray:
    """Float64 values spread over [low, high], the same each time."""
    return np.random.default_rng((seed, *shape)).uniform(low, high, shape)
