# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextlib import nullcontext
from gradtape import __internal__ as __internal__
from gradtape import audio as audio
from gradtape import autodiff as autodiff
from gradtape import autograph as autograph
from gradtape import bitwise as bitwise
from gradtape import compat as compat
from gradtape import config as config
from gradtape import data as data
from gradtape import debugging as debugging
from gradtape import distribute as distribute
from gradtape import dtypes as dtypes
from gradtape import errors as errors
from gradtape import experimental as experimental
from gradtape import export as export
from gradtape import functional as functional
from gradtape import graph as graph
from gradtape import health as health
from gradtape import image as image
from gradtape import io as io
from gradtape import linalg as linalg
from gradtape import lookup as lookup
from gradtape import math as math
from gradtape import nest as nest
from gradtape import nn as nn
from gradtape import profiler as profiler
from gradtape import quantization as quantization
from gradtape import ragged as ragged
from gradtape import random as random
from gradtape import raw_ops as raw_ops
from gradtape import saved_model as saved_model
from gradtape import sets as sets
from gradtape import signal as signal
from gradtape import sparse as sparse
from gradtape import strings as strings
from gradtape import summary as summary
from gradtape import test as test
from gradtape import tpu as tpu
from gradtape import train as train
from gradtape import types as types
from gradtape import version as version
from gradtape import xla as xla
from gradtape.api.array.initializers import ConstantInitializer as _ConstantInitializer
from gradtape.api.array.initializers import OnesInitializer as _OnesInitializer
from gradtape.api.array.initializers import ZerosInitializer as _ZerosInitializer
from gradtape.api.array.tensor_array import TensorArray as TensorArray
from gradtape.api.array.tensor_array import TensorArraySpec as TensorArraySpec
from gradtape.api.compat.names import RegisterGradient as RegisterGradient
from gradtape.api.compat.scopes import AggregationMethod as AggregationMethod
from gradtape.api.compat.scopes import CriticalSection as CriticalSection
from gradtape.api.compat.scopes import name_scope as name_scope
from gradtape.api.config.device_spec import DeviceSpec as DeviceSpec
from gradtape.api.function.function import Function
from gradtape.api.math.order import ApproxTopK
from gradtape.api.math.order import Unique
from gradtape.api.math.order import UniqueWithCounts
from gradtape.api.modules import Module as Module
from gradtape.api.ragged.spec import RaggedTensorSpec as RaggedTensorSpec
from gradtape.api.ragged.tensor import RaggedTensor as RaggedTensor
from gradtape.api.random.initializers import RandomNormalInitializer as _RandomNormalInitializer
from gradtape.api.random.initializers import RandomUniformInitializer as _RandomUniformInitializer
from gradtape.api.sparse.tensor import SparseTensor as SparseTensor
from gradtape.api.sparse.tensor import SparseTensorSpec as SparseTensorSpec
from gradtape.api.specs import IndexedSlicesSpec as IndexedSlicesSpec
from gradtape.api.specs import NoneTensorSpec as NoneTensorSpec
from gradtape.api.specs import TensorSpec as TensorSpec
from gradtape.api.specs import TypeSpec as TypeSpec
from gradtape.core.dtypes import DType as DType
from gradtape.core.scope import VariableAggregation as VariableAggregation
from gradtape.core.scope import VariableSynchronization as VariableSynchronization
from gradtape.core.shape import TensorShape as TensorShape
from gradtape.core.tensor import Tensor as Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.data.specs import OptionalSpec as OptionalSpec
from gradtape.debugging import assert_equal as assert_equal
from gradtape.debugging import assert_greater as assert_greater
from gradtape.debugging import assert_less as assert_less
from gradtape.debugging import assert_rank as assert_rank
from gradtape.engine.indexed_slices import IndexedSlices as IndexedSlices
from gradtape.engine.tape import GradientTape as GradientTape
from gradtape.engine.tape import UnconnectedGradients as UnconnectedGradients
from gradtape.engine.variable import Variable as Variable
from gradtape.explain.transfers import Transfers
from gradtape.explain.watchdog import NonFiniteError as NonFiniteError
from gradtape.explain.why_none import NoGradientWarning as NoGradientWarning
from gradtape.formats.tensor_message import TensorProto
from gradtape.linalg import eig as eig
from gradtape.linalg import eigvals as eigvals
from gradtape.linalg import sqrtm as _sqrtm
from gradtape.math import abs as abs
from gradtape.math import acos as acos
from gradtape.math import acosh as acosh
from gradtape.math import add as add
from gradtape.math import add_n as add_n
from gradtape.math import argmax as argmax
from gradtape.math import argmin as argmin
from gradtape.math import asin as asin
from gradtape.math import asinh as asinh
from gradtape.math import atan as atan
from gradtape.math import atan2 as atan2
from gradtape.math import atanh as atanh
from gradtape.math import cos as cos
from gradtape.math import cosh as cosh
from gradtape.math import cumsum as cumsum
from gradtape.math import equal as equal
from gradtape.math import exp as exp
from gradtape.math import floor as floor
from gradtape.math import greater as greater
from gradtape.math import greater_equal as greater_equal
from gradtape.math import less as less
from gradtape.math import less_equal as less_equal
from gradtape.math import logical_and as logical_and
from gradtape.math import logical_not as logical_not
from gradtape.math import logical_or as logical_or
from gradtape.math import maximum as maximum
from gradtape.math import minimum as minimum
from gradtape.math import multiply as multiply
from gradtape.math import negative as negative
from gradtape.math import not_equal as not_equal
from gradtape.math import pow as pow
from gradtape.math import reduce_all as reduce_all
from gradtape.math import reduce_any as reduce_any
from gradtape.math import reduce_logsumexp as reduce_logsumexp
from gradtape.math import reduce_max as reduce_max
from gradtape.math import reduce_mean as reduce_mean
from gradtape.math import reduce_min as reduce_min
from gradtape.math import reduce_prod as reduce_prod
from gradtape.math import reduce_sum as reduce_sum
from gradtape.math import round as round
from gradtape.math import scalar_mul as scalar_mul
from gradtape.math import sigmoid as sigmoid
from gradtape.math import sign as sign
from gradtape.math import sin as sin
from gradtape.math import sinh as sinh
from gradtape.math import sqrt as sqrt
from gradtape.math import square as square
from gradtape.math import subtract as subtract
from gradtape.math import tan as tan
from gradtape.math import tanh as tanh
from gradtape.math import truediv as _truediv
from gradtape.math import truediv as truediv
from typing import Any
from typing import Concatenate
from typing import Generic
from typing import ParamSpec
from typing import Self
from typing import TypeVar
from typing import overload
import builtins as _builtins
import contextlib
import logging
import numpy as np

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R")
import keras as keras
from keras import initializers as initializers
from keras import losses as losses
from keras import metrics as metrics
from keras import optimizers as optimizers

__version__: str
newaxis: None

def load_ipython_extension(ipython: Any) -> None:
    """Make gradtape the TensorFlow of a notebook: `%load_ext gradtape`."""

def Assert(
    condition: TensorLike,
    data: TensorLike,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError that shows `data`, unless the condition holds.

    Args:
        condition: what must be true.
        data: a tensor, or what converts to one.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if the condition does not hold.
    """

def approx_top_k(
    input: TensorLike,
    k: IntLike | Sequence[Any],
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    is_max_k: _builtins.bool = True,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: _builtins.bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k largest (smallest) elements along an axis, exactly.

    Args:
        input: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        reduction_dimension: the axis to reduce.
        recall_target: has no effect: the results are exact.
        is_max_k: whether to take the largest ones.
        reduction_input_size_override: has no effect; there for compatibility.
        aggregate_to_topk: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `k` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def argsort(
    values: Any,
    axis: AxisLike = -1,
    direction: str = 'ASCENDING',
    stable: _builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the indices that sort the values; the sort is stable.

    Args:
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        direction: "ASCENDING" or "DESCENDING".
        stable: has no effect: sorting is always stable.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `direction` is not a known one.
        tf.errors.InvalidArgumentError if `values` has a dtype that it does not take, the shape of
            `values` does not fit, or `axis` is out of range.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.argsort(tf.constant([30, 10, 20])).numpy()
        array([1, 2, 0], dtype=int32)
    """

def as_dtype(type_value: Any) -> DType:
    """Convert a DType, a NumPy dtype or scalar type, a Python type, or a name to a `DType`.

    Args:
        type_value: what stands for a dtype: a `tf.DType`, NumPy's, a name.

    Returns:
        A dtype.

    Raises:
        TypeError if `type_value` is not a known one.
    """

def as_string(
    input: TensorLike,
    precision: IntLike = -1,
    scientific: _builtins.bool = False,
    shortest: _builtins.bool = False,
    width: IntLike = -1,
    fill: str = '',
    name: str | None = None,
) -> Tensor:
    """Return numbers written as strings, as C's printf does.

    Args:
        input: a tensor, or what converts to one.
        precision: how many digits behind the point.
        scientific: whether to write powers of ten.
        shortest: whether to write as few characters as possible.
        width: the least number of characters.
        fill: the character to fill with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `fill` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.strings.as_string([1, 2]).numpy()
        array([b'1', b'2'], dtype=object)
    """

def batch_to_space(
    input: TensorLike,
    block_shape: ShapeLike,
    crops: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `space_to_batch`.

    Args:
        input: a tensor, or what converts to one.
        block_shape: the size of a block along each spatial axis.
        crops: how much to cut off along each spatial axis, before and behind.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

bfloat16: DType
def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor:
    """Return the bits of a tensor, read as another dtype.

    Args:
        input: a tensor, or what converts to one.
        type: the dtype to read the bits as.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.
    """

bool: DType
def boolean_mask(
    tensor: TensorLike,
    mask: TensorLike,
    axis: AxisLike = None,
    name: str = 'boolean_mask',
) -> Tensor:
    """Return the slices where the mask holds.

    Args:
        tensor: a tensor, or what converts to one.
        mask: truth values: which elements to keep.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `mask` does not fit.
        tf.errors.InvalidArgumentError if the shape of `tensor` does not fit, the shapes of `tensor`
            and `mask` do not fit together, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.boolean_mask(tf.constant([1, 2, 3]), [True, False, True]).numpy()
        array([1, 3], dtype=int32)
    """

def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """Return the shape, as a tensor, that two shapes broadcast to.

    Args:
        shape_x: the one shape.
        shape_y: the other shape.

    Raises:
        tf.errors.InvalidArgumentError if `shape_x` or `shape_y` has a dtype that it does not take,
            the shape of `shape_y` does not fit, or the shapes of `shape_x` and `shape_y` do not fit
            together.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the shape that two known shapes broadcast to.

    Args:
        shape_x: the one shape.
        shape_y: the other shape.

    Raises:
        ValueError if the shapes do not broadcast.
    """

def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Broadcast a tensor to a shape.

    Args:
        input: a tensor, or what converts to one.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.broadcast_to(tf.constant([1, 2]), (2, 2)).numpy()
        array([[1, 2],
               [1, 2]], dtype=int32)
    """

def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: _builtins.bool = False,
    strict: _builtins.bool = False,
    name: str = 'case',
) -> Any:
    """Return the result of the first function whose condition holds, else of `default`.

    Args:
        pred_fn_pairs: pairs of a truth value and a function.
        default: what to take otherwise.
        exclusive: whether only one of the truth values may be true; for cumulative functions,
            whether an element leaves out itself.
        strict: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if a pair is not a condition and a function.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> x = tf.constant(3)
        >>> tf.case([(x > 5, lambda: "large"), (x > 1, lambda: "middle")], default=lambda: "small")
        'middle'
    """

def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Return x with its elements converted to `dtype`.

    Args:
        x: a tensor, or what converts to one.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if there is no such conversion.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.cast(tf.constant([1.7, -1.7]), tf.int32).numpy()
        array([ 1, -1], dtype=int32)
    """

def check_pinned(tensor: TensorLike, name: str | None = None) -> Any:
    """Return the tensor: memory is the CPU's.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.
    """

def clip_by_global_norm(
    t_list: Any,
    clip_norm: TensorLike,
    use_norm: Any = None,
    name: str | None = None,
) -> _builtins.tuple[list[Any], Tensor]:
    """Return the tensors scaled so that their norm together is at most clip_norm, and that norm.

    If the norm is not finite, all results are nan.

    Args:
        t_list: a list of tensors; None among them is left out.
        clip_norm: the largest norm allowed.
        use_norm: the global norm, if it is already known.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The list of scaled tensors, and the norm that they had together.

    Raises:
        TypeError if `use_norm` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> clipped, norm = tf.clip_by_global_norm([tf.constant([3.0]), tf.constant([4.0])], 1.0)
        >>> float(norm)
        5.0
    """

def clip_by_norm(
    t: TensorLike,
    clip_norm: TensorLike,
    axes: AxisLike = None,
    name: str | None = None,
) -> Tensor:
    """Return t scaled so that its Euclidean norm (along `axes`) is at most clip_norm.

    Args:
        t: a tensor, or what converts to one.
        clip_norm: the largest norm allowed.
        axes: the axes, negative ones counted from the last.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `t` has a dtype that it does not take, the shape of `t`
            does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.clip_by_norm(tf.constant([3.0, 4.0]), 1.0).numpy()
        array([0.6, 0.8], dtype=float32)
    """

def clip_by_value(
    t: TensorLike,
    clip_value_min: TensorLike,
    clip_value_max: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Clip t to two bounds; at a bound, the gradient goes to t.

    Args:
        t: a tensor, or what converts to one.
        clip_value_min: the smallest value allowed.
        clip_value_max: the largest value allowed.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast to that of t.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.clip_by_value(tf.constant([-2.0, 0.5, 9.0]), 0.0, 1.0).numpy()
        array([0. , 0.5, 1. ], dtype=float32)
    """

def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Return complex numbers with these real and imaginary parts.

    Args:
        real: the real parts.
        imag: the imaginary parts.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `real` or `imag` has a dtype that it does not take, the
            dtypes of `real` and `imag` differ, or the shapes of `real` and `imag` do not fit
            together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.complex(1.0, 2.0).numpy()
        np.complex64(1+2j)
    """

complex128: DType
complex64: DType
def concat(values: Any, axis: AxisLike, name: str = 'concat') -> Tensor:
    """Concatenate tensors along an existing axis.

    Args:
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if sizes differ along another axis.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.concat([[[1, 2]], [[3, 4]]], axis=0).numpy()
        array([[1, 2],
               [3, 4]], dtype=int32)
    """

def cond(
    pred: TensorLike,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return the result of `true_fn()` if the condition holds, of `false_fn()` otherwise.

    Args:
        pred: a truth value.
        true_fn: called if it is true.
        false_fn: called if it is false.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if one of the branches is not callable.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.cond(tf.constant(2.0) > 1.0, lambda: "larger", lambda: "smaller")
        'larger'
    """

def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike = None,
    name: str = 'Const',
) -> Tensor:
    """Return a tensor with the given values, cast and reshaped (a single value is repeated) on
    demand.

    Args:
        value: a number, a text, an array, or a nested list of them.
        dtype: the dtype; that of the value if None: float32 for Python's floats, int32 for its
            integers.
        shape: the shape; a single number fills it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the value does not fit the shape or the dtype.

    Example:
        >>> tf.constant([[1, 2], [3, 4]])
        <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
        array([[1, 2],
               [3, 4]], dtype=int32)>
    """

def control_dependencies(control_inputs: Any) -> nullcontext[None]:
    """Return an empty context manager, after calling the functions among the inputs: ops run in
    program order.

    Args:
        control_inputs: what must have run before; here, everything has.
    """

def conv(
    input: TensorLike,
    filter: TensorLike,
    strides: ShapeLike,
    padding: Any,
    explicit_paddings: Any = ...,
    data_format: str = 'CHANNELS_LAST',
    dilations: ShapeLike = ...,
    batch_dims: IntLike = 1,
    groups: IntLike = 1,
    name: str | None = None,
) -> Tensor:
    """Compute a convolution in two or three dimensions; the first `batch_dims` axes are the
    batch.

    Args:
        input: a tensor, or what converts to one.
        filter: the kernel.
        strides: the step along each axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        explicit_paddings: the padding for each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        batch_dims: how many leading axes are batches: indices are looked up inside each.
        groups: the number of groups of channels.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input` or `filter` has a dtype that it does not take, the
            dtypes of `input` and `filter` differ, the shape of `input` or `filter` does not fit,
            the shapes of `input` and `filter` do not fit together, `batch_dims` is out of range, or
            `padding` or `data_format` is not a known one.
    """

def conv2d_backprop_filter_v2(
    input: TensorLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: ShapeLike,
    padding: Any,
    use_cudnn_on_gpu: _builtins.bool = True,
    explicit_paddings: Any = ...,
    data_format: str = 'NHWC',
    dilations: ShapeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the gradient of a two-dimensional convolution by its filter.

    Args:
        input: a tensor, or what converts to one.
        filter: the kernel.
        out_backprop: the cotangent of the result.
        strides: the step along each axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        use_cudnn_on_gpu: has no effect; there for compatibility.
        explicit_paddings: the padding for each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input`, `filter` or `out_backprop` has a dtype that it
            does not take, the dtypes of `input`, `filter` and `out_backprop` differ, the shape of
            `input`, `filter` or `out_backprop` does not fit, the shapes of `input`, `filter` and
            `out_backprop` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def conv2d_backprop_input_v2(
    input: TensorLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: ShapeLike,
    padding: Any,
    use_cudnn_on_gpu: _builtins.bool = True,
    explicit_paddings: Any = ...,
    data_format: str = 'NHWC',
    dilations: ShapeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the gradient of a two-dimensional convolution by its input.

    Args:
        input: a tensor, or what converts to one.
        filter: the kernel.
        out_backprop: the cotangent of the result.
        strides: the step along each axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        use_cudnn_on_gpu: has no effect; there for compatibility.
        explicit_paddings: the padding for each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input`, `filter` or `out_backprop` has a dtype that it
            does not take, the dtypes of `input`, `filter` and `out_backprop` differ, the shape of
            `input`, `filter` or `out_backprop` does not fit, the shapes of `input`, `filter` and
            `out_backprop` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convert a value to a tensor.

    Args:
        value: a tensor, or what converts to one.
        dtype: the dtype of the result.
        dtype_hint: the dtype of the result if the value can have it.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the value is a tensor of another dtype than the one asked for.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> import numpy as np
        >>> tf.convert_to_tensor(np.arange(3.0)).dtype
        tf.float64
    """

@overload
def custom_gradient(f: Callable[_P, Any]) -> Callable[_P, Any]:
    """Decorate a function with a custom gradient.

        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            def grad(upstream):
                return upstream * (1 - 1 / (1 + e))
            return tf.math.log(1 + e), grad

    `grad` takes a cotangent per result and returns one per positional argument; keyword arguments
    have no gradient. If the function reads variables, `grad` takes them as `variables=` and returns
    a pair: the cotangents of the arguments, and those of the variables.

    Forward mode (`tf.jvp`, `tf.autodiff.ForwardAccumulator`) differentiates what `f` computes: of
    `grad` it knows nothing.

    Args:
        f: a function.

    Returns:
        The function, with the gradient that it returns.

    Raises:
        ValueError if `grad` returns another number of cotangents than there are arguments.

    Example:
        >>> @tf.custom_gradient
        ... def clip_backward(x):
        ...     return x, lambda g: tf.clip_by_value(g, -1.0, 1.0)
        >>> tf.grad(lambda x: clip_backward(x) * 10.0)(3.0).numpy()
        np.float32(1.0)
    """

@overload
def custom_gradient(f: None = None) -> Callable[[Callable[_P, Any]], Callable[_P, Any]]: ...

def debug_nonfinite(only_nan: _builtins.bool = False) -> AbstractContextManager[None]:
    """Make ops in the block raise an explained error if their results hold an inf or nan.

        with tf.debug_nonfinite():
            train_step(batch)

    `only_nan` lets infinities pass. Every op is checked, so that the block runs slower; what
    stands in a `tf.function` runs eagerly meanwhile.

    Args:
        only_nan: whether infinities are let through.

    Returns:
        A context manager.
    """

def debug_transfers() -> AbstractContextManager[Transfers]:
    """Count the copies between the host and devices, in all threads, until the block ends.

    Reading a value (`float(loss)`, `x.numpy()`) is a copy to the host, and waits for the device. A
    NumPy array that an op takes is a copy to the device, in every call. Numbers are copied once.

    ```python
    with tf.debug_transfers() as transfers:
        train_step(batch)
    print(transfers)
    ```

    Returns:
        A context manager.
    """

def device(device_name: str) -> AbstractContextManager[None]:
    """Return a context manager that places new tensors and variables on a device such as "/GPU:0".

    Ops run where their inputs are; in a block for the CPU, on the CPU. "/XLA:0" is XLA on the host,
    for machines without a GPU. A device that is not there means the CPU, unless
    `tf.config.set_soft_device_placement(False)` makes it an error.

    Args:
        device_name: the name of a device, such as "cpu:0".

    Raises:
        ValueError if `device_name` is not a known one.
    """

double: DType
def dynamic_partition(
    data: TensorLike,
    partitions: TensorLike,
    num_partitions: IntLike,
    name: str | None = None,
) -> list[Tensor]:
    """Distribute the slices of `data` over `num_partitions` tensors.

    Args:
        data: a tensor, or what converts to one.
        partitions: for each element, which part it goes to.
        num_partitions: the number of parts.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A list of tensors.

    Raises:
        tf.errors.InvalidArgumentError if `partitions` has a dtype that it does not take, the shape
            of `data` does not fit, or the shapes of `data` and `partitions` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> [x.numpy().tolist() for x in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
        [[20], [10, 30]]
    """

def dynamic_stitch(indices: TensorLike, data: TensorLike, name: str | None = None) -> Tensor:
    """Merge the slices of several tensors into one, each at its index.

    Args:
        indices: indices, as integers.
        data: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if there are not as many tensors of indices as of data.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def edit_distance(
    hypothesis: Any,
    truth: Any,
    normalize: _builtins.bool = True,
    name: str = 'edit_distance',
) -> Tensor:
    """Return the Levenshtein distance of sequences in sparse tensors, divided by the true
    length.

    Args:
        hypothesis: a sparse tensor of sequences.
        truth: a sparse tensor of the right sequences.
        normalize: whether to divide by the length of the truth.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if an input is not sparse.

    Example:
        >>> hypothesis = tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [1, 2])
        >>> truth = tf.SparseTensor([[0, 0], [0, 1]], ["a", "c"], [1, 2])
        >>> tf.edit_distance(hypothesis, truth).numpy()
        array([0.5], dtype=float32)
    """

def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Return the sum of products that an equation such as "ij,jk->ik" describes.

    Args:
        equation: letters for the axes, as in "ij,jk->ik".
        *inputs: a tensor, or a list of tensors, or what converts to them.
        **kwargs: keyword arguments.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not fit the equation.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.einsum("ij,ij->i", tf.constant([[1, 2], [3, 4]]), tf.constant([[5, 6], [7, 8]])).numpy()
        array([17, 53], dtype=int32)
    """

def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Check that a tensor's shape is compatible with the given one, and return the tensor.

    Args:
        x: a tensor, or what converts to one.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `shape` has a negative size.
        tf.errors.InvalidArgumentError if the shape of `x` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def executing_eagerly() -> _builtins.bool:
    """Return whether the program is outside of all `tf.function`s and functions of datasets, as in
    TensorFlow.

    Example:
        >>> tf.executing_eagerly()
        True
    """

def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input: a tensor, or what converts to one.
        axis: where the new axis of size 1 is to be.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.expand_dims(tf.zeros((2, 3)), 0).shape
        TensorShape([1, 2, 3])
    """

def extract_volume_patches(
    input: TensorLike,
    ksizes: Any,
    strides: ShapeLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the patches of volumes [batch, depth, height, width, channels], laid out in the
    channels.

    Args:
        input: a tensor, or what converts to one.
        ksizes: the size of the window along each axis.
        strides: the step along each axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `padding` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    batch_shape: ShapeLike = None,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
) -> Tensor:
    """Return (a stack of) identity matrices.

    Args:
        num_rows: the number of rows.
        num_columns: the number of columns; as many as rows if None.
        batch_shape: the leading axes of the result.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `num_rows` or `num_columns` is negative.

    Example:
        >>> tf.eye(2).numpy()
        array([[1., 0.],
               [0., 1.]], dtype=float32)
    """

def fftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes`, to the lengths given for
    them.

    Args:
        input: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fill(dims: ShapeLike, value: TensorLike, name: str | None = None, layout: Any = None) -> Tensor:
    """Return a tensor filled with one value.

    Args:
        dims: the shape of the result.
        value: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.
        layout: has no effect; there for compatibility.

    Raises:
        ValueError if `value` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.fill((2, 2), 7).numpy()
        array([[7, 7],
               [7, 7]], dtype=int32)
    """

def fingerprint(data: TensorLike, method: str = 'farmhash64', name: str | None = None) -> Tensor:
    """Return the fingerprint of each row of a tensor, as 8 bytes.

    Args:
        data: a tensor, or what converts to one.
        method: must be "farmhash64".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the method is not known.
    """

float16: DType
float32: DType
float64: DType
def foldl(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: Any = None,
    parallel_iterations: IntLike = 10,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    name: str | None = None,
) -> Any:
    """Fold `fn(accumulated, element)` over axis 0, from the first element on.

    Args:
        fn: called as `fn(accumulated, element)`; returns the next accumulated value.
        elems: a tensor, or a nest of tensors, whose slices along the first axis are the elements.
        initializer: the first value.
        parallel_iterations: has no effect; there for compatibility.
        back_prop: whether gradients flow; False stops them.
        swap_memory: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The last accumulated value.

    Raises:
        TypeError if `fn` is not callable.
        ValueError if the shape of `elems` does not fit.
        tf.errors.InvalidArgumentError if `elems` has a dtype that it does not take, or the dtypes
            of `elems` and `initializer` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.foldl(lambda total, x: total - x, tf.constant([10, 2, 3])).numpy()
        np.int32(5)
    """

def foldr(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: Any = None,
    parallel_iterations: IntLike = 10,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    name: str | None = None,
) -> Any:
    """Fold `fn(accumulated, element)` over axis 0, from the last element back.

    Args:
        fn: a function of one element.
        elems: a tensor, or a nest of tensors, whose slices along the first axis are the elements.
        initializer: the first value.
        parallel_iterations: has no effect; there for compatibility.
        back_prop: whether gradients flow; False stops them.
        swap_memory: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The last accumulated value.

    Raises:
        TypeError if `fn` is not callable.
        ValueError if the shape of `elems` does not fit.
        tf.errors.InvalidArgumentError if `elems` has a dtype that it does not take, or the dtypes
            of `elems` and `initializer` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

class _Function(Function, Generic[_P, _R]):
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: Any = None) -> Self: ...
    @overload
    def __get__(
        self: _Function[Concatenate[Any, _Q], _R], instance: object, owner: Any = None
    ) -> _Function[_Q, _R]: ...

@overload
def function(func: Callable[_P, _R], input_signature: Any = None, autograph: _builtins.bool = True, jit_compile: Any = None, reduce_retracing: _builtins.bool = False, experimental_implements: Any = None, experimental_autograph_options: Any = None, experimental_attributes: Any = None, experimental_relax_shapes: Any = None, experimental_compile: Any = None, experimental_follow_type_hints: Any = None) -> _Function[_P, _R]:
    """Give a function the call semantics of `tf.function`.

    The function is traced once for each kind of arguments: tensors by shape and dtype, Python
    values by value, variables and other objects by identity. Array arguments become tensors,
    results become tensors, an `input_signature` is enforced, and variables may be made by the first
    call only. Where Python itself needs a tensor's value, the function runs eagerly, and says so.

    Args:
        func: a function.
        input_signature: a `tf.TensorSpec` for each argument: one trace serves all that fit.
        autograph: whether control flow on tensors is converted.
        jit_compile: whether XLA compiles the function (needs JAX).
        reduce_retracing: whether sizes that differ between calls are left open.
        experimental_implements: has no effect; there for compatibility.
        experimental_autograph_options: has no effect; there for compatibility.
        experimental_attributes: attributes for the function, as a dict.
        experimental_relax_shapes: an old name of reduce_retracing.
        experimental_compile: an old name of jit_compile.
        experimental_follow_type_hints: has no effect; there for compatibility.

    Returns:
        A function with the same signature; without `func`, a decorator.

    Raises:
        TypeError if what is decorated is not callable, or `input_signature` holds something else
            than specs.

    Example:
        >>> @tf.function
        ... def add(x, y):
        ...     return x + y
        >>> add(tf.constant(1.0), tf.constant(2.0)).numpy()
        np.float32(3.0)
    """

@overload
def function(
    *, input_signature: Any = None, autograph: _builtins.bool = True, jit_compile: Any = None, reduce_retracing: _builtins.bool = False, experimental_implements: Any = None, experimental_autograph_options: Any = None, experimental_attributes: Any = None, experimental_relax_shapes: Any = None, experimental_compile: Any = None, experimental_follow_type_hints: Any = None
) -> Callable[[Callable[_P, _R]], _Function[_P, _R]]: ...

def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: AxisLike = None,
    batch_dims: IntLike = 0,
    name: str | None = None,
) -> Tensor:
    """Return the slices of `params` along an axis at `indices`.

    Args:
        params: the tensor to take slices of.
        indices: indices, as integers.
        validate_indices: has no effect: indices are always checked.
        axis: the axis to take slices along; `batch_dims` if None.
        batch_dims: how many leading axes are batches: indices are looked up inside each.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if an index is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.gather(tf.constant([10, 20, 30]), [2, 0]).numpy()
        array([30, 10], dtype=int32)
    """

def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: IntLike = 0,
    name: str | None = None,
    bad_indices_policy: str = '',
) -> Tensor:
    """Return the slices of `params` at indices [..., axes].

    Args:
        params: the tensor to take slices of.
        indices: indices, as integers.
        batch_dims: how many leading axes are batches: indices are looked up inside each.
        name: a label, as in TensorFlow; it does not change the result.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `params` or `indices` does not fit, the shapes of `params` and `indices` do not fit
            together, `batch_dims` is out of range, or `indices` has an index that is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.gather_nd(tf.constant([[1, 2], [3, 4]]), [[0, 1], [1, 0]]).numpy()
        array([2, 3], dtype=int32)
    """

def get_current_name_scope() -> str:
    """Return the name scopes that are open, joined by slashes."""

def get_logger() -> logging.Logger:
    """Return the logger that gradtape writes to."""

def get_static_value(tensor: TensorLike, partial: _builtins.bool = False) -> Any:
    """Return the value of a tensor as an array; None for variables and composites, whose values can
    differ from call to call, and for a tensor of a function being traced.

    Args:
        tensor: a tensor, or what converts to one.
        partial: has no effect; there for compatibility.
    """

def grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: _builtins.bool = False,
) -> Callable[..., Any]:
    """Return a function that computes the gradient of a scalar function.

    Args:
        function: a function.
        argnums: by which arguments to differentiate: an index, or several.
        has_aux: whether the function returns a pair, of which only the first is differentiated.

    Raises:
        ValueError if the function does not return a scalar.

    Example:
        >>> tf.grad(lambda x: x**3)(2.0).numpy()
        np.float32(12.0)
    """

def grad_pass_through(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return `f` with the gradient of the identity.

    Args:
        f: a function.

    Raises:
        TypeError, when the result is called, if `f` is not callable.
    """

def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = 'gradients',
    gate_gradients: _builtins.bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = ...,
) -> list:
    """Return the gradient of the sum of `ys` by each of `xs`, inside a `tf.function`.

    Args:
        ys: what to differentiate.
        xs: what to differentiate by.
        grad_ys: a cotangent for each of ys; ones if None.
        name: a label, as in TensorFlow; it does not change the result.
        gate_gradients: has no effect; there for compatibility.
        aggregation_method: has no effect; there for compatibility.
        stop_gradients: tensors through which no gradient flows.
        unconnected_gradients: what stands for a gradient that does not exist: None or zeros.

    Raises:
        RuntimeError if it is called outside of a tf.function.

    Example:
        >>> @tf.function
        ... def slope(x):
        ...     return tf.gradients(x**2, [x])[0]
        >>> slope(tf.constant(3.0)).numpy()
        np.float32(6.0)
    """

def group(*inputs: Any, **kwargs: Any) -> None:
    """Do nothing: what is to be grouped has run.

    Args:
        *inputs: a tensor, or a list of tensors, or what converts to them.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the tensor itself: the guarantee is not used.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.
    """

half: DType
def hessian(function: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """Return a function that computes the Hessian of a scalar function.

    It is the Jacobian of the gradient.

    Args:
        function: a function.
        argnum: by which argument to differentiate: its index.

    Raises:
        ValueError if the function's result is not a scalar.

    Example:
        >>> tf.hessian(lambda x: tf.reduce_sum(x**3))(tf.constant([1.0, 2.0])).numpy()
        array([[ 6.,  0.],
               [ 0., 12.]], dtype=float32)
    """

def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: _builtins.bool = False,
    aggregation_method: Any = None,
    name: str = 'hessians',
) -> list:
    """Return the Hessian of the sum of `ys` by each of `xs`, inside a `tf.function`.

    Args:
        ys: what to differentiate.
        xs: what to differentiate by.
        gate_gradients: has no effect; there for compatibility.
        aggregation_method: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        RuntimeError if it is called outside of a tf.function.
    """

def histogram_fixed_width(
    values: Any,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return how many values fall in each of the equal bins of a range.

    Args:
        values: a list of tensors, or one tensor.
        value_range: the bounds of the histogram.
        nbins: the number of bins.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `values` has a dtype that it does not take, or `nbins` is
            negative.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.histogram_fixed_width(tf.constant([0.1, 0.2, 0.9]), [0.0, 1.0], nbins=2).numpy()
        array([2, 1], dtype=int32)
    """

def histogram_fixed_width_bins(
    values: Any,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the index of the bin, of equal ones, that each value falls in; values outside of the
    range are in the outermost.

    Args:
        values: a list of tensors, or one tensor.
        value_range: the bounds of the histogram.
        nbins: the number of bins.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `values` has a dtype that it does not take, or `nbins` is
            negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def hvp(
    function: Callable[..., Any],
    primals: TensorLike,
    vectors: _builtins.tuple[Tensor, ...],
) -> _builtins.tuple[Tensor, ...]:
    """Compute Hessian-vector products of a scalar function, forward over reverse.

    Args:
        function: a function.
        primals: the arguments: where to differentiate.
        vectors: the vectors to multiply with, one for each argument.

    Returns:
        A tuple of tensors.

    Raises:
        ValueError if the function's result is not a scalar.

    Example:
        >>> product = tf.hvp(lambda x: x**3, [tf.constant(2.0)], [tf.constant(1.0)])
        >>> [float(x) for x in tf.nest.flatten(product)]
        [12.0]
    """

def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor with the same value (a new one to tapes); of IndexedSlices, IndexedSlices.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.identity(tf.constant(3.0)).numpy()
        np.float32(3.0)
    """

def identity_n(input: TensorLike, name: str | None = None) -> list[Tensor]:
    """Return tensors with the same values.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` has a type that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ifftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    name: str | None = None,
) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes`.

    Args:
        input: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `axes` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def init_scope() -> AbstractContextManager[None]:
    """Open a block that no tape records, in which a function may create variables at any time.

    Where a function is being traced, the block runs at once, and not when the function is called:
    `tf.executing_eagerly()` is true in it.

    Returns:
        A context manager.
    """

def inside_function() -> _builtins.bool:
    """Return whether the program is inside a `tf.function` or a function of a dataset."""

int16: DType
int32: DType
int64: DType
int8: DType
def irfftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    Treal: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the real tensor with a half spectrum over `axes`, in the dtype `Treal`.

    Args:
        input: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        Treal: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `axes` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def is_symbolic_tensor(tensor: TensorLike) -> _builtins.bool:
    """Return False: tensors have values.

    Args:
        tensor: a tensor, or what converts to one.
    """

def is_tensor(x: TensorLike) -> _builtins.bool:
    """Return whether x is a tensor or something that counts as one (a variable, IndexedSlices).

    Args:
        x: a tensor, or what converts to one.

    Example:
        >>> tf.is_tensor(tf.constant(1.0)), tf.is_tensor(1.0)
        (True, False)
    """

def jacobian(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    mode: str = 'auto',
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a tensor-valued function.

    The result has the value's shape followed by the argument's. `mode` is "reverse" (a backward
    pass per element of the value), "forward" (a forward pass per element of the argument), both
    vectorized, or "auto": the cheaper one.

    Args:
        function: a function.
        argnums: by which arguments to differentiate: an index, or several.
        mode: how to pad: "CONSTANT", "REFLECT" or "SYMMETRIC".

    Raises:
        ValueError if `mode` is not a known one.

    Example:
        >>> tf.jacobian(lambda x: x**2)(tf.constant([1.0, 2.0])).numpy()
        array([[2., 0.],
               [0., 4.]], dtype=float32)
    """

def jvp(
    function: Callable[..., Any],
    primals: TensorLike,
    tangents: Sequence[Tensor],
) -> _builtins.tuple[Tensor, ...]:
    """Return (value, tangent) of `function` at `primals`, in the direction of `tangents`.

    Args:
        function: a function.
        primals: the arguments: where to differentiate.
        tangents: the directions, one for each argument.

    Raises:
        ValueError if a tangent does not have the shape and dtype of its primal.

    Example:
        >>> value, slope = tf.jvp(tf.sin, [tf.constant(0.0)], [tf.constant(1.0)])
        >>> float(value), float(slope)
        (0.0, 1.0)
    """

def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike,
    name: str | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return numbers in equal steps from start to stop, both included.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        stop: the last number.
        num: how many numbers; for unstack and split, how many parts.
        name: a label, as in TensorFlow; it does not change the result.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `stop` has a dtype that it does not take, the dtypes of
            `start` and `stop` differ, the shapes of `start` and `stop` do not fit together, `axis`
            is out of range, or `num` is negative.
        tf.errors.UnimplementedError if `start` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.linspace(0.0, 1.0, 5).numpy()
        array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """

def make_ndarray(tensor: TensorLike) -> np.ndarray:
    """Return the NumPy array of a TensorProto, of `tf.make_tensor_proto` or of protobuf's class.

    Args:
        tensor: a TensorProto.

    Raises:
        TypeError if `tensor` has a type that it does not take.
    """

def make_tensor_proto(
    values: Any,
    dtype: DTypeLike | None = None,
    shape: ShapeLike = None,
    verify_shape: _builtins.bool = False,
    allow_broadcast: _builtins.bool = False,
) -> TensorProto:
    """Return a tensor as a TensorProto, the message that graphs and servers hold tensors in.

    With fewer values than `shape` has elements, the last value stands for the rest. `verify_shape`
    makes another shape of the values an error; `allow_broadcast` allows one value for all.

    Args:
        values: a number, a text, or nested lists or an array of them.
        dtype: the dtype of the result.
        shape: the shape of the tensor; that of the values, if it is not given.
        verify_shape: whether values of another shape are an error.
        allow_broadcast: whether one value stands for all, and values of another shape are an error.

    Raises:
        TypeError if `dtype` or `shape` has a type that it does not take.
        ValueError if `values` has a type that it does not take.
    """

def map_fn(
    fn: Callable[..., Any],
    elems: TensorLike,
    dtype: DTypeLike | None = None,
    parallel_iterations: Any = None,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    infer_shape: _builtins.bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Apply `fn` to each element along axis 0, one after the other, and stack the results.

    Args:
        fn: a function of one element.
        elems: a tensor, or a nest of tensors, whose slices along the first axis are the elements.
        dtype: the dtype of the result.
        parallel_iterations: has no effect; there for compatibility.
        back_prop: whether gradients flow; False stops them.
        swap_memory: has no effect; there for compatibility.
        infer_shape: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.
        fn_output_signature: the dtypes of the results, if they differ from those of the elements.

    Returns:
        The results for all elements, stacked along axis 0.

    Raises:
        TypeError if `fn` is not callable.
        ValueError if the shape of `elems` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])).numpy()
        array([1, 4, 9], dtype=int32)
    """

def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: _builtins.bool = False,
    transpose_b: _builtins.bool = False,
    adjoint_a: _builtins.bool = False,
    adjoint_b: _builtins.bool = False,
    a_is_sparse: _builtins.bool = False,
    b_is_sparse: _builtins.bool = False,
    output_type: DTypeLike | None = None,
    grad_a: _builtins.bool = False,
    grad_b: _builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product of matrices, over stacks of them that broadcast; also of linear
    operators.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        transpose_a: whether to transpose a.
        transpose_b: whether to transpose b.
        adjoint_a: whether to transpose and conjugate a.
        adjoint_b: whether to transpose and conjugate b.
        a_is_sparse: has no effect; there for compatibility.
        b_is_sparse: has no effect; there for compatibility.
        output_type: the dtype of the result.
        grad_a: has no effect; there for compatibility.
        grad_b: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the inner sizes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.matmul(tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [4.0]])).numpy()
        array([[11.]], dtype=float32)
    """

def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Return the coordinates of the grid that vectors span: a tensor for each of them.

    Args:
        *args: the coordinates along each axis.
        **kwargs: `indexing`: "xy" or "ij".

    Raises:
        ValueError if `indexing` is neither 'xy' nor 'ij'.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> a, b = tf.meshgrid([1, 2], [3, 4, 5])
        >>> b.numpy()
        array([[3, 3],
               [4, 4],
               [5, 5]], dtype=int32)
    """

def no_gradient(op_type: Any) -> None:
    """Raise the error that `RegisterGradient` raises.

    Args:
        op_type: the name of an operation.

    Returns:
        Nothing.

    Raises:
        NotImplementedError, always: gradients are not registered by names.
    """

def no_op(name: str | None = None) -> None:
    """Do nothing.

    Args:
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.
    """

def norm(
    tensor: TensorLike,
    ord: str | float = 'euclidean',
    axis: AxisLike = None,
    keepdims: _builtins.bool | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the norm of vectors (one axis, or all elements) or of matrices (two axes).

    The gradient of the Euclidean norm of zeros is nan, as TensorFlow's.

    Args:
        tensor: a tensor, or what converts to one.
        ord: which norm: "euclidean", "fro", 1, 2, np.inf or a number.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `ord` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `tensor` does not fit.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> tf.norm(tf.constant([3.0, 4.0])).numpy()
        np.float32(5.0)
    """

def numerical_gradient(
    function: Callable[..., Any] | None = None,
    *,
    method: str = 'richardson',
    step: float | None = None,
) -> Any:
    """Return a function of NumPy arrays as one of tensors, with a numerical gradient.

        @gradtape.numerical_gradient
        def energy(x):                     # plain NumPy, SciPy, a simulator…
            return scipy.special.airy(x)[0].sum()

    The decorated function takes and returns tensors; on a tape, its derivative is computed by
    evaluating the function near the point, in float64:

    * "richardson": central differences at two steps, extrapolated; error of order step**4;
    * "central": central differences;
    * "complex": the imaginary part at x + ih: exact to rounding, for functions that compute
      analytically with complex numbers.

    It costs 4, 2 or 1 evaluations per element of the arguments, and can be differentiated once.

    Args:
        function: a function.
        method: how: see above.
        step: the size of a step.

    Raises:
        ValueError if `method` is not a known one.

    Example:
        >>> round(float(tf.numerical_gradient(lambda x: x**2)(tf.constant(3.0, tf.float64))), 3)
        9.0
    """

def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: _builtins.bool = True,
    name: str | None = None,
) -> Any:
    """Call a NumPy function on tensors. No gradient flows through it. It is given None as an array.

    Without `func` it is a decorator: `@tf.numpy_function(Tout=tf.float32)`.

    Args:
        func: a function.
        inp: the arguments.
        Tout: the dtypes of the results.
        stateful: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Tensors with the dtypes `Tout`.

    Raises:
        TypeError if `func` is not callable.

    Example:
        >>> import numpy as np
        >>> tf.numpy_function(np.sort, [tf.constant([3, 1, 2])], tf.int32).numpy()
        array([1, 2, 3], dtype=int32)
    """

def one_hot(
    indices: TensorLike,
    depth: IntLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return, for each index, a vector with `on_value` there and `off_value` elsewhere.

    Args:
        indices: indices, as integers.
        depth: the number of classes: the size of the new axis.
        on_value: the number at the index; 1 if None.
        off_value: the other numbers; 0 if None.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `indices` does not fit, `axis` is out of range, or `depth` is negative.

    Example:
        >>> tf.one_hot([0, 2], depth=3).numpy()
        array([[1., 0., 0.],
               [0., 0., 1.]], dtype=float32)
    """

def ones(
    shape: ShapeLike,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return a tensor of ones.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        layout: has no effect; there for compatibility.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `shape` has a dtype that it does not take, or `shape` has
            a negative size.

    Example:
        >>> tf.ones([3], tf.int32).numpy()
        array([1, 1, 1], dtype=int32)
    """

def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return ones of a tensor's shape (and by default its dtype).

    Args:
        input: a tensor, or what converts to one.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        layout: has no effect; there for compatibility.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Example:
        >>> tf.ones_like(tf.constant([1.5, 2.5])).numpy()
        array([1., 1.], dtype=float32)
    """

def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = 'CONSTANT',
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """Pad a tensor with a constant, or with its mirrored elements.

    Args:
        tensor: a tensor, or what converts to one.
        paddings: for each axis, how many elements to add before and behind.
        mode: how to pad: "CONSTANT", "REFLECT" or "SYMMETRIC".
        constant_values: the number to pad with, in mode "CONSTANT".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `mode` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `tensor` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.pad(tf.constant([1, 2]), [[1, 2]]).numpy()
        array([0, 1, 2, 0, 0], dtype=int32)
    """

def parallel_stack(values: Any, name: str = 'parallel_stack') -> Tensor:
    """Stack tensors of one shape along a new first axis.

    Args:
        values: a list of tensors, or one tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def per_example_gradients(function: Callable[..., Any], variables: Any, *batches: Tensor) -> Any:
    """Compute the gradient of `function(example, …)` for each example of a batch.

    The gradients are with respect to `variables`; each has the batch as its first axis, before the
    axes of the variable.

    Args:
        function: a function.
        variables: what to differentiate by.
        *batches: arguments with a leading axis of examples.

    Returns:
        The gradients, with a leading axis of examples, in the structure of `variables`.

    Raises:
        TypeError if `function` is not callable.
        tf.errors.InvalidArgumentError if the shape of `batches` does not fit.
    """

def print(*inputs: Any, **kwargs: Any) -> None:
    """Write values, tensors by their elements.

    Options are `output_stream` (a text stream, or "file://" and a path to append to; the default
    is the standard error), `summarize` (how many elements at each end of an axis; -1: all),
    `sep`, `end` and `name`.

    Args:
        *inputs: a tensor, or a list of tensors, or what converts to them.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Call a Python function on tensors; what it computes with ops is differentiable.

    Without `func` it is a decorator: `@tf.py_function(Tout=tf.float32)`.

    Args:
        func: a function.
        inp: the arguments.
        Tout: the dtypes of the results.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Tensors with the dtypes `Tout`.

    Raises:
        TypeError if `func` is not callable.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.py_function(lambda x: x + 1, [tf.constant(1)], tf.int32).numpy()
        np.int32(2)
    """

def random_index_shuffle(
    index: Any,
    seed: Any,
    max_index: Any,
    rounds: IntLike = 4,
    name: str | None = None,
) -> Tensor:
    """Return where a permutation of 0 … max_index, given by a seed of three integers, sends an
    index.

    The permutation is never made as a whole. A seed may be given for each index.

    Args:
        index: which one.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        max_index: the last index.
        rounds: how often to mix.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `index` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str = 'range',
) -> Tensor:
    """Return numbers from start (0, if only a limit is given) to limit in steps of delta.

    Args:
        start: the first number; if it is the only one, the end of a range that begins at 0.
        limit: the end, which is not included.
        delta: the step from one number to the next.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the step is 0.

    Example:
        >>> tf.range(1, 10, 3).numpy()
        array([1, 4, 7], dtype=int32)
    """

def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the number of axes, as a tensor.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.rank(tf.zeros((2, 5))).numpy()
        np.int32(2)
    """

def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, in their dtype.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def recompute_grad(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return `f` with rematerialization: the backward pass computes intermediate results again.

    This trades time for memory: only the arguments (and variables) are kept.

    Args:
        f: a function.

    Raises:
        TypeError, when the result is called, if `f` is not callable.

    Example:
        >>> block = tf.recompute_grad(lambda x: tf.sin(tf.sin(x)))
        >>> tf.grad(block)(0.0).numpy()
        np.float32(1.0)
    """

def register_tensor_conversion_function(
    base_type: Any,
    conversion_func: Callable[..., Any],
    priority: int = 100,
) -> None:
    """Register a function that converts values of a type to tensors.

    Args:
        base_type: the class, or classes, to convert.
        conversion_func: called as `f(value, dtype, name, as_ref)`.
        priority: smaller ones are asked first.

    Returns:
        Nothing.

    Raises:
        TypeError if `conversion_func` is not callable.
    """

def repeat(
    input: TensorLike,
    repeats: TensorLike,
    axis: AxisLike = None,
    name: str | None = None,
) -> Tensor:
    """Repeat each element. A scalar counts as a vector.

    Args:
        input: a tensor, or what converts to one.
        repeats: how often to repeat each element.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.repeat(tf.constant([1, 2]), 2).numpy()
        array([1, 1, 2, 2], dtype=int32)
    """

def required_space_to_batch_paddings(
    input_shape: Any,
    block_shape: ShapeLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> _builtins.tuple[Tensor, Tensor]:
    """Return (paddings, crops) that make a shape divisible by the blocks of `space_to_batch`.

    Args:
        input_shape: the sizes of the spatial axes.
        block_shape: the size of a block along each spatial axis.
        base_paddings: padding to add at least.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_shape`, `block_shape` or `base_paddings` has a type
            that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Reshape a tensor; one size may be -1.

    Args:
        tensor: a tensor, or what converts to one.
        shape: the new sizes; one of them may be -1: whatever is left.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the number of elements differs.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reshape(tf.range(6), (2, -1)).numpy()
        array([[0, 1, 2],
               [3, 4, 5]], dtype=int32)
    """

def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Reverse a tensor along some axes.

    Args:
        tensor: a tensor, or what converts to one.
        axis: the axes along which the order is reversed.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `tensor` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.reverse(tf.constant([1, 2, 3]), [0]).numpy()
        array([3, 2, 1], dtype=int32)
    """

def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_axis`, for each i of `batch_axis`.

    Args:
        input: a tensor, or what converts to one.
        seq_lengths: how many leading elements of each row to reverse.
        seq_axis: the axis to reverse along.
        batch_axis: the axis that `seq_lengths` belongs to.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `seq_lengths` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input` or `seq_lengths` does not fit, the
            shapes of `input` and `seq_lengths` do not fit together, or `seq_axis` or `batch_axis`
            is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def rfftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    Tcomplex: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the half spectrum of a real tensor over `axes`, in the dtype `Tcomplex`.

    Args:
        input: a tensor, or what converts to one.
        fft_length: the sizes to transform: shorter data are padded with zeros.
        axes: the axes, negative ones counted from the last.
        Tcomplex: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `axes` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def roll(input: TensorLike, shift: Any, axis: AxisLike, name: str | None = None) -> Tensor:
    """Shift the elements of a tensor along axes; those beyond the end wrap around.

    Args:
        input: a tensor, or what converts to one.
        shift: how many places to move.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.roll(tf.constant([1, 2, 3, 4]), 1, axis=0).numpy()
        array([4, 1, 2, 3], dtype=int32)
    """

def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Cast to `dtype`; values outside its range become the nearest bound.

    Args:
        value: a tensor, or what converts to one.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `value` has a dtype that it does not take, or `dtype` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def scan(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: Any = None,
    parallel_iterations: IntLike = 10,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    infer_shape: _builtins.bool = True,
    reverse: _builtins.bool = False,
    name: str | None = None,
) -> Any:
    """Return the stacked partial results of folding `fn(accumulated, element)` over axis 0.

    Args:
        fn: called as `fn(accumulated, element)`; returns the next accumulated value.
        elems: a tensor, or a nest of tensors, whose slices along the first axis are the elements.
        initializer: the first value.
        parallel_iterations: has no effect; there for compatibility.
        back_prop: whether gradients flow; False stops them.
        swap_memory: has no effect; there for compatibility.
        infer_shape: has no effect; there for compatibility.
        reverse: whether to go from the last element to the first.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `fn` is not callable.
        ValueError if the shape of `elems` does not fit.
        tf.errors.InvalidArgumentError if `initializer` has a dtype that it does not take, the
            dtypes of `elems` and `initializer` differ, the shape of `initializer` does not fit, or
            the shapes of `elems` and `initializer` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3])).numpy()
        array([1, 3, 6], dtype=int32)
    """

def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return zeros of a shape, with updates added at indices [..., axes].

    Strings that go to one place are joined in their order.

    Args:
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `indices` or `shape` has a dtype that it does not take,
            the shape of `indices`, `updates` or `shape` does not fit, the shapes of `indices`,
            `updates` and `shape` do not fit together, `indices` has an index that is out of range,
            or `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.scatter_nd([[1], [3]], [5, 7], [5]).numpy()
        array([0, 5, 0, 7, 0], dtype=int32)
    """

def searchsorted(
    sorted_sequence: TensorLike,
    values: Any,
    side: str = 'left',
    out_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the indices at which values would be inserted into a sorted sequence (row by row).

    Args:
        sorted_sequence: the sorted rows to search in.
        values: a list of tensors, or one tensor.
        side: "left": before equal elements; "right": behind them.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `side` is not a known one.
        tf.errors.InvalidArgumentError if `sorted_sequence` or `values` has a dtype that it does not
            take, the dtypes of `sorted_sequence` and `values` differ, the shape of
            `sorted_sequence` or `values` does not fit, or the shapes of `sorted_sequence` and
            `values` do not fit together.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.searchsorted([1.0, 3.0, 5.0], [2.0, 5.0]).numpy()
        array([1, 2], dtype=int32)
    """

def sequence_mask(
    lengths: TensorLike,
    maxlen: IntLike | None = None,
    dtype: DTypeLike = 'bool',
    name: str | None = None,
) -> Tensor:
    """Return masks: for each length, a vector whose first `length` elements are true.

    Args:
        lengths: how many True there are in each row.
        maxlen: the length of the rows; the largest of the lengths if None.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `lengths` has a dtype that it does not take, or `maxlen`
            is negative.

    Example:
        >>> tf.sequence_mask([1, 3]).numpy()
        array([[ True, False, False],
               [ True,  True,  True]])
    """

def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the shape, as a tensor of integers.

    Args:
        input: a tensor, or what converts to one.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.shape(tf.zeros((2, 5))).numpy()
        array([2, 5], dtype=int32)
    """

def shape_n(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> list[Tensor]:
    """Return the shapes of several tensors.

    Args:
        input: a tensor, or what converts to one.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `input` or `out_type` has a type that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the number of elements, as a tensor.

    Args:
        input: a tensor, or what converts to one.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.size(tf.zeros((2, 5))).numpy()
        np.int32(10)
    """

def slice(
    input_: TensorLike,
    begin: TensorLike,
    size: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Slice a block from `begin` on, of the given size (-1: all that remains).

    Args:
        input_: a tensor, or what converts to one.
        begin: the index of the first element, along each axis.
        size: how many elements to take along each axis; -1 means all that are left.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `begin` has a dtype that it does not take, the shape of
            `input_` or `begin` does not fit, or the shapes of `input_` and `begin` do not fit
            together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.slice(tf.constant([[1, 2, 3], [4, 5, 6]]), [0, 1], [2, -1]).numpy()
        array([[2, 3],
               [5, 6]], dtype=int32)
    """

def sort(
    values: Any,
    axis: AxisLike = -1,
    direction: str = 'ASCENDING',
    name: str | None = None,
) -> Tensor:
    """Sort the values along an axis.

    Args:
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        direction: "ASCENDING" or "DESCENDING".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `direction` is not a known one.
        tf.errors.InvalidArgumentError if `values` has a dtype that it does not take, the shape of
            `values` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.sort(tf.constant([3, 1, 2]), direction="DESCENDING").numpy()
        array([3, 2, 1], dtype=int32)
    """

def space_to_batch(
    input: TensorLike,
    block_shape: ShapeLike,
    paddings: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Move the elements of spatial blocks to the batch axis.

    Args:
        input: a tensor, or what converts to one.
        block_shape: the size of a block along each spatial axis.
        paddings: for each axis, how many elements to add before and behind.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def split(
    value: TensorLike,
    num_or_size_splits: Any,
    axis: AxisLike = 0,
    num: IntLike | None = None,
    name: str = 'split',
) -> list[Tensor]:
    """Split a tensor along an axis into equal parts, or parts of given sizes.

    Args:
        value: a tensor, or what converts to one.
        num_or_size_splits: how many equal parts, or the sizes of the parts.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        num: how many numbers; for unstack and split, how many parts.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A list of tensors.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `value` does not fit, or `axis` is out of
            range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> [x.numpy().tolist() for x in tf.split(tf.range(5), [2, 3])]
        [[0, 1], [2, 3, 4]]
    """

def squeeze(input: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Remove the axes of size 1, or those given.

    Args:
        input: a tensor, or what converts to one.
        axis: which axes of size 1 to drop; all of them if None.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if one of the axes has another size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.squeeze(tf.zeros((1, 3, 1))).shape
        TensorShape([3])
    """

def stack(values: Any, axis: AxisLike = 0, name: str = 'stack') -> Tensor:
    """Stack tensors of one shape along a new axis.

    Args:
        values: a list of tensors, or one tensor.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.stack([tf.constant([1, 2]), tf.constant([3, 4])], axis=1).numpy()
        array([[1, 3],
               [2, 4]], dtype=int32)
    """

def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the same values without a gradient.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.grad(lambda x: tf.stop_gradient(x) * x)(3.0).numpy()
        np.float32(3.0)
    """

def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: ShapeLike = None,
    begin_mask: IntLike = 0,
    end_mask: IntLike = 0,
    ellipsis_mask: IntLike = 0,
    new_axis_mask: IntLike = 0,
    shrink_axis_mask: IntLike = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the slice that bounds, steps and masks describe: what `x[...]` means.

    Args:
        input_: a tensor, or what converts to one.
        begin: the index of the first element, along each axis.
        end: the index behind the last element, along each axis.
        strides: the step from one element to the next, along each axis.
        begin_mask: a bit for each axis whose `begin` is not used.
        end_mask: a bit for each axis whose `end` is not used.
        ellipsis_mask: the bit of the axis that stands for all axes between.
        new_axis_mask: a bit for each axis to insert.
        shrink_axis_mask: a bit for each axis that is taken at one index and dropped.
        var: a variable to assign to, in place of a tensor.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input_` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

string: DType
def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Any = None,
    name: str = 'switch_case',
) -> Any:
    """Return the result of the function with this index; out of range: of `default` or the last.

    Args:
        branch_index: which function to call.
        branch_fns: the functions.
        default: what to take otherwise.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if a branch is not callable.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.switch_case(1, [lambda: "first", lambda: "second"])
        'second'
    """

def tensor_scatter_nd_add(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with updates added at indices [..., axes].

    Args:
        tensor: a tensor, or what converts to one.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `tensor`, `indices` or `updates` has a dtype that it does
            not take, the dtypes of `tensor` and `updates` differ, the shape of `tensor`, `indices`
            or `updates` does not fit, the shapes of `tensor`, `indices` and `updates` do not fit
            together, or `indices` has an index that is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.tensor_scatter_nd_add(tf.constant([1, 2, 3]), [[1], [1]], [10, 10]).numpy()
        array([ 1, 22,  3], dtype=int32)
    """

def tensor_scatter_nd_max(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with the larger of it and updates at indices [..., axes].

    Args:
        tensor: a tensor, or what converts to one.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `tensor`, `indices` or `updates` has a dtype that it does
            not take, the dtypes of `tensor` and `updates` differ, the shape of `tensor`, `indices`
            or `updates` does not fit, the shapes of `tensor`, `indices` and `updates` do not fit
            together, or `indices` has an index that is out of range.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def tensor_scatter_nd_min(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with the smaller of it and updates at indices [..., axes].

    Args:
        tensor: a tensor, or what converts to one.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `tensor`, `indices` or `updates` has a dtype that it does
            not take, the dtypes of `tensor` and `updates` differ, the shape of `tensor`, `indices`
            or `updates` does not fit, the shapes of `tensor`, `indices` and `updates` do not fit
            together, or `indices` has an index that is out of range.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def tensor_scatter_nd_sub(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with updates subtracted at indices [..., axes].

    Args:
        tensor: a tensor, or what converts to one.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        bad_indices_policy: "" or "ERROR" to raise for an index outside, "IGNORE" to skip it.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `bad_indices_policy` is not a known one.
        tf.errors.InvalidArgumentError if `tensor`, `indices` or `updates` has a dtype that it does
            not take, the dtypes of `tensor` and `updates` differ, the shape of `tensor`, `indices`
            or `updates` does not fit, the shapes of `tensor`, `indices` and `updates` do not fit
            together, or `indices` has an index that is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tensor_scatter_nd_update(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the tensor with its slices at indices [..., axes] replaced by updates.

    Args:
        tensor: a tensor, or what converts to one.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `tensor`, `indices` or `updates` has a dtype that it does
            not take, the dtypes of `tensor` and `updates` differ, the shape of `tensor`, `indices`
            or `updates` does not fit, the shapes of `tensor`, `indices` and `updates` do not fit
            together, or `indices` has an index that is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.tensor_scatter_nd_update(tf.constant([1, 2, 3]), [[1]], [9]).numpy()
        array([1, 9, 3], dtype=int32)
    """

def tensordot(a: TensorLike, b: TensorLike, axes: AxisLike, name: str | None = None) -> Tensor:
    """Return the sum of products over the last axes of a and the first of b, or over the pairs
    given.

    Args:
        a: a tensor, or what converts to one.
        b: a tensor, or what converts to one.
        axes: how many last axes of a are summed with the first of b, or a list of both.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `a` or `b` has a dtype that it does not take, the dtypes
            of `a` and `b` differ, or the shapes of `a` and `b` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.tensordot(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), axes=1).numpy()
        np.float32(11.0)
    """

def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Repeat a tensor as a block, a given number of times along each axis.

    Args:
        input: a tensor, or what converts to one.
        multiples: how often to repeat along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.tile(tf.constant([[1, 2]]), [2, 2]).numpy()
        array([[1, 2, 1, 2],
               [1, 2, 1, 2]], dtype=int32)
    """

def timestamp(name: str | None = None) -> Tensor:
    """Return the seconds since 1970, as float64.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
    """

def to_device(x: TensorLike, device_name: str) -> Tensor:
    """Return a tensor (or the value of a variable) on another device; derivatives go through the
    copy.

    Args:
        x: a tensor, or what converts to one.
        device_name: the name of a device, such as "cpu:0".

    Raises:
        tf.errors.InvalidArgumentError if there is no such device.
    """

def transpose(
    a: TensorLike,
    perm: Any = None,
    conjugate: _builtins.bool = False,
    name: str = 'transpose',
) -> Tensor:
    """Transpose a tensor: reverse its axes, or permute them by `perm`.

    Args:
        a: a tensor, or what converts to one.
        perm: the axes in their new order; reversed if None.
        conjugate: whether to conjugate, too.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `a` does not fit, or `perm` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.transpose(tf.constant([[1, 2, 3], [4, 5, 6]])).numpy()
        array([[1, 4],
               [2, 5],
               [3, 6]], dtype=int32)
    """

def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, rounded toward 0.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: none: a step function: constant between its jumps.
    """

def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return what is left of x after division by y, with the sign of x.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes do not broadcast, or the dtypes differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def tuple(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list:
    """Return the tensors, as a list.

    Args:
        tensors: tensors, or operations.
        control_inputs: what must have run before; here, everything has.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `tensors` has a type that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def type_spec_from_value(value: TensorLike) -> Any:
    """Return the spec of a value.

    Args:
        value: a tensor, or what converts to one.

    Raises:
        TypeError if `value` cannot be converted to a tensor.
    """

uint16: DType
uint32: DType
uint64: DType
uint8: DType
def unique(x: TensorLike, out_idx: DTypeLike = ..., name: str | None = None) -> Unique:
    """Return the distinct elements in order of appearance, and each element's index in them.

    Args:
        x: a tensor, or what converts to one.
        out_idx: the dtype of the indices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x` does not fit.

    Example:
        >>> tf.unique(tf.constant([7, 7, 5])).y.numpy()
        array([7, 5], dtype=int32)
    """

def unique_with_counts(
    x: TensorLike,
    out_idx: DTypeLike = ...,
    name: str | None = None,
) -> UniqueWithCounts:
    """Return what `unique` returns, and how often each element occurs.

    Args:
        x: a tensor, or what converts to one.
        out_idx: the dtype of the indices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def unravel_index(indices: TensorLike, dims: ShapeLike, name: str | None = None) -> Tensor:
    """Convert flat row-major indices to coordinates.

    Args:
        indices: indices, as integers.
        dims: the shape of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `indices` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `dims` has a dtype that it does not take, the shape of
            `dims` does not fit, the shapes of `indices` and `dims` do not fit together, or
            `indices` has an index that is out of range.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def unstack(
    value: TensorLike,
    num: IntLike | None = None,
    axis: AxisLike = 0,
    name: str = 'unstack',
) -> list[Tensor]:
    """Unstack a tensor along an axis into a list of tensors.

    Args:
        value: a tensor, or what converts to one.
        num: how many numbers; for unstack and split, how many parts.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A list of tensors.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `value` does not fit, `axis` is out of range,
            or `num` is negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> [x.numpy().tolist() for x in tf.unstack(tf.constant([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    """

def value_and_grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: _builtins.bool = False,
) -> Callable[..., Any]:
    """Return a function that computes the value of `function` and its gradient.

    The gradient is with respect to the arguments at `argnums`. With `has_aux`, `function` returns a
    pair (value, anything), and so does the new function in place of the value.

    Args:
        function: a function.
        argnums: by which arguments to differentiate: an index, or several.
        has_aux: whether the function returns a pair, of which only the first is differentiated.

    Raises:
        ValueError if the function does not return a scalar.

    Example:
        >>> value, slope = tf.value_and_grad(lambda x: x**2)(3.0)
        >>> float(value), float(slope)
        (9.0, 6.0)
    """

def variable_creator_scope(
    variable_creator: Callable[..., Any],
) -> contextlib.AbstractContextManager[None]:
    """Return a context manager in which `variable_creator(next_creator, **options)` makes what
    `tf.Variable` returns. The options are the arguments of `tf.Variable`, all of them by name; the
    creator may change them, and call `next_creator(**options)` or return something else.

    Of nested blocks, the creator of the inner one is called first. Subclasses of `tf.Variable` are
    made by themselves.

    Args:
        variable_creator: called as `creator(next_creator, **options)`.
    """

def vectorized_map(
    fn: Callable[..., Any],
    elems: TensorLike,
    fallback_to_while_loop: _builtins.bool = True,
    warn: _builtins.bool = True,
) -> Any:
    """Apply `fn` to all elements along axis 0 at once, by the batching rules.

    Args:
        fn: a function of one element, that is of one row of `elems`.
        elems: a tensor, or a nest of tensors, whose slices along the first axis are the elements.
        fallback_to_while_loop: whether ops without batching rule may run in a loop.
        warn: has no effect; there for compatibility.

    Returns:
        The results for all elements, stacked along axis 0.

    Raises:
        TypeError if `fn` is not callable.
        ValueError if the shape of `elems` does not fit.
        tf.errors.InvalidArgumentError if `elems` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.vectorized_map(lambda row: tf.reduce_max(row), tf.constant([[1, 5], [3, 2]])).numpy()
        array([5, 3], dtype=int32)
    """

def vjp(function: Callable[..., Any], *args: Tensor) -> _builtins.tuple[Any, ...]:
    """Return (value, pull): `pull(cotangent)` computes a cotangent for each argument.

    It can be called any number of times.

    Args:
        function: a function.
        *args: positional arguments.

    Raises:
        TypeError if `f` is not callable.

    Example:
        >>> value, pull = tf.vjp(tf.sin, tf.constant(0.0))
        >>> [float(x) for x in tf.nest.flatten(pull(tf.constant(2.0)))]
        [2.0]
    """

def vmap(
    function: Callable[..., Any],
    in_axes: int | Sequence[Any] | None = 0,
    out_axes: int = 0,
) -> Callable[..., Any]:
    """Vectorize `function` over an axis of its arguments.

    `in_axes` is the mapped axis of all arguments, or a sequence with one entry for each (None: the
    argument is not mapped). `out_axes` is the position of the mapped axis in the results. A random
    op that keeps a state, such as `tf.random.normal`, draws numbers for each example.

    Args:
        function: a function.
        in_axes: which axis of each argument is mapped over; None for one that is the same for all.
        out_axes: where the mapped axis is in the results.

    Returns:
        A function.

    Raises:
        tf.errors.InvalidArgumentError if an argument that is mapped is a scalar.

    Example:
        >>> tf.vmap(lambda row: tf.reduce_sum(row))(tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
        array([3., 7.], dtype=float32)
    """

def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x where the condition holds, else y; without them, the coordinates where it holds.

    Args:
        condition: truth values; without x and y, the indices of those that are true are returned.
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `condition` or `y` has a dtype that it does not take, the
            dtypes of `x` and `y` differ, or the shapes of `condition`, `x` and `y` do not fit
            together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.where(tf.constant([True, False]), [1.0, 2.0], 0.0).numpy()
        array([1., 0.], dtype=float32)
    """

def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: IntLike = 10,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds.

    Args:
        cond: a function of the loop variables: whether to go on.
        body: a function of the loop variables, which returns their next values.
        loop_vars: the first values of the loop variables.
        shape_invariants: which sizes may change from one round to the next.
        parallel_iterations: has no effect; there for compatibility.
        back_prop: whether gradients flow; False stops them.
        swap_memory: has no effect; there for compatibility.
        maximum_iterations: how many rounds at most.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The last values of the loop variables.

    Raises:
        TypeError if `cond` or `body` is not callable.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.while_loop(lambda i: i < 5, lambda i: [i + 2], [tf.constant(0)])[0].numpy()
        np.int32(6)
    """

def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return a tensor of zeros.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        layout: has no effect; there for compatibility.

    Raises:
        TypeError if `dtype` is not a known one.
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Example:
        >>> tf.zeros((2, 2)).numpy()
        array([[0., 0.],
               [0., 0.]], dtype=float32)
    """

def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return zeros of a tensor's shape (and by default its dtype).

    Args:
        input: a tensor, or what converts to one.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        layout: has no effect; there for compatibility.

    Raises:
        ValueError if `input` cannot be converted to a tensor.

    Example:
        >>> tf.zeros_like(tf.constant([1.5, 2.5])).numpy()
        array([0., 0.], dtype=float32)
    """

constant_initializer = _ConstantInitializer
divide = _truediv
matrix_square_root = _sqrtm
ones_initializer = _OnesInitializer
random_normal_initializer = _RandomNormalInitializer
random_uniform_initializer = _RandomUniformInitializer
space_to_batch_nd = space_to_batch
zeros_initializer = _ZerosInitializer
