"""Every op that a program binds, computed by both backends from the same inputs."""

from __future__ import annotations

import jax
import numpy as np

import gradtape as tf
from gradtape import ops
from gradtape.backends.xla import kernels as xla
from gradtape.core import nest
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.tape import GradientTape

# How far results may lie apart, relative to each number and (a tenth of it) to the largest one of
# the results and inputs: the inputs are the same, so that only a few roundings can differ, but
# where a sum cancels they are those of its terms.
TOLERANCES = {
    "float64": 1e-11,
    "complex128": 1e-11,
    "float32": 1e-5,
    "complex64": 1e-5,
    "float16": 2e-3,
    "bfloat16": 1.6e-2,
}


class Listener:
    """Notes every op that is bound, with its inputs and results, as an accumulator sees them."""

    def __init__(self) -> None:
        self.ops: list[tuple] = []

    def record(self, prim, inputs, params, out) -> None:
        if all(type(x) is Tensor and x.dtype.name != "string" for x in inputs):
            results = (out,) if prim.outputs == 1 else tuple(out)
            arrays = [x._data for x in inputs]
            self.ops.append((prim, arrays, dict(params), [y._data for y in results]))

    def read_mark(self, variable, marks):
        return marks


def bound_by(function, args, differentiate: bool = True) -> list[tuple]:
    """The ops of a function, and (if its results have a derivative) of its reverse rule.

    They run on the host, also where new tensors go to a GPU: NumPy is what XLA is compared with.
    """
    listener = Listener()
    with tf.device("/CPU:0"), using(accumulators=(*get_state().accumulators, listener)):
        args = [ops.to_tensor(a) for a in args]
        if not differentiate:
            function(*args)
            return listener.ops
        with GradientTape() as tape:
            sources = [x for x in args if x.dtype.is_differentiable]
            tape.watch(sources)
            results = [y for y in nest.flatten(function(*args)) if y.dtype.is_differentiable]
        tape.gradient(results, sources)
    return listener.ops


def check(bound: list[tuple], tolerances=TOLERANCES) -> None:
    """Compute the ops once more, all in one program for XLA, and compare."""

    def program(inputs):
        results = []
        for (prim, _, params, _), arrays in zip(bound, inputs, strict=True):
            result = xla.kernel(prim.name)(*arrays, **params)
            results.append([result] if prim.outputs == 1 else list(result))
        return results

    result = xla.exactly(jax.jit(program), [arrays for _, arrays, _, _ in bound])
    for (prim, arrays, params, wanted), results in zip(bound, result, strict=True):
        given = ", ".join(f"{x.dtype}{list(x.shape)}" for x in arrays)
        what = f"{prim.name}({given}, {params})"
        largest = max([_largest(x) for x in arrays if x.dtype.name in tolerances], default=0)
        results, wanted = (
            with_one_phase(prim.name, [np.asarray(x) for x in result])
            for result in (results, wanted)
        )
        for got, want in zip(results, wanted, strict=True):
            same(got, want, what, tolerances, largest)


def with_one_phase(name: str, results: list[np.ndarray]) -> list[np.ndarray]:
    """Results with one choice of what is free: the phases of singular vectors and eigenvectors.

    LAPACK, which NumPy and XLA use on the host, and cuSOLVER choose them differently.
    """
    if name not in ("svd", "eigh") or len(results) < 2:
        return results
    *others, vectors = results
    largest = np.argmax(np.abs(vectors), axis=-2, keepdims=True)
    pivots = np.take_along_axis(vectors, largest, axis=-2)
    phases = np.abs(pivots) / pivots
    if name == "svd":  # those of the left and right vectors belong together
        count = min(others[-1].shape[-1], phases.shape[-1])
        phases = phases[..., :count]
        others[-1] = others[-1][..., :count] * phases
        vectors = vectors[..., :count]
    return [*others, vectors * phases]


def _largest(x) -> float:
    x = np.asarray(x)
    x = np.abs(x if x.dtype.kind == "c" else x.astype(np.float64))
    return np.max(x, initial=0, where=np.isfinite(x))


def same(got: np.ndarray, want: np.ndarray, what: str, tolerances=TOLERANCES, scale=0.0) -> None:
    assert got.dtype == want.dtype, f"{what}: XLA gives {got.dtype}, NumPy {want.dtype}"
    assert got.shape == want.shape, f"{what}: XLA gives {got.shape}, NumPy {want.shape}"
    tolerance = tolerances.get(want.dtype.name)
    if tolerance is None:
        np.testing.assert_array_equal(got, want, err_msg=what)
        return
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    got, want = got.astype(wide), want.astype(wide)
    atol = tolerance * max(scale, _largest(want), 1e-3) / 10
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=atol, err_msg=what)
