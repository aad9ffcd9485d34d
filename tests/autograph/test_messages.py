"""What functions whose control flow cannot be an op of the graph are told, and where."""

# ruff: noqa: RET503, RET504, SIM108 (the statements are what is tested)

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

# --- branches ------------------------------------------------------------------------------------


def undefined_in_one_branch(x):
    if x > 0.0:
        y = x
    return y


def undefined_in_the_main_branch(x):
    if x > 0.0:
        pass
    else:
        y = x
    return y


def return_in_one_branch(x):
    if x > 0.0:
        return x


def other_dtype(x):
    y = x if x > 0.0 else 1
    return y


def other_dtype_in_a_statement(x):
    if x > 0.0:
        y = 1
    else:
        y = x
    return y


def none_in_one_branch(x):
    y = x
    if x > 0.0:
        y = None
    return y


def other_structure(x):
    if x > 0.0:
        y = (x, x)
    else:
        y = [x, x]
    return y


def functions_from_branches(x):
    if x > 0.0:
        g = abs
    else:
        g = float
    return g(x)


def condition_of_several_numbers(x):
    if tf.stack([x, x]) > 0.0:
        return x
    return -x


BRANCHES = {
    undefined_in_one_branch: (
        ValueError,
        "'y' must also be initialized in the else branch: which branch runs depends on the value "
        "of a tensor. Assign to it in both branches, or before the `if`.",
    ),
    undefined_in_the_main_branch: (
        ValueError,
        "'y' must also be initialized in the main branch: which",
    ),
    return_in_one_branch: (
        ValueError,
        "the else branch must also have a return statement: which branch runs depends on the value "
        "of a tensor. Return a value from both.",
    ),
    other_dtype: (
        TypeError,
        "'x > 0.0' has dtype float32 in the main branch, but dtype int32 in the else branch. Give "
        "it the same dtype in both: tf.cast(…, tf.float32), say.",
    ),
    other_dtype_in_a_statement: (
        TypeError,
        "'y' has dtype int32 in the main branch, but dtype float32 in the else branch.",
    ),
    none_in_one_branch: (
        ValueError,
        "'y' is None at the end of the main branch. Which branch runs depends on the value of a "
        "tensor: give it a tensor or number in both.",
    ),
    other_structure: (
        TypeError,
        "'y' must have the same nested structure in the main and else branches: it is (<tf.Tensor",
    ),
    functions_from_branches: (
        TypeError,
        "'g' is a Python builtin_function_or_method at the end of the main branch and a Python "
        "type at the end of the else branch; only numbers, tensors and structures of them can "
        "depend on the value of a tensor",
    ),
    condition_of_several_numbers: (
        ValueError,
        "a condition must be a scalar, but it has the shape (2,). Use tf.reduce_any(x) or "
        "tf.reduce_all(x)",
    ),
}


# --- loops ---------------------------------------------------------------------------------------


def used_before_its_first_value(x):
    while x > 0.0:
        z = y + 1.0  # noqa: F821
        y = z  # noqa: F841
        x = x - 1.0
    return x


def dtype_changes(x):
    count = 0
    while x > 0.0:
        count = tf.cast(count, tf.float32)
        x = x - 1.0
    return count


def structure_changes(x):
    y = x
    while x > 0.0:
        y = [x]
        x = x - 1.0
    return y


def becomes_none(x):
    y = x
    while x > 0.0:
        y = None
        x = x - 1.0
    return y


class Shape:
    """Neither a number nor a tensor."""


def becomes_another_object(x):
    y = Shape()
    while x > 0.0:
        y = Shape()
        x = x - 1.0
    return x, y


LOOPS = {
    used_before_its_first_value: (
        ValueError,
        "'y' is used before assignment: it must be defined before the loop",
    ),
    dtype_changes: (
        TypeError,
        "'count' has dtype int32 before the loop, but dtype float32 after one iteration. Give it "
        "the same dtype in both: tf.cast(…, tf.int32) in the loop, or another value before it.",
    ),
    structure_changes: (
        TypeError,
        "'y' does not have the same nested structure after one iteration: ",
    ),
    becomes_none: (
        TypeError,
        "'y' is None at the end of an iteration of the loop. Give it a tensor or number there, or "
        "another name.",
    ),
    becomes_another_object: (
        TypeError,
        "'y' is a Python Shape before the loop and a Python Shape after one iteration; only "
        "numbers, tensors and structures of them can change",
    ),
}


@pytest.mark.parametrize("function", [*BRANCHES, *LOOPS], ids=lambda f: f.__name__)
def test_errors(function, caplog):
    kind, text = {**BRANCHES, **LOOPS}[function]
    with pytest.raises(kind) as caught:
        tf.function(function)(tf.constant(2.0))
    assert type(caught.value) is kind
    assert text in str(caught.value)
    assert not caplog.text


def test_a_loop_that_gives_a_name_its_value_must_run():
    @tf.function
    def last(x, n):
        for i in tf.range(n):
            y = x * tf.cast(i, tf.float32)
        return y

    @tf.function
    def halved(x):
        while x > 1.0:
            y = x
            x = x / 2.0
        return y

    assert float(last(tf.constant(2.0), tf.constant(3))) == 4.0
    assert float(halved(tf.constant(4.0))) == 2.0
    text = "loop must iterate at least once to initialize y"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        last(tf.constant(2.0), tf.constant(0))
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        halved(tf.constant(0.5))


# --- notices -------------------------------------------------------------------------------------


def counted(x):
    return tf.math.bincount([tf.cast(v, tf.int32) for v in tf.unstack(x)])


def cropped(x):
    return tf.image.central_crop(tf.reshape(x, [1, 3, 1]), x[1])


def asked_by_the_program(x):
    return tf.reduce_sum([y.numpy() for y in [x]])


def asked_by_numpy(x):
    return tf.constant(np.sin(next(iter([x]))))


NOTICES = {
    counted: "tf.bincount needs the value of a tensor.",
    cropped: "central_crop() needs the value of a tensor.",
    asked_by_the_program: ".numpy() asks for the value of a tensor.",
    asked_by_numpy: "NumPy asks for the value of a tensor.",
}


@pytest.mark.parametrize("function", NOTICES, ids=lambda f: f.__name__)
def test_notices(function, caplog):
    traced = tf.function(function)
    x = tf.constant([2.0, 1.0, 0.0])
    np.testing.assert_allclose(traced(x), function(x))
    assert f"{__file__}:" in caplog.text
    assert NOTICES[function] in caplog.text
    assert (".numpy()" in caplog.text) == (function is asked_by_the_program)


def test_what_is_no_function_cannot_be_converted():
    with pytest.raises(ValueError, match=r"^tf\.autograph cannot convert 3: it is not a Python"):
        tf.autograph.to_code(3)
