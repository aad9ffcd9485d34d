"""`tensorflow.python.framework` and `eager.context`: tensors, shapes, static values."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import gradtape
from gradtape import ops
from gradtape.api.compat.scopes import get_static_value
from gradtape.api.compat.v1_sessions import get_default_graph
from gradtape.api.compat.v1_variables import NameScope
from gradtape.api.specs import CompositeTensor
from gradtape.core import dtypes
from gradtape.core.default_graph import DefaultGraph
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable

__all__ = ["get_default_graph"]

EagerTensor = Tensor
Graph = DefaultGraph
constant_value = try_evaluate_constant = get_static_value
name_scope_v2 = vars(gradtape)["name_scope"]


def name_scope(name, default_name=None, values=None, skip_on_eager=True):
    """Open a scope of names; of the default name, or none, where the name is None."""
    return NameScope(name, default_name, None)


def executing_eagerly_outside_functions() -> bool:
    """Return True."""
    return True


def inside_function() -> bool:
    """Return whether a function is being traced."""
    return not vars(gradtape)["executing_eagerly"]()


def convert_to_tensor_or_composite(value, dtype=None, name=None):
    """Convert to a tensor what is not made of tensors."""
    return value if isinstance(value, CompositeTensor) else ops.to_tensor(value, dtype)


def is_dense_tensor_like(value) -> bool:
    """Return whether a value is a tensor or a variable."""
    return isinstance(value, (Tensor, Variable))


is_tf_type = vars(gradtape)["is_tensor"]


def constant_value_as_shape(tensor) -> TensorShape:
    """Return a tensor of sizes as a shape; sizes that are not known are None."""
    value = get_static_value(tensor)
    if value is not None:
        return TensorShape([None if n < 0 else int(n) for n in value])
    return TensorShape([None] * int(tensor.shape[0]) if tensor.shape.rank else None)


def shape_tensor(shape) -> Tensor:
    """Return a shape as a tensor of integers."""
    return ops.to_tensor(shape, dtype=None if ops.is_tensor_like(shape) else dtypes.int32)


def as_shape(shape) -> TensorShape:
    """Return a shape as a TensorShape."""
    return TensorShape(shape)


def as_dimension(value):
    """Return a size."""
    return value


def unknown_shape(rank=None, **kwargs) -> TensorShape:
    """Return a shape of which at most the rank is known."""
    return TensorShape(None if rank is None else [None] * rank)


# --- smart_cond ----------------------------------------------------------------------------------


def smart_constant_value(pred) -> Any:
    """Return the value of a condition, if it is known."""
    if isinstance(pred, (Tensor, Variable)):
        value = get_static_value(pred)
        return None if value is None else bool(value)
    return bool(pred)


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """Call the one function or the other; in a graph both, if the condition is not known."""
    known = smart_constant_value(pred)
    if known is None:
        return vars(gradtape)["cond"](pred, true_fn=true_fn, false_fn=false_fn)
    chosen = true_fn if known else false_fn
    return None if chosen is None else chosen()


# --- eager.context -------------------------------------------------------------------------------

GRAPH_MODE, EAGER_MODE = 0, 1


def context() -> SimpleNamespace:
    """Return what programs ask TensorFlow's context for."""
    eager = vars(gradtape)["executing_eagerly"]
    return SimpleNamespace(
        executing_eagerly=eager,
        num_gpus=num_gpus,
        scope_name="",
        device_name=None,
        device_spec=vars(gradtape)["DeviceSpec"](),
        list_logical_devices=vars(gradtape)["config"].list_logical_devices,
    )


def num_gpus() -> int:
    """Return how many GPUs programs can name."""
    return len(vars(gradtape)["config"].list_logical_devices("GPU"))


def eager_mode():
    """Open a block whose ops run at once, also where a function is being traced."""
    return contextlib.nullcontext() if in_eager_mode() else vars(gradtape)["init_scope"]()


def graph_mode():
    """Raise: there are no graphs but those of functions."""
    raise RuntimeError(
        "graph_mode: gradtape builds no graphs for a session, as TensorFlow 1 did. Make the "
        "computation a tf.function, and call it."
    )


def in_eager_mode() -> bool:
    """Return whether no function is being traced."""
    return vars(gradtape)["executing_eagerly"]()


def get_seed(op_seed):
    """Return the seeds of a random op: the process's, and its own."""
    return None, op_seed
