"""What the tools say of wrong arguments, of tapes without a record, and of files."""

import re

import pytest

import gradtape as tf

QUESTIONS = {
    "explain": lambda tape, y, x: tape.explain(y, x),
    "find_nonfinite": lambda tape, y, x: tape.find_nonfinite(y),
    "memory": lambda tape, y, x: tape.memory(),
    "profile": lambda tape, y, x: tape.profile(),
    "to_dot": lambda tape, y, x: tape.to_dot(),
    "to_svg": lambda tape, y, x: tape.to_svg(),
    "to_html": lambda tape, y, x: tape.to_html(),
}


@pytest.fixture
def x():
    return tf.Variable(3.0)


@pytest.fixture
def recorded(x):
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    return tape, y


def used(x):
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    return tape


def forgotten(x):
    with tf.GradientTape() as tape:
        x * x
    tape.reset()
    return tape


def never_entered(x):
    return tf.GradientTape()


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize(
    ("made", "text"),
    [
        (used, "this tape has given its gradient and let go of its record. Ask before calling"),
        (forgotten, "tape.reset() made this tape forget its record. Ask before reset, or record"),
        (never_entered, "this tape has recorded nothing. Enter it first: `with tf.GradientTape()"),
    ],
)
def test_a_tape_without_a_record_says_what_became_of_it(x, made, text, asked):
    with pytest.raises(RuntimeError, match=re.escape(f"tape.{asked}: {text}")):
        QUESTIONS[asked](made(x), x, x)


def test_a_tape_that_was_reset_and_used_again_is_used(x):
    with tf.GradientTape() as tape:
        tape.reset()
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="let go of its record"):
        tape.memory()


@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (
            lambda t, y: t.explain(y, None),
            TypeError,
            "tape.explain: sources must be tensors or variables; "
            "source 0 is None of type NoneType.",
        ),
        (
            lambda t, y: t.find_nonfinite("loss"),
            TypeError,
            "tape.find_nonfinite: the target must be a tensor, got 'loss' of type str.",
        ),
        (
            lambda t, y: t.find_nonfinite(y, [y, "w"]),
            TypeError,
            "tape.find_nonfinite: sources must be tensors or variables; "
            "source 1 is 'w' of type str.",
        ),
        (
            lambda t, y: t.profile("loss"),
            TypeError,
            "tape.profile: the target must be a tensor, got 'loss' of type str.",
        ),
        (
            lambda t, y: t.profile(y, repeats=0),
            ValueError,
            "tape.profile: repeats must be a whole number of 1 or more, got 0",
        ),
        (
            lambda t, y: t.profile(tf.constant(1.0)),
            ValueError,
            "The target was not computed from anything that this tape watches. "
            "tape.explain(target, sources) says why.",
        ),
        (
            lambda t, y: t.to_html(y),
            TypeError,
            "tape.to_html: the path must be a file name, got a value of type Tensor. "
            "The target goes second: tape.to_html(path, target).",
        ),
        (
            lambda t, y: t.to_svg(3),
            TypeError,
            "tape.to_svg: the path must be a file name, got a value of type int.",
        ),
        (
            lambda t, y: t.gradient(y, y, unconnected_gradients="explian"),
            ValueError,
            "Unknown value for unconnected_gradients: 'explian'. Use 'none', 'zero' or 'explain'.",
        ),
        (
            lambda t, y: tf.config.track_origins("on"),
            TypeError,
            "track_origins takes True or False, got 'on'",
        ),
    ],
)
def test_wrong_arguments(recorded, ask, error, text):
    with pytest.raises(error) as caught:
        ask(*recorded)
    assert str(caught.value) == text


def test_a_target_that_is_none(recorded, x):
    tape, _ = recorded
    explanation = tape.explain(None, x)
    assert explanation.cause.kind == "no_target"
    assert str(explanation).startswith("No gradient for `x`: the target is None")
    assert "a function that ends without `return` gives None" in str(explanation)


def test_no_sources(recorded):
    tape, y = recorded
    assert str(tape.explain(y, [])) == "There are no sources to explain."


def test_drawings_go_into_files(recorded, tmp_path):
    tape, y = recorded
    for name, drawn in (
        ("tape.dot", tape.to_dot(tmp_path / "tape.dot")),
        ("tape.svg", tape.to_svg(tmp_path / "tape.svg")),
        ("tape.html", tape.to_html(str(tmp_path / "tape.html"), y)),
    ):
        assert (tmp_path / name).read_text(encoding="utf-8") == drawn
    with pytest.raises(FileNotFoundError, match=r"nowhere.tape\.svg"):
        tape.to_svg(tmp_path / "nowhere" / "tape.svg")


def test_gradient_logs(x):
    log = tf.health.GradientLog()
    log.record(x, tf.constant(2.0))  # one variable needs no list
    assert log.readings[0].gradient_norm == 2.0
    with pytest.raises(
        TypeError, match=r"variable 0 is 2\.0 of type float, not a tf\.Variable\. The"
    ):
        log.record([2.0], [x])
    with pytest.raises(ValueError, match=r"'health\.txt' must end in \.html, \.png, \.svg or"):
        tf.health.keras_callback(path="health.txt")
