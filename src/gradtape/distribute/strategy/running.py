"""`strategy.run` with several replicas: a function is traced once, and runs on all devices."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.backends.xla.runtime.choose import choose_backend
from gradtape.core import nest, scope
from gradtape.core.recent import Recent
from gradtape.core.state import get_state, setting
from gradtape.core.tensor import Tensor
from gradtape.distribute.strategy import contexts
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.variable import Variable, as_variable
from gradtape.graph.apply import inlined
from gradtape.graph.per_replica import DistributedValues, PerReplica, Unequal
from gradtape.graph.replicas import ReplicaTrace, trace_replicas
from gradtape.graph.results import flatten_result
from gradtape.graph.routine import CannotTrace, trace_routine
from gradtape.graph.signature import ByIdentity, closure_values, key_of, rebuild

_MAX_PROGRAMS = 256


def run(strategy, function: Callable, args: tuple, kwargs: dict) -> Any:
    """Run a function in every replica."""
    trace = get_state().trace
    if trace is not None:
        return _traced_run(strategy, trace, function, args, kwargs)
    return strategy._programs.call(strategy, function, args, kwargs)


def _traced_run(strategy, trace, function, args, kwargs):
    arguments = (args, kwargs)
    leaves = nest.flatten(arguments)
    if any(isinstance(leaf, Unequal) for leaf in leaves):
        from gradtape.distribute.strategy.uneven_replicas import run_in_turn

        return run_in_turn(strategy, trace, function, arguments)
    replicas = strategy._replicas
    kept: list = []

    def body(part: ReplicaTrace):
        given = [part.row(x.stack) if isinstance(x, PerReplica) else x for x in leaves]
        new_args, new_kwargs = nest.pack_sequence_as(arguments, given)
        result = in_replica(
            strategy, contexts.ReplicaContext(strategy), function, new_args, new_kwargs
        )
        kept[:] = [result]
        return [as_tensor(x) for x in nest.flatten(result) if is_value(x)], None

    stacks, _ = trace_replicas(trace, replicas.mesh, replicas.count, body)
    return pack_result(kept[0], [PerReplica(stack, replicas.count) for stack in stacks])


def in_replica(strategy, replica, function, args, kwargs) -> Any:
    """Call a function as the function of a replica."""
    with setting(inlined, True), strategy.scope(), contexts.inside(replica):
        return function(*args, **kwargs)


def is_value(x) -> bool:
    """Return whether a result is a tensor; other Python values are the same in all replicas."""
    return isinstance(x, (Tensor, IndexedSlices)) or isinstance(as_variable(x), Variable)


def as_tensor(x) -> Tensor:
    return ops.to_tensor(x)


def pack_result(result: Any, values: list) -> Any:
    """Return a result with its tensors replaced by other values."""
    rest = iter(values)
    if not nest.is_nested(result):
        return next(rest) if is_value(result) else result
    return nest.map_structure(lambda x: next(rest) if is_value(x) else x, result)


class Programs:
    """The functions that ran outside of `tf.function`, each compiled for its kinds of arguments."""

    def __init__(self) -> None:
        self._entries = Recent(_MAX_PROGRAMS)

    def call(self, strategy, function, args, kwargs):
        arguments = (args, kwargs)
        tensors: list = []
        key = (identity(function), key_of(arguments, tensors))
        entry = self._entries.find(key)
        if entry is None or not entry[0].fits():
            entry = self._trace(strategy, function, arguments, tensors)
            self._entries.keep(key, entry)
        routine, pack = entry
        return pack(routine(tensors))

    def _trace(self, strategy, function, arguments, tensors: list):
        name = getattr(function, "__name__", type(function).__name__)
        made: list = []

        def body(given: list):
            new_args, new_kwargs = rebuild(arguments, iter(given))
            with scope.observed(made.append):
                result = _traced_run(strategy, get_state().trace, function, new_args, new_kwargs)
            return flatten_result(result, ops.to_tensor)

        try:
            entry = trace_routine(body, [x._spec() for x in tensors])
            if made:  # they exist from now on
                entry = trace_routine(body, [x._spec() for x in tensors])
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
    """Return what makes two functions the same one: code, and what it refers to besides globals."""
    if isinstance(function, types.MethodType):
        return (*identity(function.__func__), ByIdentity(function.__self__))
    if not isinstance(function, types.FunctionType):
        return (ByIdentity(function),)
    held = [*closure_values(function), *(function.__defaults__ or ())]
    held += (function.__kwdefaults__ or {}).values()
    return (function.__code__, *map(ByIdentity, held))


def is_distributed(value) -> bool:
    """Return whether there is a value for each replica somewhere in a structure."""
    return any(isinstance(leaf, DistributedValues) for leaf in nest.flatten(value))
