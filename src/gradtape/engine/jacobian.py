"""Jacobians: the backward pass, vectorized over the elements of the target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import ShapeError
from gradtape.core.size import is_open
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward
from gradtape.engine.inspection import answered
from gradtape.engine.recording import Recording
from gradtape.engine.tape import (
    GradientTape,
    UnconnectedGradients,
    as_source,
    as_unconnected,
    differentiable_target,
    may_free,
)
from gradtape.engine.vmap import Batch

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

# Rows are processed in chunks, so that no more than about this many elements of the largest value
# on the tape are alive at a time (2**25 float32 are 128 MiB).
_ELEMENTS_AT_ONCE = 2**25


def tape_jacobian(
    tape: GradientTape,
    target: Any,
    sources: TensorLike,
    unconnected_gradients: Any,
    vectorized: bool,
) -> Any:
    """Implement `GradientTape.jacobian`."""
    recording, target, flat = _prepare(tape, target, sources)
    unconnected = as_unconnected(unconnected_gradients)
    if target is None:  # its dtype has no derivative
        return nest.pack_sequence_as(sources, [None] * len(flat))
    shape = tuple(target.shape)
    rows = jacobian_rows(recording, target, flat, _identity_rows(target), vectorized)
    results = []
    for source, row in zip(flat, rows, strict=True):
        full = (*shape, *source._data.shape)
        if row is not None:
            results.append(ops.reshape(row, full))
        elif unconnected is UnconnectedGradients.ZERO:
            results.append(ops.zeros(full, source.dtype))
        else:
            results.append(None)
    if unconnected is UnconnectedGradients.EXPLAIN:
        answered(tape, recording, [target], flat, results)
    _release(tape)
    return nest.pack_sequence_as(sources, results)


def tape_batch_jacobian(
    tape: GradientTape, target: Tensor, source: Tensor, unconnected_gradients: Any, vectorized: bool
) -> Tensor | None:
    """Implement `GradientTape.batch_jacobian`: target[i] depends on source[i] alone."""
    recording, target, (source,) = _prepare(tape, target, source)
    as_unconnected(unconnected_gradients)
    if target is None:
        return None
    shape, source_shape = tuple(target.shape), tuple(source._data.shape)
    if len(shape) < 2 or len(source_shape) < 2:
        raise ValueError(
            "batch_jacobian: target and source must have rank 2 or more (a batch of vectors), got "
            f"shapes {shape} and {source_shape}"
        )
    if shape[0] != source_shape[0]:
        raise ShapeError(
            f"Need first dimension of target shape ({shape}) and source shape ({source_shape}) to "
            "match."
        )
    batch, width = shape[0], math.prod(shape[1:])
    # Cotangent k selects element k of every row at once: rows are independent.
    each = ops.reshape(ops.eye(width, dtype=target.dtype), (width, 1, *shape[1:]))
    seeds = ops.broadcast_to(each, (width, *shape))
    (rows,) = jacobian_rows(recording, target, [source], seeds, vectorized)
    _release(tape)
    full = (batch, *shape[1:], *source_shape[1:])
    if rows is None:  # not connected: zeros, whatever `unconnected_gradients` is, as in TF
        return ops.zeros(full, source.dtype)
    rows = ops.reshape(rows, (width, batch, math.prod(source_shape[1:])))
    return ops.reshape(ops.transpose(rows, (1, 0, 2)), full)


def tape_hessian(
    tape: GradientTape, target: Tensor, sources: TensorLike
) -> Tensor | dict[str, Any]:
    """Implement `GradientTape.hessian`: second derivatives, from one recording.

    The backward pass is recorded on the recording of the forward pass, so that it is connected to
    the sources.
    """
    recording, target, flat = _prepare(tape, target, sources)
    if target is None or math.prod(target.shape) != 1:
        raise ShapeError(
            f"hessian: the target must be a floating point scalar, got {target!r}. Reduce it "
            "first, for instance with tf.reduce_sum."
        )
    slot, slots = recording.slot_of(target), [recording.slot_of(s) for s in flat]
    wanted = {s for s in slots if s is not None}
    state = get_state()
    gradients: list[Any] = [None] * len(flat)
    if slot is not None:
        with using(tapes=(*state.tapes, recording)):
            cotangents = backward(recording, [(slot, ops.ones_like(target))], wanted, consume=False)
            gradients = [
                None if s is None or cotangents[s] is None else ops.to_tensor(cotangents[s])
                for s in slots
            ]
    blocks = []
    for x, g in zip(flat, gradients, strict=True):
        rows = (
            [None] * len(flat)
            if g is None
            else jacobian_rows(recording, g, flat, _identity_rows(g), vectorized=True)
        )
        blocks.append(
            [
                ops.zeros((*x._data.shape, *y._data.shape), x.dtype)
                if r is None
                else ops.reshape(r, (*x._data.shape, *y._data.shape))
                for y, r in zip(flat, rows, strict=True)
            ]
        )
    _release(tape)
    if not nest.is_nested(sources):
        return blocks[0][0]
    return nest.pack_sequence_as(sources, [nest.pack_sequence_as(sources, row) for row in blocks])


def _prepare(
    tape: GradientTape, target: TensorLike | None, sources: TensorLike
) -> tuple[Recording, Any, list[Any]]:
    if tape._is_active and not tape._persistent:
        tape.__exit__()
    recording = tape._usable()
    flat_targets = nest.flatten(target)
    if len(flat_targets) != 1:
        raise ValueError("jacobian: one target is wanted, got several")
    target = differentiable_target(flat_targets[0])
    return recording, target, [as_source(s) for s in nest.flatten(sources)]


def _release(tape: GradientTape) -> None:
    if not tape._persistent and may_free():
        tape._free(tape._usable())


def _identity_rows(target: Tensor) -> Tensor:
    """Return a one-hot cotangent for each element of the target, stacked along axis 0."""
    shape = target.shape
    size = math.prod(shape)
    rows = ops.eye(size, dtype=target.dtype)
    return rows if len(shape) == 1 else ops.reshape(rows, (size, *shape))


def jacobian_rows(
    recording: Recording, target: Tensor, sources: list[Any], seeds: Tensor, vectorized: bool
) -> list[Any]:
    """Return, for each source, its cotangents for all seeds, stacked; None if not connected."""
    slot = recording.slot_of(target)
    slots = [recording.slot_of(s) for s in sources]
    wanted = {s for s in slots if s is not None}
    if slot is None or not wanted:
        return [None] * len(sources)
    count = seeds.shape[0]
    if type(count) is int and not count:
        return [
            None if s is None else ops.zeros((0, *x._data.shape), x.dtype)
            for s, x in zip(slots, sources, strict=True)
        ]
    chunks = []
    is_traced = get_state().trace is not None  # sizes can only be open there
    if vectorized and is_traced and is_open((count, *recording.shapes)):
        return _batched_backward(recording, slot, slots, wanted, seeds)
    step = _rows_at_once(recording, count) if vectorized else 1
    for start in range(0, count, step):
        rows = seeds[start : start + step] if step < count else seeds
        if vectorized:
            chunks.append(_batched_backward(recording, slot, slots, wanted, rows))
        else:
            cotangents = backward(recording, [(slot, rows[0])], wanted, consume=False)
            chunks.append(
                [
                    None
                    if s is None or cotangents[s] is None
                    else ops.expand_dims(ops.to_tensor(cotangents[s]), 0)
                    for s in slots
                ]
            )
    return [
        None if parts[0] is None else parts[0] if len(parts) == 1 else ops.concat(list(parts), 0)
        for parts in zip(*chunks, strict=True)
    ]


def _rows_at_once(recording: Recording, count: int) -> int:
    widest = max((math.prod(shape) for shape in recording.shapes), default=1)
    return max(1, min(count, _ELEMENTS_AT_ONCE // max(widest, 1)))


def _batched_backward(
    recording: Recording, slot: int, slots: list[int | None], wanted: Any, rows: Tensor
) -> list[Any]:
    batch = Batch(rows.shape[0], get_state().depth + 1)
    try:
        with using(depth=batch.depth):
            seeds = [(slot, batch.wrap(rows))]
            cotangents = backward(recording, seeds, wanted, consume=False)
            # An IndexedSlices of a batch becomes a tensor while the batch is known.
            dense = [
                None if s is None or cotangents[s] is None else ops.to_tensor(cotangents[s])
                for s in slots
            ]
        return [None if x is None else batch.unwrap(x) for x in dense]
    finally:
        batch.active = False
