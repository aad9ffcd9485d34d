"""Another thread comes in at the one moment that matters: what races find by chance only."""

from __future__ import annotations

import threading

import pytest

import gradtape as tf
from gradtape import ops
from gradtape.engine.transaction import WriteLog


def test_an_addition_by_an_op_is_one_transaction(monkeypatch):
    v, others, add = tf.Variable(0.0), [], ops.add

    def add_while_another_does(x, y):
        if not others:
            others.append(threading.Thread(target=v.assign_add, args=(1.0,)))
            others[0].start()
            others[0].join(0.5)  # in vain: it waits for this transaction
        return add(x, y)

    monkeypatch.setattr(ops, "add", add_while_another_does)
    v.assign_add(1.0)
    others[0].join()
    assert float(v) == 2


def test_a_step_under_a_tape_that_fails_at_its_commit_changes_nothing(monkeypatch):
    a, b = tf.Variable([0.0]), tf.Variable([0.0])
    step = tf.function(lambda: (a.assign_add([1.0]), b.assign_add([1.0])))
    step()
    array_for_full_value = tf.Variable._array_for_full_value

    def fail_for_b(self, value):
        if self is b:
            raise MemoryError
        return array_for_full_value(self, value)

    monkeypatch.setattr(tf.Variable, "_array_for_full_value", fail_for_b)
    with tf.GradientTape(), pytest.raises(MemoryError):
        step()
    assert (a.numpy(), b.numpy()) == (1.0, 1.0)


def test_an_interrupt_right_after_a_commit_leaves_the_whole_step(monkeypatch):
    table, count = tf.Variable(tf.zeros((300, 300))), tf.Variable(0.0)
    row = tf.IndexedSlices(tf.ones((1, 300)), [0])
    step = tf.function(lambda: (table.scatter_add(row), count.assign_add(1.0)))
    step()
    commit = WriteLog.commit

    def commit_and_interrupt(*arguments):
        commit(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(WriteLog, "commit", commit_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        step()
    assert (table.numpy()[0] == 2).all()
    assert float(count) == 2


def test_a_function_under_a_tape_reads_its_variables_at_one_moment(monkeypatch):
    a, b = tf.Variable([0.0]), tf.Variable([0.0])
    step = tf.function(lambda: (a.assign_add([1.0]), b.assign_add([1.0])))
    read = tf.function(lambda: tf.concat([a, b], 0))
    step()
    read()
    full_value, meanwhile = tf.Variable._full_value, [step]

    def full_value_and_a_step(self):
        value = full_value(self)
        if self is a and meanwhile:
            thread = threading.Thread(target=meanwhile.pop())
            thread.start()
            thread.join()
        return value

    monkeypatch.setattr(tf.Variable, "_full_value", full_value_and_a_step)
    with tf.GradientTape():
        assert read().numpy().tolist() == [2.0, 2.0]
    assert not meanwhile
