"""Every primitive has all its rules, or a written reason, and is bound by some case."""

from __future__ import annotations

import pytest

from gradtape.core.primitive import PRIMITIVES, ByLoop
from tests.rules.harness import spied
from tests.rules.test_rules import CASES

ALL = [pytest.param(p, id=name) for name, p in sorted(PRIMITIVES.items())]


@pytest.mark.parametrize("prim", ALL)
def test_rules_are_complete(prim):
    assert callable(prim.shape)
    assert callable(prim.kernel)
    if prim.no_derivative is not None:
        assert len(prim.no_derivative) > 10
    else:
        assert prim.vjps or prim.joint
        for rule in prim.vjps or ():
            reason = getattr(rule, "reason", None)
            assert reason is None or len(reason) > 10
    assert callable(prim.batch) or (isinstance(prim.batch, ByLoop) and len(prim.batch.reason) > 10)


def test_every_primitive_has_a_case():
    bound = set().union(*(spied(case.function, *case.args)[1] for case in CASES))
    assert set(PRIMITIVES) - bound == set()
