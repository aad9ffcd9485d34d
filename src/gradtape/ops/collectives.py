"""Values brought together from all replicas of a function, and tensors spread over devices.

Collectives stand inside the function of one replica (see `gradtape.engine.trace.replicas`). A
value that is not computed there, a constant, is the same in all replicas: that is what the host's
kernels go by, and what makes these ops identities where there is one replica.
"""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec

__all__ = ["all_gather", "all_reduce", "check_summed", "laid_out"]

_SUMMED = "fciuV"  # kinds of NumPy's dtypes; "V" are those of ml_dtypes


def _all_reduced(tensors, xs, replicas: int) -> tuple:
    """The sums of tangents; those that are missing are zeros."""
    tensors = [ops.zeros_like(x) if t is None else t for x, t in zip(xs, tensors, strict=True)]
    return bind(all_reduce_p, tuple(tensors), {"replicas": replicas})


def _batch_all_reduce(prim, size, batched, inputs, params):
    stacks = [
        x if is_batched else ops.broadcast_to(x, (size, *x.shape))
        for x, is_batched in zip(inputs, batched, strict=True)
    ]
    return bind(prim, tuple(stacks), params)


# Every replica's result depends on all replicas' inputs: its cotangents are summed, too.
all_reduce_p = primitive(
    "all_reduce", "*xs",
    shape=lambda *xs, replicas: xs,
    vjp=lambda g, replicas: bind(all_reduce_p, tuple(g), {"replicas": replicas}),
    jvp=lambda t, xs, replicas: _all_reduced(t, xs, replicas),
    batch=_batch_all_reduce,
    outputs=None,
)  # fmt: skip


def check_summed(x) -> None:
    """Raise, for a tensor of no numbers."""
    if x._data.dtype.kind not in _SUMMED:
        raise DTypeError(
            f"all_reduce does not take a tensor of dtype {x.dtype.name} (shape {x.shape}): only "
            "numbers can be summed over replicas. Convert it with tf.cast. [Op:all_reduce]"
        )


def all_reduce(xs, replicas: int) -> list:
    """The sum over all replicas of each of some tensors, the same in all of them."""
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


def _gather_vjp(g, x_shape, replica, axis, replicas):
    """What a replica gave is in the results of all: its part of the sum of their cotangents."""
    total = bind(all_reduce_p, (g,), {"replicas": replicas})[0]
    size = x_shape[axis]
    rows = ops.cast(replica, "int32") * size + np.arange(size, dtype=np.int32)
    return ops.gather(total, rows, axis)


def _gather(x, replica, axis: int, replicas: int):
    return bind(all_gather_p, (x, replica), {"axis": axis, "replicas": replicas})


_NUMBER = NoDerivative("the number of a replica is an integer, which has no derivative")
all_gather_p = primitive(
    "all_gather", "x replica",
    shape=_gathered_shape,
    vjp={"x": _gather_vjp, "replica": _NUMBER},
    jvp={"x": lambda t, replica, axis, replicas: _gather(t, replica, axis, replicas),
         "replica": _NUMBER},
    batch=lambda prim, size, batched, inputs, params: _gather(
        inputs[0], inputs[1], params["axis"] + 1, params["replicas"]
    ),
)  # fmt: skip


def all_gather(x, replica, axis: int, replicas: int):
    """The tensors of all replicas, joined along an axis; `replica` is the number of this one."""
    x = to_tensor(x)
    if x.ndim == 0:
        raise ShapeError(
            "all_gather: a scalar has no axis to be joined along. Give it one with "
            "tf.expand_dims. [Op:all_gather]"
        )
    axis = ops.normalize_axis("all_gather", axis, x.ndim)
    return x if replicas == 1 else _gather(x, to_tensor(replica), axis, replicas)


# --- layouts -------------------------------------------------------------------------------------

laid_out_p = primitive(
    "laid_out", "x",
    shape=lambda x, mesh, axes: x,
    vjp={"x": lambda g, mesh, axes: laid_out(g, mesh, axes)},
    jvp="linear",
    batch=lambda prim, size, batched, inputs, params: laid_out(
        inputs[0], params["mesh"], (None, *params["axes"])
    ),
)  # fmt: skip


def laid_out(x, mesh, axes: tuple):
    """The tensor itself, in a program for several devices spread over them.

    `axes` has for each axis of the tensor the axis (or axes) of the mesh that it is divided over,
    or None.
    """
    return bind(laid_out_p, (to_tensor(x),), {"mesh": mesh, "axes": axes})
