"""Batching: a function of one example, run on a stack of them by way of the batching rules."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.bind import bind
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import ByLoop, Primitive
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Spec, Tensor


class Batch:
    """One running `vmap`: the interpreter of the ops on its batched tensors."""

    __slots__ = ("active", "depth", "size")

    def __init__(self, size: int, depth: int) -> None:
        self.size = size
        self.depth = depth
        self.active = True

    def wrap(self, physical: Tensor) -> BatchedTensor:
        """A stack, axis 0 being the batch, as one example that stands for all."""
        return BatchedTensor(physical, self)

    def unwrap(self, x) -> Tensor:
        """The stack behind a result; a result that does not depend on the batch is repeated."""
        x = ops.to_tensor(x)
        if type(x) is BatchedTensor and x._interpreter is self:
            return x._physical
        return ops.broadcast_to(x, (self.size, *x.shape))

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        if not self.active:
            raise next(x for x in inputs if type(x) is not Tensor)._leaked()
        trace = get_state().trace
        if trace is not None and trace.depth > self.depth:  # of a part of the mapped function
            return trace.process(prim, inputs, params)
        batched = tuple(type(x) is BatchedTensor and x._interpreter is self for x in inputs)
        physical = tuple(
            x._physical if is_batched else x for x, is_batched in zip(inputs, batched, strict=True)
        )
        if isinstance(prim.batch, ByLoop):
            out = self._loop(prim, batched, physical, params)
        else:
            out = prim.batch(prim, self.size, batched, physical, params)
        return self.wrap(out) if isinstance(out, Tensor) else tuple(map(self.wrap, out))

    def _loop(self, prim: Primitive, batched: tuple, inputs: tuple, params: dict):
        rows = []
        for i in range(self.size):
            example = tuple(x[i] if b else x for x, b in zip(inputs, batched, strict=True))
            rows.append(bind(prim, example, params))
        if prim.outputs == 1:
            return ops.stack(rows)
        return tuple(ops.stack(column) for column in zip(*rows, strict=True))


class BatchedTensor(Tensor):
    """One example of a batch, to the function that `vmap` runs; all examples, to the engine.

    `_data` is only a description (shape and dtype of one example): there is no one value.
    """

    __slots__ = ("_interpreter", "_physical")

    def __init__(self, physical: Tensor, batch: Batch) -> None:
        spec = physical._spec()
        super().__init__(Spec(tuple(spec.shape)[1:], spec.dtype))
        self._physical = physical
        self._interpreter = batch

    def _spec(self) -> Spec:
        return self._data

    def _unmarked(self) -> BatchedTensor:
        return BatchedTensor(self._physical, self._interpreter)

    def _leaked(self) -> Exception:
        return RuntimeError(
            f"A tensor of shape {self.shape} from inside a vmap was used outside of it. It stands "
            "for all examples of the batch and has no value of its own: return it from the mapped "
            "function instead of storing it."
        )

    def numpy(self):
        if not self._interpreter.active:
            raise self._leaked()
        raise TypeError(
            f"A tensor of shape {self.shape} inside vmap has no single value: it stands for all "
            f"{self._interpreter.size} examples. Keep to tensor ops (tf.where for a choice), or "
            "use tf.map_fn, which runs the examples one by one."
        )

    _values = numpy

    def _single(self, kind: str):
        return self.numpy()

    def __array__(self, dtype=None, copy=None):
        return self.numpy()

    def __deepcopy__(self, memo):
        return self

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, one of "
            f"{self._interpreter.size} in vmap>"
        )

    __str__ = __repr__


def vmap(function, in_axes: Any = 0, out_axes: int = 0):
    """`function` mapped over an axis of its arguments, all examples at once.

    `in_axes` is the axis to map for all arguments, or a sequence with one entry for each (None:
    the argument is the same for all examples). `out_axes` is where the results have the axis.
    """

    def mapped(*args):
        axes = list(in_axes) if isinstance(in_axes, (list, tuple)) else [in_axes] * len(args)
        if len(axes) != len(args):
            raise ValueError(f"vmap: in_axes has {len(axes)} entries for {len(args)} arguments")
        stacks, size = [], None
        for arg, axis in zip(args, axes, strict=True):
            if axis is None:
                stacks.append(arg)
                continue
            stack = nest.map_structure(lambda x, axis=axis: _to_front(x, axis), arg)
            for x in nest.flatten(stack):
                if size is None:
                    size = x.shape[0]
                elif x.shape[0] != size:
                    raise ShapeError(
                        f"vmap: the mapped axes have different sizes, {size} and {x.shape[0]}"
                    )
            stacks.append(stack)
        if size is None:
            raise ValueError("vmap: at least one argument must be mapped")
        batch = Batch(size, get_state().depth + 1)
        try:
            with using(depth=batch.depth):
                results = function(
                    *[
                        stack if axis is None else nest.map_structure(batch.wrap, stack)
                        for stack, axis in zip(stacks, axes, strict=True)
                    ]
                )
            stacked = nest.map_structure(batch.unwrap, results)
            if out_axes == 0:
                return stacked
            return nest.map_structure(lambda y: ops.moveaxis(y, 0, out_axes), stacked)
        finally:
            batch.active = False

    return mapped


def _to_front(x, axis: int):
    x = ops.to_tensor(x)
    if x.ndim == 0:
        raise ShapeError("vmap: a scalar has no axis to map; pass None for it in in_axes")
    return x if axis == 0 else ops.moveaxis(x, axis, 0)
