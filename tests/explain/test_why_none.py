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


# What is said instead where nothing but tracking can know the cause: it is true, too.
WITHOUT_TRACKING = {
    "read_by_numpy_before_the_tape": "not_read",
    "made_before_the_tape": "unused",
    # Without tracking the line is looked for in the source of the caller, which here is this test.
    "variable_replaced_by_a_tensor": "not_watched",
    "hand_written_step": "not_watched",
}


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_the_cause_without_tracking(broken):
    if broken.name not in WITHOUT_TRACKING:
        check(broken, tracked=False)
        return
    tape, target, source = broken.program()
    assert tape.explain(target, source).cause.kind == WITHOUT_TRACKING[broken.name]


def test_without_tracking_the_text_says_how_to_get_the_line():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        loss = x * x
    assert "GRADTAPE_TRACK_ORIGINS=1" in str(tape.explain(loss, x))


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_the_gradient_is_none_indeed(broken):
    tape, target, source = broken.program()
    if broken.name == "target_is_an_array":
        with pytest.raises(TypeError, match="has left the tape"):
            tape.gradient(target, source)
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
