"""Reductions over axes."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.ops.reduce import tie_shares_p
from tests.ops.harness import Case, random

A = random(3, 4)
CUBE = random(2, 3, 4, seed=1)
POSITIVE = random(3, 4, seed=2, low=0.3, high=2.0)
ZEROS = np.array([[0.5, 0.0, 2.0, -1.5], [0.0, 0.0, 1.5, 3.0], [1.0, 2.0, -0.5, 0.7]])
COMPLEX = random(3, 4, seed=3) + 1j * random(3, 4, seed=4)
TRUTHS = random(2, 3, 4, seed=5) > -0.6

FORMS = {
    "all": {},
    "first": {"axis": 0},
    "last kept": {"axis": -1, "keepdims": True},
    "two": {"axis": (0, 2)},
    "two kept": {"axis": [-1, 0], "keepdims": True},
    "none": {"axis": ()},
}
DIFFERENTIABLE = (
    ops.reduce_sum,
    ops.reduce_mean,
    ops.reduce_prod,
    ops.reduce_max,
    ops.reduce_min,
    ops.reduce_logsumexp,
    ops.reduce_euclidean_norm,
    ops.reduce_variance,
)

CASES = [
    Case(f"{op.__name__} {label}", lambda x, op=op, form=form: op(x, **form), [CUBE])
    for op in DIFFERENTIABLE
    for label, form in FORMS.items()
]
CASES += [
    Case(f"{op.__name__} scalar", op, [np.array(0.7)])
    for op in (ops.reduce_sum, ops.reduce_mean, ops.reduce_max, ops.reduce_logsumexp)
]
CASES += [
    Case(f"{op.__name__} nothing", lambda x, op=op: op(x, 0), [random(0, 3)])
    for op in (ops.reduce_sum, ops.reduce_prod)
]
# Large enough for sums by way of matrix products.
CASES += [
    Case(
        f"reduce_sum large {axis}",
        lambda x, axis=axis: ops.reduce_sum(x, axis, axis != 1),
        [random(8, 16, 24, seed=6)],
        order=1,
    )
    for axis in (0, 1, 2, (0, 1), (1, 2), (0, 2))
]
CASES += [
    Case("reduce_std", lambda x: ops.reduce_std(x, 1), [A]),
    Case("reduce_std all", ops.reduce_std, [CUBE]),
    Case("reduce_prod zeros", lambda x: ops.reduce_prod(x, 1), [ZEROS]),
    Case("reduce_prod zeros all", ops.reduce_prod, [ZEROS[:2, :2]]),
    Case("reduce_sum complex", lambda x: ops.reduce_sum(x, 0), [COMPLEX], low_precision=False),
    Case("reduce_mean complex", lambda x: ops.reduce_mean(x, 1), [COMPLEX], low_precision=False),
    Case("reduce_prod complex", lambda x: ops.reduce_prod(x, 1), [COMPLEX], low_precision=False),
    Case("reduce_variance complex", ops.reduce_variance, [COMPLEX], low_precision=False),
    Case(
        "tie_shares",
        lambda x: bind(tie_shares_p, (x, ops.reduce_max(x, 1, True)), {"axis": (1,)}),
        [ZEROS],
        order=0,
    ),
    Case("reduce_any", lambda x: ops.reduce_any(x, 1), [~TRUTHS], order=0),
    Case("reduce_all", lambda x: ops.reduce_all(x, (0, 2), True), [TRUTHS], order=0),
    Case("argmax", lambda x: ops.argmax(x, 1), [CUBE], order=0),
    Case("argmin", lambda x: ops.argmin(x, -1, "int32"), [CUBE], order=0),
    Case("count_nonzero", lambda x: ops.count_nonzero(x, 1), [ZEROS], order=0),
]
