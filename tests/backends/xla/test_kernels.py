"""Every primitive over the cases of its rules: XLA gives what NumPy gives, forward and backward."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

from gradtape import ops
from gradtape.backends.xla import kernels as xla
from gradtape.core.primitive import PRIMITIVES
from gradtape.engine.vmap import vmap
from tests.backends.xla.compare import bound_by, check
from tests.ops.test_rules import CASES

pytestmark = pytest.mark.filterwarnings("ignore::gradtape.backends.xla.kernels.HostFallbackWarning")
each_case = pytest.mark.parametrize("case", CASES, ids=repr)


@each_case
def test_forward_and_reverse_in_float64(case):
    check(bound_by(case.function, case.args, differentiate=case.order > 0))


def is_wide(argument) -> bool:
    return np.asarray(argument).dtype == np.float64


narrow = [case for case in CASES if case.low_precision and case.order > 0]
stacked = [case for case in narrow if case.batched and any(map(is_wide, case.args))]


def cast(args, dtype) -> list:
    return [ops.cast(ops.to_tensor(a), dtype) if is_wide(a) else a for a in args]


@pytest.mark.slow
@pytest.mark.parametrize("case", narrow, ids=repr)
def test_forward_and_reverse_in_bfloat16(case):
    check(bound_by(case.function, cast(case.args, "bfloat16")))


@pytest.mark.parametrize("case", stacked, ids=repr)
def test_forward_and_reverse_in_float32_for_stacks_of_any_size(case):
    """Each op of the case has an axis more, as long as chance wants it (the same each time)."""
    size = 1 + zlib.crc32(case.name.encode()) % 5
    is_stacked = [is_wide(a) for a in case.args]
    # The rows differ by a factor, which keeps them where the op is defined.
    factors = 1 + 0.01 * np.arange(size)
    args = [
        np.stack([np.asarray(a) * factor for factor in factors]) if each else a
        for a, each in zip(case.args, is_stacked, strict=True)
    ]
    function = vmap(case.function, in_axes=[0 if each else None for each in is_stacked])
    check(bound_by(function, cast(args, "float32")))


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
