"""`tf.export.stablehlo`: a function as a serialized XLA program, which plain JAX runs."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import numpy as np

from gradtape.exporting.samples import trace_stateless
from gradtape.exporting.signature import Signature, make_signature
from gradtape.formats.atomic import write_whole

NAME = "tf.export.stablehlo"


def stablehlo(
    function: Any, signature: Any = None, path: Any = None, *, platforms=("cpu",)
) -> bytes | None:
    """Return a function as StableHLO, serialized by `jax.export`; or write it to a file.

    `jax.export.deserialize(data).call(*arrays)` runs it, and returns a tuple of results, with
    values of variables as they are now. The program is compiled for `platforms` ("cpu", "cuda",
    "rocm", "tpu"). All sizes have to be given: XLA compiles a program for one shape.
    """
    made = make_signature(NAME, function, signature)
    for spec in made.leaves:
        if not spec.shape.is_fully_defined():
            raise ValueError(
                f"{NAME}: {spec!r} has an open size, and an XLA program is compiled for one "
                "shape. Give all sizes, or see tf.export.onnx for a model that takes every size."
            )
    data = _serialized(made, tuple(platforms))
    if path is None:
        return data
    write_whole(os.fspath(path), [data])
    return None


def _serialized(signature: Signature, platforms: tuple[str, ...]) -> bytes:
    from gradtape.backends.xla.require import exactly, jax
    from gradtape.backends.xla.runtime.compilable import obstacle
    from gradtape.backends.xla.runtime.graph_program import flat_function

    export = import_module("jax.export")
    samples = trace_stateless(NAME, signature)
    routine, graph = samples.routine, samples.graphs[0]
    reason = obstacle(graph)
    if reason is not None:
        raise NotImplementedError(f"{NAME}: {signature.name} is no XLA program: {reason}.")
    run = flat_function(graph)
    weights = [np.asarray(variable.numpy()) for variable in routine.variables]
    unused = [np.zeros(v.spec.shape, v.spec.dtype) for v in graph.inputs[-len(routine.feeds) :]]
    rest = [*weights, *(unused if routine.feeds else [])]

    def call(*arrays):
        return run(*arrays, *rest)

    call.__name__ = signature.name if signature.name.isidentifier() else "call"
    shapes = [
        jax.ShapeDtypeStruct(tuple(value.spec.shape), value.spec.dtype)
        for value in graph.inputs[: routine.arguments]
    ]
    exported = exactly(export.export(jax.jit(call), platforms=platforms), *shapes)
    return bytes(exported.serialize())
