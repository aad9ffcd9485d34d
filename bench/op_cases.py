"""The calls that `ops.py` measures: a table of functions and the arrays that they are given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


class Case:
    """A function of tensors, and the arrays that they are made of."""

    def __init__(
        self, name: str, call: Callable, arrays: list, dtype="float32", gradient=False
    ) -> None:
        self.name = name + (" and gradient" if gradient else "")
        self.call, self.arrays, self.dtype, self.gradient = call, arrays, dtype, gradient

    def ready(self, tf, settle: Callable) -> Callable:
        """Make the tensors; return a function that runs the case once."""
        tensors = [
            tf.cast(tf.constant(a), self.dtype) if a.dtype.kind == "f" else tf.constant(a)
            for a in self.arrays
        ]
        for tensor in tensors:
            settle(tensor)
        if not self.gradient:
            return lambda: settle(self.call(tf, *tensors))
        sources = [t for t in tensors if t.dtype.is_floating]

        def run():
            with tf.GradientTape() as tape:
                tape.watch(sources)
                y = self.call(tf, *tensors)
            return settle(tape.gradient(y, sources))

        return run


def both(name: str, call: Callable, arrays: list, dtype: str = "float32") -> list[Case]:
    return [Case(name, call, arrays, dtype), Case(name, call, arrays, dtype, gradient=True)]


def normals(random: np.random.Generator) -> Callable[..., np.ndarray]:
    return lambda *shape: random.standard_normal(shape, np.float32)


def _dtypes(random: np.random.Generator) -> list[Case]:
    """Products, elementwise ops, sums and casts in other dtypes than float32."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    for dtype in ("float16", "bfloat16", "float64"):
        for n in (16, 64, 256, 500):
            cases += both(
                f"matmul {n} {dtype}",
                lambda tf, a, b: tf.matmul(a, b),
                [normal(n, n), normal(n, n)],
                dtype,
            )
        cases += both(
            f"matmul 37×301×53 {dtype}",
            lambda tf, a, b: tf.matmul(a, b),
            [normal(37, 301), normal(301, 53)],
            dtype,
        )
        cases += both(
            f"matmul 8×64×64×64 {dtype}",
            lambda tf, a, b: tf.matmul(a, b),
            [normal(8, 64, 64), normal(8, 64, 64)],
            dtype,
        )
        add(
            Case(
                f"matmul 256 transposed {dtype}",
                lambda tf, a, b: tf.matmul(a, b, transpose_b=True),
                [normal(256, 256), normal(256, 256)],
                dtype,
            )
        )
        for n in (100, 10_000, 300_001, 1_000_000):
            x, y = normal(n), normal(n)
            add(Case(f"x * y {n} {dtype}", lambda tf, a, b: a * b, [x, y], dtype))
            add(Case(f"x + 1 {n} {dtype}", lambda tf, a, b: a + 1, [x, y], dtype))
            if n != 10_000:
                for name in ("exp", "tanh", "sigmoid", "sin", "sqrt"):
                    add(
                        Case(
                            f"{name} {n} {dtype}",
                            lambda tf, a, name=name: getattr(tf, name)(a),
                            [abs(x)],
                            dtype,
                        )
                    )
                add(Case(f"relu {n} {dtype}", lambda tf, a: tf.nn.relu(a), [x], dtype))
                add(Case(f"maximum {n} {dtype}", lambda tf, a, b: tf.maximum(a, b), [x, y], dtype))
                add(Case(f"x > y {n} {dtype}", lambda tf, a, b: a > b, [x, y], dtype))
            cases += both(
                f"chain {n} {dtype}",
                lambda tf, a, b: tf.tanh(a * b + 0.5) * tf.exp(-a * a),
                [x, y],
                dtype,
            )
        for shape, axis in (((1000, 1000), 0), ((1000, 1000), 1), ((100_003,), 0), ((17, 31), 0)):
            add(
                Case(
                    f"reduce_sum {shape} axis {axis} {dtype}",
                    lambda tf, a, axis=axis: tf.reduce_sum(a, axis),
                    [normal(*shape)],
                    dtype,
                )
            )
            add(
                Case(
                    f"reduce_max {shape} axis {axis} {dtype}",
                    lambda tf, a, axis=axis: tf.reduce_max(a, axis),
                    [normal(*shape)],
                    dtype,
                )
            )
        add(
            Case(
                f"cast to float32 300001 {dtype}",
                lambda tf, a: tf.cast(a, tf.float32),
                [normal(300_001)],
                dtype,
            )
        )
        add(
            Case(
                f"cast from float32 300001 {dtype}",
                lambda tf, a, dtype=dtype: tf.cast(a, dtype),
                [normal(300_001)],
            )
        )
        cases += both(
            f"softmax (1000, 100) {dtype}",
            lambda tf, a: tf.nn.softmax(a),
            [normal(1000, 100)],
            dtype,
        )
    for name, dtype in (("int32", np.int32), ("int64", np.int64)):
        for n in (16, 64, 256):
            a, b = (random.integers(-1000, 1000, (n, n)).astype(dtype) for _ in range(2))
            add(Case(f"matmul {n} {name}", lambda tf, a, b: tf.matmul(a, b), [a, b]))
        a, b = (
            random.integers(-9, 9, (37, 301)).astype(dtype),
            random.integers(-9, 9, (301, 53)).astype(dtype),
        )
        add(Case(f"matmul 37×301×53 {name}", lambda tf, a, b: tf.matmul(a, b), [a, b]))
        for n in (100, 10_000, 1_000_000):
            a, b = (
                random.integers(-1000, 1000, n).astype(dtype),
                random.integers(1, 1000, n).astype(dtype),
            )
            for op in ("a * b", "a + b", "a // b", "a % b", "a > b"):
                add(Case(f"{op} {n} {name}", eval(f"lambda tf, a, b: {op}"), [a, b]))
            add(Case(f"maximum {n} {name}", lambda tf, a, b: tf.maximum(a, b), [a, b]))
        for axis in (0, 1):
            add(
                Case(
                    f"reduce_sum (1000, 1000) axis {axis} {name}",
                    lambda tf, a, axis=axis: tf.reduce_sum(a, axis),
                    [random.integers(-9, 9, (1000, 1000)).astype(dtype)],
                )
            )
    return cases


def _order(random: np.random.Generator) -> list[Case]:
    """Sorting, the largest, distinct values, search."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    sizes = [(100,), (10_000,), (1_000_000,), (1000, 37), (64, 1000), (3, 100_003)]
    for shape in sizes:
        x = normal(*shape)
        whole = (random.random(shape) * 1000).astype(np.int32)
        cases += both(f"sort {shape}", lambda tf, a: tf.sort(a), [x])
        add(Case(f"sort descending {shape}", lambda tf, a: tf.sort(a, direction="DESCENDING"), [x]))
        add(Case(f"sort {shape} int32", lambda tf, a: tf.sort(a), [whole]))
        add(Case(f"argsort {shape}", lambda tf, a: tf.argsort(a, stable=True), [x]))
        add(Case(f"argsort {shape} int32", lambda tf, a: tf.argsort(a, stable=True), [whole]))
        for k in (1, 2, 5, 20, 100, shape[-1] // 4, shape[-1] // 2, shape[-1]):
            if k <= shape[-1]:
                add(Case(f"top_k {k} of {shape}", lambda tf, a, k=k: tf.math.top_k(a, k), [x]))
        cases += both(f"top_k 10 values of {shape}", lambda tf, a: tf.math.top_k(a, 10)[0], [x])
        add(Case(f"top_k 10 of {shape} int32", lambda tf, a: tf.math.top_k(a, 10), [whole]))
        add(Case(f"argmax {shape}", lambda tf, a: tf.argmax(a, -1), [x]))
        add(Case(f"argmax axis 0 {shape}", lambda tf, a: tf.argmax(a, 0), [x]))
    add(Case("sort (300, 300) axis 0", lambda tf, a: tf.sort(a, 0), [normal(300, 300)]))
    for n in (100, 10_000, 1_000_000):
        whole = random.integers(0, max(10, n // 10), n).astype(np.int32)
        add(Case(f"unique {n} int32", lambda tf, a: tf.unique(a), [whole]))
        add(Case(f"unique {n} float32", lambda tf, a: tf.unique(a), [normal(n).round(2)]))
        add(Case(f"unique_with_counts {n} int32", lambda tf, a: tf.unique_with_counts(a), [whole]))
        add(
            Case(
                f"searchsorted {n}",
                lambda tf, s, a: tf.searchsorted(s, a),
                [np.sort(normal(n)), normal(n)],
            )
        )
        add(Case(f"bincount {n}", lambda tf, a: tf.math.bincount(a), [whole]))
    return cases


def _segments(random: np.random.Generator) -> list[Case]:
    """Rows combined by segment."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    for rows, columns, segments in (
        (100, 1, 10),
        (10_000, 1, 100),
        (1_000_000, 1, 1000),
        (1_000_000, 1, 300_000),
        (10_000, 64, 100),
        (1000, 1000, 37),
        (20_000, 17, 5000),
    ):
        x = normal(rows, columns) if columns > 1 else normal(rows)
        ids = random.integers(0, segments, rows).astype(np.int32)
        ordered = np.sort(ids)
        what = f"{x.shape} in {segments}"
        for op in ("sum", "mean", "max", "min", "prod"):
            make = both if op in ("sum", "mean", "max") else lambda *a: [Case(*a)]
            cases += make(
                f"segment_{op} {what}",
                lambda tf, a, i, op=op: getattr(tf.math, f"segment_{op}")(a, i),
                [x, ordered],
            )
            cases += make(
                f"unsorted_segment_{op} {what}",
                lambda tf, a, i, op=op, n=segments: getattr(tf.math, f"unsorted_segment_{op}")(
                    a, i, n
                ),
                [x, ids],
            )
        add(
            Case(
                f"unsorted_segment_sum {what} int32",
                lambda tf, a, i, n=segments: tf.math.unsorted_segment_sum(a, i, n),
                [(x * 100).astype(np.int32), ids],
            )
        )
        add(
            Case(
                f"unsorted_segment_sum {what} float64",
                lambda tf, a, i, n=segments: tf.math.unsorted_segment_sum(a, i, n),
                [x, ids],
                "float64",
            )
        )
        add(
            Case(
                f"unsorted_segment_max {what} float64",
                lambda tf, a, i, n=segments: tf.math.unsorted_segment_max(a, i, n),
                [x, ids],
                "float64",
            )
        )
    return cases


def _running_sums(random: np.random.Generator) -> list[Case]:
    """Cumulative sums and products along every axis."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    for shape in ((100,), (10_000,), (1_000_000,), (1000, 1000), (100, 100, 100), (37, 301, 5)):
        x = normal(*shape)
        for axis in range(len(shape)):
            for form in ({}, {"exclusive": True}, {"reverse": True}):
                what = f"{shape} axis {axis} {' '.join(form)}".strip()
                make = both if not form else lambda *a: [Case(*a)]
                cases += make(
                    f"cumsum {what}",
                    lambda tf, a, axis=axis, form=form: tf.cumsum(a, axis, **form),
                    [x],
                )
            what = f"{shape} axis {axis}"
            cases += both(
                f"cumprod {what}", lambda tf, a, axis=axis: tf.math.cumprod(a, axis), [1 + 1e-3 * x]
            )
            add(
                Case(
                    f"cumsum {what} float64",
                    lambda tf, a, axis=axis: tf.cumsum(a, axis),
                    [x],
                    "float64",
                )
            )
            add(
                Case(
                    f"cumsum {what} int32",
                    lambda tf, a, axis=axis: tf.cumsum(a, axis),
                    [(x * 9).astype(np.int32)],
                )
            )
            add(
                Case(
                    f"cumsum {what} float16",
                    lambda tf, a, axis=axis: tf.cumsum(a, axis),
                    [x],
                    "float16",
                )
            )
    return cases


def _indexing(random: np.random.Generator) -> list[Case]:
    """Choice, gather, scatter, sums over the first axis."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    for n in (100, 10_000, 1_000_000):
        x, y = normal(n), normal(n)
        mask = random.random(n) < 0.5
        cases += both(f"where(c, x, y) {n}", lambda tf, a, b, c: tf.where(c, a, b), [x, y, mask])
        add(Case(f"where(c) {n}", lambda tf, c: tf.where(c), [mask]))
        cases += both(f"boolean_mask {n}", lambda tf, a, c: tf.boolean_mask(a, c), [x, mask])
        spots = random.integers(0, n, n).astype(np.int32)
        cases += both(f"gather {n} of {n}", lambda tf, a, i: tf.gather(a, i), [x, spots])
        cases += both(
            f"gather_nd {n} of {n}", lambda tf, a, i: tf.gather_nd(a, i[:, None]), [x, spots]
        )
        cases += both(
            f"scatter_nd {n} into {n}",
            lambda tf, a, i, n=n: tf.scatter_nd(i[:, None], a, [n]),
            [x, spots],
        )
        cases += both(
            f"tensor_scatter_nd_add {n} into {n}",
            lambda tf, a, b, i: tf.tensor_scatter_nd_add(a, i[:, None], b),
            [x, y, spots],
        )
        own = random.permutation(n).astype(np.int32)[: n // 2]
        cases += both(
            f"tensor_scatter_nd_update {n // 2} into {n}",
            lambda tf, a, b, i: tf.tensor_scatter_nd_update(a, i[:, None], b),
            [x, y[: n // 2], own],
        )
    for rows, columns in ((100, 8), (1000, 1000), (10_000, 64)):
        x = normal(rows, columns)
        mask, spots = random.random(rows) < 0.5, random.integers(0, rows, rows).astype(np.int32)
        cases += both(
            f"boolean_mask rows ({rows}, {columns})",
            lambda tf, a, c: tf.boolean_mask(a, c),
            [x, mask],
        )
        cases += both(
            f"gather rows ({rows}, {columns})", lambda tf, a, i: tf.gather(a, i), [x, spots]
        )
        picks = random.integers(0, columns, (rows, 3)).astype(np.int32)
        cases += both(
            f"gather batch_dims=1 ({rows}, {columns})",
            lambda tf, a, i: tf.gather(a, i, batch_dims=1),
            [x, picks],
        )
        cases += both(
            f"gather axis 1 ({rows}, {columns})",
            lambda tf, a, i: tf.gather(a, i, axis=1),
            [x, picks[:columns, 0]],
        )
        cases += both(
            f"scatter_nd rows ({rows}, {columns})",
            lambda tf, a, i, s=x.shape: tf.scatter_nd(i[:, None], a, s),
            [x, spots],
        )
        cases += both(
            f"reduce_sum axis 0 ({rows}, {columns})", lambda tf, a: tf.reduce_sum(a, 0), [x]
        )
        cases += both(
            f"reduce_max axis 0 ({rows}, {columns})", lambda tf, a: tf.reduce_max(a, 0), [x]
        )
        add(
            Case(
                f"one_hot ({rows},) of {columns}",
                lambda tf, i, n=columns: tf.one_hot(i, n),
                [spots % columns],
            )
        )
        add(
            Case(
                f"one_hot ({rows},) of {columns} int32",
                lambda tf, i, n=columns: tf.one_hot(i, n, dtype=tf.int32),
                [spots % columns],
            )
        )
    return cases


def _random_numbers(random: np.random.Generator) -> list[Case]:
    """Random numbers."""
    cases: list[Case] = []
    add, normal = cases.append, normals(random)
    for n in (100, 10_000, 1_000_000):
        for name in ("uniform", "normal", "truncated_normal"):
            add(
                Case(
                    f"random.{name} {n}",
                    lambda tf, name=name, n=n: getattr(tf.random, name)([n]),
                    [],
                )
            )
            add(
                Case(
                    f"random.stateless_{name} {n}",
                    lambda tf, name=name, n=n: getattr(tf.random, f"stateless_{name}")([n], [1, 2]),
                    [],
                )
            )
        add(
            Case(
                f"random.uniform {n} float64",
                lambda tf, n=n: tf.random.uniform([n], dtype=tf.float64),
                [],
            )
        )
        add(
            Case(
                f"random.normal {n} float16",
                lambda tf, n=n: tf.random.normal([n], dtype=tf.float16),
                [],
            )
        )
        add(
            Case(
                f"random.uniform {n} int32",
                lambda tf, n=n: tf.random.uniform([n], maxval=100, dtype=tf.int32),
                [],
            )
        )
        add(Case(f"random.shuffle {n}", lambda tf, a: tf.random.shuffle(a), [normal(n)]))
        add(Case(f"random.gamma {n}", lambda tf, n=n: tf.random.gamma([n], 2.0), []))
        add(Case(f"random.poisson {n}", lambda tf, n=n: tf.random.poisson([n], 4.0), []))
        add(
            Case(
                f"random.categorical {n // 100}×100",
                lambda tf, a: tf.random.categorical(a, 1),
                [normal(n // 100, 100)],
            )
        )
        cases += both(f"dropout {n}", lambda tf, a: tf.nn.dropout(a, 0.5), [normal(n)])
    return cases


def every_case() -> list[Case]:
    random = np.random.default_rng(7)
    chapters = (_dtypes, _order, _segments, _running_sums, _indexing, _random_numbers)
    return [case for chapter in chapters for case in chapter(random)]
