"""An element that is interrupted leaves nothing of its pass behind: later draws are their own."""

from __future__ import annotations

import contextlib

import pytest

import gradtape as tf
from gradtape.core.state import inside
from gradtape.data.seeding import PASS
from gradtape.prng import seeds
from tests.racing import interrupt_at_line


def step() -> None:
    data = tf.data.Dataset.range(3).map(lambda x: tf.random.uniform([]) + tf.cast(x, "float32"))
    next(iter(data.shuffle(2)))


@pytest.mark.parametrize("tape", [contextlib.nullcontext, tf.GradientTape])
def test_no_line_leaves_a_pass_under_way(tape):
    step()
    with tape():
        total = interrupt_at_line(step, None)
        assert total > 100
        for line in range(1, total + 1):
            interrupt_at_line(step, line)
            left = (PASS.get(), inside.get(), seeds._call.get())
            assert left == (None, False, None), f"line {line} of {total}"
