"""More calls that `ops.py` measures: small ones, whose time is Python's, and some large ones."""

from __future__ import annotations

import numpy as np
from op_cases import Case, both, normals


def call_cases(random: np.random.Generator) -> list[Case]:
    """Calls whose time is mostly that of Python: lists, draws of few numbers, small tensors."""
    normal = normals(random)
    x, m = normal(4, 3), normal(3, 3) + 4 * np.eye(3, dtype=np.float32)
    texts = np.array([f"the quick brown fox {i} jumps".encode() for i in range(500)], object)
    table = {
        "constant of a list": lambda tf, x: tf.constant([1.0, 2.0, 3.0]),
        "constant of lists": lambda tf, x: tf.constant([[1, 2], [3, 4]]),
        "add a list": lambda tf, x: tf.add(x, [1.0, 2.0, 3.0]),
        "gather a list": lambda tf, x: tf.gather(x, [0, 2]),
        "gather_nd a list": lambda tf, x: tf.gather_nd(x, [[0, 1], [2, 2]]),
        "scatter_nd lists": lambda tf, x: tf.scatter_nd([[0], [2]], [1.0, 2.0], [4]),
        "one_hot of a list": lambda tf, x: tf.one_hot([0, 2, 1], 3),
        "random.categorical of 4": lambda tf, x: tf.random.categorical(x, 1),
        "random.uniform of 12": lambda tf, x: tf.random.uniform([4, 3]),
        "argmax of 12": lambda tf, x: tf.argmax(x, 1),
        "range of 5": lambda tf, x: tf.range(5),
        "pad of 12": lambda tf, x: tf.pad(x, [[1, 1], [0, 0]]),
        "maximum with 0": lambda tf, x: tf.maximum(x, 0.0),
        "logsumexp of 12": lambda tf, x: tf.reduce_logsumexp(x, 1),
        "unique of 12": lambda tf, x: tf.unique(tf.reshape(x, [-1])),
        "assert_equal": lambda tf, x: tf.debugging.assert_equal(x, x),
        "dropout of 12": lambda tf, x: tf.nn.dropout(x, 0.5),
    }
    cases = [Case(name, call, [x]) for name, call in table.items()]
    cases += [
        Case(f"{name} of 3×3", lambda tf, m, n=name: getattr(tf.linalg, n)(m), [m @ m.T])
        for name in ("inv", "det", "cholesky", "qr", "svd", "eigh", "slogdet")
    ]
    for name, call in {
        "strings.length": lambda tf, s: tf.strings.length(s),
        "strings.lower": lambda tf, s: tf.strings.lower(s),
        "strings.split": lambda tf, s: tf.strings.split(s).flat_values,
        "strings.to_hash_bucket_fast": lambda tf, s: tf.strings.to_hash_bucket_fast(s, 100),
        "strings.regex_replace": lambda tf, s: tf.strings.regex_replace(s, "o", "0"),
    }.items():
        cases.append(Case(name, call, [texts]))
    return cases


def large_cases(random: np.random.Generator) -> list[Case]:
    """Calls on arrays of some hundred thousand numbers that no other case contains."""
    normal = normals(random)
    x, cases = np.abs(normal(600, 500)) + 0.1, []
    for name in "elu leaky_relu softplus selu".split():
        cases += both(name, lambda tf, x, n=name: getattr(tf.nn, n)(x), [normal(600, 500)])
    for name in "erf erfinv lgamma digamma expm1 log1p tan asin atan sinh".split():
        cases.append(Case(name, lambda tf, x, n=name: getattr(tf.math, n)(x), [x / x.max() * 0.9]))
    for axis in (0, 1):
        for name in "reduce_logsumexp argmax reduce_prod".split():
            cases.append(
                Case(f"{name} {axis}", lambda tf, x, n=name, a=axis: getattr(tf, n)(x, a), [x])
            )
    for name, call in {
        "divide": lambda tf, x: x / (x + 1.0),
        "tile rows": lambda tf, x: tf.tile(x, [2, 1]),
        "tile columns": lambda tf, x: tf.tile(x, [1, 2]),
        "repeat columns": lambda tf, x: tf.repeat(x, 2, 1),
        "where": lambda tf, x: tf.where(x > 0.5),
        "histogram": lambda tf, x: tf.histogram_fixed_width(x, [0.0, 1.0], 50),
        "random.categorical": lambda tf, x: tf.random.categorical(x, 5),
        "from_dense": lambda tf, x: tf.sparse.from_dense(x).values,
        "cumulative_logsumexp": lambda tf, x: tf.math.cumulative_logsumexp(x, 1),
        "fft": lambda tf, x: tf.signal.rfft(x),
        "depth_to_space": lambda tf, x: tf.nn.depth_to_space(tf.reshape(x, [3, 50, 50, 40]), 2),
    }.items():
        cases.append(Case(name, call, [x]))
    stack = normal(50, 40, 40)
    stack = stack @ stack.transpose(0, 2, 1) + 40 * np.eye(40, dtype=np.float32)
    for name in "inv det cholesky eigh qr".split():
        cases.append(Case(f"{name} of 50", lambda tf, m, n=name: getattr(tf.linalg, n)(m), [stack]))
    one = stack[0]
    one = np.kron(one, np.eye(8, dtype=np.float32))
    for name in "inv cholesky eigh qr svd".split():
        cases += both(f"{name} of 320", lambda tf, m, n=name: getattr(tf.linalg, n)(m), [one])
    return cases
