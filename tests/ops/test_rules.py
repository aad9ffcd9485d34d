"""Every rule of every primitive: values, both derivatives to second order, batching, precision."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

import tests.ops as here
from gradtape import ops
from gradtape.core import nest
from gradtape.core.primitive import PRIMITIVES
from gradtape.engine.tape import GradientTape
from gradtape.testing import check_batching, check_gradients
from tests.ops.harness import Case, spied

CASES: list[Case] = [
    case
    for module in sorted(m.name for m in pkgutil.iter_modules(here.__path__))
    if module.startswith("cases_")
    for case in importlib.import_module(f"tests.ops.{module}").CASES
]
each_case = pytest.mark.parametrize("case", CASES, ids=repr)
DIFFERENTIABLE = [case for case in CASES if case.order]
BATCHED = [case for case in CASES if case.batched]
LOW_PRECISION = [case for case in DIFFERENTIABLE if case.low_precision]


def test_names_are_unique():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names)), {n for n in names if names.count(n) > 1}


def is_without_derivative(case: Case) -> bool:
    """Whether no watched argument has a gradient through the case."""
    args = [ops.to_tensor(a) for a in case.args]
    watched = [x for x in args if x.dtype.is_differentiable]
    with GradientTape() as tape:
        tape.watch(watched)
        results = nest.flatten(case.function(*args))
    targets = [y for y in results if y.dtype.is_differentiable]
    return not targets or all(g is None for g in tape.gradient(targets, watched))


@pytest.mark.parametrize("case", [c for c in CASES if not c.order], ids=repr)
def test_what_is_not_differentiated_has_a_reason(case):
    """A case leaves derivatives out because its ops have none, or some op of it says why."""
    _, seen = spied(case.function, *case.args)
    reasons = any(PRIMITIVES[name].no_derivative for name in seen if name in PRIMITIVES)
    assert reasons or is_without_derivative(case)


@each_case
def test_shape_rule(case):
    results, seen = spied(case.function, *case.args)
    assert seen
    assert results


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=repr)
def test_derivatives(case):
    check_gradients(
        case.function, case.args, case.order, rtol=case.rtol, atol=case.atol, step=case.step
    )


@pytest.mark.parametrize("case", BATCHED, ids=repr)
def test_batching(case):
    """All float arguments mapped together, and (with several) each of them alone."""
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


@pytest.mark.parametrize("case", LOW_PRECISION, ids=repr)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_low_precision(case, dtype):
    """The op in a narrow dtype is near the op in float64, at the rounded arguments."""
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
        np.testing.assert_allclose(
            got, want, rtol=case.low_rtol[dtype], atol=case.low_rtol[dtype] * scale
        )
