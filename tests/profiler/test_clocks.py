"""What a profile records: ops with their scopes, functions, and what these call."""

import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension
from gradtape.core.primitive import PRIMITIVES
from gradtape.profiler.clocks import type_of_op
from tests.profiler.profiles import clocks_are_off, experimental, read_events


def test_ops_have_their_scope(tmp_path):
    x = tf.ones((3, 3))
    with experimental.Profile(str(tmp_path)):
        with tf.name_scope("outer"), tf.name_scope("inner"):
            tf.matmul(x, x)
        tf.reduce_sum(x)
    events = read_events(tmp_path)
    assert [(event.name, event.kind) for event in events] == [
        ("outer/inner/matmul:MatMul", "MatMul"),
        ("reduce_sum:ReduceSum", "ReduceSum"),
    ]
    assert events[0].end <= events[1].begin


@pytest.mark.parametrize("name", PRIMITIVES)
def test_types_of_ops_are_such_that_tensorboard_knows(name):
    kind = type_of_op(name)
    assert kind.isalnum()
    assert kind[0].isupper()


def test_the_backward_pass(tmp_path):
    x = tf.Variable(tf.ones((3, 3)))
    with experimental.Profile(str(tmp_path)), tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.matmul(x, x))
        tape.gradient(y, x)
    kinds = [event.kind for event in read_events(tmp_path)]
    assert kinds[:2] == ["MatMul", "ReduceSum"]
    assert kinds[2:].count("MatMul") == 2


def test_results_are_the_same(tmp_path):
    x = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))

    @tf.function
    def inside(x):
        return tf.reduce_sum(tf.tanh(x) * tf.exp(-x), axis=0) / 3

    def results():
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(inside(x) ** 2) + tf.reduce_sum(tf.sigmoid(x) * x)
            slope = tape.gradient(y, x)
        second = outer.gradient(slope, x)
        mapped = tf.vectorized_map(lambda row: tf.reduce_sum(row) * row, x)
        return [np.asarray(each) for each in (y, slope, second, mapped)]

    plain = results()
    with experimental.Profile(str(tmp_path)):
        profiled = results()
    for one, other in zip(plain, profiled, strict=True):
        np.testing.assert_array_equal(one, other)


def test_functions_hold_their_ops(tmp_path):
    @tf.function
    def loss(x):
        return tf.reduce_sum(tf.linalg.inv(x))

    x = tf.eye(3)
    loss(x)
    with experimental.Profile(str(tmp_path)):
        loss(x)
        loss(tf.eye(4))
    events = read_events(tmp_path)
    calls = [event for event in events if event.name == "loss"]
    assert [call.facts for call in calls] == [
        {"tf_function_call": "notTraced-nonXla", "tracing_count": 1},
        {"tf_function_call": "traced-nonXla", "tracing_count": 2},
    ]
    for call in calls:
        inside = [e for e in events if call.begin <= e.begin and e.end <= call.end]
        kinds = " ".join(event.kind + str(event.facts) for event in inside)
        assert "Inv" in kinds or "inv" in kinds
        assert "ReduceSum" in kinds or "reduce_sum" in kinds


def test_functions_that_run_eagerly_and_concrete_ones(tmp_path):
    @tf.function(autograph=False)
    def eager(x):
        return x + 1 if float(x) > 0 else x

    eager(tf.constant(1.0))
    concrete = tf.function(lambda x: x + 1).get_concrete_function(tf.TensorSpec([]))
    with experimental.Profile(str(tmp_path)):
        eager(tf.constant(1.0))
        concrete(tf.constant(1.0))
    facts = [e.facts["tf_function_call"] for e in read_events(tmp_path) if e.facts.keys() - {"ops"}]
    assert facts == ["eager", "concrete"]


@pytest.mark.skipif(extension is None, reason="flat programs are native")
def test_ops_that_run_as_one_call(tmp_path):
    @tf.function
    def chain(x):
        for op in (tf.sin, tf.cos, tf.exp, tf.tanh, tf.sqrt, tf.abs, tf.square, tf.sigmoid):
            x = op(x)
        return x

    chain(tf.ones(3))
    with experimental.Profile(str(tmp_path)):
        chain(tf.ones(3))
    (event,) = [event for event in read_events(tmp_path) if event.kind == "Fused"]
    assert event.name == "sin-cos-exp-tanh-sqrt-abs-2-more:Fused"
    assert event.facts == {"ops": "sin cos exp tanh sqrt abs square sigmoid"}


def test_what_is_compiled_during_a_profile_has_no_clocks_after_it(tmp_path):
    @tf.function
    def made(x):
        return tf.reduce_sum(tf.sort(x) * 2)

    with experimental.Profile(str(tmp_path)):
        made(tf.ones(3))
    assert clocks_are_off()
    assert float(made(tf.ones(3))) == 6
    kinds = {event.kind for event in read_events(tmp_path)}
    assert "Sort" in kinds


@pytest.mark.skipif(extension is None, reason="ops are fused by native code")
def test_deferred_ops_are_marked(tmp_path):
    x = tf.ones((1000, 1000))
    with experimental.Profile(str(tmp_path)):
        float(tf.reduce_sum(tf.exp(x) * 2))
    events = read_events(tmp_path)
    assert [(event.name, event.facts) for event in events] == [
        ("exp:Exp", {"deferred": 1}),
        ("multiply:Multiply", {"deferred": 1}),
        ("reduce_sum:ReduceSum", {"deferred": 1}),
        ("exp-multiply-reduce_sum:Fused", {"ops": "exp multiply reduce_sum"}),
    ]
    tf.exp(x).numpy()  # and no longer


@pytest.mark.skipif(extension is None, reason="ops are fused by native code")
def test_every_kind_of_op_that_is_deferred(tmp_path):
    x = tf.random.stateless_normal((64, 256, 64), (1, 2))
    with experimental.Profile(str(tmp_path)):
        y = tf.where(tf.logical_and(x > 0, x < 2), tf.nn.softmax(x), x)
        tf.reduce_max(tf.abs(y), axis=-1).numpy()
        tf.matmul(tf.nn.softmax(tf.matmul(x, x, transpose_b=True) * 0.1), x).numpy()
        (tf.reduce_max(x * 2), tf.reduce_min(x * 3), tf.reduce_mean(x * 4))[2].numpy()
    names = " ".join(e.facts.get("ops", "") for e in read_events(tmp_path)).split()
    expected = "matmul softmax compare logical select abs reduce_max reduce_min reduce_mean"
    assert set(expected.split()) - set(names) == set()


@pytest.mark.skipif(extension is None, reason="ops are fused by native code")
def test_an_error_in_a_pass_is_raised():
    def interrupted(*arguments):
        raise KeyboardInterrupt

    x = tf.ones((1000, 1000))
    y = tf.exp(x)
    extension.watch_passes(interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            y.numpy()
    finally:
        extension.watch_passes(None)
    assert float(y[0, 0]) == pytest.approx(np.e)


TABLES = """
import sys
import gradtape as tf

table = tf.Variable(tf.zeros((1000, 8)))

@tf.function
def update():
    table.scatter_nd_add([[3]], tf.ones((1, 8)))

def address():
    return table._data.__array_interface__["data"][0]

update()
before = address()
with tf.profiler.experimental.Profile(sys.argv[1]):
    update()
assert address() == before
assert float(table[3, 0]) == 2
"""


def test_tables_are_still_written_in_place(tmp_path):
    """In a process of its own: what other tests leave behind may hold arrays."""
    subprocess.run([sys.executable, "-c", TABLES, str(tmp_path)], check=True)


def test_errors_end_in_the_user_s_line(tmp_path):
    @tf.function
    def wrong(x, i):
        return tf.gather(x, i)

    def fails_in_function():
        return wrong(tf.ones(3), [5])

    def fails_eagerly():
        return tf.ones(3) + tf.ones(2)

    with experimental.Profile(str(tmp_path)):
        for fails in (fails_in_function, fails_eagerly):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                fails()
            files = {frame.filename for frame in traceback.extract_tb(caught.tb)}
            assert not any(file.endswith("profiler/clocks.py") for file in files)


def test_numpy_does_not_warn(tmp_path):
    logarithm = tf.function(tf.math.log)
    with experimental.Profile(str(tmp_path)), warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.math.log(tf.zeros((300, 300)))
        logarithm(tf.zeros((300, 300)))
        tf.math.log(tf.zeros(()))


def test_nothing_is_recorded_outside(tmp_path):
    tf.exp(1.0)
    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
    tf.exp(1.0)
    assert [event.kind for event in read_events(tmp_path)] == ["Square"]
