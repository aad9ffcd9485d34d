"""Every rule of every primitive: values, both derivatives to second order, batching, precision."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

import tests.rules as here
from gradtape import ops
from gradtape.core import nest
from gradtape.testing import check_batching, check_gradients
from tests.rules.harness import Case, spied

CASES: list[Case] = [
    case
    for module in sorted(m.name for m in pkgutil.iter_modules(here.__path__))
    if module.startswith("cases_")
    for case in importlib.import_module(f"tests.rules.{module}").CASES
]
each_case = pytest.mark.parametrize("case", CASES, ids=repr)


def test_names_are_unique():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names)), {n for n in names if names.count(n) > 1}


@each_case
def test_shape_rule(case):
    results, seen = spied(case.function, *case.args)
    assert seen
    assert results


@each_case
def test_derivatives(case):
    if case.order == 0:
        values, _ = spied(case.function, *case.args)
        assert values
        return
    check_gradients(
        case.function, case.args, case.order, rtol=case.rtol, atol=case.atol, step=case.step
    )


@each_case
def test_batching(case):
    """All float arguments mapped together, and (with several) each of them alone."""
    if not case.batched:
        return
    size = 3
    scales = np.array([1.0, 0.9, 1.1])
    floats = [i for i, a in enumerate(case.args) if np.asarray(a).dtype.kind in "fc"]
    mapped = floats or list(range(len(case.args)))
    groups = [mapped] + ([[i] for i in mapped] if len(mapped) > 1 else [])
    for group in groups:
        args, axes = [], []
        for i, a in enumerate(case.args):
            a = np.asarray(a)
            if i in group:
                shaped = scales.reshape(size, *(1,) * a.ndim)
                stack = np.repeat(a[None], size, 0)
                args.append((stack * shaped).astype(a.dtype) if a.dtype.kind in "fc" else stack)
                axes.append(0)
            else:
                args.append(a)
                axes.append(None)
        check_batching(case.function, args, axes, rtol=1e-7)


@each_case
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_low_precision(case, dtype):
    """The op in a narrow dtype is near the op in float64, at the rounded arguments."""
    if not case.low_precision or case.order == 0:
        return
    narrow = [
        ops.cast(ops.to_tensor(a), dtype) if np.asarray(a).dtype == np.float64 else a
        for a in case.args
    ]
    wide = [
        ops.cast(n, "float64") if np.asarray(a).dtype == np.float64 else a
        for n, a in zip(narrow, case.args, strict=True)
    ]
    for got, want in zip(
        nest.flatten(case.function(*narrow)), nest.flatten(case.function(*wide)), strict=True
    ):
        if not want.dtype.is_differentiable:
            continue
        want, got = want.numpy(), got.numpy().astype(want.dtype.as_numpy_dtype)
        scale = np.max(np.abs(want), initial=1e-3, where=np.isfinite(want))
        np.testing.assert_allclose(got, want, rtol=case.low_rtol[dtype],
                                   atol=case.low_rtol[dtype] * scale)  # fmt: skip
