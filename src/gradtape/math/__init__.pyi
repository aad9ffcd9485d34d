# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.math.order import ApproxTopK
from gradtape.api.math.order import TopKV2
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.linalg import l2_normalize as l2_normalize
from gradtape.math import special as special
from gradtape.nn import log_softmax as log_softmax
from gradtape.nn import softmax as softmax
from typing import Any

def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the absolute value elementwise."""

def accumulate_n(
    inputs: TensorLike,
    shape: ShapeLike = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the sum of tensors that all have one shape (the one given, if any) and dtype."""

def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `acos` elementwise."""

def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `acosh` elementwise."""

def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Add x and y elementwise; concatenate strings."""

def add_n(inputs: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of tensors that all have one shape and dtype."""

def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the argument of complex numbers."""

def approx_max_k(
    operand: TensorLike,
    k: Any,
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k largest elements along an axis and their indices, exactly."""

def approx_min_k(
    operand: TensorLike,
    k: Any,
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k smallest elements along an axis and their indices, exactly."""

def argmax(
    input: TensorLike,
    axis: AxisLike = None,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the index of the largest element along an axis (the first, if None); of equal ones,
    the first.
    """

def argmin(
    input: TensorLike,
    axis: AxisLike = None,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the index of the smallest element along an axis (the first, if None); of equal ones,
    the first.
    """

def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `asin` elementwise."""

def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `asinh` elementwise."""

def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `atan` elementwise."""

def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle of the point (x, y), in (-π, π]."""

def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `atanh` elementwise."""

def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_i0` elementwise."""

def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_i0e` elementwise."""

def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_i1` elementwise."""

def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_i1e` elementwise."""

def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the regularized incomplete beta function; differentiable by x."""

def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
    axis: AxisLike = None,
    binary_output: bool = False,
) -> Tensor:
    """Return how often (or with what total weight) each integer from 0 occurs: in all, or by
    rows.
    """

def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `ceil` elementwise."""

def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: IntLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Count how often each label (row) was predicted as each class (column)."""

def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate; a real tensor is returned unchanged."""

def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `cos` elementwise."""

def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `cosh` elementwise."""

def count_nonzero(
    input: TensorLike,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return how many elements are not zero (false, empty text)."""

def cumprod(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running products along an axis."""

def cumsum(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running sums along an axis."""

def cumulative_logsumexp(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running logarithms of sums of exponentials along an axis."""

def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `digamma` elementwise."""

def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, and 0 where y is 0. Integers become floats, as in `truediv`."""

def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `equal` elementwise."""

def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `erf` elementwise."""

def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `erfc` elementwise."""

def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse of erfc from ndtri, which is accurate in the tail near 0."""

def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `erfinv` elementwise."""

def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `exp` elementwise."""

def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `expm1` elementwise."""

def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `floor` elementwise."""

def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `floordiv` elementwise."""

def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `floormod` elementwise."""

def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `greater` elementwise."""

def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `greater_equal` elementwise."""

def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower regularized incomplete gamma function P(a, x)."""

def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the upper regularized incomplete gamma function Q(a, x) = 1 - P(a, x)."""

def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part; of a real tensor, zeros."""

def in_top_k(
    targets: TensorLike,
    predictions: TensorLike,
    k: Any,
    name: str | None = None,
) -> Tensor:
    """Return whether each target class is among the k best predictions of its row."""

def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the permutation that undoes one."""

def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `is_finite` elementwise."""

def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `is_inf` elementwise."""

def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `is_nan` elementwise."""

def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether no element is below the one before it."""

def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each element is above the one before it."""

def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log |Beta(x)| over the last axis."""

def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `less` elementwise."""

def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `less_equal` elementwise."""

def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `lgamma` elementwise."""

def log(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `log` elementwise."""

def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `log1p` elementwise."""

def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log(sigmoid(x))."""

def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `logical_and` elementwise."""

def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `logical_not` elementwise."""

def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `logical_or` elementwise."""

def logical_xor(x: TensorLike, y: TensorLike, name: str = 'LogicalXor') -> Tensor:
    """Return the exclusive or of x and y."""

def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `maximum` elementwise."""

def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `minimum` elementwise."""

def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `multiply` elementwise."""

def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `multiply_no_nan` elementwise."""

def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `ndtri` elementwise."""

def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `negative` elementwise."""

def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Return the next representable number from x1 toward x2."""

def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `not_equal` elementwise."""

def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of order `a` of digamma; differentiable by x."""

def polyval(coeffs: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Evaluate a polynomial with coefficients from the highest power on, by Horner's scheme."""

def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Raise x to the power y."""

def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part; of a real tensor, itself."""

def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `reciprocal` elementwise."""

def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / x, and 0 where x is 0."""

def reduce_all(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether all elements along `axis` are true."""

def reduce_any(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether any element along `axis` is true."""

def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the square root of the sum of squares over `axis`."""

def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute log(sum(exp(x))) over `axis`, without overflow."""

def reduce_max(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the maximum over `axis`; nan if there is a nan."""

def reduce_mean(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the mean over `axis`. Of integers, rounded toward 0, as in TensorFlow."""

def reduce_min(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the minimum over `axis`; nan if there is a nan."""

def reduce_prod(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the product over `axis`. The primitive takes one axis: several are merged first."""

def reduce_std(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the standard deviation; its gradient is nan where all elements are equal."""

def reduce_sum(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the sum over `axis` (all axes, if None)."""

def reduce_variance(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the variance over `axis` (the population's: divided by n, not n - 1)."""

def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Round to the nearest integer, halves to even. Integers are returned unchanged."""

def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Round to the nearest integer, halves to even. Integers are returned unchanged."""

def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `rsqrt` elementwise."""

def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return a scalar times a tensor; IndexedSlices stay sparse."""

def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the maximum of runs of rows with equal ids; 0 for ids that do not occur."""

def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the mean of runs of rows with equal ids; of integers, rounded toward 0."""

def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the minimum of runs of rows with equal ids; 0 for ids that do not occur."""

def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Multiply runs of rows with equal ids; 1 for ids that do not occur."""

def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sum runs of rows with equal ids."""

def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `sigmoid` elementwise."""

def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -1, 0 or 1; for a complex number, x / |x| (0 at 0)."""

def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `sin` elementwise."""

def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `sinh` elementwise."""

def sobol_sample(
    dim: AxisLike,
    num_results: IntLike,
    skip: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return `num_results` points of the Sobol sequence in `dim` dimensions, after `skip`
    others.
    """

def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """Return log(1 + exp(features))."""

def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Return features / (1 + |features|)."""

def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `sqrt` elementwise."""

def square(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `square` elementwise."""

def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute (x - y)²; for complex numbers, the product with the conjugate."""

def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `subtract` elementwise."""

def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `tan` elementwise."""

def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `tanh` elementwise."""

def top_k(
    input: TensorLike,
    k: IntLike = 1,
    sorted: bool = True,
    index_type: DTypeLike = ...,
    name: str | None = None,
) -> TopKV2:
    """Return the k largest elements along the last axis, largest first, and their indices."""

def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide x by y; cast integers first: up to 16 bits to float32, others to float64."""

def unsorted_segment_max(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the maximum of the rows with each id; the dtype's lowest number if none."""

def unsorted_segment_mean(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the mean of the rows with each id; 0 if there are none."""

def unsorted_segment_min(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the minimum of the rows with each id; the dtype's highest number if none."""

def unsorted_segment_prod(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Multiply the rows with each id; 1 if there are none."""

def unsorted_segment_sqrt_n(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Sum the rows with each id, and divide by the square root of their number."""

def unsorted_segment_sum(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Sum the rows with each id, from 0 to num_segments - 1."""

def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xdivy` elementwise."""

def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xlog1py` elementwise."""

def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xlogy` elementwise."""

def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """Return the fraction of elements that are 0, as a float32."""

def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Return the Hurwitz zeta function Σ (q + n)^-x; differentiable by q."""

divide = truediv
mod = floormod
