"""Variables on a device.

A value that is assigned may be deferred (see `deferral`): the updates of a whole step then run
together. Before a program takes over the memory of variables they are settled: each holds JAX's
array itself, so that the references to it can be counted.
"""

from __future__ import annotations

import functools
from typing import Any

from gradtape import ops
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import in_thread, jax
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferredArray
from gradtape.backends.xla.runtime.tensor import (
    DeviceTensor,
    OnDevice,
    device_of,
    put,
)
from gradtape.core import native
from gradtape.core.bind import bind
from gradtape.core.convert import READERS
from gradtape.core.primitive import PRIMITIVES, Primitive
from gradtape.core.state import EMPTY, get_state, not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.transaction import exclusively, run_over, write_one
from gradtape.engine.variable import Variable

# An update of a larger variable is written into its memory at once.
_LARGEST_DEFERRED = 2**26  # bytes


class DeviceVariable(OnDevice, Variable):
    """A variable whose value is on a device and stays there: assigned values are moved to it."""

    __slots__ = ()
    _tensor_class = DeviceTensor

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Replace the value, as on the host: by a value that waits, without any op."""
        state = get_state()
        if type(value) is DeviceTensor and not state.tapes and state.trace is None:
            data = value._data
            if self._takes_as_it_is(data):
                self._defer(data)
                return self if read_value else None
        return super().assign(value, use_locking, name, read_value)

    def _takes_as_it_is(self, data: Any) -> bool:
        """Return whether this is a value that waits and that the variable can hold."""
        if type(data) is not DeferredArray:
            return False
        before = self._data
        return (
            data.shape == before.shape
            and data.dtype == before.dtype
            and data.nbytes <= _LARGEST_DEFERRED
            and (data.sharding is before.sharding or data.sharding == before.sharding)
        )

    def _defer(self, data: Any) -> None:
        """Give the variable a value that waits."""
        _Deferral.is_used = True
        before = self._data
        QUEUE.assign(before, data)
        write_one(self, data)

    def _assign_sum(self, prim: Primitive, delta: DeviceTensor, what: str) -> None:
        value = bind(prim, (self._now(), delta))
        data = value._data
        if self._takes_as_it_is(data):
            self._defer(data)
        else:
            self._assign(value, what)

    def _array_for(self, value: Any) -> Any:
        device = device_of(self._data)
        if type(value) is Tensor:
            return put(value._data, device)
        if type(value) is not DeviceTensor:
            raise value._leaked()
        if device_of(value._data) != device:
            return put(value._data, device)
        data = value._data
        if type(data) is not DeferredArray:
            return data
        if data.nbytes > _LARGEST_DEFERRED:
            return transfer.argument(data)
        _Deferral.is_used = True
        before = self._data
        QUEUE.assign(before, data)
        return data

    def _update(self, op, kernel, delta, what: str) -> None:
        """Add or subtract as on the host, in place if the array is not shared."""
        state = get_state()
        fits = (
            type(delta) is DeviceTensor
            and delta._data.shape == self._data.shape
            and delta._data.dtype == self._data.dtype
            and delta._data.sharding == self._data.sharding
        )
        is_deferred = native.fusion_is_on() and self._data.nbytes <= _LARGEST_DEFERRED
        if fits and is_deferred and state is EMPTY:
            exclusively((self,), self._assign_sum, PRIMITIVES[_NAMES[op]], delta, what)
        elif not fits or state.tapes or state.trace is not None or is_deferred:
            super()._update(op, kernel, delta, what)
        elif not self._change_over(_NAMES[op], {}, [transfer.argument(delta._data)]):
            with not_recording():
                self._modify(what, op, delta)

    def _change(self, update: ops.Update):
        """Update as on the host: rows are scattered in place."""
        # A slice is compiled for each index, as every op with one.
        if get_state().trace is not None or "index" in update.params:
            return super()._change(update)
        device = device_of(self._data)
        operands = [put(x._data, device) for x in update.operands]
        if not self._change_over(update.prim.name, update.params, operands):
            return super()._change(update)
        return self

    def _change_over(self, name: str, params: dict, operands: list) -> bool:
        """Run an op on the value in place; return False if the array is shared."""
        return exclusively((self,), self._settle_and_run_over, name, params, operands)

    def _settle_and_run_over(self, name: str, params: dict, operands: list) -> bool:
        settle((self,))
        return xla.exactly(self._run_over, name, params, operands)

    def _run_over(self, name: str, params: dict, operands: list) -> bool:
        value = self._data
        specs = tuple([(x.shape, x.dtype, x.sharding) for x in (value, *operands)])
        del value
        program = _over(name, tuple(params.items()), specs)
        if program.is_proven:
            arrays = [self._data, *operands]
            if type(arrays[0]) is DeferredArray:  # assigned since by a signal handler
                return False
            return run_over(program.call, arrays, [], (0,), (self,), 0) is not None
        # The first call compiles, in Python: interrupts are for this thread, and it gets a copy.
        arrays = [*transfer.copied([self._data]), *operands]
        outputs = in_thread(xla.exactly, program.call, *arrays)
        write_one(self, outputs[0])
        program.is_proven = True
        return True


class _Deferral:
    is_used = False  # whether any variable was ever assigned a deferred value


def settle(variables: tuple) -> None:
    """Compute the values of variables that are deferred. Call it in a transaction on them."""
    if _Deferral.is_used:
        for variable in variables:
            data = variable._data
            if type(data) is DeferredArray:
                write_one(variable, data.array())


_NAMES = {ops.add: "add", ops.subtract: "subtract"}


class _Over:
    """An op as a program that may write its result over its first input."""

    def __init__(self, name: str, params: tuple) -> None:
        kernel = functools.partial(xla.kernel(name), **dict(params))
        self.call = jax.jit(lambda *arrays: (kernel(*arrays),), donate_argnums=0)
        self.is_proven = False  # whether a call has succeeded


@functools.lru_cache(1024)
def _over(name: str, params: tuple, specs: tuple) -> _Over:
    return _Over(name, params)


native.connect(DeviceVariable=DeviceVariable)
READERS[DeviceVariable] = DeviceVariable.__tf_tensor__
