"""Functions of ragged tensors, by the rules of Keras's TensorFlow backend: rows keep their lengths.

A function that has no rule here, such as a convolution, pads its argument with zeros (`conversion`)
where TensorFlow's raises an error.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.api.ragged import broadcasting
from gradtape.api.ragged.tensor import RaggedTensor
from keras_gradtape.src import conversion
from keras_gradtape.src.promotion import inexact

Rule = Callable[..., Any]

# The functions of activations that mix the elements along an axis.
_ALONG_AXIS = frozenset(("glu", "log_softmax", "softmax", "sparsemax"))
# Those that say one thing of two tensors.
_OF_WHOLE = frozenset(("allclose",))


def _elementwise(count: int) -> Rule:
    """Return the rule of a function of each element of so many tensors (or numbers)."""

    def rule(function, *args, **kwargs):
        tensors = [i for i in range(count) if not isinstance(args[i], (bool, int, float))]

        def on_dense(*values):
            all_args = list(args)
            for i, value in zip(tensors, values, strict=True):
                all_args[i] = value
            return function(*all_args, **kwargs)

        return broadcasting.elementwise(on_dense, [args[i] for i in tensors], function.__name__)

    return rule


def _by(name: str, prepare: Callable | None = None) -> Rule:
    """Return the rule of a function that does what one of TensorFlow's does."""

    def rule(function, x, *args, **kwargs):
        if prepare is not None:
            x = x.with_flat_values(prepare(x.flat_values))
        return lookup(name)(x, *args, **kwargs)

    return rule


def _sums(name: str) -> Rule:
    """Return the rule of a sum or product over axes, for which narrow integers become wider."""

    def rule(function, x, axis=None, keepdims=False, dtype=None):
        # Over no axes, the function widens and does nothing else.
        values = function(x.flat_values, ())
        values = values if dtype is None else conversion.cast(values, dtype)
        return lookup(name)(x.with_flat_values(values), axis, keepdims)

    return rule


def _extreme(name: str) -> Rule:
    def rule(function, x, axis=None, keepdims=False, initial=None):
        result = lookup(name)(x, axis, keepdims)
        which = ops.maximum if name.endswith("max") else ops.minimum
        return result if initial is None else which(result, ops.cast(initial, result.dtype))

    return rule


def _truth(x):
    return conversion.cast(x, "bool")


def _take(function, x, indices, axis=None):
    if type(indices) is RaggedTensor and type(x) is not RaggedTensor:
        if not axis:
            return indices.with_flat_values(function(x, indices.flat_values, axis))
        x, numbers = conversion.convert_to_tensor(x), indices.flat_values
        from_end = ops.cast(x.shape[axis], numbers.dtype)
        indices = indices.with_flat_values(ops.where(numbers < 0, numbers + from_end, numbers))
    return lookup("gather")(x, indices, axis=0 if axis is None else axis)


def _one_hot(function, x, num_classes, axis=-1, dtype=None, sparse=False):
    if axis != -1 or sparse:
        return function(x.to_tensor(), num_classes, axis, dtype, sparse)
    return x.with_flat_values(function(x.flat_values, num_classes, -1, dtype))


def _matmul(function, x1, x2):
    # A product with a matrix is one of each row of the last axis.
    is_matrix = type(x1) is RaggedTensor and type(x2) is not RaggedTensor and len(x2.shape) == 2
    if is_matrix and len(x1.flat_values.shape) > 1:
        return x1.with_flat_values(function(x1.flat_values, x2))
    return function(*[conversion.convert_to_tensor(x) for x in (x1, x2)])


def _multi_hot(function, x, num_classes, axis=-1, dtype=None, sparse=False):
    # -1 has no code: what is not there is not in a row.
    return function(x.to_tensor(-1), num_classes, axis, dtype, sparse)


def _joined(name: str) -> Rule:
    return lambda function, xs, axis=0: lookup(name)(list(xs), axis)


def _moments(function, x, axes, keepdims=False, synchronized=False):
    return tuple(
        [lookup(f"math.reduce_{name}")(x, axes, keepdims) for name in ("mean", "variance")]
    )


def _expand_dims(function, x, axis):
    axes = axis if isinstance(axis, (list, tuple)) else [axis]
    for each in sorted(ops.normalize_axes("expand_dims", axes, len(x.shape) + len(axes))):
        x = lookup("expand_dims")(x, each)
    return x


def _batch_normalization(function, x, mean, variance, axis, *args, **kwargs):
    if axis not in (-1, len(x.shape) - 1):
        return function(x.to_tensor(), mean, variance, axis, *args, **kwargs)
    return x.with_flat_values(function(x.flat_values, mean, variance, -1, *args, **kwargs))


_NUMPY: dict[str, Rule] = {
    "all": _by("math.reduce_all", _truth),
    "amax": _extreme("math.reduce_max"),
    "amin": _extreme("math.reduce_min"),
    "any": _by("math.reduce_any", _truth),
    "concatenate": _joined("concat"),
    "expand_dims": _expand_dims,
    "full_like": _elementwise(1),
    "matmul": _matmul,
    "max": _extreme("math.reduce_max"),
    "mean": _by("math.reduce_mean", inexact),
    "min": _extreme("math.reduce_min"),
    "ndim": lambda function, x: len(x.shape),
    "ones_like": _elementwise(1),
    "prod": _sums("math.reduce_prod"),
    "reshape": _by("reshape"),
    "size": _by("size"),
    "squeeze": _by("squeeze"),
    "stack": _joined("stack"),
    "std": _by("math.reduce_std", inexact),
    "sum": _sums("math.reduce_sum"),
    "take": _take,
    "var": _by("math.reduce_variance", inexact),
    "where": _elementwise(3),
    "zeros_like": _elementwise(1),
}
_NN: dict[str, Rule] = {
    "batch_normalization": _batch_normalization,
    "moments": _moments,
    "multi_hot": _multi_hot,
    "one_hot": _one_hot,
    "softmax": _by("nn.softmax", inexact),
}
_MATH: dict[str, Rule] = {
    "erf": _elementwise(1),
    "logsumexp": _by("math.reduce_logsumexp", inexact),
    "rsqrt": _elementwise(1),
}


def _is_ragged(x: Any) -> bool:
    return type(x) is RaggedTensor or (
        type(x) in (list, tuple) and any(type(item) is RaggedTensor for item in x)
    )


def _with_rule(function: Callable, rule: Rule, count: int) -> Callable:
    """Return a function that applies a rule where one of its first arguments is ragged."""
    if count == 1:

        @functools.wraps(function)
        def of_one(x, *args, **kwargs):
            if type(x) is RaggedTensor:
                return rule(function, x, *args, **kwargs)
            return function(x, *args, **kwargs)

        return of_one

    @functools.wraps(function)
    def of_several(*args, **kwargs):
        if any(map(_is_ragged, args[:count])):
            return rule(function, *args, **kwargs)
        return function(*args, **kwargs)

    return of_several


def _operands(function: Callable) -> int:
    names = list(inspect.signature(function).parameters)
    return 2 if names[1:2] in (["x2"], ["y"]) else 1


def install(numpy: ModuleType, nn: ModuleType, math: ModuleType) -> None:
    """Let the functions of these modules that have a rule take ragged tensors."""
    elementwise = [(numpy, name) for name in numpy.elementwise.__all__]
    elementwise += [(nn, name) for name in nn.activations.__all__]
    for module, name in elementwise:
        if name not in _ALONG_AXIS | _OF_WHOLE:
            function = vars(module)[name]
            count = _operands(function)
            vars(module)[name] = _with_rule(function, _elementwise(count), count)
    several = {"concatenate": 2, "matmul": 2, "stack": 2, "take": 2, "where": 3}
    for module, rules in ((numpy, _NUMPY), (nn, _NN), (math, _MATH)):
        for name, rule in rules.items():
            vars(module)[name] = _with_rule(vars(module)[name], rule, several.get(name, 1))
