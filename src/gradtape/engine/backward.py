"""The backward walk: one loop over a recording, from its end."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.backends.numpy import add_into
from gradtape.core.bind import bind
from gradtape.core.dtypes import from_numpy
from gradtape.core.native import REFERENCES, compiled, connect
from gradtape.core.primitive import PRIMITIVES, Rule
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Tensor
from gradtape.engine import indexed_slices
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.ops.families import INEXACT, scalar_types

_ADD = PRIMITIVES["add"]
_SCALARS = scalar_types(INEXACT)
_IDENTITY = PRIMITIVES["identity"]  # its rule takes sparse gradients as they are
# Below this size a fresh array for a sum costs less than the question whether one is needed.
_IN_PLACE_FROM = 4096


@compiled
def backward(recording: Recording, seeds: list[tuple], sources: set[int], consume: bool) -> list:
    """Cotangents by slot (None where nothing arrived), given those of the targets.

    Only ops between the sources and the targets are differentiated. `consume` lets go of what the
    recording keeps as soon as it has been used.
    """
    entries = recording.entries
    shapes = recording.shapes
    cotangents: list = [None] * len(shapes)
    owned: set[int] = set()  # slots whose cotangent is a sum made here, that nobody else holds
    for slot, g in seeds:
        _accumulate(cotangents, slot, g, owned)
    leads = _leads_to_sources(recording, sources)
    if leads is not None and not any(leads[slot] for slot, _ in seeds):
        return cotangents  # nothing can arrive; the record stays, for an explanation
    index = len(entries)
    while index:
        index -= 1
        entry = entries.pop() if consume else entries[index]
        prim, slots, slot, kept, ans, params, _, _ = entry
        if type(slot) is int:
            g = cotangents[slot]
            if g is None:
                continue
            if slot not in sources:
                cotangents[slot] = None
            if type(g) is IndexedSlices and prim is not _IDENTITY:
                g = g.__tf_tensor__()
        else:
            g = _of_several(cotangents, slot, sources)
            if g is None:
                continue
        if prim.joint is not None:
            _joint(prim, slots, g, kept, ans, params, cotangents, leads, owned)
            continue
        for s, rule in zip(slots, prim.vjps):  # noqa: B905 (as long as each other; this is hot)
            if s >= 0 and (leads is None or leads[s]) and type(rule) is Rule:
                place = rule.place
                if place is None:
                    gx = rule.call(g, kept, ans, params, None)
                else:
                    gx = rule.function(g, kept[place])
                if prim.broadcasts and gx._data.shape != shapes[s]:
                    gx = ops.sum_to_shape(gx, shapes[s])
                if cotangents[s] is None:
                    cotangents[s] = gx
                else:
                    _accumulate(cotangents, s, gx, owned)
    return cotangents


@compiled
def quick_gradient(recording: Recording, target, sources, consume: bool) -> Any:
    """The gradient of one target in the commonest case, where the core in C can do it all.

    NotImplemented, before anything is done, in other cases: in Python there is no shorter way.
    """
    return NotImplemented


def _leads_to_sources(recording: Recording, sources: set[int]) -> bytearray | None:
    """By slot, whether a source can be reached from it; None where all can."""
    leaves = {slot for slot, _ in recording.leaves.values()}
    if leaves <= sources:
        return None
    leads = bytearray(len(recording.shapes))
    for slot in sources:
        leads[slot] = 1
    for _, slots, slot, *_ in recording.entries:
        for s in slots:
            if s >= 0 and leads[s]:
                for out in (slot,) if type(slot) is int else slot[0]:
                    if out >= 0:
                        leads[out] = 1
                break
    return leads


def _of_several(cotangents: list, slot: tuple, sources: set[int]) -> tuple | None:
    """The cotangents of an op's several results, zeros where none arrived."""
    found = []
    for s in slot[0]:
        found.append(cotangents[s] if s >= 0 else None)
        if s >= 0 and s not in sources:
            cotangents[s] = None
    return None if all(g is None for g in found) else _completed(found, slot[1])


def _completed(found: list, specs: list) -> tuple:
    return tuple(
        _zeros(spec) if g is None else ops.to_tensor(g)
        for g, spec in zip(found, specs, strict=True)
    )


def _zeros(spec) -> Tensor:
    """One zero, spread over the shape: rules often leave what nothing arrived for unread."""
    if not spec.shape:
        return Tensor(np.zeros((), spec.dtype))
    return Tensor(np.broadcast_to(np.zeros((), spec.dtype), spec.shape))


def _joint(prim, slots, g, kept, ans, params, cotangents, leads, owned) -> None:
    """A rule that gives the cotangents of all inputs at once."""
    wanted = tuple(s >= 0 and (leads is None or bool(leads[s])) for s in slots)
    if not any(wanted):
        return
    for s, want, gx in zip(
        slots, wanted, prim.joint.call(g, kept, ans, params, wanted), strict=True
    ):
        if want and gx is not None:
            _accumulate(cotangents, s, gx, owned)


def _accumulate(cotangents: list, slot: int, g, owned: set[int]) -> None:
    old = cotangents[slot]
    if old is None:
        cotangents[slot] = g
        return
    kind = type(old._data) if type(old) is Tensor else None
    if kind in _SCALARS and type(g) is Tensor and type(g._data) is kind:
        cotangents[slot] = bind(_ADD, (old, g))
        return
    if type(old) is IndexedSlices or type(g) is IndexedSlices:
        cotangents[slot] = indexed_slices.add(old, g)
        return
    if slot in owned and get_state() is EMPTY and type(g) is Tensor:
        add_into(old._data, g._data)
        return
    total = cotangents[slot] = old + g
    if type(total._data) is np.ndarray and total._data.size >= _IN_PLACE_FROM:
        owned.add(slot)


@compiled
def differentiated() -> tuple | None:
    """The entry of the record that a backward pass is at now; None where none is running."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code is REFERENCES["backward"].__code__:
            return frame.f_locals.get("entry")
        frame = frame.f_back
    return None


@functools.cache
def _one(dtype: np.dtype) -> Tensor:
    return Tensor(dtype.type(1))


def seed(target, given=None):
    """The cotangent to start from: ones, or what the caller gives for this target."""
    if given is None:
        data = target._data
        return ops.ones_like(target) if data.shape else _one(data.dtype)
    given = ops.to_tensor(given, None if ops.is_tensor_like(given) else target.dtype)
    if tuple(given.shape) != tuple(target.shape) or given.dtype is not target.dtype:
        spec = target._spec()
        raise ops.ShapeError(
            f"output_gradients: a tensor of shape {given.shape} and dtype {given.dtype.name} does "
            f"not fit a target of shape {tuple(spec.shape)} and dtype {from_numpy(spec.dtype).name}"
        )
    return given


connect(
    backward=REFERENCES["backward"], completed=_completed, IndexedSlices=IndexedSlices,
    add_slices=indexed_slices.add, sum_to_shape=ops.sum_to_shape, seed=seed,
)  # fmt: skip
