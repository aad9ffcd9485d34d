"""Variables on a device."""

from __future__ import annotations

import functools
from sys import getrefcount

from gradtape import ops
from gradtape.backends import xla
from gradtape.backends.xla.require import jax
from gradtape.core.convert import READERS
from gradtape.core.state import get_state, not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.device_tensor import DeviceTensor, OnDevice, device_of, put
from gradtape.engine.variable import Variable


class DeviceVariable(OnDevice, Variable):
    """A variable whose value is on a device, and stays there: what is assigned is moved."""

    __slots__ = ()
    _tensor_class = DeviceTensor

    def _stored(self, value):
        device = device_of(self._data)
        if type(value) is Tensor:
            return put(value._data, device)
        if type(value) is not DeviceTensor:
            raise value._leaked()
        return value._data if device_of(value._data) == device else put(value._data, device)

    def _update(self, op, in_place, delta, what: str) -> None:
        """As the host's variables; into the same memory where nobody else holds the array."""
        self._snapshot = None
        fits = (
            type(delta) is DeviceTensor
            and delta._data.shape == self._data.shape
            and delta._data.dtype == self._data.dtype
        )
        state = get_state()
        # Held by the attribute, and by the argument of the call that counts.
        if not fits or state.tapes or state.trace is not None or getrefcount(self._data) != 2:
            super()._update(op, in_place, delta, what)
            return
        with xla.exact_types(), not_recording():
            self._data = _donating(op)(self._data, delta._data)


@functools.cache
def _donating(op):
    """The op as a program that may write its result over its first input."""
    kernel = xla.kernel({ops.add: "add", ops.subtract: "subtract"}[op])
    return jax.jit(kernel, donate_argnums=0)


READERS[DeviceVariable] = DeviceVariable.__tf_tensor__
