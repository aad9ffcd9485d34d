"""Products of matrices: views, stacks that broadcast, float64; and kernels that use them."""

import itertools

import numpy as np
import pytest

from gradtape.backends import numpy as numpy_backend
from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    threads,
)

pytestmark = needs_extension
RANDOM = np.random.default_rng(3)


def sample(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def product(x, y, a=False, b=False):
    return native_kernel("matmul")(x, y, transpose_a=a, transpose_b=b)


def check(x, y, a=False, b=False):
    """The native product is that of float64, to rounding."""
    wide = (v.astype(np.float64) for v in (x, y))
    expected = numpy_backend.kernel("matmul")(*wide, transpose_a=a, transpose_b=b)
    result = product(x, y, a, b)
    assert result.dtype == x.dtype
    assert result.shape == expected.shape
    assert result.flags.c_contiguous
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_heads_that_lie_between_each_other_are_read_where_they_lie(a, b, dtype):
    # (3, batch, heads, time, size) of (batch, time, 3, heads, size): q, k and v of attention.
    x = sample(2, 9, 3, 4, 9).astype(dtype).transpose(2, 0, 3, 1, 4)
    check(x[0], x[1], a, b)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3, 1, 4, 5), (2, 5, 6)),
        ((4, 5), (3, 5, 6)),
        ((1, 4, 5), (7, 5, 6)),
        ((2, 3, 1, 5), (5, 6)),
        ((6, 1, 5), (5, 1)),
        ((1, 1, 5), (5, 6)),
        ((2, 3, 4, 5), (5, 6)),
        ((500, 3, 3), (500, 3, 3)),
        ((5, 4, 4), (100, 5, 4, 1)),
        ((3, 1, 2, 2, 3), (4, 1, 3, 2)),
        ((2, 1, 3, 8, 9), (5, 1, 9, 7)),
        ((2, 64, 64), (2, 64, 64)),
    ],
)
def test_stacks_broadcast(left, right):
    check(sample(*left), sample(*right))
    check(sample(*left).swapaxes(-1, -2), sample(*right).swapaxes(-1, -2), True, True)


VIEWS = {
    "every other column": lambda x: x[..., ::2],
    "every other row": lambda x: x[..., ::2, :],
    "backwards": lambda x: x[..., ::-1, ::-1],
    "transposed": lambda x: x.swapaxes(-1, -2),
    "other axes": lambda x: x.transpose(2, 0, 1),
    "part of the rows": lambda x: x[:, 1:5, 1:5],
    "one matrix, many times": lambda x: np.broadcast_to(x[0], (3, 8, 8)),
    "one row, many times": lambda x: np.broadcast_to(x[:, :1], (8, 8, 8)),
    "one number, many times": lambda x: np.broadcast_to(x[0, 0, 0], (8, 8, 8)),
    "single rows": lambda x: x[:, 3:4],
    "single rows of every other matrix": lambda x: x[::2, 3:4],
    "single columns": lambda x: x[:, :, 3:4],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("a", [False, True])
def test_views(view, a):
    x = VIEWS[view](sample(8, 8, 8))
    inner = x.shape[-2 if a else -1]
    check(x, sample(inner, 7), a)
    check(x, sample(7, inner), a, True)
    check(x, sample(*x.shape[:-2], inner, 7), a)
    outer = x.shape[-1 if a else -2]
    check(sample(7, outer), x, False, a)


def test_what_is_not_a_product_of_real_matrices_is_handed_on():
    for x, y in [
        (sample(4, 5), sample(4, 5)),
        (sample(2, 4, 5), sample(3, 5, 6)),
        (sample(4, 5), sample(5, 6).astype(np.float64)),
        (sample(4, 5).astype(np.complex64), sample(5, 6).astype(np.complex64)),
        (sample(0, 5), sample(5, 6)),
        (sample(5), sample(5, 6)),
    ]:
        with pytest.raises(Declined):
            product(x, y)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((64, 96, 80), (64, 80, 96)),
        ((3, 200, 80), (3, 80, 96)),
        ((900, 300), (300, 50)),
        ((128, 784), (784, 256)),
        ((32, 128), (128, 512)),
        ((300, 70), (70, 130)),
        ((128, 256), (256, 10)),
        ((16, 600), (600, 700)),
        ((1001, 203), (203, 305)),
        ((97, 150), (150, 151)),
        ((500, 90), (90, 90)),
        ((100, 120), (120, 160)),
        ((40, 500), (500, 96)),
        ((700, 33), (33, 64)),
        ((4000, 1500), (1500, 1)),
        ((1, 1500), (1500, 4000)),
        ((3, 600, 500), (3, 500, 1)),
    ],
)
@pytest.mark.parametrize("transposed", [False, True])
def test_results_do_not_depend_on_the_number_of_threads(left, right, transposed):
    x, y = sample(*left), sample(*right)
    if transposed:
        x, y = (np.ascontiguousarray(v.swapaxes(-1, -2)).swapaxes(-1, -2) for v in (x, y))
    with threads(1):
        expected = product(x, y)
    for number in (2, 3, 5):
        with threads(number):
            np.testing.assert_array_equal(product(x, y), expected)


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_matrices(a, b, dtype):
    # Small integers, so that sums are exact: those that no BLAS computes, and some larger.
    for rows, columns, inner in itertools.product((1, 2, 3, 8), (1, 2, 3, 9), range(1, 7)):
        left = RANDOM.integers(-9, 9, (5, inner, rows) if a else (5, rows, inner)).astype(dtype)
        right = RANDOM.integers(-9, 9, (5, columns, inner) if b else (5, inner, columns))
        expected = (left.swapaxes(1, 2) if a else left) @ (right.swapaxes(1, 2) if b else right)
        actual = product(left, right.astype(dtype), a, b)
        assert actual.dtype == dtype
        np.testing.assert_array_equal(actual, expected, f"{rows}, {columns}, {inner}")


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_vectors(a, b, dtype):
    def check_both(x, y):
        check(x.T if a else x, y.T if b else y, a, b)

    matrix, row, column = (sample(*s).astype(dtype) for s in ((37, 53), (1, 37), (53, 1)))
    check_both(matrix, column)
    check_both(row, matrix)
    check_both(row, row.T)
    check_both(matrix, matrix.T[:, 3:4])
    check_both(matrix[5:6], matrix.T)


def test_what_lay_in_memory_before_does_not_matter():
    x, y = sample(300, 40), sample(40, 1)
    for _ in range(3):
        result = product(x, y)
        np.testing.assert_allclose(result, x.astype(np.float64) @ y, rtol=1e-4, atol=1e-4)
        result[:] = np.nan  # the next product gets the same block
        del result


@pytest.mark.parametrize(
    "equation", ["abc,cd->abd", "btnh,bsnh->bnts", "bnts,bsnh->btnh", "ab,ab->"]
)
def test_einsum(equation):
    sizes = dict(zip("abcdbtnsh", (3, 4, 5, 6, 4, 7, 2, 8, 9), strict=True))
    x, y = (sample(*(sizes[n] for n in names)) for names in equation.split("->")[0].split(","))
    np.testing.assert_allclose(
        numpy_backend.kernel("einsum")(x, y, equation=equation),
        np.einsum(equation, x.astype(np.float64), y.astype(np.float64)),
        rtol=1e-4,
        atol=1e-4,
    )
