"""A function of replicas whose batches differ in size: traced for each of them, in turn.

One program for all devices needs arrays of one shape. The last batch of an epoch may not divide;
for it, the function is traced once for each replica, into the graph of the function around it, and
every device computes all of it. Each trace has a thread of its own, and only one of them runs at a
time: where a replica exchanges values with the others, the next one goes on, until all have come
to that point.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.state import get_state, set_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.distribute.strategy import contexts
from gradtape.distribute.strategy.running import (
    as_tensor,
    in_replica,
    is_value,
    pack_result,
)
from gradtape.graph.obstacles import Retrace
from gradtape.graph.per_replica import PerReplica, Unequal
from gradtape.graph.replicas import mark_varying
from gradtape.graph.tracing import Trace, TracedTensor


class ReplicaTrace:
    """The trace of the function around, with variables as one replica has them."""

    is_replica = True

    def __init__(self, outer: Trace, number: int) -> None:
        self.outer = outer
        self.depth = outer.depth
        self._index = number
        self._now: dict[int, tuple[Any, Any]] = {}
        self.written: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.outer, name)

    def replica_index(self) -> Tensor:
        return Tensor(np.int32(self._index))

    def varies(self, x: Tensor) -> bool:
        return True

    def read(self, variable, marks=None) -> Tensor:
        known = self._now.get(id(variable))
        if known is None:
            value = self.outer.read(variable)
            if variable._is_stacked:
                value = value[self._index]
            known = self._now[id(variable)] = (variable, self.outer.value_of(value))
        return TracedTensor(known[1], self.outer, marks)

    def write(self, variable, tensor: Tensor) -> None:
        self._now[id(variable)] = (variable, self.outer.value_of(tensor))
        self.written[id(variable)] = variable

    def reduce_update(self, delta: Tensor) -> Tensor:
        replica = contexts.get_replica_context()
        assert replica is not None
        return replica._sums([delta])[0]

    def current_value(self, variable) -> Any:
        return self.outer.value_of(self.read(variable))

    def feed(self, make: Any, spec: Spec) -> Tensor:
        return self.outer.feed(make, spec)


class _Stopped(BaseException):
    """Ends the thread of a replica after another one has failed."""


class ReplicaThread:
    """The function in one replica: it runs until it wants to exchange something, or is done."""

    def __init__(self, call: Callable) -> None:
        self.request: tuple | None = None
        self.result: Any = None
        self.is_done = False
        self._answer: Any = None
        self._error: BaseException | None = None
        self._stops = False
        self._mine, self._others = threading.Semaphore(0), threading.Semaphore(0)
        surroundings = contextvars.copy_context()
        keras = sys.modules.get("keras.src.backend.common.global_state")
        # Keras keeps what is in force (policies, scopes) for each thread by itself.
        in_force = {} if keras is None else dict(vars(keras.GLOBAL_STATE_TRACKER))

        def main() -> None:
            self._mine.acquire()
            if keras is not None:
                vars(keras.GLOBAL_STATE_TRACKER).update(in_force)
            try:
                if not self._stops:
                    self.result = surroundings.run(call, self)
            except _Stopped:
                pass
            except BaseException as error:  # raised again where the thread is waited for
                self._error = error
            self.is_done = True
            self._others.release()

        self._thread = threading.Thread(target=main, daemon=True)
        self._thread.start()

    def go_on(self, answer: Any = None) -> None:
        """Let the function run to its next exchange, or to its end."""
        self._answer = answer
        self._mine.release()
        self._others.acquire()
        if self._error is not None:
            raise self._error

    def exchange(self, kind: str, tensors: list, axis: int = 0) -> Any:
        """Combine tensors with those of the other replicas.

        In the function.
        """
        self.request = (kind, tensors, axis)
        self._others.release()
        self._mine.acquire()
        if self._stops:
            raise _Stopped
        return self._answer

    def stop(self) -> None:
        if not self.is_done:
            self._stops = True
            self._mine.release()
        self._thread.join()


class ThreadReplicaContext(contexts.ReplicaContext):
    """The context of a replica that runs in turn with the others."""

    def __init__(self, strategy, number: int, turn: ReplicaThread) -> None:
        super().__init__(strategy)
        self._index = number
        self._turn = turn

    @property
    def replica_id_in_sync_group(self):
        return Tensor(np.int32(self._index))

    def _sums(self, tensors: list) -> list:
        return self._turn.exchange("sum", tensors) if tensors else []

    def _gathered(self, x, axis: int):
        x = ops.to_tensor(x)
        return self._turn.exchange("join", [x], ops.normalize_axis("all_gather", axis, x.ndim))[0]

    def _first(self, x):
        return self._turn.exchange("first", [x])[0]


def run_in_turn(strategy, trace: Trace, function: Callable, arguments: tuple) -> Any:
    """Return the results of a function in each replica, of which some arguments are `Unequal`."""
    count = strategy.num_replicas_in_sync
    start = len(trace.nodes)
    leaves = nest.flatten(arguments)
    views = [ReplicaTrace(trace, number) for number in range(count)]
    differing: set[int] = set()

    def own(x, number: int):
        if isinstance(x, Unequal):
            row = x.parts[number]
        elif isinstance(x, PerReplica):
            row = x.stack[number]
        else:
            return x
        differing.add(id(trace.value_of(row)))
        return row

    def in_turn(number: int) -> Callable:
        given = [own(x, number) for x in leaves]
        args, kwargs = nest.pack_sequence_as(arguments, given)

        def call(turn: ReplicaThread):
            state = get_state()
            set_state(state.replaced(trace=views[number]))
            return in_replica(
                strategy, ThreadReplicaContext(strategy, number, turn), function, args, kwargs
            )

        return call

    results, agreed = _all_turns([ReplicaThread(in_turn(number)) for number in range(count)])
    _keep_written(trace, views, start, differing, {id(trace.value_of(x)) for x in agreed})
    rows = [[as_tensor(x) for x in nest.flatten(each) if is_value(x)] for each in results]
    values = [
        PerReplica(ops.stack(list(column)), count)
        if len({(tuple(x.shape), x.dtype) for x in column}) == 1
        else Unequal(column, strategy._replicas.own)
        for column in zip(*rows, strict=True)
    ]
    return pack_result(results[0], values)


def _all_turns(turns: list[ReplicaThread]) -> tuple[list, list]:
    """Run all functions to their ends; return their results, and the exchanged tensors."""
    agreed: list = []
    answers: list = [None] * len(turns)
    try:
        while True:
            for turn, answer in zip(turns, answers, strict=True):
                turn.go_on(answer)
            if all(turn.is_done for turn in turns):
                return [turn.result for turn in turns], agreed
            requests = [turn.request for turn in turns]
            kinds = {(None if turn.is_done else turn.request[0]) for turn in turns}  # pyright: ignore[reportOptionalSubscript] (a turn that is not done has a request)
            if len(kinds) > 1:
                raise RuntimeError(
                    "strategy.run: the replicas do not exchange the same values: one has come to "
                    f"the end or to another exchange than another ({kinds}). What is exchanged "
                    "must not depend on the number of the replica, or the size of its batch."
                )
            exchanged = _exchanged(requests)
            agreed += exchanged
            answers = [exchanged] * len(turns)
    finally:
        for turn in turns:
            turn.stop()


def _exchanged(requests: list) -> list:
    kind, first, axis = requests[0]
    columns = zip(*[tensors for _, tensors, _ in requests], strict=True)
    if kind == "first":
        return [ops.identity(x) for x in first]
    if kind == "join":
        return [ops.concat(list(column), axis) for column in columns]
    totals = []
    for column in columns:
        total = column[0]
        for x in column[1:]:
            total = total + x
        totals.append(total)
    return totals


def _keep_written(
    trace: Trace, views: list[ReplicaTrace], start: int, differing: set, agreed: set
) -> None:
    """Write to the variables what the replicas have written."""
    for node in trace.nodes[start:]:
        mark_varying(node, differing)
        differing -= agreed
    variables = {key: v for view in views for key, v in view.written.items()}
    again = False
    for variable in variables.values():
        values = [view.current_value(variable) for view in views]
        if variable._is_stacked:
            rows = [TracedTensor(value, trace) for value in values]
            trace.write(variable, ops.stack(rows))
        elif id(values[0]) in differing:
            variable._spread()
            again = True
        else:
            trace.write(variable, TracedTensor(values[0], trace))
    if again:
        raise Retrace
