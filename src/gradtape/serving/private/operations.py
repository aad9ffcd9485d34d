"""`tensorflow.python.ops`: functions that have no public name in TensorFlow 2."""

from __future__ import annotations

import functools

import gradtape
from gradtape import ops
from gradtape.core import dtypes
from gradtape.engine.variable import Variable

tf = vars(gradtape)

ENABLE_CONTROL_FLOW_V2 = True
VariableV1 = RefVariable = Variable
where_v2 = tf["where"]
reverse_v2 = tf["reverse"]
gather_v2 = tf["gather"]
_slice_helper_var = _SliceHelperVar = Variable.__getitem__
# Kinds of linear operators whose sums have a kind of their own.
SUPPORTED_OPERATORS: list = []


def pfor(loop_fn, iters, fallback_to_while_loop=True, parallel_iterations=None, warn=False):
    """Return the results of a function of the numbers from 0 to `iters`, stacked."""
    return tf["vectorized_map"](loop_fn, tf["range"](iters))


def EnableControlFlowV2(graph) -> bool:  # TensorFlow's name
    """Return True."""
    return True


def GraphOrParentsInXlaContext(graph) -> bool:  # TensorFlow's name
    """Return False: what XLA compiles is traced like anything else."""
    return False


def IsInWhileContext(op) -> bool:  # TensorFlow's name
    """Return False."""
    return False


def _case_helper(
    cond_fn, pred_fn_pairs, default, exclusive, name, allow_python_preds=False, **cond_kwargs
):
    """Call the function of the first condition that holds, with `cond_fn` in the place of
    `tf.cond`."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ValueError("case: pred_fn_pairs is empty")
    if default is None:
        *pairs, (_, default) = pairs
    for pred, function in reversed(pairs):
        default = functools.partial(cond_fn, pred, function, default, **cond_kwargs)
    return default()


def prevent_gradient(input, message="", name=None):
    """Return a tensor whose gradient is an error."""

    @tf["custom_gradient"]
    def through(x):
        def backward(*_):
            raise LookupError(f"The gradient of this tensor is prevented: {message}")

        return ops.identity(x), backward

    return through(ops.to_tensor(input))


def broadcast_static_shape(shape_x, shape_y):
    """Return the shape of two that are broadcast."""
    return tf["broadcast_static_shape"](shape_x, shape_y)


def shape_internal(input, name=None, optimize=True, out_type=None):
    """Return the shape of a tensor, as a tensor."""
    return tf["shape"](input, out_type=out_type or dtypes.int32)


def add_operators(operators, operator_name=None, addition_tiers=None, name=None):
    """Return linear operators as they are: a sum of two kinds has no kind of its own."""
    return list(operators)


def matmul_with_broadcast(a, b, **options):
    """Return the product of stacks of matrices."""
    return tf["matmul"](a, b, **options)


class Convolution:
    """A convolution whose options are given before its tensors."""

    def __init__(
        self,
        input_shape,
        filter_shape,
        padding,
        strides=None,
        dilation_rate=None,
        name=None,
        data_format=None,
        **options,
    ) -> None:
        self._options = {
            "padding": padding,
            "strides": strides,
            "dilations": dilation_rate,
            "data_format": data_format,
        }

    def __call__(self, inp, filter):
        return tf["nn"].convolution(inp, filter, **self._options)


def parameterized_truncated_normal(
    shape, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, dtype=dtypes.float32, seed=None
):
    """Draw from normal distributions that are cut at two values."""
    draw = tf["random"].stateless_parameterized_truncated_normal
    seeds = tf["random"].uniform([2], maxval=2**31 - 1, dtype=dtypes.int32, seed=seed)
    return draw(shape, seeds, *(ops.cast(x, dtype) for x in (means, stddevs, minvals, maxvals)))


def _ShapeTensor(shape):  # TensorFlow's name
    return ops.to_tensor(shape, dtype=None if ops.is_tensor_like(shape) else dtypes.int32)
