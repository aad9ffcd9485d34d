"""No interrupt, at whatever line, leaves the value of a block or call in a context variable."""

from __future__ import annotations

import ast
from contextvars import ContextVar
from pathlib import Path

import pytest

import gradtape as tf
from gradtape.core import scope
from gradtape.core.state import call_with, inside, outside, setting
from gradtape.distribute.strategy import contexts
from gradtape.engine import black_box, function_tape
from gradtape.prng import seeds
from tests.racing import interrupt_at_line

SOURCE = Path(__file__).parents[2] / "src"
VARIABLE: ContextVar[int] = ContextVar("variable", default=0)


def test_the_value_is_that_of_the_block_or_call():
    with setting(VARIABLE, 1) as value, setting(VARIABLE, 2):
        assert (value, VARIABLE.get()) == (1, 2)
    assert VARIABLE.get() == 0
    assert call_with(VARIABLE, 3, lambda x, y: (VARIABLE.get(), x, y), 1, y=2) == (3, 1, 2)
    with pytest.raises(ZeroDivisionError):
        call_with(VARIABLE, 3, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError), setting(VARIABLE, 1):
        _ = 1 / 0
    assert VARIABLE.get() == 0


def in_scopes() -> None:
    with (
        tf.name_scope("a"),
        scope.observed(print),
        scope.making(tf.Variable),
        scope.creating(print),
        outside(),
        tf.distribute.get_strategy().scope(),
        contexts.updating(),
        seeds.recorded_draws() as drawn,
        seeds.replayed_draws(drawn),
        black_box.repeating([]),
        function_tape.recorded_function(),
    ):
        pass


def left_behind() -> list:
    return [
        scope._prefix.get(),
        scope._observer.get(),
        scope._kind.get(),
        scope._creators.get(),
        scope.replica_count.get(),
        inside.get(),
        contexts._strategy.get(),
        contexts._context.get(),
        seeds._draws.get(),
        black_box._called.get(),
        function_tape._current.get(),
    ]


def test_no_line_leaves_a_scope_open():
    in_scopes()
    before = left_behind()
    total = interrupt_at_line(in_scopes, None)
    assert total > 100
    for line in range(1, total + 1):
        interrupt_at_line(in_scopes, line)
        assert left_behind() == before, f"line {line} of {total}"


def test_no_context_variable_is_set_with_a_token():
    tokens = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "set"
        and not isinstance(node.value.func.value, ast.Subscript)  # x.at[i].set(y) of JAX
    ]
    assert tokens == [], "use `setting` or `call_with` of core/state.py"
