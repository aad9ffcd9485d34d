"""Kernels that move numbers, beside NumPy's."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest

from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)

pytestmark = needs_extension
RANDOM = np.random.default_rng(2)
WHOLE = (None, None, None)


def sample(*shape: int, dtype="float32") -> np.ndarray:
    return (100 * RANDOM.standard_normal(shape)).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool", "complex64"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat_and_stack(dtype, axis):
    shapes = [[3, 4, 5] for _ in range(4)]
    for i, shape in enumerate(shapes):
        shape[axis] = i + 1
    xs = [sample(*shape, dtype=dtype) for shape in shapes]
    result, expected = (k("concat")(*xs, axis=axis) for k in (native_kernel, numpy_kernel))
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
    xs = [sample(3, 4, 5, dtype=dtype) for _ in range(20)]
    for position in (axis, 3):
        result, expected = (k("stack")(*xs, axis=position) for k in (native_kernel, numpy_kernel))
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_large_ones_are_divided(axis):
    xs = [sample(300, 1000) for _ in range(3)]
    for number in (1, 2, 3):
        with threads(number):
            np.testing.assert_array_equal(
                native_kernel("concat")(*xs, axis=axis), np.concatenate(xs, axis)
            )


def test_empty_pieces():
    xs = [sample(0, 3), sample(2, 3), sample(0, 3)]
    np.testing.assert_array_equal(native_kernel("concat")(*xs, axis=0), xs[1])


@pytest.mark.parametrize(
    "xs",
    [
        [sample(3, 4).T, sample(4, 3)],
        [sample(3, 4), sample(3, 4, dtype="float64")],
        [np.array([["a"]], object), np.array([["b"]], object)],
        [sample(3, 4)],
    ],
)
def test_what_is_left_to_numpy(xs):
    with pytest.raises(Declined):
        native_kernel("concat")(*xs, axis=0)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
@pytest.mark.parametrize(
    "index",
    [(0,), (2,), (-1,), (1, 2), (2, 0, 3), (WHOLE, -1), (WHOLE, 1, 2), (WHOLE, WHOLE, WHOLE, 7)],
)
def test_put_slice(dtype, index):
    shape = (3, 4, 5, 60)
    x = sample(*[n for n, i in zip_longest(shape, index) if type(i) is not int], dtype=dtype)
    for number in (1, 2):
        with threads(number):
            result = native_kernel("put_slice")(x, shape=shape, index=index)
    expected = numpy_kernel("put_slice")(x, shape=shape, index=index)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("x", "shape", "index"),
    [
        (sample(4, 3).T, (2, 3, 4), (1,)),
        (sample(2, 4), (3, 4), ((0, 2, 1),)),
        (sample(2, 3), (2, 3, 4), (WHOLE, (0, 3, 1), 1)),
        (sample(2, 4), (3, 4), ((None, None, -2),)),
        (sample(1, 3, 1), (3,), (None, WHOLE, None)),
        (sample(7, dtype="int64"), (64,), ((0, 64, 10),)),
        (np.float64(2.5), (3, 4), (1, -1)),
        (np.float32(2.5), (3,), (0,)),
        (sample(0, 4), (3, 4), ((2, 1, None),)),
    ],
)
def test_put_slice_anywhere(x, shape, index):
    result = native_kernel("put_slice")(x, shape=shape, index=index)
    expected = numpy_kernel("put_slice")(x, shape=shape, index=index)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("x", "shape", "index"),
    [
        (sample(4), (3, 4), (5,)),
        (sample(4), (3, 5), (1,)),
        (sample(2, 4), (2, 3, 4), (WHOLE, 3)),
        (sample(3, 4), (2, 3, 4), (WHOLE, 1)),
        (np.array(["a"], object), (3,), ((0, 1, None),)),
    ],
)
def test_what_put_slice_leaves_to_numpy(x, shape, index):
    with pytest.raises(Declined):
        native_kernel("put_slice")(x, shape=shape, index=index)


COPIES = [
    (sample(8, 16, 3, 2, 9).transpose(2, 0, 3, 1, 4), (3, 16, 144)),
    (sample(6, 40, 50).transpose(1, 0, 2), (240, 50)),
    (sample(20, 30, 40)[:, 1:], (580, 40)),
    (np.broadcast_to(sample(30, 1), (30, 70)), (2100,)),
]
VIEWS = [
    (sample(6, 8).T, (8, 1, 6)),
    (sample(6, 8).T, (2, 4, 6)),
    (sample(20, 30, 40)[:, ::3], (20, 10, 4, 10)),
    (sample(5, 1, 7).transpose(2, 1, 0), (7, 5)),
    (sample(6, 8), (48,)),
]


@pytest.mark.parametrize(("x", "shape"), COPIES)
def test_reshape_copies_in_order(x, shape):
    result = native_kernel("reshape")(x, shape=shape)
    assert result.flags.c_contiguous
    np.testing.assert_array_equal(result, x.reshape(shape))
    assert not np.shares_memory(x.reshape(shape), x)


@pytest.mark.parametrize(("x", "shape"), VIEWS)
def test_reshape_gives_views_where_numpy_does(x, shape):
    same_view(native_kernel("reshape")(x, shape=shape), x.reshape(shape), x)


def same_view(result, expected, x):
    assert type(result) is type(expected)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
    if not np.ndim(expected):
        return
    assert result.strides == expected.strides
    assert result.__array_interface__["data"] == expected.__array_interface__["data"]
    for flag in ("c_contiguous", "f_contiguous", "writeable", "aligned", "owndata"):
        assert getattr(result.flags, flag) == getattr(expected.flags, flag)


INDICES = [
    *[(1,), (-1, 2), (1, 2, 3), (0, -3, -4), (None,), (WHOLE, None, 1), (None, None, 1, None)],
    *[((1, 3, None),), ((None, None, -1), (3, None, -2)), (WHOLE, WHOLE, (-2, 100, 3))],
    *[((5, 2, None),), ((2, -7, -1), 0), ((100, None, -1),), ((-100, None, 2), None), ()],
]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool", "complex128"])
@pytest.mark.parametrize("index", INDICES)
def test_slices_are_numpys(index, dtype):
    for x in (sample(2, 3, 4, dtype=dtype), sample(4, 3, 2, dtype=dtype).T):
        same_view(native_kernel("slice")(x, index=index), numpy_kernel("slice")(x, index=index), x)


@pytest.mark.parametrize(
    "index", [(3,), (-4,), (0, 0), ((0, 1, 0),), (1 << 70,), ((0, 1 << 70, 1),)]
)
def test_slices_that_numpy_explains(index):
    with pytest.raises(Declined):
        native_kernel("slice")(sample(3), index=index)
    with pytest.raises(Declined):
        native_kernel("slice")(np.array(["a", "b", "c"], object), index=(0,))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_transposes_are_numpys(order):
    x = sample(2, 3, 4)
    same_view(native_kernel("transpose")(x, permutation=order), x.transpose(order), x)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
@pytest.mark.parametrize(
    ("own", "shape"),
    [
        *[((), (3,)), ((), (70, 80)), ((4,), (3, 4)), ((3, 1), (3, 4)), ((1, 4), (2, 3, 4))],
        *[((80,), (70, 80)), ((70, 1), (70, 80)), ((1,), (0, 5)), ((0,), (3, 0))],
    ],
)
def test_broadcasts_are_numpys(own, shape, dtype):
    x = sample(*own, dtype=dtype)[()]
    if dtype == "bool" and not own:
        return  # NumPy's kernel takes flags
    result, expected = (k("broadcast_to")(x, shape=shape) for k in (native_kernel, numpy_kernel))
    assert result.dtype == expected.dtype
    assert result.strides == expected.strides
    assert result.flags.writeable == expected.flags.writeable
    np.testing.assert_array_equal(result, expected)


def test_broadcasts_that_do_not_fit_are_left_to_numpy():
    for own, shape in [((3,), (4,)), ((2, 3), (3,)), ((3,), ())]:
        with pytest.raises(Declined):
            native_kernel("broadcast_to")(sample(*own), shape=shape)


def test_a_view_keeps_its_array():
    x = sample(100)
    view = native_kernel("slice")(x, index=((10, 20, None),))
    expected = x[10:20].copy()
    del x
    np.testing.assert_array_equal(view, expected)
