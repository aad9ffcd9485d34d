"""Python functions that a compiled program calls: `tf.numpy_function`, prints and checks in loops.

Calls happen in the order of the program: each takes a token that the one before has returned, and
loops and branches pass it on. It is a result of the program, too, so that who waits for it knows
that all calls have been made. What a function raises is raised by the call of the program.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from gradtape.backends.xla.kernels.host import through_host
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.device import on_host
from gradtape.core.state import lifted, setting
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.control.callback import CALLBACK, UNBOX, Callback
from gradtape.graph.control.effects import EFFECT

_TOKEN = jax.ShapeDtypeStruct((), np.dtype(np.int32))


class _Raised(Exception):
    """Ends a program in which a Python function has raised an error, which `Calls` keeps."""


class Calls:
    """The calls of Python functions in one program, and what they have raised."""

    def __init__(self) -> None:
        self._token: Any = None  # while the program is traced
        self._errors: list[Exception] = []
        self.is_empty = True

    def collected(self) -> Any:
        """Let kernels that are traced in the block call Python functions."""
        return setting(_calls, self)

    def program(self, function: Callable[..., tuple]) -> Callable[..., tuple]:
        """Return the function of a program, with the last token as one more result if it calls."""

        def whole(*arrays: Any) -> tuple:
            with self.collected():
                self._token = jax.numpy.zeros((), np.int32)
                outputs = function(*arrays)
                token, self._token = self._token, None
                return outputs if self.is_empty else (*outputs, token)

        return whole

    def finish(self, outputs: tuple) -> tuple:
        """Wait for a program, and return its results without the token."""
        return jax.block_until_ready(outputs)[:-1]

    def raised(self) -> Exception | None:
        """Return what a function has raised in a program that failed."""
        return self._errors.pop() if self._errors else None

    def call(self, function: Callable[..., list], specs: list[Spec], arrays: tuple) -> list:
        """Call a function from tensors to a list of tensors, after all calls so far."""
        self.is_empty = False

        def compute(token: Any, *values: Any) -> list:
            try:
                results = on_host(_called, function, values)
            except Exception as error:  # see `raised`
                self._errors.append(error)
                raise _Raised(str(error)) from None
            return [token, *results]

        shapes = [jax.ShapeDtypeStruct(spec.shape, spec.dtype) for spec in specs]
        given = (self._token, *map(jax.numpy.asarray, arrays))
        call = jax.experimental.io_callback
        self._token, *results = through_host(call, compute, [_TOKEN, *shapes], given)
        return results

    def carrying(self, step: Callable[..., tuple]) -> Callable[..., tuple]:
        """Return a part of the program as a function that takes a token, and returns the last."""

        def run(token: Any, *arrays: Any) -> tuple:
            self._token = token
            outputs = step(*arrays)
            return (self._token, *outputs)

        return run

    def token(self) -> Any:
        """Return the last token, for a part of the program."""
        return self._token

    def given(self, results: Any) -> tuple:
        """Return the results of a part of the program, whose first is the token."""
        self._token, *rest = results
        return tuple(rest)


_calls: ContextVar[Calls | None] = ContextVar("gradtape_calls", default=None)


def calls_in(*graphs: Any) -> Calls | None:
    """Return the calls of the program being traced, if one of these parts of it calls a function.

    None on a mesh, too, where there is no order.
    """
    return _calls.get() if any(graph.has_effects for graph in graphs) else None


def _called(function: Callable[..., list], values: tuple) -> list:
    with lifted():
        return [x._host_data() for x in function(*[Tensor(value) for value in values])]


class _Silent(logging.Filter):
    """Drops what JAX logs of an error that the call of the program raises anyway."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.exc_info is None or not isinstance(record.exc_info[1], _Raised)


logging.getLogger("jax._src.callback").addFilter(_Silent())


# --- kernels -------------------------------------------------------------------------------------


def _callback(*arrays: Any, callback: Callback) -> list:
    """Call a Python function; what it returns takes the place of the box."""
    calls: Any = _calls.get()
    specs: Any = callback.specs
    return calls.call(lambda *tensors: callback.run(list(tensors))[0], specs, arrays)


def _unbox(box: list, *inputs: Any, specs: tuple[Spec, ...], is_recorded: bool) -> tuple:
    return tuple(box)


def _effect(*arrays: Any, do: Callable) -> tuple:
    calls = _calls.get()
    if calls is None:  # on each device of a mesh for itself
        jax.debug.callback(lambda *values: _done(do, *map(transfer.shown, values)), *arrays)
    else:
        calls.call(lambda *tensors: do(*tensors) or [], [], arrays)
    return ()


def _done(do: Callable, *values: Any) -> None:
    with lifted():
        do(*[Tensor(value) for value in values])


KERNELS = {CALLBACK: _callback, UNBOX: _unbox, EFFECT: _effect}
