# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
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
    """Compute the absolute value elementwise.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.abs(tf.constant([-1.5, 2.0])).numpy()
        array([1.5, 2. ], dtype=float32)
    """

def accumulate_n(
    inputs: TensorLike,
    shape: ShapeLike = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the sum of tensors that all have one shape (the one given, if any) and dtype.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        tensor_dtype: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle, in [0, π], whose cosine is x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number ≥ 0 whose hyperbolic cosine is x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Add x and y elementwise; concatenate strings.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.add(tf.constant([1, 2]), 10).numpy()
        array([11, 12], dtype=int32)
    """

def add_n(inputs: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of tensors that all have one shape and dtype.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.add_n([tf.constant([1, 2]), tf.constant([3, 4])]).numpy()
        array([4, 6], dtype=int32)
    """

def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the argument of complex numbers.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def approx_max_k(
    operand: TensorLike,
    k: IntLike | Sequence[Any],
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k largest elements along an axis and their indices, exactly.

    Args:
        operand: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        reduction_dimension: the axis to reduce.
        recall_target: has no effect: the results are exact.
        reduction_input_size_override: has no effect; there for compatibility.
        aggregate_to_topk: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `operand` has a dtype that it does not take, the shape of
            `operand` does not fit, or `k` is negative.
    """

def approx_min_k(
    operand: TensorLike,
    k: IntLike | Sequence[Any],
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k smallest elements along an axis and their indices, exactly.

    Args:
        operand: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        reduction_dimension: the axis to reduce.
        recall_target: has no effect: the results are exact.
        reduction_input_size_override: has no effect; there for compatibility.
        aggregate_to_topk: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `operand` has a dtype that it does not take, the shape of
            `operand` does not fit, or `k` is negative.
    """

def argmax(
    input: TensorLike,
    axis: AxisLike = None,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the index of the largest element along an axis (the first, if None); of equal ones,
    the first.

    Args:
        input: a tensor, or what converts to one.
        axis: the axis to search along; the first if None.
        output_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `axis` is out of range.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.argmax(tf.constant([[1, 5], [7, 2]]), axis=1).numpy()
        array([1, 0])
    """

def argmin(
    input: TensorLike,
    axis: AxisLike = None,
    output_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the index of the smallest element along an axis (the first, if None); of equal ones,
    the first.

    Args:
        input: a tensor, or what converts to one.
        axis: the axis to search along; the first if None.
        output_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `axis` is out of range.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.argmin(tf.constant([3.0, 1.0, 2.0])).numpy()
        np.int64(1)
    """

def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle, in [-π/2, π/2], whose sine is x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose hyperbolic sine is x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle, in (-π/2, π/2), whose tangent is x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle of the point (x, y), in (-π, π].

    Args:
        y: the height of the point.
        x: the distance of the point along the first axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `y` or `x` has a dtype that it does not take, the dtypes
            of `y` and `x` differ, or the shapes of `y` and `x` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.atan2(1.0, 0.0).numpy()
        np.float32(1.5707964)
    """

def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose hyperbolic tangent is x, for -1 < x < 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the first kind, of order 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of order 0, times exp(-|x|).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the first kind, of order 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of order 1, times exp(-|x|).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the regularized incomplete beta function; differentiable by x.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a`, `b` or `x` has a dtype that it does not take, the
            dtypes of `a`, `b` and `x` differ, or the shapes of `a`, `b` and `x` do not fit
            together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

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

    Args:
        arr: a tensor, or what converts to one.
        weights: how much each element counts.
        minlength: the least length of the result.
        maxlength: the greatest length of the result.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        binary_output: whether to note only that a value occurs.

    Raises:
        ValueError if `axis` is out of range.
        tf.errors.InvalidArgumentError if `weights` has a dtype that it does not take, the shape of
            `arr` or `weights` does not fit, or the shapes of `arr` and `weights` do not fit
            together.
        tf.errors.UnimplementedError if `arr` has a dtype that it does not take.

    Example:
        >>> tf.math.bincount(tf.constant([1, 1, 3])).numpy()
        array([0, 2, 0, 1], dtype=int32)
    """

def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the smallest integer that is not below x, in the dtype of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a step function: constant between its jumps.

    Example:
        >>> tf.math.ceil(tf.constant([1.2, -1.7])).numpy()
        array([ 2., -1.], dtype=float32)
    """

def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: IntLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Count how often each label (row) was predicted as each class (column).

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        num_classes: the number of classes.
        weights: how much each element counts.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `labels` or `predictions` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `labels` or `predictions` does not fit, the
            shapes of `labels` and `predictions` do not fit together, or `num_classes` is negative.

    Example:
        >>> tf.math.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy()
        array([[1, 0],
               [1, 1]], dtype=int32)
    """

def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate; a real tensor is returned unchanged.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the cosine of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.cos(tf.constant([0.0, 3.1415927])).numpy()
        array([ 1., -1.], dtype=float32)
    """

def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic cosine of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def count_nonzero(
    input: TensorLike,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return how many elements are not zero (false, empty text).

    Args:
        input: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `axis` is out of
            range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def cumprod(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running products along an axis.

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        exclusive: whether only one of the truth values may be true; for cumulative functions,
            whether an element leaves out itself.
        reverse: whether to go from the last element to the first.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, the shape of `x`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.cumprod(tf.constant([1, 2, 3]), reverse=True).numpy()
        array([6, 6, 3], dtype=int32)
    """

def cumsum(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running sums along an axis.

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        exclusive: whether only one of the truth values may be true; for cumulative functions,
            whether an element leaves out itself.
        reverse: whether to go from the last element to the first.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.cumsum(tf.constant([1, 2, 3])).numpy()
        array([1, 3, 6], dtype=int32)
    """

def cumulative_logsumexp(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return running logarithms of sums of exponentials along an axis.

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        exclusive: whether only one of the truth values may be true; for cumulative functions,
            whether an element leaves out itself.
        reverse: whether to go from the last element to the first.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, the shape of `x`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of the logarithm of the gamma function.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, and 0 where y is 0. Integers become floats, as in `truediv`.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.divide_no_nan(tf.constant([1.0, 1.0]), [2.0, 0.0]).numpy()
        array([0.5, 0. ], dtype=float32)
    """

def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x and y are equal, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.equal(tf.constant([1, 2]), [1, 3]).numpy()
        array([ True, False])
    """

def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the error function 2/√π ∫₀ˣ exp(-t²) dt.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.erf(tf.constant([0.0, 10.0])).numpy()
        array([0., 1.], dtype=float32)
    """

def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 - erf(x), exact also where erf(x) is close to 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse of erfc from ndtri, which is accurate in the tail near 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose error function is x, for -1 < x < 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """Return e to the power x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.exp(tf.constant([0.0, float("-inf")])).numpy()
        array([1., 0.], dtype=float32)
    """

def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return exp(x) - 1, exact also where x is close to 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the largest integer that is not above x, in the dtype of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a step function: constant between its jumps.

    Example:
        >>> tf.floor(tf.constant([1.7, -1.2])).numpy()
        array([ 1., -2.], dtype=float32)
    """

def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, rounded down.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a step function: constant between its jumps.

    Example:
        >>> tf.math.floordiv(tf.constant([5, -5]), 3).numpy()
        array([ 1, -2], dtype=int32)
    """

def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return what is left of x after division by y, with the sign of y.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.floormod(tf.constant([5, -5]), 3).numpy()
        array([2, 1], dtype=int32)
    """

def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x > y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.greater(tf.constant([1, 5]), 3).numpy()
        array([False,  True])
    """

def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x ≥ y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.
    """

def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower regularized incomplete gamma function P(a, x).

    Args:
        a: a tensor, or what converts to one.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `x` has a dtype that it does not take, the dtypes
            of `a` and `x` differ, or the shapes of `a` and `x` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the upper regularized incomplete gamma function Q(a, x) = 1 - P(a, x).

    Args:
        a: a tensor, or what converts to one.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `x` has a dtype that it does not take, the dtypes
            of `a` and `x` differ, or the shapes of `a` and `x` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part; of a real tensor, zeros.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def in_top_k(
    targets: TensorLike,
    predictions: TensorLike,
    k: IntLike | Sequence[Any],
    name: str | None = None,
) -> Tensor:
    """Return whether each target class is among the k best predictions of its row.

    Args:
        targets: the right class of each row.
        predictions: what was predicted: scores, or classes.
        k: how many to take; for diagonals, which one (0 is the main one).
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `predictions` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `targets` has a dtype that it does not take, the shape of
            `targets` or `predictions` does not fit, or the shapes of `targets` and `predictions` do
            not fit together.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the permutation that undoes one.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x is neither infinite nor nan, element by element.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.math.is_finite(tf.constant([1.0, float("inf")])).numpy()
        array([ True, False])
    """

def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x is infinite, element by element.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a comparison gives true or false, not a number.
    """

def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x is nan, element by element.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.math.is_nan(tf.constant([1.0, float("nan")])).numpy()
        array([False,  True])
    """

def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether no element is below the one before it.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each element is above the one before it.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log |Beta(x)| over the last axis.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x < y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.less(tf.constant([1, 5]), 3).numpy()
        array([ True, False])
    """

def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x ≤ y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.
    """

def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithm of |Γ(x)|.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.lgamma(tf.constant([1.0, 2.0])).numpy()
        array([0., 0.], dtype=float32)
    """

def log(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the natural logarithm of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.log(tf.constant([1.0, 0.0])).numpy()
        array([  0., -inf], dtype=float32)
    """

def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """Return log(1 + x), exact also where x is close to 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.log1p(tf.constant(0.0)).numpy()
        np.float32(0.0)
    """

def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log(sigmoid(x)).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x and y are both true.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.logical_and(tf.constant([True, True]), [True, False]).numpy()
        array([ True, False])
    """

def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x is false.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: none: a comparison gives true or false, not a number.

    Example:
        >>> tf.logical_not(tf.constant([True, False])).numpy()
        array([False,  True])
    """

def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x or y is true.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.
    """

def logical_xor(x: TensorLike, y: TensorLike, name: str = 'LogicalXor') -> Tensor:
    """Return the exclusive or of x and y.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, or the
            shapes of `x` and `y` do not fit together.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the larger one of x and y, element by element; nan if one of them is nan.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.maximum(tf.constant([1.0, 5.0]), 3.0).numpy()
        array([3., 5.], dtype=float32)
    """

def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the smaller one of x and y, element by element; nan if one of them is nan.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.minimum(tf.constant([1.0, 5.0]), 3.0).numpy()
        array([1., 3.], dtype=float32)
    """

def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.multiply(tf.constant([[1.0], [2.0]]), [3.0, 4.0]).numpy()
        array([[3., 4.],
               [6., 8.]], dtype=float32)
    """

def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * y, and 0 where y is 0, even if x is infinite or nan.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number below which the standard normal distribution has the share x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.negative(tf.constant([1.0, -2.0])).numpy()
        array([-1.,  2.], dtype=float32)
    """

def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Return the next representable number from x1 toward x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x1` or `x2` has a dtype that it does not take, the dtypes
            of `x1` and `x2` differ, or the shapes of `x1` and `x2` do not fit together.
    """

def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether x and y differ, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a comparison gives true or false, not a number.
    """

def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of order `a` of digamma; differentiable by x.

    Args:
        a: a tensor, or what converts to one.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `x` has a dtype that it does not take, the dtypes
            of `a` and `x` differ, or the shapes of `a` and `x` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def polyval(coeffs: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Evaluate a polynomial with coefficients from the highest power on, by Horner's scheme.

    Args:
        coeffs: the coefficients, that of the highest power first.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Raise x to the power y.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.pow(tf.constant([2.0, 3.0]), 3.0).numpy()
        array([ 8., 27.], dtype=float32)
    """

def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part; of a real tensor, itself.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.real(tf.constant([1 + 2j])).numpy()
        array([1.])
    """

def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.reciprocal(tf.constant([2.0, 4.0])).numpy()
        array([0.5 , 0.25], dtype=float32)
    """

def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / x, and 0 where x is 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def reduce_all(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether all elements along `axis` are true.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, or the
            shape of `input_tensor` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.reduce_all(tf.constant([False, True])).numpy()
        np.False_
    """

def reduce_any(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether any element along `axis` is true.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, or the
            shape of `input_tensor` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.reduce_any(tf.constant([False, True])).numpy()
        np.True_
    """

def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the square root of the sum of squares over `axis`.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute log(sum(exp(x))) over `axis`, without overflow.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_logsumexp(tf.constant([0.0, 0.0])).numpy()
        np.float32(0.6931472)
    """

def reduce_max(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the maximum over `axis`; nan if there is a nan.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_max(tf.constant([[1, 5], [3, 4]])).numpy()
        np.int32(5)
    """

def reduce_mean(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the mean over `axis`. Of integers, rounded toward 0, as in TensorFlow.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if an axis is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_mean(tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=1).numpy()
        array([1.5, 3.5], dtype=float32)
    """

def reduce_min(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the minimum over `axis`; nan if there is a nan.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_min(tf.constant([[1, 5], [3, 4]]), axis=1, keepdims=True).numpy()
        array([[1],
               [3]], dtype=int32)
    """

def reduce_prod(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the product over `axis`. The primitive takes one axis: several are merged first.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input_tensor` has a dtype that it does not take, the
            shape of `input_tensor` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_prod(tf.constant([2.0, 3.0, 4.0])).numpy()
        np.float32(24.0)
    """

def reduce_std(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the standard deviation; its gradient is nan where all elements are equal.

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit, or `axis` is out
            of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.reduce_std(tf.constant([1.0, 3.0])).numpy()
        np.float32(1.0)
    """

def reduce_sum(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the sum over `axis` (all axes, if None).

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if an axis is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reduce_sum(tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=0).numpy()
        array([4., 6.], dtype=float32)
    """

def reduce_variance(
    input_tensor: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the variance over `axis` (the population's: divided by n, not n - 1).

    Args:
        input_tensor: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `input_tensor` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input_tensor` does not fit, or `axis` is out
            of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.reduce_variance(tf.constant([1.0, 3.0])).numpy()
        np.float32(1.0)
    """

def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Round to the nearest integer, halves to even. Integers are returned unchanged.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.
    """

def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Round to the nearest integer, halves to even. Integers are returned unchanged.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.round(tf.constant([0.5, 1.5, 2.4])).numpy()
        array([0., 2., 2.], dtype=float32)
    """

def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / √x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.rsqrt(tf.constant(4.0)).numpy()
        np.float32(0.5)
    """

def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return a scalar times a tensor; IndexedSlices stay sparse.

    Args:
        scalar: one number.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `scalar` has a dtype that it does not take, or the dtypes
            of `scalar` and `x` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the maximum of runs of rows with equal ids; 0 for ids that do not occur.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` or `segment_ids` does not fit, or the shapes of `data` and
            `segment_ids` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the mean of runs of rows with equal ids; of integers, rounded toward 0.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` or `segment_ids` does not fit, or the shapes of `data` and
            `segment_ids` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the minimum of runs of rows with equal ids; 0 for ids that do not occur.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` or `segment_ids` does not fit, or the shapes of `data` and
            `segment_ids` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Multiply runs of rows with equal ids; 1 for ids that do not occur.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` or `segment_ids` does not fit, or the shapes of `data` and
            `segment_ids` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sum runs of rows with equal ids.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` or `segment_ids` does not fit, or the shapes of `data` and
            `segment_ids` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.segment_sum(tf.constant([1.0, 2.0, 3.0]), [0, 0, 1]).numpy()
        array([3., 3.], dtype=float32)
    """

def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the logistic function 1 / (1 + exp(-x)).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.sigmoid(tf.constant([0.0, 100.0])).numpy()
        array([0.5, 1. ], dtype=float32)
    """

def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -1, 0 or 1; for a complex number, x / |x| (0 at 0).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.sign(tf.constant([-2.0, 0.0, 3.0])).numpy()
        array([-1.,  0.,  1.], dtype=float32)
    """

def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sine of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.sin(tf.constant([0.0, 1.5707964])).numpy()
        array([0., 1.], dtype=float32)
    """

def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic sine of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sobol_sample(
    dim: AxisLike,
    num_results: IntLike,
    skip: IntLike = 0,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return `num_results` points of the Sobol sequence in `dim` dimensions, after `skip`
    others.

    Args:
        dim: an old name of axis.
        num_results: how many points.
        skip: how many points to leave out at the start.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `dim` is less than 1.
    """

def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """Return log(1 + exp(features)).

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.softplus(tf.constant([0.0, 100.0])).numpy()
        array([  0.6931472, 100.       ], dtype=float32)
    """

def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Return features / (1 + |features|).

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the square root of x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.sqrt(tf.constant([4.0, 9.0])).numpy()
        array([2., 3.], dtype=float32)
    """

def square(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x², element by element.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.square(tf.constant([2, -3])).numpy()
        array([4, 9], dtype=int32)
    """

def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute (x - y)²; for complex numbers, the product with the conjugate.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `y` has a dtype that it does not take, the dtypes of `x`
            and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x - y, element by element.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.subtract(tf.constant([5.0, 6.0]), [1.0, 2.0]).numpy()
        array([4., 4.], dtype=float32)
    """

def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the tangent of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.tan(tf.constant(0.0)).numpy()
        np.float32(0.0)
    """

def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic tangent of x, between -1 and 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.tanh(tf.constant([0.0, 10.0])).numpy()
        array([0., 1.], dtype=float32)
    """

def top_k(
    input: TensorLike,
    k: IntLike | Sequence[Any] = 1,
    sorted: bool = True,
    index_type: DTypeLike = ...,
    name: str | None = None,
) -> TopKV2:
    """Return the k largest elements along the last axis, largest first, and their indices.

    Args:
        input: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        sorted: has no effect: results are always sorted.
        index_type: the dtype of the indices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if there are fewer than k elements.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.top_k(tf.constant([3, 9, 5]), k=2).indices.numpy()
        array([1, 2], dtype=int32)
    """

def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide x by y; cast integers first: up to 16 bits to float32, others to float64.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.divide(tf.constant([1, 2]), tf.constant([2, 4])).numpy()
        array([0.5, 0.5])
    """

def unsorted_segment_max(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the maximum of the rows with each id; the dtype's lowest number if none.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def unsorted_segment_mean(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the mean of the rows with each id; 0 if there are none.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def unsorted_segment_min(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Return the minimum of the rows with each id; the dtype's highest number if none.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def unsorted_segment_prod(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Multiply the rows with each id; 1 if there are none.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def unsorted_segment_sqrt_n(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Sum the rows with each id, and divide by the square root of their number.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def unsorted_segment_sum(
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    name: str | None = None,
) -> Tensor:
    """Sum the rows with each id, from 0 to num_segments - 1.

    Args:
        data: a tensor, or what converts to one.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `data` or `segment_ids` has a dtype that it does not take,
            the shape of `data` does not fit, the shapes of `data` and `segment_ids` do not fit
            together, `segment_ids` has an index that is out of range, or `num_segments` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.math.unsorted_segment_sum(tf.constant([1.0, 2.0, 3.0]), [1, 0, 1], 2).numpy()
        array([2., 4.], dtype=float32)
    """

def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xdivy` elementwise.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xlog1py` elementwise.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `xlogy` elementwise.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """Return the fraction of elements that are 0, as a float32.

    Args:
        value: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `value` cannot be converted to a tensor.
    """

def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Return the Hurwitz zeta function Σ (q + n)^-x; differentiable by q.

    Args:
        x: a tensor, or what converts to one.
        q: the second argument of the zeta function.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `q` has a dtype that it does not take, the dtypes
            of `x` and `q` differ, or the shapes of `x` and `q` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

divide = truediv
mod = floormod
