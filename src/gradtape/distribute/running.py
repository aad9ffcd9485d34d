"""`strategy.run` with several replicas: a function is traced once, and runs on all devices."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core import nest, scope
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.distribute import contexts
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.per_replica import DistributedValues, PerReplica, Unequal
from gradtape.engine.trace.choose import choose_backend
from gradtape.engine.trace.eagerly import inlined
from gradtape.engine.trace.replicas import ReplicaTrace, traced_replicas
from gradtape.engine.trace.results import flattened
from gradtape.engine.trace.routine import CannotTrace, traced
from gradtape.engine.trace.signature import ByIdentity, key_of, rebuilt
from gradtape.engine.variable import Variable, as_variable

_MOST_PROGRAMS = 256


def run(strategy, function: Callable, args: tuple, kwargs: dict) -> Any:
    """What a function gives in every replica."""
    trace = get_state().trace
    if trace is not None:
        return _traced_run(strategy, trace, function, args, kwargs)
    return strategy._programs.call(strategy, function, args, kwargs)


def _traced_run(strategy, trace, function, args, kwargs):
    arguments = (args, kwargs)
    leaves = nest.flatten(arguments)
    if any(isinstance(leaf, Unequal) for leaf in leaves):
        from gradtape.distribute.in_turn import run_in_turn

        return run_in_turn(strategy, trace, function, arguments)
    replicas = strategy._replicas
    kept: list = []

    def body(part: ReplicaTrace):
        given = [part.row(x.stack) if isinstance(x, PerReplica) else x for x in leaves]
        new_args, new_kwargs = nest.pack_sequence_as(arguments, given)
        result = in_replica(strategy, contexts.ReplicaContext(strategy), function, new_args,
                            new_kwargs)  # fmt: skip
        kept[:] = [result]
        return [as_tensor(x) for x in nest.flatten(result) if is_value(x)], None

    stacks, _ = traced_replicas(trace, replicas.mesh, replicas.count, body)
    return packed(kept[0], [PerReplica(stack, replicas.count) for stack in stacks])


def in_replica(strategy, replica, function, args, kwargs) -> Any:
    """What a function gives, called as the function of a replica."""
    token = inlined.set(True)
    try:
        with strategy.scope(), contexts.inside(replica):
            return function(*args, **kwargs)
    finally:
        inlined.reset(token)


def is_value(x) -> bool:
    """Whether a result is a tensor; other Python values are the same in all replicas."""
    return isinstance(x, (Tensor, IndexedSlices)) or isinstance(as_variable(x), Variable)


def as_tensor(x) -> Tensor:
    return ops.to_tensor(x)


def packed(result: Any, values: list) -> Any:
    """A result with other values in the places of its tensors."""
    rest = iter(values)
    if not nest.is_nested(result):
        return next(rest) if is_value(result) else result
    return nest.map_structure(lambda x: next(rest) if is_value(x) else x, result)


class Programs:
    """The functions that ran outside of `tf.function`, each compiled for its kinds of arguments."""

    def __init__(self) -> None:
        self._entries: dict = {}

    def call(self, strategy, function, args, kwargs):
        arguments = (args, kwargs)
        tensors: list = []
        key = (identity(function), key_of(arguments, tensors))
        entry = self._entries.get(key)
        if entry is None or not entry[0].fits():
            entry = self._made(strategy, function, arguments, tensors)
            if len(self._entries) >= _MOST_PROGRAMS:
                self._entries.pop(next(iter(self._entries)))
            self._entries[key] = entry
        routine, pack = entry
        return pack(routine(tensors))

    def _made(self, strategy, function, arguments, tensors: list):
        name = getattr(function, "__name__", type(function).__name__)
        made: list = []

        def body(given: list):
            new_args, new_kwargs = rebuilt(arguments, iter(given))
            with scope.observed(made.append):
                result = _traced_run(strategy, get_state().trace, function, new_args, new_kwargs)
            return flattened(result, ops.to_tensor)

        try:
            entry = traced(body, [x._spec() for x in tensors])
            if made:  # they exist from now on
                entry = traced(body, [x._spec() for x in tensors])
        except CannotTrace as reason:
            raise ValueError(
                f"strategy.run: {name} runs in {strategy.num_replicas_in_sync} replicas at once, "
                f"as one compiled program, and cannot do this: {reason.failure}. Return the "
                "tensor from the function, and use its value outside; for a choice by a value, "
                "use tf.cond or tf.where."
            ) from None
        choose_backend(name, entry[0], tensors, None)
        return entry


def identity(function) -> tuple:
    """What makes two functions the same one: code, and what it refers to besides globals."""
    if isinstance(function, types.MethodType):
        return (*identity(function.__func__), ByIdentity(function.__self__))
    if not isinstance(function, types.FunctionType):
        return (ByIdentity(function),)
    cells = function.__closure__ or ()
    held = [*[_content(cell) for cell in cells], *(function.__defaults__ or ())]
    held += (function.__kwdefaults__ or {}).values()
    return (function.__code__, *map(ByIdentity, held))


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def is_distributed(value) -> bool:
    """Whether there is a value for each replica somewhere in a structure."""
    return any(isinstance(leaf, DistributedValues) for leaf in nest.flatten(value))
