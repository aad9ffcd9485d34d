"""Every primitive has all its rules, or a written reason, and is bound by some case."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from gradtape import ops
from gradtape.backends.constants import MASKED_FROM
from gradtape.backends.numpy import KERNELS
from gradtape.backends.numpy.elementwise import UFUNCS
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.primitive import FAMILIES, PRIMITIVES, ByLoop, primitive
from gradtape.explain import cures
from gradtape.exporting.onnx.convert import ROWS as ONNX_ROWS
from gradtape.graph import known_sizes, offsets
from gradtape.ops.families import batch_elementwise
from gradtape.saved_model.writing import ops as _chapters  # noqa: F401 (they fill the rules)
from gradtape.saved_model.writing.lowering import EXPANSIONS, RULES
from tests.ops.harness import spied
from tests.ops.test_rules import CASES

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
    missing = sorted(set(PRIMITIVES) - bound)
    assert not missing, f"add a row for each to tests/ops/cases_<chapter>.py: {missing}"


DTYPES = "float16 bfloat16 float32 float64 complex64 complex128 int32 uint8 bool".split()
ELEMENTWISE = [
    pytest.param(name, id=name)
    for name, p in sorted(PRIMITIVES.items())
    if p.family == "elementwise" and len(p.inputs) == 1 and callable(getattr(ops, name, None))
    if name not in ("cast", "one_hot")  # take a dtype or a size
]


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_what_a_function_takes_has_the_dtype_that_its_shape_rule_promises(name):
    """A formula with |x| in it makes real numbers of complex ones: it must not take them."""
    taken = 0
    for dtype in DTYPES:
        x = ops.to_tensor(np.array([0.5, 0.75]).astype(as_dtype(dtype).as_numpy_dtype))
        try:
            (y,), bound = spied(getattr(ops, name), x)
        except (TypeError, InvalidArgumentError):
            continue
        if name in bound:  # the part of a real number is itself, without an op
            taken += 1
            assert y._spec() == PRIMITIVES[name].shape(x._spec()), dtype
    assert taken


def test_the_extension_masks_attention_from_the_same_bias_on():
    header = Path(__file__).parents[2] / "src/native/simd/attention_vectors.h"
    (value,) = re.findall(r"MASKED_FROM = (\S+)f;", header.read_text(encoding="utf-8"))
    assert float(value) == MASKED_FROM


# What other modules know of primitives by name, rather than by a trait of the primitive.
TABLES = {
    "cures.MAKERS": cures.MAKERS,
    "cures.MASKED": cures.MASKED,
    "cures.HAPPENED": cures.HAPPENED,
    "cures.SLOPES": cures.SLOPES,
    "elementwise.UFUNCS": UFUNCS,
    "known_sizes._RULES": known_sizes._RULES,
    "offsets._SAME_NUMBER": offsets._SAME_NUMBER,
    "onnx.convert.ROWS": ONNX_ROWS,
    "saved_model.writing.lowering.RULES": RULES,
    "saved_model.writing.lowering.EXPANSIONS": EXPANSIONS,
}


# Ops that are made for each graph or each call, and are not in the registry.
MADE = {
    "branch",
    "callback",
    "custom_gradient",
    "effect",
    "host_call",
    "loop",
    "replicas",
    "scan",
    "unbox",
    "with_gradient",
}


@pytest.mark.parametrize("names", TABLES.values(), ids=TABLES)
def test_tables_name_primitives_that_exist(names):
    assert set(names) - set(PRIMITIVES) - MADE == set()
    assert len(names) > 3


def _op_names(source: str) -> set[str]:
    """Return the names that code compares those of ops with, or asks producers for."""
    result: list[ast.expr] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            words = ast.unparse(node.left).split(".")
            if words[-1] == "name" and words[-2:-1] in (["op"], ["prim"]):
                result += node.comparators
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("producers.of"):
            result += node.args[1:]
    constants = [each for node in result for each in ast.walk(node)]
    return {each.value for each in constants if isinstance(each, ast.Constant)}


def test_code_asks_for_ops_that_exist():
    package = Path(__file__).parents[2] / "src/gradtape"
    asked = {path: _op_names(path.read_text(encoding="utf-8")) for path in package.rglob("*.py")}
    assert {"matmul", "cast", "softmax_grad", "scan"} <= set().union(*asked.values())
    unknown = {path.name: names - set(PRIMITIVES) - MADE for path, names in asked.items()}
    assert {name: names for name, names in unknown.items() if names} == {}


def test_a_remedy_is_for_ops_without_derivative():
    assert PRIMITIVES["argmax"].remedy.startswith("Use a smooth choice")
    with pytest.raises(ValueError, match="'zzyzx' has a derivative, and needs no `remedy`"):
        primitive("zzyzx", "x", shape=lambda x: x, batch=ByLoop(""), vjp={}, remedy="another op")


# Why a 16-bit result is not the float32 result, rounded once.
ROUNDED_OTHERWISE = {
    "floordiv": "the quotient is rounded before it is cut",
    "gelu_tanh_grad": "the slope is rounded before it is multiplied by the cotangent",
    "nextafter": "the next number of the type itself",
    "truncatediv": "the quotient is rounded before it is cut",
}
# Ops that take no floats, and what others take besides tensors.
OF_OTHERS = set(
    """
    bitwise_and bitwise_invert bitwise_or bitwise_xor cast cast_to_discrete complex igamma_by_a
    join_text left_shift logical_and logical_not logical_or one_hot right_shift select
    """.split()
)
OPTIONS = {"elu": {"alpha": 1.5}, "power_by": {"exponent": 2.5}}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, prim in sorted(PRIMITIVES.items())
        if prim.family == "elementwise" and name not in {*ROUNDED_OTHERWISE, *OF_OTHERS}
    ],
)
def test_numpys_kernels_compute_16_bits_in_float32(name):
    """A kernel of several steps that is not decorated with `in_float32` rounds after each."""
    rng = np.random.default_rng(0)
    count, options = len(PRIMITIVES[name].inputs), OPTIONS.get(name, {})
    xs = [rng.uniform(0.05, 0.95, 500), rng.uniform(0.1, 3, 500), rng.uniform(0.1, 3, 500)]
    xs = [x.astype(ml_dtypes.bfloat16) for x in xs[:count]]
    with np.errstate(all="ignore"):
        actual = KERNELS[name](*xs, **options)
        wide = KERNELS[name](*[x.astype(np.float32) for x in xs], **options)
    rounded = wide.astype(actual.dtype)
    np.testing.assert_array_equal(actual.astype(np.float32), rounded.astype(np.float32))


@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_a_ufunc_computes_what_the_kernel_computes(name):
    x, y = np.array([[3.0, -1.5], [0.0, np.inf]]), np.array([[2.0, 7.0], [-3.0, 1.0]])
    args = (x, y)[: len(PRIMITIVES[name].inputs)]
    if name.startswith("logical_"):
        args = tuple([each > 0 for each in args])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(UFUNCS[name](*args), KERNELS[name](*args))


def test_a_family_is_one_that_is_described():
    with pytest.raises(ValueError, match="'zzyzx': there is no family 'odd'"):
        primitive(
            "zzyzx", "x", shape=lambda x: x, batch=ByLoop(""), no_derivative="none", family="odd"
        )
    assert {prim.family for prim in PRIMITIVES.values()} == set(FAMILIES)


@pytest.mark.parametrize("prim", ALL)
def test_what_batches_as_elementwise_ops_do_is_of_their_family(prim):
    if prim.batch is batch_elementwise:
        assert prim.family in ("elementwise", "view")
