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
    """Return the magnitude.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def absolute(x: TensorLike) -> Tensor:
    """Return the magnitude.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def add(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 + x2; of booleans, the logical or.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def all(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return whether all elements are not 0.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def allclose(
    a: TensorLike,
    b: TensorLike,
    rtol: TensorLike = 1e-05,
    atol: TensorLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Return whether all elements are close.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        rtol: the relative difference that is allowed.
        atol: the absolute difference that is allowed.
        equal_nan: whether nan equals nan.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a` and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def amax(
    a: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the largest element over axes.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        out: must be None: results are new tensors.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def amin(
    a: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the smallest element over axes.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        out: must be None: results are new tensors.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def angle(z: TensorLike, deg: bool = False) -> Tensor:
    """Return the argument of complex numbers; of real ones 0, or π where they are negative.

    Args:
        z: complex numbers.
        deg: whether the result is in degrees.

    Raises:
        tf.errors.UnimplementedError if `z` has a dtype that it does not take.
    """

def any(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return whether any element is not 0.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def append(arr: TensorLike, values: Any, axis: AxisLike = None) -> Tensor:
    """Append values to arr; flatten both if no axis is given.

    Args:
        arr: a tensor, or what converts to one.
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `arr` or `values` does not fit, the shapes of
            `arr` and `values` do not fit together, or `axis` is out of range.
        tf.errors.UnimplementedError if `arr` or `values` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arange(
    start: TensorLike,
    stop: TensorLike | None = None,
    step: TensorLike = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return numbers from start to (not including) stop, or from 0 to start.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        stop: the last number.
        step: the size of a step.
        dtype: the dtype of the result.

    Raises:
        ValueError if the step is 0.

    Example:
        >>> tf.experimental.numpy.arange(3).numpy()
        array([0, 1, 2])
    """

def arccos(x: TensorLike) -> Tensor:
    """Return the angle, in [0, π], whose cosine is x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arccosh(x: TensorLike) -> Tensor:
    """Return the number ≥ 0 whose hyperbolic cosine is x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arcsin(x: TensorLike) -> Tensor:
    """Return the angle, in [-π/2, π/2], whose sine is x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arcsinh(x: TensorLike) -> Tensor:
    """Return the number whose hyperbolic sine is x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arctan(x: TensorLike) -> Tensor:
    """Return the angle, in (-π/2, π/2), whose tangent is x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arctan2(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the angle of the point (x2, x1).

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def arctanh(x: TensorLike) -> Tensor:
    """Return the number whose hyperbolic tangent is x, for -1 < x < 1.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def argmax(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the index of the first of the largest elements.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, or `axis` is out of
            range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def argmin(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the index of the first of the smallest elements.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, or `axis` is out of
            range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def argsort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str = 'quicksort',
    order: Any = None,
) -> Tensor:
    """Return the indices that sort the elements.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        kind: "quicksort" or "stable".
        order: the order of the elements, as in NumPy.

    Raises:
        ValueError if `kind` is not a known one.
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, or `axis` is out of
            range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def around(a: TensorLike, decimals: IntLike = 0) -> Tensor:
    """Round a to a number of decimals (negative: before the point), halves to even.

    Args:
        a: a tensor, or what converts to one.
        decimals: how many digits behind the point.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.
    """

def array(
    val: Any,
    dtype: DTypeLike | None = None,
    copy: bool = True,
    ndmin: IntLike = 0,
) -> Tensor:
    """Return a tensor of a value; with at least `ndmin` axes.

    Args:
        val: a tensor, or what converts to one.
        dtype: the dtype of the result.
        copy: whether to copy; tensors are values in any case.
        ndmin: the least number of axes.

    Raises:
        TypeError if `dtype` or `ndmin` has a type that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def array_equal(a1: TensorLike, a2: TensorLike) -> Tensor:
    """Return whether shapes and all elements are equal.

    Args:
        a1: a tensor, or what converts to one.
        a2: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `a1` or `a2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def asanyarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value: the value itself, if it is one.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

def ascontiguousarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of a value, with one axis at least.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atleast_1d(*arys: Any) -> Any:
    """Return the tensors with at least 1 axes.

    Args:
        *arys: tensors, or what converts to them.

    Raises:
        TypeError if `arys` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atleast_2d(*arys: Any) -> Any:
    """Return the tensors with at least 2 axes.

    Args:
        *arys: tensors, or what converts to them.

    Raises:
        TypeError if `arys` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atleast_3d(*arys: Any) -> Any:
    """Return the tensors with at least 3 axes.

    Args:
        *arys: tensors, or what converts to them.

    Raises:
        TypeError if `arys` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def average(
    a: TensorLike,
    axis: AxisLike = None,
    weights: TensorLike | None = None,
    returned: bool = False,
) -> Any:
    """Return the mean, or the mean with weights; with the sum of the weights too, if `returned`.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        weights: how much each element counts.
        returned: whether to return the sum of the weights, too.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` or `weights` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bitwise_and(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that are set in both.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def bitwise_not(x: TensorLike) -> Tensor:
    """Return x with all bits inverted.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def bitwise_or(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that are set in either.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def bitwise_xor(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the bits that differ.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def broadcast_arrays(*args: Any, **kwargs: Any) -> Sequence[Tensor]:
    """Broadcast tensors to their common shape.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        A list of tensors.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def broadcast_to(array: TensorLike, shape: ShapeLike) -> Tensor:
    """Broadcast an array to a shape.

    Args:
        array: a tensor, or what converts to one.
        shape: the shape of the result: a list of sizes, or a tensor of them.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cbrt(x: TensorLike) -> Tensor:
    """Return the cube root, also of negative numbers.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ceil(x: TensorLike) -> Tensor:
    """Return the smallest integer that is not below x, in the dtype of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def clip(a: TensorLike, a_min: Any, a_max: Any) -> Tensor:
    """Clip a to bounds, of which one may be None.

    Args:
        a: a tensor, or what converts to one.
        a_min: the lower bound, or None.
        a_max: the upper bound, or None.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a`, `a_min` and `a_max` do not fit
            together.
        tf.errors.UnimplementedError if `a`, `a_min` or `a_max` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def compress(condition: TensorLike, a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return the slices along an axis where a vector of conditions holds; missing conditions are
    false.

    Args:
        condition: truth values: where to take x.
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def concatenate(arys: Any, axis: AxisLike = 0) -> Tensor:
    """Concatenate tensors along an axis.

    Args:
        arys: tensors, or what converts to them.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def conj(x: TensorLike) -> Tensor:
    """Return the complex conjugate.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` has a dtype that it does not take.
    """

def conjugate(x: TensorLike) -> Tensor:
    """Return the complex conjugate.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` has a dtype that it does not take.
    """

def copy(a: TensorLike) -> Tensor:
    """Return the same values.

    Args:
        a: a tensor, or what converts to one.

    Raises:
        TypeError if `a` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cos(x: TensorLike) -> Tensor:
    """Return the cosine of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cosh(x: TensorLike) -> Tensor:
    """Return the hyperbolic cosine of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def count_nonzero(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Return how many elements are not 0.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def cross(
    a: TensorLike,
    b: TensorLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: AxisLike = None,
) -> Tensor:
    """Return the cross product of vectors in three dimensions; in two, its third component.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        axisa: the axis of a that has the vectors.
        axisb: the axis of b that has the vectors.
        axisc: the axis of the result that has the vectors.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` or `b` does not fit, or `axis` is out of
            range.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cumprod(a: TensorLike, axis: AxisLike = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return running products along an axis, or of the flattened a.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def cumsum(a: TensorLike, axis: AxisLike = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return running sums along an axis, or of the flattened a.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def deg2rad(x: TensorLike) -> Tensor:
    """Convert degrees to radians.

    Args:
        x: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def diag(v: Any, k: IntLike | Sequence[Any] = 0) -> Tensor:
    """Return the matrix with a vector on its diagonal k, or the diagonal k of a matrix.

    Args:
        v: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).

    Raises:
        ValueError if the shape of `v` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def diag_indices(n: Any, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the indices of a diagonal: `ndim` times the numbers below n.

    Args:
        n: how many; for differences, how often.
        ndim: the number of axes.

    Raises:
        ValueError if `n` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def diagflat(v: Any, k: IntLike | Sequence[Any] = 0) -> Tensor:
    """Return the matrix with all elements of v on its diagonal k.

    Args:
        v: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).

    Raises:
        TypeError if `v` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def diagonal(a: TensorLike, offset: IntLike = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the elements whose indices on two axes are equal (differ by `offset`), as a last
    axis.

    Args:
        a: a tensor, or what converts to one.
        offset: what is added afterwards.
        axis1: the one axis.
        axis2: the other axis.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def diff(a: TensorLike, n: IntLike = 1, axis: AxisLike = -1) -> Tensor:
    """Return the differences of neighbors along an axis, taken n times.

    Args:
        a: a tensor, or what converts to one.
        n: how many; for differences, how often.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        ValueError if the shape of `a` does not fit, `axis` is out of range, or `n` is negative.
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 / x2; integers become floats.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def divmod(x1: TensorLike, x2: TensorLike) -> tuple[Tensor, Tensor]:
    """Return (x1 // x2, x1 % x2).

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.
    """

def dot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products over the last axis of x1 and the last but one (or only) of x2.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a` and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def dsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 2.

    Args:
        ary: a tensor, or what converts to one.
        indices_or_sections: how many equal parts, or where to cut.

    Returns:
        A list of tensors.

    Raises:
        ValueError if the shape of `ary` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def dstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the third axis.

    Args:
        tup: tensors.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ outside of the axis.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

e: float
def einsum(subscripts: Any, *operands: Any, **kwargs: Any) -> Tensor:
    """Return the sum of products that an equation describes.

    Args:
        subscripts: letters for the axes, as in "ij,jk->ik".
        *operands: the tensors.
        **kwargs: keyword arguments.

    Raises:
        ValueError if `operands` has a dtype that it does not take, the shape of `operands` does not
            fit, or `subscripts` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def empty(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return zeros: a tensor always has values.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
    """

def empty_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros with the shape of a.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

def equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether x and y are equal, element by element.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def exp(x: TensorLike) -> Tensor:
    """Return e to the power x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def exp2(x: TensorLike) -> Tensor:
    """Return 2 to the power x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def expand_dims(a: TensorLike, axis: AxisLike) -> Tensor:
    """Insert an axis of size 1.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def experimental_enable_numpy_behavior(
    prefer_float32: bool = False,
    dtype_conversion_mode: str = 'legacy',
) -> None:
    """Give tensors NumPy's methods (`T`, `reshape` …), promotion of dtypes, and indexing.

    It holds for the rest of the process.

    Args:
        prefer_float32: whether Python's numbers become float32 rather than float64.
        dtype_conversion_mode: which rules combine dtypes: "legacy", "all" or "safe".

    Returns:
        Nothing.

    Raises:
        NotImplementedError if `dtype_conversion_mode` is another than `"legacy"`.
    """

def expm1(x: TensorLike) -> Tensor:
    """Return exp(x) - 1, exact also where x is close to 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def eye(
    N: IntLike,
    M: IntLike | None = None,
    k: IntLike | Sequence[Any] = 0,
    dtype: DTypeLike = ...,
) -> Tensor:
    """Return ones on the diagonal k of a matrix, zeros elsewhere.

    Args:
        N: the number of rows.
        M: the number of columns.
        k: how many to take; for diagonals, which one (0 is the main one).
        dtype: the dtype of the result.

    Raises:
        ValueError if a size is negative.
    """

def fabs(x: TensorLike) -> Tensor:
    """Return the magnitude.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def finfo(dtype: DTypeLike) -> Any:
    """Return the limits of a floating dtype.

    Args:
        dtype: the dtype of the result.

    Raises:
        ValueError if the dtype is not a floating one.
    """

def fix(x: TensorLike) -> Tensor:
    """Truncate x toward 0.

    Args:
        x: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def flatten(a: TensorLike, order: str = 'C') -> Tensor:
    """Flatten a; in column-major order if `order` is F.

    Args:
        a: a tensor, or what converts to one.
        order: the order of the elements, as in NumPy.

    Returns:
        A tensor.

    Raises:
        ValueError if `order` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def flip(m: TensorLike, axis: AxisLike = None) -> Tensor:
    """Reverse m along an axis (all, if None).

    Args:
        m: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `m` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fliplr(m: TensorLike) -> Tensor:
    """Reverse m along its second axis.

    Args:
        m: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `m` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def flipud(m: TensorLike) -> Tensor:
    """Reverse m along its first axis.

    Args:
        m: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `m` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def float_power(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 to the power x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def floor(x: TensorLike) -> Tensor:
    """Return the largest integer that is not above x, in the dtype of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def floor_divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the largest integer not above x1 / x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x2` does not fit, or the shapes of `x1` and
            `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.
    """

def full(shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor filled with one value, or with a value that broadcasts.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        fill_value: the number to fill with.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def full_like(
    a: TensorLike,
    fill_value: TensorLike,
    dtype: DTypeLike | None = None,
    order: str = 'K',
    subok: bool = True,
    shape: ShapeLike = None,
) -> Tensor:
    """Return a tensor with the shape of a, filled with one value.

    Args:
        a: a tensor, or what converts to one.
        fill_value: the number to fill with.
        dtype: the dtype of the result.
        order: the order of the elements, as in NumPy.
        subok: must be True.
        shape: the shape of the result: a list of sizes, or a tensor of them.

    Raises:
        ValueError if `order` is not a known one.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.
    """

def gcd(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the greatest common divisor of integers.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        ValueError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def geomspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return numbers in equal ratios from start to stop, which have one sign.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        stop: the last number.
        num: how many numbers; for unstack and split, how many parts.
        endpoint: whether the last number is included.
        dtype: the dtype of the result.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.
    """

def greater(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 > x2; true is greater than false.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def greater_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 >= x2; true is greater than false.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def heaviside(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return 0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def hsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 1.

    Args:
        ary: a tensor, or what converts to one.
        indices_or_sections: how many equal parts, or where to cut.

    Returns:
        A list of tensors.

    Raises:
        ValueError if the shape of `ary` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def hstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the second axis, or the only one.

    Args:
        tup: tensors.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ outside of the axis.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def hypot(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return √(x1² + x2²).

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def identity(n: Any, dtype: DTypeLike = ...) -> Tensor:
    """Return the identity matrix.

    Args:
        n: how many; for differences, how often.
        dtype: the dtype of the result.

    Raises:
        ValueError if `n` is negative.
    """

def imag(val: Any) -> Tensor:
    """Return the imaginary part: 0 for real numbers.

    Args:
        val: a tensor, or what converts to one.

    Raises:
        TypeError if `val` has a dtype that it does not take.
    """

inf: float
def inner(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products over the last axes.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a` and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def isclose(
    a: TensorLike,
    b: TensorLike,
    rtol: TensorLike = 1e-05,
    atol: TensorLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Return whether |a - b| <= atol + rtol |b|; of integers, whether they are equal.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        rtol: the relative difference that is allowed.
        atol: the absolute difference that is allowed.
        equal_nan: whether nan equals nan.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a` and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def iscomplex(x: TensorLike) -> Tensor:
    """Return whether the imaginary part is not 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def iscomplexobj(x: TensorLike) -> bool:
    """Return whether the dtype is complex.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.
    """

def isfinite(x: TensorLike) -> Tensor:
    """Return whether elements are finite.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isinf(x: TensorLike) -> Any:
    """Return whether elements are infinite.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isnan(x: TensorLike) -> Tensor:
    """Return whether elements are nan.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isneginf(x: TensorLike) -> Any:
    """Return whether elements are negative infinity.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isposinf(x: TensorLike) -> Any:
    """Return whether elements are positive infinity.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isreal(x: TensorLike) -> Tensor:
    """Return whether the imaginary part is 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def isrealobj(x: TensorLike) -> bool:
    """Return whether the dtype is not complex.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.
    """

def isscalar(num: object) -> bool:
    """Return whether a value is a scalar.

    Args:
        num: how many numbers; for unstack and split, how many parts.

    Raises:
        TypeError if `num` cannot be converted to a tensor.
    """

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
    """Return vectors of indices, shaped so that together they select a grid.

    Args:
        *args: positional arguments.

    Raises:
        ValueError if an argument is no vector.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def kron(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the Kronecker product.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def lcm(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the least common multiple of integers.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        ValueError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def less(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 < x2; false is less than true.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def less_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 <= x2; false is less than true.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = ...,
    axis: AxisLike = 0,
) -> Any:
    """Return `num` numbers in equal steps from start to stop; with the step too, if `retstep`.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        stop: the last number.
        num: how many numbers; for unstack and split, how many parts.
        endpoint: whether the last number is included.
        retstep: whether to return the step, too.
        dtype: the dtype of the result.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        ValueError if `num` is negative.
        tf.errors.InvalidArgumentError if the shapes of `start` and `stop` do not fit together, or
            `axis` is out of range.
        tf.errors.UnimplementedError if `start` or `stop` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log(x: TensorLike) -> Tensor:
    """Return the natural logarithm of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log10(x: TensorLike) -> Tensor:
    """Return the logarithm to base 10.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log1p(x: TensorLike) -> Tensor:
    """Return log(1 + x), exact also where x is close to 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log2(x: TensorLike) -> Tensor:
    """Return the logarithm to base 2.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def logaddexp(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return log(exp(x1) + exp(x2)), without overflow.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def logaddexp2(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return log2(2**x1 + 2**x2), without overflow.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def logical_and(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether both elements are not 0.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def logical_not(x: TensorLike) -> Tensor:
    """Return whether each element is 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def logical_or(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether at least one of the elements is not 0.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def logical_xor(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether exactly one of the elements is not 0.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def logspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike = 50,
    endpoint: bool = True,
    base: TensorLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return the powers of a base with exponents in equal steps.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        stop: the last number.
        num: how many numbers; for unstack and split, how many parts.
        endpoint: whether the last number is included.
        base: the base of the powers.
        dtype: the dtype of the result.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        ValueError if `num` is negative.
        tf.errors.InvalidArgumentError if `axis` is out of range.
        tf.errors.UnimplementedError if `start` or `stop` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def matmul(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the matrix product over the last two axes; vectors are rows on the left, columns
    right.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        ValueError if the shape of `x1` or `x2` does not fit, or the shapes of `x1` and `x2` do not
            fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def max(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the largest element over axes.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def maximum(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the larger of x1 and x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def mean(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the mean over axes; of integers as floats.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        out: must be None: results are new tensors.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def meshgrid(*xi: Any, **kwargs: Any) -> list[Tensor]:
    """Return the coordinates of a grid, a tensor for each axis.

    Args:
        *xi: vectors.
        **kwargs: keyword arguments.

    Raises:
        ValueError if `indexing` is neither 'xy' nor 'ij'.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def min(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the smallest element over axes.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def minimum(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the smaller of x1 and x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def mod(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the remainder of x1 / x2, with the sign of x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x2` does not fit, or the shapes of `x1` and
            `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.
    """

def moveaxis(a: TensorLike, source: Any, destination: Any) -> Tensor:
    """Move axes of a to other positions.

    Args:
        a: a tensor, or what converts to one.
        source: the axes to move.
        destination: where they go.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def multiply(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 · x2; of booleans, the logical and.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def nanmean(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the mean of the elements that are not nan.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def nanprod(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the product of the elements that are not nan.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def nansum(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the sum of the elements that are not nan.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ndim(a: TensorLike) -> int:
    """Return the number of axes.

    Args:
        a: a tensor, or what converts to one.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

def negative(x: TensorLike) -> Tensor:
    """Return -x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

newaxis: None
def nextafter(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the next number of the dtype from x1 toward x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.
    """

def nonzero(a: TensorLike) -> tuple[Tensor, ...]:
    """Return, for each axis, the indices of the elements that are not 0.

    Args:
        a: a tensor, or what converts to one.

    Returns:
        A tuple of tensors.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def not_equal(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return whether x and y differ, element by element.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def ones(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return ones.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
    """

def ones_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return ones with the shape of a.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` has a dtype that it does not take.
    """

def outer(a: TensorLike, b: TensorLike) -> Tensor:
    """Return all products of an element of x1 and one of x2, as a matrix.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def pad(array: TensorLike, pad_width: Any, mode: str, **kwargs: Any) -> Tensor:
    """Pad an array: with a constant, or the array mirrored.

    Args:
        array: a tensor, or what converts to one.
        pad_width: for each axis, how many elements to add before and behind.
        mode: how indices outside (or padding) are treated, as in NumPy.
        **kwargs: keyword arguments.

    Returns:
        A tensor.

    Raises:
        ValueError if `mode` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `array` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

pi: float
def polyval(p: Any, x: TensorLike) -> Tensor:
    """Evaluate the polynomial with the coefficients p, highest power first, at x.

    Args:
        p: the coefficients, that of the highest power first.
        x: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `p` or `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def positive(x: TensorLike) -> Tensor:
    """Return +x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        TypeError if `x` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def power(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 to the power x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def prod(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the product over axes; of integers in 64 bits.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def promote_types(type1: DTypeLike, type2: DTypeLike) -> np.dtype:
    """Return the smallest NumPy dtype that both can be converted to.

    Args:
        type1: a dtype.
        type2: a dtype.

    Raises:
        TypeError if `type1` or `type2` has a type that it does not take.
    """

def ptp(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the difference of the largest and the smallest element.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rad2deg(x: TensorLike) -> Tensor:
    """Convert radians to degrees.

    Args:
        x: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ravel(a: TensorLike) -> Tensor:
    """Flatten a.

    Args:
        a: a tensor, or what converts to one.

    Returns:
        A tensor.

    Raises:
        TypeError if `a` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def real(val: Any) -> Tensor:
    """Return the real part.

    Args:
        val: a tensor, or what converts to one.

    Raises:
        TypeError if `val` has a dtype that it does not take.
    """

def reciprocal(x: TensorLike) -> Tensor:
    """Return 1 / x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def remainder(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the remainder of x1 / x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x2` does not fit, or the shapes of `x1` and
            `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.
    """

def repeat(a: TensorLike, repeats: TensorLike, axis: AxisLike = None) -> Tensor:
    """Repeat each element (slice along an axis); of the flattened tensor if no axis is given.

    Args:
        a: a tensor, or what converts to one.
        repeats: how often to repeat each element.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def reshape(a: TensorLike, newshape: ShapeLike, order: str = 'C') -> Tensor:
    """Reshape a; in column-major order if `order` is F.

    Args:
        a: a tensor, or what converts to one.
        newshape: the new shape.
        order: the order of the elements, as in NumPy.

    Returns:
        A tensor.

    Raises:
        ValueError if `order` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the common dtype of tensors, numbers and dtypes, by NumPy's promotion rules.

    Args:
        *arrays_and_dtypes: tensors and dtypes.

    Raises:
        TypeError if `arrays_and_dtypes` cannot be converted to a tensor.
    """

def roll(a: TensorLike, shift: Any, axis: AxisLike = None) -> Tensor:
    """Roll a along axes, or flattened: elements beyond the end wrap around.

    Args:
        a: a tensor, or what converts to one.
        shift: how far to move; for moments, has no effect.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rot90(m: TensorLike, k: IntLike | Sequence[Any] = 1, axes: AxisLike = ...) -> Tensor:
    """Rotate m k times by a right angle, in the plane of two axes.

    Args:
        m: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        axes: the axes, negative ones counted from the last.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `m` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def round(a: TensorLike, decimals: IntLike = 0) -> Tensor:
    """Round a to a number of decimals.

    Args:
        a: a tensor, or what converts to one.
        decimals: how many digits behind the point.

    Returns:
        A tensor.

    Raises:
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.
    """

def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: IntLike = 0) -> Any:
    """Return the choice whose condition is the first to hold, else the default.

    Args:
        condlist: the conditions.
        choicelist: what to take where they hold.
        default: what to take otherwise.

    Raises:
        ValueError if there are not as many conditions as choices.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def shape(a: TensorLike) -> Any:
    """Return the sizes of the axes.

    Args:
        a: a tensor, or what converts to one.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

def sign(x: TensorLike, out: Any = None, where: Any = None, **kwargs: Any) -> Tensor:
    """Return -1, 0 or 1; for complex numbers x / |x|.

    Args:
        x: a tensor, or what converts to one.
        out: must be None: results are new tensors.
        where: must be None.
        **kwargs: keyword arguments.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def signbit(x: TensorLike) -> Tensor:
    """Return whether x is less than 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def sin(x: TensorLike) -> Tensor:
    """Return the sine of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sinc(x: TensorLike) -> Tensor:
    """Return sin(πx) / (πx), and its limit 1 at 0.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sinh(x: TensorLike) -> Tensor:
    """Return the hyperbolic sine of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def size(x: TensorLike, axis: AxisLike = None) -> Any:
    """Return the number of elements.

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        TypeError if `x` cannot be converted to a tensor.
    """

def sort(a: TensorLike, axis: AxisLike = -1, kind: str = 'quicksort', order: Any = None) -> Tensor:
    """Sort the elements along an axis.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        kind: "quicksort" or "stable".
        order: the order of the elements, as in NumPy.

    Returns:
        A tensor.

    Raises:
        ValueError if `kind` is not a known one.
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def split(ary: TensorLike, indices_or_sections: Any, axis: AxisLike = 0) -> Any:
    """Split into so many equal parts, or at these indices.

    Args:
        ary: a tensor, or what converts to one.
        indices_or_sections: how many equal parts, or where to cut.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A list of tensors.

    Raises:
        TypeError if `ary` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sqrt(x: TensorLike) -> Tensor:
    """Return the square root of x.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def square(x: TensorLike) -> Tensor:
    """Return x².

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def squeeze(a: TensorLike, axis: AxisLike = None) -> Tensor:
    """Remove axes of size 1: all, or those given.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def stack(arrays: Sequence[Any], axis: AxisLike = 0) -> Tensor:
    """Stack tensors of one shape along a new axis; the rows of a tensor if it is one.

    Args:
        arrays: tensors.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `arrays` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def std(a: TensorLike, axis: AxisLike = None, keepdims: bool | None = None) -> Tensor:
    """Return the standard deviation over axes.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.
        tf.errors.UnimplementedError if `a` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def subtract(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 - x2.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sum(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the sum over axes; of integers in 64 bits.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, the shape of `a`
            does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def swapaxes(a: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Swap two axes of a.

    Args:
        a: a tensor, or what converts to one.
        axis1: the one axis.
        axis2: the other axis.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def take(
    a: TensorLike,
    indices: TensorLike,
    axis: AxisLike = None,
    out: Any = None,
    mode: str = 'clip',
) -> Tensor:
    """Return the slices along an axis at indices, which are clipped (or wrapped) to the axis.

    Args:
        a: a tensor, or what converts to one.
        indices: indices, as integers.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        out: must be None: results are new tensors.
        mode: how indices outside (or padding) are treated, as in NumPy.

    Raises:
        ValueError if `mode` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def take_along_axis(arr: TensorLike, indices: TensorLike, axis: AxisLike) -> Tensor:
    """Return arr at indices that differ along the other axes too.

    Args:
        arr: a tensor, or what converts to one.
        indices: indices, as integers.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `arr` or `indices` does not fit, the shapes
            of `arr` and `indices` do not fit together, `axis` is out of range, or `indices` has an
            index that is out of range.
        tf.errors.UnimplementedError if `indices` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tan(x: TensorLike) -> Tensor:
    """Return the tangent of x, an angle in radians.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tanh(x: TensorLike) -> Tensor:
    """Return the hyperbolic tangent of x, between -1 and 1.

    Args:
        x: a tensor, or what converts to one.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tensordot(a: TensorLike, b: TensorLike, axes: AxisLike = 2) -> Tensor:
    """Return the sum of products over some axes of a and as many of b.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `a` and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tile(a: TensorLike, reps: ShapeLike) -> Tensor:
    """Repeat a as a block.

    Args:
        a: a tensor, or what converts to one.
        reps: how often to repeat along each axis.

    Returns:
        A tensor.

    Raises:
        TypeError if `a` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def trace(
    a: TensorLike,
    offset: IntLike = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return the sum of a diagonal.

    Args:
        a: a tensor, or what converts to one.
        offset: what is added afterwards.
        axis1: the one axis.
        axis2: the other axis.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` has a dtype that it does not take, or the shape of `a`
            does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def transpose(a: TensorLike, axes: AxisLike = None) -> Tensor:
    """Permute the axes of a; reverse them if no order is given.

    Args:
        a: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tri(
    N: IntLike,
    M: IntLike | None = None,
    k: IntLike | Sequence[Any] = 0,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return ones on and below the diagonal k of a matrix, zeros above.

    Args:
        N: the number of rows.
        M: the number of columns.
        k: how many to take; for diagonals, which one (0 is the main one).
        dtype: the dtype of the result.

    Raises:
        TypeError if `N`, `M`, `k` or `dtype` has a type that it does not take.
    """

def tril(m: TensorLike, k: IntLike | Sequence[Any] = 0) -> Tensor:
    """Return x with zeros above the diagonal k of its last two axes.

    Args:
        m: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).

    Raises:
        ValueError if the shape of `m` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def triu(m: TensorLike, k: IntLike | Sequence[Any] = 0) -> Tensor:
    """Return x with zeros below the diagonal k of its last two axes.

    Args:
        m: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).

    Raises:
        ValueError if the shape of `m` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def true_divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return x1 / x2; integers become floats.

    Args:
        x1: a tensor, or what converts to one.
        x2: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `x1` and `x2` do not fit together.
        tf.errors.UnimplementedError if `x1` or `x2` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def vander(x: TensorLike, N: IntLike | None = None, increasing: bool = False) -> Tensor:
    """Return the powers of each element, from N - 1 down to 0 (or up from 0), as rows.

    Args:
        x: a tensor, or what converts to one.
        N: the number of rows.
        increasing: whether the powers rise.

    Raises:
        TypeError if `x` has a dtype that it does not take.
        ValueError if the shape of `x` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def var(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Any = None,
    ddof: IntLike = 0,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the variance over axes; divided by the number of elements less ddof.

    Args:
        a: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        out: must be None: results are new tensors.
        ddof: what is subtracted from the number of elements.
        keepdims: whether reduced axes stay, with size 1.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def vdot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sum of products of all elements; those of x1 conjugated.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` or `b` does not fit, or the shapes of `a`
            and `b` do not fit together.
        tf.errors.UnimplementedError if `a` or `b` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def vsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along axis 0.

    Args:
        ary: a tensor, or what converts to one.
        indices_or_sections: how many equal parts, or where to cut.

    Returns:
        A list of tensors.

    Raises:
        ValueError if the shape of `ary` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def vstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate tensors along the first axis, vectors as rows.

    Args:
        tup: tensors.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ outside of the axis.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None) -> Any:
    """Return x where the condition is not 0, else y; without both, the indices where it is not.

    Args:
        condition: truth values: where to take x.
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `condition`, `x` and `y` do not fit
            together.
        tf.errors.UnimplementedError if `condition`, `x` or `y` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def zeros(shape: ShapeLike, dtype: DTypeLike = ...) -> Tensor:
    """Return zeros.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
    """

def zeros_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros with the shape of a.

    Args:
        a: a tensor, or what converts to one.
        dtype: the dtype of the result.

    Raises:
        TypeError if `a` cannot be converted to a tensor.
    """

bool_ = _bool
complex_ = _complex128
float_ = _float64
int_ = _int64
ndarray = _Tensor
string_ = _bytes_
unicode_ = _str_
