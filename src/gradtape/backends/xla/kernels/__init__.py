"""The XLA backend: the same primitives through JAX's public API, on CPUs, GPUs and TPUs.

Each module has a table `KERNELS`, with the names and conventions of the module of the same name in
`backends/numpy`: pure functions of JAX arrays, for use one by one and inside `jax.jit`.

**64-bit types.** JAX converts float64 to float32 unless the process-wide flag `jax_enable_x64` is
set, which would change what a program's own JAX code computes. So gradtape never sets it:
everything that it traces or runs is called by `exactly`, which sets the flag for one thread and one
call.

**Values cannot stop a program on a device**, which runs asynchronously. Where the NumPy kernels
raise an error about values (an index out of range), these do as TensorFlow's on GPUs: a gather
reads 0, a scatter drops the update, a label out of range gives nan.

This package imports JAX, and is itself imported only when a program uses a device.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

# First, because its error says what to install if JAX is missing.
from gradtape.backends.xla.require import exact, exactly, holding

# isort: split
from gradtape.backends.xla import cache
from gradtape.backends.xla.kernels.host import REASONS, HostFallbackWarning, announce
from gradtape.backends.xla.kernels.positions import POSITIONED
from gradtape.backends.xla.settings import compiler_options, settings
from gradtape.backends.xla.settings import key as settings_key

__all__ = [
    "KERNELS",
    "POSITIONED",
    "REASONS",
    "HostFallbackWarning",
    "announce",
    "compiler_options",
    "exact",
    "exactly",
    "holding",
    "kernel",
    "settings",
    "settings_key",
]

cache.install()
CHAPTERS = """
    activations attention bits collectives complexes conv creation cumulative decompositions
    einsum elementwise fft gather gelu joining linalg moments nn normalize pool random recurrent
    reduce rounding rows segment shape slicing solve sort special
""".split()
KERNELS: dict[str, Callable] = {}
for _chapter in CHAPTERS:
    KERNELS |= import_module(f"{__name__}.{_chapter}").KERNELS


def kernel(name: str) -> Callable:
    """Return the kernel of a primitive."""
    return KERNELS[name]
