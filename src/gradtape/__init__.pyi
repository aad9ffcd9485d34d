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
from gradtape.explain.watchdog import NonFiniteError as NonFiniteError
from gradtape.explain.why_none import NoGradientWarning as NoGradientWarning
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
    """Raise an InvalidArgumentError that shows `data`, unless the condition holds."""

def approx_top_k(
    input: TensorLike,
    k: Any,
    reduction_dimension: IntLike = -1,
    recall_target: TensorLike = 0.95,
    is_max_k: _builtins.bool = True,
    reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: _builtins.bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """Return the k largest (smallest) elements along an axis, exactly."""

def argsort(
    values: Any,
    axis: AxisLike = -1,
    direction: str = 'ASCENDING',
    stable: _builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the indices that sort the values; the sort is stable."""

def as_dtype(type_value: Any) -> DType:
    """Convert a DType, a NumPy dtype or scalar type, a Python type, or a name to a `DType`."""

def as_string(
    input: TensorLike,
    precision: IntLike = -1,
    scientific: _builtins.bool = False,
    shortest: _builtins.bool = False,
    width: IntLike = -1,
    fill: str = '',
    name: str | None = None,
) -> Tensor:
    """Return numbers written as strings, as C's printf does."""

def batch_to_space(
    input: TensorLike,
    block_shape: ShapeLike,
    crops: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `space_to_batch`."""

bfloat16: DType
def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor:
    """Return the bits of a tensor, read as another dtype."""

bool: DType
def boolean_mask(
    tensor: TensorLike,
    mask: TensorLike,
    axis: AxisLike = None,
    name: str = 'boolean_mask',
) -> Tensor:
    """Return the slices where the mask holds."""

def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """Return the shape, as a tensor, that two shapes broadcast to."""

def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the shape that two known shapes broadcast to."""

def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Broadcast a tensor to a shape."""

def case(
    pred_fn_pairs: Any,
    default: TensorLike | None = None,
    exclusive: _builtins.bool = False,
    strict: _builtins.bool = False,
    name: str = 'case',
) -> Any:
    """Return the result of the first function whose condition holds, else of `default`."""

def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Return x with its elements converted to `dtype`."""

def check_pinned(tensor: TensorLike, name: str | None = None) -> Any:
    """Return the tensor: memory is the CPU's."""

def clip_by_global_norm(
    t_list: Any,
    clip_norm: TensorLike,
    use_norm: Any = None,
    name: str | None = None,
) -> _builtins.tuple[list[Any], Tensor]:
    """Return the tensors scaled so that their norm together is at most clip_norm, and that norm.

    If the norm is not finite, all results are nan.
    """

def clip_by_norm(
    t: TensorLike,
    clip_norm: TensorLike,
    axes: AxisLike = None,
    name: str | None = None,
) -> Tensor:
    """Return t scaled so that its Euclidean norm (along `axes`) is at most clip_norm."""

def clip_by_value(
    t: TensorLike,
    clip_value_min: TensorLike,
    clip_value_max: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Clip t to two bounds; at a bound, the gradient goes to t."""

def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Return complex numbers with these real and imaginary parts."""

complex128: DType
complex64: DType
def concat(values: Any, axis: AxisLike, name: str = 'concat') -> Tensor:
    """Concatenate tensors along an existing axis."""

def cond(
    pred: TensorLike,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return the result of `true_fn()` if the condition holds, of `false_fn()` otherwise."""

def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike = None,
    name: str = 'Const',
) -> Tensor:
    """Return a tensor with the given values, cast and reshaped (a single value is repeated) on
    demand.
    """

def control_dependencies(control_inputs: Any) -> nullcontext[None]:
    """Return an empty context manager, after calling the functions among the inputs: ops run in
    program order.
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
    """Return the gradient of a two-dimensional convolution by its filter."""

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
    """Return the gradient of a two-dimensional convolution by its input."""

def convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convert a value to a tensor."""

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
    """

@overload
def custom_gradient(f: None = None) -> Callable[[Callable[_P, Any]], Callable[_P, Any]]: ...

def debug_nonfinite(only_nan: _builtins.bool = False) -> AbstractContextManager[None]:
    """Make ops in the block raise an explained error if their results hold an inf or nan.

        with tf.debug_nonfinite():
            train_step(batch)

    `only_nan` lets infinities pass. Every op is checked, so that the block runs slower; what
    stands in a `tf.function` runs eagerly meanwhile.
    """

def device(device_name: str) -> AbstractContextManager[None]:
    """Return a context manager that places new tensors and variables on a device such as "/GPU:0".

    Ops run where their inputs are; in a block for the CPU, on the CPU. "/XLA:0" is XLA on the host,
    for machines without a GPU. A device that is not there means the CPU, unless
    `tf.config.set_soft_device_placement(False)` makes it an error.
    """

double: DType
def dynamic_partition(
    data: TensorLike,
    partitions: TensorLike,
    num_partitions: IntLike,
    name: str | None = None,
) -> list[Tensor]:
    """Distribute the slices of `data` over `num_partitions` tensors."""

def dynamic_stitch(indices: TensorLike, data: TensorLike, name: str | None = None) -> Tensor:
    """Merge the slices of several tensors into one, each at its index."""

def edit_distance(
    hypothesis: Any,
    truth: Any,
    normalize: _builtins.bool = True,
    name: str = 'edit_distance',
) -> Tensor:
    """Return the Levenshtein distance of sequences in sparse tensors, divided by the true
    length.
    """

def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Return the sum of products that an equation such as "ij,jk->ik" describes."""

def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Check that a tensor's shape is compatible with the given one, and return the tensor."""

def executing_eagerly() -> _builtins.bool:
    """Return whether the program is outside of all `tf.function`s, as in TensorFlow."""

def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Insert an axis of size 1."""

def extract_volume_patches(
    input: TensorLike,
    ksizes: Any,
    strides: ShapeLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the patches of volumes [batch, depth, height, width, channels], laid out in the
    channels.
    """

def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    batch_shape: ShapeLike = None,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
) -> Tensor:
    """Return (a stack of) identity matrices."""

def fftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    name: str | None = None,
) -> Tensor:
    """Return the Fourier transform of a complex tensor over `axes`, to the lengths given for
    them.
    """

def fill(dims: ShapeLike, value: TensorLike, name: str | None = None, layout: Any = None) -> Tensor:
    """Return a tensor filled with one value."""

def fingerprint(data: TensorLike, method: str = 'farmhash64', name: str | None = None) -> Tensor:
    """Return the fingerprint of each row of a tensor, as 8 bytes."""

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
    """Fold `fn(accumulated, element)` over axis 0, from the first element on."""

def foldr(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: Any = None,
    parallel_iterations: IntLike = 10,
    back_prop: _builtins.bool = True,
    swap_memory: _builtins.bool = False,
    name: str | None = None,
) -> Any:
    """Fold `fn(accumulated, element)` over axis 0, from the last element back."""

class _Function(Function, Generic[_P, _R]):  # pyright: ignore[reportIncompatibleMethodOverride] (a docstring of its own)
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
    """

@overload
def function(
    func: None = None, input_signature: Any = None, autograph: _builtins.bool = True, jit_compile: Any = None, reduce_retracing: _builtins.bool = False, experimental_implements: Any = None, experimental_autograph_options: Any = None, experimental_attributes: Any = None, experimental_relax_shapes: Any = None, experimental_compile: Any = None, experimental_follow_type_hints: Any = None
) -> Callable[[Callable[_P, _R]], _Function[_P, _R]]: ...

def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: AxisLike = None,
    batch_dims: IntLike = 0,
    name: str | None = None,
) -> Tensor:
    """Return the slices of `params` along an axis at `indices`."""

def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: IntLike = 0,
    name: str | None = None,
    bad_indices_policy: str = '',
) -> Tensor:
    """Return the slices of `params` at indices [..., axes]."""

def get_current_name_scope() -> str:
    """Return the name scopes that are open, joined by slashes."""

def get_logger() -> logging.Logger:
    """Return the logger that gradtape writes to."""

def get_static_value(tensor: TensorLike, partial: _builtins.bool = False) -> Any:
    """Return the value of a tensor as an array; None where that differs from call to call, as for a
    variable, and for a tensor of a function being traced.
    """

def grad(
    function: Callable[..., Any],
    argnums: IntLike = 0,
    has_aux: _builtins.bool = False,
) -> Callable[..., Any]:
    """Return a function that computes the gradient of a scalar function."""

def grad_pass_through(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return `f` with the gradient of the identity."""

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
    """Return the gradient of the sum of `ys` by each of `xs`, inside a `tf.function`."""

def group(*inputs: Any, **kwargs: Any) -> None:
    """Do nothing: what is to be grouped has run."""

def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the tensor itself: the guarantee is not used."""

half: DType
def hessian(function: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """Return a function that computes the Hessian of a scalar function.

    It is the Jacobian of the gradient.
    """

def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: _builtins.bool = False,
    aggregation_method: Any = None,
    name: str = 'hessians',
) -> list:
    """Return the Hessian of the sum of `ys` by each of `xs`, inside a `tf.function`."""

def histogram_fixed_width(
    values: Any,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return how many values fall in each of the equal bins of a range."""

def histogram_fixed_width_bins(
    values: Any,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return which of the equal bins of a range each value falls in; values outside, in the
    outermost.
    """

def hvp(
    function: Callable[..., Any],
    primals: TensorLike,
    vectors: _builtins.tuple[Tensor, ...],
) -> _builtins.tuple[Tensor, ...]:
    """Compute Hessian-vector products of a scalar function, forward over reverse."""

def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor with the same value (a new one to tapes); of IndexedSlices, IndexedSlices."""

def identity_n(input: TensorLike, name: str | None = None) -> list[Tensor]:
    """Return tensors with the same values."""

def ifftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    name: str | None = None,
) -> Tensor:
    """Return the inverse Fourier transform of a complex tensor over `axes`."""

def init_scope() -> AbstractContextManager[None]:
    """Open a block that no tape records, in which a function may create variables at any time.

    Where a function is being traced, the block runs at once, and not when the function is called.
    """

def inside_function() -> _builtins.bool:
    """Return whether the program is inside a `tf.function`."""

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
    """Return the real tensor with a half spectrum over `axes`, in the dtype `Treal`."""

def is_symbolic_tensor(tensor: TensorLike) -> _builtins.bool:
    """Return False: tensors have values."""

def is_tensor(x: TensorLike) -> _builtins.bool:
    """Return whether x is a tensor or something that counts as one (a variable, IndexedSlices)."""

def jacobian(
    function: Callable[..., Any],
    argnums: IntLike = 0,
    mode: str = 'auto',
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a tensor-valued function.

    The result has the value's shape followed by the argument's. `mode` is "reverse" (a backward
    pass per element of the value), "forward" (a forward pass per element of the argument), both
    vectorized, or "auto": the cheaper one.
    """

def jvp(
    function: Callable[..., Any],
    primals: TensorLike,
    tangents: Sequence[Tensor],
) -> _builtins.tuple[Tensor, ...]:
    """Return (value, tangent) of `function` at `primals`, in the direction of `tangents`."""

def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: IntLike,
    name: str | None = None,
    axis: AxisLike = 0,
) -> Tensor:
    """Return numbers in equal steps from start to stop, both included."""

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
    """Apply `fn` to each element along axis 0, one after the other, and stack the results."""

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
    """

def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Return the coordinates of the grid that vectors span: a tensor for each of them."""

def no_gradient(op_type: Any) -> None:
    """Raise the error that `RegisterGradient` raises."""

def no_op(name: str | None = None) -> None:
    """Do nothing."""

def norm(
    tensor: TensorLike,
    ord: str = 'euclidean',
    axis: AxisLike = None,
    keepdims: _builtins.bool | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the norm of vectors (one axis, or all elements) or of matrices (two axes).

    The gradient of the Euclidean norm of zeros is nan, as TensorFlow's.
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
    """

def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: _builtins.bool = True,
    name: str | None = None,
) -> Any:
    """Call a NumPy function on tensors. No gradient flows through it.

    Without `func` it is a decorator: `@tf.numpy_function(Tout=tf.float32)`.
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
    """Return, for each index, a vector with `on_value` there and `off_value` elsewhere."""

def ones(
    shape: ShapeLike,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return a tensor of ones."""

def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return ones of a tensor's shape (and by default its dtype)."""

def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = 'CONSTANT',
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """Pad a tensor with a constant, or with its mirrored elements."""

def parallel_stack(values: Any, name: str = 'parallel_stack') -> Tensor:
    """Stack tensors of one shape along a new first axis."""

def per_example_gradients(
    function: Callable[..., Any],
    variables: Any,
    *batches: Tensor,
) -> dict[str, Any]:
    """Compute the gradient of `function(example, …)` for each example of a batch.

    The gradients are with respect to `variables`; each has the batch as its first axis, before the
    axes of the variable.
    """

def print(*inputs: Any, **kwargs: Any) -> None:
    """Write values, tensors by their elements.

    Options are `output_stream` (a text stream, or "file://" and a path to append to; the default
    is the standard error), `summarize` (how many elements at each end of an axis; -1: all),
    `sep`, `end` and `name`.
    """

def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Call a Python function on tensors; what it computes with ops is differentiable."""

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
    """

def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str = 'range',
) -> Tensor:
    """Return numbers from start (0, if only a limit is given) to limit in steps of delta."""

def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the number of axes, as a tensor."""

def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `divide` elementwise."""

def recompute_grad(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return `f` with rematerialization: the backward pass computes intermediate results again.

    This trades time for memory: only the arguments (and variables) are kept.
    """

def register_tensor_conversion_function(
    base_type: Any,
    conversion_func: Callable[..., Any],
    priority: int = 100,
) -> None:
    """Register a function that converts values of a type to tensors."""

def repeat(
    input: TensorLike,
    repeats: TensorLike,
    axis: AxisLike = None,
    name: str | None = None,
) -> Tensor:
    """Repeat each element. A scalar counts as a vector."""

def required_space_to_batch_paddings(
    input_shape: Any,
    block_shape: ShapeLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> _builtins.tuple[Tensor, Tensor]:
    """Return (paddings, crops) that make a shape divisible by the blocks of `space_to_batch`."""

def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Reshape a tensor; one size may be -1."""

def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Reverse a tensor along some axes."""

def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_axis`, for each i of `batch_axis`."""

def rfftnd(
    input: TensorLike,
    fft_length: ShapeLike,
    axes: AxisLike,
    Tcomplex: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the half spectrum of a real tensor over `axes`, in the dtype `Tcomplex`."""

def roll(input: TensorLike, shift: Any, axis: AxisLike, name: str | None = None) -> Tensor:
    """Shift the elements of a tensor along axes; those beyond the end wrap around."""

def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Cast to `dtype`; values outside its range become the nearest bound."""

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
    """Return the stacked partial results of folding `fn(accumulated, element)` over axis 0."""

def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return zeros of a shape, with updates added at indices [..., axes]."""

def searchsorted(
    sorted_sequence: TensorLike,
    values: Any,
    side: str = 'left',
    out_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the indices at which values would be inserted into a sorted sequence (row by row)."""

def sequence_mask(
    lengths: TensorLike,
    maxlen: IntLike | None = None,
    dtype: DTypeLike = 'bool',
    name: str | None = None,
) -> Tensor:
    """Return masks: for each length, a vector whose first `length` elements are true."""

def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the shape, as a tensor of integers."""

def shape_n(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> list[Tensor]:
    """Return the shapes of several tensors."""

def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the number of elements, as a tensor."""

def slice(
    input_: TensorLike,
    begin: TensorLike,
    size: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Slice a block from `begin` on, of the given size (-1: all that remains)."""

def sort(
    values: Any,
    axis: AxisLike = -1,
    direction: str = 'ASCENDING',
    name: str | None = None,
) -> Tensor:
    """Sort the values along an axis."""

def space_to_batch(
    input: TensorLike,
    block_shape: ShapeLike,
    paddings: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Move the elements of spatial blocks to the batch axis."""

def split(
    value: TensorLike,
    num_or_size_splits: Any,
    axis: AxisLike = 0,
    num: IntLike | None = None,
    name: str = 'split',
) -> list[Tensor]:
    """Split a tensor along an axis into equal parts, or parts of given sizes."""

def squeeze(input: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Remove the axes of size 1, or those given."""

def stack(values: Any, axis: AxisLike = 0, name: str = 'stack') -> Tensor:
    """Stack tensors of one shape along a new axis."""

def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the same values without a gradient."""

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
    """Return the slice that bounds, steps and masks describe: what `x[...]` means."""

string: DType
def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: TensorLike | None = None,
    name: str = 'switch_case',
) -> Any:
    """Return the result of the function with this index; out of range: of `default` or the last."""

def tensor_scatter_nd_add(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with updates added at indices [..., axes]."""

def tensor_scatter_nd_max(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with the larger of it and updates at indices [..., axes]."""

def tensor_scatter_nd_min(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with the smaller of it and updates at indices [..., axes]."""

def tensor_scatter_nd_sub(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the tensor with updates subtracted at indices [..., axes]."""

def tensor_scatter_nd_update(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the tensor with its slices at indices [..., axes] replaced by updates."""

def tensordot(a: TensorLike, b: TensorLike, axes: AxisLike, name: str | None = None) -> Tensor:
    """Return the sum of products over the last axes of a and the first of b, or over the pairs
    given.
    """

def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Repeat a tensor as a block, a given number of times along each axis."""

def timestamp(name: str | None = None) -> Tensor:
    """Return the seconds since 1970, as float64."""

def to_device(x: TensorLike, device_name: str) -> Tensor:
    """Return a tensor (or the value of a variable) on another device; derivatives go through the
    copy.
    """

def transpose(
    a: TensorLike,
    perm: Any = None,
    conjugate: _builtins.bool = False,
    name: str = 'transpose',
) -> Tensor:
    """Transpose a tensor: reverse its axes, or permute them by `perm`."""

def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `truncatediv` elementwise."""

def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute `truncatemod` elementwise."""

def tuple(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list:
    """Return the tensors, as a list."""

def type_spec_from_value(value: TensorLike) -> Any:
    """Return the spec of a value."""

uint16: DType
uint32: DType
uint64: DType
uint8: DType
def unique(x: TensorLike, out_idx: DTypeLike = ..., name: str | None = None) -> Unique:
    """Return the distinct elements in order of appearance, and each element's index in them."""

def unique_with_counts(
    x: TensorLike,
    out_idx: DTypeLike = ...,
    name: str | None = None,
) -> UniqueWithCounts:
    """Return what `unique` returns, and how often each element occurs."""

def unravel_index(indices: TensorLike, dims: ShapeLike, name: str | None = None) -> Tensor:
    """Convert flat row-major indices to coordinates."""

def unstack(
    value: TensorLike,
    num: IntLike | None = None,
    axis: AxisLike = 0,
    name: str = 'unstack',
) -> list[Tensor]:
    """Unstack a tensor along an axis into a list of tensors."""

def value_and_grad(
    function: Callable[..., Any],
    argnums: IntLike = 0,
    has_aux: _builtins.bool = False,
) -> Callable[..., Any]:
    """Return a function that computes the value of `function` and its gradient.

    The gradient is with respect to the arguments at `argnums`. With `has_aux`, `function` returns a
    pair (value, anything), and so does the new function in place of the value.
    """

def variable_creator_scope(
    variable_creator: Callable[..., Any],
) -> contextlib.AbstractContextManager[None]:
    """Return a context manager in which `variable_creator(next_creator, **options)` makes what
    `tf.Variable` returns. The options are the arguments of `tf.Variable`, all of them by name; the
    creator may change them, and call `next_creator(**options)` or return something else.

    Of nested blocks, the creator of the inner one is called first. Subclasses of `tf.Variable` are
    made by themselves.
    """

def vectorized_map(
    fn: Callable[..., Any],
    elems: TensorLike,
    fallback_to_while_loop: _builtins.bool = True,
    warn: _builtins.bool = True,
) -> Any:
    """Apply `fn` to all elements along axis 0 at once, by the batching rules."""

def vjp(function: Callable[..., Any], *args: Tensor) -> _builtins.tuple[Any, ...]:
    """Return (value, pull): `pull(cotangent)` computes a cotangent for each argument.

    It can be called any number of times.
    """

def vmap(
    function: Callable[..., Any],
    in_axes: IntLike = 0,
    out_axes: int = 0,
) -> Callable[..., Any]:
    """Vectorize `function` over an axis of its arguments.

    `in_axes` is the mapped axis of all arguments, or a sequence with one entry for each (None: the
    argument is not mapped). `out_axes` is the position of the mapped axis in the results.
    """

def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x where the condition holds, else y; without them, the coordinates where it holds."""

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
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds."""

def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = 'float32',
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return a tensor of zeros."""

def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: Any = None,
) -> Tensor:
    """Return zeros of a tensor's shape (and by default its dtype)."""

constant_initializer = _ConstantInitializer
divide = _truediv
matrix_square_root = _sqrtm
ones_initializer = _OnesInitializer
random_normal_initializer = _RandomNormalInitializer
random_uniform_initializer = _RandomUniformInitializer
space_to_batch_nd = space_to_batch
zeros_initializer = _ZerosInitializer
