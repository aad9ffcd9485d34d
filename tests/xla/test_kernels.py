"""Every primitive over the cases of its rules: XLA gives what NumPy gives, forward and backward."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

from gradtape import ops
from gradtape.backends import xla
from gradtape.core.primitive import PRIMITIVES
from tests.rules.test_rules import CASES
from tests.xla.compare import bound_by, check

pytestmark = pytest.mark.filterwarnings("ignore::gradtape.backends.xla.HostFallbackWarning")
each_case = pytest.mark.parametrize("case", CASES, ids=repr)


@each_case
def test_forward_and_reverse_in_float64(case):
    check(bound_by(case.function, case.args, differentiate=case.order > 0))


@pytest.mark.slow
@each_case
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_forward_and_reverse_in_narrow_dtypes(case, dtype):
    if not case.low_precision or case.order == 0:
        return
    args = [
        ops.cast(ops.to_tensor(a), dtype) if np.asarray(a).dtype == np.float64 else a
        for a in case.args
    ]
    check(bound_by(case.function, args))


def test_every_primitive_is_compared():
    """By the cases above. (Text is the one thing that XLA has no type for.)"""
    bound = {
        prim.name
        for case in CASES
        for prim, *_ in bound_by(case.function, case.args, differentiate=case.order > 0)
    }
    assert set(PRIMITIVES) - bound == {"join_text"}


def test_no_primitive_is_missing():
    assert set(xla.KERNELS) == set(PRIMITIVES)
    for name, reason in xla.REASONS.items():
        assert name in PRIMITIVES
        assert len(reason) > 10
