"""Blocks of the program as events."""

import numpy as np
import pytest

import gradtape as tf
from tests.profiler.profiles import experimental, read_events, read_trace


def test_steps(tmp_path):
    with experimental.Profile(str(tmp_path)):
        for step in range(2):
            with experimental.Trace("train", step_num=step, _r=1):
                tf.square(2.0)
    events = read_events(tmp_path)
    assert [event.name for event in events] == ["train", "square:Square"] * 2
    assert [event.facts for event in events[::2]] == [
        {"step_num": 0, "_r": 1},
        {"step_num": 1, "_r": 1},
    ]
    for block, op in (events[:2], events[2:]):
        assert block.begin <= op.begin
        assert op.end <= block.end


def test_values(tmp_path):
    with experimental.Profile(str(tmp_path)):
        block = experimental.Trace(
            "values", i=tf.constant(3), v=tf.Variable(4), n=np.int64(5), text="a", big=2**70
        )
        with block as entered:
            entered.set_metadata(cached=True, shape=[1, 2])
        block.__exit__(None, None, None)
    (event,) = [event for event in read_events(tmp_path) if event.name == "values"]
    assert event.facts == {
        "i": 3,
        "v": 4,
        "n": 5,
        "text": "a",
        "big": str(2**70),
        "cached": 1,
        "shape": "[1, 2]",
    }


def test_floats(tmp_path):
    with experimental.Profile(str(tmp_path)), experimental.Trace("step", rate=0.5):
        pass
    (event,) = [event for event in read_trace(tmp_path) if event.get("name") == "step"]
    assert event["args"] == {"rate": "0.5"}


def test_blocks_without_a_profile(tmp_path):
    with experimental.Trace("nothing", step_num=1) as block:
        block.set_metadata(a=1)
    experimental.Trace(3)
    block = experimental.Trace("before")
    with experimental.Profile(str(tmp_path)), block:
        tf.square(2.0)
    assert [event.name for event in read_events(tmp_path)] == ["square:Square"]


def test_a_block_that_ends_after_the_profile(tmp_path):
    experimental.start(str(tmp_path))
    with experimental.Trace("late"):
        tf.square(2.0)
        experimental.stop()
    assert [event.name for event in read_events(tmp_path)] == ["square:Square"]


def test_names_are_texts(tmp_path):
    with (
        experimental.Profile(str(tmp_path)),
        pytest.raises(TypeError, match="the name must be a string, got int"),
    ):
        experimental.Trace(3)


def test_a_block_in_a_function_is_there_when_it_is_traced(tmp_path):
    count = tf.Variable(3)

    @tf.function
    def step(x):
        with experimental.Trace("inside", step_num=x, count=count):
            return x * 2

    with experimental.Profile(str(tmp_path)):
        step(tf.ones(3))
        step(tf.ones(3))
    assert [event.name for event in read_events(tmp_path)].count("inside") == 1
