"""Primitives that XLA has no op for: the NumPy kernel, called on the host from the program.

Each states its reason and the shape of its result. A warning announces it once, because values are
transferred to the host and back in the middle of a program.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable

import jax
import numpy as np

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.backends.xla.kernels.bits import bitcast

REASONS: dict[str, str] = {}  # primitive -> why it runs on the host
_announced: set[str] = set()
_WORD = np.dtype(np.uint32)
_PURE = functools.partial(jax.pure_callback, vmap_method="sequential")


class HostFallbackWarning(UserWarning):
    """An op of an XLA program runs in NumPy, on the host."""


def like_last(*arrays, **params):
    """Return the spec of a result with the last input's dtype and the broadcast shape of all."""
    shape = broadcast_shapes(*[x.shape for x in arrays])
    return jax.ShapeDtypeStruct(shape, arrays[-1].dtype)


def on_host(name: str, reason: str, result: Callable = like_last) -> Callable:
    """Return a kernel that calls NumPy's; `result` computes the specs of its results."""
    kernel = numpy_backend.kernel(name)
    REASONS[name] = reason

    def run(*arrays, **params):
        announce(name)
        expected = result(*arrays, **params)
        specs = expected if isinstance(expected, tuple) else (expected,)

        def compute(*values):
            results = kernel(*values, **params)
            return results if isinstance(expected, tuple) else (results,)

        results = through_host(_PURE, compute, list(specs), arrays)
        return tuple(results) if isinstance(expected, tuple) else results[0]

    run.__name__ = run.__qualname__ = name
    return run


def through_host(call: Callable, compute: Callable, specs: list, arrays: tuple) -> list:
    """Return what a function of NumPy arrays gives, called by one of JAX's callbacks.

    JAX runs these in its own threads, in which 64-bit types are not enabled: they are passed as
    pairs of 32-bit words.
    """
    dtypes = [x.dtype for x in arrays]

    def run(*values):
        values = [_unpacked(v, dtype) for v, dtype in zip(values, dtypes, strict=True)]
        return [_packed(y, spec) for y, spec in zip(compute(*values), specs, strict=True)]

    sent = [bitcast(x, _WORD) if x.dtype.itemsize >= 8 else x for x in arrays]
    received = call(run, [_packed_spec(spec) for spec in specs], *sent)
    return [
        bitcast(y, spec.dtype) if spec.dtype.itemsize >= 8 else y
        for y, spec in zip(received, specs, strict=True)
    ]


def _unpacked(value, dtype):
    """Return an array as kernels expect it: a single number as a NumPy scalar."""
    array = np.asarray(value)
    if dtype.itemsize >= 8:
        array = np.ascontiguousarray(array).view(dtype)[..., 0]
    return array[()]


def _packed(value, spec) -> np.ndarray:
    array = np.asarray(value, spec.dtype)
    if spec.dtype.itemsize < 8:
        return array
    return np.ascontiguousarray(array).view(_WORD).reshape(_packed_spec(spec).shape)


def _packed_spec(spec):
    size = spec.dtype.itemsize
    if size < 8:
        return spec
    return jax.ShapeDtypeStruct((*spec.shape, size // 4), _WORD)


def announce(name: str) -> None:
    """Warn, once per process, that an op does not run on the device."""
    if name not in _announced:
        _announced.add(name)
        warnings.warn(
            f"{name} runs on the host, in NumPy: {REASONS[name]}. Its values travel to the host "
            "and back each time.",
            HostFallbackWarning,
            stacklevel=3,
        )


def only_on_host(name: str, reason: str) -> Callable:
    """Return a kernel that raises, for a primitive whose inputs cannot be on a device."""
    REASONS[name] = reason

    def refuse(*arrays, **params):
        raise NotImplementedError(f"{name} cannot run in a program for XLA: {reason}.")

    return refuse
