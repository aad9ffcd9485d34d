"""einsum and tensordot."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

EQUATIONS = {
    "ij,jk->ik": ((2, 3), (3, 4)),
    "ij,jk": ((2, 3), (3, 4)),
    "ij,kj->ki": ((2, 3), (4, 3)),
    "i,i->": ((3,), (3,)),
    "i,j->ji": ((2,), (3,)),
    "ij,ij->i": ((2, 3), (2, 3)),
    "ij,j->ij": ((2, 3), (3,)),
    "bthd,bshd->bhts": ((2, 3, 2, 2), (2, 4, 2, 2)),
    "bhts,bshd->bthd": ((2, 2, 3, 2), (2, 2, 2, 3)),
    "ijk,kil->lj": ((2, 3, 4), (4, 2, 3)),
    "ijk,lk->il": ((2, 3, 4), (2, 4)),
    "ij->": ((2, 3),),
    "ij->ji": ((2, 3),),
    "ba": ((2, 3),),
    "ii->": ((3, 3),),
    "ii->i": ((3, 3),),
    "iji->j": ((2, 3, 2),),
    "iij,j->ij": ((2, 2, 3), (3,)),
    "...ij,...jk->...ik": ((2, 1, 2, 3), (4, 3, 2)),
    "...,...->...": ((2, 1), (3,)),
    "b...,b...->...": ((2, 1, 3), (2, 4, 1)),
    "i...->...": ((2, 3),),
    ",ij->ij": ((), (2, 3)),
    "ij,jk,kl->il": ((2, 3), (3, 2), (2, 4)),
    "bi,bij,bj->b": ((2, 3), (2, 3, 3), (2, 3)),
    "i,ij,jk,k->": ((2,), (2, 3), (3, 2), (2,)),
}


def _equation(equation):
    return lambda *xs: ops.einsum(equation, *xs)


def _axes(axes):
    return lambda x, y: ops.tensordot(x, y, axes)


CASES = [
    Case(
        f"einsum {equation}",
        _equation(equation),
        [random(*shape, seed=i) for i, shape in enumerate(shapes)],
    )
    for equation, shapes in EQUATIONS.items()
] + [
    Case(
        "einsum integers", _equation("ij,j->i"), [np.arange(6).reshape(2, 3), np.arange(3)], order=0
    ),
    Case("einsum of nothing", _equation("ij,jk->ik"), [random(2, 0), random(0, 3)], order=1),
    Case("tensordot 1", _axes(1), [random(2, 3), random(3, 4)]),
    Case("tensordot 0", _axes(0), [random(2), random(3, 2)]),
    Case("tensordot pairs", _axes([[0, 2], [-1, 0]]), [random(2, 3, 4), random(4, 5, 2)]),
    Case("tensordot integers for axes", _axes([1, 1]), [random(2, 3), random(4, 3)]),
]
