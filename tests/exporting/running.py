"""Runs exported models by onnxruntime beside the functions that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import numpy as np

import gradtape as tf

# Errors of float32 as fractions of 1 + |value|.
TOLERANCE = 1e-5


def session(model: bytes):
    """Return a session of onnxruntime for a model that ONNX's own checker accepts."""
    onnx, runtime = import_module("onnx"), import_module("onnxruntime")
    onnx.checker.check_model(onnx.load_from_string(model), full_check=True)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def draw(specs: Sequence, sizes: Sequence[int], seed: int, low=-1.0, high=1.0) -> list[np.ndarray]:
    """Return random arguments; the open axes of each have the given sizes, in order."""
    random = np.random.default_rng(seed)
    arrays = []
    for spec in specs:
        open_sizes = iter(sizes)
        shape = [next(open_sizes) if n is None else n for n in spec.shape]
        array = random.uniform(low, high, shape)
        arrays.append(array > 0 if spec.dtype is tf.bool else array.astype(spec.dtype.name))
    return arrays


def compare(function, specs: Sequence, every_size: Sequence, tolerance=TOLERANCE, **bounds) -> None:
    """Export a function once; compare its results with onnxruntime's for several sizes."""
    running = session(tf.export.onnx(function, list(specs)))
    names = [each.name for each in running.get_inputs()]
    for seed, sizes in enumerate(every_size):
        arrays = draw(specs, sizes, seed, **bounds)
        wanted = tf.nest.flatten(function(*map(tf.constant, arrays)))
        got = running.run(None, dict(zip(names, arrays, strict=True)))
        assert len(got) == len(wanted)
        for x, y in zip(wanted, got, strict=True):
            assert x.dtype.name == y.dtype.name
            assert x.shape == y.shape
            x = x.numpy()
            if y.dtype.kind == "f":
                finite = np.isfinite(x)
                np.testing.assert_array_equal(np.isfinite(y), finite)
                error = np.abs(x - y)[finite] / (1 + np.abs(x[finite]))
                assert error.max(initial=0) < tolerance
            else:
                np.testing.assert_array_equal(x, y)
