"""Variables change in transactions: threads, signals and exceptions see whole steps only."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension
from gradtape.engine import transaction
from gradtape.graph import routine as routines
from tests.racing import (
    Interrupted,
    eagerly,
    in_a_function,
    in_nested_functions,
    in_threads,
    interrupt,
    nothing_collected,
    race,
    under_a_tape,
)

SHAPES = [(3,), (300, 300), (1000, 1000)]


# --- ways to add one -----------------------------------------------------------------------------


def deferred(v, one):
    return lambda: v.assign_sub(one * -1.0)


def while_held(v, one):
    def add():
        kept = v.read_value()
        v.assign_add(one)
        del kept

    return add


def of_another_dtype(v, one):
    numbers = np.ones(v.shape, np.int32)
    return lambda: v.assign_add(numbers)


def by_a_function_that_assigns(v, one):
    return tf.function(lambda: v.assign(v + one))


def in_rows(v, one):
    rows = tf.IndexedSlices(one, tf.range(v.shape[0]))
    return lambda: v.scatter_add(rows)


def in_rows_by_place(v, one):
    positions = tf.expand_dims(tf.range(v.shape[0]), 1)
    return lambda: v.scatter_nd_add(positions, one)


WAYS = [
    eagerly,
    deferred,
    while_held,
    of_another_dtype,
    in_a_function,
    in_nested_functions,
    by_a_function_that_assigns,
    under_a_tape,
    in_rows,
    in_rows_by_place,
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_no_update_is_lost_and_none_is_seen_half_done(way, shape):
    v = tf.Variable(tf.zeros(shape))
    count = race(way(v, tf.ones(shape)), v.numpy, rounds=10 if shape[0] > 300 else 25)
    np.testing.assert_array_equal(v, np.full(shape, count))


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_other_dtypes(dtype):
    v, one = tf.Variable(tf.zeros((300, 300), dtype)), tf.ones((300, 300), dtype)
    count = race(lambda: v.assign_add(one), v.numpy)
    np.testing.assert_array_equal(v, np.full((300, 300), count))


def test_numbers():
    v = tf.Variable(0.0)
    count = race(lambda: v.assign_add(1.0), v.numpy, rounds=200)
    assert float(v) == count


def test_values_that_threads_read_do_not_change():
    v, one = tf.Variable(tf.zeros((300, 300))), tf.ones((300, 300))

    def read():
        value = v.read_value()
        return value.numpy() - value.numpy()

    race(lambda: v.assign_add(one), read)


@pytest.mark.parametrize("tape", [False, True])
def test_a_function_reads_its_variables_at_one_moment(tape):
    variables = [tf.Variable(tf.zeros((3,))) for _ in range(5)]

    @tf.function
    def step():
        for v in variables:
            v.assign_add(tf.ones((3,)))

    @tf.function
    def read():
        return tf.stack(variables)

    def under_tape():
        with tf.GradientTape():
            return read().numpy()

    race(step, under_tape if tape else lambda: read().numpy(), writers=2, rounds=200)


def a_row_in_a_function(v, one):
    """Which writes into the array of the variable, if that is not shared."""
    return tf.function(lambda: v.scatter_add(tf.IndexedSlices(one[:1], [0])))


@pytest.mark.parametrize(
    "way",
    [
        in_a_function,
        in_nested_functions,
        by_a_function_that_assigns,
        under_a_tape,
        a_row_in_a_function,
    ],
)
def test_a_step_of_a_function_is_one_transaction(way, monkeypatch):
    """Whether or not threads meet: a race finds it only now and then."""
    v = tf.Variable(tf.zeros((3, 2)))
    step = way(v, tf.ones((3, 2)))
    step()
    begun, inside = [], []

    def begin(variables, function, *arguments):
        begun.append(variables)
        inside.append(True)
        try:
            return transaction.exclusively(variables, function, *arguments)
        finally:
            inside.pop()

    def write(*arguments):
        assert inside, "variables are written outside of a transaction"
        return transaction.write_all(*arguments)

    monkeypatch.setattr(routines, "exclusively", begin)
    monkeypatch.setattr(routines, "write_all", write)
    before = v.numpy()
    step()
    assert [any(each is v for each in variables) for variables in begun] == [True]
    assert (v.numpy() != before).any()


def test_functions_with_variables_in_common_do_not_wait_for_each_other():
    a, b = tf.Variable(0.0), tf.Variable(0.0)
    forth = tf.function(lambda: (a.assign_add(1.0), b.assign_add(1.0)))
    back = tf.function(lambda: (b.assign_add(1.0), a.assign_add(1.0)))
    in_threads(*[lambda f=f: [f() for _ in range(200)] for f in (forth, back, forth, back)])
    assert float(a) == float(b) == 800


def test_a_function_may_change_its_variable_on_the_way():
    v = tf.Variable(1.0)

    def change(x):
        v.assign(5.0)
        return x

    @tf.function
    def step():
        x = tf.py_function(change, [v * 2.0], tf.float32)
        v.assign_add(x)

    in_threads(step)
    assert float(v) == 7.0


def test_a_thread_may_begin_a_transaction_inside_of_its_own():
    v = tf.Variable(1.0)
    add = tf.function(lambda: v.assign_add(1.0))
    in_threads(lambda: transaction.exclusively((v,), add))
    in_threads(lambda: transaction.exclusively((v,), v.assign_add, 1.0))
    assert float(v) == 3.0


# --- signals -------------------------------------------------------------------------------------


def two_variables(shape):
    a, b = tf.Variable(tf.zeros(shape)), tf.Variable(tf.zeros(shape))
    one = tf.ones(shape)

    def step():
        a.assign_add(one)
        b.assign_add(one * 1.0)

    return step, a, b


@pytest.mark.parametrize("shape", [(3,), (300, 300)], ids=str)
@pytest.mark.parametrize("rounds", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_whole_steps_of_functions(shape, rounds):
    step, a, b = two_variables(shape)

    def check():
        np.testing.assert_array_equal(a, np.full(shape, a.numpy().flat[0]))
        np.testing.assert_array_equal(a, b)

    function = tf.function(step)
    function()
    interrupt(function, check, rounds)


@pytest.mark.parametrize("way", [eagerly, deferred, while_held, in_rows])
@pytest.mark.parametrize("rounds", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_whole_updates(way, rounds):
    v = tf.Variable(tf.zeros((300, 300)))

    def check():
        np.testing.assert_array_equal(v, np.full((300, 300), v.numpy()[0, 0]))
        in_threads(lambda: v.assign_add(tf.zeros((300, 300))))  # no transaction is left open

    interrupt(way(v, tf.ones((300, 300))), check, rounds)


def test_an_interrupt_reaches_a_thread_that_waits():
    v = tf.Variable(0.0)
    began, ends = threading.Event(), threading.Event()
    other = threading.Thread(
        target=transaction.exclusively, args=((v,), lambda: (began.set(), ends.wait(600)))
    )
    other.start()
    began.wait(600)

    def raise_it(*_):
        raise Interrupted

    def wait_for_it():
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        v.assign_add(1.0)

    before = signal.signal(signal.SIGALRM, raise_it)
    try:
        with nothing_collected(), pytest.raises(Interrupted):
            wait_for_it()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        ends.set()
        other.join()
    v.assign_add(1.0)
    assert float(v) == 1.0


# --- exceptions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("stage", ["read_all", "run", "write_all"])
@pytest.mark.parametrize("tape", [False, True])
def test_a_step_that_fails_changes_nothing(stage, error, tape, monkeypatch):
    step, a, b = two_variables((3,))
    function = tf.function(step)
    function()

    def fail(*_, **__):
        raise error

    def call():
        if tape:
            with tf.GradientTape():
                function()
        else:
            function()

    with monkeypatch.context() as patched:
        if stage == "run":
            (entry,) = function._cache.entries.values()
            patched.setattr(type(entry.routine.backend), "apply", fail)
            patched.setattr(entry.routine, "_run", fail)
        else:
            patched.setattr(routines, stage, fail)
        with pytest.raises(error):
            call()
    np.testing.assert_array_equal(a, np.ones(3))
    np.testing.assert_array_equal(b, np.ones(3))
    in_threads(call)
    np.testing.assert_array_equal(a, np.full(3, 2.0))
    np.testing.assert_array_equal(b, np.full(3, 2.0))


def test_a_check_that_fails_in_a_function_changes_nothing():
    v = tf.Variable(1.0)

    @tf.function
    def step(x):
        v.assign_add(x)
        tf.debugging.assert_positive(x)

    step(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        step(tf.constant(-1.0))
    assert float(v) == 2.0


# --- the parts -----------------------------------------------------------------------------------


def test_rewriting_a_variable_that_is_held_makes_a_copy():
    v = tf.Variable(tf.zeros((3,)))
    kept = v.read_value()
    transaction.rewrite(v, lambda array: np.add(array, 1, out=array))
    np.testing.assert_array_equal(kept, np.zeros(3))
    np.testing.assert_array_equal(v, np.ones(3))


def test_a_handler_that_reads_what_its_thread_rewrites_gets_a_copy():
    v = tf.Variable(tf.zeros((3,)))

    def write(array):
        actual = v.numpy()
        array += 1
        return actual

    np.testing.assert_array_equal(transaction.rewrite(v, write), np.zeros(3))
    np.testing.assert_array_equal(v, np.ones(3))


def test_other_threads_wait_for_what_is_rewritten():
    v = tf.Variable(tf.zeros((300, 300)))

    def write(array):
        for row in array:
            row += 1

    count = race(lambda: transaction.rewrite(v, write), v.numpy, rounds=5)
    np.testing.assert_array_equal(v, np.full((300, 300), count))


def test_a_program_takes_over_the_memory_of_variables():
    a, b = tf.Variable(tf.zeros((3,))), tf.Variable(tf.zeros((3,)))
    actual: list = []
    readers: list = []

    def program(x, y):
        reader = threading.Thread(target=lambda: actual.append(a.numpy()))
        reader.start()
        readers.append(reader)
        return "result", x + 1, y + 2

    arrays = [a._data, b._data]
    if extension is None:  # then it needs copies
        assert transaction.run_over(program, arrays, [], (0, 1), (a, b), 1) is None
        arrays = [np.array(x) for x in arrays]
    assert transaction.run_over(program, arrays, [], (0, 1), (a, b), 1)[0] == "result"
    readers[0].join()
    np.testing.assert_array_equal(a, np.ones(3))
    np.testing.assert_array_equal(b, np.full(3, 2.0))
    if extension is not None:
        np.testing.assert_array_equal(actual[0], np.ones(3))  # it has waited


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, RuntimeError])
def test_a_program_that_fails_leaves_the_variables(error):
    a, b = tf.Variable(tf.zeros((3,))), tf.Variable(tf.ones((3,)))

    def program(*_):
        raise error

    arrays = [np.array(a._data)] if extension is None else [a._data]
    with pytest.raises(error):
        transaction.run_over(program, arrays, [], (0, -1), (a, b), 0)
    np.testing.assert_array_equal(a, np.zeros(3))
    np.testing.assert_array_equal(b, np.ones(3))
    in_threads(lambda: a.assign_add([1.0, 1.0, 1.0]))


def test_a_program_does_not_run_over_what_others_hold():
    v = tf.Variable(tf.zeros((3,)))
    kept = v.read_value()
    assert transaction.run_over(pytest.fail, [v._data], [], (0,), (v,), 0) is None
    np.testing.assert_array_equal(kept, np.zeros(3))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_is_not_in_its_parents_transactions():
    v = tf.Variable(0.0)
    began, ends = threading.Event(), threading.Event()
    other = threading.Thread(
        target=transaction.exclusively, args=((v,), lambda: (began.set(), ends.wait(600)))
    )
    other.start()
    began.wait(600)
    child = os.fork()
    if not child:
        v.assign_add(1.0)
        os._exit(int(float(v)))
    status = os.waitpid(child, 0)[1]
    ends.set()
    other.join()
    assert os.waitstatus_to_exitcode(status) == 1
    assert float(v) == 0.0


def test_copies_of_a_variable_are_not_in_its_transaction():
    v = tf.Variable(1.0)
    for make in (copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        other = transaction.exclusively((v,), make, v)
        in_threads(lambda other=other: other.assign_add(1.0))
        assert float(other) == 2.0
