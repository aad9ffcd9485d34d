"""Vectorization: a function of one example, run on a stack of them with the batching rules."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.bind import bind
from gradtape.core.errors import ShapeError
from gradtape.core.native import connect
from gradtape.core.primitive import ByLoop, Primitive
from gradtape.core.state import get_state, using
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Spec, Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.ops.families import batch_elementwise


class Batch:
    """A running `vmap`: the interpreter of the ops on its batched tensors.

    Where they are of this vmap alone, the core in C does what `process` does
    (src/native/core/batched.cpp).
    """

    __slots__ = ("active", "depth", "size")

    def __init__(self, size: int, depth: int) -> None:
        self.size = size
        self.depth = depth
        self.active = True

    def wrap(self, physical: Tensor) -> BatchedTensor:
        """Return a stack, whose axis 0 is the batch, as a tensor with the shape of one example."""
        return BatchedTensor(physical, self)

    def unwrap(self, x: Tensor) -> Tensor:
        """Return the stack of a result; broadcast a result that does not depend on the batch."""
        x = ops.to_tensor(x)
        if type(x) is BatchedTensor and x._interpreter is self:
            return x._physical
        return ops.broadcast_to(x, (self.size, *x.shape))

    def process(
        self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any]
    ) -> Tensor | tuple[Tensor, ...]:
        if not self.active:
            raise next(x for x in inputs if type(x) is not Tensor)._leaked()
        trace = get_state().trace
        if trace is not None and trace.depth > self.depth:  # of a part of the mapped function
            return trace.process(prim, inputs, params)
        batched = tuple([type(x) is BatchedTensor and x._interpreter is self for x in inputs])
        physical = tuple(
            [x._physical if own else x for x, own in zip(inputs, batched, strict=True)]
        )
        if isinstance(prim.batch, ByLoop):
            out = self._loop(prim, batched, physical, params)
        else:
            out = prim.batch(prim, self.size, batched, physical, params)
        return self.wrap(out) if isinstance(out, Tensor) else tuple(map(self.wrap, out))

    def _loop(
        self,
        prim: Primitive,
        batched: tuple[Any, ...],
        inputs: tuple[Any, ...],
        params: dict[Any, Any],
    ) -> Tensor | tuple[Tensor, ...]:
        rows = []
        for i in range(self.size):
            example = tuple(x[i] if b else x for x, b in zip(inputs, batched, strict=True))
            rows.append(bind(prim, example, params))
        if prim.outputs == 1:
            return ops.stack(rows)
        return tuple(ops.stack(column) for column in zip(*rows, strict=True))


class _NoSingleValue(TypeError, AttributeError):
    """One example of a vmap has no value."""


class BatchedTensor(SymbolicTensor):
    """One example of a batch, to the function that `vmap` runs; all examples, to the engine.

    `_data` is only a description (shape and dtype of one example): there is no single value.
    """

    __slots__ = ("_physical",)

    _interpreter: Batch
    _is_batched = True

    def __init__(self, physical: Tensor, batch: Batch) -> None:
        stack = physical._data
        super().__init__(Spec(stack.shape[1:], stack.dtype), batch)
        self._physical = physical

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

    @property
    def numpy(self) -> NoReturn:  # pyright: ignore[reportIncompatibleMethodOverride] (hasattr is to say no)
        """Raise: as in TensorFlow, programs find that there is no `numpy`, and do without it."""
        self._values()

    def _values(self) -> NoReturn:
        if not self._interpreter.active:
            raise self._leaked()
        raise _NoSingleValue(
            f"A tensor of shape {self.shape} inside vmap has no single value: it stands for all "
            f"{self._interpreter.size} examples. Keep to tensor ops (tf.where for a choice), or "
            "use tf.map_fn, which runs the examples one by one."
        )

    def _shared_value(self) -> Any:
        """Return the value of an argument that must be the same for all examples."""
        physical: Any = self._physical
        rows = physical._shared_value() if physical._is_batched else physical._values()
        if len(rows) and bool(np.all(rows == rows[:1])):
            return rows[0]
        raise TypeError(
            f"A size, an axis or the like must be the same for all {self._interpreter.size} "
            "examples of a vmap, and a tensor that differs between them was given. Use tf.map_fn, "
            "which runs the examples one by one."
        )

    def _offset(self) -> tuple[Any, int]:
        physical = self._physical
        return physical._offset() if isinstance(physical, SymbolicTensor) else (physical, 0)

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, one of "
            f"{self._interpreter.size} in vmap>"
        )

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    __str__ = __repr__


class _DrawingApart(threading.local):
    """The running vmaps whose examples draw random numbers of their own, outermost first."""

    batches: tuple[Batch, ...] = ()


_apart = _DrawingApart()


def batches_drawing_apart() -> tuple[Batch, ...]:
    """Return the vmaps, outermost first, for each of whose examples a random op draws here.

    A part of a mapped function that is traced, such as a loop's body, draws for all of them.
    """
    batches, trace = _apart.batches, get_state().trace
    if not batches or trace is None:
        return batches
    return tuple([batch for batch in batches if batch.depth > trace.depth])


def vmap(function: Callable[..., Any], in_axes: Any = 0, out_axes: int = 0) -> Callable[..., Any]:
    """Vectorize `function` over an axis of its arguments.

    `in_axes` is the mapped axis of all arguments, or a sequence with one entry for each (None: the
    argument is not mapped). `out_axes` is the position of the mapped axis in the results. A random
    op that keeps a state, such as `tf.random.normal`, draws numbers for each example.
    """
    return vectorized(function, in_axes, out_axes, draws_apart=True)


def vectorized(
    function: Callable[..., Any], in_axes: Any = 0, out_axes: int = 0, draws_apart: bool = False
) -> Callable[..., Any]:
    """Return a function vectorized as by `vmap`; without `draws_apart`, random ops draw once."""

    @filters_tracebacks
    def mapped(*args: Any) -> Tensor | Sequence[Any]:
        axes = list(in_axes) if isinstance(in_axes, (list, tuple)) else [in_axes] * len(args)
        if len(axes) != len(args):
            raise ValueError(f"vmap: in_axes has {len(axes)} entries for {len(args)} arguments")
        for axis in axes:
            if isinstance(axis, (dict, list, tuple)):
                raise TypeError(
                    "vmap: in_axes has an axis, or None, for each argument, which holds for all "
                    f"tensors in it; got {axis!r}."
                )
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
        outer = _apart.batches
        try:
            if draws_apart:
                _apart.batches = (*outer, batch)
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
            _apart.batches = outer
            batch.active = False

    return mapped


# --- masks: examples of which some go another way ------------------------------------------------


def select_examples(active: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return the stack x where an example is active, and the stack y elsewhere."""
    return ops.where(ops.reshape(active, (-1, *[1] * (len(x._data.shape) - 1))), x, y)


def replace_inactive(active: Tensor, x: Tensor) -> Tensor:
    """Return a stack with a copy of an active example in place of each inactive one.

    What is computed from the copies is discarded. It is as finite as what the active examples give:
    a gradient with respect to what all examples share gets 0 from it, and not 0 * inf. No gradient
    flows to the copies.
    """
    first = ops.argmax(ops.cast(active, "int32"), 0)
    copy = ops.stop_gradient(ops.gather(x, first))
    return select_examples(active, x, ops.expand_dims(copy, 0))


def is_any(flag: Tensor) -> bool:
    """Return whether a truth value holds, for any example if it differs between them."""
    while type(flag) is BatchedTensor:
        flag = ops.reduce_any(flag._physical)
    return bool(flag)


def are_all(flag: Tensor) -> Tensor:
    """Return a truth value, for all examples together if it differs between them."""
    while type(flag) is BatchedTensor:
        flag = ops.reduce_all(flag._physical)
    return flag


def keep_active(active: Tensor, x: Tensor) -> Tensor:
    """Do as `replace_inactive`, with tensors of one example: in ops that tapes inside vmap see."""
    if type(active) is not BatchedTensor or type(x) is not BatchedTensor:
        return x
    if active._interpreter is not x._interpreter:
        return ops.where(active, x, ops.stop_gradient(x))
    first = ops.argmax(ops.cast(active._physical, "int32"), 0)
    return ops.where(active, x, ops.stop_gradient(ops.gather(x._physical, first)))


def for_each_example(do: Callable[..., Any], inputs: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return a function without results, and its inputs, so that it is called for each example."""
    batches = [x._interpreter for x in inputs if type(x) is BatchedTensor]
    if not batches:
        return do, inputs
    batch = max(batches, key=lambda batch: batch.depth)
    batched = [type(x) is BatchedTensor and x._interpreter is batch for x in inputs]

    def do_all(*stacks: Tensor) -> None:
        for i in range(batch.size):
            do(*[x[i] if is_batched else x for x, is_batched in zip(stacks, batched, strict=True)])

    stacks = tuple([x._physical if b else x for x, b in zip(inputs, batched, strict=True)])
    return for_each_example(do_all, stacks)


def per_example(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` so that, under vmap, it is called for one example after another.

    For functions whose result depends on values in a way that no batching rule can express. The
    function that vmap runs is still called once, as TensorFlow's.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if get_state().depth == 0:
            return function(*args, **kwargs)
        arguments = (args, kwargs)
        leaves = nest.flatten(arguments)
        batches = [x._interpreter for x in leaves if type(x) is BatchedTensor]
        if not batches:
            return function(*args, **kwargs)
        batch = max(batches, key=lambda batch: batch.depth)
        results = []
        for i in range(batch.size):
            example = [
                x._physical[i] if type(x) is BatchedTensor and x._interpreter is batch else x
                for x in leaves
            ]
            some_args, some_kwargs = nest.pack_sequence_as(arguments, example)
            results.append(call(*some_args, **some_kwargs))
        return nest.map_structure(lambda *xs: batch.wrap(ops.stack(xs)), *results)

    return call


def _to_front(x: Tensor, axis: int) -> Tensor:
    x = ops.to_tensor(x)
    if x.ndim == 0:
        raise ShapeError("vmap: a scalar has no axis to map; pass None for it in in_axes")
    return x if axis == 0 else ops.moveaxis(x, axis, 0)


connect(Batch=Batch, BatchedTensor=BatchedTensor, batch_elementwise=batch_elementwise)
