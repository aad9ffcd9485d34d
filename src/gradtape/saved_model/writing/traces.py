"""Which traces of a `tf.function` are saved, and the graphs of each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gradtape.api.function.concrete import ConcreteFunction
from gradtape.api.function.entries import GraphEntry
from gradtape.api.function.function import Function
from gradtape.api.function.function_type import NoSpec, call_of_key
from gradtape.api.specs import CompositeTensor, TensorSpec, TypeSpec, map_tensor_specs, tensor_specs
from gradtape.core import nest
from gradtape.graph.routine import Routine
from gradtape.saved_model.writing.builder import CannotWrite
from gradtape.saved_model.writing.sizes import DifferentGraphs

# Sizes to trace with in place of open ones, in two traces: for axes that have nothing in common,
# then for such as are halved again and again, or long, or images that are reshaped to rows.
_CHOICES = (
    ((5, 7, 11, 17, 23, 31), (13, 19, 29, 37, 41, 43)),
    ((32, 48, 80, 112, 176, 208), (64, 144, 160, 224, 272, 304)),
    ((151, 157, 163, 167, 173, 179), (211, 223, 227, 229, 233, 239)),
    ((5, 336, 672, 1008, 2352, 3024), (13, 1680, 3696, 4368, 5712, 6384)),
)
# Ranks to trace with in place of an open one.
_RANKS = ((1, 2), (2, 3), (3, 4))


# What is written for tensors whose rank a signature leaves open, if the ops depend on it: a
# function for each of these.
_KNOWN_RANKS = range(5)


class TracedCall:
    """A function for given specs: its graph in two traces, and the structure of its results."""

    def __init__(self, args: tuple, kwargs: dict, first: GraphEntry, second: GraphEntry) -> None:
        self.args, self.kwargs = args, kwargs
        self.routines: tuple[Routine, Routine] = (first.routine, second.routine)
        one, other = first.structured_outputs(), second.structured_outputs()
        self.outputs = nest.map_structure(_joined, one, other)

    @property
    def specs(self) -> list[TensorSpec]:
        """The specs of the tensors among the arguments, in the order of the graph's inputs."""
        return [x for x in tensor_specs((self.args, self.kwargs)) if isinstance(x, TensorSpec)]


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, CompositeTensor):  # with specs in place of its tensors
        return one._type_spec.most_specific_compatible_type(other._type_spec)
    if not isinstance(one, TensorSpec):
        return one
    if one.shape.rank != other.shape.rank:
        return TensorSpec(None, one.dtype, one.name)
    pairs = zip(one.shape, other.shape, strict=True)
    return TensorSpec([a if a == b else None for a, b in pairs], one.dtype, one.name)


def signatures_of(function: Function) -> Iterator[tuple[tuple, dict]]:
    """Yield the arguments, as specs and values, that a function is saved for."""
    if function.input_signature is not None:
        signature = function._parameters().signature
        bound = signature.bind_partial(*function.input_signature)
        bound.apply_defaults()
        yield bound.args, bound.kwargs
        return
    asked = function._cache.asked
    yield from asked
    for key, entry in list(function._cache.entries.items()):
        if entry.routine is None:
            continue
        try:
            given = call_of_key(key)
            if not any(_covers(each, given) for each in asked):  # the trace was an example
                yield given
        except NoSpec:
            continue


def _covers(wide: Any, narrow: Any) -> bool:
    """Return whether arguments for one signature fit another."""
    try:
        nest.assert_same_structure(wide, narrow)
    except (TypeError, ValueError):
        return False
    pairs = zip(nest.flatten(wide), nest.flatten(narrow), strict=True)
    return all(
        one.is_compatible_with(other) if isinstance(one, TypeSpec) else one == other
        for one, other in pairs
    )


def of_known_ranks(args: tuple, kwargs: dict) -> list[tuple[tuple, dict]]:
    """Return a signature for each rank that its open ranks may have, or itself alone."""
    specs = [x for x in tensor_specs((args, kwargs)) if isinstance(x, TensorSpec)]
    if all(spec.shape.rank is not None for spec in specs):
        return [(args, kwargs)]

    def of_rank(rank: int) -> Any:
        def known(spec: TensorSpec) -> TensorSpec:
            if spec.shape.rank is not None:
                return spec
            return TensorSpec([None] * rank, spec.dtype, spec.name)

        return map_tensor_specs(known, (args, kwargs))

    return [of_rank(rank) for rank in _KNOWN_RANKS]


def with_names(function: Function, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Return the arguments with a name for each spec: its own, or that of its parameter."""
    used: dict[str, int] = {}

    def unique(name: str) -> str:
        count = used[name] = used.get(name, -1) + 1
        return f"{name}_{count}" if count else name

    def named(value: Any, name: str) -> Any:
        if isinstance(value, TypeSpec):
            return map_tensor_specs(
                lambda spec: TensorSpec(spec.shape, spec.dtype, spec.name or unique(name)), value
            )
        if isinstance(value, dict):
            return {key: named(value[key], name) for key in sorted(value)}
        if isinstance(value, (list, tuple)) and not nest.is_namedtuple(value):
            return type(value)([named(each, name) for each in value])
        return value

    names = function._parameters().names
    names = [*names, *[f"args_{i}" for i in range(len(names), len(args))]]
    made = tuple([named(each, name) for each, name in zip(args, names, strict=False)])
    return made, {name: named(each, name) for name, each in kwargs.items()}


def traced(function: Function, args: tuple, kwargs: dict) -> TracedCall:
    """Trace a function for given specs, twice if sizes in them are open."""
    problems = []
    specs = [x for x in tensor_specs((args, kwargs)) if isinstance(x, TensorSpec)]
    for choice in _choices(specs):
        try:
            entries = [_entry(function, *_filled(args, kwargs, *each)) for each in choice]
            call = TracedCall(args, kwargs, *entries)
            counts = [len(routine.graph.nodes) for routine in call.routines]
            if counts[0] == counts[1]:
                return call
            problems.append("its ops differ from size to size")
        except (ValueError, TypeError, DifferentGraphs) as error:
            problems.append(str(error))
    raise CannotWrite(
        f"the function {function.name!r} cannot be traced for its signature: {problems[0]}"
    )


def _choices(specs: list[TensorSpec]) -> Iterator[list[tuple[tuple, bool, int]]]:
    """Yield what to fill open sizes and ranks with, in two traces: see `_filled`."""
    is_open = any(not spec.shape.is_fully_defined() for spec in specs)
    ranks = _RANKS if any(spec.shape.rank is None for spec in specs) else ((0, 0),)
    for sizes, shares, pair in itertools.product(_CHOICES, (False, True), ranks):
        yield [(each, shares, rank) for each, rank in zip(sizes, pair, strict=True)]
        if not is_open:
            return


def _filled(args: tuple, kwargs: dict, sizes: tuple, shares: bool, rank: int) -> tuple[tuple, dict]:
    """Return the arguments with sizes for open ones, and a rank for open ones.

    The first axis has one size in all arguments: the batch. With `shares`, so have the others.
    """
    fresh = itertools.cycle(sizes[1:])

    def fill(spec: Any) -> Any:
        made = []
        for axis, size in enumerate([None] * rank if spec.shape.rank is None else spec.shape):
            if size is not None:
                made.append(size)
            elif axis == 0:
                made.append(sizes[0])
            else:
                made.append(sizes[axis % len(sizes)] if shares else next(fresh))
        return TensorSpec(made, spec.dtype, spec.name)

    return map_tensor_specs(fill, (args, kwargs))


def _entry(function: Function, args: tuple, kwargs: dict) -> GraphEntry:
    bound = function._parameters().bind(args, kwargs)
    entry = ConcreteFunction(function, bound)._latest_entry
    if isinstance(entry, GraphEntry):
        return entry
    reason = getattr(entry, "reason", "the shapes of its results depend on values")
    raise CannotWrite(
        f"the function {function.name!r} runs eagerly and has no graph: {reason}. Leave that part "
        "out (a TextVectorization can stand before the model that is exported), or save the model "
        'whole, for gradtape: model.save("model.keras").'
    )
