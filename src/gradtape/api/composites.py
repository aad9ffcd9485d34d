"""The public functions that also take what is no tensor: sparse, ragged and symbolic ones.

What such a function does with them is registered by their classes (`core/composites.py`); this is
the list of names to which that applies. Elementwise ops ask for themselves; the others are given a
public face here that asks when they have raised an error.

Keras's symbolic tensors are taken by every function of tensors. The others get their faces when the
first symbolic tensor is made (`export.take_symbols`): before that, they cost nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from gradtape.core.composites import apply_to_composites, has_symbols
from gradtape.core.errors import OpError

# Functions of each element, with the number of arguments that are broadcast.
ELEMENTWISE: dict[str, int] = dict.fromkeys(
    """
    math.round math.rint math.erfcinv math.log_sigmoid math.reciprocal
    math.reciprocal_no_nan math.real math.imag math.conj math.angle math.sigmoid math.tanh
    math.softplus math.softsign nn.elu nn.gelu nn.leaky_relu nn.relu nn.relu6 nn.selu nn.silu
    nn.softplus nn.softsign nn.crelu math.bessel_i0 bitcast cast saturate_cast clip_by_value
    identity stop_gradient zeros_like ones_like debugging.check_numerics bitwise.invert
    math.nextafter math.logical_not nn.dropout
    strings.as_string strings.lower strings.upper strings.strip strings.length strings.substr
    strings.to_number strings.to_hash_bucket strings.to_hash_bucket_fast
    strings.to_hash_bucket_strong strings.regex_full_match strings.regex_replace
    strings.unicode_script strings.unicode_transcode strings.split strings.bytes_split
    strings.unicode_decode strings.unicode_decode_with_offsets strings.unicode_split
    strings.unicode_split_with_offsets io.decode_base64 io.encode_base64 io.decode_raw
    io.decode_compressed image.adjust_brightness image.adjust_gamma image.convert_image_dtype
    image.random_brightness image.stateless_random_brightness nn.experimental.stateless_dropout
    """.split(),
    1,
)
ELEMENTWISE.update(
    dict.fromkeys(
        """
        math.squared_difference math.xdivy math.xlog1py math.xlogy math.divide_no_nan
        math.logical_xor math.atan2 math.igamma math.igammac math.polygamma math.zeta
        math.floordiv math.floormod complex nn.sigmoid_cross_entropy_with_logits
        """.split(),
        2,
    )
)
ELEMENTWISE["math.nextafter"] = 2
ELEMENTWISE["math.betainc"] = 3

# Functions with an implementation of their own in `api/ragged`.
OTHERS = """
    where concat stack split tile reverse expand_dims squeeze shape size rank reshape one_hot gather
    gather_nd map_fn math.reduce_sum math.reduce_mean math.reduce_max math.reduce_min
    math.reduce_prod math.reduce_any math.reduce_all math.reduce_variance math.reduce_std
    math.reduce_logsumexp math.add_n math.cumsum math.unsorted_segment_sum
    math.unsorted_segment_prod math.unsorted_segment_max math.unsorted_segment_min
    math.unsorted_segment_mean math.unsorted_segment_sqrt_n math.bincount sparse.bincount nn.softmax
    nn.embedding_lookup strings.join strings.reduce_join strings.ngrams strings.unicode_encode
    strings.format linalg.matmul dynamic_partition image.resize
""".split()

_NAMES = frozenset({*ELEMENTWISE, *OTHERS})
# Namespaces without functions of tensors that a model could compute with, and single names.
_NOT_FOR_MODELS = frozenset(
    """
    __internal__ __operators__ audio autodiff autograph compat config data debugging distribute
    dtypes errors experimental feature_column graph graph_util io keras lookup nest profiler
    ragged raw_ops saved_model summary sysconfig test train types version
    """.split()
)
_NOT_OPERATIONS = frozenset(
    """
    Assert as_dtype case cond constant control_dependencies custom_gradient device
    executing_eagerly function get_current_name_scope get_logger get_static_value grad
    grad_pass_through gradients group hessian hessians hvp init_scope inside_function
    is_symbolic_tensor is_tensor jacobian jvp name_scope no_gradient no_op numerical_gradient
    numpy_function per_example_gradients print py_function recompute_grad
    register_tensor_conversion_function switch_case timestamp type_spec_from_value value_and_grad
    variable_creator_scope vectorized_map vjp vmap while_loop
    """.split()
)


def takes_symbols(name: str) -> bool:
    """Return whether a public name is that of a function that can be an operation of a model."""
    return name.partition(".")[0] not in _NOT_FOR_MODELS and name not in _NOT_OPERATIONS


def taking_composites(names: tuple[str, ...], function: Any) -> Any:
    """Return the public face of a function: itself, unless it is to take composites."""
    name = next((name for name in names if name in _NAMES), None)
    if name is None or not inspect.isfunction(function) or asks_for_itself(function):
        return function
    return _with_dispatch(name, function)


def taking_symbols(name: str, function: Callable) -> Callable:
    """Return the public face of a function: itself, unless it is to take symbolic tensors."""
    if not takes_symbols(name) or asks_for_itself(function):
        return function

    @functools.wraps(function)
    def face(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (AttributeError, TypeError, ValueError, OpError):
            if not has_symbols(args, kwargs):
                raise
            return apply_to_composites(name, function, args, kwargs)

    return face


def asks_for_itself(function: Callable) -> bool:
    """Return whether a function has the question in its body, which costs nothing at all."""
    return (
        hasattr(function, "primitive")
        or getattr(function, "takes_composites", False)
        or "apply_to_composites" in function.__code__.co_names
    )


def _with_dispatch(name: str, function: Callable) -> Callable:
    @functools.wraps(function)
    def face(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (AttributeError, TypeError, ValueError, OpError):
            result = apply_to_composites(name, function, args, kwargs)
            if result is NotImplemented:
                raise
            return result

    return face
