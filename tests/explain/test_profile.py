"""`tape.profile`: the times of ops are parts of the time that a program takes."""

import pytest

import gradtape as tf
from gradtape.explain import replay
from gradtape.explain.profile import shares


class Clock:
    """Tells a time that passes only while it is read, or with an op."""

    def __init__(self, reading: float) -> None:
        self.now = 0.0
        self.reading = reading

    def __call__(self) -> float:
        self.now += self.reading
        return self.now


@pytest.fixture
def chain():
    x = tf.Variable(1.01)
    with tf.GradientTape(persistent=True) as tape:
        y = x * 1.0
        for _ in range(3999):
            y = y * 1.0001
    return tape, y


def test_the_backward_time_is_that_of_the_whole_pass(chain, monkeypatch):
    tape, y = chain
    clock = Clock(reading=20e-6)  # what one op takes when it is run by itself
    monkeypatch.setattr(replay, "clock", clock)
    profile = tape.profile(y)
    assert len(profile.ops) == 4000
    # One reading before the pass and one after it: 20 µs, not 4,000 times as much.
    assert profile.backward == pytest.approx(20e-6)
    assert all(t.backward == pytest.approx(20e-6 / 4000) for t in profile.ops)
    assert profile.forward == pytest.approx(
        0.0, abs=1e-12
    )  # a kernel that takes no time costs nothing but the reading


def test_the_whole_pass_is_run_by_the_engine_itself(chain, monkeypatch):
    tape, y = chain
    calls = []
    from gradtape.explain import profile as module

    run = module.backward

    def counted(*args, **kwargs):
        calls.append(args)
        return run(*args, **kwargs)

    monkeypatch.setattr(module, "backward", counted)
    tape.profile(y, repeats=2)
    assert len(calls) >= 2
    assert tape.gradient(y, tape.watched_variables()[0]) is not None


def test_large_ops_keep_their_time_beside_small_ones():
    alone = [1e-3, 21e-6, 20e-6, 20e-6]
    whole = 1.001e-3
    parts = shares(alone, whole, [False] * 4)
    assert sum(parts) == pytest.approx(whole)
    assert parts[0] == pytest.approx(0.98e-3, rel=0.03)
    assert parts[1] > parts[2] == parts[3] > 0


def test_what_fusion_saves_is_saved_by_the_ops_that_are_fused():
    parts = shares([10e-3, 4e-3, 4e-3, 1e-9], 12e-3, [False, True, True, False])
    assert sum(parts) == pytest.approx(12e-3)
    assert parts[0] == pytest.approx(10e-3)
    assert parts[1] == pytest.approx(1e-3)


def test_ops_that_no_gradient_passes_take_no_time_backward():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        x * 3.0
    used, unused = tape.profile(y).ops
    assert used.backward > 0
    assert unused.backward == 0
    assert shares([], 0.0, []) == []
