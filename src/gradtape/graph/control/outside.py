"""Parts of a program traced where no function is: branches and loop bodies in an eager vmap.

A condition that differs between the examples of a vmap has no value, so that Python cannot branch
on it: both ways are traced, and become one op with a batching rule.
"""

from __future__ import annotations

from typing import Any, NoReturn

from gradtape.core.state import EMPTY, State, get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.derivative import is_tracked
from gradtape.graph.graph import Value
from gradtape.graph.obstacles import MustPeel
from gradtape.graph.tracing import Obstacle, Trace, failure_here


class Outside:
    """Stands in place of the function around a part: there is none, and ops run at once."""

    outer = None
    depth = -1  # there is a vmap between it and every part
    failure: Any = None
    live: Any = None
    open: Any = None
    converts = False
    _enclosing_state = EMPTY
    learned: dict = {}  # noqa: RUF012 (empty: nothing is known of what Python functions return)

    def fail(self, what: str, kind: Obstacle = Obstacle.OTHER) -> NoReturn:
        """Raise: what cannot be traced cannot differ between examples."""
        raise NotImplementedError(
            f"{what}; inside vmap, where a condition differs between the examples, that is not "
            "possible. Use tf.where to choose between values, or tf.map_fn, which runs the "
            "examples one by one."
        )

    def feed(self, make: Any, spec: Spec) -> Tensor:
        """Return a random draw or the like, made once."""
        return make()

    def write(self, variable: Any, tensor: Tensor) -> NoReturn:
        """Raise: a variable has one value, and not one for each example."""
        self.fail("a branch or loop assigns to a variable")

    def _variable_input(self, variable: Any) -> NoReturn:
        self.fail("a branch or loop assigns to a variable")


class EagerPart(Trace):
    """The trace of such a part. Tensors that a tape or accumulator tracks become inputs."""

    @property
    def _eager_state(self) -> State:
        """The state of the program around the outermost part."""
        return (
            self.outer._eager_state if isinstance(self.outer, EagerPart) else self._enclosing_state
        )

    def fail(self, what: str, kind: Obstacle = Obstacle.VALUE) -> NoReturn:
        outer: Any = self.outer
        raise outer.fail(what, kind)

    def value_of(self, x: Any) -> Value:
        if x._has_value and id(x) not in self._constants and _is_observed(x, self._eager_state):
            return self._capture(x)
        return super().value_of(x)


def _is_observed(x: Tensor, state: State) -> bool:
    return any(is_tracked(tape, x) for tape in state.tapes) or any(
        accumulator.tangent(x) is not None for accumulator in state.accumulators
    )


def surroundings(trace: Any = None) -> Any:
    """Return `trace` or that of the function being traced, or what stands in its place."""
    trace = trace or get_state().trace
    return Outside() if trace is None else trace


def fail_in_part(trace: Any, what: str, kind: type[MustPeel]) -> NoReturn:
    """Raise `kind`: what a part needs to be traced is known when the statement around it runs.

    Where nothing is computed while it is traced, end the trace; a gradient that cannot be had is
    no reason to, before the function is called.
    """
    whole, is_gradient = trace, trace.is_gradient
    while whole.outer is not None:
        whole = whole.outer
        is_gradient |= whole.is_gradient
    if whole.live is None and not (whole.is_declared and is_gradient):
        trace.fail(what, Obstacle.OTHER)
    raise kind(failure_here(what, Obstacle.OTHER))


def part_of(trace: Any, repeats: bool = False, can_unroll: bool = False) -> Trace:
    """Return a new trace of a part of a function, or of an eager program."""
    kind: Any = EagerPart if isinstance(trace, (Outside, EagerPart)) else Trace
    return kind(get_state().depth + 1, trace, repeats, can_unroll)
