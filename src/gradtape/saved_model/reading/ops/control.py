"""Ops of TensorFlow that call functions: calls, branches, loops; and effects."""

from __future__ import annotations

from typing import Any

from gradtape.api.array.tensor_array import TensorArray
from gradtape.api.export import lookup
from gradtape.core.tensor import Tensor
from gradtape.saved_model.reading.table import op


@op("PartitionedCall", "StatefulPartitionedCall")
def call(*values, f):
    return f(list(values))


def _moves(value: Any) -> bool:
    """Return whether a value can differ between iterations: variables and tables cannot."""
    return isinstance(value, (Tensor, TensorArray))


@op("If", "StatelessIf")
def if_(condition, *values, then_branch, else_branch):
    if condition.dtype.name != "bool":
        condition = lookup("not_equal")(condition, lookup("zeros_like")(condition))
    return lookup("cond")(
        condition,
        lambda: tuple(then_branch(list(values))),
        lambda: tuple(else_branch(list(values))),
    )


@op("Case", "StatelessCase")
def case(index, *values, branches):
    functions = [lambda branch=branch: tuple(branch(list(values))) for branch in branches]
    return lookup("switch_case")(index, functions)


@op("While", "StatelessWhile")
def while_(*values, cond, body):
    moving = [index for index, value in enumerate(values) if _moves(value)]

    def whole(state: tuple) -> list:
        filled = list(values)
        for index, value in zip(moving, state, strict=True):
            filled[index] = value
        return filled

    def step(*state):
        after = body(whole(state))
        return tuple([after[index] for index in moving])

    state = lookup("while_loop")(
        lambda *state: cond(whole(state))[0], step, tuple([values[index] for index in moving])
    )
    return whole(tuple(state))


@op("NoOp", "ControlTrigger")
def no_op():
    return ()


@op("Assert")
def assert_(condition, *data, summarize=3):
    lookup("debugging.Assert")(condition, list(data), summarize)
    return ()


@op("PrintV2")
def print_(text, *, output_stream=b"stderr", end=b"\n"):
    import sys

    stream = sys.stdout if output_stream == b"stdout" else sys.stderr
    lookup("print")(text, output_stream=stream, end=end.decode())
    return ()


@op("StringFormat")
def string_format(*inputs, template=b"%s", placeholder=b"%s", summarize=3):
    return lookup("strings.format")(
        template.decode(), tuple(inputs), placeholder.decode(), summarize
    )
