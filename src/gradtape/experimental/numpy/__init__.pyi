# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
from gradtape.core.dtypes import DType
from gradtape.core.tensor import Tensor
from gradtape.core.tensor import Tensor as _Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.experimental.numpy import random as random
from numpy import bool as _bool
from numpy import bytes_ as _bytes_
from numpy import complex128 as _complex128
from numpy import complex128 as complex128
from numpy import complex64 as complex64
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as _float64
from numpy import float64 as float64
from numpy import iinfo as iinfo
from numpy import inexact as inexact
from numpy import int16 as int16
from numpy import int32 as int32
from numpy import int64 as _int64
from numpy import int64 as int64
from numpy import int8 as int8
from numpy import object_ as object_
from numpy import str_ as _str_
from numpy import uint16 as uint16
from numpy import uint32 as uint32
from numpy import uint64 as uint64
from numpy import uint8 as uint8
from typing import Any
import numpy as np

def abs(x: TensorLike) -> Tensor:
    """Return the magnitude."""

def absolute(x: TensorLike) -> Tensor:
    """Return the magnitude."""

def add(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 + x2; of booleans, the logical or."""

def all(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return whether all elements are not 0."""

def allclose(
    a: TensorLike,
    b: TensorLike,
    rtol: TensorLike = 1e-05,
    atol: TensorLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Return whether all elements are close."""

def amax(
    a: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the largest element over axes."""

def amin(
    a: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the smallest element over axes."""

def angle(z: TensorLike, deg: bool = False) -> Tensor:
    """Return the argument of complex numbers; of real ones 0, or π where they are negative."""

def any(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return whether any element is not 0."""

def append(arr: TensorLike, values: Any, axis: AxisLike = None) -> Tensor:
    """Append values to arr; flatten both if no axis is given."""

def arange(
    start: TensorLike,
    stop: TensorLike | None = None,
    step: IntLike = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return numbers from start to (not including) stop, or from 0 to start."""

def arccos(x: TensorLike) -> Tensor:
    """Compute `acos` elementwise."""

def arccosh(x: TensorLike) -> Tensor:
    """Compute `acosh` elementwise."""

def arcsin(x: TensorLike) -> Tensor:
    """Compute `asin` elementwise."""

def arcsinh(x: TensorLike) -> Tensor:
    """Compute `asinh` elementwise."""

def arctan(x: TensorLike) -> Tensor:
    """Compute `atan` elementwise."""

def arctan2(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the angle of the point (x2, x1)."""

def arctanh(x: TensorLike) -> Tensor:
    """Compute `atanh` elementwise."""

def argmax(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the index of the first of the largest elements."""

def argmin(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the index of the first of the smallest elements."""

def argsort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str = 'quicksort',
    order: Any = None,
) -> Tensor:
    """Return the indices that sort the elements."""

def around(a: TensorLike, decimals: IntLike = 0) -> Tensor:
    """Round a to a number of decimals (negative: before the point), halves to even."""

def array(
    val: Any,
    dtype: DTypeLike | None = None,
    copy: bool = True,
    ndmin: IntLike = 0,
) -> Tensor:
    """Return a tensor of a value; with at least `ndmin` axes."""

def array_equal(a1: TensorLike, a2: TensorLike) -> Tensor:
    """Return whether shapes and all elements are equal."""

def asanyarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value."""

def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value: the value itself, if it is one."""

def ascontiguousarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value, with one axis at least."""

def atleast_1d(*arys: Any) -> Any:
    """Return the tensors with at least 1 axes."""

def atleast_2d(*arys: Any) -> Any:
    """Return the tensors with at least 2 axes."""

def atleast_3d(*arys: Any) -> Any:
    """Return the tensors with at least 3 axes."""

def average(
    a: TensorLike,
    axis: AxisLike = None,
    weights: TensorLike | None = None,
    returned: bool = False,
) -> Any:
    """Return the mean, or the mean with weights; with the sum of the weights too, if `returned`."""

def bitwise_and(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that are set in both."""

def bitwise_not(x: TensorLike) -> Tensor:
    """Return x with all bits inverted."""

def bitwise_or(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that are set in either."""

def bitwise_xor(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that differ."""

def broadcast_arrays(*args: Any, **kwargs: Any) -> Sequence[Tensor]:
    """Broadcast tensors to their common shape."""

def broadcast_to(array: TensorLike, shape: ShapeLike) -> Tensor:
    """Broadcast an array to a shape."""

def cbrt(x: TensorLike) -> Tensor:
    """Return the cube root, also of negative numbers."""

def ceil(x: TensorLike) -> Tensor:
    """Compute `ceil` elementwise."""

def clip(a: TensorLike, a_min: TensorLike, a_max: TensorLike) -> Tensor:
    """Clip a to bounds, of which one may be None."""

def compress(condition: TensorLike, a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the slices along an axis where a vector of conditions holds; missing conditions are
    false.
    """

def concatenate(arys: Any, axis: AxisLike = 0) -> Tensor:
    """Concatenate tensors along an axis."""

def conj(x: TensorLike) -> Tensor:
    """Return the complex conjugate."""

def conjugate(x: TensorLike) -> Tensor:
    """Return the complex conjugate."""

def copy(a: TensorLike) -> Tensor:
    """Return the same values."""

def cos(x: TensorLike) -> Tensor:
    """Compute `cos` elementwise."""

def cosh(x: TensorLike) -> Tensor:
    """Compute `cosh` elementwise."""

def count_nonzero(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return how many elements are not 0."""

def cross(
    a: TensorLike,
    b: TensorLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: AxisLike = None,
) -> Tensor:
    """Return the cross product of vectors in three dimensions; in two, its third component."""

def cumprod(a: TensorLike, axis: AxisLike = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return running products along an axis, or of the flattened a."""

def cumsum(a: TensorLike, axis: AxisLike = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return running sums along an axis, or of the flattened a."""

def deg2rad(x: TensorLike) -> Tensor:
    """Convert degrees to radians."""

def diag(v: Any, k: IntLike = 0) -> Tensor:
    """Return the matrix with a vector on its diagonal k, or the diagonal k of a matrix."""

def diag_indices(n: Any, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the indices of a diagonal: `ndim` times the numbers below n."""

def diagflat(v: Any, k: IntLike = 0) -> Tensor:
    """Return the matrix with all elements of v on its diagonal k."""

def diagonal(a: TensorLike, offset: IntLike = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the elements whose indices on two axes are equal (differ by `offset`), as a last
    axis.
    """

def diff(a: TensorLike, n: IntLike = 1, axis: AxisLike = -1) -> Tensor:
    """Return the differences of neighbors along an axis, taken n times."""

def divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 / x2; integers become floats."""

def divmod(x1: TensorLike, x2: TensorLike) -> tuple[Tensor, Tensor]:
    """Return (x1 // x2, x1 % x2)."""

def dot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products over the last axis of x1 and the last but one (or only) of x2."""

def dsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 2."""

def dstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the third axis."""

e: float
def einsum(subscripts: Any, *operands: Any, **kwargs: Any) -> Tensor:
    """Return the sum of products that an equation describes."""

def empty(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return zeros: a tensor always has values."""

def empty_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros with the shape of a."""

def equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Compute `equal` elementwise."""

def exp(x: TensorLike) -> Tensor:
    """Compute `exp` elementwise."""

def exp2(x: TensorLike) -> Tensor:
    """Return 2 to the power x."""

def expand_dims(a: TensorLike, axis: AxisLike) -> Tensor:
    """Insert an axis of size 1."""

def experimental_enable_numpy_behavior(
    prefer_float32: bool = False,
    dtype_conversion_mode: str = 'legacy',
) -> None:
    """Give tensors NumPy's methods (`T`, `reshape` …), promotion of dtypes, and indexing.

    It holds for the rest of the process.
    """

def expm1(x: TensorLike) -> Tensor:
    """Compute `expm1` elementwise."""

def eye(N: IntLike, M: IntLike | None = None, k: IntLike = 0, dtype: DTypeLike = ...) -> Tensor:
    """Return ones on the diagonal k of a matrix, zeros elsewhere."""

def fabs(x: TensorLike) -> Tensor:
    """Return the magnitude."""

def finfo(dtype: DTypeLike) -> Any:
    """Return the limits of a floating dtype."""

def fix(x: TensorLike) -> Tensor:
    """Truncate x toward 0."""

def flatten(a: TensorLike, order: str = 'C') -> Tensor:
    """Flatten a; in column-major order if `order` is F."""

def flip(m: TensorLike, axis: AxisLike = None) -> Tensor:
    """Reverse m along an axis (all, if None)."""

def fliplr(m: TensorLike) -> Tensor:
    """Reverse m along its second axis."""

def flipud(m: TensorLike) -> Tensor:
    """Reverse m along its first axis."""

def float_power(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 to the power x2."""

def floor(x: TensorLike) -> Tensor:
    """Compute `floor` elementwise."""

def floor_divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the largest integer not above x1 / x2."""

def full(shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor filled with one value, or with a value that broadcasts."""

def full_like(
    a: TensorLike,
    fill_value: TensorLike,
    dtype: DTypeLike | None = None,
    order: str = 'K',
    subok: bool = True,
    shape: ShapeLike = None,
) -> Tensor:
    """Return a tensor with the shape of a, filled with one value."""

def gcd(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the greatest common divisor of integers."""

def geomspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return numbers in equal ratios from start to stop, which have one sign."""

def greater(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 > x2; true is greater than false."""

def greater_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 >= x2; true is greater than false."""

def heaviside(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return 0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0."""

def hsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 1."""

def hstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the second axis, or the only one."""

def hypot(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return √(x1² + x2²)."""

def identity(n: Any, dtype: DTypeLike = ...) -> Tensor:
    """Return the identity matrix."""

def imag(val: Any) -> Tensor:
    """Return the imaginary part: 0 for real numbers."""

inf: float
def inner(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products over the last axes."""

def isclose(
    a: TensorLike,
    b: TensorLike,
    rtol: TensorLike = 1e-05,
    atol: TensorLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Return whether |a - b| <= atol + rtol |b|; of integers, whether they are equal."""

def iscomplex(x: TensorLike) -> Tensor:
    """Return whether the imaginary part is not 0."""

def iscomplexobj(x: TensorLike) -> bool:
    """Return whether the dtype is complex."""

def isfinite(x: TensorLike) -> Tensor:
    """Return whether elements are finite."""

def isinf(x: TensorLike) -> Any:
    """Return whether elements are infinite."""

def isnan(x: TensorLike) -> Tensor:
    """Return whether elements are nan."""

def isneginf(x: TensorLike) -> Any:
    """Return whether elements are negative infinity."""

def isposinf(x: TensorLike) -> Any:
    """Return whether elements are positive infinity."""

def isreal(x: TensorLike) -> Tensor:
    """Return whether the imaginary part is 0."""

def isrealobj(x: TensorLike) -> bool:
    """Return whether the dtype is not complex."""

def isscalar(num: IntLike) -> bool:
    """Return whether a value is a scalar."""

def issubdtype(arg1: Any, arg2: Any) -> Any:
    r"""Returns True if first argument is a typecode lower/equal in type hierarchy.

    This is like the builtin :func:`issubclass`, but for `dtype`\ s.

    Parameters
    ----------
    arg1, arg2 : dtype_like
        `dtype` or object coercible to one

    Returns
    -------
    out : bool

    See Also
    --------
    :ref:`arrays.scalars` : Overview of the numpy type hierarchy.

    Examples
    --------
    `issubdtype` can be used to check the type of arrays:

    >>> ints = np.array([1, 2, 3], dtype=np.int32)
    >>> np.issubdtype(ints.dtype, np.integer)
    True
    >>> np.issubdtype(ints.dtype, np.floating)
    False

    >>> floats = np.array([1, 2, 3], dtype=np.float32)
    >>> np.issubdtype(floats.dtype, np.integer)
    False
    >>> np.issubdtype(floats.dtype, np.floating)
    True

    Similar types of different sizes are not subdtypes of each other:

    >>> np.issubdtype(np.float64, np.float32)
    False
    >>> np.issubdtype(np.float32, np.float64)
    False

    but both are subtypes of `floating`:

    >>> np.issubdtype(np.float64, np.floating)
    True
    >>> np.issubdtype(np.float32, np.floating)
    True

    For convenience, dtype-like objects are allowed too:

    >>> np.issubdtype('S1', np.bytes_)
    True
    >>> np.issubdtype('i4', np.signedinteger)
    True
    """

def ix_(*args: Any) -> list[Tensor]:
    """Return vectors of indices, shaped so that together they select a grid."""

def kron(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the Kronecker product."""

def lcm(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the least common multiple of integers."""

def less(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 < x2; false is less than true."""

def less_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 <= x2; false is less than true."""

def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = ...,
    axis: AxisLike = 0,
) -> Any:
    """Return `num` numbers in equal steps from start to stop; with the step too, if `retstep`."""

def log(x: TensorLike) -> Tensor:
    """Compute `log` elementwise."""

def log10(x: TensorLike) -> Tensor:
    """Return the logarithm to base 10."""

def log1p(x: TensorLike) -> Tensor:
    """Compute `log1p` elementwise."""

def log2(x: TensorLike) -> Tensor:
    """Return the logarithm to base 2."""

def logaddexp(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return log(exp(x1) + exp(x2)), without overflow."""

def logaddexp2(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return log2(2**x1 + 2**x2), without overflow."""

def logical_and(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether both elements are not 0."""

def logical_not(x: TensorLike) -> Tensor:
    """Return whether each element is 0."""

def logical_or(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether at least one of the elements is not 0."""

def logical_xor(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether exactly one of the elements is not 0."""

def logspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    base: TensorLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return the powers of a base with exponents in equal steps."""

def matmul(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the matrix product over the last two axes; vectors are rows on the left, columns
    right.
    """

def max(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the largest element over axes."""

def maximum(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the larger of x1 and x2."""

def mean(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the mean over axes; of integers as floats."""

def meshgrid(*xi: Any, **kwargs: Any) -> list[Tensor]:
    """Return the coordinates of a grid, a tensor for each axis."""

def min(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the smallest element over axes."""

def minimum(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the smaller of x1 and x2."""

def mod(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the remainder of x1 / x2, with the sign of x2."""

def moveaxis(a: TensorLike, source: Any, destination: Any) -> Tensor:
    """Move axes of a to other positions."""

def multiply(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 · x2; of booleans, the logical and."""

def nanmean(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the mean of the elements that are not nan."""

def nanprod(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the product of the elements that are not nan."""

def nansum(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the sum of the elements that are not nan."""

def ndim(a: TensorLike) -> int:
    """Return the number of axes."""

def negative(x: TensorLike) -> Tensor:
    """Return -x."""

newaxis: None
def nextafter(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the next number of the dtype from x1 toward x2."""

def nonzero(a: TensorLike) -> tuple[Tensor, ...]:
    """Return, for each axis, the indices of the elements that are not 0."""

def not_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Compute `not_equal` elementwise."""

def ones(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return ones."""

def ones_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return ones with the shape of a."""

def outer(a: TensorLike, b: TensorLike) -> Tensor:
    """Return all products of an element of x1 and one of x2, as a matrix."""

def pad(array: TensorLike, pad_width: Any, mode: str, **kwargs: Any) -> Tensor:
    """Pad an array: with a constant, or the array mirrored."""

pi: float
def polyval(p: Any, x: TensorLike) -> Tensor:
    """Evaluate the polynomial with the coefficients p, highest power first, at x."""

def positive(x: TensorLike) -> Tensor:
    """Return +x."""

def power(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 to the power x2."""

def prod(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the product over axes; of integers in 64 bits."""

def promote_types(type1: DTypeLike, type2: DTypeLike) -> np.dtype:
    """Return the smallest NumPy dtype that both can be converted to."""

def ptp(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the difference of the largest and the smallest element."""

def rad2deg(x: TensorLike) -> Tensor:
    """Convert radians to degrees."""

def ravel(a: TensorLike) -> Tensor:
    """Flatten a."""

def real(val: Any) -> Tensor:
    """Return the real part."""

def reciprocal(x: TensorLike) -> Tensor:
    """Return 1 / x."""

def remainder(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the remainder of x1 / x2."""

def repeat(a: TensorLike, repeats: TensorLike, axis: AxisLike = None) -> Tensor:
    """Repeat each element (slice along an axis); of the flattened tensor if no axis is given."""

def reshape(a: TensorLike, newshape: ShapeLike, order: str = 'C') -> Tensor:
    """Reshape a; in column-major order if `order` is F."""

def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the common dtype of tensors, numbers and dtypes, by NumPy's promotion rules."""

def roll(a: TensorLike, shift: Any, axis: AxisLike = None) -> Tensor:
    """Roll a along axes, or flattened: elements beyond the end wrap around."""

def rot90(m: TensorLike, k: IntLike = 1, axes: AxisLike = ...) -> Tensor:
    """Rotate m k times by a right angle, in the plane of two axes."""

def round(a: TensorLike, decimals: IntLike = 0) -> Tensor:
    """Round a to a number of decimals."""

def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: TensorLike = 0) -> Any:
    """Return the choice whose condition is the first to hold, else the default."""

def shape(a: TensorLike) -> Any:
    """Return the sizes of the axes."""

def sign(x: TensorLike, out: Any = None, where: Any = None, **kwargs: Any) -> Tensor:
    """Return -1, 0 or 1; for complex numbers x / |x|."""

def signbit(x: TensorLike) -> Tensor:
    """Return whether x is less than 0."""

def sin(x: TensorLike) -> Tensor:
    """Compute `sin` elementwise."""

def sinc(x: TensorLike) -> Tensor:
    """Return sin(πx) / (πx), and its limit 1 at 0."""

def sinh(x: TensorLike) -> Tensor:
    """Compute `sinh` elementwise."""

def size(x: TensorLike, axis: AxisLike = None) -> Any:
    """Return the number of elements."""

def sort(a: TensorLike, axis: AxisLike = -1, kind: str = 'quicksort', order: Any = None) -> Tensor:
    """Sort the elements along an axis."""

def split(ary: TensorLike, indices_or_sections: Any, axis: AxisLike = 0) -> Any:
    """Split into so many equal parts, or at these indices."""

def sqrt(x: TensorLike) -> Tensor:
    """Compute `sqrt` elementwise."""

def square(x: TensorLike) -> Tensor:
    """Return x²."""

def squeeze(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Remove axes of size 1: all, or those given."""

def stack(arrays: Sequence[Any], axis: AxisLike = 0) -> Tensor:
    """Stack tensors of one shape along a new axis; the rows of a tensor if it is one."""

def std(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the standard deviation over axes."""

def subtract(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 - x2."""

def sum(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the sum over axes; of integers in 64 bits."""

def swapaxes(a: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Swap two axes of a."""

def take(
    a: TensorLike,
    indices: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    mode: str = 'clip',
) -> Tensor:
    """Return the slices along an axis at indices, which are clipped (or wrapped) to the axis."""

def take_along_axis(arr: TensorLike, indices: TensorLike, axis: AxisLike) -> Tensor:
    """Return arr at indices that differ along the other axes too."""

def tan(x: TensorLike) -> Tensor:
    """Compute `tan` elementwise."""

def tanh(x: TensorLike) -> Tensor:
    """Compute `tanh` elementwise."""

def tensordot(a: TensorLike, b: TensorLike, axes: AxisLike = 2) -> Tensor:
    """Return the sum of products over some axes of a and as many of b."""

def tile(a: TensorLike, reps: ShapeLike) -> Tensor:
    """Repeat a as a block."""

def trace(
    a: TensorLike,
    offset: IntLike = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return the sum of a diagonal."""

def transpose(a: TensorLike, axes: AxisLike = None) -> Tensor:
    """Permute the axes of a; reverse them if no order is given."""

def tri(
    N: IntLike,
    M: IntLike | None = None,
    k: IntLike = 0,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return ones on and below the diagonal k of a matrix, zeros above."""

def tril(m: TensorLike, k: IntLike = 0) -> Tensor:
    """Return x with zeros above the diagonal k of its last two axes."""

def triu(m: TensorLike, k: IntLike = 0) -> Tensor:
    """Return x with zeros below the diagonal k of its last two axes."""

def true_divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 / x2; integers become floats."""

def vander(x: TensorLike, N: IntLike | None = None, increasing: bool = False) -> Tensor:
    """Return the powers of each element, from N - 1 down to 0 (or up from 0), as rows."""

def var(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Any = None,
    ddof: IntLike = 0,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the variance over axes; divided by the number of elements less ddof."""

def vdot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products of all elements; those of x1 conjugated."""

def vsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 0."""

def vstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the first axis, vectors as rows."""

def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None) -> Any:
    """Return x where the condition is not 0, else y; without both, the indices where it is not."""

def zeros(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return zeros."""

def zeros_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros with the shape of a."""

bool_ = _bool
complex_ = _complex128
float_ = _float64
int_ = _int64
ndarray = _Tensor
string_ = _bytes_
unicode_ = _str_
