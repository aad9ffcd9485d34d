"""What a loop of the graph carries: the names that its statements assign to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.array.staged_array import ProbedArray, staged
from gradtape.api.array.tensor_array import TensorArray
from gradtape.api.autograph import symbols
from gradtape.api.debugging.assertions import assert_
from gradtape.core.state import get_state as engine_state
from gradtape.core.tensor import Tensor
from gradtape.graph.obstacles import Obstacle


class LoopState:
    """The names that a loop assigns to: those that the graph carries, and the others."""

    def __init__(self, get_state: Callable, set_state: Callable, names: tuple) -> None:
        self._get_state = get_state
        self._set_state = set_state
        self._names = names
        self._initial = tuple(get_state())
        self._probed: dict[int, ProbedArray] = {}
        self._defined: list[str] = []  # names that have no value before the loop

    def prepare(self, body: Callable[[], object], iterations: int, most: int = 0) -> None:
        """Make the names ready for a loop of the graph.

        Names that only the body assigns to get a value of its shape and dtype, which is never
        seen (see `must_run`). TensorArrays get room for what so many iterations write, and for
        `most` elements.
        """
        has_arrays = any(map(symbols.arrays_in, self._initial))
        if not has_arrays and not any(map(_has_no_value, self._initial)):
            return
        trace: Any = engine_state().trace
        if any(map(symbols.is_return_value, self._initial)):
            what = "a loop that depends on a tensor returns from the function"
            trace.fail(what, Obstacle.OTHER)
        try:
            after, self._probed = symbols.probe(
                trace, self._initial, body, self._get_state, self._set_state
            )
        except UnboundLocalError as error:
            raise ValueError(f"{error}: it must be defined before the loop") from None
        triples = list(zip(self._names, self._initial, after, strict=True))
        self._initial = tuple([_first_value(*each) for each in triples])
        self._defined = [n for n, x, y in triples if _has_no_value(x) and symbols.is_carried(y)]
        self.make_room(iterations, most)

    def must_run(self, runs: Callable[[], Any]) -> None:
        """Check on each call that a loop runs at all, if names have a value only then.

        As in TensorFlow, XLA's programs do not check it.
        """
        trace: Any = engine_state().trace
        if self._defined and trace.outer is None and not trace.is_compiled:
            names = ", ".join(self._defined)
            assert_(runs(), [f"loop must iterate at least once to initialize {names}"])

    def make_room(self, iterations: int, most: int = 0) -> None:
        """Give TensorArrays room for what so many iterations write."""

        def stage(array: TensorArray) -> TensorArray:
            seen = self._probed.get(id(array))
            if isinstance(array, ProbedArray):  # of a loop around this one
                array.writes += 0 if seen is None else seen.writes * (iterations - 1)
                return array
            room = symbols.room_of(array)
            if array.dynamic_size:
                room = max(room + self._writes * iterations, most)
            return staged(array, seen, room)

        self._writes = max([1, *[seen.writes for seen in self._probed.values()]])
        self._initial = tuple([symbols.map_arrays(stage, value) for value in self._initial])
        self._set_state(self._initial)

    def resume(self, iterations: int) -> None:
        """Take the names as they are now for a loop that goes on, with more room."""
        self._initial = tuple(self._get_state())
        self.make_room(iterations)

    def has_tensor_array(self) -> bool:
        """Return whether a name is a `TensorArray`."""
        return any(map(symbols.arrays_in, self._initial))

    def leaves(self) -> list[Tensor]:
        """Return the carried values, as tensors."""
        return [x for v in self._initial if symbols.is_carried(v) for x in symbols.to_tensors(v)]

    def enter(self, leaves: list) -> None:
        """Set the names to traced values."""
        rest = iter(leaves)
        values = [
            symbols.pack(value, rest) if symbols.is_carried(value) else value
            for value in self._initial
        ]
        self._set_state(tuple(values))

    def exit(self) -> list[Tensor]:
        """Return the carried values at the end of an iteration, as tensors."""
        result: list = []
        for name, before, after in zip(self._names, self._initial, self._get_state(), strict=True):
            if not symbols.is_carried(before):
                if not symbols.is_same(before, after) and not symbols.is_undefined(before):
                    symbols.only_eagerly((before, after), "a loop carries")
                    raise TypeError(_changed(name, before, after))
                continue
            if not symbols.is_carried(after):
                raise TypeError(_changed(name, before, after))
            if not symbols.same_structure(before, after):
                raise TypeError(
                    f"'{name}' does not have the same nested structure after one iteration: "
                    f"{before!r} before, {after!r} after"
                )
            tensors = symbols.to_tensors(after)
            for x, y in zip(symbols.to_tensors(before), tensors, strict=True):
                if x.dtype != y.dtype:
                    raise TypeError(
                        f"'{name}' has dtype {x.dtype.name} before the loop, but dtype "
                        f"{y.dtype.name} after one iteration. Give it the same dtype in both: "
                        f"tf.cast(…, tf.{x.dtype.name}) in the loop, or another value before it."
                    )
            result += tensors
        return result


def _first_value(name: str, value: Any, later: Any) -> Any:
    """Return the value of a name before a loop, after which it is `later`."""
    if _has_no_value(value) and symbols.is_carried(later):
        leaves = [ops.zeros(tuple(x.shape), x.dtype) for x in symbols.to_tensors(later)]
        return symbols.pack(later, iter(leaves))
    known = not symbols.is_undefined(value)
    if known or symbols.is_undefined(later) or symbols.arrays_in(later):
        return value
    raise ValueError(
        f"'{name}' must be defined before the loop: it becomes {symbols.describe(later)} there, "
        "which a loop that depends on a tensor cannot give back"
    )


def _has_no_value(value: Any) -> bool:
    return value is None or symbols.is_undefined(value)


def _changed(name: str, before: Any, after: Any) -> str:
    if after is None:
        return (
            f"'{name}' is None at the end of an iteration of the loop. Give it a tensor or number "
            "there, or another name."
        )
    if before is None:
        return f"'{name}' is None before the loop: give it a tensor or number there."
    return (
        f"'{name}' is {symbols.describe(before)} before the loop and {symbols.describe(after)} "
        "after one iteration; only numbers, tensors and structures of them can change in a loop "
        "that depends on the value of a tensor"
    )
