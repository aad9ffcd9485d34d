"""`iter` of a dataset inside a function: loops over it end, whoever runs them."""

from __future__ import annotations

import pytest

import gradtape as tf


def in_a_for_statement(dataset):
    total = tf.constant(0, tf.int64)
    for x in iter(dataset):
        total = total * 10 + x
    return total


def after_a_first_element(dataset):
    iterator = iter(dataset)
    total = next(iterator) * 7
    for x in iterator:
        total = total * 10 + x
    return total


def until_a_break_and_on(dataset):
    total, iterator = tf.constant(0, tf.int64), iter(dataset)
    for x in iterator:
        total = total * 10 + x
        if x > 1:
            break
    for x in iterator:
        total = total * 100 + x
    return total


@pytest.mark.parametrize(
    ("function", "value"),
    [(in_a_for_statement, 1234), (after_a_first_element, 7234), (until_a_break_and_on, 120304)],
)
def test_a_loop_over_an_iterator_is_traced(function, value, caplog):
    dataset = tf.data.Dataset.range(1, 5)
    traced = tf.function(function)
    assert [int(traced(dataset)) for _ in range(2)] == [value, value]
    assert "runs eagerly" not in caplog.text
    assert int(function(dataset)) == value


@pytest.mark.parametrize(
    "function",
    [
        lambda dataset: tf.add_n(list(iter(dataset))),
        lambda dataset: sum(x for x in iter(dataset)),
        lambda dataset: sum(x for _, x in enumerate(iter(dataset))),
    ],
)
def test_code_that_is_not_converted_runs_eagerly_and_ends(function, caplog):
    assert int(tf.function(function)(tf.data.Dataset.range(1, 5))) == 10
    assert "runs eagerly" in caplog.text
