"""Tensors and variables, control flow, indexed updates, gradients: Keras's `backend.core`."""

from __future__ import annotations

import builtins
import contextlib
import functools

import numpy as np
from keras.src import tree
from keras.src.backend.common.stateless_scope import StatelessScope, in_stateless_scope

import gradtape
from gradtape import ops
from gradtape.api import traced_flow
from gradtape.engine.trace.eagerly import inlined
from keras_gradtape.src.abstract import NeedsValue, current_tracing
from keras_gradtape.src.conversion import is_tensor, shape
from keras_gradtape.src.output_spec import compute_output_spec
from keras_gradtape.src.sparse import cast, convert_to_numpy, convert_to_tensor
from keras_gradtape.src.variable import Variable, assignments

__all__ = [
    "Variable", "associative_scan", "cast", "compute_output_spec", "cond", "convert_to_numpy",
    "convert_to_tensor", "custom_gradient", "device_scope", "fori_loop", "is_tensor", "map",
    "random_seed_dtype", "remat", "scan", "scatter", "scatter_update", "shape", "slice",
    "slice_update", "stop_gradient", "switch", "unstack", "vectorized_map", "while_loop",
]  # fmt: skip

SUPPORTS_SPARSE_TENSORS = True
SUPPORTS_RAGGED_TENSORS = False
SUPPORTS_COMPLEX_DTYPES = True
IS_THREAD_SAFE = True


def random_seed_dtype() -> str:
    """The dtype of seeds: two words of 32 bits."""
    return "uint32"


@contextlib.contextmanager
def device_scope(device_name):
    """The place to compute. There is one, the CPU."""
    if not isinstance(device_name, str):
        raise ValueError(
            "Invalid value for argument `device_name`. Expected a string like 'gpu:0' or 'cpu'. "
            f"Received: device_name='{device_name}'"
        )
    yield


# --- control flow: Python's own, which tapes record through --------------------------------------


def cond(pred, true_fn, false_fn):
    """`true_fn()` or `false_fn()`. In a symbolic call, where both give the same, the first."""
    if traced_flow.undecided(pred) is not None:
        return traced_flow.choice(pred, true_fn, false_fn)
    try:
        chosen = bool(pred)
    except NeedsValue:
        current_tracing().asked_for_value = False
        chosen = True
    return true_fn() if chosen else false_fn()


def switch(index, branches, *operands):
    """The branch of a number, which is moved into the range of branches."""
    if traced_flow.undecided(index) is not None:
        index = ops.minimum(ops.maximum(convert_to_tensor(index, "int32"), 0), len(branches) - 1)
        return traced_flow.branches(index, [functools.partial(b, *operands) for b in branches])
    try:
        index = int(convert_to_tensor(index, "int32"))
    except NeedsValue:
        current_tracing().asked_for_value = False
        index = 0
    return branches[min(max(index, 0), len(branches) - 1)](*operands)


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    """`body` of the loop variables while `cond` of them is true."""
    is_tuple = isinstance(loop_vars, (tuple, list))
    state = tuple(loop_vars) if is_tuple else (loop_vars,)
    state = tree.map_structure(convert_to_tensor, state)
    if traced_flow.is_tracing():
        limit = None if maximum_iterations is None else int(maximum_iterations)
        state = traced_flow.loop(cond, body, state, limit)
        return state if is_tuple else state[0]
    count = 0
    while (maximum_iterations is None or count < maximum_iterations) and cond(*state):
        state = body(*state)
        state = tuple(state) if isinstance(state, (list, tuple)) else (state,)
        count += 1
    return state if is_tuple else state[0]


def fori_loop(lower, upper, body_fun, init_val):
    """`body_fun(i, value)` for each i from lower up to upper."""
    value = init_val
    for i in range(int(lower), int(upper)):
        value = body_fun(i, value)
    return value


def map(f, xs):
    """`f` of each element along axis 0, one after the other, stacked."""
    return scan(lambda _, x: ((), f(x)), (), xs)[1]


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    """Fold `f(carry, x) -> (carry, y)` over axis 0: the last carry, and all y stacked."""
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    if not isinstance(unroll, bool) and (not isinstance(unroll, int) or unroll < 1):
        raise ValueError(
            f"`unroll` must be an positive integer or boolean. Received: unroll={unroll}"
        )
    if xs is None and length is None:
        raise ValueError("Got no `xs` to scan over and `length` not provided.")
    leaves = [] if xs is None else [convert_to_tensor(x) for x in tree.flatten(xs)]
    count = leaves[0].shape[0] if length is None else int(length)
    carry = tree.map_structure(convert_to_tensor, init)
    missing = tree.map_structure(ops.zeros_like, carry)
    order = range(count - 1, -1, -1) if reverse else range(count)
    found = []
    for i in order:
        x = None if xs is None else tree.pack_sequence_as(xs, [leaf[i] for leaf in leaves])
        carry, y = f(carry, x)
        found.append(missing if y is None else y)
    if reverse:
        found.reverse()
    return carry, tree.map_structure(
        lambda *rows: ops.stack([convert_to_tensor(row) for row in rows]), *found
    )


def associative_scan(f, elems, reverse=False, axis=0):
    """All the partial results of combining the elements along an axis, in a tree of `f`s."""
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    flat = [convert_to_tensor(x) for x in tree.flatten(elems)]
    if len({x.shape[axis] for x in flat}) > 1:
        raise ValueError(
            "Array inputs to associative_scan must have the same first dimension. (saw: "
            f"{[x.shape for x in flat]})"
        )
    axis = axis if axis >= 0 else axis + flat[0].ndim

    def combine(a: list, b: list) -> list:
        a, b = tree.pack_sequence_as(elems, a), tree.pack_sequence_as(elems, b)
        return tree.flatten(f(a, b))

    def every_other(xs: list, start: int, stop=None) -> list:
        key = (builtins.slice(None),) * axis + (builtins.slice(start, stop, 2),)
        return [x[key] for x in xs]

    def partial(xs: list) -> list:
        count = xs[0].shape[axis]
        if count < 2:
            return xs
        # Pairs are combined first, so that their partial results are every second one wanted; the
        # others follow from them in one more step.
        odd = partial(combine(every_other(xs, 0, count - 1), every_other(xs, 1)))
        first = [ops.slice_along(x, axis, 0, 1) for x in xs]
        if count == 2:
            even = first
        else:
            before = (
                odd if count % 2 else [ops.slice_along(x, axis, 0, count // 2 - 1) for x in odd]
            )
            even = combine(before, every_other(xs, 2))
            even = [ops.concat([a, b], axis) for a, b in zip(first, even, strict=True)]
        return [_interleaved(a, b, axis) for a, b in zip(even, odd, strict=True)]

    if reverse:
        flat = [ops.reverse(x, [axis]) for x in flat]
    flat = partial(flat)
    if reverse:
        flat = [ops.reverse(x, [axis]) for x in flat]
    return tree.pack_sequence_as(elems, flat)


def _interleaved(a, b, axis: int):
    """Elements of a and b in turn along an axis; a may have one more."""
    count = b.shape[axis]
    pairs = ops.stack([ops.slice_along(a, axis, 0, count), b], axis + 1)
    sizes = (*b.shape[:axis], 2 * count, *b.shape[axis + 1 :])
    joined = ops.reshape(pairs, sizes)
    if a.shape[axis] == count:
        return joined
    return ops.concat([joined, ops.slice_along(a, axis, count, count + 1)], axis)


def vectorized_map(function, elements):
    """`function` of each element along axis 0, all at once by way of batching rules."""
    elements = tree.map_structure(convert_to_tensor, elements)
    return gradtape.vectorized_map(function, elements)


# --- indexed reads and updates -------------------------------------------------------------------


def scatter(indices, values, shape):
    """Zeros of a shape with values added at indices."""
    return ops.scatter_nd(convert_to_tensor(indices), convert_to_tensor(values), shape)


def scatter_update(inputs, indices, updates, reduction=None):
    """`inputs` with the entries at indices replaced, or combined with the updates."""
    inputs = convert_to_tensor(inputs)
    indices = convert_to_tensor(indices)
    updates = convert_to_tensor(updates, inputs.dtype)
    if reduction == "mul":
        return inputs * _scattered_product(indices, updates, tuple(inputs.shape))
    update = _SCATTERS.get(reduction)
    if update is None:
        raise ValueError(f"Unsupported reduction: {reduction}")
    return update(inputs, indices, updates)


_SCATTERS = {
    None: ops.tensor_scatter_nd_update,
    "add": ops.tensor_scatter_nd_add,
    "max": ops.tensor_scatter_nd_max,
    "min": ops.tensor_scatter_nd_min,
}


def _scattered_product(indices, updates, sizes: tuple):
    """Ones of a shape, multiplied at indices by updates; repeated indices multiply."""
    depth = indices.shape[-1]
    outer = sizes[:depth]
    strides = np.cumprod((1, *outer[:0:-1]))[::-1].astype(np.int64)
    numbers = ops.reduce_sum(cast(indices, "int64") * strides, axis=-1)
    rows = ops.reshape(updates, (-1, *sizes[depth:]))
    found = ops.unsorted_segment_prod(rows, ops.reshape(numbers, (-1,)), int(np.prod(outer)))
    return ops.reshape(found, sizes)


def slice(inputs, start_indices, shape):
    """A block of a shape that begins at some place."""
    if len(start_indices) != len(shape):
        raise ValueError(
            "Length of `start_indices` must match length of `shape`. Received: "
            f"start_indices={start_indices}, shape={shape}"
        )
    return ops.dynamic_slice(convert_to_tensor(inputs), start_indices, shape)


def slice_update(inputs, start_indices, updates):
    """`inputs` with the block that begins at some place replaced."""
    inputs = convert_to_tensor(inputs)
    return ops.dynamic_update_slice(inputs, convert_to_tensor(updates, inputs.dtype), start_indices)


def unstack(x, num=None, axis=0):
    """The slices along an axis, without it."""
    return ops.unstack(convert_to_tensor(x), num, axis)


# --- gradients -----------------------------------------------------------------------------------


def stop_gradient(variable):
    """The value, as a constant to every tape."""
    return ops.stop_gradient(convert_to_tensor(variable))


def custom_gradient(fun):
    """A function with a gradient of its own: `fun` returns its value and the gradient function."""
    return gradtape.custom_gradient(fun)


def remat(f):
    """`f`, keeping nothing of its insides for the backward pass, which computes them again.

    Going backward the variables have the values that the first run found, and keep those they
    have: seeds give the same noise, and moving averages are not moved twice.
    """

    @functools.wraps(f)
    def rematerialized(*args, **kwargs):
        if in_stateless_scope():
            # Values come from the scope, which may be gone when the gradient is taken.
            return f(*args, **kwargs)
        log: dict = {}
        runs = 0

        def run(*args, **kwargs):
            nonlocal runs
            runs += 1
            # A function called here has to read and write variables as this run does.
            inside = inlined.set(True)
            try:
                if runs > 1:
                    with StatelessScope(state_mapping=list(log.values())):
                        return f(*args, **kwargs)
                token = assignments.set(log)
                try:
                    return f(*args, **kwargs)
                finally:
                    assignments.reset(token)
            finally:
                inlined.reset(inside)

        return gradtape.recompute_grad(run)(*args, **kwargs)

    return rematerialized
