"""Elementwise ops over random shapes: values are NumPy's, both modes agree, vmap is a loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, broadcastable_shapes, mutually_broadcastable_shapes

from gradtape import ops
from gradtape.core.primitive import PRIMITIVES
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape
from gradtape.testing import check_batching

BINARY = {
    "add": (ops.add, np.add),
    "subtract": (ops.subtract, np.subtract),
    "multiply": (ops.multiply, np.multiply),
    "divide": (ops.divide, np.divide),
    "power": (ops.pow, np.power),
    "maximum": (ops.maximum, np.maximum),
    "minimum": (ops.minimum, np.minimum),
    "atan2": (ops.atan2, np.arctan2),
    "squared_difference": (ops.squared_difference, lambda x, y: (x - y) ** 2),
    "divide_no_nan": (ops.divide_no_nan, np.divide),
    "floormod": (ops.floormod, np.mod),
}
UNARY = {
    "sin": (ops.sin, np.sin),
    "exp": (ops.exp, np.exp),
    "log": (ops.log, np.log),
    "sqrt": (ops.sqrt, np.sqrt),
    "tanh": (ops.tanh, np.tanh),
    "sigmoid": (ops.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
    "relu": (ops.relu, lambda x: np.maximum(x, 0)),
    "square": (ops.square, np.square),
    "cube": (lambda x: x**3, lambda x: np.power(x, 3)),
    "softplus": (ops.softplus, lambda x: np.log(1 + np.exp(x))),
    "abs": (ops.abs, np.abs),
    "atan": (ops.atan, np.arctan),
    "asinh": (ops.asinh, np.arcsinh),
    "cbrt": (ops.cbrt, np.cbrt),
    "cos": (ops.cos, np.cos),
    "cosh": (ops.cosh, np.cosh),
    "expm1": (ops.expm1, np.expm1),
    "log1p": (ops.log1p, np.log1p),
    "negative": (ops.negative, np.negative),
    "reciprocal": (ops.reciprocal, np.reciprocal),
    "rsqrt": (ops.rsqrt, lambda x: 1 / np.sqrt(x)),
    "sinh": (ops.sinh, np.sinh),
    "softsign": (ops.softsign, lambda x: x / (1 + np.abs(x))),
    "tan": (ops.tan, np.tan),
}
# Ops whose values are compared with TensorFlow's (tests/tf_parity) or SciPy's
# (test_values_special.py), and at the end helpers of derivatives, which numerical derivatives of
# the op check.
ELSEWHERE = set(
    """
    acos acosh asin atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0
    bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 betainc bitwise_and bitwise_invert
    bitwise_or bitwise_xor cast cast_to_discrete ceil complex complex_abs conj dawsn digamma elu
    equal erf erfc erfinv expint floor floordiv fresnel_cos fresnel_sin gelu gelu_tanh greater
    greater_equal igamma igammac imag is_finite is_inf is_nan join_text left_shift less less_equal
    lgamma logical_and logical_not logical_or multiply_no_nan ndtri nextafter not_equal one_hot
    polygamma power_by real right_shift round select sign spence trunc truncatediv truncatemod zeta
    gelu_grad gelu_tanh_grad igamma_by_a relu_grad
    """.split()
)


def test_something_knows_the_values_of_every_elementwise_op():
    """Other tests compare the kernels with NumPy's, and NumPy's with nothing."""
    names = {name for name, prim in PRIMITIVES.items() if prim.family == "elementwise"}
    formulas = set(BINARY) | set(UNARY)
    advice = "write its formula into UNARY or BINARY, in terms of NumPy"
    assert names - formulas - ELSEWHERE == set(), advice
    assert names >= ELSEWHERE, "these are no elementwise ops"


few = settings(max_examples=12)
# Away from 0, where logarithms, roots and quotients are defined.
numbers = st.floats(0.25, 4.0, width=32)
shapes = st.lists(st.integers(0, 3), max_size=3).map(tuple)


@st.composite
def one(draw):
    return draw(arrays(np.float64, draw(shapes), elements=numbers))


@st.composite
def pair(draw):
    result = draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3))
    return tuple(draw(arrays(np.float64, s, elements=numbers)) for s in result.input_shapes)


def random_like(x, seed):
    return np.asarray(np.random.default_rng(seed).standard_normal(np.shape(x)))


def check_modes_agree(function, *points):
    """<u, J v> by forward mode is <Jᵀu, v> by reverse mode."""
    xs = [ops.to_tensor(p) for p in points]
    vs = [random_like(p, i) for i, p in enumerate(points)]
    with GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    u = random_like(y.numpy(), 9)
    pulled = tape.gradient(y, xs, output_gradients=u)
    with ForwardAccumulator(xs, [ops.to_tensor(v) for v in vs]) as accumulator:
        y = function(*xs)
    forward = np.sum(u * accumulator.jvp(y).numpy())
    reverse = sum(np.sum(g.numpy() * v) for g, v in zip(pulled, vs, strict=True))
    assert [g.numpy().shape for g in pulled] == [np.shape(p) for p in points]
    np.testing.assert_allclose(forward, reverse, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", UNARY)
@few
@given(x=one())
def test_unary(name, x):
    op, reference = UNARY[name]
    np.testing.assert_allclose(op(ops.to_tensor(x)).numpy(), reference(x), rtol=1e-12)
    check_modes_agree(op, x)
    check_batching(op, [np.stack([x, 2 * x])])


@pytest.mark.parametrize("name", BINARY)
@few
@given(xy=pair())
def test_binary(name, xy):
    op, reference = BINARY[name]
    x, y = xy
    np.testing.assert_allclose(op(*map(ops.to_tensor, xy)).numpy(), reference(x, y), rtol=1e-12)
    check_modes_agree(op, x, y)
    both = [np.stack([x, 2 * x]), np.stack([y, 1.5 * y])]
    check_batching(op, both)
    check_batching(op, [both[0], y], [0, None])
    check_batching(op, [x, both[1]], [None, 0])


@few
@given(xy=pair(), data=st.data())
def test_where(xy, data):
    x, y = xy
    shape = np.broadcast_shapes(x.shape, y.shape)
    condition = data.draw(
        arrays(bool, data.draw(broadcastable_shapes(shape, min_side=0, max_dims=3)))
    )
    wanted = np.where(condition, x, y)
    result = ops.where(ops.to_tensor(condition), ops.to_tensor(x), ops.to_tensor(y))
    np.testing.assert_array_equal(result.numpy(), wanted)
    check_modes_agree(lambda x, y: ops.where(condition, x, y), x, y)


@few
@given(x=one(), dtype=st.sampled_from(["float16", "bfloat16", "float32"]))
def test_narrow_dtypes_are_kept(x, dtype):
    narrow = ops.cast(ops.to_tensor(x), dtype)
    for op, _ in UNARY.values():
        assert op(narrow).dtype.name == dtype
    for op, _ in BINARY.values():
        assert op(narrow, narrow).dtype.name == dtype


@few
@given(x=one(), axes=st.randoms())
def test_views_and_their_copies_agree(x, axes):
    order = list(range(x.ndim))
    axes.shuffle(order)
    view = np.transpose(x, order)[..., ::-1] if x.ndim else x
    for op, _ in UNARY.values():
        result = op(type(ops.to_tensor(x))(view)).numpy()
        # The kernels for views may be NumPy's, whose last bit may be another (exp).
        np.testing.assert_array_max_ulp(result, op(ops.to_tensor(view.copy())).numpy(), maxulp=2)
