"""Running sums, products, extremes and logarithms of sums; linear recurrences."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.ops.cumulative import shift
from tests.ops.harness import Case, random

A = random(3, 5)
B = random(3, 5, seed=1)
LONG = random(37, seed=2)
COMPLEX = random(2, 4, seed=3) + 1j * random(2, 4, seed=4)
ZEROS = np.array([[2.0, 0.0, 3.0, 0.5], [0.0, 1.5, 0.0, -2.0]])

CASES = []
for _op in (ops.cumsum, ops.cumprod, ops.cumulative_logsumexp):
    for _reverse in (False, True):
        for _exclusive in (False, True):
            _label = f"{' exclusive' * _exclusive}{' reverse' * _reverse}"
            _form = {"exclusive": _exclusive, "reverse": _reverse}
            # The first of the exclusive logarithms is -inf, which nothing can be compared with.
            _start = 1 if _op is ops.cumulative_logsumexp and _exclusive else 0
            _part = slice(0, -1) if _reverse and _start else slice(_start, None)

            def _function(x, op=_op, form=_form, part=_part):
                return op(x, axis=1, **form)[:, part]

            CASES.append(Case(f"{_op.__name__}{_label}", _function, [A]))
CASES += [
    Case(f"{op.__name__} long", op, [LONG])
    for op in (ops.cumsum, ops.cumprod, ops.cumulative_logsumexp, ops.cummax, ops.cummin)
]
for _op in (ops.cummax, ops.cummin):
    CASES.append(Case(_op.__name__, lambda x, op=_op: op(x, 1), [A]))
    CASES.append(Case(f"{_op.__name__} reverse", lambda x, op=_op: op(x, 0, True), [A]))
for _exclusive in (False, True):
    for _reverse in (False, True):
        _label = f"{' exclusive' * _exclusive}{' reverse' * _reverse}"

        def _function(x, exclusive=_exclusive, reverse=_reverse):
            return ops.cumprod(x, 1, exclusive, reverse)

        CASES.append(Case(f"cumprod zeros{_label}", _function, [ZEROS]))
for _reverse in (False, True):
    for _transposed in (False, True):
        _label = f"{' reverse' * _reverse}{' transposed' * _transposed}"

        def _function(a, b, reverse=_reverse, transposed=_transposed):
            return ops.linear_recurrence(a, b, 1, reverse, transposed)

        CASES.append(Case(f"linear_recurrence{_label}", _function, [A, B]))
        _args = [random(2, 40, seed=5), random(2, 40, seed=6)]
        CASES.append(Case(f"linear_recurrence long{_label}", _function, _args))
CASES += [
    Case("shift", lambda x: shift(x, 1, 1), [A]),
    Case("shift back", lambda x: shift(x, 0, -1, 2.0), [A]),
    Case("cumsum complex", lambda x: ops.cumsum(x, 1), [COMPLEX], low_precision=False),
    Case("cumprod complex", lambda x: ops.cumprod(x, 1), [COMPLEX], low_precision=False),
    Case(
        "linear_recurrence complex",
        lambda a: ops.linear_recurrence(a, a * a, 1),
        [COMPLEX],
        low_precision=False,
    ),
]
