"""`Routine`: a traced function. Variables and random draws are inputs of its graph, too."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.native import fuses
from gradtape.core.protocols import GraphBackend
from gradtape.core.size import OpenSizes, is_open
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.transaction import (
    WriteLog,
    compute_values,
    exclusively,
    owned_array,
    read_all,
    write_all,
)
from gradtape.graph.apply import NUMPY
from gradtape.graph.execute import open_executable, open_writing_executable, prepare_open_graphs
from gradtape.graph.graph import Graph, Value
from gradtape.graph.obstacles import Failure, MustPeel, Retrace
from gradtape.graph.open_sizes import at_sizes, is_open_graph, settle, settle_parameters
from gradtape.graph.tracing import Trace, trace_into
from gradtape.ops.random import Draw


class CannotTrace(Exception):
    """Raised for a function that must run eagerly; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Routine:
    """A graph with the variables that it reads and writes, and its random draws.

    The inputs of `graph` are the arguments, the values of `variables`, and what `feeds` return; its
    outputs are the results, then the new values of `written`.
    """

    __slots__ = (
        "_computed",
        "_overwritten",
        "_overwritten_inputs",
        "_run",
        "arguments",
        "backend",
        "feeds",
        "graph",
        "resizable",
        "results",
        "variables",
        "written",
    )

    def __init__(self, trace: Trace, arguments: int, results: list) -> None:
        values = tuple([trace.value_of(x) for x in results])
        self.written = tuple(trace.written.values())
        with trace_into(trace):  # no gradient flows through an assignment
            writes = tuple(
                [trace.value_of(ops.stop_gradient(trace.current_tensor(v))) for v in self.written]
            )
        self.variables = tuple([variable for variable, _ in trace.variables])
        self.feeds = [make for make, _ in trace.feeds]
        inputs = (
            *trace.inputs[:arguments],
            *[value for _, value in trace.variables],
            *[value for _, value in trace.feeds],
        )
        self.graph = Graph(inputs, trace.nodes, (*values, *writes))
        self.arguments = arguments
        self.results = len(values)
        self.backend: GraphBackend = NUMPY
        self._run: Callable | None = None
        # Variables whose new values may be deferred.
        self._computed = tuple(
            [v for v, value in zip(self.written, writes, strict=True) if _may_be_deferred(value)]
        )
        # Variables whose arrays the graph writes into, and their indices among its inputs.
        self._overwritten: tuple = ()
        self._overwritten_inputs: tuple[int, ...] = ()
        # Variables that may have another shape on a later call, which then needs another trace.
        self.resizable = [
            (v, tuple(value.spec.shape))
            for v, value in trace.variables
            if v._declared_shape is not None or v._can_be_stacked
        ]

    # --- open sizes ------------------------------------------------------------------------------

    def settle_open_sizes(self, pack: Callable) -> None:
        """Fix open sizes that nobody could replace on a call: those in functions and objects."""
        settle_parameters(self.graph)
        settle(pack)
        for make in self.feeds:
            if not isinstance(make, Draw):
                settle(make)

    def prepare(self, open: OpenSizes) -> None:
        """Optimize and compile the graph for all sizes; that may note conditions on them."""
        if is_open_graph(self.graph):
            open_writing_executable(self.graph, open, self.replaced_inputs())
            open_executable(self.graph, open)
            prepare_open_graphs(self.graph, open)

    def at(self, open: OpenSizes, sizes: tuple[int, ...]) -> Routine:
        """Return the routine for given sizes."""
        sized = copy.copy(self)
        sized.graph = at_sizes(self.graph, open, sizes)
        sized.feeds = [make.at(sizes) if isinstance(make, Draw) else make for make in self.feeds]
        return sized

    def fits(self) -> bool:
        """Return whether the variables have the shapes that the function was traced with."""
        return all(variable._data.shape == shape for variable, shape in self.resizable)

    def __call__(self, tensors: list) -> list[Tensor]:
        """Run the graph: read the variables, compute the results, write the variables."""
        if get_state() is not EMPTY:
            return self.call_observed(tensors)
        run = self._run
        if run is None:
            return self.backend.run(self, tensors)
        if self._overwritten:
            return exclusively(self.written, self._call_in_place, run, tensors)
        if self.written:
            return exclusively(self.written, self._call_and_write, run, tensors)
        return [Tensor(data) for data in run(*self._arrays(tensors))]

    def _arrays(self, tensors: list) -> list:
        arrays = [x._data for x in tensors]
        if self.variables:
            arrays += read_all(self.variables)
        if self.feeds:
            arrays += [make()._data for make in self.feeds]
        return arrays

    def _call_and_write(self, run: Callable, tensors: list) -> list[Tensor]:
        outputs = run(*self._arrays(tensors))
        write_all(self.written, outputs, self.results)
        if self._computed:
            compute_values(self._computed)
        return [Tensor(data) for data in outputs[: self.results]]

    def replaced_inputs(self) -> tuple[int, ...]:
        """Return the indices of inputs that are values of variables which a call replaces."""
        written = {id(variable) for variable in self.written}
        return tuple(
            [
                index
                for index, variable in enumerate(self.variables, self.arguments)
                if id(variable) in written and variable._tensor_class is Tensor
            ]
        )

    def use(self, run: Callable, overwritten: tuple[int, ...] = ()) -> None:
        """Call this function of arrays from now on; it writes into the inputs `overwritten`."""
        self._run, self._overwritten_inputs = run, overwritten
        self._overwritten = tuple([self.variables[i - self.arguments] for i in overwritten])

    def _call_in_place(self, run: Callable, tensors: list) -> list[Tensor]:
        """Run a call that writes into the arrays of variables; undo all writes if it fails."""
        # First: anything else here that refers to the arrays would count as another owner.
        owned = [owned_array(variable) for variable in self._overwritten]
        arrays = self._arrays(tensors)
        for index, array in zip(self._overwritten_inputs, owned, strict=True):
            arrays[index] = array
        del owned
        log = WriteLog(self._overwritten)
        try:
            outputs = run(log, *arrays)
            log.commit(self.written, outputs, self.results)
        except BaseException:
            log.undo()
            raise
        if self._computed:
            del arrays  # the old values
            compute_values(self._computed)
        return [Tensor(data) for data in outputs[: self.results]]

    def call_observed(self, tensors: list) -> list[Tensor]:
        """Run the graph where tapes, accumulators, vmaps or another trace see its ops."""
        if self.written and get_state().trace is None:
            return exclusively(self.written, self._call_observed, tensors)
        return self._call_observed(tensors)

    def _call_observed(self, tensors: list) -> list[Tensor]:
        trace = get_state().trace
        start = len(self.graph.inputs) - len(self.feeds)
        fed = [
            make() if trace is None else trace.feed(_for_this_call(make), value.spec)
            for make, value in zip(self.feeds, self.graph.inputs[start:], strict=True)
        ]
        inputs = [*tensors, *self._values(), *fed]
        outputs = self.backend.apply(self.graph, inputs)
        if trace is None:
            return self.commit(outputs)
        for variable, value in zip(self.written, outputs[self.results :], strict=True):
            trace.write(variable, value)
        return outputs[: self.results]

    def commit(self, outputs: list[Tensor]) -> list[Tensor]:
        """Write the new values of variables, and return the results."""
        if self.written:
            # All are converted before the first is written.
            pairs = zip(self.written, outputs[self.results :], strict=True)
            write_all(
                self.written,
                [variable._array_for_full_value(value) for variable, value in pairs],
                0,
            )
        return outputs[: self.results]

    def _values(self) -> list[Tensor]:
        """Return the values of all variables at one point in time."""
        while True:
            values = [variable._full_value() for variable in self.variables]
            if get_state().trace is not None or len(values) < 2:
                return values
            arrays = read_all(self.variables)
            if all(x._data is array for x, array in zip(values, arrays, strict=True)):
                return values


def _may_be_deferred(value: Value) -> bool:
    spec = value.spec
    return is_open(spec.shape) or (spec.dtype == np.float32 and fuses("add", spec.size))


def _for_this_call(make: Callable) -> Callable:
    """Return the random draw for one more call: two calls draw the same numbers, as in TF."""
    return make.anew() if isinstance(make, Draw) else make


def trace_routine(
    body: Callable[[list], tuple[list, Any]],
    specs: list[Spec],
    prepare: Callable[[Trace], None] | None = None,
) -> tuple[Routine, Any]:
    """Trace `body` on tensors of these specs; return the routine, and what else `body` returned.

    `body` takes the tensors and returns (list of result tensors, anything else). If it cannot be
    traced, `CannotTrace` is raised, even where `body` has handled the error. `prepare` is given
    the trace before.
    """
    trace = Trace(get_state().depth + 1)
    if prepare is not None:
        prepare(trace)
    try:
        with trace_into(trace):
            tensors = [trace.input(spec) for spec in specs]
            results, rest = body(tensors)
            routine = Routine(trace, len(specs), results)
    except Retrace:
        return trace_routine(body, specs, prepare)
    except MustPeel as unknown:
        raise CannotTrace(unknown.failure) from None
    except Exception as error:
        # The program may have replaced our error by its own; a MemoryError stays what it is.
        if trace.failure is None or isinstance(error, MemoryError):
            raise
        raise CannotTrace(trace.failure) from None
    finally:
        trace.active = False
    if trace.failure is not None:  # the program caught the error and took another path
        raise CannotTrace(trace.failure)
    return routine, rest
