"""Tracing: a function runs on tensors without values, and every op is recorded instead of run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from gradtape.core.default_graph import DefaultGraph
from gradtape.core.dtypes import from_numpy
from gradtape.core.primitive import Primitive
from gradtape.core.size import OpenSizes, Size, numbers_of
from gradtape.core.source_location import here, line_of, user_frame
from gradtape.core.state import State, get_state, set_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.function_tape import recorded_part
from gradtape.engine.observer import Observer
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.obstacles import Failure, MustKnow, MustUnroll, NeedsValue, Obstacle
from gradtape.graph.traced import TracedTensor, observed_around
from gradtape.graph.unrolling import UnrolledIterations
from gradtape.ops.random import Draw


class Trace:
    """One run of a function that records its ops: the interpreter of its tensors.

    With `outer`, it is the trace of a part of a function (a branch, the body of a loop) whose
    variables and random draws are those of the function; captured tensors become inputs.
    """

    is_replica = False  # whether this traces the function of a replica (see replicas.py)

    def __init__(
        self,
        depth: int,
        outer: Trace | None = None,
        repeats: bool = False,
        can_unroll: bool = False,
    ) -> None:
        self.depth = depth
        self.outer = outer
        self._enclosing_state = get_state()  # its tapes see this part as one op
        self._repeats = repeats  # whether a call runs this part more than once
        self._can_unroll = can_unroll  # whether the loop could be unrolled instead
        self.active = True
        self.failure: Failure | None = None
        self.nodes: list[Node] = []
        self.inputs: list[Value] = []
        self.argument_names: list[str] = []  # of the first inputs
        self._constants: dict[int, tuple[Tensor, Value]] = {}
        self._captured: dict[Any, tuple[Tensor, Value]] = {}  # by id of the outer value
        self._current: dict[int, tuple[Any, Value]] = {}  # variables read or written so far
        self.variables: list[tuple[Any, Value]] = []  # variables read, with their graph inputs
        self.written: dict[int, Any] = {}
        self.reads: dict[int, Any] = {}  # variables that a part reads, by id of the captured value
        self.length: int | None = None  # of a loop that has each of its iterations
        self.stacked: list[tuple[Draw, Value]] = []  # inputs that each of those draws
        self._assigned: dict[int, Value] = {}  # what reads after an assignment give
        self.feeds: list[tuple[Callable, Value]] = []  # inputs computed anew for each call
        self._draws = 0  # random ops without a seed of their own so far
        self._unrolling: UnrolledIterations | None = None  # the loop being unrolled
        self.live: Any = None  # computes the function while it is traced (see stages.py)
        self._producers: dict[int, Node] = {}  # by id of the value, of the first nodes
        self._indexed = 0
        around = outer or self._enclosing_state.trace
        self.open: OpenSizes | None = None if around is None else around.open
        # Whether the program's control flow on tensors is converted.
        self.converts: bool = around is not None and around.converts
        self.learned: dict[Any, list[Spec]] = {}  # what Python functions returned, by key
        self.peeled = 0  # iterations of loops that were computed to see that
        self.is_compiled = False  # whether the program asks for XLA
        self.is_declared = False  # whether arguments are known by their signature alone
        self.default_graph: DefaultGraph | None = None  # stands for it where programs ask
        self.is_gradient = False  # whether it is of a custom gradient, which may be never asked for
        self.gradient_code: Any = None  # of the gradient function then

    # --- ops -------------------------------------------------------------------------------------

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        """Record an op. Called by bind."""
        innermost = get_state().trace
        if innermost is not None and innermost.depth > self.depth:
            return innermost.process(prim, inputs, params)
        values = tuple([self.value_of(x) for x in inputs])
        given = [value.spec for value in values]
        try:
            specs = prim.shape(*given, **params)
        except Exception:
            if self.open is not None:
                refuse_sizes_of_call(self.open, prim, given, params)
            raise
        if isinstance(specs, Spec):
            specs = (specs,)
        outputs = tuple([Value(_plain(spec)) for spec in specs])
        self.nodes.append(Node(prim, values, params, outputs, here()))
        results = tuple([TracedTensor(value, self) for value in outputs])
        return results[0] if prim.outputs == 1 else results

    def record_concrete(self, prim: Primitive, inputs: tuple, params: dict, out) -> None:
        """Record an op that has run already, because all its inputs have values."""
        values = tuple([self.value_of(x) for x in inputs])
        results = (out,) if prim.outputs == 1 else out
        outputs = tuple([Value(_plain(y._spec())) for y in results])
        self.nodes.append(Node(prim, values, params, outputs, None))
        for tensor, value in zip(results, outputs, strict=True):
            self._constants[id(tensor)] = (tensor, value)

    def lift(self, x: Tensor) -> Tensor:
        """Return a tensor that has a value as one whose ops are recorded, not run."""
        return TracedTensor(self.value_of(x), self, x._marks) if x._has_value else x

    def size_tensor(self, sizes: Any, spec: Spec) -> TracedTensor:
        """Return sizes (nested tuples of them), some of which are open, as a tensor."""
        from gradtape.graph.open_sizes import as_array

        return self.from_sizes(as_array, (sizes,), spec)

    def from_sizes(self, make: Callable, arguments: tuple, spec: Spec) -> TracedTensor:
        """Record an array that `make` computes from sizes, some of which are open."""
        from gradtape.graph.open_sizes import FROM_SIZES

        params = {"make": make, "arguments": arguments, "shape": spec.shape, "dtype": spec.dtype}
        return self.process(FROM_SIZES, (), params)  # pyright: ignore[reportReturnType] (it has one output)

    def producer(self, value: Value) -> Node | None:
        """Return the node that computes a value; None for an input or a constant."""
        for node in self.nodes[self._indexed :]:
            self._producers.update((id(v), node) for v in node.outputs)
        self._indexed = len(self.nodes)
        return self._producers.get(id(value))

    def captured_value(self, value: Value) -> tuple[Trace, Value] | None:
        """Return what a part of a function has captured as an input: a trace around it, a value."""
        for x, known in self._captured.values():
            if known is value and type(x) is TracedTensor:
                return x._interpreter, x._value
        return None

    def known_sizes(self, value: Value) -> Any:
        """Return a value that is computed from sizes alone (as nested lists of them), or None."""
        if self.open is None:
            return None
        from gradtape.graph.known_sizes import find_sizes

        return find_sizes(self, value)

    def effect(self, prim: Primitive, inputs: tuple, params: dict) -> None:
        """Record an op without results: a side effect of every call."""
        values = tuple([self.value_of(x) for x in inputs])
        self.nodes.append(Node(prim, values, params, (), here()))

    def value_of(self, x: Any) -> Value:
        """Return the graph value of a tensor; capture it if it comes from outside."""
        if type(x) is TracedTensor and x._interpreter is self:
            if not self.active:
                raise x._leaked()
            return x._value
        if x._has_value and (self.outer is None or not observed_around(self, x)):
            known = self._constants.get(id(x))
            if known is None:
                known = self._constants[id(x)] = (x, Value(x._spec(), x))
            return known[1]
        if self.outer is None:
            if type(x) is TracedTensor and not x._interpreter.active:
                raise x._leaked()
            self.fail(
                "the function uses a tensor of the function or vmap around it", Obstacle.OTHER
            )
        return self._capture(x)

    def _capture(self, x: Any) -> Value:
        key = id(x._value) if type(x) is TracedTensor else id(x)
        known = self._captured.get(key)
        if known is None:
            known = self._captured[key] = (x, self.input(x._spec())._value)
        return known[1]

    def _captured_read(self, variable, outer_value: Tensor) -> Value:
        """Return the input that stands for a variable, apart from other uses of its value."""
        if outer_value._has_value:
            return self.value_of(outer_value)
        value = self.input(outer_value._spec())._value
        self._captured[id(variable)] = (outer_value, value)
        self.reads[id(value)] = variable
        return value

    @property
    def captured(self) -> list[Tensor]:
        """The captured tensors, in the order of their graph inputs."""
        return [x for x, _ in self._captured.values()]

    # --- inputs ----------------------------------------------------------------------------------

    def input(self, spec: Spec) -> TracedTensor:
        """Add an input to the graph, and return its traced tensor."""
        value = Value(_plain(spec))
        self.inputs.append(value)
        return TracedTensor(value, self)

    def feed(self, make: Any, spec: Spec) -> Tensor:
        """Add an input that is not an argument: `make()` computes it for each call."""
        if self.outer is not None:
            if self._draws_ahead(make):
                tensor = self.input(spec)
                self.stacked.append((make, tensor._value))
                return tensor
            if self._can_unroll:
                raise MustUnroll
            if self._repeats:
                from gradtape.graph.control.callback import call_in_graph

                return call_in_graph(self, "a random op", lambda: [make()], [], [spec])[0]
            if isinstance(make, Draw):  # a branch consumes random numbers only if it runs
                from gradtape.graph.control.effects import EFFECT

                self.effect(EFFECT, (), {"do": make.take})
                make = make.peek
            return TracedTensor(self._capture(self.outer.feed(make, spec)), self)
        tensor = self.input(spec)
        self.feeds.append((make, tensor._value))
        return tensor

    def _draws_ahead(self, make: Any) -> bool:
        """Return whether all iterations of a loop can draw before it: it has a known number."""
        trace: Any = self
        while trace.outer is not None and trace.length is not None:
            trace = trace.outer
        return trace.outer is None and isinstance(trace, Trace) and isinstance(make, Draw)

    def sequence(self, seed, make: Callable) -> Any:
        """Return the random sequence of an op; an unrolled loop reuses its first iteration's."""
        if self._unrolling is not None:
            return self._unrolling.sequence(seed, make)
        self._draws += seed is None
        return make(seed, self._draws - 1 if seed is None else 0)

    # --- variables -------------------------------------------------------------------------------

    def read(self, variable, marks=None) -> Tensor:
        """Return the value that a variable has at this point of a call."""
        known = self._current.get(id(variable))
        if known is None:
            if self.outer is not None:
                with use_state(self._enclosing_state):
                    outer_value = variable._full_value()
                value = self._captured_read(variable, outer_value)
            else:
                value = self.input(Spec(variable._data.shape, variable._data.dtype))._value
                self.variables.append((variable, value))
            known = self._current[id(variable)] = (variable, value)
        return TracedTensor(self._assigned.get(id(variable), known[1]), self, marks)

    def write(self, variable, tensor: Tensor) -> None:
        """Record that a variable has another value from this point of a call on."""
        value = self.value_of(tensor)
        self._current[id(variable)] = (variable, value)
        self._assigned[id(variable)] = self._detach(variable, value)
        self.written[id(variable)] = variable

    def _detach(self, variable, value: Value) -> Value:
        """Return a new value of a variable, whose gradient flows to the variable alone.

        As in eager code: not to what the value was computed from.
        """
        if not from_numpy(value.spec.dtype).is_differentiable:
            return value
        source = self._variable_input(variable)
        if source.spec != value.spec:  # a variable that changes its shape
            return value
        from gradtape.graph.control.custom import as_variable

        return as_variable(self, value, source)

    def _variable_input(self, variable) -> Value:
        """Return the graph value that gradients with respect to a variable flow to."""
        if self.outer is not None:
            key = "gradient", id(variable)  # apart from other uses of the value
            if key not in self._captured:
                marks = None
                for tape in self._enclosing_state.tapes:
                    marks = tape.read_mark(variable, marks)
                x = TracedTensor(self.outer._variable_input(variable), self.outer, marks)
                self._captured[key] = (x, self.input(x._spec())._value)
            return self._captured[key][1]
        for known, value in self.variables:
            if known is variable:
                return value
        value = self.input(Spec(variable._data.shape, variable._data.dtype))._value
        self.variables.append((variable, value))
        return value

    def reduce_update(self, delta: Tensor) -> Tensor:
        """Return what `assign_add` adds: in replicas, the sum over all of them."""
        return delta if self.outer is None else self.outer.reduce_update(delta)

    def current_value(self, variable) -> Value:
        """Return the graph value that a variable has now."""
        if id(variable) not in self._current:
            self.read(variable)
        return self._current[id(variable)][1]

    def current_tensor(self, variable) -> TracedTensor:
        """Return the value that a variable has now, with the gradient of how it was computed."""
        return TracedTensor(self.current_value(variable), self)

    def initial_value(self, tensor: Any) -> Tensor:
        """Compute the initial value of a new variable now, while tracing."""
        if type(tensor) is not TracedTensor:
            return tensor
        from gradtape.graph.known_sizes import initial_value

        return initial_value(self, tensor)

    def with_gradient(self, results: list, inputs: list, grad_fn) -> list:
        """Record that results have a custom gradient (see custom.py)."""
        from gradtape.graph.control.custom import with_gradient

        return with_gradient(self, results, inputs, grad_fn)

    # --- what is known only in a call ------------------------------------------------------------

    def ask(self, tensor: Tensor, read: Callable[[Any], Any]) -> Any:
        """Return what `read` makes of the array of a tensor in this call.

        What follows is traced for this answer, and again for others.
        """
        if self.open is not None:
            known = TracedTensor(self.value_of(tensor), self).computed_from_sizes()
            if known is not None:
                return read(np.asarray(known))
        self._must_be_live()
        return self.live.ask(self, self.value_of(tensor), read)

    def ask_sizes(self, tensor: Tensor) -> Any:
        """Return the integers of a tensor in this call, as open sizes (in lists, as in `tolist`).

        What follows is traced for all sizes that meet the conditions it notes.
        """
        self._must_be_live()
        if self.open is None:
            self.open = OpenSizes([])
        return self.live.ask_sizes(self, self.value_of(tensor))

    def _must_be_live(self) -> None:
        if self.live is None:
            from gradtape.graph.control.outside import fail_in_part

            fail_in_part(self, "a shape depends on the value of a tensor", MustKnow)

    def callback(
        self, what: str, call: Callable, inputs: list, key: Any, is_recorded: bool
    ) -> list[Tensor]:
        """Record the call of a Python function on every run (see control/callback.py)."""
        from gradtape.graph.control.callback import trace_callback

        return trace_callback(self, what, call, inputs, key, is_recorded)

    # --- the end ---------------------------------------------------------------------------------

    def fail(self, what: str, kind: Obstacle = Obstacle.VALUE) -> NoReturn:
        """End the trace by raising `NeedsValue`: the function must run eagerly."""
        failure = failure_here(what, kind)
        trace = self
        while trace is not None:
            if trace.failure is None:
                trace.failure = failure
            trace = trace.outer
        raise NeedsValue(f"{what} (inside a tf.function that is being traced)")

    def origin(self, x: TracedTensor) -> str:
        """Return where in the user's program a tensor was made, as part of a sentence."""
        for node in self.nodes:
            if node.location is not None and any(value is x._value for value in node.outputs):
                code = node.location[0]
                return f" at {code.co_filename}:{line_of(node.location)}"
        return ""

    def graph(self, outputs: tuple[Value, ...]) -> Graph:
        return Graph(tuple(self.inputs), self.nodes, outputs)


def failure_here(what: str, kind: Obstacle) -> Failure:
    """Return why a function cannot be traced, at the line of the program that runs now."""
    frame = user_frame(sys._getframe(1))
    return Failure(what, kind, frame.f_code.co_filename, frame.f_lineno)


def _plain(spec: Spec) -> Spec:
    """Return the spec with Python integers (or open sizes) as sizes and a NumPy dtype."""
    sizes = tuple([n if type(n) is Size else int(n) for n in spec.shape])
    return Spec(sizes, np.dtype(spec.dtype))


@contextlib.contextmanager
def use_state(state: State):
    """Run the block in a given state."""
    before = get_state()
    try:
        set_state(state)
        yield
    finally:
        set_state(before)


class ConcreteOpRecorder(Observer):
    """Records ops on tensors that have values, which run immediately; it stands among the tapes.

    A tape around a later call may watch such a captured tensor: then these ops matter.
    """

    __slots__ = ("_trace",)

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def record(self, prim: Primitive, inputs: tuple, params: dict, out) -> None:
        if all(x._has_value for x in inputs) and prim.name != "custom_gradient":
            self._trace.record_concrete(prim, inputs, params, out)


@contextlib.contextmanager
def trace_into(trace: Trace, tapes: tuple = ()):
    """Record the block's ops on traced tensors in `trace`; only the given tapes see them."""
    before = get_state()
    try:
        set_state(State((ConcreteOpRecorder(trace), *tapes), (), trace.depth, trace))
        with recorded_part(trace.outer is not None):
            yield trace
    finally:
        set_state(before)


def refuse_sizes_of_call(sizes: OpenSizes, prim: Primitive, specs: list, params: dict) -> None:
    """Raise what is wrong with an op for the sizes of this call, if it is: not with open ones.

    Then the program is wrong, and need not be traced for these sizes to see it.
    """
    try:
        prim.shape(
            *[Spec(numbers_of(tuple(spec.shape)), spec.dtype) for spec in specs],
            **{name: numbers_of(value) for name, value in params.items()},
        )
    except Exception as error:  # raised again: it is the one to be seen
        sizes.failure = error
        raise error from None
