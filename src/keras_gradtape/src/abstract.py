"""Tensors of which only shape and dtype are known, and running functions on them.

Ops on them run their shape rules instead of their kernels, so that a model's output shape costs
no arithmetic, whatever the sizes.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar

from gradtape.core.primitive import Primitive
from gradtape.core.state import get_state, setting, using
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Spec

_current: ContextVar[Tracing | None] = ContextVar("keras_gradtape_tracing", default=None)
current_tracing = _current.get


class NeedsValue(TypeError):
    """A function asked an abstract tensor for its value."""


class Tracing:
    """One run of a function on abstract tensors: the interpreter of the ops on them."""

    __slots__ = ("active", "asked_for_value", "depth")

    def __init__(self, depth: int) -> None:
        self.active = True
        self.asked_for_value = False
        self.depth = depth

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        result = prim.shape(*[x._spec() for x in inputs], **params)
        if isinstance(result, Spec):
            return AbstractTensor(result, self)
        return tuple([AbstractTensor(spec, self) for spec in result])


class AbstractTensor(SymbolicTensor):
    """A tensor without a value. `_data` is its description."""

    __slots__ = ()

    def _unmarked(self) -> AbstractTensor:
        return AbstractTensor(self._data, self._interpreter)

    def _spec(self) -> Spec:
        return self._data

    def _leaked(self) -> Exception:
        return RuntimeError(
            f"A tensor of shape {self.shape} that only describes the outputs of a model was used "
            "as a value. It was kept from a symbolic call: do not store tensors on layers."
        )

    def numpy(self):
        if not self._interpreter.active:
            raise self._leaked()
        self._interpreter.asked_for_value = True
        raise NeedsValue(
            f"A tensor of shape {self.shape} in a symbolic call has no value, only a shape and a "
            "dtype."
        )

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, abstract>"

    __str__ = __repr__


@contextlib.contextmanager
def tracing():
    """Open a block that runs on abstract tensors; no tape sees its ops."""
    state = get_state()
    run = Tracing(state.depth + 1)
    with setting(_current, run):
        try:
            with using(tapes=(), accumulators=(), depth=run.depth):
                yield run
        finally:
            run.active = False


def abstract(shape, dtype) -> AbstractTensor:
    """Return an abstract tensor of the run in progress; `dtype` is NumPy's."""
    run = current_tracing()
    if run is None:
        raise RuntimeError("abstract tensors exist only while a function is traced")
    return AbstractTensor(Spec(tuple(shape), dtype), run)
