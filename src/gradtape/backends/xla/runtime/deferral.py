"""Deferred ops on a device: eager ops are queued, and run together when a value is needed.

A call of JAX for one op costs tens of microseconds, and the result of each op goes through the
device's memory. So an eager op on a device only notes what is to be computed: its result is a
`DeferredArray`, which knows its shape and dtype. What a thread has queued runs when it reads a
value, when it calls a compiled function, or when there is much.

Ops that are queued for the first time run one by one, by the programs of single ops. A training
loop queues the same ops in every step: from some number on they are compiled as one program (see
`repetition`), in which XLA fuses them and skips what nobody can read any more. This is a count, not
a stopwatch: which ops of a thread run together, and so the last digits of results, do not differ
from run to run.

**The queue is only a hint of what to compute together.** A waiting value holds the call that
computes it, with its operands, and calls are pure: any thread can compute any value at any time,
and again after an interrupt. So there is no lock. At worst two threads compute the same value, and
the later array replaces an equal one.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np

from gradtape.backends.xla.require import in_thread, is_exact, jax
from gradtape.backends.xla.runtime import memory, repetition
from gradtape.backends.xla.runtime.deferred_array import (
    Call,
    DeferrableOp,
    DeferredArray,
    form_for,
    form_of,
)
from gradtape.backends.xla.runtime.memory import LARGE
from gradtape.core import native

# Of a queue: the number of results; the bytes that they would take, computed one by one; and the
# bytes of the arrays that they keep alive, each counted for every op.
LIMITS = [256, 2**34, 2**32]
_AHEAD = 16  # times what a queue needs: where the device has room for it, it is not asked again
_LARGEST_SIBLINGS = 2**24  # bytes; a larger op with several results runs at once
_ONE_DEVICE = jax.sharding.SingleDeviceSharding
_CONCRETE: set[type] = set()  # classes of JAX's arrays with a value


def _is_concrete(x: Any) -> bool:
    """Return whether this is one of JAX's arrays, and none that is being traced."""
    concrete = isinstance(x, jax.Array) and not isinstance(x, jax.core.Tracer)
    if concrete:
        _CONCRETE.add(type(x))
        native.connect(DeviceArray=type(x))
    return concrete


class _Span:
    """What a thread has queued since it last ran its queue."""

    __slots__ = ("held", "nbytes", "room", "waiting")

    def __init__(self, waiting: list[DeferredArray] | None = None) -> None:
        self.waiting = waiting or []
        self.nbytes = sum([x.nbytes for x in self.waiting])  # of the results
        self.held = 0  # bytes of the operands of what was queued since
        self.room = 0  # up to so many bytes of results, the device need not be asked for room


class Queue(threading.local):
    """The results that wait, in the order of their calls: each thread has its own queue."""

    def __init__(self) -> None:
        self._span = _Span()  # another one after each run
        self._step = object()  # of the program's loop, as far as one can tell

    def __len__(self) -> int:
        return len(self._span.waiting)

    def add(self, op: DeferrableOp, data: list) -> list[DeferredArray] | None:
        """Queue an op on the data of tensors; None: it is to run at once."""
        operands, forms, sharding, held = [], [], None, 0
        for x in data:
            if type(x) is DeferredArray:
                form, value, where = x.form, x.value, x.sharding
                if value is None:
                    operands.append(x)
                else:
                    operands.append(value)
                    held += form.nbytes
            elif type(x) in _CONCRETE or _is_concrete(x):
                form, where = form_of(x.aval), x.sharding
                operands.append(x)
                held += form.nbytes
            elif isinstance(x, (np.ndarray, np.generic)) and not x.dtype.hasobject:
                operands.append(x)
                forms.append(form_for(x.shape, x.dtype, False))
                continue
            else:
                return None
            forms.append(form)
            if where is not sharding:
                if sharding is None:
                    sharding = where
                    if type(sharding) is not _ONE_DEVICE:
                        return None
                elif where != sharding:
                    return None
        key = tuple(forms)
        typed = op.typed.get(key) or op.with_types(key)
        if typed is None:
            return None
        size, outputs = typed.nbytes, len(typed.forms)
        if (not typed.is_small or outputs > 1) and not self._takes(size, outputs, sharding):
            return None
        call = Call(typed, operands)
        results = [DeferredArray(call, i, form, sharding) for i, form in enumerate(typed.forms)]
        span = self._span
        span.waiting += results
        span.nbytes += size
        span.held += held
        self.run_if_full()
        return results

    def run_if_full(self) -> None:
        """Run what waits, if it is much."""
        span = self._span
        longest, nbytes, held = LIMITS
        if span.nbytes >= nbytes or span.held >= held:
            self._flush()
        elif len(span.waiting) >= longest:
            self._flush(_whole_rounds(span.waiting))

    def _takes(self, size: int, outputs: int, sharding: Any) -> bool:
        """Return whether results of so many bytes may wait.

        If memory is short, the op runs at once: then the error comes from the op that causes it.
        """
        span = self._span
        wanted = span.nbytes + size
        if size >= LARGE and wanted > span.room:
            (where,) = sharding.device_set
            if memory.has_room(_AHEAD * wanted, where):
                span.room = _AHEAD * wanted
            elif not memory.has_room(wanted, where):
                self._flush()
                if not memory.has_room(size, where):
                    return False
        return outputs == 1 or size <= _LARGEST_SIBLINGS

    def compute(self, wanted: DeferredArray, is_read: bool = False) -> Any:
        """Return the array of a value, computed along with everything that this thread queued.

        `is_read`: the program may copy it to the host, where it is about to be read.
        """
        if is_exact():
            # A signal handler or a destructor while JAX is tracing: it would trace this, too.
            in_thread(repetition.run_each, repetition.needed([wanted]), [wanted])
            return wanted.value
        self._step = object()
        self._flush(wanted=wanted if is_read else None)
        if wanted.value is None:  # another thread has queued it, or it failed
            repetition.compute(repetition.needed([wanted]), wanted)
        return wanted.value

    def run(self) -> None:
        """Run what this thread has queued. Errors are raised when a value is read."""
        self._step = object()
        self._flush()

    def _flush(self, count: int | None = None, wanted: DeferredArray | None = None) -> None:
        """Run what waits, or the first `count` results of it; `wanted` is read on the host."""
        span = self._span
        if not span.waiting or is_exact():
            return
        self._span = _Span() if count is None else _Span(span.waiting[count:])
        waiting, span.waiting = span.waiting[:count], []
        with contextlib.suppress(Exception):  # raised again when the value is read
            repetition.compute(waiting, None, wanted)

    def assign(self, before: Any, after: DeferredArray) -> None:
        """Note that a variable gets another payload.

        The second time, the next step of a loop has begun: what waits runs now, so that all steps
        are the same program.
        """
        if type(before) is DeferredArray and before.step is self._step:
            self.run()
        after.step = self._step

    def forget(self) -> None:
        """Clear the programs after a change of settings."""
        self.run()
        repetition.REPETITIONS.clear()


def _whole_rounds(waiting: list[DeferredArray]) -> int | None:
    """Return how many results to run, so that what is left begins as these do; None for all.

    A loop that reads no value and assigns to no variable has no end of a step: runs that begin at
    the same op of it are the same program, and others would each be compiled for themselves.
    """
    first = waiting[0].call
    for count in range(len(waiting) - 1, len(waiting) // 2, -1):
        call = waiting[count].call
        if call is not None and first is not None and call.typed is first.typed:
            return None if waiting[count].index else count
    return None


QUEUE = Queue()
DeferredArray._compute.append(QUEUE.compute)
native.connect(Span=_Span, queue=QUEUE, queue_limits=LIMITS)
