"""Tensors, variables, dtypes and tapes: the names that are classes rather than ops."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes, errors
from gradtape.core.brief import brief
from gradtape.core.convert import (
    is_tensor_like,
    register_tensor_conversion_function,
    to_tensor_hinted,
)
from gradtape.core.dtypes import DType, as_dtype
from gradtape.core.shape import Dimension, TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine import black_box, functional
from gradtape.engine.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.variable import Variable
from gradtape.engine.vmap import per_example

export("Tensor")(Tensor)
export("Variable")(Variable)
export("GradientTape")(GradientTape)
export("UnconnectedGradients")(UnconnectedGradients)
export("TensorShape")(TensorShape)
export("compat.v1.Dimension")(Dimension)
export("IndexedSlices")(IndexedSlices)
export("DType", "dtypes.DType")(DType)
export("as_dtype", "dtypes.as_dtype")(as_dtype)
export("autodiff.GradientTape")(GradientTape)
export("autodiff.ForwardAccumulator")(ForwardAccumulator)
export("custom_gradient")(custom_gradient)
export("recompute_grad")(recompute_grad)
export("grad_pass_through")(grad_pass_through)
export("numpy_function")(per_example(black_box.numpy_function))
export("py_function")(per_example(black_box.py_function))
export("numerical_gradient")(black_box.numerical_gradient)
for _name in functional.__all__:
    export(_name, f"functional.{_name}")(getattr(functional, _name))
export("register_tensor_conversion_function")(register_tensor_conversion_function)

for _name, _dtype in dtypes.BY_NAME.items():
    if _name not in ("int4", "uint4", "float8_e4m3fn", "float8_e5m2"):
        export(_name)(_dtype)
    export(f"dtypes.{_name}")(_dtype)
export("half", "dtypes.half")(dtypes.half)
export("double", "dtypes.double")(dtypes.double)

for _name in dir(errors):
    if _name.endswith("Error") or (_name.isupper() and _name != "OK" and _name[0] != "_"):
        export(f"errors.{_name}")(getattr(errors, _name))
export("errors.OK")(errors.OK)


@export("experimental.dlpack.to_dlpack")
def to_dlpack(tf_tensor):
    """Return a DLPack capsule of a tensor's values."""
    if not isinstance(tf_tensor, Tensor):
        raise errors.InvalidArgumentError(
            f"The argument to `to_dlpack` must be a TF tensor, got {type(tf_tensor).__name__}"
        )
    return tf_tensor.__dlpack__()


_HOST_MEMORY, _GPU_MEMORY = 1, 2  # as DLPack numbers them


class _Capsule:
    """A capsule as an object of the DLPack protocol. It does not say in which memory it is."""

    def __init__(self, capsule, memory: int = _HOST_MEMORY) -> None:
        self._capsule = capsule
        self._memory = memory

    def __dlpack__(self, **options):
        return self._capsule

    def __dlpack_device__(self):
        return (self._memory, 0)


@export("experimental.dlpack.from_dlpack")
def from_dlpack(dlcapsule):
    """Return a tensor from a DLPack capsule, or from any object that offers one."""
    source = dlcapsule if hasattr(dlcapsule, "__dlpack__") else _Capsule(dlcapsule)
    try:
        return Tensor(np.from_dlpack(source).copy())
    except BufferError:
        if source is dlcapsule and source.__dlpack_device__()[0] == _HOST_MEMORY:
            raise
        from gradtape.backends.xla.runtime.tensor import from_dlpack

        return from_dlpack(_Capsule(dlcapsule, _GPU_MEMORY) if source is not dlcapsule else source)


@export("stop_gradient")
def stop_gradient(input, name=None) -> Tensor:
    """Return the same values without a gradient."""
    return ops.stop_gradient(input)


@export("is_tensor")
def is_tensor(x) -> bool:
    """Return whether x is a tensor or something that counts as one (a variable, IndexedSlices)."""
    return is_tensor_like(x)


@export("convert_to_tensor")
def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None) -> Tensor:
    """Convert a value to a tensor."""
    if dtype is not None:
        return ops.to_tensor(value, as_dtype(dtype))
    if dtype_hint is None:
        tensor = ops.to_tensor(value)
    else:
        tensor = to_tensor_hinted(value, as_dtype(dtype_hint))
    return ops.identity(tensor) if isinstance(value, Variable) else tensor


@export("constant")
def constant(value, dtype=None, shape=None, name="Const") -> Tensor:
    """Return a tensor with the given values, cast and reshaped (a single value is repeated) on
    demand."""
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor) and wanted is not None and value.dtype is not wanted:
        raise TypeError(
            f"Expected tensor {brief(value)} with dtype {wanted!r}, but got dtype "
            f"{value.dtype!r}. Use "
            f"tf.cast(x, tf.{wanted.name})."
        )
    tensor = ops.to_tensor(value, wanted)
    if shape is None:
        return tensor
    shape = ops.static_shape(shape)
    if tensor.shape == shape:
        return tensor
    if tensor.shape.num_elements() == 1:
        return ops.broadcast_to(ops.reshape(tensor, ()), shape)
    if tensor.shape.num_elements() == TensorShape(shape).num_elements():
        return ops.reshape(tensor, shape)
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {brief(tensor)} "
        "(converted from "
        f"{brief(value)}) has {tensor.shape.num_elements()} elements, but got `shape` "
        f"{list(shape)} with {TensorShape(shape).num_elements()} elements)."
    )
