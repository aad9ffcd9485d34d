"""Arithmetic, comparisons, exponentials and their kin."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 4)
B = random(3, 4, seed=1)
ROW = random(4, seed=2)
COLUMN = random(3, 1, seed=5)
POSITIVE = random(3, 4, seed=3, low=0.3, high=2.0)
POSITIVE_ROW = random(4, seed=6, low=0.3, high=2.0)
ABOVE_ONE = random(3, 4, seed=4, low=1.3, high=3.0)
UNIT = random(3, 4, seed=7, low=-0.8, high=0.8)
COMPLEX = random(3, 2, seed=8) + 1j * random(3, 2, seed=9)
COMPLEX_ROW = random(2, seed=10) + 1j * random(2, seed=11)
INTEGERS = np.array([[-7, 7, 3], [0, -2, 5]], np.int32)
DIVISORS = np.array([3, -3, 2], np.int32)
SCALAR = np.float64(0.7)
EMPTY = np.zeros((0, 4))
TRUTH = np.array([[True, False, True, True], [False] * 4, [True] * 4])

CASES = [
    Case("add", ops.add, [A, B]),
    Case("add broadcast", ops.add, [A, ROW]),
    Case("add broadcast both", ops.add, [ROW, COLUMN]),
    Case("add scalars", ops.add, [SCALAR, SCALAR]),
    Case("add nothing", ops.add, [EMPTY, ROW]),
    Case("add integers", ops.add, [INTEGERS, DIVISORS], order=0),
    Case("add text", lambda: ops.add(["a", "b"], "c"), [], order=0, batched=False),
    Case("add texts", lambda: ops.add("a", "b"), [], order=0, batched=False),
    Case("subtract broadcast", ops.subtract, [ROW, A]),
    Case("multiply broadcast", ops.multiply, [ROW, A]),
    Case("multiply itself", lambda x: x * x, [A]),
    Case("multiply complex", ops.multiply, [COMPLEX, COMPLEX_ROW]),
    Case("divide", ops.divide, [A, POSITIVE]),
    Case("divide broadcast", ops.divide, [COLUMN, POSITIVE_ROW]),
    Case("divide complex", ops.divide, [COMPLEX, COMPLEX_ROW + 2]),
    Case("truediv integers", ops.truediv, [INTEGERS, DIVISORS], order=0),
    Case("divide_no_nan", ops.divide_no_nan, [A, POSITIVE_ROW]),
    Case("divide_no_nan complex", ops.divide_no_nan, [COMPLEX, COMPLEX_ROW + 2]),
    Case("multiply_no_nan", ops.multiply_no_nan, [A, ROW]),
    Case("multiply_no_nan complex", ops.multiply_no_nan, [COMPLEX, COMPLEX_ROW]),
    Case("negative scalar", ops.negative, [SCALAR]),
    Case("squared_difference", ops.squared_difference, [A, ROW]),
    Case("squared_difference complex", ops.squared_difference, [COMPLEX, COMPLEX_ROW]),
    Case("xlogy", ops.xlogy, [A, POSITIVE_ROW]),
    Case("xlogy complex", ops.xlogy, [COMPLEX, COMPLEX_ROW + 2]),
    Case("xlog1py", ops.xlog1py, [A, POSITIVE_ROW]),
    Case("xdivy", ops.xdivy, [A, POSITIVE_ROW]),
    Case("xdivy complex", ops.xdivy, [COMPLEX, COMPLEX_ROW + 2]),
    Case("add_n", lambda x, y: ops.add_n([x, y, x]), [A, B]),
    Case("power", ops.pow, [POSITIVE, B]),
    Case("power broadcast", ops.pow, [POSITIVE_ROW, COLUMN]),
    Case("power complex", ops.pow, [COMPLEX + 2, COMPLEX_ROW]),
    Case("power of negative", lambda x: ops.pow(x, ops.to_tensor(3.0, x.dtype)), [A]),
    Case("power integers", lambda x: ops.pow(x, np.int32(3)), [INTEGERS], order=0),
    Case("power by integer of integers", lambda x: x**3, [INTEGERS], order=0),
    Case("power by 3 complex", lambda x: ops.pow(x, 3), [COMPLEX]),
    Case("power of scalar base", lambda y: 2.5**y, [A]),
    Case("maximum broadcast", ops.maximum, [A, ROW]),
    Case("maximum scalars", ops.maximum, [SCALAR, np.float64(0.2)]),
    Case("minimum broadcast", ops.minimum, [A, COLUMN]),
    Case("clip", lambda x, low: ops.clip(x, low, 0.5), [A, np.float64(-0.4)]),
    Case("where", lambda x, y: ops.where(x > y, x * y, y), [A, B]),
    Case("where broadcast", ops.where, [TRUTH, ROW, COLUMN]),
    Case("where scalar", lambda x, y: ops.where(x > 0, x * y, y), [SCALAR, SCALAR]),
    Case("where text", lambda: ops.where(True, "a", "b"), [], order=0, batched=False),
    Case("where integers", lambda x: ops.where(x > 0, x, 2), [INTEGERS], order=0),
    Case("atan2", ops.atan2, [A, ROW + 2]),
    Case("atan2 quadrants", ops.atan2, [A, -POSITIVE]),
    Case("relu", ops.relu, [A]),
    Case("relu integers", ops.relu, [INTEGERS], order=0),
    Case("relu scalar", ops.relu, [SCALAR]),
    Case("relu_grad", ops.relu_grad, [A, B]),
    Case("relu6", lambda x: ops.relu6(6 * x), [A]),
    Case("elu", ops.elu, [A]),
    Case("elu alpha", lambda x: ops.elu(x, 1.5), [A]),
    Case("leaky_relu", lambda x: ops.leaky_relu(x, 0.2), [A]),
    Case("silu", lambda x: ops.silu(x, 1.5), [A]),
    Case("log_sigmoid", ops.log_sigmoid, [A]),
    Case("identity", ops.identity, [A]),
    Case("stop_gradient", lambda x: ops.stop_gradient(x) * 2, [A], order=0),
    Case(
        "cast",
        lambda x: ops.cast(ops.cast(x, "complex128"), "float64") * x,
        [A],
        low_precision=False,
    ),  # it is written for float64
    Case("cast complex", lambda x: ops.pow(ops.cast(x, "float64"), 3), [COMPLEX]),
    Case(
        "cast scalar",
        lambda x: ops.cast(ops.cast(x, "float32"), "float64") * x,
        [SCALAR],
        step=1e-2,
        rtol=1e-4,
        atol=1e-4,
        low_precision=False,
    ),  # a small step is lost in float32
    Case("cast to integers", lambda x: ops.cast(4 * x, "int32"), [A], order=0),
    Case("cast to bool", lambda x: ops.cast(x, "bool"), [A], order=0),
    Case(
        "logic",
        lambda x, y: ops.logical_and(ops.logical_or(x > 0, y > 0), ops.logical_not(x > y)),
        [A, ROW],
        order=0,
    ),
    Case("logical_xor", lambda x, y: ops.logical_xor(x > 0, y > 0), [A, ROW], order=0),
]

CASES += [
    Case(f"power by {n}", lambda x, n=n: x**n, [POSITIVE])
    for n in (-3, -2, -1, -0.5, 0.5, 1, 2, 2.5, 3, 4, 5)
]


def each(names: str, *args, suffix: str = "", **options) -> list[Case]:
    """A case for each of these ops, at the same arguments."""
    return [Case(n + suffix, getattr(ops, n), args, **options) for n in names.split()]


_ROOTS = "log log1p sqrt rsqrt cbrt reciprocal"
_COMPLEX = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p sqrt rsqrt "
    "reciprocal square sigmoid"
)
CASES += each("sin cos tan atan sinh cosh tanh asinh exp expm1 sigmoid softplus softsign square", A)
CASES += each("asin acos atanh", UNIT)
CASES += each("acosh", ABOVE_ONE)
CASES += each(_ROOTS, POSITIVE)
CASES += each(_ROOTS, SCALAR, suffix=" scalar")
CASES += each(_COMPLEX, COMPLEX, suffix=" complex")
CASES += each("equal not_equal less less_equal greater greater_equal", A, ROW, order=0)
CASES += each("is_nan is_inf is_finite", np.array([1.0, np.nan, np.inf]), order=0)
