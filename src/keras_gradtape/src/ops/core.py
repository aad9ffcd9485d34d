"""Tensors and variables, control flow, indexed updates, gradients: Keras's `backend.core`."""

from __future__ import annotations

import builtins
import contextlib
import functools
from typing import Any
from typing import cast as cast_type

import numpy as np
from keras.src import tree
from keras.src.backend.common.stateless_scope import StatelessScope, in_stateless_scope

import gradtape
from gradtape import ops
from gradtape.api.function import graph_control_flow
from gradtape.core.state import setting
from gradtape.graph.apply import inlined
from keras_gradtape.src.abstract import NeedsValue, current_tracing
from keras_gradtape.src.conversion import is_tensor, shape
from keras_gradtape.src.output_spec import compute_output_spec
from keras_gradtape.src.sparse import cast, convert_to_numpy, convert_to_tensor
from keras_gradtape.src.variable import Variable, assignments

__all__ = [
    "Variable",
    "associative_scan",
    "cast",
    "compute_output_spec",
    "cond",
    "convert_to_numpy",
    "convert_to_tensor",
    "custom_gradient",
    "device_scope",
    "fori_loop",
    "is_tensor",
    "map",
    "random_seed_dtype",
    "remat",
    "scan",
    "scatter",
    "scatter_update",
    "shape",
    "slice",
    "slice_update",
    "stop_gradient",
    "switch",
    "unstack",
    "vectorized_map",
    "while_loop",
]

SUPPORTS_SPARSE_TENSORS = True
SUPPORTS_RAGGED_TENSORS = True
SUPPORTS_COMPLEX_DTYPES = True
IS_THREAD_SAFE = True


def random_seed_dtype() -> str:
    """Return the dtype of seeds: two words of 32 bits."""
    return "uint32"


@contextlib.contextmanager
def device_scope(device_name):
    """Return a device scope. There is one device, the CPU."""
    if not isinstance(device_name, str):
        raise ValueError(
            "Invalid value for argument `device_name`. Expected a string like 'gpu:0' or 'cpu'. "
            f"Received: device_name='{device_name}'"
        )
    yield


# --- control flow: Python's own, which tapes record through --------------------------------------


def cond(pred, true_fn, false_fn):
    """Return `true_fn()` or `false_fn()`; in a symbolic call, where both give the same, the
    first."""
    if graph_control_flow.dynamic_scalar(pred) is not None:
        return graph_control_flow.cond(pred, true_fn, false_fn)
    try:
        chosen = bool(pred)
    except NeedsValue:
        _clear_asked_for_value()
        chosen = True
    return true_fn() if chosen else false_fn()


def _clear_asked_for_value() -> None:
    """Drop a value that was asked for: it decides nothing about the result's shape."""
    tracing = current_tracing()
    assert tracing is not None  # only its tensors raise NeedsValue
    tracing.asked_for_value = False


def switch(index, branches, *operands):
    """Run the branch with an index, clamped to the range of branches."""
    if graph_control_flow.dynamic_scalar(index) is not None:
        index = ops.minimum(ops.maximum(convert_to_tensor(index, "int32"), 0), len(branches) - 1)
        return graph_control_flow.switch(index, [functools.partial(b, *operands) for b in branches])
    try:
        index = int(convert_to_tensor(index, "int32"))
    except NeedsValue:
        _clear_asked_for_value()
        index = 0
    return branches[min(max(index, 0), len(branches) - 1)](*operands)


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    """Apply `body` to the loop variables while `cond` of them is true."""
    is_tuple = isinstance(loop_vars, (tuple, list))
    state = tuple(loop_vars) if is_tuple else (loop_vars,)
    state = tree.map_structure(convert_to_tensor, state)
    if graph_control_flow.is_tracing():
        limit = None if maximum_iterations is None else int(maximum_iterations)
        result: Any = graph_control_flow.while_loop(cond, body, state, limit)
        return result if is_tuple else result[0]
    count = 0
    while (maximum_iterations is None or count < maximum_iterations) and cond(*state):
        state = body(*state)
        state = tuple(state) if isinstance(state, (list, tuple)) else (state,)
        count += 1
    return state if is_tuple else state[0]


def fori_loop(lower, upper, body_fun, init_val):
    """Apply `body_fun(i, value)` for each i from lower up to upper."""
    value = init_val
    for i in range(int(lower), int(upper)):
        value = body_fun(i, value)
    return value


def map(f, xs):
    """Apply `f` to each element along axis 0, one after the other, and stack the results."""
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
    outputs = []
    for i in order:
        x = None if xs is None else tree.pack_sequence_as(xs, [leaf[i] for leaf in leaves])
        carry, y = cast_type(Any, f(carry, x))
        outputs.append(missing if y is None else y)
    if reverse:
        outputs.reverse()
    return carry, tree.map_structure(
        lambda *rows: ops.stack([convert_to_tensor(row) for row in rows]), *outputs
    )


def associative_scan(f, elems, reverse=False, axis=0):
    """Compute all partial results of combining the elements along an axis, as a tree of calls of
    `f`."""
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
        return [_interleave(a, b, axis) for a, b in zip(even, odd, strict=True)]

    if reverse:
        flat = [ops.reverse(x, [axis]) for x in flat]
    flat = partial(flat)
    if reverse:
        flat = [ops.reverse(x, [axis]) for x in flat]
    return tree.pack_sequence_as(elems, flat)


def _interleave(a, b, axis: int):
    """Interleave the elements of a and b along an axis; a may have one more."""
    count = b.shape[axis]
    pairs = ops.stack([ops.slice_along(a, axis, 0, count), b], axis + 1)
    sizes = (*b.shape[:axis], 2 * count, *b.shape[axis + 1 :])
    joined = ops.reshape(pairs, sizes)
    if a.shape[axis] == count:
        return joined
    return ops.concat([joined, ops.slice_along(a, axis, count, count + 1)], axis)


def vectorized_map(function, elements):
    """Apply `function` to all elements along axis 0 in one batch, by batching rules."""
    elements = tree.map_structure(convert_to_tensor, elements)
    return gradtape.vectorized_map(function, elements)


# --- indexed reads and updates -------------------------------------------------------------------


def scatter(indices, values, shape):
    """Return zeros of a shape with values added at indices."""
    return ops.scatter_nd(convert_to_tensor(indices), convert_to_tensor(values), shape)


def scatter_update(inputs, indices, updates, reduction=None):
    """Return `inputs` with the entries at indices replaced, or combined with the updates."""
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
    """Return ones of a shape, multiplied at indices by updates; repeated indices multiply."""
    depth = indices.shape[-1]
    outer = sizes[:depth]
    strides = np.cumprod((1, *outer[:0:-1]))[::-1].astype(np.int64)
    numbers = ops.reduce_sum(cast(indices, "int64") * strides, axis=-1)
    rows = ops.reshape(updates, (-1, *sizes[depth:]))
    result = ops.unsorted_segment_prod(rows, ops.reshape(numbers, (-1,)), int(np.prod(outer)))
    return ops.reshape(result, sizes)


def slice(inputs, start_indices, shape):
    """Return the block of a shape that begins at `start_indices`."""
    if len(start_indices) != len(shape):
        raise ValueError(
            "Length of `start_indices` must match length of `shape`. Received: "
            f"start_indices={start_indices}, shape={shape}"
        )
    return ops.dynamic_slice(convert_to_tensor(inputs), start_indices, shape)


def slice_update(inputs, start_indices, updates):
    """Return `inputs` with the block that begins at `start_indices` replaced."""
    inputs = convert_to_tensor(inputs)
    return ops.dynamic_update_slice(inputs, convert_to_tensor(updates, inputs.dtype), start_indices)


def unstack(x, num=None, axis=0):
    """Unstack a tensor along an axis."""
    return ops.unstack(convert_to_tensor(x), num, axis)


# --- gradients -----------------------------------------------------------------------------------


def stop_gradient(variable):
    """Return the value without its gradient."""
    return ops.stop_gradient(convert_to_tensor(variable))


def custom_gradient(fun):
    """Return a function with a gradient of its own: `fun` returns its value and the gradient
    function."""
    return gradtape.custom_gradient(fun)


def remat(f):
    """Wrap `f`: its intermediate values are recomputed in the backward pass instead of kept.

    Going backward the variables have the values that the first run read, and keep those they
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
            with setting(inlined, True):
                if runs > 1:
                    with StatelessScope(state_mapping=list(log.values())):
                        return f(*args, **kwargs)
                with setting(assignments, log):
                    return f(*args, **kwargs)

        return gradtape.recompute_grad(run)(*args, **kwargs)

    return rematerialized
