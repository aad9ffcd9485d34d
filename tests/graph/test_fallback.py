"""Functions that cannot be traced run eagerly from the start: Python code runs once a call."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.recent import Recent
from gradtape.graph.lookahead import value_needed
from tests.graph.compared import is_traced

X = tf.constant([1.0, 2.0, 3.0])
V = tf.Variable(2.0)
RUNS: list = []  # one entry for each run of a body


def positive(x):
    return x if tf.reduce_sum(x) > 0 else -x


def double(x):
    return x * 2.0


class Scaled(tf.Module):
    def __init__(self):
        self.factor = tf.Variable(2.0)
        self.offset = None
        self.verbose = False
        self.parts = [double, double]

    def static(self, x):
        RUNS.append(1)
        if self.offset is None:
            self.offset = tf.Variable(1.0)
        if self.verbose and tf.reduce_any(x > 0):
            raise AssertionError
        for part in self.parts:
            x = part(x)
        return x * self.factor + self.offset

    def decided(self, x):
        RUNS.append(1)
        return self.helper(x)

    def helper(self, x):
        return x if self.factor > 1 else -x

    def __call__(self, x):
        return self.helper(x)


class Derived(Scaled):
    def decided(self, x):
        return super().decided(x) * 2.0


MODULE = Scaled()


def if_(x):
    RUNS.append(1)
    if tf.reduce_sum(x) > 0:
        return x
    return -x


def while_(x):
    RUNS.append(1)
    while tf.reduce_sum(x) < 100:
        x = x * 2.0
    return x


def assert_(x):
    RUNS.append(1)
    assert tf.reduce_all(x > 0)
    return x


def and_(x):
    RUNS.append(1)
    return x * float(bool(x[0] > 0 and x[1] > 0))


def chained(x):
    RUNS.append(1)
    return x if 0 < x[0] < 2 else -x


def not_(x):
    RUNS.append(1)
    return x if not x[0] > 0 else -x


def numpy_(x):
    RUNS.append(1)
    return x * x.numpy().sum()


def numpy_function(x):
    RUNS.append(1)
    return tf.constant(np.sin(x))


def in_a_callee(x):
    RUNS.append(1)
    return positive(tf.sin(x))


def in_a_callee_of_a_callee(x):
    return in_a_callee(x)


def in_a_local_function(x):
    RUNS.append(1)

    def local(y):
        return y if y[0] > 0 else -y

    return local(x * 2.0)


def in_a_mapped_function(x):
    RUNS.append(1)
    return tf.map_fn(lambda row: row if row > 0 else -row, x)


def by_a_gradient(x):
    RUNS.append(1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * V)
    gradient = tape.gradient(loss, V)
    if tf.norm(gradient) > 1:
        gradient = gradient / tf.norm(gradient)
    return gradient


def by_a_random_number(x):
    RUNS.append(1)
    if tf.random.uniform([], 2.0, 3.0) > 1:
        return x
    return -x


def by_a_sum_in_a_loop(x):
    RUNS.append(1)
    total = 0.0
    for row in x:
        total += row
    return x if total > 0 else -x


def by_a_list(x):
    RUNS.append(1)
    rows = []
    for row in tf.unstack(x):
        rows.append(row * 1.0)  # noqa: PERF401
    return x if rows[0] > 0 else -x


def by_a_maximum(x):
    RUNS.append(1)
    return max(x[0], x[1])


def with_a_partial(x):
    RUNS.append(1)
    return functools.partial(positive)(x)


def with_a_function_inside(x):
    RUNS.append(1)

    @tf.function(jit_compile=True)
    def inner(y, flag):
        return positive(y) if flag else y

    return inner(x, True)


GRAPH_OF_POSITIVE = tf.function(positive)


def with_a_known_function_inside(x):
    RUNS.append(1)
    return GRAPH_OF_POSITIVE(x)


DECIDED = [
    if_,
    while_,
    assert_,
    and_,
    chained,
    not_,
    numpy_,
    numpy_function,
    in_a_callee,
    in_a_callee_of_a_callee,
    in_a_local_function,
    in_a_mapped_function,
    by_a_gradient,
    by_a_random_number,
    by_a_sum_in_a_loop,
    by_a_list,
    by_a_maximum,
    with_a_partial,
    with_a_function_inside,
    with_a_known_function_inside,
    MODULE.decided,
    Derived().decided,
]


@pytest.mark.parametrize("body", DECIDED, ids=lambda f: f.__name__)
def test_a_body_that_decides_by_values_runs_once_for_each_call(body, caplog):
    RUNS.clear()
    function = tf.function(body)
    result = [function(X), function(X)]
    assert len(RUNS) == 2
    np.testing.assert_allclose(result, [body(X), body(X)])
    assert not is_traced(function)
    assert caplog.text.count(f"{body.__name__} runs eagerly: {__file__}:") == 1
    assert "twice" not in caplog.text


def none_given(x, training=False, mask=None, names=("a", "b"), mode="sum"):
    RUNS.append(1)
    if training:
        x = x * 2.0
    if mask is not None:
        x = x * mask
    if mode == "sum" and len(names) == 2 and "a" in names:
        x = x + 1.0
    return x


def shapes(x):
    RUNS.append(1)
    if x.shape[0] == 3 and x.dtype == tf.float32 and x.ndim == 1 and len(x) > 1:
        x = x + 1.0
    if tf.shape(x)[0] > 2 and tf.rank(x) == 1 and isinstance(x, tf.Tensor):
        x = x + 1.0
    rank = len(x.shape)
    return x if not rank or x is None else x * 2.0


def static_values(x):
    RUNS.append(1)
    return x if tf.get_static_value(x) is None else x * 2.0  # TensorFlow has none either


CONSTANT = tf.constant(2.0)


def constants(x):
    RUNS.append(1)
    if CONSTANT > 1 and math.pi > 3:
        x = x * CONSTANT
    for i in range(3):
        x = x + i if i > 1 else x
    for row in x:
        x = x + row
    return x if tf.reduce_sum(tf.ones(3)) > 2 else -x


def gradients(x):
    RUNS.append(1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * V)
    gradient = tape.gradient(loss, V)
    if gradient is not None:
        loss = loss + gradient
    return loss


def chosen(x):
    RUNS.append(1)
    y = tf.cond(x[0] > 0, lambda: x, lambda: -x)
    y = tf.map_fn(lambda row: tf.where(row > 0, row, -row), y)
    return tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * 2.0), (0, y))[1]


def lists(x):
    RUNS.append(1)
    rows = []
    for row in tf.unstack(x):
        rows.append(row * 1.0)  # noqa: PERF401
    return tf.stack(rows) if rows else x


def structures(data):
    RUNS.append(1)
    (x, flag), options = data["pair"], data["options"]
    return x if flag and options["on"] else -x


PAIR = {"pair": (X, True), "options": {"on": True}}
STATIC = [
    (none_given, (X,)),
    (none_given, (X, True)),
    (none_given, (X, False, X)),
    (shapes, (X,)),
    (constants, (X,)),
    (gradients, (X,)),
    (chosen, (X,)),
    (lists, (X,)),
    (structures, (PAIR,)),
    (MODULE.static, (X,)),
    (lambda x: x if x.shape else -x, (X,)),
]


@pytest.mark.parametrize(("body", "args"), STATIC, ids=lambda x: getattr(x, "__name__", ""))
def test_what_python_decides_by_other_things_is_traced(body, args, caplog):
    assert value_needed(body, args) is None
    function = tf.function(body)
    function(*args)
    RUNS.clear()
    np.testing.assert_allclose(function(*args), body(*args), rtol=1e-6)
    assert len(RUNS) <= 1  # of the body itself
    assert is_traced(function)
    assert not caplog.text


def test_the_branch_that_is_taken_counts():
    def body(x, check):
        if check:
            assert tf.reduce_all(x > 0)
        return x

    assert value_needed(body, (X, False)) is None
    assert "decides" in str(value_needed(body, (X, True)))


def test_two_lambdas_on_a_line():
    first, second = (lambda x: x if x > 0 else -x), (lambda x: x if x.shape else -x)
    assert value_needed(first, (X,)) is not None
    assert value_needed(second, (X,)) is None


def test_code_without_source_is_left_to_the_trace():
    space: dict = {"tf": tf}
    exec("def body(x):\n    return x if x[0] > 0 else -x", space)
    assert value_needed(space["body"], (X,)) is None
    assert tf.function(space["body"])(X).numpy().tolist() == [1.0, 2.0, 3.0]


def test_nothing_of_the_program_is_called():
    class Loud:
        def __getattr__(self, name):
            raise AssertionError(name)

        def __len__(self):
            raise AssertionError

        __bool__ = __eq__ = __iter__ = __len__  # type: ignore[assignment]

    loud = Loud()

    def body(x, y):
        if y.flag or y == 3 or y or loud.other:
            x = x * len(y)
        for each in y:
            x = x + each
        return x

    assert value_needed(body, (X, loud)) is None


def test_a_static_value_is_none_while_tracing():
    function = tf.function(static_values)
    assert function(X).numpy().tolist() == X.numpy().tolist()
    assert is_traced(function)
    assert tf.get_static_value(X).tolist() == X.numpy().tolist()


def test_composites_have_no_static_value():
    composites = [tf.ragged.constant([[1], [2, 3]]), tf.sparse.from_dense([[1.0, 0.0]])]
    composites.append(tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2])))
    assert [tf.get_static_value(each) for each in composites] == [None] * 3
    assert tf.get_static_value([1, 2]) == [1, 2]


# --- what is not seen before ---------------------------------------------------------------------


def hidden(x):
    """Asks for a value in a way that the source does not show."""
    return getattr(x, "num" + "py")()


def test_what_slips_through_says_that_python_ran_twice(caplog):
    v, seen = tf.Variable(0.0), []

    @tf.function
    def f(x):
        seen.append(1)
        v.assign_add(1.0)
        return x * hidden(x)

    for calls in (1, 2, 3):
        assert f(X).numpy().tolist() == [1.0, 4.0, 9.0]
        assert float(v) == calls  # the trace that failed has written nothing
        assert len(seen) == calls + 1
    assert caplog.text.count("is done twice in this call") == 1
    assert f"test_fallback.py:{hidden.__code__.co_firstlineno + 2}" in caplog.text


def test_a_tensor_of_a_trace_that_failed_says_where_it_comes_from():
    held: dict = {}

    @tf.function
    def f(x):
        if "mean" not in held:
            held["mean"] = tf.reduce_mean(x)
        return (x - held["mean"]) * hidden(x)

    first = f.python_function.__code__.co_firstlineno
    for _ in range(2):
        with pytest.raises(TypeError, match="is out of scope") as caught:
            f(X)
        text = str(caught.value)
        assert f"it was made at {__file__}:{first + 3}" in text
        assert f"ended early, at {__file__}:{hidden.__code__.co_firstlineno + 2}" in text
        assert "take tf.function off" in text
    held.clear()
    assert f(X).numpy().tolist() == [-1.0, 0.0, 3.0]  # as it says


def test_tensors_stored_before_a_decision_are_values():
    held: dict = {}

    @tf.function
    def f(x):
        if "mean" not in held:
            held["mean"] = tf.reduce_mean(x)
        y = x - held["mean"]
        if tf.reduce_sum(y) > 0.5:
            return y
        return y * 2.0

    for _ in range(2):
        assert f(X).numpy().tolist() == [-2.0, 0.0, 2.0]  # TensorFlow's


# --- errors of the program -----------------------------------------------------------------------

ERRORS = [
    TypeError,
    AttributeError,
    NotImplementedError,
    ValueError,
    KeyError,
    MemoryError,
    KeyboardInterrupt,
    SystemExit,
    tf.errors.InvalidArgumentError,
]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("jit_compile", [None, True])
def test_an_error_in_the_body_comes_through_and_changes_nothing(error, jit_compile, caplog):
    v, runs = tf.Variable(0.0), []

    @tf.function(jit_compile=jit_compile)
    def g(x):
        runs.append(1)
        v.assign_add(1.0)
        raise error("boom")

    for calls in (1, 2):
        with pytest.raises(error, match="boom"):
            g(1.0)
        assert len(runs) == calls
        assert float(v) == 0.0
    assert "eagerly" not in caplog.text
    assert tf.executing_eagerly()


def test_an_error_of_a_gradient_function_is_for_who_asks_for_the_gradient(caplog):
    runs: list = []

    @tf.custom_gradient
    def squared(x):
        def grad(upstream):
            raise NotImplementedError("no gradient")

        return x**2, grad

    @tf.function
    def f(x):
        runs.append(1)
        return squared(x)

    assert f(X).numpy().tolist() == [1.0, 4.0, 9.0]
    with tf.GradientTape() as tape:
        tape.watch(X)
        with pytest.raises(NotImplementedError, match="no gradient"):  # as in TensorFlow
            f(X)
    assert len(runs) == 1
    assert is_traced(f)
    assert not caplog.text


def test_a_function_in_a_function_that_uses_its_tensors_runs_once():
    runs: list = []

    @tf.function
    def outer(x):
        y = x * 2.0

        @tf.function
        def inner(z):
            runs.append(1)
            return y + z

        return inner(x)

    assert outer(X).numpy().tolist() == [3.0, 6.0, 9.0]
    assert len(runs) == 1
    assert is_traced(outer)


# --- traces that are kept ------------------------------------------------------------------------


def test_the_trace_that_was_not_used_for_longest_goes():
    function = tf.function(lambda x: x * 2.0)
    function._cache.entries = Recent(3)
    for size in (1, 2, 3):
        function(tf.ones(size))
    function(tf.ones(1))  # in use
    function(tf.ones(4))
    assert {key[0][1] for key in function._cache.entries} == {(3,), (1,), (4,)}
    function(tf.ones(1))
    assert function.experimental_get_tracing_count() == 4
    function(tf.ones(2))
    assert function.experimental_get_tracing_count() == 5


def test_small_traces_are_kept_beyond_the_limit():
    function = tf.function(lambda x: x * 2.0)
    for _ in range(2):
        for size in range(300):
            function(tf.ones(size))
    assert function.experimental_get_tracing_count() == 300


def test_heavy_entries_go():
    table = Recent(2, light=100, weight=lambda entry: entry)
    for key, weight in (("a", 10), ("b", 20), ("c", 30)):
        table.keep(key, weight)
    assert list(table) == ["a", "b", "c"]  # light
    table.keep("d", 50)
    assert list(table) == ["c", "d"]
    assert table.find("a") is None
    table.find("c")
    table.keep("c", 90)
    assert list(table) == ["d", "c"]


def test_a_trace_that_fails_has_called_numpy_functions_once():
    v, calls = tf.Variable(1.0), []

    def environment(x):
        calls.append(float(x))
        return x + len(calls)

    @tf.function
    def step(x):
        y = tf.numpy_function(environment, [x], tf.float32)
        z = tf.numpy_function(environment, [y], tf.float32)
        return z + tf.py_function(lambda q: q * v, [z], tf.float32)  # it must run eagerly

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [float(step(tf.constant(0.0))) for _ in range(3)]
    assert calls == [0.0, 1.0, 0.0, 3.0, 0.0, 5.0]
    assert results == [6.0, 14.0, 22.0]
