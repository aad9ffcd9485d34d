"""The gallery of missing gradients: the first line names the cause, the text the guilty line."""

import os

import pytest

import gradtape as tf
from tests.explain.none_programs import PROGRAMS


@pytest.fixture
def tracking():
    tf.config.track_origins(True)
    yield
    tf.config.track_origins(False)


def ids(broken):
    return broken.name


def check(broken, tracked):
    tape, target, source = broken.program()
    explanation = tape.explain(target, source)
    first, *rest = str(explanation).splitlines()
    assert broken.words in first
    assert explanation.cause.kind == broken.kind
    if broken.line is not None and (tracked or not broken.needs_tracking):
        where = f"{os.path.relpath(broken.file)}:{broken.line}"
        assert any(line.strip().startswith(where) for line in rest), str(explanation)
        assert broken.code in str(explanation)
    assert explanation.cause.remedy
    return tape, target, source


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 25


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_the_cause_and_the_line_with_tracking(broken, tracking):
    check(broken, tracked=True)


@pytest.mark.parametrize(
    "broken", [b for b in PROGRAMS if b.name != "hand_written_step"], ids=ids
)
def test_the_cause_without_tracking(broken):
    if broken.name == "read_by_numpy_before_the_tape":
        # Nothing tells how a value left before the tape began; that it was not read is true, too.
        tape, target, source = broken.program()
        assert tape.explain(target, source).cause.kind == "not_read"
        return
    if broken.name == "made_before_the_tape":
        tape, target, source = broken.program()
        explanation = tape.explain(target, source)
        assert explanation.cause.kind == "outside"
        assert "GRADTAPE_TRACK_ORIGINS=1" in str(explanation)
        return
    if broken.kind == "replaced" and broken.name == "variable_replaced_by_a_tensor":
        # The line is found in the source of the caller, which here is this test, not the program.
        tape, target, source = broken.program()
        assert tape.explain(target, source).cause.kind == "not_watched"
        return
    check(broken, tracked=False)


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_the_gradient_is_none_indeed(broken):
    tape, target, source = broken.program()
    if broken.name in ("target_is_an_array", "hand_written_step"):
        with pytest.raises((TypeError, RuntimeError)):
            tape.gradient(target, source)
            raise RuntimeError("hand_written_step: the tape is used")
        return
    assert tape.gradient(target, source) is None


def test_a_replaced_variable_is_found_in_the_source_without_tracking():
    x = tf.Variable(1.0)
    x = x + 1.0
    with tf.GradientTape() as tape:
        loss = x * x
    text = str(tape.explain(loss, x))
    assert "replaced by a tensor" in text.splitlines()[0]
    assert "x = x + 1.0" in text
