"""Arithmetic, comparisons, exponentials and their kin."""

from __future__ import annotations

from gradtape import ops
from tests.rules.harness import Case, random

A = random(3, 4)
B = random(3, 4, seed=1)
ROW = random(4, seed=2)
POSITIVE = random(3, 4, seed=3, low=0.3, high=2.0)

CASES = [
    Case("add", ops.add, [A, B]),
    Case("add broadcast", ops.add, [A, ROW]),
    Case("multiply broadcast", ops.multiply, [ROW, A]),
    Case("divide", ops.divide, [A, POSITIVE]),
    Case("power", ops.pow, [POSITIVE, B]),
    Case("maximum broadcast", ops.maximum, [A, ROW]),
    Case("where", lambda x, y: ops.where(x > y, x * y, y), [A, B]),
    Case("sign", ops.sign, [A], order=0),
]
for _op in (ops.sin, ops.cos, ops.exp, ops.tanh, ops.sigmoid, ops.square, ops.relu, ops.abs):
    CASES.append(Case(_op.__name__, _op, [A]))
for _op in (ops.log, ops.sqrt, ops.rsqrt, ops.log1p):
    CASES.append(Case(_op.__name__, _op, [POSITIVE]))
