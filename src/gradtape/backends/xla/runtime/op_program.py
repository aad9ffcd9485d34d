"""Single ops as programs on a device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import in_thread, jax
from gradtape.backends.xla.runtime.memory import LARGE, make_room, size_of
from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec

_MAX_COMPILED = 4096  # as many as JAX keeps


class MakesLarge(Exception):
    """The program being compiled has a large result: it must check for memory first."""

    def __init__(self, program: OpProgram) -> None:
        super().__init__()
        self.program = program


class OpProgram:
    """An op as a program, which JAX compiles for each new shape.

    For shapes with large results, `run` raises `MakesLarge`; the object itself is to be called from
    then on, which checks for memory before it runs.
    """

    def __init__(self, prim: Primitive, kernel: Callable, params: dict) -> None:
        self._prim = prim
        self._sizes: dict[tuple, int] = {}  # of large results, by the forms of the inputs
        self._compiled: set[tuple] = set()  # for what kinds of inputs

        def program(*arrays):
            outputs = kernel(*arrays, **params)
            size = size_of([outputs] if prim.outputs == 1 else outputs)
            forms = _forms(arrays)
            if size >= LARGE and forms not in self._sizes:
                self._sizes[forms] = size
                raise MakesLarge(self)
            return outputs

        program.__name__ = prim.name
        self._jitted = jax.jit(program, compiler_options=xla.compiler_options())

    def run(self, *arrays):
        """Run the program. It is compiled in another thread: some of JAX swallows interrupts."""
        kinds = _kinds(arrays)
        if kinds in self._compiled:
            return self._jitted(*arrays)
        made = in_thread(xla.exactly, self._jitted, *arrays)
        if len(self._compiled) >= _MAX_COMPILED:
            self._compiled.clear()
        self._compiled.add(kinds)
        return made

    def __call__(self, *arrays):
        size = self._sizes.get(_forms(arrays))
        if size is not None:
            where = next(iter(next(x for x in arrays if isinstance(x, jax.Array)).devices()))
            specs = [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]
            make_room(self._prim.name, size, where, specs)
        try:
            return self.run(*arrays)
        except MakesLarge:  # for new shapes
            return self(*arrays)


def _kinds(arrays) -> tuple:
    """Return what JAX compiles a program for."""
    try:
        return tuple([(x.aval, x.sharding) for x in arrays])
    except AttributeError:  # NumPy's arrays
        return _forms(arrays)


def _forms(arrays) -> tuple:
    return tuple([(x.shape, x.dtype) for x in arrays])
