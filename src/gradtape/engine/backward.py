"""The backward pass: one loop over a recording, from its end."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.backends.numpy import add_into
from gradtape.core.bind import bind
from gradtape.core.dtypes import from_numpy
from gradtape.core.native import REFERENCES, connect, native_version
from gradtape.core.primitive import PRIMITIVES, Rule
from gradtape.core.size import is_open
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Tensor
from gradtape.engine import indexed_slices
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.ops.families import INEXACT, scalar_types

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Spec
    from gradtape.core.typing import TensorLike

_ADD = PRIMITIVES["add"]
_SCALARS = scalar_types(INEXACT)
_IDENTITY = PRIMITIVES["identity"]  # its rule takes sparse gradients as they are
# Below this size allocating a new array for a sum costs less than checking whether one is needed.
_IN_PLACE_FROM = 4096


@native_version
def backward(
    recording: Recording, seeds: list[tuple[Any, ...]], sources: set[int], consume: bool
) -> list[Any]:
    """Return cotangents by slot (None where there is none), given those of the targets.

    Only ops between the sources and the targets are differentiated. `consume` frees what the
    recording keeps as soon as it has been used.
    """
    entries = recording.entries
    shapes = recording.shapes
    cotangents: list[Any] = [None] * len(shapes)
    owned: set[int] = set()  # slots whose cotangent is a sum without other references
    for slot, g in seeds:
        accumulate(cotangents, slot, g, owned)
    leads = leads_to_sources(recording, sources)
    if leads is not None and not any(leads[slot] for slot, _ in seeds):
        return cotangents  # not connected; the recording stays, for an explanation
    # In a trace, sizes may be open: `sum_to_shape` compares them.
    traced = get_state().trace is not None
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
            g = of_several(cotangents, slot, sources)
            if g is None:
                continue
        if prim.joint is not None:
            _joint(prim, slots, g, kept, ans, params, cotangents, leads, owned)
            continue
        for s, rule in zip(slots, prim.vjps):  # noqa: B905 (as long as each other; this is hot)
            if s >= 0 and (leads is None or leads[s]) and type(rule) is Rule:
                input_index = rule.input_index
                if input_index is None:
                    gx = rule.call(g, kept, ans, params, None)
                else:
                    gx = rule.function(g, kept[input_index])
                if prim.broadcasts and (traced or gx._data.shape != shapes[s]):
                    gx = ops.sum_to_shape(gx, shapes[s])
                if cotangents[s] is None:
                    cotangents[s] = gx
                else:
                    accumulate(cotangents, s, gx, owned)
    return cotangents


@native_version
def fast_gradient(recording: Recording, target: Any, sources: Any, consume: bool) -> Any:
    """Compute the gradient of one target in the most common case, which the core in C does at once.

    Return NotImplemented, before anything is done, in all other cases: in Python there is no
    shortcut.
    """
    return NotImplemented


def leads_to_sources(recording: Recording, sources: set[int]) -> bytearray | None:
    """Return, by slot, whether it depends on a source; None if every slot does."""
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


def of_several(
    cotangents: list[Any], slot: tuple[Any, ...], sources: set[int]
) -> tuple[Any, ...] | None:
    """Return the cotangents of an op with several results, zeros where there is none."""
    gs = []
    for s in slot[0]:
        gs.append(cotangents[s] if s >= 0 else None)
        if s >= 0 and s not in sources:
            cotangents[s] = None
    return None if all(g is None for g in gs) else _completed(gs, slot[1])


def _completed(gs: list[Any], specs: list[Any]) -> tuple[Any, ...]:
    return tuple(
        _zeros(spec) if g is None else ops.to_tensor(g) for g, spec in zip(gs, specs, strict=True)
    )


def _zeros(spec: Spec) -> Tensor:
    """Return zeros as one broadcast number: rules often do not read cotangents that are zero."""
    if not spec.shape:
        return Tensor(np.zeros((), spec.dtype))
    if is_open(spec.shape):
        return ops.zeros(spec.shape, from_numpy(spec.dtype))
    return Tensor(np.broadcast_to(np.zeros((), spec.dtype), spec.shape))


def _joint(
    prim: Primitive,
    slots: list[int],
    g: Tensor | IndexedSlices | tuple[Any, ...],
    kept: tuple[Spec, ...] | None,
    ans: Any,
    params: dict[str, Any],
    cotangents: list[Any],
    leads: Any,
    owned: Any,
) -> None:
    """Apply a rule that computes the cotangents of all inputs at once."""
    needs_grad = tuple(s >= 0 and (leads is None or bool(leads[s])) for s in slots)
    if not any(needs_grad):
        return
    joint: Any = prim.joint
    results = joint.call(g, kept, ans, params, needs_grad)
    for s, needed, gx in zip(slots, needs_grad, results, strict=True):
        if needed and gx is not None:
            accumulate(cotangents, s, gx, owned)


def accumulate(cotangents: list[Any], slot: int, g: Any, owned: set[int]) -> None:
    """Add g to the cotangent of a slot; in place, if the slot is `owned`."""
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


@native_version
def differentiated() -> tuple[Recording, tuple[Any, ...]] | None:
    """Return the recording and the entry that a running backward pass is differentiating; None if
    none is running."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code is REFERENCES["backward"].__code__:
            entry = frame.f_locals.get("entry")
            return None if entry is None else (frame.f_locals["recording"], entry)
        frame = frame.f_back
    return None


@functools.cache
def _one(dtype: np.dtype) -> Tensor:
    return Tensor(dtype.type(1))


def seed(target: Any, given: TensorLike | None = None) -> Tensor:
    """Return the cotangent of a target to start from: ones, or the one given by the caller."""
    if given is None:
        data = target._data
        if data.shape or type(target) is not Tensor:  # on its device
            return ops.ones_like(target)
        return _one(data.dtype)
    given = ops.to_tensor(given, None if ops.is_tensor_like(given) else target.dtype)
    if tuple(given.shape) != tuple(target.shape) or given.dtype is not target.dtype:
        spec = target._spec()
        raise ops.ShapeError(
            f"output_gradients: a tensor of shape {given.shape} and dtype {given.dtype.name} does "
            f"not fit a target of shape {tuple(spec.shape)} and dtype {from_numpy(spec.dtype).name}"
        )
    return given


connect(
    backward=REFERENCES["backward"],
    completed=_completed,
    IndexedSlices=IndexedSlices,
    add_slices=indexed_slices.add,
    sum_to_shape=ops.sum_to_shape,
    seed=seed,
)
