"""Reverse rules that run without Python: recorded from Python's, and equal to the last bit."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.native import kernels as native
from gradtape.core.bind import bind
from gradtape.core.native import connect
from gradtape.core.primitive import PRIMITIVES, Rule
from gradtape.core.tensor import Tensor
from gradtape.ops.families import batch_elementwise
from gradtape.ops.rule_programs import record_rule
from tests.backends.native.test_core import same_bits

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
FLOAT32, BOOL = np.dtype(np.float32), np.dtype(bool)
PARAMS = {"power_by": {"exponent": 3}, "elu": {"alpha": 0.7}, "igamma_by_a": {"order": 1}}
# Elementwise rules that are no straight line, and why.
BY_PYTHON = {
    ("cast", 0): "names the dtype of x",
    ("real", 0): "names the dtype of x",
    ("complex", 1): "of complex numbers",
    ("imag", 0): "of complex numbers",
    ("igamma_by_a", 1): "add_n compares shapes",
    ("nextafter", 1): "zeros of the shape of g",
    ("sign", 0): "zeros of the shape of g",
}


def elementwise_rules() -> list[tuple[str, int]]:
    return [
        (name, position)
        for name, prim in PRIMITIVES.items()
        if prim.batch is batch_elementwise and prim.vjps is not None
        for position, rule in enumerate(prim.vjps)
        if isinstance(rule, Rule)
    ]


def recorded(name: str, position: int) -> tuple | None:
    """The rule for float32 as the core is given it."""
    prim = PRIMITIVES[name]
    rule = prim.vjps[position]
    if any(aspect != "value" for aspect in rule.values.values()):
        return None
    dtypes = [BOOL if prim.inputs[i] == "condition" else FLOAT32 for i in sorted(rule.values)]
    dtypes = (FLOAT32, *dtypes, *[FLOAT32] * rule.needs_ans)
    return record_rule(prim, rule, dtypes, PARAMS.get(name, {}))


def runs() -> collections.Counter:
    """How often each rule ran without Python, by primitive and input."""
    counts: collections.Counter = collections.Counter()
    for name, position, _, count in native.extension.native_rules():
        counts[name, position] += count
    return counts


STRAIGHT = [rule for rule in elementwise_rules() if rule not in BY_PYTHON]


def test_nearly_all_elementwise_rules_are_straight_lines():
    assert {rule for rule in elementwise_rules() if recorded(*rule) is None} == set(BY_PYTHON)
    assert len(STRAIGHT) >= 96


def random_inputs(prim, shape: tuple, dtype) -> tuple:
    random = np.random.default_rng(11)
    return tuple(
        Tensor(
            (random.uniform(0, 1, shape) > 0.5)[()]
            if name == "condition"
            else random.uniform(0.1, 1.5, shape).astype(dtype)[()]
        )
        for name in prim.inputs
    )


def real_numbers(x: Tensor) -> np.ndarray:
    array = np.asarray(x._data)
    return np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array


def check(name: str, position: int, xs: tuple, params: dict) -> None:
    """One gradient, which is Python's to the last bit, and was computed without it."""
    prim = PRIMITIVES[name]

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(xs[position])
            out = bind(prim, xs, params)
        g = Tensor((np.asarray(out._data) * 0 + np.asarray(0.7, out._data.dtype))[()])
        return out, g, tape.gradient(out, xs[position], output_gradients=g)

    if sum(row[:2] == (name, position) for row in native.extension.native_rules()) >= 64:
        for _ in range(17):  # where there are so many, the next is recorded after some uses
            gradient()
    before = runs()[name, position]
    out, g, gx = gradient()
    assert runs()[name, position] == before + 1
    expected = prim.vjps[position].call(g, xs, out, params, None)
    assert same_bits(real_numbers(gx), real_numbers(expected))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
@pytest.mark.parametrize(("name", "position"), STRAIGHT)
def test_a_rule_runs_without_python_and_gives_the_same_bits(name, position, shape, dtype):
    xs = random_inputs(PRIMITIVES[name], shape, dtype)
    for _ in range(2):  # recorded, and then found
        check(name, position, xs, PARAMS.get(name, {}))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.float16])
def test_other_dtypes_have_programs_of_their_own(dtype):
    for name in ("multiply", "divide", "sin", "square", "add", "sqrt"):
        check(name, 0, random_inputs(PRIMITIVES[name], (3,), dtype), {})
    if np.dtype(dtype).kind == "c":
        texts = {text for name, _, text, _ in native.extension.native_rules() if name == "sin"}
        assert "multiply(g, conj(cos(x)))" in texts


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (4,)])
def test_every_value_of_a_parameter_has_its_program(shape, dtype):
    xs = random_inputs(PRIMITIVES["power_by"], shape, dtype)
    for exponent in (2, 2.0, 3, -1, 0.5, -0.5, 2.5, 1, 0, 5, -1.5, 3):
        check("power_by", 0, xs, {"exponent": exponent})
    for alpha in (1.0, 0.5, 0.0):
        check("elu", 0, random_inputs(PRIMITIVES["elu"], shape, dtype), {"alpha": alpha})


def power_gradient(x, exponent: float):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**exponent
    return tape.gradient(y, x)


@pytest.mark.parametrize("shape", [(), (4,)])
def test_more_values_of_a_parameter_than_programs_are_kept(shape):
    xs = random_inputs(PRIMITIVES["power_by"], shape, np.float32)
    for i in range(100):
        exponent = 4 + i / 128
        for _ in range(20):
            power_gradient(xs[0], exponent)
            power_gradient(xs[0], 3.125)  # used all the time, and therefore kept
        check("power_by", 0, xs, {"exponent": exponent})
    rows = [row for row in native.extension.native_rules() if row[:2] == ("power_by", 0)]
    assert len([text for _, _, text, _ in rows if text is not None]) == 64
    (kept,) = (count for _, _, text, count in rows if text and "2.125" in text)
    assert kept >= 1900


def test_parameters_that_never_repeat_are_seldom_recorded():
    recordings = []

    def counted(*args):
        recordings.append(args)
        return record_rule(*args)

    x = tf.ones([4])
    for i in range(64):
        power_gradient(x, 10 + i / 128)
    connect(record_rule=counted)
    try:
        for i in range(320):
            power_gradient(x, 20 + i / 128)
    finally:
        connect(record_rule=record_rule)
    assert 19 <= len(recordings) <= 21


def test_a_program_that_is_running_is_kept(monkeypatch):
    """The kernel of one of its steps uses the same rule with many other parameters."""
    xs = random_inputs(PRIMITIVES["power_by"], (4,), np.float32)
    multiply = PRIMITIVES["multiply"]
    kernel, inside = multiply.kernel, []

    def using_others(x, y):
        if not inside:
            inside.append(True)
            for i in range(70 * 17):
                power_gradient(xs[0], 8 + i / 128)
        return kernel(x, y)

    monkeypatch.setattr(multiply, "kernel", using_others)
    with tf.GradientTape() as tape:
        tape.watch(xs[0])
        y = xs[0] ** 7.75
    result = tape.gradient(y, xs[0])
    assert inside
    np.testing.assert_allclose(result, 7.75 * xs[0].numpy() ** 6.75, rtol=1e-5)


def test_a_dtype_without_a_program_leaves_the_others_theirs():
    for exponent in (3, 1.5):
        x = tf.constant([0.5, 2.0], tf.bfloat16)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**exponent
        tape.gradient(y, x)
    xs = random_inputs(PRIMITIVES["power_by"], (3,), np.float32)
    check("power_by", 0, xs, {"exponent": 7.25})


def test_rules_that_have_a_fused_kernel_read_as_the_op_table_says():
    rules = {recorded(name, 0)[3] for name in ("sigmoid", "tanh")}
    assert rules == {
        "multiply(g, multiply(ans, subtract(1.0, ans)))",
        "multiply(g, subtract(1.0, multiply(ans, ans)))",
    }


def gradient_of_sin(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x)
    return float(tape.gradient(y, x))


def test_a_rule_put_in_place_at_run_time_is_used(monkeypatch):
    x = tf.constant(0.0)
    assert gradient_of_sin(x) == 1
    other = Rule(lambda g, x: g * (x + 5.0), ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "vjps", (other,))
    assert gradient_of_sin(x) == 5
    monkeypatch.undo()
    assert gradient_of_sin(x) == 1


@pytest.mark.parametrize("look", [bool, float, lambda x: x.numpy(), np.asarray])
def test_a_rule_that_looks_at_values_is_left_to_python(monkeypatch, look):
    rule = Rule(lambda g, x: (look(x), g * 3.0)[1], ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "vjps", (rule,))
    before = runs()["sin", 0]
    for _ in range(3):
        assert gradient_of_sin(tf.constant(1.0)) == 3
    assert runs()["sin", 0] == before


def test_the_gradient_of_a_user_never_sees_a_stand_in():
    seen = []

    @tf.custom_gradient
    def double(x):
        def grad(g):
            seen.append(type(g))
            return g * 2.0

        return x * 2.0, grad

    x = tf.constant(1.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = double(x)
        assert float(tape.gradient(y, x)) == 2
    assert seen == [Tensor] * 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_interrupts_the_recording_is_not_lost(monkeypatch, error):
    def interrupted(*args):
        raise error

    rule = Rule(lambda g, x: g * 3.0, ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "vjps", (rule,))
    connect(record_rule=interrupted)
    try:
        with pytest.raises(error):
            gradient_of_sin(tf.constant(1.0))
    finally:
        connect(record_rule=record_rule)
    assert gradient_of_sin(tf.constant(1.0)) == 3
