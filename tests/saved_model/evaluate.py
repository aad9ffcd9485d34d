"""What a model computes, as arrays by name: results, and gradients of the sum of their squares."""

from __future__ import annotations

import numpy as np


def evaluate(tf, function, arguments: tuple) -> dict[str, np.ndarray]:
    """Return the results of a call, and gradients with respect to its arguments and variables.

    Variables are known by their values, since names can be the same.
    """
    arguments = tf.nest.map_structure(tf.constant, arguments)
    floats = [x for x in tf.nest.flatten(arguments) if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        results = function(*arguments)
        flat = tf.nest.flatten(results)
        smooth = [x for x in flat if x.dtype.is_floating]
        loss = tf.add_n(
            [tf.constant(0.0), *[tf.reduce_sum(tf.cast(x, tf.float32) ** 2) for x in smooth]]
        )
    variables = sorted(tape.watched_variables(), key=lambda v: (v.shape.as_list(), str(v.numpy())))
    slopes = tape.gradient(loss, [*floats, *variables])
    out = {f"result {i}": _array(tf, x) for i, x in enumerate(flat)}
    for index, slope in enumerate(slopes):
        if slope is not None:
            out[f"gradient {index}"] = tf.convert_to_tensor(slope).numpy()
    out["variables"] = np.array(len(variables))
    return out


def _array(tf, x) -> np.ndarray:
    return np.asarray(x.numpy(), object if x.dtype == tf.string else None)


def different(ours: dict, theirs: dict, tolerance: float = 2e-5) -> str:
    """Return how two evaluations differ; nothing, if they agree."""
    if sorted(ours) != sorted(theirs):
        return f"{sorted(set(ours) ^ set(theirs))} is in one alone"
    for name, one in ours.items():
        other = theirs[name]
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{name}: {one.dtype}{one.shape}, not {other.dtype}{other.shape}"
        if one.dtype == object or one.dtype.kind in "SUb":
            if one.tolist() != other.tolist():
                return f"{name}: {one.tolist()}, not {other.tolist()}"
            continue
        scale = max(float(np.max(np.abs(other), initial=0.0)), 1.0)
        error = float(np.max(np.abs(one.astype(complex) - other.astype(complex)), initial=0.0))
        if not error <= tolerance * scale:
            return f"{name}: an error of {error:.2e} at a scale of {scale:.2e}"
    return ""
