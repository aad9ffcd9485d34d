"""Collectives, which combine values of all replicas of a function, and sharding of tensors.

Collectives are used inside the function of one replica (see `gradtape.graph.replicas`). A
value that is not computed there, a constant, is the same in all replicas: the kernels of the host
rely on it, and it makes these ops identities for a single replica.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import batch_leading

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = ["all_gather", "all_reduce", "check_summed", "with_sharding"]

_SUMMED = "fciuV"  # kinds of NumPy's dtypes; "V" are those of ml_dtypes


def _all_reduced(tensors: Any, xs: Any, replicas: int) -> tuple[Any, ...]:
    """Return the sums of tangents over all replicas; missing tangents are zeros."""
    tensors = [ops.zeros_like(x) if t is None else t for x, t in zip(xs, tensors, strict=True)]
    return bind(all_reduce_p, tuple(tensors), {"replicas": replicas})


# Every replica's result depends on all replicas' inputs: its cotangents are summed, too.
all_reduce_p = primitive(
    "all_reduce",
    "*xs",
    family="collective",
    shape=lambda *xs, replicas: xs,
    vjp=lambda g, replicas: bind(all_reduce_p, tuple(g), {"replicas": replicas}),
    jvp=lambda t, xs, replicas: _all_reduced(t, xs, replicas),
    batch=batch_leading,
    outputs=None,
)


def check_summed(x: Tensor) -> None:
    """Raise for a tensor whose dtype is not numeric."""
    if x._data.dtype.kind not in _SUMMED:
        raise DTypeError(
            f"all_reduce does not take a tensor of dtype {x.dtype.name} (shape {x.shape}): only "
            "numbers can be summed over replicas. Convert it with tf.cast. [Op:all_reduce]"
        )


def all_reduce(xs: Any, replicas: int) -> list[Any]:
    """Sum each of some tensors over all replicas; every replica gets the sums."""
    tensors = tuple(map(to_tensor, xs))
    for x in tensors:
        check_summed(x)
    if replicas == 1 or not tensors:
        return list(tensors)
    return list(bind(all_reduce_p, tensors, {"replicas": replicas}))


def _gathered_shape(x: Spec, replica: Spec, axis: int, replicas: int) -> Spec:
    shape = list(x.shape)
    shape[axis] *= replicas
    return Spec(tuple(shape), x.dtype)


def _gather_vjp(
    g: Tensor, x_shape: tuple[int, ...], replica: Tensor, axis: int, replicas: int
) -> Tensor:
    """Sum the cotangents of all replicas, and take the part that this replica contributed."""
    total = bind(all_reduce_p, (g,), {"replicas": replicas})[0]
    size = x_shape[axis]
    rows = ops.cast(replica, "int32") * size + np.arange(size, dtype=np.int32)
    return ops.gather(total, rows, axis)


def _gather(x: Tensor, replica: Tensor, axis: int, replicas: int) -> Tensor:
    return bind(all_gather_p, (x, replica), {"axis": axis, "replicas": replicas})


_NUMBER = NoDerivative("the number of a replica is an integer, which has no derivative")
all_gather_p = primitive(
    "all_gather",
    "x replica",
    family="collective",
    shape=_gathered_shape,
    vjp={"x": _gather_vjp, "replica": _NUMBER},
    jvp={
        "x": lambda t, replica, axis, replicas: _gather(t, replica, axis, replicas),
        "replica": _NUMBER,
    },
    batch=lambda prim, size, batched, inputs, params: _gather(
        inputs[0], inputs[1], params["axis"] + 1, params["replicas"]
    ),
)


def all_gather(x: TensorLike, replica: TensorLike, axis: int, replicas: int) -> Any:
    """Concatenate the tensors of all replicas along an axis; `replica` is the index of this one."""
    x = to_tensor(x)
    if x.ndim == 0:
        raise ShapeError(
            "all_gather: a scalar has no axis to be joined along. Give it one with "
            "tf.expand_dims. [Op:all_gather]"
        )
    axis = ops.normalize_axis("all_gather", axis, x.ndim)
    return x if replicas == 1 else _gather(x, to_tensor(replica), axis, replicas)


# --- layouts -------------------------------------------------------------------------------------

with_sharding_p = primitive(
    "with_sharding",
    "x",
    family="movement",
    shape=lambda x, mesh, axes: x,
    vjp={"x": lambda g, mesh, axes: with_sharding(g, mesh, axes)},
    jvp="linear",
    batch=lambda prim, size, batched, inputs, params: with_sharding(
        inputs[0], params["mesh"], (None, *params["axes"])
    ),
)


def with_sharding(x: TensorLike, mesh: Any, axes: tuple[Any, ...]) -> Tensor:
    """Return the tensor unchanged, sharded in programs for several devices.

    `axes` has for each axis of the tensor the mesh axis (or axes) that it is sharded over, or None.
    """
    return bind(with_sharding_p, (to_tensor(x),), {"mesh": mesh, "axes": axes})
