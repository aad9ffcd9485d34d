"""Primitives that XLA has no op for: the NumPy kernel, called on the host from the program.

Each states its reason and the shape of its result. It is announced once, by a warning, because
values travel to the host and back in the middle of a program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import jax
import numpy as np

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.xla.bits import bitcast

REASONS: dict[str, str] = {}  # primitive -> why it runs on the host
_announced: set[str] = set()
_WORD = np.dtype(np.uint32)


class HostFallbackWarning(UserWarning):
    """An op of a program for XLA runs in NumPy, on the host."""


def like_last(*arrays, **params):
    """The result has the dtype of the last input, and the shape that all broadcast to."""
    shape = np.broadcast_shapes(*[x.shape for x in arrays])
    return jax.ShapeDtypeStruct(shape, arrays[-1].dtype)


def on_host(name: str, reason: str, result: Callable = like_last) -> Callable:
    """A kernel that calls NumPy's; `result` gives the shape(s) and dtype(s) of what it returns."""
    kernel = numpy_backend.kernel(name)
    REASONS[name] = reason

    def run(*arrays, **params):
        announce(name)
        expected = result(*arrays, **params)
        specs = expected if isinstance(expected, tuple) else (expected,)
        dtypes = [x.dtype for x in arrays]

        def compute(*values):
            values = [_unpacked(v, dtype) for v, dtype in zip(values, dtypes, strict=True)]
            found = kernel(*values, **params)
            found = found if isinstance(expected, tuple) else (found,)
            return [_packed(y, spec) for y, spec in zip(found, specs, strict=True)]

        sent = [bitcast(x, _WORD) if x.dtype.itemsize >= 8 else x for x in arrays]
        received = jax.pure_callback(
            compute, [_packed_spec(spec) for spec in specs], *sent, vmap_method="sequential"
        )
        found = tuple(
            bitcast(y, spec.dtype) if spec.dtype.itemsize >= 8 else y
            for y, spec in zip(received, specs, strict=True)
        )
        return found if isinstance(expected, tuple) else found[0]

    run.__name__ = run.__qualname__ = name
    return run


# JAX calls back in threads of its own, in which 64-bit types are not switched on: they travel as
# pairs of 32-bit words.


def _unpacked(value, dtype):
    """An array as kernels expect it: one number as a NumPy scalar."""
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
    """Say, once per process, that an op does not run on the device."""
    if name not in _announced:
        _announced.add(name)
        warnings.warn(
            f"{name} runs on the host, in NumPy: {REASONS[name]}. Its values travel to the host "
            "and back each time.",
            HostFallbackWarning,
            stacklevel=3,
        )


def only_on_host(name: str, reason: str) -> Callable:
    """For a primitive whose inputs cannot be on a device at all."""
    REASONS[name] = reason

    def refuse(*arrays, **params):
        raise NotImplementedError(f"{name} cannot run in a program for XLA: {reason}.")

    return refuse
