"""When functions are traced, what stays Python's, and what is refused or run eagerly."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import is_traced


def counted(function, **options):
    """A tf.function that notes every run of its Python code."""
    runs = []

    def noted(*args, **kwargs):
        runs.append(args)
        return function(*args, **kwargs)

    return tf.function(noted, **options), runs


# --- signatures ----------------------------------------------------------------------------------


def test_one_trace_for_each_shape_and_dtype():
    f, runs = counted(lambda x: x * 2)
    for x in ([1.0], [2.0], [1.0, 2.0], [3.0, 4.0], [1], [2]):
        assert f(tf.constant(x)).numpy().tolist() == [2 * e for e in x]
    assert len(runs) == f.experimental_get_tracing_count() == 3
    assert is_traced(f)


def test_python_values_count_by_value_and_type():
    f, runs = counted(lambda x, n: x * n)
    x = tf.constant(3.0)
    for n in (2, 2, 3, 2, 2.0, True, 0.0, -0.0, float("nan"), float("nan")):
        f(x, n)
    assert len(runs) == 7
    assert np.signbit(f(x, -0.0).numpy())
    assert not np.signbit(f(x, 0.0).numpy())


def test_structures_count_by_their_leaves():
    f, runs = counted(lambda s: s["a"][0] + s["b"])
    one, two = tf.constant(1.0), tf.constant(2.0)
    assert float(f({"a": [one, 7], "b": two})) == 3.0
    assert float(f({"a": [two, 7], "b": two})) == 4.0
    assert len(runs) == 1
    f({"a": (one, 7), "b": two})
    f({"a": [one, 8], "b": two})
    assert len(runs) == 3


def test_variables_and_objects_count_by_identity():
    f, runs = counted(lambda v, o: v * 2.0)
    v, w, thing = tf.Variable(1.0), tf.Variable(1.0), object()
    for variable in (v, v, w):
        f(variable, thing)
    assert len(runs) == 2
    v.assign(5.0)
    assert float(f(v, thing)) == 10.0
    assert len(runs) == 2


def test_keywords_and_defaults_are_put_in_order():
    runs = []

    @tf.function
    def g(a, b=2.0, *, c=1.0):
        runs.append((a, b, c))
        return a + b + c

    x = tf.constant(1.0)
    assert float(g(x)) == float(g(x, 2.0)) == float(g(a=x, b=2.0)) == float(g(x, c=1.0)) == 4.0
    assert len(runs) == 1
    assert float(g(x, c=2.0)) == 5.0
    assert len(runs) == 2


def test_a_missing_argument_is_named():
    f = tf.function(lambda x, y: x + y)
    with pytest.raises(TypeError, match=r"missing a required argument: 'y'"):
        f(tf.constant(1.0))


def test_an_open_signature_counts_as_one_trace():
    f = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.float32)])
    for n in (1, 2, 3):
        assert f(tf.ones(n)).shape == (n,)
    assert f.experimental_get_tracing_count() == 1
    relaxed = tf.function(lambda x: x * 2, reduce_retracing=True)
    for n in (1, 2, 3, 4):
        relaxed(tf.ones(n))
    assert relaxed.experimental_get_tracing_count() == 2


def test_python_runs_only_while_tracing():
    seen = []

    @tf.function
    def f(x):
        seen.append(str(x))
        return x + 1

    assert [float(f(tf.constant(v))) for v in (1.0, 2.0)] == [2.0, 3.0]
    assert seen == ['Tensor("x:0", shape=(), dtype=float32)']


def test_retraces_are_explained(caplog):
    @tf.function
    def scaled(x, factor):
        return x * factor

    for n in range(4):
        scaled(tf.ones(2), n)
    assert not caplog.text
    scaled(tf.ones(2), 4)
    line = scaled.python_function.__code__.co_firstlineno
    assert f"test_tracing.py:{line}) has been traced 5 times" in caplog.text
    assert "factor changed from 3 to 4" in caplog.text
    for n in range(5, 40):  # once is enough
        scaled(tf.ones(3), n)
    assert caplog.text.count("has been traced") == 1


@pytest.mark.on_host("a trace of specs is one for tensors on the host")
def test_concrete_functions_say_what_they_are():
    v = tf.Variable(2.0, name="scale")
    f = tf.function(lambda x: {"y": x * v})
    concrete = f.get_concrete_function(tf.TensorSpec([3], tf.float32))
    assert concrete.structured_outputs == {"y": tf.TensorSpec([3], tf.float32)}
    assert concrete.output_shapes == {"y": (3,)}
    assert concrete.variables[0] is concrete.trainable_variables[0] is v
    assert concrete.inputs == [tf.TensorSpec([3], tf.float32)]
    assert f.experimental_get_tracing_count() == 1
    f(tf.ones(3))
    assert f.experimental_get_tracing_count() == 1
    assert "x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(3,)" in (
        f.pretty_printed_concrete_signatures()
    )
    later = f.get_concrete_function(tf.TensorSpec(None, tf.float32))
    with pytest.raises(AttributeError, match=r"traced for each shape.*not been called"):
        later.graph  # noqa: B018


# --- captured values -----------------------------------------------------------------------------


def test_variables_are_read_and_written_on_each_call():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        before = v * 1.0
        v.assign_add(x)
        v.scatter_nd_add([[0]], [10.0])
        v[1:].assign([5.0])
        return before, v * 1.0

    before, after = f(tf.constant([1.0, 1.0]))
    assert before.numpy().tolist() == [1.0, 2.0]
    assert after.numpy().tolist() == v.numpy().tolist() == [12.0, 5.0]
    f(tf.constant([0.0, 0.0]))
    assert v.numpy().tolist() == [22.0, 5.0]
    assert is_traced(f)


def test_variables_made_by_the_first_call():
    class Counter(tf.Module):
        count = None

        @tf.function
        def add(self, n):
            if self.count is None:
                self.count = tf.Variable(tf.zeros([]))
            return self.count.assign_add(n)

    counter = Counter()
    assert [float(counter.add(tf.constant(v))) for v in (1.0, 2.0)] == [1.0, 3.0]
    other = Counter()
    assert float(other.add(tf.constant(5.0))) == 5.0
    alive = weakref.ref(counter)
    del counter
    gc.collect()
    assert alive() is None


def test_variables_may_start_from_random_numbers():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(tf.random.normal([3]) * 0.5))
        return made[0] * x

    first = f(tf.constant(1.0)).numpy()
    assert first.tolist() == f(tf.constant(1.0)).numpy().tolist() == made[0].numpy().tolist()
    assert is_traced(f)


def test_a_variable_that_changes_its_shape():
    v = tf.Variable([1.0], shape=[None])
    f = tf.function(lambda: v * 2.0)
    assert f().shape == (1,)
    v.assign([1.0, 2.0])
    assert f().numpy().tolist() == [2.0, 4.0]


def test_tensors_of_the_surroundings_are_fixed_and_differentiable():
    x = tf.constant(3.0)
    f = tf.function(lambda: x * x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f()
        slope = tape.gradient(y, x)
    assert float(slope) == 6.0
    assert float(outer.gradient(slope, x)) == 2.0


def test_functions_in_functions():
    inner, runs = counted(lambda x: x * x)

    @tf.function
    def outer(x):
        y = 2.0 * x
        closure = tf.function(lambda z: z + y)  # uses a tensor of the function around it
        return inner(x) + inner(y) + closure(x)

    assert float(outer(tf.constant(3.0))) == 9.0 + 36.0 + 9.0
    assert len(runs) == 1
    assert is_traced(outer)


def test_tensors_do_not_outlive_the_trace():
    kept = []

    @tf.function
    def f(x):
        kept.append(x * 2)
        return x

    f(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"is out of scope and cannot be used here.*Return it from"):
        kept[0] + 1
    with pytest.raises(TypeError, match=r"is out of scope") as caught:
        kept[0].numpy()
    assert isinstance(caught.value, AttributeError)  # TensorFlow's error
    with pytest.raises(TypeError, match=r"is out of scope"):
        tf.function(lambda: kept[0] + 1.0)()


# --- what cannot be traced -----------------------------------------------------------------------


def branch(x):
    return x if x > 0 else -x


def loop(x):
    while x < 10:
        x = x * 2
    return x


def fetched(x):
    return x * float(x)


def through_numpy(x):
    return x + np.sin(x.numpy())


def counted_loop(x):
    total = tf.zeros([])
    for i in tf.range(tf.cast(x, tf.int32)):
        total += tf.cast(i, tf.float32)
    return total


EAGER = {
    branch: "Python decides by the value of a tensor",
    loop: "Python decides by the value of a tensor",
    fetched: "float() of a tensor",
    through_numpy: ".numpy() asks for the value of a tensor",
    counted_loop: "Python iterates over a tensor whose length is known only at run time",
}


@pytest.mark.parametrize("function", EAGER, ids=lambda f: f.__name__)
def test_values_that_python_needs(function, caplog):
    f = tf.function(function)
    for v in (3.0, -3.0, 5.0):
        if function in (loop, counted_loop) and v < 0:
            continue
        assert float(f(tf.constant(v))) == pytest.approx(float(function(tf.constant(v))))
    line = function.__code__.co_firstlineno
    assert caplog.text.count("runs eagerly") == 1
    assert EAGER[function] in caplog.text
    assert any(f"test_tracing.py:{line + n}: " in caplog.text for n in range(5))
    decides = EAGER[function].startswith("Python")
    assert ("choose with tf.where" in caplog.text) == decides
    assert ("keep to tensor ops" in caplog.text) != decides


def test_advice_does_not_depend_on_words_in_the_path(caplog):
    source = "def f(dataset, x):\n    return x + next(dataset)\n"
    names: dict = {}
    exec(compile(source, "decides_and_asks for_values.py", "exec"), names)
    dataset = iter(tf.data.Dataset.range(3))
    assert int(tf.function(names["f"])(dataset, tf.constant(1, tf.int64))) == 1
    assert "takes elements from a dataset" in caplog.text
    assert "To have it compiled" not in caplog.text


def test_a_swallowed_question_does_not_decide():
    @tf.function
    def f(x):
        try:
            positive = bool(x > 0)
        except TypeError:
            positive = False
        return x * (2.0 if positive else 3.0)

    assert [float(f(tf.constant(v))) for v in (1.0, -1.0)] == [2.0, -3.0]


def test_only_the_function_that_needs_values_runs_eagerly():
    inner = tf.function(lambda x: tf.sin(x) * 2.0)

    @tf.function
    def outer(x):
        return inner(x) if x > 0 else inner(-x)

    assert float(outer(tf.constant(-1.0))) == pytest.approx(2 * np.sin(1.0), rel=1e-6)
    assert is_traced(inner)
    assert not is_traced(outer)


def test_values_of_variables_are_not_frozen():
    v = tf.Variable(1.0)
    f = tf.function(lambda x: x * v.numpy())
    assert float(f(tf.constant(2.0))) == 2.0
    v.assign(3.0)
    assert float(f(tf.constant(2.0))) == 6.0


def test_datasets_are_passed_over_on_each_call():
    data = tf.data.Dataset.range(4).shuffle(4)
    seen = []

    @tf.function
    def f(dataset):
        order = [int(x) for x in dataset]
        seen.append(order)
        return tf.constant(sum(order))

    for _ in range(3):
        assert int(f(data)) == 6
    assert len(seen) == 3


def test_sparse_arguments_run_eagerly():
    sparse = tf.sparse.from_dense([[0.0, 2.0]])
    f = tf.function(lambda s: tf.sparse.to_dense(s) * 2.0)
    assert f(sparse).numpy().tolist() == [[0.0, 4.0]]


# --- errors --------------------------------------------------------------------------------------


def test_an_error_leaves_nothing_behind():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        return tf.ones([2, 3]) @ x

    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?i)matmul|size-incompatible"):
            f(tf.ones([2, 3]))
    assert float(v) == 1.0
    assert f.experimental_get_tracing_count() == 0
    assert tf.executing_eagerly()
    assert f(tf.ones([3, 1])).shape == (2, 1)
    assert float(v) == 2.0


@pytest.mark.on_host("a value cannot stop a program on a device")
def test_an_error_in_a_call_is_that_of_eager_code():
    f = tf.function(lambda i: tf.gather([1.0, 2.0], i))
    assert f(tf.constant([1])).shape == (1,)
    bad = tf.constant([2])
    with pytest.raises(tf.errors.InvalidArgumentError) as traced:
        f(bad)
    with pytest.raises(tf.errors.InvalidArgumentError) as eager:
        tf.gather([1.0, 2.0], bad)
    assert str(traced.value) == str(eager.value)


def test_numpy_strictness_does_not_reach_graphs():
    f = tf.function(lambda x: x / 0.0)
    f(tf.constant(1.0))
    with np.errstate(all="raise"):
        assert np.isinf(f(tf.constant(2.0)).numpy())


def test_without_jax_functions_are_graphs_on_numpy(caplog, monkeypatch):
    from gradtape.backends.xla.runtime import choose

    monkeypatch.setattr(choose, "find_spec", lambda name: None)
    monkeypatch.setattr(choose, "_warned", set())
    for _ in range(2):
        f = tf.function(lambda x: x * 2.0, jit_compile=True)
        assert float(f(tf.constant(2.0))) == 4.0
    assert caplog.text.count('To compile them: pip install "gradtape[xla]"') == 1


def test_run_functions_eagerly():
    f, runs = counted(lambda x: x * 2.0)
    tf.config.run_functions_eagerly(True)
    try:
        f(tf.constant(1.0))
        f(tf.constant(1.0))
    finally:
        tf.config.run_functions_eagerly(False)
    assert len(runs) == 2


def test_sizes_that_depend_on_values(caplog):
    f = tf.function(lambda x, i: x[i : i + 2])
    assert f(tf.range(5), tf.constant(1)).numpy().tolist() == [1, 2]
    assert f(tf.range(5), tf.constant(3)).numpy().tolist() == [3, 4]
    assert "the size of a slice depends on the value of a tensor" in caplog.text
    picked = tf.function(lambda x, i: x[i])
    assert [int(picked(tf.range(5), tf.constant(i))) for i in (1, 4)] == [1, 4]
    assert is_traced(picked)


def test_what_libraries_expect_of_tensors(caplog):
    def strict(x):
        if type(x) is not tf.Tensor:
            raise TypeError("a tensor, please")
        return x * 2.0

    f = tf.function(strict)
    for _ in range(2):  # TensorFlow's are of another class in a function, too
        with pytest.raises(TypeError, match="a tensor, please"):
            f(tf.constant(1.0))
    assert not caplog.text
    wrong = tf.function(lambda x: x.no_such_thing)
    for _ in range(2):
        with pytest.raises(AttributeError, match="no_such_thing"):
            wrong(tf.constant(1.0))
    assert wrong.experimental_get_tracing_count() == 0
