"""`Routine`: a traced function. Variables and random draws are inputs of its graph, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape.core.state import EMPTY, get_state, not_recording
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.trace.apply import NumpyBackend, apply
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import Failure, Trace, TraceAgain, traced_by


class CannotTrace(Exception):
    """A function that must run eagerly; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Routine:
    """A graph with what it needs besides its arguments, and what it changes.

    The inputs of `graph` are the arguments, the values of `variables`, and what `feeds` make; its
    outputs are the results, then the new values of `written`.
    """

    __slots__ = ("_run", "arguments", "backend", "feeds", "graph", "resizable", "results",
                 "variables", "written")  # fmt: skip

    def __init__(self, trace: Trace, arguments: int, results: list) -> None:
        values = tuple([trace.value_of(x) for x in results])
        self.written = list(trace.written.values())
        writes = tuple([trace.current_value(v) for v in self.written])
        self.variables = [variable for variable, _ in trace.variables]
        self.feeds = [make for make, _ in trace.feeds]
        inputs = (
            *trace.inputs[:arguments],
            *[value for _, value in trace.variables],
            *[value for _, value in trace.feeds],
        )
        self.graph = Graph(inputs, trace.nodes, (*values, *writes))
        self.arguments = arguments
        self.results = len(values)
        self.backend: Any = NumpyBackend
        self._run: Callable | None = None
        # Variables that may have another shape on a later call: then this routine is not for it.
        self.resizable = [
            (v, tuple(value.spec.shape))
            for v, value in trace.variables
            if v._declared_shape is not None or v._can_be_stacked
        ]

    def fits(self) -> bool:
        """Whether the variables have the shapes that they had when the function was traced."""
        return all(variable._data.shape == shape for variable, shape in self.resizable)

    def __call__(self, tensors: list) -> list[Tensor]:
        """The results for arguments; variables are read, and written to at the end."""
        if get_state() is not EMPTY:
            return self.seen(tensors)
        run = self._run
        if run is None:
            if hasattr(self.backend, "run"):
                return self.backend.run(self, tensors)
            run = self._run = self.backend.executable(self.graph)
        arrays = [x._data for x in tensors]
        if self.variables:
            arrays += [variable._data for variable in self.variables]
        if self.feeds:
            arrays += [make()._data for make in self.feeds]
        found = run(*arrays)
        if not self.written:
            return [Tensor(data) for data in found]
        count = self.results
        for variable, data in zip(self.written, found[count:]):  # noqa: B905 (as long; this is hot)
            variable._data = data
            variable._snapshot = None
        return [Tensor(data) for data in found[:count]]

    def seen(self, tensors: list) -> list[Tensor]:
        """The same under tapes, vmaps, in another function being traced…"""
        trace = get_state().trace
        start = len(self.graph.inputs) - len(self.feeds)
        fed = [
            make() if trace is None else trace.feed(_for_this_call(make), value.spec)
            for make, value in zip(self.feeds, self.graph.inputs[start:], strict=True)
        ]
        inputs = [*tensors, *[variable._whole() for variable in self.variables], *fed]
        if self.backend.name == "op by op":
            found = replay(self.graph, inputs)
        else:
            found = apply(self.graph, inputs, self.backend)
        with not_recording():
            for variable, value in zip(self.written, found[self.results :], strict=True):
                variable._assign_whole(value)
        return found[: self.results]


def _for_this_call(make: Callable) -> Callable:
    """A function called at two places of another draws the same numbers at both, as in TF."""
    return make.anew() if hasattr(make, "anew") else make  # type: ignore[attr-defined]


def traced(body: Callable[[list], tuple[list, Any]], specs: list[Spec]) -> tuple[Routine, Any]:
    """The routine of a function of tensors like these, and what else `body` gave.

    `body` takes the tensors and gives the list of its results, and anything else. If it cannot be
    traced, `CannotTrace` is raised, whatever became of the attempt.
    """
    trace = Trace(get_state().depth + 1)
    try:
        with traced_by(trace):
            tensors = [trace.input(spec) for spec in specs]
            results, rest = body(tensors)
            routine = Routine(trace, len(specs), results)
    except TraceAgain:
        return traced(body, specs)
    except Exception:
        if trace.failure is not None:
            raise CannotTrace(trace.failure) from None
        raise
    finally:
        trace.active = False
    if trace.failure is not None:  # the program caught the error, but it went a way of its own
        raise CannotTrace(trace.failure)
    return routine, rest
