"""Each pass on a graph that it is for, and all of them on random graphs."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.numpy import KERNELS
from gradtape.core.tensor import Tensor
from gradtape.graph.derived import trace_graph
from gradtape.graph.execute import compile_graph, numpy_executable
from gradtape.graph.graph import Graph
from gradtape.graph.passes import PASSES, optimize_for_execution
from gradtape.graph.passes.algebra import simplify_algebra
from gradtape.graph.passes.broadcasts import remove_broadcasts
from gradtape.graph.passes.common_subexpressions import eliminate_common_subexpressions
from gradtape.graph.passes.custom_gradients import remove_custom_gradients
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.passes.folding import fold_constants
from gradtape.graph.passes.in_place import find_reusable_inputs
from gradtape.graph.passes.scans import merge_scans, prune_scans
from gradtape.graph.passes.transposes import fuse_transposes
from gradtape.graph.routine import trace_routine
from tests.graph.compared import names

X = np.random.default_rng(0).normal(size=(4, 3))


def numpy_kernel(prim):
    """NumPy's own kernel, also where native ones stand in front of it."""
    return KERNELS[prim.name]


def graph_of(function, *arrays) -> Graph:
    """The graph of a function as it is traced, before any pass."""
    specs = [tf.constant(a)._spec() for a in arrays]
    routine, _ = trace_routine(lambda xs: (tf.nest.flatten(function(*xs)), None), specs)
    return routine.graph


def same_results(before: Graph, after: Graph, *arrays, exact: bool = True) -> None:
    after.check()
    given = [tf.constant(a)._data for a in arrays]
    expected, actual = numpy_executable(before)(*given), numpy_executable(after)(*given)
    for a, b in zip(actual, expected, strict=True):
        if exact:
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-12)


def passed(each, function, *arrays, exact: bool = True) -> list[str]:
    """The names of the ops that a pass (and dead code) leaves, after comparing results."""
    before = graph_of(function, *arrays)
    after = eliminate_dead_code(each(before))
    same_results(before, after, *arrays, exact=exact)
    return names(after)


def test_dead_code():
    assert passed(eliminate_dead_code, lambda x: (tf.sin(x), tf.cos(x))[0], X) == ["sin"]


def test_dead_code_keeps_effects():
    def printing(x):
        tf.print(tf.exp(x), output_stream=lambda text: None)
        return tf.sin(x)

    assert names(eliminate_dead_code(graph_of(printing, X))) == ["exp", "effect", "sin"]


def test_repetition():
    def double(x):
        return tf.sin(x) * 2.0 + tf.sin(x) * 2.0

    assert passed(eliminate_common_subexpressions, double, X) == ["sin", "multiply", "add"]
    # The same op with other parameters is another, and so are 0.0 and -0.0.
    assert len(
        passed(
            eliminate_common_subexpressions, lambda x: (tf.reduce_sum(x, 0), tf.reduce_sum(x, 1)), X
        )
    )
    assert (
        names(eliminate_common_subexpressions(graph_of(lambda x: (x * 0.0, x * -0.0), X)))
        == ["multiply"] * 2
    )


def test_recomputation_is_not_undone():
    f = tf.recompute_grad(lambda x: tf.sin(tf.exp(x)))

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return y, tape.gradient(y, x)

    assert names(optimize_for_execution(graph_of(slope, X))).count("exp") == 2


def test_constants():
    c = tf.constant(X)
    folded = passed(fold_constants, lambda x: x * tf.sin(c) + tf.reduce_sum(c), X)
    assert folded == ["multiply", "add"]


def test_an_error_among_constants_is_left_to_the_call():
    graph = graph_of(lambda x: x + tf.cast(tf.gather([1.0, 2.0], [1]), tf.float64), X)
    assert names(eliminate_dead_code(fold_constants(graph))) == ["add"]


NOTHING = {
    "times one": lambda x: x * 1.0,
    "one times": lambda x: 1.0 * x,
    "by one": lambda x: x / 1.0,
    "minus zero": lambda x: x - 0.0,
    "to the one": lambda x: x**1.0,
    "reshape": lambda x: tf.reshape(tf.reshape(x, [-1]), x.shape),
    "two transposes": lambda x: tf.transpose(tf.transpose(x)),
    "two signs": lambda x: tf.negative(tf.negative(x)),
    "broadcast": lambda x: tf.broadcast_to(x, x.shape),
}


@pytest.mark.parametrize("name", NOTHING)
def test_ops_that_change_nothing(name):
    assert passed(simplify_algebra, NOTHING[name], X) == []


def test_ops_that_look_like_it():
    x32 = X.astype(np.float32)
    assert passed(simplify_algebra, lambda x: x + 0.0, X) == ["add"]  # -0 becomes 0
    assert passed(simplify_algebra, lambda x: x * tf.ones([2, 4, 3], tf.float64), X) == ["multiply"]
    there = passed(simplify_algebra, lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), x32)
    assert there == []
    back = passed(simplify_algebra, lambda x: tf.cast(tf.cast(x, tf.float32), tf.float64), X)
    assert back == ["cast", "cast"]


def test_chains_of_shapes():
    three = np.arange(24.0).reshape(2, 3, 4)
    turned = passed(
        simplify_algebra, lambda x: tf.transpose(tf.transpose(x, [2, 0, 1]), [2, 0, 1]), three
    )
    assert turned == ["transpose"]
    assert passed(simplify_algebra, lambda x: tf.reshape(tf.reshape(x, [6, 4]), [8, 3]), three) == [
        "reshape"
    ]
    assert passed(simplify_algebra, lambda x: x * x, X) == ["square"]


def test_transposes_in_products():
    product = passed(fuse_transposes, lambda x: tf.transpose(x) @ tf.sin(x), X, exact=False)
    assert product == ["sin", "matmul"]
    stack = np.random.default_rng(1).normal(size=(2, 3, 4))
    other = passed(
        fuse_transposes,
        lambda x: tf.matmul(x, tf.transpose(x, [0, 2, 1])),
        stack,
        exact=False,
    )
    assert other == ["matmul"]


def test_broadcasts():
    one = np.float64(2.0)
    wide = passed(remove_broadcasts, lambda x, s: tf.sin(x) * tf.broadcast_to(s, x.shape), X, one)
    assert wide == ["sin", "multiply"]
    # Where it makes the result larger, it stays.
    assert "broadcast_to" in passed(
        remove_broadcasts, lambda x: tf.broadcast_to(x, [2, 4, 3]) * x, X
    )
    summed = passed(
        remove_broadcasts,
        lambda x: tf.reduce_sum(tf.broadcast_to(x, [5, 4, 3]), 0),
        X,
        exact=False,
    )
    assert summed == ["multiply"]


def test_gradient_functions_go_where_nothing_is_differentiated():
    @tf.custom_gradient
    def f(x):
        return tf.sin(x), lambda g: g * tf.exp(x)

    graph = graph_of(lambda x: tf.stop_gradient(f(x)), X)
    assert "with_gradient" in names(graph)
    assert names(eliminate_dead_code(remove_custom_gradients(graph))) == ["sin"]


def scans(graph) -> list:
    return [node for node in graph.nodes if node.prim.name == "scan"]


def test_scans_take_and_give_only_what_is_used():
    rows = np.ones((20, 3))

    def function(x):
        def step(state, e):
            a, b = state
            return a + tf.sin(e[0]), b * e[1]

        start = (tf.zeros(3, tf.float64), tf.ones(3, tf.float64))
        return tf.scan(step, (x, x * 2.0, x * 3.0), start)[0]

    graph = eliminate_dead_code(graph_of(function, rows))
    lean = eliminate_dead_code(prune_scans(graph))
    lean.check()
    (before,), (after,) = scans(graph), scans(lean)
    assert (before.params["rows"], len(before.outputs), before.params["keeps"]) == (3, 6, True)
    assert (after.params["rows"], len(after.outputs), after.params["keeps"]) == (2, 3, False)
    assert names(lean).count("multiply") == names(graph).count("multiply") - 1
    same_results(graph, lean, rows)


def test_a_scan_is_not_run_again_for_its_gradient():
    rows, matrix = np.ones((20, 3)), np.eye(3)

    def gradient(x, w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.scan(lambda h, e: tf.tanh(tf.linalg.matvec(w, h) * tf.sin(e)), x)
        return tape.gradient(y, w)

    graph = eliminate_dead_code(graph_of(gradient, rows, matrix))
    there, again, back = scans(graph)
    joined = merge_scans(graph)
    joined.check()
    wide, reverse = scans(joined)
    assert wide.params["body"] is again.params["body"]
    assert wide.params["body"].extends is there.params["body"]
    assert reverse.params["body"] is back.params["body"]
    # The sine of a row is saved, not computed again.
    assert "sin" in names(wide.params["body"])
    assert "sin" not in names(reverse.params["body"])
    same_results(graph, joined, rows, matrix)


def test_arrays_are_written_over_where_nobody_needs_them():
    big = np.random.default_rng(2).normal(size=(64, 64))

    def chain(x):
        y = tf.sin(x)
        z = y * 2.0
        return tf.exp(z) + x, tf.reshape(tf.cos(x), [-1])

    graph = optimize_for_execution(graph_of(chain, big))
    written = find_reusable_inputs(graph, numpy_kernel)
    assert sorted(names(graph)[i] for i in written) == ["add", "exp", "multiply"]
    run = compile_graph(graph, numpy_kernel, written)
    first = [y.copy() for y in run(big)]
    for a, b in zip(run(big), first, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(first[0], np.exp(np.sin(big) * 2.0) + big)


def test_views_keep_arrays_from_being_written_over():
    big = np.random.default_rng(2).normal(size=(64, 64))

    def viewed(x):
        y = tf.sin(x)
        return tf.reshape(y, [-1]), y * 2.0

    graph = optimize_for_execution(graph_of(viewed, big))
    assert find_reusable_inputs(graph, numpy_kernel) == {}


@pytest.mark.parametrize("seed", range(30))
def test_all_passes_on_random_graphs(seed):
    rng = np.random.default_rng(seed)
    unary = [
        tf.sin,
        tf.negative,
        tf.square,
        tf.transpose,
        lambda x: x * 1.0,
        lambda x: x + 0.0,
        lambda x: tf.reshape(tf.reshape(x, [-1]), x.shape),
        tf.identity,
        lambda x: tf.cast(tf.cast(x, tf.float32), tf.float64),
        tf.stop_gradient,
        lambda x: tf.reduce_sum(tf.broadcast_to(x, [2, *x.shape]), 0),
    ]
    binary = [tf.add, tf.multiply, tf.subtract, tf.matmul, tf.maximum]

    def function(x, y):
        pool = [x, y, tf.constant(rng.normal(size=(3, 3))), tf.ones([3, 3], tf.float64)]
        for _ in range(12):
            a, b = (pool[i] for i in rng.integers(0, len(pool), 2))
            if rng.random() < 0.5:
                pool.append(unary[rng.integers(len(unary))](a))
            else:
                pool.append(tf.tanh(binary[rng.integers(len(binary))](a, b)))
        return pool[-3:]

    arrays = rng.normal(size=(2, 3, 3))
    raw = graph_of(function, *arrays)
    given = [Tensor(a)._data for a in arrays]
    expected = compile_graph(raw, lambda prim: prim.kernel)(*given)
    graph = raw
    for each in (*PASSES, *PASSES):
        graph = each(graph)
        graph.check()
        actual = compile_graph(graph, lambda prim: prim.kernel)(*given)
        for a, b in zip(actual, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    for a, b in zip(numpy_executable(raw)(*given), expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_derived_graphs_are_optimized():
    graph = trace_graph(lambda xs: [xs[0] * 1.0], [tf.constant(X)._spec()])
    assert graph.nodes == []
