"""Each function against the NumPy function of the same name."""

import numpy as np
import pytest

from gradtape.api import numpy_names

generator = np.random.default_rng(0)
A, B = generator.normal(size=(2, 3, 4)).astype(np.float32)
V, W = generator.normal(size=5).astype(np.float32), generator.normal(size=3).astype(np.float32)
T, U = generator.normal(size=(2, 4, 3)).astype(np.float32)
N = A.copy()
N[0, 1] = N[2] = np.nan
WHOLE = generator.integers(-9, 10, (3, 4)).astype(np.int32)
J = generator.integers(1, 10, (3, 4)).astype(np.int32)
TRUTH = A > 0
INFINITE = np.float32([np.inf, -np.inf, np.inf, 1, np.nan])
OTHERS = np.float32([np.inf, -np.inf, -np.inf, -np.inf, 1])
CASES = []


def case(name, *args, **options):
    CASES.append(pytest.param(name, args, options, id=f"{len(CASES)}-{name}"))


for name in "exp2 deg2rad rad2deg sinc signbit nan_to_num isfinite isinf isnan isposinf isneginf \
isreal sign".split():
    case(name, A)
    case(name, N)
for name in "log2 log10".split():
    case(name, np.abs(A))
for name in "logaddexp logaddexp2 hypot heaviside fmax fmin maximum minimum add multiply nextafter \
isclose less less_equal greater greater_equal".split():
    case(name, A, B)
    case(name, N, A)
for name in "maximum minimum add multiply less greater bitwise_and bitwise_or bitwise_xor".split():
    case(name, TRUTH, B > 0)
for name in "gcd lcm bitwise_and bitwise_or bitwise_xor".split():
    case(name, WHOLE, J)
case("logaddexp", INFINITE, OTHERS)
case("isclose", INFINITE, OTHERS, equal_nan=True)
case("angle", A)
case("angle", (A + 1j * B).astype(np.complex64))
case("ldexp", A, J)
case("nextafter", np.float16([0, 1, -1, 65504, 2]), np.float16([-1, 2, 5, np.inf, 2]))
case("round", A, 2)
case("round", A * 100, -1)
case("round", WHOLE, -1)
case("clip", A, -0.5, None)
case("logical_xor", WHOLE, J)

for keepdims in (False, True):
    for axis in (None, 0, 1, -1, (0, 1)):
        for name in "sum prod mean var std max min ptp median nansum nanprod nanmean nanvar nanstd \
nanmax nanmin nanmedian all any count_nonzero".split():
            case(name, A, axis=axis, keepdims=keepdims)
        for name in "max min median nansum nanprod nanmean nanvar nanstd nanmax nanmin \
nanmedian".split():
            case(name, N, axis=axis, keepdims=keepdims)
        for method in "linear lower higher nearest midpoint".split():
            for q in (0.3, np.float32([0.1, 0.5, 0.9])):
                for name in ("quantile", "nanquantile"):
                    for x in (A, N):
                        case(name, x, q, axis=axis, method=method, keepdims=keepdims)
        case("percentile", A, 30.0, axis=axis, keepdims=keepdims)
        case("nanpercentile", N, 30.0, axis=axis, keepdims=keepdims)
    for axis in (None, 0, 1):
        for name in ("argmax", "argmin"):
            for x in (A, N, TRUTH):
                case(name, x, axis=axis, keepdims=keepdims)
        case("nanargmax", A, axis=axis, keepdims=keepdims)
        case("nanargmin", A, axis=axis, keepdims=keepdims)
for axis in (None, 0, 1):
    case("cumsum", A, axis=axis)
    case("cumprod", A, axis=axis)
    case("nancumsum", N, axis=axis)
    case("nancumprod", N, axis=axis)
    case("average", A, axis=axis)
    case("average", A, axis=axis, weights=J.astype(np.float32))
for axis in (0, 1):
    case("diff", A, axis=axis)
    case("diff", A, n=2, axis=axis)
    case("diff", TRUTH, axis=axis)
    case("sort", A, axis=axis)
    case("argsort", A, axis=axis)
case("average", A, axis=0, weights=W)
case("average", A, axis=(1, 0), weights=A.T)
case("sort", A, axis=None)
case("sort", TRUTH)
case("max", np.zeros((0, 3), np.float32), axis=0, initial=2.0)
case("trapezoid", A)
case("trapezoid", A, A, axis=0)
case("trapezoid", A, W, axis=0)
case("trapezoid", A, dx=0.3)

case("expand_dims", A, (0, 2))
case("squeeze", A[None])
case("squeeze", A[None, :, None], axis=(0, 2))
for axis in (None, 0, (0, 1)):
    case("flip", A, axis)
case("fliplr", A)
case("flipud", A)
for k in range(-1, 5):
    case("rot90", A, k)
    case("rot90", A, k, (1, 0))
case("roll", A, 2)
case("roll", A, 1, 0)
case("roll", A, (1, 2), (0, 1))
case("roll", A, 1, (0, 1))
for repeats in (2, (2, 2), (2, 1, 3)):
    case("tile", A, repeats)
case("repeat", A, 2)
case("repeat", A, 2, 0)
case("repeat", A, np.array([1, 0, 2]), 0)
for mode in "constant edge reflect symmetric wrap".split():
    for width in (2, (1, 2), ((1, 2), (0, 7))):
        case("pad", A, width, mode=mode)
case("pad", A, 1, mode="constant", constant_values=3)

for axis in (0, 1, None):
    case("concatenate", [A, B], axis=axis)
    case("append", A, B, axis=axis)
for name in "hstack vstack dstack".split():
    case(name, [A, B])
    case(name, [V, V])
    case(name, [np.float32(1), np.float32(2)])
for sections in (2, [1, 3], [1, -1], [3, 1, 9]):
    case("split", A, sections, axis=1)
case("array_split", A, 3, axis=1)
case("array_split", V, 2)
case("hsplit", A, 2)
case("hsplit", V, 5)
case("vsplit", A, 3)
case("dsplit", A[..., None], 1)

case("take", A, np.array([0, -1]))
case("take", A, np.array([[0, -1]]), axis=1)
case("take_along_axis", A, np.argsort(A, 1), axis=1)
case("take_along_axis", A, np.array([3, -1]), axis=None)
case("where", TRUTH, A, B)
case("select", [TRUTH, B > 0], [A, B], np.float32(2))
case("nonzero", WHOLE > 0)
case("unravel_index", np.array([3, 7]), (3, 4))
for k in range(-4, 5):
    for name in "diag diagonal trace tril triu diagflat".split():
        case(name, A, k)
    case("diag", V, k)
case("diagonal", np.arange(24).reshape(2, 3, 4), 1, 2, 0)
for side in ("left", "right"):
    case("searchsorted", np.sort(V), A, side)
case("digitize", A, np.sort(V))
case("digitize", A, np.sort(V)[::-1])

case("arange", 1, 7, 2, dtype="int32")
case("arange", 5, dtype="float32")
case("arange", 5, 1, -1, dtype="int32")
case("arange", 5, 1, dtype="int32")
for endpoint in (True, False):
    for count in (7, 1, 0):
        case("linspace", 0.0, 3.0, count, endpoint=endpoint)
    case("linspace", A, B, 4, endpoint=endpoint, axis=1)
    case("linspace", 0.0, 3.0, 7, endpoint=endpoint, retstep=True)
    case("logspace", 0.0, 2.0, 5, endpoint=endpoint)
    for start, stop in ((1, 1000), (-1, -1000), (8, 1)):
        case("geomspace", np.float32(start), np.float32(stop), 4, endpoint=endpoint)
case("eye", 3, 4, 1)
case("tri", 3, 4, -1)
case("vander", V)
case("vander", V, 3)
case("vander", V, 4, increasing=True)
case("meshgrid", V, W)
case("meshgrid", V, W, indexing="ij")
for name in "bartlett blackman hamming hanning".split():
    case(name, 7)
case("kaiser", 7, 5.0)

for name in ("matmul", "dot"):
    for x, y in ((A, B.T), (A, A[0]), (A.T, A[:, 0]), (V, V), (W, A), (TRUTH, TRUTH.T)):
        case(name, x, y)
case("dot", A, np.ones((2, 4, 5), np.float32))
case("inner", A, B)
case("inner", V, V)
case("outer", A, B)
case("vdot", A, B)
case("kron", A, B)
case("kron", V, A)
case("tensordot", A, B.T, axes=1)
case("einsum", "ij,kj->ik", A, B)
case("cross", T, U)
case("cross", T.T, U.T, axis=0)
case("cross", T.T, U, 0, 1, 0)
for mode in ("valid", "same", "full"):
    for x, y in ((V, W), (W, V), (V, V), (V, V[:2]), (V[:2], V), (V[:4], V)):
        case("correlate", x, y, mode=mode)
case("correlate", (V + 1j * V).astype(np.complex64), (W - 2j).astype(np.complex64), mode="full")
case("corrcoef", A)
case("corrcoef", V)

case("histogram", A, 5)
case("histogram", A, np.float32([-1, 0, 2]))
case("histogram", A, 4, (-0.5, 0.5))
case("histogram", np.ones(3, np.float32), 4)
case("isin", WHOLE, J)
case("isin", N, N)
case("isin", WHOLE, J, invert=True)
case("bincount", J.ravel())
case("bincount", J.ravel(), weights=A.ravel())
case("unique", J)
case("unique", J, return_index=True, return_inverse=True, return_counts=True)
case("unique", np.vstack([J, J]), axis=0)


@pytest.mark.filterwarnings("ignore")  # NumPy's, about the nans that are meant to be there
@pytest.mark.parametrize(("name", "args", "options"), CASES)
def test_equals_numpy(name, args, options):
    expected = getattr(np, name)(*args, **options)
    result = getattr(numpy_names, name)(*args, **options)
    if not isinstance(expected, (tuple, list)):
        expected, result = [expected], [result]
    assert len(result) == len(expected)
    for x, y in zip(result, expected, strict=True):
        assert np.shape(x) == np.shape(y)
        np.testing.assert_allclose(np.asarray(x), y, rtol=2e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
def test_the_place_of_nothing_is_minus_one(name):
    np.testing.assert_array_equal(getattr(numpy_names, name)(N, axis=1).numpy()[2], -1)


def test_unique_values_filled_up_to_a_size():
    values, first, counts = numpy_names.unique(
        np.int32([3, 1, 3]), return_index=True, return_counts=True, size=4, fill_value=-7
    )
    assert values.numpy().tolist() == [1, 3, -7, -7]
    assert first.numpy().tolist() == [1, 0, 1, 1]
    assert counts.numpy().tolist() == [1, 2, 0, 0]
